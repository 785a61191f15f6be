package ccd

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Prove decides what it can about all pairs of the robot's links within a time, easy
// ones first, for the padding of the options: what Options.Proven takes. What is left
// is undecided. Only a robot or options that cannot be are an error.
func Prove(ctx context.Context, robot *urdf.Robot, opts Options, within time.Duration) (*pairproof.Report, error) {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	o := pairproof.Options{Padding: opts.Padding, LinkPadding: opts.LinkPadding, Library: pairproof.Shapes(opts.Cache)}
	r, err := pairproof.None(robot, o)
	if err != nil {
		return nil, err
	}
	for boxes := 2; boxes <= 200_000 && ctx.Err() == nil; boxes *= 10 {
		known := r
		o.Boxes, o.Known = boxes, &known
		next, err := pairproof.All(ctx, robot, o)
		if err != nil {
			return nil, err
		}
		if next.Pairs = pairproof.Merge(known.Pairs, next.Pairs); next.Count(pairproof.Undecided) == 0 && ctx.Err() == nil {
			return &next, nil
		}
		r = next
	}
	return &r, nil
}

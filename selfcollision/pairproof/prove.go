package pairproof

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Prove decides what it can about all pairs of the robot's links within a time, easy
// pairs first: it repeats All with more and more boxes for what is left. opt.Boxes,
// opt.Deadline and opt.Known are not used. Pairs that the time does not suffice for are
// Undecided. Errors are those of All.
func Prove(ctx context.Context, robot *urdf.Robot, opt Options, within time.Duration) (*Report, error) {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	opt.Boxes, opt.Deadline, opt.Known = 0, 0, nil
	if opt.Shapes == nil {
		opt.Shapes = NewShapes("", nil) // compile each shape once, not once per round
	}
	r, err := None(robot, opt)
	if err != nil {
		return nil, err
	}
	for boxes := 2; boxes <= 200_000 && ctx.Err() == nil; boxes *= 10 {
		known := r
		opt.Boxes, opt.Known = boxes, &known
		next, err := All(ctx, robot, opt)
		if err != nil {
			return nil, err
		}
		if next.Pairs = Merge(known.Pairs, next.Pairs); next.Count(Undecided) == 0 && ctx.Err() == nil {
			return &next, nil
		}
		r = next
	}
	return &r, nil
}

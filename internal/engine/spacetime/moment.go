package spacetime

import (
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// MeasureAt answers a distance query where the bound motion is at the time t (s) of a
// piece. It fails where the context ends it early, and on numbers too large to compute
// with.
func (w *Worker) MeasureAt(ctx context.Context, b *kin.Course, piece int, t float64, s *distance.Scope, out *motion.Distances) error {
	p := &b.Motion.Pieces[piece]
	w.at.Stray(nil)
	if !w.at.Load(b, piece) {
		return errors.New(tooLarge)
	}
	c := min(max((t-p.Start)/(p.End-p.Start), 0), 1)
	w.at.Place(c, c, c)
	return w.MeasureHere(ctx, s, out)
}

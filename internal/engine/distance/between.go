package distance

import (
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Between bounds the distance of two bodies at a configuration, one position per
// variable of the tree; pairs are those of their elements, as indices of the
// model's Pairs. The bounds are within the part rel of each other. Nothing farther
// apart than limit is looked for: where the bodies are, the upper bound is +Inf and there are no points. It is 0 to 0 where they
// have a point in common, and 0 to +Inf where one may be inside the other and that
// could not be told.
func (w *Searcher) Between(state []float64, pairs []int32, limit, rel float64) motion.PairDistance {
	w.begin(context.Background(), state, true)
	out := motion.PairDistance{Bounds: motion.Interval{Lo: math.Inf(1), Hi: math.Inf(1)}}
	out.Distance = math.Inf(1)
	for _, i := range pairs {
		lower, t := w.between(i, min(limit, out.Distance), 0, rel)
		if t.Distance < out.Distance {
			lowest := out.Bounds.Lo
			out = motion.PairDistance{Witness: w.witnessOf(&t)}
			out.Bounds = motion.Interval{Lo: lowest, Hi: t.Distance}
		}
		out.Bounds.Lo = min(out.Bounds.Lo, lower)
		if out.Distance == 0 {
			break
		}
	}
	out.Bounds.Lo = min(out.Bounds.Lo, out.Bounds.Hi)
	return out
}

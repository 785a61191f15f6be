package catch

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// ZRLK07, section 6, equation 10: how fast a link moves along a direction, as a sum over
// the joints of its chain. It costs a tenth of the Taylor models' bound (motionbound.go)
// and prunes most volumes, so it is asked first.
//
// Departures, besides those that motionbound.go tells: each joint turns all that hangs on
// it, so its part is its own rate times the largest distance of the volume's points from
// its axis, in place of sums of links' lengths; and the direction counts for every joint,
// not for the first alone, by its angle to the axis where the step starts.

// speed bounds how far any point whose local radii are given gets within the interval,
// per time since c, in the frame after the first `from` joints of the chain of frame f.
func (w *Worker) speed(f, from int, radii []float64) float64 {
	chain := w.m.Tree.Chain(f)
	var v float64
	for i := from; i < len(chain); i++ {
		v += radii[i] * w.state.Omega[chain[i]]
	}
	return v * inflate
}

// speedAlong bounds likewise how far along n, a unit vector of W fixed in that frame.
//
// Proof. Let the joints take their positions of the time t one after the other, from the
// tip to the root. Joint k then turns about the axis u that it has at c, as those before
// it have not moved yet, a point that is R from it at most, as those behind it are where
// they are at t; by no more than omega (t - c). Along n that is |n x u| R omega (t - c) at
// most, and |n.u| omega (t - c) where it slides. 16u cover the products and the lengths of
// n and u, which errs by ErrR.
func (w *Worker) speedAlong(f, from int, radii []float64, n geom.Vec) float64 {
	chain := w.m.Tree.Chain(f)
	st := w.state
	var v float64
	for i := from; i < len(chain); i++ {
		k := chain[i]
		if st.Omega[k] == 0 {
			continue
		}
		seen := 16*u + st.ErrR[k]
		if w.m.Tree.Frames[k].Prismatic {
			seen += math.Abs(r3.Dot(n, st.AxisW[k]))
		} else {
			seen += geom.Norm(r3.Cross(n, st.AxisW[k]))
		}
		v += min(1, seen) * radii[i] * st.Omega[k]
	}
	return v * inflate
}

// inflate covers the roundings of such sums: at most 8 a joint, of 256.
const inflate = 1 + 0x1p-40

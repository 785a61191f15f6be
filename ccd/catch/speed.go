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
// not for the first alone: the sine of its angle to the axis, and by how much the axis may
// have turned on the stretch.

// speed bounds |v| of every point whose local radii are given, on the stretch, in the
// frame after the first `from` joints of the chain of frame f.
func (w *Worker) speed(f, from int, radii []float64) float64 {
	chain := w.m.Tree.Chain(f)
	var v float64
	for i := from; i < len(chain); i++ {
		v += radii[i] * w.state.Omega[chain[i]]
	}
	return v * inflate
}

// speedAlong bounds |n.v| likewise, for a unit vector n of W that is fixed in that frame.
//
// The point at the distance R from the axis u of a revolute joint is moved by omega u x R,
// of which n sees no more than omega |n x u| R; a sliding joint moves it by |n.u|. Since
// the robot stood at c the joints before it have turned u by no more than the sum of their
// deltas. 16u cover the products and the lengths of n and u.
func (w *Worker) speedAlong(f, from int, radii []float64, n geom.Vec) float64 {
	chain := w.m.Tree.Chain(f)
	st := w.state
	var v, turn float64
	for i := from; i < len(chain); i++ {
		k := chain[i]
		if st.Omega[k] == 0 {
			continue
		}
		slack := turn + 16*u + st.ErrR[k]
		if w.m.Tree.Frames[k].Prismatic {
			v += min(1, math.Abs(r3.Dot(n, st.AxisW[k]))+slack) * st.Omega[k]
			continue
		}
		v += min(1, geom.Norm(r3.Cross(n, st.AxisW[k]))+slack) * radii[i] * st.Omega[k]
		turn += st.Delta[k]
	}
	return v * inflate
}

// inflate covers the roundings of such sums: at most 8 a joint, of 256.
const inflate = 1 + 0x1p-40

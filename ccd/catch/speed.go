package catch

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

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

// speedAlong bounds |n.v| likewise.
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

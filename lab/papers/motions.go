package papers

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// shapes are those of the model's elements.
func (w *work) shapes() []*shape.Shape {
	out := make([]*shape.Shape, w.model.Real)
	for i := range w.model.Bodies {
		b := &w.model.Bodies[i]
		for k, e := range b.Elements {
			if b.Kind == motion.RobotLink {
				out[e] = w.robot.Links[b.Link].Collisions[k].Shape
				continue
			}
			for j := range w.world.Objects {
				if o := &w.world.Objects[j]; o.ID == b.Name {
					out[e] = o.Shape
				}
			}
		}
	}
	return out
}

// along places the robot at n + 1 times of a motion of one piece.
func (w *work) along(course *kin.Course, n int, each func(k int, st *kin.State)) {
	tree := w.model.Tree
	st := kin.NewState(tree)
	st.Root = course.Root(0)
	curves := make([]kin.Curve, len(tree.Dofs))
	course.Load(0, curves, make([]float64, len(curves)*kin.CurveSize(kin.MaxDegree+1)))
	around := make([]kin.Around, len(curves))
	for k := range n + 1 {
		t := float64(k) / float64(n)
		for d := range curves {
			around[d] = curves[d].Around(t, t, t)
		}
		st.Set(around)
		each(k, st)
	}
}

// steps are how far a point of a frame goes between each two of n + 1 times: the longest
// and the sum, which is no more than the length of its curve.
func (w *work) steps(course *kin.Course, frame int, point geom.Vec, n int) (longest, sum float64) {
	var before geom.Vec
	w.along(course, n, func(k int, st *kin.State) {
		p := st.PoseWF[frame].Apply(point)
		if k > 0 {
			d := geom.Norm(geom.Vec{X: p.X - before.X, Y: p.Y - before.Y, Z: p.Z - before.Z})
			longest, sum = max(longest, d), sum+d
		}
		before = p
	})
	return longest, sum
}

// tip is the point of the deepest link that is farthest from its joint, and its frame.
func (w *work) tip() (geom.Vec, int) {
	shapes := w.shapes()
	best, depth := 0, 0
	for i := range shapes {
		if d := len(w.model.Tree.Chain(w.model.Elements[i].Frame)); d > depth {
			best, depth = i, d
		}
	}
	e := &w.model.Elements[best]
	var tip geom.Vec
	for _, v := range shapes[best].Mesh.Vertices {
		if p := e.PoseFE.Apply(v); geom.Norm(p) > geom.Norm(tip) {
			tip = p
		}
	}
	return tip, e.Frame
}

// length is that of a straight motion in joint space, Euclidean.
func length(m *motion.Motion) float64 {
	from, to := m.At(0), m.At(m.Duration())
	sum := 0.0
	for i := range from {
		sum = math.Hypot(sum, to[i]-from[i])
	}
	return sum
}

package papers

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/catch"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// taylorAgainstIntervals is ZRLK07, Figure 5: how large the boxes around links that move
// are, by the links' depth, measured by the boxes around many of their poses.
func taylorAgainstIntervals(b *Bench) (*Result, error) {
	row := &catchRows[6]
	w, motions, err := row.get(b)
	if err != nil {
		return nil, err
	}
	motions = motions[:min(len(motions), b.pick(2, 20))]
	byDepth := map[int]*tightness{}
	for _, m := range motions {
		if err := w.tightness(m, byDepth); err != nil {
			return nil, err
		}
	}
	t := Table{
		Title: "By how much the sum of a box's sides is larger than that of the box around 65 poses, means of all links of a depth",
		Head:  []string{"joints before the link", "links", "Taylor models, %", "interval arithmetic, %", "size by intervals by that by Taylor"},
	}
	chart := Chart{Name: "zrlk07-figure5", Title: "Boxes of links that move, by depth", X: "joints before the link", Y: "larger than sampled poses by, %", LogY: true, Series: []Series{{Name: "Taylor models"}, {Name: "interval arithmetic"}}}
	var first, last *tightness
	for depth := range 200 {
		x := byDepth[depth]
		if x == nil {
			continue
		}
		n := float64(x.n)
		t.add(depth, x.n/len(motions), 100*(x.taylor/n-1), 100*(x.intervals/n-1), x.intervals/x.taylor)
		for i, y := range []float64{100 * (x.taylor/n - 1), 100 * (x.intervals/n - 1)} {
			s := &chart.Series[i]
			s.X, s.Y = append(s.X, float64(depth)), append(s.Y, y)
		}
		if first == nil {
			first = x
		}
		last = x
	}
	if first == nil {
		return nil, fmt.Errorf("workload %s has no links that move", row.workload)
	}
	ratio := func(x *tightness) float64 { return x.intervals / x.taylor }
	return &Result{
		Setup: []string{w.sized(), fmt.Sprintf("%d motions of the trains.", len(motions))}, Tables: []Table{t}, Charts: []Chart{chart},
		Values: values{"first": ratio(first), "last": ratio(last)},
	}, nil
}

// tightness sums the sizes of boxes.
type tightness struct {
	taylor, intervals float64
	n                 int
}

// tightness measures the boxes of every link that a motion moves.
func (w *generated) tightness(m *motion.Motion, byDepth map[int]*tightness) error {
	course, err := kin.Bind(w.model.Tree, m, w.state)
	if err != nil {
		return err
	}
	boxes := catch.NewLinkBoxes(w.model)
	bvh := catch.NewTaylorBVH(w.model, boxes)
	bvh.Load(course, 0)
	sampled := w.sampledBoxes(course, boxes)
	for i := range w.model.Elements[:w.model.Real] {
		e := &w.model.Elements[i]
		depth := len(w.model.Tree.Chain(e.Frame))
		size := sides(sampled[i])
		if depth == 0 || !(size > 0) {
			continue
		}
		x := byDepth[depth]
		if x == nil {
			x = &tightness{}
			byDepth[depth] = x
		}
		bvh.Intervals = false
		x.taylor += sides(bvh.AABB(i, 0, 1)) / size
		bvh.Intervals = true
		x.intervals += sides(bvh.AABB(i, 0, 1)) / size
		x.n++
	}
	return nil
}

// overlapping counts the pairs that are asked about whose boxes by interval arithmetic
// overlap: what spatial culling would leave without Taylor models.
func (w *generated) overlapping(m *motion.Motion) (int, error) {
	course, err := kin.Bind(w.model.Tree, m, w.state)
	if err != nil {
		return 0, err
	}
	bvh := catch.NewTaylorBVH(w.model, catch.NewLinkBoxes(w.model))
	bvh.Intervals = true
	bvh.Load(course, 0)
	boxes := make([]geom.Box, w.model.Real)
	for i := range boxes {
		boxes[i] = bvh.AABB(i, 0, 1)
	}
	n := 0
	for i := range w.model.Pairs {
		p := &w.model.Pairs[i]
		if p.World && w.of.Ask.NoWorld || !p.World && w.of.Ask.NoSelf {
			continue
		}
		if overlap(&boxes[p.A], &boxes[p.B]) {
			n++
		}
	}
	return n, nil
}

func overlap(a, b *geom.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// sampledBoxes are boxes around the corners of links' oriented boxes at 65 times.
func (w *generated) sampledBoxes(course *kin.Course, boxes catch.LinkBoxes) []geom.Box {
	const samples = 64
	out := make([]geom.Box, w.model.Real)
	inf := math.Inf(1)
	for i := range out {
		out[i] = geom.Box{Min: geom.Vec{X: inf, Y: inf, Z: inf}, Max: geom.Vec{X: -inf, Y: -inf, Z: -inf}}
	}
	w.along(course, samples, func(_ int, st *kin.State) {
		for i := range out {
			hold(&out[i], &boxes[i], &st.PoseWF[boxes[i].Frame])
		}
	})
	return out
}

// hold grows a box until it holds the corners of an oriented one at a pose.
func hold(b *geom.Box, o *catch.OBB, pose *geom.Pose) {
	for k := range 8 {
		p := o.Center
		for i, axis := range o.Axes {
			sign := float64(2*(k>>i&1) - 1)
			p = geom.Vec{X: p.X + sign*axis.X, Y: p.Y + sign*axis.Y, Z: p.Z + sign*axis.Z}
		}
		p = pose.Apply(p)
		b.Min = geom.Vec{X: min(b.Min.X, p.X-o.Radius), Y: min(b.Min.Y, p.Y-o.Radius), Z: min(b.Min.Z, p.Z-o.Radius)}
		b.Max = geom.Vec{X: max(b.Max.X, p.X+o.Radius), Y: max(b.Max.Y, p.Y+o.Radius), Z: max(b.Max.Z, p.Z+o.Radius)}
	}
}

// sides is the sum of a box's sides.
func sides(b geom.Box) float64 {
	return b.Max.X - b.Min.X + b.Max.Y - b.Min.Y + b.Max.Z - b.Min.Z
}

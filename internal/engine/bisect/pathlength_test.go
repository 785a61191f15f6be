package bisect

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/rsstree"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// No point of a link traces a longer curve than what is said, on any interval, relative
// to any other link; most bounds are within a small factor.
func TestPathLengthsBoundCurves(t *testing.T) {
	h := NewHistogram(0.5, 20)
	tight := 0
	for i := range uint64(rounds(60)) {
		r, _ := random(t, 41, i)
		d := newDice(42, i)
		for k := range r.m.Pairs {
			p := &r.m.Pairs[k]
			for _, e := range []int{p.A, p.B} {
				got, err := r.w.PathLength(r.course, 0, k, e, d.Unit(), 100)
				if err != nil {
					t.Fatal(err)
				}
				if got.Length > got.Lambda*(1+1e-12)+1e-13 {
					t.Fatalf("case %d, pair %d: a curve of %.12g, bound %.12g", i, k, got.Length, got.Lambda)
				}
				if got.Length > 1e-6 {
					h.Add(got.Ratio())
				}
				if got.Length > 1e-6 && got.Ratio() < 1.02 {
					tight++
				}
			}
		}
	}
	t.Logf("%d ratios: %.2f below 5, %.2f below 15; %d tight", h.N, h.Within(5), h.Within(15), tight)
	if h.N < 100 || h.Within(5) < 0.6 || tight == 0 {
		t.Errorf("bounds are loose: %+v", h)
	}
	r, _ := random(t, 41, 1)
	if _, err := r.w.PathLength(r.course, 0, 0, -1, geom.Vec{X: 1}, 10); err == nil {
		t.Error("an element that is none has a path")
	}
}

// The volumes' bounds of the refined checker hold for the points below them.
func TestVolumesPathLengths(t *testing.T) {
	below := 0
	for i := range uint64(rounds(40)) {
		r, _ := random(t, 43, i)
		d := newDice(44, i)
		w := r.w
		s := w.newSegment(r.course, 0, false)
		w.load(s)
		for k := range r.m.Pairs {
			p := &r.m.Pairs[k]
			o, e := &w.p.objects[p.A], &r.m.Elements[p.A]
			node := int32(d.IntN(len(o.tree.Nodes)))
			n := &o.tree.Nodes[node]
			x := e.PoseFE.Apply(pointBelow(d, e, o.tree, n))
			lo := d.In(0, 0.9)
			hi := d.In(lo, 1)
			joint := w.lengthsOn(s, lo, hi)
			lambda := w.lambdaOfVolume(p.A, node, p, joint)
			if whole := w.lambdaOf(p.A, p, joint); lambda < 0.99*whole {
				below++
			}
			length, last := 0.0, geom.Vec{}
			for j := range 51 {
				c := w.config(s, lo+(hi-lo)*float64(j)/50)
				at := w.frameOf(c, p.Base).ApplyInv(w.frameOf(c, e.Frame).Apply(x))
				if j > 0 {
					length += geom.Norm(r3.Sub(at, last))
				}
				last = at
			}
			if length > lambda*(1+1e-12)+1e-13 {
				t.Fatalf("case %d, pair %d: a curve of %.12g, bound %.12g", i, k, length, lambda)
			}
		}
	}
	if below < 20 && !race.Enabled {
		t.Errorf("only %d bounds of volumes are below their link's", below)
	}
}

// Lengths belong to their interval and no other.
func TestLengthsBelongToAnInterval(t *testing.T) {
	m := &motion.Motion{Joints: []string{"turn"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0, 0, 3}}}}}
	r := newRig(t, arm(1, 0.5), &scene.Snapshot{Objects: []scene.Object{{ID: "pin", Shape: &shape.Shape{Kind: shape.Sphere, Radius: 1}, PoseWS: geom.IdentityPose()}}}, 0, m)
	s := r.w.newSegment(r.course, 0, false)
	r.w.load(s)
	// The position is 3 t², and the ball's far side 1.5 from the axis.
	for _, c := range [][3]float64{{0, 0.5, 0.75}, {0, 1, 3}, {0.5, 1, 2.25}, {0.5, 0.75, 3 * (0.5625 - 0.25)}, {0, 1, 3}} {
		if got, want := r.w.lambda(s, 0, c[0], c[1]), 1.5*c[2]; got < want || got > want*(1+1e-9) {
			t.Errorf("on [%g, %g]: %.12g, want %g", c[0], c[1], got, want)
		}
	}
}

// pointBelow is a point of the shape, radius left out, that is below a node: the volumes
// themselves may stick out of what they hold.
func pointBelow(d enginetest.Dice, e *model.Element, tree *rsstree.Tree, n *rsstree.Node) geom.Vec {
	l := e.Leaves
	if l == nil {
		return e.Core.Support(d.Unit())
	}
	piece := tree.Order[n.First+int32(d.IntN(int(n.Count)))]
	if l.Mesh != nil {
		return l.Mesh.Vertices[l.Mesh.Triangles[piece][d.IntN(3)]]
	}
	return l.Within(piece)
}

// arm is a link of the given length that turns about z, with a ball at its tip.
func arm(length, radius float64) *urdf.Robot {
	return &urdf.Robot{
		Name: "arm", Links: []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "tip", ParentJoint: 0, Collisions: []urdf.Collision{
			{PoseLS: geom.Translation(geom.Vec{X: length}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: radius}},
		}}},
		Joints: []urdf.Joint{{Name: "turn", Type: urdf.Revolute, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}, Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10}}},
	}
}

// Inequality (1) wants path length. Each literal rule with something else in its place
// calls a motion free that goes through an obstacle; with lengths the obstacle is found.
func TestInequalityNeedsPathLength(t *testing.T) {
	const length, radius = 1, 0.01
	chord := func(ctrl []float64) float64 {
		delta := 0.0
		for _, q := range ctrl {
			delta = math.Max(delta, math.Abs(q-ctrl[0]))
		}
		return 2 * (length + radius) * math.Sin(math.Min(delta, math.Pi)/2)
	}
	difference := func(ctrl []float64) float64 {
		return (length + radius) * math.Abs(ctrl[len(ctrl)-1]-ctrl[0])
	}
	for _, c := range []struct {
		name    string
		ctrl    []float64
		literal func(ctrl []float64) float64
		at      float64 // where the obstacle is, as an angle
	}{
		{"chords", []float64{0, math.Pi}, chord, math.Pi / 2},
		{"chords of a whole turn", []float64{0, 2 * math.Pi}, chord, math.Pi},
		{"differences, there and back", []float64{0, 2, 0}, difference, 1},
		{"differences, beyond and back", []float64{0, 3, 0, 0.5}, difference, 0.9},
	} {
		t.Run(c.name, func(t *testing.T) {
			world := &scene.Snapshot{Objects: []scene.Object{{
				ID: "pin", Shape: &shape.Shape{Kind: shape.Sphere, Radius: radius},
				PoseWS: geom.Translation(geom.Vec{X: math.Cos(c.at), Y: math.Sin(c.at)}),
			}}}
			m := &motion.Motion{Joints: []string{"turn"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{c.ctrl}}}, KeepTurns: true}
			r := newRig(t, arm(length, radius), world, 0, m)
			w := r.w
			w.ask(t.Context(), &motion.Query{})
			s := w.newSegment(r.course, 0, true)
			w.load(s)
			atA, _ := w.greedyDist(w.config(s, 0), 0, 0, 0)
			atB, _ := w.greedyDist(w.config(s, 1), 0, 0, 0)
			literal := element{lambda: c.literal(c.ctrl), atA: atA, atB: atB}
			if !literal.covered() {
				t.Fatalf("the literal rule is no counter-example: %g against %g + %g", literal.lambda, atA, atB)
			}
			ours := element{lambda: w.lambda(s, 0, 0, 1), atA: atA, atB: atB}
			if ours.covered() {
				t.Errorf("path length %g is covered by %g + %g", ours.lambda, atA, atB)
			}
			for _, q := range []motion.Question{motion.IsFree, motion.FirstContact} {
				if v := r.check(motion.Query{Question: q}); v.Status != motion.Contact {
					t.Errorf("%v: %+v", q, v)
				}
			}
		})
	}
}

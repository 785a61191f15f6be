package articulate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// This file keeps the paper's rules where they are mended, and shows what they miss.

// literal is section 5.2.3 as it is printed: at the threshold the validity of a root is
// checked once, in the middle of the interval, and what is not valid there is dropped.
func (w *Worker) literal(lo, hi float64, items []equation) (touches bool) {
	w.look(lo, hi)
	w.instant = w.span // of which valueAt then bounds the equations, and nothing else
	var active []equation
	for _, e := range items {
		if w.valueAt(&e).Contains(0) {
			active = append(active, e)
		}
	}
	if len(active) == 0 {
		return false
	}
	if hi-lo <= w.threshold {
		for k := range active {
			if w.validAt(&active[k], (lo+hi)/2) {
				return true
			}
		}
		return false
	}
	mid := (lo + hi) / 2
	return w.literal(lo, mid, active) || w.literal(mid, hi, active)
}

// validAt asks whether the vertex is inside the triangle at a time, or both lines meet
// on the edges: the vertex as seen along the normal, the lines where they are closest.
func (w *Worker) validAt(e *equation, at float64) bool {
	p := &w.active[e.pair]
	point := func(s *side, slot int32) geom.Vec {
		return w.poseW(s, at).Apply(s.part.faces.vertices[s.vertices.items[slot].id])
	}
	inside := func(x geom.Vec, s *side, face int32) bool {
		t := s.faces.items[face].ends
		q := [3]geom.Vec{point(s, t[0]), point(s, t[1]), point(s, t[2])}
		n := r3.Cross(r3.Sub(q[1], q[0]), r3.Sub(q[2], q[0]))
		for k := range q {
			if r3.Dot(r3.Cross(n, r3.Sub(q[next[k]], q[k])), r3.Sub(x, q[k])) < 0 {
				return false
			}
		}
		return true
	}
	switch e.kind {
	case vertexFace:
		return inside(point(p.a, e.a), p.b, e.b)
	case faceVertex:
		return inside(point(p.b, e.b), p.a, e.a)
	}
	x, y := p.a.edges.items[e.a].ends, p.b.edges.items[e.b].ends
	a, b, c, d := point(p.a, x[0]), point(p.a, x[1]), point(p.b, y[0]), point(p.b, y[1])
	n := r3.Cross(r3.Sub(b, a), r3.Sub(d, c))
	s := r3.Dot(r3.Cross(r3.Sub(c, a), r3.Sub(d, c)), n) / r3.Norm2(n)
	t := r3.Dot(r3.Cross(r3.Sub(c, a), r3.Sub(b, a)), n) / r3.Norm2(n)
	return s >= 0 && s <= 1 && t >= 0 && t <= 1
}

// pendulum is a blade that swings about y on a metre of arm, tip down: the tip touches
// the plane z = 0 when it hangs straight down, and the blade leans to -y from it.
func pendulum() *urdf.Robot {
	blade := &mesh.Mesh{
		Vertices:  []geom.Vec{{Z: -1}, {Y: -0.1, Z: -0.9}, {Y: -0.2, Z: -0.9}, {Z: -0.1}, {X: 0.1, Z: -0.1}, {Y: 0.1, Z: -0.1}},
		Triangles: [][3]int32{{0, 1, 2}, {3, 4, 5}},
	}
	return &urdf.Robot{
		Name:  "pendulum",
		Links: []urdf.Link{{Name: "l0", ParentJoint: -1}, {Name: "blade", Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: blade}}}}},
		Joints: []urdf.Joint{{
			Name: "j0", Type: urdf.Revolute, Parent: 0, Child: 1, Axis: geom.Vec{Y: -1}, PosePC: geom.Translation(geom.Vec{Z: 1}),
			Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		}},
	}
}

// floorPiece is a triangle of the floor with a corner at the given place, spreading to
// +y, and another triangle far away.
func floorPiece(corner geom.Vec) *scene.Snapshot {
	m := &mesh.Mesh{
		Vertices:  []geom.Vec{corner, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: 5}, {X: 5, Y: 1}, {X: 5, Z: 1}},
		Triangles: [][3]int32{{0, 1, 2}, {3, 4, 5}},
	}
	return &scene.Snapshot{Objects: []scene.Object{{ID: "floor", PoseWS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: m}}}}
}

// A tip that swings across the corner of a face touches it at one instant and no other.
// In the middle of the threshold's interval that holds the instant the tip is beside the
// face, and no two edges cross: the paper's check drops the contact, at any threshold.
// Ours finds it. Where the tip reaches the inside of a face, both do.
func TestLiteralValidityCheckDropsAContact(t *testing.T) {
	const touch = 2. / 3 // where the joint is at zero
	for _, c := range []struct {
		name   string
		corner geom.Vec
		kept   bool
	}{{"corner", geom.Vec{}, false}, {"inside", geom.Vec{Y: -0.5}, true}} {
		m := modelOf(t, pendulum(), floorPiece(c.corner))
		mo := &motion.Motion{Joints: []string{"j0"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{-0.2, 0.1}}}}}
		r := newTrial(t, m, mo)
		v := r.check(motion.Query{})
		if v.Status != motion.Contact || v.TOC.Lo > touch || v.TOC.Hi < touch-0.01 || v.TOC.Hi > touch+1e-5 {
			t.Errorf("%s: the touch at %.9f is told as %v, time of contact %v", c.name, touch, v.Status, v.TOC)
		}
		if ref := r.reference(motion.Query{}); ref.Status != motion.Contact {
			t.Errorf("%s: the default engine says %v", c.name, ref.Status)
		}
		w, p, q := r.w, &m.Pairs[0], motion.Query{}
		w.load(0, &q)
		w.active = append(w.active[:0], activePair{pair: 0, a: w.sideFor(p.A, 0), b: w.sideFor(p.B, 0)})
		w.items = w.items[:0]
		w.equations(0, 0, 0, interval.I{Hi: 1})
		if len(w.items) != 15 {
			t.Fatalf("%d equations for two triangles", len(w.items))
		}
		for k := 16; k <= 22; k++ {
			w.threshold = math.Ldexp(1, -k)
			if got := w.literal(0, 1, slices.Clone(w.items)); got != c.kept {
				t.Errorf("%s, threshold 2^-%d: the literal rule finds a contact: %v", c.name, k, got)
			}
		}
	}
}

// Surfaces alone miss what is inside: a ball within the wall of a closed mesh touches no
// triangle all along.
func TestSurfacesMissContainment(t *testing.T) {
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.01}
	wall := &shape.Shape{Kind: shape.Mesh, Mesh: prism([]geom.Vec{{}, {X: 3}, {X: 3, Y: 1}, {X: 1, Y: 1}, {X: 1, Y: 3}, {Y: 3}}, 0.5)}
	world := &scene.Snapshot{Objects: []scene.Object{{ID: "wall", PoseWS: geom.IdentityPose(), Shape: wall}}}
	for _, c := range []struct {
		name   string
		at     geom.Vec
		status motion.Status
	}{
		{"inside", geom.Vec{X: 0.5, Y: 0.5}, motion.Contact},
		{"beside", geom.Vec{X: 2, Y: 2}, motion.Free},
		{"above", geom.Vec{X: 0.5, Y: 0.5, Z: 0.6}, motion.Free},
	} {
		robot := arm(1, ball)
		robot.Joints[0].PosePC = geom.Translation(c.at)
		robot.Links[1].Collisions[0].PoseLS = geom.Translation(geom.Vec{X: 0.05})
		r := newTrial(t, modelOf(t, robot, world), turning([]string{"j0"}, 1))
		if v := r.check(motion.Query{}); v.Status != c.status {
			t.Errorf("a ball %s the wall: %v, want %v", c.name, v.Status, c.status)
		}
		// The stages and equations alone.
		q := motion.Query{}
		r.w.load(0, &q)
		if o := r.w.run(0, 1, r.w.pairs); o != proven {
			t.Errorf("a ball %s the wall touches a surface: outcome %d", c.name, o)
		}
	}
}

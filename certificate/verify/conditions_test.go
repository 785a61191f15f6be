package verify

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// step is a joint of a chain and what it does: control points on one piece.
type step struct {
	kind  urdf.JointType
	at    geom.Vec // in the frame before it
	axis  geom.Vec
	ctrl  []float64
	tube  float64
	stray float64
}

// chainOf is a robot of these joints with a small ball at tip in the last frame,
// and a marker far away along n.
func chainOf(t *testing.T, tip, n geom.Vec, steps ...step) (v *verifier, stray map[string]float64) {
	t.Helper()
	r := &urdf.Robot{Name: "chain", Semantic: &urdf.Semantic{}, Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	m := &motion.Motion{Pieces: []motion.Piece{{Start: 0, End: 1}}}
	stray = map[string]float64{}
	tubes := map[string]float64{}
	for i, s := range steps {
		name := string(rune('a' + i))
		r.Links = append(r.Links, urdf.Link{Name: "l" + name, ParentJoint: i})
		r.Joints = append(r.Joints, urdf.Joint{Name: name, Type: s.kind, Parent: i, Child: i + 1, PosePC: geom.Translation(s.at), Axis: s.axis})
		m.Joints = append(m.Joints, name)
		m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, s.ctrl)
		stray[name], tubes[name] = s.stray, s.tube
	}
	r.Links[len(steps)].Collisions = []urdf.Collision{{PoseLS: geom.Translation(tip), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.001}}}
	world, err := scene.New("", scene.Object{ID: "far", PoseWS: geom.Translation(times(10, n)), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.001}})
	if err != nil {
		t.Fatal(err)
	}
	v = rigged(t, r, world, m)
	v.treeOf, v.tubes = -1, tubes
	return v, stray
}

// Chains at which single terms of the rules are all that keeps them true; none may
// prove more than there is, nor much less.
func TestTermsOfTheRules(t *testing.T) {
	x, y, z := geom.Vec{X: 1}, geom.Vec{Y: 1}, geom.Vec{Z: 1}
	turn, slide := urdf.Revolute, urdf.Prismatic
	for _, c := range []struct {
		name  string
		tip   geom.Vec
		n     geom.Vec
		steps []step
		close float64 // the bound is this close to the truth
	}{
		{"two turns about one axis add up before they are squared", times(-1, y), y, []step{
			{kind: turn, axis: z, ctrl: []float64{-0.1, 0.1}}, {kind: turn, axis: z, ctrl: []float64{-0.1, 0.1}},
		}, 1e-3},
		{"sliding along what turns (Coriolis)", geom.Vec{}, y, []step{
			{kind: turn, axis: z, ctrl: []float64{-0.1, 0.1}}, {kind: slide, axis: x, ctrl: []float64{-0.3, 0.3}},
		}, 1e-2},
		{"an axis along n leaves it when the joint before it turns", times(-1, y), z, []step{
			{kind: turn, axis: x, ctrl: []float64{-0.6, 0.6}}, {kind: turn, axis: z, ctrl: []float64{3, -3, 3}},
		}, 100},
		{"a joint strays with what deeper joints have moved away from its axis", times(-1, x), y, []step{
			{kind: turn, axis: z, ctrl: []float64{0}, tube: 0.3, stray: 0.3}, {kind: turn, at: x, axis: y, ctrl: []float64{1.2, -1.2}},
		}, 100},
		{"the other way", times(-1, x), y, []step{
			{kind: turn, axis: z, ctrl: []float64{0}, tube: 0.3, stray: -0.3}, {kind: turn, at: x, axis: y, ctrl: []float64{1.2, -1.2}},
		}, 100},
		{"a pair of joints strays together", geom.Vec{X: 1}, y, []step{
			{kind: turn, axis: z, ctrl: []float64{0}, tube: 0.3, stray: 0.3}, {kind: turn, axis: z, ctrl: []float64{0}, tube: 0.3, stray: 0.3},
		}, 0.05},
		{"sliding straight on", geom.Vec{}, x, []step{{kind: slide, axis: x, ctrl: []float64{-0.3, 0.3}}}, 1e-12},
		{"sliding there and back", geom.Vec{}, x, []step{{kind: slide, axis: x, ctrl: []float64{-0.5, 0.5, -0.5}}}, 1},
		{"sliding at an acceleration", geom.Vec{}, x, []step{{kind: slide, axis: x, ctrl: []float64{0, -0.5, 0}}}, 0.6},
	} {
		v, stray := chainOf(t, c.tip, c.n, c.steps...)
		at := certificate.At{Lo: 0, Hi: 1}
		m, err := v.momentAt(at)
		if err != nil {
			t.Fatal(err)
		}
		a, b := certificate.Part{Body: 0, Count: 1}, certificate.Part{Body: 1, Count: 1}
		sa, _ := m.newSide(a, nil)
		sb, _ := m.newSide(b, nil)
		have, truth := proven(m, sa, sb, c.n), sampled(v, a, b, c.n, at, stray)
		if have > truth+1e-12 {
			t.Errorf("%s: proved %.9f, but the gap is %.9f", c.name, have, truth)
		}
		if have < truth-c.close {
			t.Errorf("%s: proved only %.9f of a gap of %.9f", c.name, have, truth)
		}
	}
}

// A planar joint's plane is that of x and y turned the shortest way to its normal.
func TestPlanarAxes(t *testing.T) {
	for _, n := range []geom.Vec{{Z: 1}, {Z: -1}, {X: 1}, {Y: -1}, {X: 0.6, Y: 0, Z: -0.8}, {X: 0.48, Y: -0.64, Z: 0.6}, {X: 1e-9, Z: -1}} {
		r := &urdf.Robot{Links: []urdf.Link{{Name: "a", ParentJoint: -1}, {Name: "b"}}, Joints: []urdf.Joint{{Name: "j", Type: urdf.Planar, Child: 1, PosePC: geom.IdentityPose(), Axis: n}}}
		tree, err := newTree(r, nil, interval{})
		if err != nil {
			t.Fatal(err)
		}
		// The axis of the shortest turn is z x n; about x for -z.
		axis, angle := cross(geom.Vec{Z: 1}, n), math.Acos(n.Z)
		if l := math.Hypot(axis.X, axis.Y); l > 0 {
			axis = times(1/l, axis)
			angle = math.Atan2(l, n.Z)
		} else {
			axis = geom.Vec{X: 1}
		}
		turn := geom.AxisAngle(axis, angle)
		for i, want := range []geom.Vec{turn.Apply(geom.Vec{X: 1}), turn.Apply(geom.Vec{Y: 1}), n} {
			if got := tree.joints[i].axis; length(minus(got, want)) > 1e-12 {
				t.Errorf("normal %v: axis %d is %v, want %v", n, i, got, want)
			}
		}
	}
}

// Every kind of shape reaches as far as it does, and its padding as much farther,
// that of links as that of objects; along any direction that closed forms know.
func TestShapesReachAsFarAsTheyDo(t *testing.T) {
	tetra := meshOf(&mesh.Mesh{Vertices: []geom.Vec{{X: 0.1}, {X: -0.1, Y: 0.1}, {X: -0.1, Y: -0.1}, {Z: 0.1}}, Triangles: [][3]int32{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}})
	x, z, xz := geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 0.6, Z: 0.8}
	for _, c := range []struct {
		s     *shape.Shape
		n     geom.Vec
		reach float64
	}{
		{box(0.2, 0.4, 0.6), x, 0.1},
		{box(0.2, 0.4, 0.6), xz, 0.06 + 0.24},
		{&shape.Shape{Kind: shape.Sphere, Radius: 0.15}, xz, 0.15},
		{&shape.Shape{Kind: shape.Capsule, Radius: 0.05, Length: 0.4}, x, 0.05},
		{&shape.Shape{Kind: shape.Capsule, Radius: 0.05, Length: 0.4}, xz, 0.05 + 0.16},
		{&shape.Shape{Kind: shape.Cylinder, Radius: 0.05, Length: 0.4}, x, 0.05},
		{&shape.Shape{Kind: shape.Cylinder, Radius: 0.05, Length: 0.4}, xz, 0.03 + 0.16},
		{&shape.Shape{Kind: shape.Cone, Radius: 0.05, Length: 0.4}, x, 0.05},
		{&shape.Shape{Kind: shape.Cone, Radius: 0.05, Length: 0.4}, z, 0.2},
		{&shape.Shape{Kind: shape.Cone, Radius: 0.05, Length: 0.4}, times(-1, xz), 0.03 + 0.16},
		{tetra, x, 0.1},
		{tetra, xz, 0.08},
		{&shape.Shape{Kind: shape.Points, Radius: 0.01, Points: []geom.Vec{{X: 0.2}, {Z: 0.1}}}, x, 0.21},
		{&shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}}, {Min: geom.Vec{X: -0.3}, Max: geom.Vec{X: -0.2, Y: 0.1, Z: 0.1}}}}, times(-1, x), 0.3},
	} {
		for _, pad := range []float64{0, 0.02} {
			for _, swap := range []bool{false, true} {
				body, obstacle := c.s, &shape.Shape{Kind: shape.Sphere, Radius: 0.1}
				away := times(2, c.n)
				if swap {
					body, obstacle = obstacle, body
					away = times(-1, away)
				}
				p := slider(t, body, obstacle)
				p.world.Objects[0].PoseWS, p.world.Objects[0].Padding = geom.Translation(away), pad
				p.header.Padding = []certificate.Named{{Name: "body", Value: 0.5 * pad}}
				p.setup(true)
				m, err := p.v.momentAt(certificate.At{})
				if err != nil {
					t.Fatal(err)
				}
				n, want := c.n, 2-c.reach-0.1-1.5*pad
				if swap {
					n = times(-1, n)
				}
				var sides [4]*side
				for i, q := range []certificate.Part{{Body: 0}, {Body: 1}} {
					sides[i], _ = m.newSide(q, nil)
					sides[i+2], _ = m.newSide(q, &geom.Vec{})
				}
				if got := proven(m, sides[0], sides[1], n); got > want+1e-12 || got < want-1e-9 {
					t.Errorf("%v along %v, padded by %g, swapped %v: %.12f apart, want %.12f", c.s.Kind, n, pad, swap, got, want)
				}
				if got := proven(m, sides[2], sides[3], n); got > want+1e-12 {
					t.Errorf("%v along %v as a ball, padded by %g, swapped %v: %.12f apart, of %.12f", c.s.Kind, n, pad, swap, got, want)
				}
			}
		}
	}
}

package verify

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// jumper is a point on an arm of the given length in front of a closed cube's face at x
// = 0; at the seam it jumps through that face, from gap in front of it to gap behind,
// by the root link's way or, with turn, by its turning alone.
func jumper(t *testing.T, arm, gap float64, turn bool) *prover {
	t.Helper()
	r := &urdf.Robot{
		Name: "jumper", Semantic: &urdf.Semantic{},
		Links: []urdf.Link{
			{Name: "root", ParentJoint: -1},
			{Name: "tip", ParentJoint: 0, Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Points, Points: []geom.Vec{{}}}}}},
		},
		Joints: []urdf.Joint{{Name: "slide", Type: urdf.Prismatic, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Y: 1}}},
	}
	w, err := scene.New("", scene.Object{ID: "cube", PoseWS: geom.Translation(geom.Vec{X: 0.5}), Shape: meshOf(boxMesh(geom.Vec{X: 0.5, Y: 0.5, Z: 0.5}))})
	if err != nil {
		t.Fatal(err)
	}
	before := geom.Pose{R: geom.RPY(0, 0, 0), P: geom.Vec{X: -gap, Y: -arm}}
	after := before
	if turn {
		after.R = geom.AxisAngle(geom.Vec{Z: 1}, -2*gap/arm)
	} else {
		after.P.X = gap
	}
	m := &motion.Motion{
		Joints: []string{"slide"},
		Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{arm}}}, {Start: 1, End: 2, Ctrl: [][]float64{{arm}}}},
		Root: []motion.RootPiece{
			{Start: before, Point: before.P},
			{Start: after, Point: after.P, Velocity: geom.Vec{X: 0.4}},
		},
	}
	p := newProver(t, r, w, m)
	part := func(body, first, count int) certificate.Part {
		return certificate.Part{Body: body, First: first, Count: count}
	}
	p.lines = []line{{at: &certificate.At{Hi: 1}}, {item: &certificate.Item{A: part(0, 0, 1), B: part(1, 0, 12), HasNormal: true, Normal: geom.Vec{X: 1}}}, {at: &certificate.At{Piece: 1, Hi: 1}}}
	for face, n := range []geom.Vec{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}} {
		p.lines = append(p.lines, line{item: &certificate.Item{A: part(0, 0, 1), B: part(1, 2*face, 2), HasNormal: true, Normal: n}})
	}
	return p
}

// What jumps through a surface at a seam is not shown to be outside; what stays farther
// away than it jumps is.
func TestJumpsThroughSurfacesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name     string
		arm, gap float64
		turn     bool
	}{
		{"by its way", 0.2, 4e-10, false},
		{"by turning", 0.4, 1.5e-10, true},
	} {
		_, err := jumper(t, c.arm, c.gap, c.turn).verify()
		refusedBecause(t, c.name, err)
		// In front of the cube all along, a hundred jumps away.
		p := jumper(t, c.arm, c.gap, c.turn)
		p.world.Objects[0].PoseWS.P.X += 0.5 + 200*c.gap
		p.header.SceneSum = newProver(t, p.robot, p.world, p.motion).header.SceneSum
		p.lines = []line{{at: &certificate.At{Hi: 1}}, p.lines[1], {at: &certificate.At{Piece: 1, Hi: 1}}, p.lines[1]}
		if _, err := p.verify(); err != nil {
			t.Errorf("%s: in front: %v", c.name, err)
		}
	}
}

// A jump is found to rounding, and no smaller than it is.
func TestJumpsAreFound(t *testing.T) {
	p := jumper(t, 0.3, 4e-10, false)
	p.setup(true)
	if j := p.v.jumps[0]; math.Abs(j.origin-8e-10) > 1e-14 || j.turn > 1e-13 {
		t.Errorf("%+v", j)
	}
	p = jumper(t, 0.3, 1e-10, true)
	p.setup(true)
	if j := p.v.jumps[0]; j.origin > 1e-14 || math.Abs(j.turn-math.Sqrt2*2e-10/0.3) > 1e-13 {
		t.Errorf("%+v", j)
	}
	if got, want := p.v.bodies[0].jump, 0.3*math.Sqrt2*2e-10/0.3; got < want-1e-14 || got > want+1e-12 {
		t.Errorf("the tip jumps by %g, want %g", got, want)
	}
}

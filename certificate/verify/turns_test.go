package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func TestShortWay(t *testing.T) {
	for _, c := range []struct {
		from, to float64
		want     int
	}{
		{0, 1, 0},
		{3, -3, -1},
		{-3, 3, 1},
		{0, math.Pi, 0},
		{math.Pi, 0, 0},
		{-math.Pi, math.Pi, 1},
		{0, -math.Pi, 0},
		{0, math.Nextafter(math.Pi, 4), 1},
		{0, -math.Nextafter(math.Pi, 4), -1},
		{-0.8832500401439051, -4.0248426937336985, -1}, // in float64 by one ulp more than half a turn
		{0, 2 * math.Pi, 1},
		{0, 3 * math.Pi, 1},
		{3 * math.Pi, 0, -1},
		{1, 1 + 3*math.Pi, 1},
		{0, 9, 1},
		{0, 10, 2},
		{0, -10, -2},
		{0, 1e5, 15915},
		{0, -1e5, -15915},
	} {
		if got := shortWay(c.from, c.to); got != c.want {
			t.Errorf("from %v to %v: %d turns taken off, want %d", c.from, c.to, got, c.want)
		}
	}
}

// screw is a continuous joint s and a follower of the given kind on the base, which
// goes multiplier times as far; own is what the motion gives, turn by turn.
func screw(t *testing.T, kind urdf.JointType, multiplier float64, ctrl ...[]float64) *verifier {
	t.Helper()
	ball := urdf.Collision{PoseLS: geom.Translation(geom.Vec{X: 0.3}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.05}}
	r := &urdf.Robot{
		Name: "screw", Semantic: &urdf.Semantic{},
		Links: []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "spindle", ParentJoint: 0, Collisions: []urdf.Collision{ball}}, {Name: "nut", ParentJoint: 1, Collisions: []urdf.Collision{ball}}},
		Joints: []urdf.Joint{
			{Name: "s", Type: urdf.Continuous, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}},
			{Name: "n", Type: kind, Child: 2, PosePC: geom.Translation(geom.Vec{Y: 2}), Axis: geom.Vec{Z: 1}, Mimic: &urdf.Mimic{Joint: 0, Multiplier: multiplier}},
		},
	}
	m := &motion.Motion{Joints: []string{"s"}}
	for i, c := range ctrl {
		m.Pieces = append(m.Pieces, motion.Piece{Start: 10 * float64(i), End: 10 * float64(i+1), Ctrl: [][]float64{c}})
	}
	w, err := scene.New("", scene.Object{ID: "far", PoseWS: geom.Translation(geom.Vec{Z: 9}), Shape: ball.Shape})
	if err != nil {
		t.Fatal(err)
	}
	v := rigged(t, r, w, m)
	if err := v.course.check(v.tree); err != nil {
		t.Fatal(err)
	}
	return v
}

// At every waypoint all links are where the numbers given put them, whatever follows
// a joint and whatever turns are taken off.
func TestWaypointsAreMet(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 3))
	short, long := 0, 0
	for range 400 {
		kind := []urdf.JointType{urdf.Prismatic, urdf.Revolute, urdf.Continuous}[r.IntN(3)]
		multiplier := []float64{1, -2, 0.5, 0.25, 0.1, 1. / 3, -0.7, 0, 3}[r.IntN(9)]
		at := func() float64 { return 12 * r.NormFloat64() }
		a, b, c := at(), at(), at()
		pieces := [][]float64{{a, b}, {b, b + 1, b - 1, b + 0.5}, {b + 0.5, c}, {c, a}}
		v := screw(t, kind, multiplier, pieces...)
		for p, ctrl := range pieces {
			for end, s := range []float64{0, 1} {
				x := ctrl[end*(len(ctrl)-1)]
				m, err := v.momentAt(certificate.At{Piece: p, Lo: s, Hi: s})
				if err != nil {
					t.Fatal(err)
				}
				want := linkPoses(v.robot, map[string]float64{"s": x}, geom.IdentityPose())
				for i, b := range v.bodies[:2] {
					tip := geom.Vec{X: 0.3, Y: 0.2, Z: 0.1}
					got := m.poseOf(i).place(ball{v: tip})
					if d := length(minus(got.v, want[b.link].Apply(tip))); d > 1e-12 {
						t.Fatalf("%v %g times s, piece %d %v at %g: %s is off by %g", kind, multiplier, p, ctrl, s, b.name, d)
					}
				}
			}
			if len(ctrl) == 2 && math.Abs(ctrl[1]-ctrl[0]) > 4 {
				if v.course.turns[0] != nil && v.course.turns[0][p] != 0 {
					short++
				} else {
					long++
				}
			}
		}
	}
	t.Logf("%d pieces went the short way, %d as given", short, long)
	if short < 100 || long < 100 {
		t.Error("the test is one-sided")
	}
}

// Turns that something shows are not taken off: what lies on the way as given is hit.
func TestTurnsThatShowAreRefused(t *testing.T) {
	for _, c := range []struct {
		name       string
		kind       urdf.JointType
		multiplier float64
		to         float64
		obstacle   geom.Vec // on the way as given
		normal     geom.Vec // parts the two on the short way
	}{
		{"a slide", urdf.Prismatic, 0.1, 5, geom.Vec{X: 0.3, Y: 2, Z: 0.3}, geom.Vec{Z: 1}},
		{"a gear", urdf.Revolute, 0.25, 4, geom.Vec{X: 0.3 * math.Cos(0.9), Y: 2 + 0.3*math.Sin(0.9)}, geom.Vec{X: -math.Sin(0.45), Y: math.Cos(0.45)}},
	} {
		v := screw(t, c.kind, c.multiplier, []float64{0, c.to})
		w, err := scene.New("", scene.Object{ID: "obstacle", PoseWS: geom.Translation(c.obstacle), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.05}})
		if err != nil {
			t.Fatal(err)
		}
		p := newProver(t, v.robot, w, v.motion)
		p.header.Assumed = []certificate.Assumed{{A: "spindle", B: "nut", Reason: "option"}, {A: "spindle", B: "obstacle", Reason: "option"}}
		const n = 64
		for i := range n {
			p.lines = append(p.lines, line{at: &certificate.At{Lo: float64(i) / n, Hi: float64(i+1) / n}},
				line{item: &certificate.Item{A: certificate.Part{Body: 1}, B: certificate.Part{Body: 2}, HasNormal: true, Normal: c.normal}})
		}
		_, err = p.verify()
		refusedBecause(t, fmt.Sprintf("%s, %g times %g rad", c.name, c.multiplier, c.to), err)
	}
}

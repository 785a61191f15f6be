package markers

import (
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/visualizationmsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const arm = `<robot name="arm">
<link name="base"><collision><geometry><box size="0.2 0.3 0.4"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
</robot>`

func artist(t *testing.T) *Artist {
	t.Helper()
	robot, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.New("base",
		scene.NewSphere("ball", geom.Translation(geom.Vec{X: 1}), 0.1),
		scene.NewBox("tool", geom.IdentityPose(), geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}).Attach("upper", geom.Translation(geom.Vec{Z: 1})),
	)
	if err != nil {
		t.Fatal(err)
	}
	return Prepare(robot).In("base", world)
}

// of lists the markers of a name.
func of(a *visualizationmsgs.MarkerArray, ns string) (out []visualizationmsgs.Marker) {
	for _, m := range a.Markers {
		if m.Ns == ns {
			out = append(out, m)
		}
	}
	return out
}

// A state shows its pairs, and from STOP on its bodies, each on the link that carries it.
func TestStatesAreDrawn(t *testing.T) {
	a := artist(t)
	s := &fcmsgs.CollisionState{Level: fcmsgs.CollisionStateFree}
	s.ClosestPairs = []fcmsgs.PairDistance{
		{Pair: pair("upper", "ball"), Upper: 0.0234}, {Pair: pair("base", "ball"), Upper: 0.9},
	}
	s.ClosestPairs[0].PointA.X, s.ClosestPairs[1].PointB.Y = 0.5, 0.25
	got := a.State(s)
	witnesses := of(got, "state")
	if len(witnesses) != 2 || len(witnesses[0].Points) != 4 || witnesses[0].Points[0].X != 0.5 || witnesses[1].Points[3].Y != 0.25 {
		t.Errorf("witnesses: %+v", witnesses)
	}
	if text := of(got, "state text"); len(text) != 1 || text[0].Text != "upper, ball: 23.4 mm" {
		t.Errorf("text: %+v", text)
	}
	if len(of(got, "state bodies")) != 0 {
		t.Error("bodies of a free state")
	}
	for _, m := range got.Markers {
		if m.Lifetime.Seconds() != 0.5 {
			t.Errorf("%s stays for %g s", m.Ns, m.Lifetime.Seconds())
		}
	}
	s.Level, s.Pair = fcmsgs.CollisionStateCollision, pair("upper", "tool")
	s.Pair.B.Kind = fcmsgs.BodyAttachedObject
	bodies := of(a.State(s), "state bodies")
	if len(bodies) != 2 || bodies[0].Header.FrameID != "upper" || bodies[1].Header.FrameID != "upper" || bodies[0].Pose.Position.Z != 0.5 || bodies[1].Pose.Position.Z != 1 || bodies[1].Type != visualizationmsgs.MarkerCube {
		t.Errorf("bodies: %+v", bodies)
	}
	if empty := a.State(&fcmsgs.CollisionState{}); len(empty.Markers) != 0 {
		t.Errorf("an unknown state shows %+v", empty)
	}
}

func pair(a, b string) (p fcmsgs.BodyPair) {
	p.A.Name, p.B.Name = a, b
	if b == "ball" {
		p.B.Kind = fcmsgs.BodyWorldObject
	}
	return p
}

// A verdict shows the robot at the time of contact, what touches and the way there.
func TestVerdictsAreDrawn(t *testing.T) {
	a := artist(t)
	v := &fcmsgs.Verdict{Status: fcmsgs.VerdictContact, TOCUpper: 2, Pair: pair("upper", "ball")}
	var asked []float64
	got, err := a.Verdict(v, func(at float64) (map[string]geom.Pose, error) {
		asked = append(asked, at)
		return map[string]geom.Pose{"base": geom.IdentityPose(), "upper": {R: geom.AxisAngle(geom.Vec{Y: 1}, at), P: geom.Vec{X: at}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if asked[0] != 2 {
		t.Errorf("the robot is drawn at %g s", asked[0])
	}
	if m := got.Markers[0]; m.Action != visualizationmsgs.MarkerDeleteall {
		t.Errorf("what was drawn before stays: %+v", m)
	}
	robot := of(got, "verdict robot")
	if len(robot) != 2 {
		t.Fatalf("%d parts of the robot", len(robot))
	}
	for _, m := range robot {
		if red := m.Color.R > 0.8; red != (m.Type == visualizationmsgs.MarkerCylinder) {
			t.Errorf("%+v", m)
		}
		if m.Type == visualizationmsgs.MarkerCylinder && math.Abs(m.Pose.Position.X-2-0.5*math.Sin(2)) > 1e-12 {
			t.Errorf("upper is drawn at %+v", m.Pose)
		}
	}
	if object := of(got, "verdict object"); len(object) != 1 || object[0].Pose.Position.X != 1 {
		t.Errorf("object: %+v", object)
	}
	if way := of(got, "verdict way"); len(way) != samples+1 { // the base stands
		t.Errorf("%d parts of the way", len(way))
	}
	ids := map[string]bool{}
	for _, m := range got.Markers[1:] {
		key := m.Ns + string(rune(m.ID))
		if ids[key] {
			t.Errorf("%s %d is there twice", m.Ns, m.ID)
		}
		ids[key] = true
		if m.Color.A <= 0 || m.Scale.X < 0 {
			t.Errorf("%+v cannot be seen", m)
		}
	}
	if _, err := cdr.AppendMarshal(nil, got); err != nil {
		t.Error(err)
	}
}

// Every kind of shape is drawn, and a mesh of many triangles with few, where it is.
func TestPartsOfShapes(t *testing.T) {
	for _, s := range []*shape.Shape{
		{Kind: shape.Box, Size: geom.Vec{X: 1, Y: 2, Z: 3}},
		{Kind: shape.Sphere, Radius: 1},
		{Kind: shape.Cylinder, Radius: 1, Length: 2},
		{Kind: shape.Capsule, Radius: 1, Length: 2},
		{Kind: shape.Cone, Radius: 1, Length: 2},
		{Kind: shape.Points, Radius: 1, Points: []geom.Vec{{X: 1}}},
		{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: 1}}, {Max: geom.Vec{X: 2, Y: 2, Z: 2}}}},
		{Kind: shape.Mesh, Mesh: ball(100)},
	} {
		if parts := partsOf(s, geom.IdentityPose(), fine); len(parts) == 0 {
			t.Errorf("%v is not drawn", s.Kind)
		}
	}
	m := ball(20000)
	corners := thinned(m, coarse)
	if n := len(corners) / 3; n > coarse || n < coarse/8 || len(corners)%3 != 0 {
		t.Errorf("%d triangles", n)
	}
	for _, p := range corners {
		if l := math.Sqrt(p.X*p.X + p.Y*p.Y + p.Z*p.Z); math.Abs(l-1) > 1e-9 {
			t.Errorf("%v is no vertex", p)
		}
	}
}

// ball is a mesh of some triangles around the unit ball.
func ball(n int) *shape.TriangleMesh {
	d := chance.New(3, 4)
	m := &shape.TriangleMesh{}
	for len(m.Triangles) < n {
		i := int32(len(m.Vertices))
		p := d.Unit()
		for k := range 3 {
			q, _ := geom.Unit(geom.Vec{X: p.X + 0.05*float64(k%2), Y: p.Y + 0.05*float64(k/2), Z: p.Z})
			m.Vertices = append(m.Vertices, q)
		}
		m.Triangles = append(m.Triangles, [3]int32{i, i + 1, i + 2})
	}
	return m
}

func TestQuaternion(t *testing.T) {
	d := chance.New(5, 6)
	for i := range 1000 {
		r := geom.AxisAngle(d.Unit(), d.In(-math.Pi, math.Pi))
		if i < 3 { // half turns, where three of the four components vanish
			r = geom.AxisAngle([...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}[i], math.Pi)
		}
		q := quaternion(&r)
		back, err := geom.Quat(q.X, q.Y, q.Z, q.W)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			a, b := geom.Pose{R: r}.Apply(v), geom.Pose{R: back}.Apply(v)
			if math.Abs(a.X-b.X)+math.Abs(a.Y-b.Y)+math.Abs(a.Z-b.Z) > 1e-12 {
				t.Fatalf("%v: %v, %v", r, a, b)
			}
		}
	}
}

func TestUnreadableNamesDrawNothing(t *testing.T) {
	s := &fcmsgs.CollisionState{Level: fcmsgs.CollisionStateStop, Pair: pair("nothing", "ball")}
	got := artist(t).State(s)
	if n := len(of(got, "state bodies")); n != 1 || !strings.Contains(of(got, "state text")[0].Text, "nothing") {
		t.Errorf("%+v", got)
	}
}

package romtree

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// parentLink is the link that a joint hangs on, skipping links that are held fixed
// to it: the one whose frame is the tree's frame itself.
func frameLink(r *urdf.Robot, m *model.Model, frame int) int {
	for l := range r.Links {
		if m.Tree.LinkFrame[l] != frame {
			continue
		}
		j := r.Links[l].ParentJoint
		if j < 0 || r.Joints[j].Type != urdf.Fixed {
			return l
		}
	}
	return -1
}

// No point of any subtree leaves its balls or its clouds: of random robots with all
// kinds of joints, at random configurations and at corners of the box.
func TestNothingLeavesItsRangeOfMotion(t *testing.T) {
	robots, configurations := 45, 900
	if switches.Long.Set() {
		robots, configurations = 120, 1000
	}
	if testing.Short() || race.Enabled {
		robots, configurations = 12, 300
	}
	points, balls, endless := 0, 0, 0
	for seed := range uint64(robots) {
		d := diceOf(seed)
		r := d.robot(drawn{joints: 1 + d.IntN(6), endless: seed%4 == 0})
		m := modelOf(t, r, nil, []float64{0, 0.02}[d.IntN(2)], nil)
		o := RomOptions{Gap: []float64{0, 0.9}[d.IntN(2)], Points: []int{96, 24}[d.IntN(2)]}
		rom := NewRangeOfMotion(m, LimitsBox(m.Tree, nil), o)
		endless += len(rom.Endless)
		forms := sweepersOf(m, rom.Box, o)
		for i := range configurations {
			q := d.configuration(rom.Box)
			if !rom.Holds(m, q, nil) {
				t.Fatalf("seed %d: %v is not in its box", seed, q)
			}
			n, b := checkInside(t, d, r, m, rom, forms, q, i%5 == 0)
			points, balls = points+n, balls+b
		}
	}
	t.Logf("%d points, %d times inside a ball; %d joints without end", points, balls, endless)
	if points < robots*configurations/2 || balls < points || endless == 0 {
		t.Error("too little was tried")
	}
}

func sweepersOf(m *model.Model, box *JointBox, o RomOptions) [2]*sweeper {
	s := [2]*sweeper{newSweeper(m, box, exact, o.gap(), o.points()), newSweeper(m, box, sampled, o.gap(), o.points())}
	s[1].reach = s[0].reaches()
	return s
}

// checkInside lifts a point of each link to the frames that it hangs on.
func checkInside(t *testing.T, d dice, r *urdf.Robot, m *model.Model, rom *RangeOfMotion, forms [2]*sweeper, q []float64, clouds bool) (points, balls int) {
	t.Helper()
	n, _ := geom.Unit(d.Vec(1))
	for l := range r.Links {
		if len(r.Links[l].Collisions) == 0 {
			continue
		}
		x := d.surface(&r.Links[l].Collisions[d.IntN(len(r.Links[l].Collisions))])
		points++
		chain := append([]int32{0}, m.Tree.Chain(m.Tree.LinkFrame[l])...)
		for i, k := range chain {
			at := frameLink(r, m, int(k))
			if at < 0 {
				continue // inside a planar joint
			}
			y, ok := lift(m, r, q, l, at, x)
			if !ok {
				continue
			}
			balls += inBall(t, &rom.Subtree[k], y, fmt.Sprintf("link %d in the subtree of frame %d at %v", l, k, q))
			for f, s := range forms {
				if !clouds {
					break
				}
				if c, ok := s.beyond(int(k), nil); ok && r3.Dot(n, y) > c.along(n)+1e-12 {
					t.Fatalf("%s form: link %d is %g outside the cloud of frame %d at %v", [...]string{"exact", "sampled"}[f], l, r3.Dot(n, y)-c.along(n), k, q)
				}
			}
			if i+1 < len(chain) {
				balls += inBall(t, &rom.Swept[chain[i+1]], y, fmt.Sprintf("link %d beyond joint %d at %v", l, chain[i+1], q))
			}
		}
	}
	return points, balls
}

// inBall allows for the rounding of the test's own poses.
func inBall(t *testing.T, b *SubtreeBall, x geom.Vec, what string) int {
	t.Helper()
	if !b.Known {
		return 0
	}
	if far := r3.Norm(r3.Sub(x, b.Center)); !(far <= b.Radius+1e-12) {
		t.Fatalf("%s: %.9g from the centre of a ball of %.9g", what, far, b.Radius)
	}
	return 1
}

// along is the cloud's support value.
func (c cloud) along(n geom.Vec) float64 {
	best := math.Inf(-1)
	for _, g := range c {
		for _, p := range g.points {
			best = max(best, r3.Dot(n, p)+g.radius*r3.Norm(n))
		}
	}
	return best
}

// One joint and a ball at the end of an arm: the smallest ball is known.
func TestOneJoint(t *testing.T) {
	const arm, tip = 2.0, 0.1
	for _, tc := range []struct {
		name   string
		joint  urdf.Joint
		center geom.Vec
		radius float64
	}{
		{"a third of a turn", urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 1}}, geom.Vec{X: arm * math.Cos(1)}, arm*math.Sin(1) + tip},
		{"more than half a turn", urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: -2, Upper: 2}}, geom.Vec{}, arm + tip},
		{"off the middle", urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: 0, Upper: 1}}, geom.Vec{X: arm * math.Cos(0.5) * math.Cos(0.5), Y: arm * math.Cos(0.5) * math.Sin(0.5)}, arm*math.Sin(0.5) + tip},
		{"all around", urdf.Joint{Type: urdf.Continuous}, geom.Vec{}, arm + tip},
		{"slide", urdf.Joint{Type: urdf.Prismatic, Limit: urdf.Limit{Bounded: true, Lower: -0.25, Upper: 0.75}}, geom.Vec{X: arm, Z: 0.25}, 0.5 + tip},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := modelOf(t, chainOf(link{tc.joint, geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: arm}, tip}), nil, 0, nil)
			for _, o := range []RomOptions{{}, {NoSampled: true}} {
				b := NewRangeOfMotion(m, LimitsBox(m.Tree, nil), o).Swept[1]
				if !b.Known || math.Abs(b.Radius-tc.radius) > 1e-5 || r3.Norm(r3.Sub(b.Center, tc.center)) > 1e-3 {
					t.Errorf("%+v, want about %v, %v", b, tc.center, tc.radius)
				}
				if b.Radius < tc.radius {
					t.Errorf("radius %.17g is too small: %.17g", b.Radius, tc.radius)
				}
			}
		})
	}
}

// link is a joint at a place in its parent, and a ball that it carries.
type link struct {
	joint    urdf.Joint
	at, axis geom.Vec
	ball     geom.Vec
	radius   float64
}

// chainOf hangs links one on the other; what has no radius carries nothing.
func chainOf(links ...link) *urdf.Robot {
	r := &urdf.Robot{Name: "chain", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	for i, l := range links {
		l.joint.Name, l.joint.Parent, l.joint.Child = fmt.Sprint("j", i), i, i+1
		l.joint.PosePC, l.joint.Axis = geom.Translation(l.at), l.axis
		r.Joints = append(r.Joints, l.joint)
		child := urdf.Link{Name: fmt.Sprint("l", i), ParentJoint: i}
		if l.radius > 0 {
			child.Collisions = []urdf.Collision{{PoseLS: geom.Translation(l.ball), Shape: ballShape(l.radius)}}
		}
		r.Links = append(r.Links, child)
	}
	return r
}

// What has no end has no ball, and is named; what hangs on it has one.
func TestEndless(t *testing.T) {
	turn := urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 1}}
	for _, kind := range []urdf.JointType{urdf.Planar, urdf.Prismatic} {
		m := modelOf(t, chainOf(
			link{turn, geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
			link{urdf.Joint{Type: kind}, geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
			link{turn, geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
		), nil, 0, nil)
		rom := NewRangeOfMotion(m, LimitsBox(m.Tree, nil), RomOptions{})
		last := len(m.Tree.Frames) - 1
		if rom.Subtree[0].Known || rom.Subtree[1].Known || rom.Swept[1].Known {
			t.Errorf("%v: a ball around what has no end: %+v", kind, rom.Subtree)
		}
		if !rom.Subtree[last].Known || !rom.Swept[last].Known || len(rom.Endless) == 0 {
			t.Errorf("%v: no ball beyond it, or it is not named: %+v %v", kind, rom.Swept, rom.Endless)
		}
	}
}

// A proof for a box is none for what leaves it.
func TestHolds(t *testing.T) {
	turn := urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 2}}
	follow := turn
	follow.Mimic = &urdf.Mimic{Joint: 0, Multiplier: -2, Offset: 0.5}
	r := chainOf(
		link{turn, geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1}, link{follow, geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
		link{urdf.Joint{Type: urdf.Continuous}, geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
	)
	m := modelOf(t, r, nil, 0, nil)
	plain, tubed := LimitsBox(m.Tree, nil), LimitsBox(m.Tree, map[string]float64{"j0": 0.1, "j1": 0.2})
	for _, tc := range []struct {
		q, r float64
		tube map[string]float64
		want [2]bool // plain, tubed
	}{
		{0, 0, nil, [2]bool{true, true}},
		{-1, 2, nil, [2]bool{true, true}},
		{2.05, 0, nil, [2]bool{false, true}},
		{2.11, 0, nil, [2]bool{false, false}},
		{-1.05, 1e6, nil, [2]bool{false, true}},
		{2, 0, map[string]float64{"j0": 0.1}, [2]bool{false, true}},
		{2, 0, map[string]float64{"j0": 0.11}, [2]bool{false, false}},
		{2, 0, map[string]float64{"j1": 0.2}, [2]bool{false, true}},
		{2, 0, map[string]float64{"j1": 0.21}, [2]bool{false, false}},
		{0, 0, map[string]float64{"j2": 99}, [2]bool{true, true}},
		{math.NaN(), 0, nil, [2]bool{false, false}},
	} {
		q := []float64{tc.q, tc.r}
		if got := [2]bool{plain.Holds(q, tc.tube), tubed.Holds(q, tc.tube)}; got != tc.want {
			t.Errorf("%v with %v: %v, want %v", q, tc.tube, got, tc.want)
		}
	}
	if plain.HoldsAll([]float64{0, 0}, []float64{2.1, 0}, nil) || plain.HoldsAll([]float64{0, 0}, []float64{1}, nil) {
		t.Error("holds for a box that sticks out, or for too few variables")
	}
	if !plain.HoldsAll([]float64{-1, 0}, []float64{2, 7}, nil) {
		t.Error("does not hold for itself")
	}
	rom := NewRangeOfMotion(m, plain, RomOptions{})
	if other := modelOf(t, r, nil, 0.01, nil); rom.Holds(other, []float64{0, 0}, nil) || !rom.Holds(m, []float64{0, 0}, nil) {
		t.Error("holds for a model with another padding, or not for its own")
	}
}

// A joint that may stray beyond its limits is enclosed with what it may stray.
func TestTubeIsEnclosed(t *testing.T) {
	turn := urdf.Joint{Type: urdf.Revolute, Limit: urdf.Limit{Bounded: true, Lower: -0.5, Upper: 0.5}}
	follow := turn
	follow.Mimic = &urdf.Mimic{Joint: 0, Multiplier: 1}
	m := modelOf(t, chainOf(
		link{turn, geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0}, link{follow, geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.01},
	), nil, 0, nil)
	box := LimitsBox(m.Tree, map[string]float64{"j0": 0.1, "j1": 0.2})
	// Both at the upper end and both astray: 0.6 and 1.3 from the x axis.
	tip := geom.Vec{X: math.Cos(0.6) + math.Cos(1.3), Y: math.Sin(0.6) + math.Sin(1.3)}
	for f, s := range sweepersOf(m, box, RomOptions{}) {
		c, ok := s.swept(1, nil)
		n, _ := geom.Unit(geom.Vec{X: -math.Sin(0.6), Y: math.Cos(0.6)})
		if !ok || c.along(n) < r3.Dot(n, tip)+0.01 {
			t.Errorf("form %d: %g, but the tip may be at %g", f, c.along(n), r3.Dot(n, tip)+0.01)
		}
	}
}

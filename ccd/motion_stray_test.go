package ccd

import (
	"context"
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// strayer judges motions with a tube by brute force: joints that strayed, each on
// its own, in a robot without mimic joints.
type strayer struct {
	robot *urdf.Robot // as it is
	alone *Checker    // its joints, all independent
	tube  map[string]float64
}

func newStrayer(t *testing.T, c *Checker, tube map[string]float64) *strayer {
	t.Helper()
	wide, err := c.tube(tube)
	if err != nil {
		t.Fatal(err)
	}
	robot := *c.Robot()
	robot.Joints = append([]urdf.Joint(nil), robot.Joints...)
	robot.Semantic = &urdf.Semantic{} // without mimic joints the default state is another one
	for _, p := range c.Pairs().Assumed {
		a, b := robot.Link(p.A), robot.Link(p.B)
		robot.Semantic.Disabled = append(robot.Semantic.Disabled, urdf.DisabledPair{A: min(a, b), B: max(a, b), Reason: p.Reason})
	}
	state := c.State()
	for i := range robot.Joints {
		if j := &robot.Joints[i]; j.Mimic != nil {
			state[j.Name] = j.Mimic.Multiplier*state[c.Robot().Joints[j.Mimic.Joint].Name] + j.Mimic.Offset
			j.Mimic = nil
		}
	}
	alone, err := New(&robot, c.World(), Options{State: state})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(alone.Pairs().Assumed), len(c.Pairs().Assumed); a != b {
		t.Fatalf("%d pairs are assumed without mimic joints, %d with them", a, b)
	}
	return &strayer{c.Robot(), alone, wide}
}

// distance is that of m at a time with every joint off by its width times what
// off gives, which lies in [-1, 1].
func (s *strayer) distance(t *testing.T, m *motion.Motion, at float64, off func() float64) float64 {
	t.Helper()
	positions := map[string]float64{}
	for j, x := range m.At(at) {
		positions[m.Joints[j]] = x
	}
	for i := range s.robot.Joints {
		if j := &s.robot.Joints[i]; j.Mimic != nil {
			positions[j.Name] = j.Mimic.Multiplier*positions[s.robot.Joints[j.Mimic.Joint].Name] + j.Mimic.Offset
		}
	}
	strayed := maps.Clone(positions)
	for i := range s.robot.Joints {
		if name := s.robot.Joints[i].Name; s.tube[name] > 0 {
			strayed[name] += s.tube[name] * off()
		}
	}
	alone := s.alone
	if len(m.Root) > 0 {
		var err error
		if alone, err = alone.WithWorld(seenFrom(alone.World(), m.RootAt(at))); err != nil {
			t.Fatal(err)
		}
	}
	d, err := alone.Distance(context.Background(), strayed, motion.DistanceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return math.Min(d.Self.Hi, d.World.Hi)
}

func (d dice) tube(robot *urdf.Robot) map[string]float64 {
	tube, size := map[string]float64{}, [...]float64{0.003, 0.03, 0.3}[d.IntN(3)]
	for i := range robot.Joints {
		if j := &robot.Joints[i]; j.Mimic == nil && d.IntN(4) > 0 || j.Mimic != nil && d.IntN(3) == 0 {
			tube[j.Name] = size * d.Float64()
		}
	}
	return tube
}

// TestTubeInRandomScenes samples what a tube allows: a motion that is called free
// has to be free wherever the joints are in it, and one whose proof ended early up
// to there.
func TestTubeInRandomScenes(t *testing.T) {
	race.LeaveOut(t)
	scenes, count, lost, tried := long(watched(150)), map[motion.Status]int{}, 0, 0
	for i := range scenes {
		d := dice{chance.New(17, uint64(i))}
		c := newChecker(t, d.robot(), d.world())
		m := d.motion(c.ActiveJoints())
		if i%5 == 0 {
			m = d.rootMotion(c.ActiveJoints())
		}
		q := motion.Query{Tube: d.tube(c.Robot())}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.1)
		}
		if d.IntN(2) == 0 {
			q.Question = motion.MinClearance
		}
		v := ask(t, c, m, q)
		count[v.Status]++
		s := newStrayer(t, c, q.Tube)
		if v.Status != motion.Free && len(s.tube) > 0 {
			if exact := ask(t, c, m, motion.Query{Clearance: q.Clearance}); exact.Status == motion.Free {
				lost++ // to the tube
			}
		}
		if v.Status != motion.Free && v.ProvenUntil == 0 {
			continue
		}
		if b := v.MinClearance.Bounds; v.MinClearance.Known {
			// That of the motion itself, of which a tube says nothing.
			straight := func() float64 { return 0 }
			for k := range 21 {
				if got := s.distance(t, m, m.Duration()*float64(k)/20, straight); got < b.Lo-1e-9 || b.Hi > got+motion.DefaultClearanceTolerance {
					t.Fatalf("scene %d: clearance in [%g, %g], but %g apart", i, b.Lo, b.Hi, got)
				}
			}
			if b.Hi-b.Lo > 1.001*motion.DefaultClearanceTolerance {
				t.Fatalf("scene %d: clearance in [%g, %g] is loose", i, b.Lo, b.Hi)
			}
		}
		corner := func() float64 { return 2*float64(d.IntN(2)) - 1 }
		inside := func() float64 { return d.In(-1, 1) }
		for k := range 160 {
			off := corner
			if k%4 == 0 {
				off = inside
			}
			at := v.ProvenUntil * (1 - 1e-9) * d.Float64()
			tried++
			if got := s.distance(t, m, at, off); got <= q.Clearance-1e-9 {
				t.Fatalf("scene %d: %v, proven until %g, but strayed within %v at %g the distance is %g (clearance %g)", i, v.Status, v.ProvenUntil, s.tube, at, got, q.Clearance)
			}
		}
	}
	t.Logf("%d samples, %d motions free but for the tube", tried, lost)
	if lost < scenes/20 {
		t.Errorf("%d of %d motions are free but for the tube: the test is one-sided", lost, scenes)
	}
	wantShares(t, count, scenes)
}

// The tube that just lets a motion through has a closed form where joints slide:
// the gap that is left, less the way that the ball can be off. Where they turn the
// engine counts the whole chord, in whatever direction, so that not all that is
// free is called so.
func TestTubeClosedForms(t *testing.T) {
	wall := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))) // face at 0.7
	arm := chainOf(chainJoint{name: "turn", kind: urdf.Revolute, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(0.1), at: pose(0, 0.65, 0)})
	pair := chainOf(
		chainJoint{name: "a", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}},
		chainJoint{name: "b", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: ball(0.1), at: pose(0, 0, 0), mimic: &urdf.Mimic{Joint: 0, Multiplier: -0.5}},
	)
	for _, c := range []struct {
		name     string
		robot    *urdf.Robot
		joint    string
		from, to float64
		tube     map[string]float64
		free     bool
	}{
		{"slide, narrow", slider(), "x", 0, 0.5, map[string]float64{"x": 0.099}, true},
		{"slide, wide", slider(), "x", 0, 0.5, map[string]float64{"x": 0.101}, false},
		{"slide at rest, narrow", slider(), "x", 0.5, 0.5, map[string]float64{"x": 0.099}, true},
		{"slide at rest, wide", slider(), "x", 0.5, 0.5, map[string]float64{"x": 0.101}, false},
		// The ball's x is 0.65 sin(turn): 0.6 at 1.1760.
		{"turn, narrow", arm, "turn", 0, -1, map[string]float64{"turn": 0.06}, true},
		{"turn, wide", arm, "turn", 0, -1, map[string]float64{"turn": 0.18}, false},
		// b goes half the way back, and strays half as far: the ball is at a/2 and
		// off by 1.5 times what a is.
		{"mimic of its own, narrow", pair, "a", 0, 1, map[string]float64{"a": 0.05, "b": 0.049}, true},
		{"mimic of its own, wide", pair, "a", 0, 1, map[string]float64{"a": 0.05, "b": 0.051}, false},
		{"mimic that follows, narrow", pair, "a", 0, 1, map[string]float64{"a": 0.0666}, true},
		{"mimic that follows, wide", pair, "a", 0, 1, map[string]float64{"a": 0.0668}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := check(t, c.robot, wall, []string{c.joint}, []float64{c.from}, []float64{c.to}, motion.Query{Tube: c.tube})
			if (v.Status == motion.Free) != c.free {
				t.Errorf("%v (%s), free wanted: %t", v.Status, v.Reason, c.free)
			}
			if w := check(t, c.robot, wall, []string{c.joint}, []float64{c.from}, []float64{c.to}, motion.Query{}); w.Status != motion.Free {
				t.Errorf("without the tube: %v", w.Status)
			}
		})
	}
}

// A turn by w takes a point at distance r across by r sin w, which is hardly less
// than the chord that the engine counts: 1 % decides.
func TestTubeChord(t *testing.T) {
	arm := chainOf(chainJoint{name: "turn", kind: urdf.Revolute, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(0.001), at: pose(0, -0.65, 0)})
	wall := worldOf(object("wall", box(0.2, 2, 2), pose(0.2295, 0, 0))) // face at 0.1295, reached at 0.1990 rad
	for width, free := range map[float64]bool{0.197: true, 0.2: false} {
		v := check(t, arm, wall, []string{"turn"}, []float64{0}, []float64{0}, motion.Query{Tube: map[string]float64{"turn": width}})
		if (v.Status == motion.Free) != free {
			t.Errorf("width %g: %v", width, v.Status)
		}
	}
}

// A tube of zero, or around nothing, is none.
func TestTubeOfZeroIsNone(t *testing.T) {
	for i := range 30 {
		d := dice{chance.New(19, uint64(i))}
		c := newChecker(t, d.robot(), d.world())
		m := d.motion(c.ActiveJoints())
		v, w := ask(t, c, m, motion.Query{}), ask(t, c, m, motion.Query{Tube: map[string]float64{m.Joints[0]: 0}})
		v.Compute, w.Compute = 0, 0
		if fmt.Sprint(v) != fmt.Sprint(w) {
			t.Errorf("scene %d: %v, with a tube of zero %v", i, v, w)
		}
	}
}

// The robot's own pairs stray too, each joint by itself.
func TestTubeBetweenLinks(t *testing.T) {
	robot := &urdf.Robot{
		Name:  "two",
		Links: []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "l", ParentJoint: 0}, {Name: "r", ParentJoint: 1}},
	}
	for i := range 2 {
		robot.Links[i+1].Collisions = []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: ball(0.1)}}
		robot.Joints = append(robot.Joints, urdf.Joint{
			Name: [...]string{"lx", "rx"}[i], Type: urdf.Prismatic, Parent: 0, Child: i + 1, PosePC: pose(float64(i), 0, 0), Axis: geom.Vec{X: 1},
			Limit: urdf.Limit{Bounded: true, Lower: -1, Upper: 1},
		})
	}
	// 0.8 apart, closing to 0.3.
	for width, want := range map[float64]bool{0.149: true, 0.151: false} {
		v := check(t, robot, nil, []string{"lx", "rx"}, []float64{0, 0}, []float64{0.25, -0.25}, motion.Query{Tube: map[string]float64{"lx": width, "rx": width}})
		if (v.Status == motion.Free) != want {
			t.Errorf("width %g: %v", width, v.Status)
		}
	}
}

// A planar joint strays by its variables, each named on its own.
func TestTubeOfPlanarJoints(t *testing.T) {
	robot := chainOf(chainJoint{name: "wheels", kind: urdf.Planar, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(0.1), at: pose(0, 0.5, 0)})
	c := newChecker(t, robot, worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))) // face at 0.7
	joints := c.ActiveJoints()
	if len(joints) != 3 {
		t.Fatalf("joints %v", joints)
	}
	m, err := motion.Between(joints, []float64{0.5, 0, 0}, []float64{0.5, 0, 0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		tube map[string]float64
		free bool
	}{
		{nil, true},
		{map[string]float64{"wheels/x": 0.09}, true},
		{map[string]float64{"wheels/x": 0.11}, false},
		{map[string]float64{"wheels/theta": 0.15}, true},
		{map[string]float64{"wheels/theta": 0.25}, false},
		{map[string]float64{"wheels/x": 0.06, "wheels/theta": 0.1}, false},
	} {
		if v := ask(t, c, m, motion.Query{Tube: k.tube}); (v.Status == motion.Free) != k.free {
			t.Errorf("tube %v: %v", k.tube, v.Status)
		}
	}
	if _, err := c.Check(context.Background(), m, motion.Query{Tube: map[string]float64{"wheels": 0.1}}); err == nil {
		t.Error("a width for all that a planar joint does, in rad and m, is accepted")
	}
}

package selfcollision

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// crane has what the frames of links depend on: fixed joints that turn and shift, a
// slide, a joint that follows another, and spheres off their links' origins.
const crane = `<robot name="crane">
  <link name="base"><collision><origin xyz="0 0 -0.3"/><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="mast"><collision><origin xyz="0.1 0 0.2"/><geometry><sphere radius="0.15"/></geometry></collision></link>
  <link name="flange"><collision><origin xyz="0 0.2 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="boom"><collision><origin xyz="0.4 0 0"/><geometry><sphere radius="0.12"/></geometry></collision></link>
  <link name="hook"><collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  <link name="counter"><collision><origin xyz="-0.6 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="mast"/><origin xyz="0 0 0.4" rpy="0.2 0 0.3"/><axis xyz="0 0 1"/><limit lower="-0.7" upper="1.1" effort="1" velocity="1"/></joint>
  <joint name="bolt" type="fixed"><parent link="mast"/><child link="flange"/><origin xyz="0.2 0.1 0.5" rpy="1 -0.5 2"/></joint>
  <joint name="luff" type="revolute"><parent link="flange"/><child link="boom"/><origin xyz="0.1 0 0.1" rpy="0 0.4 0"/><axis xyz="0 1 0"/><limit lower="-0.5" upper="0.9" effort="1" velocity="1"/></joint>
  <joint name="hoist" type="prismatic"><parent link="boom"/><child link="hook"/><origin xyz="0.9 0 0"/><axis xyz="0 0 1"/><limit lower="-0.6" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="revolute"><parent link="flange"/><child link="counter"/><origin xyz="-0.1 0 0" rpy="0 0 0.3"/><axis xyz="0 1 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="luff" multiplier="-0.5" offset="0.1"/></joint>
</robot>`

// parse reads a robot, edited by pairs of old and new text.
func parse(t *testing.T, text string, edits ...string) *urdf.Robot {
	t.Helper()
	r, err := urdf.Parse([]byte(strings.NewReplacer(edits...).Replace(text)), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func made(t *testing.T, r *urdf.Robot, world *scene.Snapshot, o Options) *RangeOfMotion {
	t.Helper()
	m, err := NewRangeOfMotion(context.Background(), r, world, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// poses places all links in the root link's frame; at gives each joint's position.
func poses(r *urdf.Robot, at func(*urdf.Joint) float64) []geom.Pose {
	out := make([]geom.Pose, len(r.Links))
	out[r.Root] = geom.IdentityPose()
	var place func(link int)
	place = func(link int) {
		for i := range r.Joints {
			j := &r.Joints[i]
			if j.Parent != link {
				continue
			}
			moved := geom.IdentityPose()
			switch j.Type {
			case urdf.Revolute:
				moved.R = geom.AxisAngle(j.Axis, at(j))
			case urdf.Prismatic:
				moved.P = r3.Scale(at(j), j.Axis)
			}
			out[j.Child] = out[link].Mul(j.PosePC).Mul(moved)
			place(j.Child)
		}
	}
	place(r.Root)
	return out
}

// Every sphere stays inside the balls of the links and joints before it, and two links
// never come closer than MinDistance, at random configurations with tubes and at limits.
func TestRangeOfMotionHoldsInLinkFrames(t *testing.T) {
	r := parse(t, crane)
	tube := map[string]float64{"turn": 0.2, "hoist": 0.05}
	rom := made(t, r, nil, Options{Padding: 0.01, Tube: tube})
	rnd := rand.New(rand.NewPCG(1, 2))
	most := map[string]float64{}
	least := math.Inf(1)
	for range 3000 {
		q := map[string]float64{}
		at := func(j *urdf.Joint) float64 {
			if j.Mimic != nil {
				return j.Mimic.Multiplier*q[r.Joints[j.Mimic.Joint].Name] + j.Mimic.Offset
			}
			return q[j.Name]
		}
		for i := range r.Joints {
			j := &r.Joints[i]
			x := []float64{0, 1, rnd.Float64()}[rnd.IntN(3)]
			lo, hi := j.Limit.Lower-tube[j.Name], j.Limit.Upper+tube[j.Name]
			q[j.Name] = lo + x*(hi-lo)
		}
		pose := poses(r, at)
		for l := range r.Links {
			c := &r.Links[l].Collisions[0]
			x, radius := pose[l].Mul(c.PoseLS).P, c.Shape.Radius+0.01
			for up := l; ; up = r.Joints[r.Links[up].ParentJoint].Parent {
				b, err := rom.Subtree(r.Links[up].Name)
				note(t, most, "subtree of "+r.Links[up].Name, b, err, pose[up], x, radius)
				j := r.Links[up].ParentJoint
				if j < 0 {
					break
				}
				if r.Joints[j].Type != urdf.Fixed {
					b, err := rom.Swept(r.Joints[j].Name)
					note(t, most, "swept by "+r.Joints[j].Name, b, err, pose[r.Joints[j].Parent], x, radius)
				}
			}
			for o := range l {
				d := &r.Links[o].Collisions[0]
				gap := geom.Norm(r3.Sub(x, pose[o].Mul(d.PoseLS).P)) - radius - d.Shape.Radius - 0.01
				bound, err := rom.MinDistance(r.Links[l].Name, r.Links[o].Name)
				if err != nil || bound > gap+1e-9 {
					t.Fatalf("%s and %s are %g apart, the bound says %g (%v)", r.Links[l].Name, r.Links[o].Name, gap, bound, err)
				}
				if bound > 0 {
					least = min(least, gap-bound)
				}
			}
		}
	}
	for what, share := range most { // or the test would not notice balls that are too large
		if share < 0.8 {
			t.Errorf("%s: samples fill %g of the ball's radius", what, share)
		}
	}
	if least > 0.3 {
		t.Errorf("no bound of a distance comes closer than %g to what was sampled", least)
	}
}

// note fails where a sphere sticks out of a ball, and keeps how far spheres reach in it.
func note(t *testing.T, most map[string]float64, what string, b Ball, err error, pose geom.Pose, x geom.Vec, radius float64) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	reach := geom.Norm(r3.Sub(x, pose.Apply(b.Center))) + radius
	if reach > b.Radius+1e-12 {
		t.Fatalf("%s: a point is %g from the centre of a ball of radius %g", what, reach, b.Radius)
	}
	most[what] = max(most[what], reach/b.Radius)
}

// A query tells the distances of spheres: of the robot to itself, without pairs that are
// allowed or that joints connect, and to the scene.
func TestQuery(t *testing.T) {
	r := parse(t, crane)
	world := &scene.Snapshot{Objects: []scene.Object{scene.NewSphere("ball", geom.Translation(geom.Vec{X: 1.5, Y: 1, Z: 1}), 0.1)}}
	rom := made(t, r, world, Options{Allowed: [][2]string{{"base", "counter"}, {"boom", "counter"}}})
	q := rom.NewQuery()
	if got := strings.Join(rom.Variables(), " "); got != "turn luff hoist" {
		t.Fatalf("variables %s", got)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		x := []float64{3 * rnd.Float64(), 3 * rnd.Float64(), rnd.Float64() - 0.5} // beyond the limits, too
		pose := poses(r, func(j *urdf.Joint) float64 {
			return map[string]float64{"turn": x[0], "luff": x[1], "hoist": x[2], "follow": -0.5*x[1] + 0.1}[j.Name]
		})
		centre := func(l int) geom.Vec { return pose[l].Mul(r.Links[l].Collisions[0].PoseLS).P }
		radius := func(l int) float64 { return r.Links[l].Collisions[0].Shape.Radius }
		self, free := math.Inf(1), math.Inf(1)
		for a := range r.Links {
			free = min(free, geom.Norm(r3.Sub(centre(a), geom.Vec{X: 1.5, Y: 1, Z: 1}))-radius(a)-0.1)
			for b := range a {
				names := r.Links[a].Name + " " + r.Links[b].Name
				joined := r.Links[a].ParentJoint >= 0 && r.Joints[r.Links[a].ParentJoint].Parent == b
				if !joined && names != "counter base" && names != "counter boom" {
					self = min(self, geom.Norm(r3.Sub(centre(a), centre(b)))-radius(a)-radius(b))
				}
			}
		}
		d, err := q.Self(context.Background(), x, Precision{})
		if err != nil || math.Abs(d.Bounds.Lo-max(0, self)) > 1e-9 || math.Abs(d.Bounds.Hi-max(0, self)) > 1e-9 {
			t.Fatalf("the robot is %g from itself, the answer says %v (%v)", self, d.Bounds, err)
		}
		w, err := q.World(context.Background(), x, Precision{})
		if err != nil || math.Abs(w.Bounds.Lo-max(0, free)) > 1e-9 || w.Pair.B.Name != "ball" && w.Pair.A.Name != "ball" {
			t.Fatalf("the robot is %g from the ball, the answer says %v of %v (%v)", free, w.Bounds, w.Pair, err)
		}
		if far, err := q.World(context.Background(), x, Precision{Max: free / 2}); err != nil || free > 0 && far.Bounds.Lo < free/2 {
			t.Fatalf("nothing is nearer than %g, the answer says %v (%v)", free/2, far.Bounds, err)
		}
	}
}

func TestRangeOfMotionFails(t *testing.T) {
	ctx := context.Background()
	done, cancel := context.WithCancel(ctx)
	cancel()
	robot := parse(t, crane)
	for name, try := range map[string]func() error{
		"no robot": func() error { _, err := NewRangeOfMotion(ctx, nil, nil, Options{}); return err },
		"done":     func() error { _, err := NewRangeOfMotion(done, robot, nil, Options{}); return err },
		"padding of": func() error {
			_, err := NewRangeOfMotion(ctx, robot, nil, Options{LinkPadding: map[string]float64{"x": 1}})
			return err
		},
		"negative": func() error { _, err := NewRangeOfMotion(ctx, robot, nil, Options{Padding: -1}); return err },
		"unknown joint": func() error {
			_, err := NewRangeOfMotion(ctx, robot, nil, Options{Tube: map[string]float64{"x": 1}})
			return err
		},
		"tube not finite": func() error {
			_, err := NewRangeOfMotion(ctx, robot, nil, Options{Tube: map[string]float64{"turn": math.NaN()}})
			return err
		},
	} {
		if try() == nil {
			t.Errorf("%s: no error", name)
		}
	}

	rom := made(t, robot, nil, Options{})
	if _, err := rom.Subtree("x"); err == nil {
		t.Error("the subtree of an unknown link")
	}
	if _, err := rom.Swept("bolt"); err == nil {
		t.Error("a fixed joint moves something")
	}
	if _, err := rom.MinDistance("base", "x"); err == nil {
		t.Error("the distance of an unknown link")
	}
	if _, err := rom.NewQuery().Self(ctx, []float64{0}, Precision{}); err == nil {
		t.Error("a configuration that is too short")
	}
	if rom.Holds([]float64{2, 0, 0}) || !rom.Holds([]float64{1, 0, 0}) || rom.Holds([]float64{math.NaN(), 0, 0}) || rom.Holds(nil) {
		t.Error("Holds does not keep to the limits")
	}
}

// A planar joint is three joints of the tree and takes its subtree anywhere.
func TestUnboundedRangeOfMotion(t *testing.T) {
	rom := made(t, parse(t, crane, `name="turn" type="revolute"`, `name="turn" type="planar"`), nil, Options{})
	if got := strings.Join(rom.Unbounded(), " "); got != "turn/y" {
		t.Errorf("unbounded: %s", got)
	}
	if _, err := rom.Swept("turn"); !errors.Is(err, ErrUnbounded) {
		t.Errorf("swept by a planar joint: %v", err)
	}
	if _, err := rom.Subtree("base"); !errors.Is(err, ErrUnbounded) {
		t.Errorf("subtree before a planar joint: %v", err)
	}
	if _, err := rom.Subtree("mast"); err != nil {
		t.Error(err)
	}
}

// leads is a robot of two balls, of which one follows the other forty times as far.
const leads = `<robot name="leads"><link name="base"/>
  <link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="lead" type="prismatic"><parent link="base"/><child link="a"/><origin xyz="0 5 0"/><axis xyz="0 1 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="base"/><child link="b"/><axis xyz="0 1 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="lead" multiplier="40"/></joint>
</robot>`

// Where a joint strays, what follows it strays, too.
func TestTubesOfWhatFollows(t *testing.T) {
	r := parse(t, leads)
	const stray = 0.02
	rom := made(t, r, nil, Options{Tube: map[string]float64{"lead": stray}})
	const farthest = 0.1 + stray // of the leader
	gap := 5 + farthest - 40*farthest - 0.2
	if d, err := rom.MinDistance("a", "b"); err != nil || d > gap+1e-9 {
		t.Errorf("at least %g apart, but %g in the tube (%v)", d, gap, err)
	}
	if b, err := rom.Swept("follow"); err != nil || math.Abs(b.Center.Y-40*farthest)+0.1 > b.Radius+1e-9 {
		t.Errorf("at %g it leaves the ball %v (%v)", 40*farthest, b, err)
	}
	own := made(t, r, nil, Options{Tube: map[string]float64{"lead": stray, "follow": 0}})
	if d, err := own.MinDistance("a", "b"); err != nil || d < gap+0.5 {
		t.Errorf("with a tube of its own, of 0: at least %g apart (%v)", d, err)
	}
}

// A scene that pads a link by less does not take away what is asked for.
func TestPaddingOfOptionsAndScene(t *testing.T) {
	r := parse(t, leads)
	for padding, want := range map[float64]float64{0: 0.15, 0.02: 0.15, 0.2: 0.3} {
		rom := made(t, r, &scene.Snapshot{LinkPadding: map[string]float64{"a": padding}}, Options{Padding: 0.05})
		if b, err := rom.Subtree("a"); err != nil || math.Abs(b.Radius-want) > 1e-6 {
			t.Errorf("padded by %g in the scene: radius %g, want %g (%v)", padding, b.Radius, want, err)
		}
	}
}

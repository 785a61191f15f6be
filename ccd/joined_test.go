package ccd

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const humanoidDir = "../testdata/humanoid/"

func loadRobot(t *testing.T, file, srdf string) *urdf.Robot {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		t.Skipf("%s is not there", file)
	}
	r, err := urdf.Load(file, urdf.Options{SRDF: srdf})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func humanoidRobot(t *testing.T) *urdf.Robot {
	t.Helper()
	return loadRobot(t, humanoidDir+"humanoid.urdf", humanoidDir+"humanoid.srdf")
}

func join(t *testing.T, parts ...urdf.Part) *urdf.Robot {
	t.Helper()
	r, err := urdf.Join("cell", parts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newChecker(t *testing.T, robot *urdf.Robot, world *scene.Snapshot) *Checker {
	t.Helper()
	c, err := New(robot, world, anyRobot)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(t *testing.T, c *Checker, m *motion.Motion, q motion.Query) motion.Verdict {
	t.Helper()
	v, err := c.Check(context.Background(), m, q)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// within draws a configuration inside the joints' limits, the part amount of the
// way from the checker's state to a random one.
func (d dice) within(c *Checker, joints []string, amount float64) []float64 {
	q, state := make([]float64, len(joints)), c.State()
	for i, name := range joints {
		l := c.Robot().Joints[c.Robot().Joint(name)].Limit
		if !l.Bounded {
			l.Lower, l.Upper = -3, 3
		}
		q[i] = state[name] + amount*(d.In(l.Lower, l.Upper)-state[name])
	}
	return q
}

func named(part string, joints []string) []string {
	out := make([]string, len(joints))
	for i, j := range joints {
		out[i] = part + "/" + j
	}
	return out
}

// A robot far from another has the verdicts that it has alone: the same status,
// the same time of contact, the same pair under its new name.
func TestJoinedFarApart(t *testing.T) {
	robot := humanoidRobot(t)
	world, err := scene.Load(humanoidDir+"obstacles.yaml", scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	alone := newChecker(t, robot, world)
	cell := join(t, urdf.Part{Name: "a", Robot: robot, PoseW: geom.IdentityPose()}, urdf.Part{Name: "b", Robot: robot, PoseW: pose(0, 50, 0)})
	inCell, err := world.Moved(urdf.JoinRoot, geom.IdentityPose())
	if err != nil {
		t.Fatal(err)
	}
	both := newChecker(t, cell, inCell)
	self, inWorld := alone.checkedPairs()
	selfBoth, inWorldBoth := both.checkedPairs()
	bodies := 0
	for _, l := range robot.Links {
		if len(l.Collisions) > 0 {
			bodies++
		}
	}
	if selfBoth != 2*self+bodies*bodies || inWorldBoth != 2*inWorld {
		t.Errorf("%d and %d pairs alone, %d and %d of two", self, inWorld, selfBoth, inWorldBoth)
	}
	joints := alone.ActiveJoints()
	if got, want := strings.Join(both.ActiveJoints(), " "), strings.Join(append(named("a", joints), named("b", joints)...), " "); got != want {
		t.Errorf("joints %s", got)
	}
	counts := map[motion.Status]int{}
	for seed := range uint64(25) {
		d := dice{chance.New(seed, 5)}
		from, to := d.within(alone, joints, 0.15), d.within(alone, joints, 0.4)
		one, err := motion.Between(joints, from, to, 1)
		if err != nil {
			t.Fatal(err)
		}
		two, err := motion.Between(named("a", joints), from, to, 1)
		if err != nil {
			t.Fatal(err)
		}
		v, w := ask(t, alone, one, motion.Query{}), ask(t, both, two, motion.Query{})
		counts[v.Status]++
		if v.Status != w.Status {
			t.Errorf("seed %d: %v alone, %v of two", seed, v.Status, w.Status)
			continue
		}
		if v.Status != motion.Contact {
			continue
		}
		if v.TOC.Lo > w.TOC.Hi+1e-6 || w.TOC.Lo > v.TOC.Hi+1e-6 {
			t.Errorf("seed %d: contact in %v alone, in %v of two", seed, v.TOC, w.TOC)
		}
		if name := "a/" + v.Contact.Pair.A.Name; w.Contact.Pair.A.Name != name && w.Contact.Pair.B.Name != name {
			t.Errorf("seed %d: %v alone, %v of two", seed, v.Contact.Pair, w.Contact.Pair)
		}
	}
	if counts[motion.Free] < 5 || counts[motion.Contact] < 5 {
		t.Errorf("one-sided: %v", counts)
	}
}

// baked returns a robot's collision shapes where it stands at q, as obstacles.
func baked(robot *urdf.Robot, q map[string]float64, poseW geom.Pose) *scene.Snapshot {
	w := &scene.Snapshot{}
	var place func(link int, poseWL geom.Pose)
	place = func(link int, poseWL geom.Pose) {
		l := &robot.Links[link]
		for i, c := range l.Collisions {
			w.Objects = append(w.Objects, object(fmt.Sprintf("%s#%d", l.Name, i), c.Shape, poseWL.Mul(c.PoseLS)))
		}
		for i := range robot.Joints {
			if j := &robot.Joints[i]; j.Parent == link {
				place(j.Child, poseWL.Mul(j.PosePC).Mul(moved(robot, j, q)))
			}
		}
	}
	place(robot.Root, poseW)
	return w
}

func moved(robot *urdf.Robot, j *urdf.Joint, q map[string]float64) geom.Pose {
	x := q[j.Name]
	if j.Mimic != nil {
		x = j.Mimic.Multiplier*q[robot.Joints[j.Mimic.Joint].Name] + j.Mimic.Offset
	}
	switch j.Type {
	case urdf.Revolute, urdf.Continuous:
		return geom.Pose{R: geom.AxisAngle(j.Axis, x)}
	case urdf.Prismatic:
		return geom.Translation(r3.Scale(x, j.Axis))
	}
	return geom.IdentityPose()
}

// meeting is two robots in one cell, judged by the distance of the first, alone,
// to the second as a heap of obstacles.
type meeting struct {
	a, b   urdf.Part
	both   *Checker // the two joined
	alone  *Checker // the first, in its own frame
	aj, bj []string
	stateB map[string]float64
}

func meetWhere(t *testing.T, a, b urdf.Part) *meeting {
	t.Helper()
	m := &meeting{a: a, b: b, both: newChecker(t, join(t, a, b), nil), alone: newChecker(t, a.Robot, nil)}
	m.aj = m.alone.ActiveJoints()
	c := newChecker(t, b.Robot, nil)
	m.bj, m.stateB = c.ActiveJoints(), c.State()
	return m
}

// distance between the two robots at time s of the motion.
func (m *meeting) distance(t *testing.T, mo *motion.Motion, s float64) float64 {
	t.Helper()
	q := mo.At(s)
	qa, qb := map[string]float64{}, map[string]float64{}
	for i, name := range mo.Joints {
		if rest, ok := strings.CutPrefix(name, m.a.Name+"/"); ok {
			qa[rest] = q[i]
		} else {
			qb[strings.TrimPrefix(name, m.b.Name+"/")] = q[i]
		}
	}
	c, err := m.alone.WithWorld(baked(m.b.Robot, qb, m.a.PoseW.Inv().Mul(m.b.PoseW)))
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Distance(context.Background(), qa, motion.DistanceQuery{NoSelf: true, Tolerance: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	return d.World.Hi
}

// holds compares verdicts on random motions of both robots with samples of their
// distance: nothing touches before a contact, what is free never touches.
func (m *meeting) holds(t *testing.T, motions, samples int, reach float64) {
	t.Helper()
	c := m.both
	joints := append(named(m.a.Name, m.aj), named(m.b.Name, m.bj)...)
	met, free := 0, 0
	for seed := range uint64(motions) {
		d := dice{chance.New(seed, 9)}
		mo, err := motion.Between(joints, d.within(c, joints, 0.1), d.within(c, joints, reach), 1)
		if err != nil {
			t.Fatal(err)
		}
		v := ask(t, c, mo, motion.Query{})
		end := 1.0
		switch {
		case v.Status == motion.Free:
			free++
		case v.Status != motion.Contact:
			t.Errorf("seed %d: %v (%s)", seed, v.Status, v.Reason)
			continue
		default:
			end = v.TOC.Lo
			between := strings.HasPrefix(v.Contact.Pair.A.Name, m.a.Name+"/") != strings.HasPrefix(v.Contact.Pair.B.Name, m.a.Name+"/")
			if !between {
				break
			}
			met++
			if dist := m.distance(t, mo, v.TOC.Hi); dist > motion.DefaultTolerance+1e-9 {
				t.Errorf("seed %d: contact of %v at %v, where they are %g apart", seed, v.Contact.Pair, v.TOC, dist)
			}
		}
		if end == 0 {
			continue // in contact from the start
		}
		for i := range samples {
			s := end * (float64(i) + 0.5) / float64(samples)
			if dist := m.distance(t, mo, s); dist <= 0 {
				t.Errorf("seed %d: %v before %g, but the robots touch at %g", seed, v.Status, end, s)
			}
		}
	}
	if met < motions/10 || free < motions/10 {
		t.Errorf("one-sided: of %d motions the robots meet in %d, and %d are free", motions, met, free)
	}
}

// faceToFace is the second robot's pose at distance x from the first, turned
// toward it.
func faceToFace(x float64) geom.Pose {
	return geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, math.Pi), P: geom.Vec{X: x}}
}

func TestHumanoidsMeet(t *testing.T) {
	robot := humanoidRobot(t)
	meetWhere(t, urdf.Part{Name: "ann", Robot: robot, PoseW: pose(1, 2, 0)}, urdf.Part{Name: "bob", Robot: robot, PoseW: pose(1, 2, 0).Mul(faceToFace(0.7))}).holds(t, 20, 5, 0.25)
}

func TestArmsMeet(t *testing.T) {
	dir := "../../shared/robots/"
	a := loadRobot(t, dir+"panda/panda.urdf", dir+"panda/panda.srdf")
	b := loadRobot(t, dir+"ur5e/ur5e.urdf", dir+"ur5e/ur5e.srdf")
	meetWhere(t, urdf.Part{Name: "panda", Robot: a, PoseW: geom.IdentityPose()}, urdf.Part{Name: "ur", Robot: b, PoseW: faceToFace(0.8)}).holds(t, 14, 4, 0.5)
}

// Pairs that are left out by default are of one robot: two that touch at the start
// are in contact, not assumed to be allowed.
func TestJoinedDefaultsStayInOneRobot(t *testing.T) {
	arm := chainOf(
		chainJoint{name: "lift", kind: urdf.Prismatic, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: ball(0.5), at: geom.IdentityPose()},
		chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: ball(0.5), at: geom.IdentityPose()},
	)
	with := *arm
	with.Semantic = &urdf.Semantic{}
	for _, tc := range []struct {
		name    string
		b       *urdf.Robot
		away    float64
		want    motion.Status
		assumed int
	}{
		{"both without an SRDF, apart", arm, 3, motion.Free, 2},
		{"both without an SRDF, overlapping", arm, 0.6, motion.Contact, 2},
		{"one with an empty SRDF", &with, 3, motion.Contact, 1}, // its own balls overlap
	} {
		c := newChecker(t, join(t, urdf.Part{Name: "a", Robot: arm, PoseW: geom.IdentityPose()}, urdf.Part{Name: "b", Robot: tc.b, PoseW: pose(tc.away, 0, 0)}), nil)
		m, err := motion.Between([]string{"a/lift"}, []float64{0}, []float64{0.1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		v := ask(t, c, m, motion.Query{})
		if v.Status != tc.want || v.AssumedPairs != tc.assumed {
			t.Errorf("%s: %v with %d assumed pairs %v", tc.name, v.Status, v.AssumedPairs, c.Pairs().Assumed)
		}
	}
}

// A scene for a cell is in the frame of its root.
func TestJoinedScene(t *testing.T) {
	slider := chainOf(chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: ball(0.5), at: geom.IdentityPose()})
	cell := join(t, urdf.Part{Name: "a", Robot: slider, PoseW: pose(0, 5, 0)})
	world := worldOf(object("wall", box(1, 1, 1), pose(2, 5, 0)))
	world.Frame = urdf.JoinRoot
	v := check(t, cell, world, []string{"a/slide"}, []float64{0}, []float64{2}, motion.Query{})
	wantContactAt(t, v, 0.5, 1e-6)
	world.Frame = "base"
	if _, err := New(cell, world, Options{}); err == nil || !strings.Contains(err.Error(), "root link is world") {
		t.Errorf("a scene in the frame of a part: %v", err)
	}
}

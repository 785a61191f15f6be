package ccd

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// anyRobot takes random robots as they are, however many of their links overlap.
var anyRobot = Options{Accept: premise.Accept{string(premise.DefaultPairs), string(premise.Implausible)}}

// dice makes random robots, worlds and motions.
type dice struct{ chance.Dice }

// kit is the same dice, for robots, worlds and motions.
func (d dice) kit() robots.Dice { return robots.Dice{Dice: d.Dice} }

func (d dice) shape(size float64) *shape.Shape {
	return d.kit().Shape(size, robots.Sphere, robots.Block, robots.Cylinder, robots.Capsule, robots.Cone, robots.Cube, robots.Elbow, robots.Cells, robots.Cloud)
}

func scaled(s *shape.Shape, k float64) *shape.Shape {
	m := *s.Mesh
	m.Vertices = append([]geom.Vec(nil), m.Vertices...)
	for i := range m.Vertices {
		v := &m.Vertices[i]
		v.X, v.Y, v.Z = k*v.X, k*v.Y, k*v.Z
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: &m, Source: s.Source}
}

func (d dice) robot() *urdf.Robot {
	return d.kit().Robot(robots.Plan{
		Kinds: []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Prismatic},
		Mimic: 6, Odd: 15,
		Parts: func() (parts []urdf.Collision) {
			for range 1 + d.IntN(2) {
				parts = append(parts, urdf.Collision{PoseLS: d.Pose(0.15), Shape: d.shape(0.12)})
			}
			return parts
		},
		Base: func() []urdf.Collision { return nil },
	})
}

func (d dice) world() *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range 1 + d.IntN(7) {
		w.Objects = append(w.Objects, object(fmt.Sprint("object", i), d.shape(0.25), d.Pose(0.8)))
	}
	return w
}

// motion makes one or two pieces of random degree, continuous at the knot.
func (d dice) motion(joints []string) *motion.Motion {
	m := d.kit().MotionOf(joints, robots.Travel{Pieces: 2, Sizes: []float64{0.05, 0.5, 3}})
	m.KeepTurns = false
	return m
}

// TestRandomScenes holds verdicts against static distances at many times: free
// is never contradicted, contact is there at TOC.Hi and not before TOC.Lo.
// FIRSTCONTACT_LONG multiplies the number of scenes.
func TestRandomScenes(t *testing.T) {
	race.LeaveOut(t)
	scenes := long(300)
	const seed = 7
	count := map[motion.Status]int{}
	for i := range scenes {
		d := dice{chance.New(seed, uint64(i))}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		q := motion.Query{}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.1)
		}
		if d.IntN(2) == 0 {
			q.Question = motion.MinClearance
		}
		v, err := c.Check(context.Background(), m, q)
		if err != nil {
			t.Fatalf("scene %d: %v", i, err)
		}
		count[v.Status]++
		sampleAgainst(t, fmt.Sprintf("scene %d", i), c, m, q, &v)
	}
	t.Logf("%d scenes: %v", scenes, count)
	if n := count[motion.Undecided]; n > 0 {
		t.Errorf("%d undecided", n)
	}
	if share := float64(count[motion.Contact]) / float64(scenes); share < 0.2 || share > 0.8 {
		t.Errorf("%.0f %% of the scenes collide: the test is one-sided", 100*share)
	}
}

func sampleAgainst(t *testing.T, name string, c *Checker, m *motion.Motion, q motion.Query, v *motion.Verdict) {
	t.Helper()
	distance := func(at float64) float64 {
		positions := map[string]float64{}
		for j, x := range m.At(at) {
			positions[m.Joints[j]] = x
		}
		d, err := c.Distance(context.Background(), positions, motion.DistanceQuery{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return math.Min(d.Self.Hi, d.World.Hi)
	}
	const samples = 200
	smallest := math.Inf(1)
	for i := range samples + 1 {
		if v.Status == motion.Contact && v.ProvenUntil == 0 {
			break // touches from the start: nothing was proved
		}
		at := v.ProvenUntil * float64(i) / samples
		if v.Status == motion.Contact {
			at *= 1 - 1e-9 // the end itself is not proved
		}
		d := distance(at)
		smallest = math.Min(smallest, d)
		if d <= q.Clearance-1e-9 {
			t.Errorf("%s: %v, proven until %g, but at %g the distance is %g (clearance %g)", name, v.Status, v.ProvenUntil, at, d, q.Clearance)
			return
		}
	}
	switch {
	case v.Status == motion.Contact:
		if d := distance(v.TOC.Hi); d > q.Clearance+2*motion.DefaultTolerance {
			t.Errorf("%s: contact at %.9f, but the distance there is %g (clearance %g)", name, v.TOC.Hi, d, q.Clearance)
		}
	case v.MinClearance.Known:
		b := v.MinClearance.Bounds
		if smallest < b.Lo-1e-9 {
			t.Errorf("%s: clearance in [%g, %g], but a sample is %g apart", name, b.Lo, b.Hi, smallest)
		}
		if b.Hi-b.Lo > motion.DefaultClearanceTolerance*1.001 || b.Hi > smallest+motion.DefaultClearanceTolerance {
			t.Errorf("%s: clearance in [%g, %g] is loose; a sample is %g apart", name, b.Lo, b.Hi, smallest)
		}
	}
}

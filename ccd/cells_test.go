package ccd

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func cellsOf(cells ...geom.Box) *shape.Shape {
	return &shape.Shape{Kind: shape.Cells, Cells: cells}
}

func cube(at geom.Vec, side float64) geom.Box {
	return geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: side, Y: side, Z: side})}
}

// A ball that slides toward two cells meets the face of the nearer, 1 m away.
func TestCellTimeOfContact(t *testing.T) {
	robot := chainOf(chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: ball(0.25), at: geom.IdentityPose()})
	cells := cellsOf(cube(geom.Vec{X: 3, Y: -0.5, Z: -0.5}, 1), cube(geom.Vec{X: 1.25, Y: -0.25, Z: -0.25}, 0.5))
	v := check(t, robot, worldOf(object("octree", cells, geom.IdentityPose())), []string{"slide"}, []float64{0}, []float64{2}, motion.Query{})
	wantContactAt(t, v, 0.5, 1e-6)
	// Turned by 45 degrees, the near edge of this one is at x = 0, y = 0.2: the ball
	// meets it at x = -0.15.
	turned := geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, math.Pi/4)}
	cells = cellsOf(cube(geom.Vec{X: 0.2 / math.Sqrt2, Y: 0.2 / math.Sqrt2, Z: -0.25}, 0.5))
	v = check(t, robot, worldOf(object("octree", cells, turned)), []string{"slide"}, []float64{-2}, []float64{2}, motion.Query{})
	wantContactAt(t, v, 1.85/4, 1e-6)
}

// A cell inside a closed mesh touches no triangle, and neither does a mesh inside
// a cell: both are contacts, each cell asked for itself.
func TestCellsAreSolid(t *testing.T) {
	l := scaled(lMesh(), 5) // arms of width 1 along x and y
	inside, between := cube(geom.Vec{X: 2, Y: 0.4, Z: -0.1}, 0.2), cube(geom.Vec{X: 2, Y: 2, Z: -0.1}, 0.2)
	around := cube(geom.Vec{X: -20, Y: -20, Z: -20}, 40)
	for name, tc := range map[string]struct {
		cells *shape.Shape
		want  motion.Status
	}{
		"one of two cells in the solid": {cellsOf(between, inside), motion.Contact},
		"a cell between its arms":       {cellsOf(between), motion.Free},
		"the solid within a cell":       {cellsOf(between, around), motion.Contact},
	} {
		robot := chainOf(chainJoint{name: "turn", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: l, at: geom.IdentityPose()})
		world := worldOf(object("octree", tc.cells, geom.IdentityPose()))
		v := check(t, robot, world, []string{"turn"}, []float64{0}, []float64{0.01}, motion.Query{})
		if v.Status != tc.want {
			t.Errorf("%s: %v, want %v", name, v.Status, tc.want)
		}
		c, err := New(robot, world, Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Distance(context.Background(), map[string]float64{"turn": 0}, motion.DistanceQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if touches := d.World.Hi == 0; touches != (tc.want == motion.Contact) {
			t.Errorf("%s: distance %v", name, d.World)
		}
	}
}

// Cells are verdict for verdict what the same boxes are as objects of their own.
func TestCellsAreBoxes(t *testing.T) {
	counts := map[motion.Status]int{}
	for seed := range uint64(60) {
		d := dice{chance.New(seed, 77)}
		robot := d.robot()
		at := d.Pose(0.5)
		n := 1 + d.IntN(12)
		var cells []geom.Box
		apart := &scene.Snapshot{}
		for i := range n {
			side := math.Ldexp(0.05, d.IntN(3))
			c := cube(geom.Vec{X: side * float64(d.IntN(9)-4), Y: side * float64(d.IntN(9)-4), Z: side * float64(d.IntN(9)-4)}, side)
			cells = append(cells, c)
			apart.Objects = append(apart.Objects, object(fmt.Sprint("box", i), box(side, side, side), at.Mul(geom.Translation(c.Center()))))
		}
		joined, err := New(robot, worldOf(object("octree", cellsOf(cells...), at)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		single, err := joined.WithWorld(apart)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(joined.ActiveJoints())
		q := motion.Query{NoSelf: true, Clearance: 0.01}
		a, err := joined.Check(context.Background(), m, q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := single.Check(context.Background(), m, q)
		if err != nil {
			t.Fatal(err)
		}
		counts[a.Status]++
		if a.Status != b.Status {
			t.Errorf("seed %d: %v as cells, %v as boxes", seed, a.Status, b.Status)
		} else if early := min(a.TOC.Hi, b.TOC.Hi); a.Status == motion.Contact && max(a.TOC.Lo, b.TOC.Lo) > early+1e-6 && !tied(t, single, m, early, q.Clearance) {
			t.Errorf("seed %d: contact in %v as cells, in %v as boxes", seed, a.TOC, b.TOC)
		}
	}
	if counts[motion.Free] < 10 || counts[motion.Contact] < 10 {
		t.Errorf("one-sided: %v", counts)
	}
}

// tied reports whether at a time the distance is above the clearance by no more than
// the tolerance: one search may then have met a witness that another passed.
func tied(t *testing.T, c *Checker, m *motion.Motion, at, clearance float64) bool {
	t.Helper()
	positions := map[string]float64{}
	for i, x := range m.At(at) {
		positions[m.Joints[i]] = x
	}
	d, err := c.Distance(context.Background(), positions, motion.DistanceQuery{NoSelf: true})
	if err != nil {
		t.Fatal(err)
	}
	return d.World.Hi > clearance-1e-9 && d.World.Lo <= clearance+1e-6+1e-9
}

package catch

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The L that slides along a wall: its foot stays a millimetre above the ground while
// its upright arm comes to a wall that stands on it. Ground and wall are one body, and
// L and ground are both not convex, so one direction says nothing of the rest.

const above = 1e-3

// slidingL is an L (arms of 0.5 m, 0.1 m wide) on a joint that slides it along x.
func slidingL() *urdf.Robot {
	upright := geom.Pose{R: geom.AxisAngle(geom.Vec{X: 1}, math.Pi/2)} // y up
	return &urdf.Robot{
		Name: "sliding L",
		Links: []urdf.Link{
			{Name: "base", ParentJoint: -1},
			{Name: "L", ParentJoint: 0, Collisions: []urdf.Collision{{PoseLS: upright, Shape: meshOf(elbow(0.5))}}},
		},
		Joints: []urdf.Joint{{
			Name: "slide", Type: urdf.Prismatic, Parent: 0, Child: 1, PosePC: geom.IdentityPose(),
			Axis: geom.Vec{X: 1}, Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		}},
	}
}

// groundAndWall is a ground at z = -above and a wall at x = 2 that begins 0.3 m above
// it: the foot passes under, the arm does not. Its surface is open at the sides.
func groundAndWall() *shape.Shape {
	m := &mesh.Mesh{Vertices: []geom.Vec{
		{X: -1, Y: -1, Z: -above},
		{X: 4, Y: -1, Z: -above},
		{X: 4, Y: 1, Z: -above},
		{X: -1, Y: 1, Z: -above},
		{X: 2, Y: -1, Z: 0.3},
		{X: 2, Y: 1, Z: 0.3},
		{X: 2, Y: 1, Z: 1},
		{X: 2, Y: -1, Z: 1},
	}}
	m.Triangles = [][3]int32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}
	return meshOf(m)
}

func slide(from, to float64) *motion.Motion {
	return &motion.Motion{Joints: []string{"slide"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{from, to}}}}}
}

// advanceByOneDirection is the literal rule of equations 4 to 6 for an L that moves by
// velocity v: from x on it takes the closest points of both shapes, their distance d and
// direction n, bounds the speed along n, and advances by the quotient. It returns the
// time of contact, or +Inf.
func advanceByOneDirection(l, ground []convex.Core, v geom.Vec) float64 {
	identity := geom.IdentityPose()
	for t := 0.0; t <= 1; {
		pose := geom.Translation(r3.Scale(t, v))
		d, n := math.Inf(1), geom.Vec{}
		for i := range l {
			for j := range ground {
				if r := convex.Distance(&l[i], &pose, &ground[j], &identity, nil); r.Distance < d {
					d, n = r.Distance, r.Normal
				}
			}
		}
		if d < 1e-6 {
			return t
		}
		t += d / math.Abs(r3.Dot(v, n))
	}
	return math.Inf(1)
}

// trianglesOf returns a mesh's triangles at a pose as convex sets.
func trianglesOf(s *shape.Shape, pose geom.Pose) (out []convex.Core) {
	for _, t := range s.Mesh.Triangles {
		c := convex.Core{Kind: convex.Triangle}
		for _, v := range t {
			c.Vertices = append(c.Vertices, pose.Apply(s.Mesh.Vertices[v]))
		}
		out = append(out, c)
	}
	return out
}

// TestTheSlidingLMeetsTheWall: by one direction for the pair the L is let through the
// wall; by one for each pair of volumes it stops at it.
func TestTheSlidingLMeetsTheWall(t *testing.T) {
	robot, ground := slidingL(), groundAndWall()
	part := robot.Links[1].Collisions[0]
	const length = 3.5
	wrong := advanceByOneDirection(trianglesOf(part.Shape, part.PoseLS), trianglesOf(ground, geom.IdentityPose()), geom.Vec{X: length})
	if !math.IsInf(wrong, 1) {
		t.Errorf("the literal rule finds a contact at %g: the example shows nothing", wrong)
	}
	world := &scene.Snapshot{Objects: []scene.Object{{ID: "ground", Shape: ground, PoseWS: geom.IdentityPose()}}}
	r := newRig(t, robot, world, 0, false)
	v := r.w.Check(context.Background(), r.bind(t, slide(0, length)), motion.Query{})
	// The upright arm is x in [0, 0.1] of the L: it meets the wall at x = 2 - 0.1.
	if want := 1.9 / length; v.Status != motion.Contact || math.Abs(v.TOC.Hi-want) > 2e-6 {
		t.Errorf("%v in %v, want contact at %g", v.Status, v.TOC, want)
	}
	if math.Abs(v.Contact.Normal.X) < 0.9 {
		t.Errorf("the contact's normal is %v: it should be the wall's", v.Contact.Normal)
	}
	t.Logf("%+v", r.w.Stats())
}

// level is an arm of two equal links in an upright plane with a hand that a third joint
// keeps level: q2 = -2 q1 and q3 = q1 move the hand straight along x.
func level(length float64) *urdf.Robot {
	r := &urdf.Robot{Name: "level", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	for i, x := range []float64{0, length, length} {
		r.Joints = append(r.Joints, urdf.Joint{
			Name: fmt.Sprint("q", i+1), Type: urdf.Revolute, Parent: i, Child: i + 1, Axis: geom.Vec{Y: 1},
			PosePC: geom.Translation(geom.Vec{X: x}), Limit: urdf.Limit{Bounded: true, Lower: -3, Upper: 3},
		})
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("link", i+1), ParentJoint: i})
	}
	r.Links[3].Collisions = []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{Z: 0.05 + 0.3e-3}), Shape: box(0.1, 0.1, 0.1)}}
	return r
}

// TestSlideAboveATable: a hand slides 20 cm along, 0.3 mm above a table, by joints that
// turn against each other. Sums of sizes must outweigh all their speeds; models of the
// speed towards the table know that there is next to none.
func TestSlideAboveATable(t *testing.T) {
	const length = 0.5
	table := &scene.Snapshot{Objects: []scene.Object{{ID: "table", Shape: box(2, 2, 0.1), PoseWS: geom.Translation(geom.Vec{X: 0.6, Z: -0.05})}}}
	r := newRig(t, level(length), table, 0, false)
	from, to := math.Acos(0.9/(2*length)), math.Acos(0.7/(2*length))
	m, err := motion.Between([]string{"q1", "q2", "q3"}, []float64{from, -2 * from, from}, []float64{to, -2 * to, to}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var steps [2]int
	for i, o := range []Options{{}, {SumsOfNorms: true}} {
		r.w.Options = o
		if v := r.w.Check(context.Background(), r.bind(t, m), motion.Query{}); v.Status != motion.Free {
			t.Errorf("%+v: %v: %s", o, v.Status, v.Reason)
		}
		st := r.w.Stats()
		steps[i] = st.HullSteps + st.Steps
	}
	t.Logf("%d steps by Taylor models, %d by sums of norms", steps[0], steps[1])
	if steps[0]*10 > steps[1] {
		t.Error("Taylor models save fewer than nine steps in ten")
	}
}

package ccd

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// flatArm is an arm of two equal links in a plane, with a hand that a third joint
// keeps level: q2 = -2 q1 and q3 = q1 move the hand along the x axis.
func flatArm(axis geom.Vec, length float64, hand *shape.Shape, at geom.Pose) *urdf.Robot {
	robot := &urdf.Robot{Name: "flat arm", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	for i, x := range []float64{0, length, length} {
		robot.Joints = append(robot.Joints, urdf.Joint{
			Name: fmt.Sprint("q", i+1), Type: urdf.Revolute, Parent: i, Child: i + 1, Axis: axis,
			PosePC: geom.Translation(geom.Vec{X: x}), Limit: urdf.Limit{Bounded: true, Lower: -3, Upper: 3},
		})
		robot.Links = append(robot.Links, urdf.Link{Name: fmt.Sprint("link", i+1), ParentJoint: i})
	}
	robot.Links[3].Collisions = []urdf.Collision{{PoseLS: at, Shape: hand}}
	return robot
}

// A hand slides 20 cm along, 0.3 mm above a table. A bound of first order must
// outweigh the speed: it needs hundreds of distances. One of second order needs
// some for what the joints' turning may bend, and next to none where the axes stand
// upright or the joint slides.
func TestSlideAboveATable(t *testing.T) {
	const length, above = 0.5, 0.3e-3
	table := worldOf(object("table", box(2, 2, 0.1), pose(0.6, 0, -0.05)))
	hand, at := box(0.1, 0.1, 0.1), pose(0, 0, 0.05+above)
	slide := chainOf(chainJoint{name: "q1", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: hand, at: at})
	from, to := math.Acos(0.9/(2*length)), math.Acos(0.7/(2*length)) // from x = 0.9 to 0.7
	arm := [2][]float64{{from, -2 * from, from}, {to, -2 * to, to}}
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		ends  [2][]float64
		most  int
	}{
		{"sliding", slide, [2][]float64{{0.9}, {0.7}}, 1},
		{"turning about the vertical", flatArm(geom.Vec{Z: 1}, length, hand, at), arm, 20},
		{"turning in a vertical plane", flatArm(geom.Vec{Y: 1}, length, hand, at), arm, 40},
	} {
		m, err := motion.Between([]string{"q1", "q2", "q3"}[:len(c.ends[0])], c.ends[0], c.ends[1], 1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := newChecker(t, c.robot, table).Check(context.Background(), m, motion.Query{Question: motion.IsFree})
		if err != nil || v.Status != motion.Free {
			t.Fatalf("%s: %v, %v", c.name, v.Status, err)
		}
		t.Logf("%s: %+v", c.name, v.Work)
		if v.Work.Distances > c.most {
			t.Errorf("%s: %d distances, at most %d wanted", c.name, v.Work.Distances, c.most)
		}
	}
}

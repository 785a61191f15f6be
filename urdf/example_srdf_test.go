package urdf_test

import (
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A robot and its SRDF, which says which links may touch.
func ExampleLoadSRDF() {
	robot, err := urdf.Load("../testdata/pairs/lever.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if robot, err = urdf.LoadSRDF(robot, "../testdata/pairs/lever.srdf"); err != nil {
		log.Fatal(err)
	}
	for _, d := range robot.Semantic.Disabled {
		fmt.Println(robot.Links[d.A].Name, "and", robot.Links[d.B].Name, "may touch:", d.Reason)
	}
	fmt.Println(robot.Semantic.States[0].Name, robot.Semantic.States[0].Positions)
	// Output:
	// base and hand may touch: Never
	// hand and lamp may touch: Always
	// up map[elbow:0 shoulder:1]
}

// Two arms that share a workspace become one robot. Names get the arm's name as prefix.
func ExampleJoin() {
	arm, err := urdf.Load("../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	both, err := urdf.Join("cell", []urdf.Part{
		{Name: "left", Robot: arm, PoseW: geom.Translation(geom.Vec{Y: 0.5})},
		{Name: "right", Robot: arm, PoseW: geom.Translation(geom.Vec{Y: -0.5})},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range both.Joints {
		if j.Type != urdf.Fixed {
			fmt.Println(j.Name)
		}
	}
	// Output:
	// left/shoulder
	// left/elbow
	// right/shoulder
	// right/elbow
}

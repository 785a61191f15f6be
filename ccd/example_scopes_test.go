package ccd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// passer is a robot with a block on its base, and a ball that slides along x.
const passer = `<robot name="passer">
<link name="base"><collision><origin xyz="0.6 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="carriage"/>
<link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="y" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="x" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="1 0 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
</robot>`

// A motion hits the robot itself first and the world later: each scope has an answer of
// its own, and a list says what touches at the first contact.
func ExampleChecker_Check_eachScope() {
	robot, err := urdf.Parse([]byte(passer), urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	world, err := scene.Parse("cell.yaml", []byte("objects: [{id: wall, type: box, size: [0.02, 1, 1], xyz: [1.31, 0, 0]}]"), scene.Options{})
	if err != nil {
		log.Fatal(err)
	}
	checker, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		log.Fatal(err)
	}
	slide, err := motion.Between([]string{"x"}, []float64{-0.2}, []float64{1.8}, 1)
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := checker.Check(context.Background(), slide, motion.Query{EachScope: true, MaxContacts: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, scope := range []*motion.ScopeVerdict{verdict.Self, verdict.World} {
		pair := scope.Contact.Pair
		fmt.Printf("%s: %s and %s at %.3f s\n", scope.Status, pair.A.Name, pair.B.Name, scope.TOC.Hi)
	}
	for _, contact := range verdict.Contacts {
		fmt.Printf("at %.3f s: %s\n", contact.Time, contact.Features())
	}
	fmt.Println("more:", verdict.MoreContacts)
	// Output:
	// contact: base and ball at 0.300 s
	// contact: ball and wall at 0.700 s
	// at 0.300 s: face -x of base against ball of ball
	// more: false
}

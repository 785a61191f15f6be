package scene_test

import (
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// The robot grasps a can: it leaves the table and moves with the hand, whose fingers may
// touch it. A snapshot never changes; With returns the next one.
func ExampleSnapshot_With() {
	can := scene.NewCylinder("can", geom.Translation(geom.Vec{X: 0.5, Z: 0.1}), 0.03, 0.2)
	before, err := scene.New("base", can)
	if err != nil {
		log.Fatal(err)
	}
	after, err := before.With(can.Attach("hand", geom.Translation(geom.Vec{Z: 0.1}), "finger"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(before.Version, before.Objects[0].AttachedTo == "")
	fmt.Println(after.Version, after.Objects[0].AttachedTo)
	// Output:
	// 1 true
	// 2 hand
}

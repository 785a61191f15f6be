package selfcollision_test

import (
	"context"
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// arm has a column, an upper arm that turns about the vertical by a quarter turn to
// either side, a forearm, and a lamp that is fixed behind the column.
const arm = `<robot name="arm">
  <link name="column"><collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.08 0.08"/></geometry></collision></link>
  <link name="fore"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.06 0.06"/></geometry></collision></link>
  <link name="lamp"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute">
    <parent link="column"/><child link="upper"/><origin xyz="0 0 1.05"/><axis xyz="0 0 1"/><limit lower="-1.57" upper="1.57" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/><limit lower="-1.5" upper="1.5" effort="1" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="column"/><child link="lamp"/><origin xyz="-0.6 0 1"/></joint>
</robot>`

// How far an arm reaches, how close it can come to its own lamp, and how far it is from
// itself and from an obstacle at one configuration.
func ExampleNewRangeOfMotion() {
	robot, err := urdf.Parse([]byte(arm), urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	world := &scene.Snapshot{Objects: []scene.Object{scene.NewSphere("ball", geom.Translation(geom.Vec{X: 1.4, Z: 1}), 0.2)}}
	ctx := context.Background()
	r, err := selfcollision.NewRangeOfMotion(ctx, robot, world, selfcollision.Options{})
	if err != nil {
		log.Fatal(err)
	}
	swept, _ := r.Swept("shoulder")
	fmt.Printf("the arm stays within %.2f m of a point at height %.2f m\n", swept.Radius, swept.Center.Z)
	apart, _ := r.MinDistance("fore", "lamp")
	fmt.Printf("the forearm never comes closer to the lamp than %.2f m\n", apart)

	q := r.NewQuery()
	straight := []float64{0, 0} // of shoulder and elbow: see Variables
	self, _ := q.Self(ctx, straight, selfcollision.Precision{})
	fmt.Printf("%s and %s are %.2f m apart\n", self.Pair.A.Name, self.Pair.B.Name, self.Bounds.Lo)
	obstacle, _ := q.World(ctx, straight, selfcollision.Precision{})
	fmt.Printf("%s and %s are %.2f m apart\n", obstacle.Pair.A.Name, obstacle.Pair.B.Name, obstacle.Bounds.Lo)
	// Output:
	// the arm stays within 0.90 m of a point at height 1.05 m
	// the forearm never comes closer to the lamp than 0.46 m
	// column and fore are 0.40 m apart
	// fore and ball are 0.30 m apart
}

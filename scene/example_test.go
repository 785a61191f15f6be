package scene_test

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

func ExampleNew() {
	table := scene.NewBox("table", geom.Translation(geom.Vec{X: 0.5, Z: 0.2}), geom.Vec{X: 1.2, Y: 0.8, Z: 0.04})
	world, err := scene.New("base_link", table)
	if err != nil {
		fmt.Println(err)
		return
	}
	can := scene.NewCylinder("can", geom.Translation(geom.Vec{X: 0.5, Z: 0.32}), 0.03, 0.2)
	next, err := world.With(can)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(world.Version, len(world.Objects), next.Version, len(next.Objects))
	// Output: 1 1 2 2
}

func ExampleParse() {
	_, err := scene.Parse("cell.yaml", []byte(`
objects:
  - {id: table, type: box, siez: [1.2, 0.8, 0.04]}
`), scene.Options{})
	fmt.Println(err)
	// Output: cell.yaml:3: object table: box has an unknown key "siez": use one of id, type, xyz, quat_xyzw, rpy, padding, attached_to, touch_links, size
}

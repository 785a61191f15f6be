package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// bar is a robot of one box, 1 m along x and 10 cm thick, that turns about z at its end.
func bar() (*urdf.Robot, error) {
	return urdf.Parse([]byte(`<robot name="bar"><link name="base"/>
<link name="bar"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/></joint></robot>`), urdf.Options{})
}

// slide is a robot of one box that slides along x and rolls about that axis: a cylinder of 1 m and
// a radius of 5 cm.
func slide() (*urdf.Robot, error) {
	return urdf.Parse([]byte(`<robot name="slide"><link name="base"/><link name="rail"/>
<link name="bar"><collision><origin rpy="0 1.5707963267948966 0"/><geometry><cylinder radius="0.05" length="1"/></geometry></collision></link>
<joint name="along" type="prismatic"><parent link="base"/><child link="rail"/><axis xyz="1 0 0"/><limit lower="-10" upper="10" velocity="1" effort="1"/></joint>
<joint name="roll" type="continuous"><parent link="rail"/><child link="bar"/><axis xyz="1 0 0"/></joint></robot>`), urdf.Options{})
}

// arm is a chain of n links of 15 cm, whose joints bend in turns sideways and up, on a base.
func arm(n int) (*urdf.Robot, []string, error) {
	var b strings.Builder
	var joints []string
	b.WriteString(`<robot name="arm"><link name="link0"><collision><geometry><box size="0.15 0.15 0.1"/></geometry></collision></link>`)
	for i := 1; i <= n; i++ {
		axis := "0 1 0"
		if i%2 == 1 {
			axis = "0 0 1"
		}
		name := fmt.Sprintf("joint%d", i)
		joints = append(joints, name)
		fmt.Fprintf(&b, `<link name="link%d"><collision><origin xyz="0.075 0 0" rpy="0 %g 0"/><geometry><cylinder radius="0.03" length="0.1"/></geometry></collision></link>
<joint name="%s" type="revolute"><origin xyz="%g 0 0"/><parent link="link%d"/><child link="link%d"/><axis xyz="%s"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>`,
			i, math.Pi/2, name, map[bool]float64{true: 0.1, false: 0.15}[i == 1], i-1, i, axis)
	}
	b.WriteString("</robot>")
	r, err := urdf.Parse([]byte(b.String()), urdf.Options{})
	return r, joints, err
}

func checkerOf(r *urdf.Robot, objects ...scene.Object) (*ccd.Checker, error) {
	world, err := scene.New("", objects...)
	if err != nil {
		return nil, err
	}
	return ccd.New(r, world, ccd.Options{})
}

// torus is a ring about z of at most so many triangles, within which a circle of radius - thick fits
// as it does in a torus.
func torus(triangles int, radius, thick float64) ([]geom.Vec, [][3]int32) {
	n := max(3, int(math.Sqrt(float64(triangles)/2)))
	radius = (radius-thick)/math.Cos(math.Pi/float64(n)) + thick // sides are nearer than corners
	vertices, faces := make([]geom.Vec, 0, n*n), make([][3]int32, 0, 2*n*n)
	at := func(i, k int) int32 { return int32(i%n*n + k%n) }
	for i := range n {
		for k := range n {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			u, v := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			r := radius + thick*v
			vertices = append(vertices, geom.Vec{X: r * c, Y: r * s, Z: thick * u})
			faces = append(faces, [3]int32{at(i, k), at(i+1, k), at(i+1, k+1)}, [3]int32{at(i, k), at(i+1, k+1), at(i, k+1)})
		}
	}
	return vertices, faces
}

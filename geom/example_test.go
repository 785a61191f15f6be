package geom_test

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// A camera stands 2 m before the robot's base, turned about z by a quarter turn. It sees
// a point 1 m ahead along its own x axis. Adjoining letters of the frames cancel.
func ExamplePose_Mul() {
	poseBC := geom.Pose{R: geom.RPY(0, 0, math.Pi/2), P: geom.Vec{X: 2}} // camera in base
	poseCX := geom.Translation(geom.Vec{X: 1})                           // point in camera
	poseBX := poseBC.Mul(poseCX)
	fmt.Printf("%.1f %.1f %.1f\n", poseBX.P.X, poseBX.P.Y, poseBX.P.Z)
	back := poseBC.ApplyInv(poseBX.P)
	fmt.Printf("%.1f %.1f %.1f\n", back.X, back.Y, back.Z)
	// Output:
	// 2.0 1.0 0.0
	// 1.0 0.0 0.0
}

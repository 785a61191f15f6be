package main

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// continuousJoints tells which joints come back to the same pose after a whole turn
// (motionfile.Options.Continuous). A continuous joint that another one follows is not
// listed: that depends on the number of turns.
func continuousJoints(robot *urdf.Robot) map[string]bool {
	followed := map[int]bool{}
	for i := range robot.Joints {
		if m := robot.Joints[i].Mimic; m != nil {
			followed[m.Joint] = true
		}
	}
	out := map[string]bool{}
	for i := range robot.Joints {
		switch j := &robot.Joints[i]; {
		case j.Type == urdf.Planar:
			out[j.Name+"/x"], out[j.Name+"/y"], out[j.Name+"/theta"] = false, false, true
		case j.Type != urdf.Continuous:
			out[j.Name] = false
		case !followed[i]:
			out[j.Name] = true
		}
	}
	return out
}

// betweenSamples says of a contact in a recording that nobody measured it.
func betweenSamples(p *motion.Piece) string {
	return fmt.Sprintf("the contact lies between samples at %.6f and %.6f s, where the joints are taken to move in straight lines", p.Start, p.End)
}

package main

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
)

// file is a file of problems, of one robot.
type file struct{ *benchmaker.File }

// allowed lists pairs of links that touch as designed, and that the robot's SRDF lacks: a, b, a, b, ...
func (f *file) allowed() (out []string) {
	if f.Robot != "baxter" {
		return nil
	}
	out = []string{"pedestal", "pedestal_2"}
	for _, finger := range []string{"r_gripper_l_finger", "r_gripper_r_finger", "l_gripper_l_finger", "l_gripper_r_finger"} {
		out = append(out, finger, finger+"_2")
	}
	return out
}

// patience is what multiple of other robots' time RRTConnect has, and reach the length of its motions at most (rad), 0 for OMPL's own.
// At OMPL's, a fifth of the extent of the space, it finds hardly any path for Baxter's two arms within seconds, with any checker.
func (f *file) patience() (patience, reach float64) {
	if f.Robot == "baxter" {
		return 3, 0.5
	}
	return 1, 0
}

// inRound returns a problem of each set, sets by name: in a hundred rounds each of a hundred problems once, in fewer some that are
// spread evenly.
func (f *file) inRound(round int) (out []*benchmaker.Problem) {
	for _, set := range slices.Sorted(maps.Keys(f.Sets)) {
		if list := f.Sets[set]; round < len(list) {
			out = append(out, &list[spread(len(list))[round]])
		}
	}
	return out
}

// spread lists the numbers below n in an order whose beginnings are spread evenly: that of their bits in reverse.
func spread(n int) []int {
	width := bits.Len(uint(n - 1))
	var out []int
	for i := range 1 << width {
		if at := int(bits.Reverse(uint(i)) >> (bits.UintSize - width)); at < n {
			out = append(out, at)
		}
	}
	return out
}

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file of problems, of one robot.
type file struct {
	path, urdf, srdf string
	Robot, URDF      string
	Joints           []string
	Sets             map[string][]problem
}

// problem is a start and a goal among objects.
type problem struct {
	robot, set string

	Index       int
	Start, Goal []float64
	Others      map[string]float64 `json:"other_joints"`
	Objects     []object
}

type object struct {
	ID, Type       string
	XYZ            [3]float64
	Quat           [4]float64 `json:"quat_xyzw"`
	Size           []float64
	Length, Radius float64
}

func (p *problem) name() string { return fmt.Sprintf("%s %s %d", p.robot, p.set, p.Index) }

// load reads a robot's problems below the folder that holds robots/ and scenes/.
func load(data, robot string) (f file, err error) {
	f.path = filepath.Join(data, "scenes", "motionbenchmaker", robot+".json")
	text, err := os.ReadFile(f.path)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("%s: %w", f.path, err)
	}
	f.urdf = filepath.Join(data, f.URDF)
	f.srdf = strings.TrimSuffix(f.urdf, ".urdf") + ".srdf"
	for set, list := range f.Sets {
		for i := range list {
			list[i].robot, list[i].set = robot, set
		}
	}
	return f, nil
}

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
func (f *file) inRound(round int) (out []*problem) {
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

// size is what the program takes for the object's type.
func (o *object) size() []float64 {
	switch o.Type {
	case "cylinder":
		return []float64{o.Length, o.Radius}
	case "sphere":
		return []float64{o.Radius}
	}
	return o.Size
}

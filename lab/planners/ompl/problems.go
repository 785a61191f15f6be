package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file of problems, of one robot.
type file struct {
	path, urdf, srdf string
	URDF             string
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

// chosen returns n problems of each set, spread evenly, sets by name.
func (f *file) chosen(n int) (out []*problem) {
	for _, set := range slices.Sorted(maps.Keys(f.Sets)) {
		list := f.Sets[set]
		n := min(n, len(list))
		for i := range n {
			out = append(out, &list[(2*i+1)*len(list)/(2*n)])
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

// Package benchmaker reads planning problems of MotionBenchMaker, as they are in ../shared/scenes, for judges and
// planners that are not to share the product's reader.
package benchmaker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// File is a file of problems of one robot.
type File struct {
	Path       string `json:"-"`
	Robot      string
	URDF, SRDF string // files
	Joints     []string
	Sets       map[string][]Problem
}

// Problem is a start and a goal among objects.
type Problem struct {
	Robot, Set string `json:"-"`

	Index       int
	Start, Goal []float64          // of the file's joints, in rad or m
	Others      map[string]float64 `json:"other_joints"`
	Objects     []Object
}

// Object is a box, a cylinder or a sphere in the world.
type Object struct {
	ID, Type       string
	XYZ            [3]float64
	Quat           [4]float64 `json:"quat_xyzw"`
	Size           []float64  // of a box
	Length, Radius float64    // of what is round
}

// Load reads a robot's problems below the folder that holds robots/ and scenes/.
func Load(folder, robot string) (*File, error) {
	f := &File{Path: filepath.Join(folder, "scenes", "motionbenchmaker", robot+".json")}
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	f.URDF = filepath.Join(folder, f.URDF)
	f.SRDF = strings.TrimSuffix(f.URDF, ".urdf") + ".srdf"
	for set, list := range f.Sets {
		for i := range list {
			list[i].Robot, list[i].Set = robot, set
		}
	}
	return f, nil
}

// String is the problem's robot, set and number.
func (p *Problem) String() string { return fmt.Sprintf("%s %s %d", p.Robot, p.Set, p.Index) }

// Dimensions are the sides of a box, the length and the radius of a cylinder, or the radius of a sphere, in metres.
func (o *Object) Dimensions() []float64 {
	switch o.Type {
	case "cylinder":
		return []float64{o.Length, o.Radius}
	case "sphere":
		return []float64{o.Radius}
	}
	return o.Size
}

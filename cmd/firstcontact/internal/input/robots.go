package input

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Load reads the robot and its SRDF, or combines the robots of a cell.
func (f *RobotFlags) Load(ctx context.Context) (*urdf.Robot, error) {
	dirs, err := f.PackageDirs()
	if err != nil {
		return nil, err
	}
	cell, err := f.cell()
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	if len(cell) == 1 && cell[0].name == "" {
		return f.loadRobot(ctx, &cell[0], dirs)
	}
	parts := make([]urdf.Part, len(cell))
	for i := range cell {
		m := &cell[i]
		r, err := f.loadRobot(ctx, m, dirs)
		if err != nil {
			return nil, fmt.Errorf("robot %s: %w", m.name, err)
		}
		parts[i] = urdf.Part{Name: m.name, Robot: r, PoseW: m.poseW}
	}
	return urdf.Join("cell", parts)
}

// member is one robot of a cell. The name is empty if there is only one.
type member struct {
	name, urdf, srdf string
	poseW            geom.Pose
}

// cell gathers --robot, --srdf and --place by name.
func (f *RobotFlags) cell() ([]member, error) {
	if len(f.Robots) == 0 {
		return nil, errors.New("--robot is needed: the robot's URDF file")
	}
	var cell robotCell
	for _, arg := range f.Robots {
		name, file := CutName(arg)
		if file == "" {
			return nil, fmt.Errorf("--robot %s: the name of the file is empty: give NAME=FILE", arg)
		}
		if cell.find(name) != nil {
			if name == "" {
				return nil, errors.New("--robot is given twice: name each of several robots, --robot NAME=FILE")
			}
			return nil, fmt.Errorf("--robot %s: two robots are named %s", arg, name)
		}
		cell = append(cell, member{name: name, urdf: file, poseW: geom.IdentityPose()})
	}
	if len(cell) > 1 && cell.find("") != nil {
		return nil, fmt.Errorf("--robot %s: name each of several robots, --robot NAME=FILE", cell.find("").urdf)
	}
	if err := f.describe(cell); err != nil {
		return nil, err
	}
	return cell, f.place(cell)
}

// robotCell is the robots of a cell.
type robotCell []member

// find returns the robot of a name, or nil.
func (c robotCell) find(name string) *member {
	for i := range c {
		if c[i].name == name {
			return &c[i]
		}
	}
	return nil
}

// describe gives each robot its SRDF.
func (f *RobotFlags) describe(cell robotCell) error {
	for _, arg := range f.SRDFs {
		name, file := CutName(arg)
		m := cell.find(name)
		switch {
		case file == "":
			return fmt.Errorf("--srdf %s: the name of the file is empty: give one, or leave the flag out", arg)
		case m == nil:
			return fmt.Errorf("--srdf %s: %s", arg, nobody(name))
		case m.srdf != "":
			return fmt.Errorf("--srdf %s: it has an SRDF already", arg)
		}
		m.srdf = file
	}
	return nil
}

// place puts robots where --place says.
func (f *RobotFlags) place(cell robotCell) error {
	placed := map[string]bool{}
	for _, arg := range f.Places {
		name, pose, err := place(arg)
		if err != nil {
			return err
		}
		m := cell.find(name)
		switch {
		case m == nil:
			return fmt.Errorf("--place %s: %s", arg, nobody(name))
		case placed[name]:
			return fmt.Errorf("--place %s: it has a place already", arg)
		}
		m.poseW, placed[name] = pose, true
	}
	return nil
}

func nobody(name string) string {
	if name == "" {
		return "name the robot, as in --robot NAME=FILE"
	}
	return fmt.Sprintf("there is no robot %s: add --robot %s=FILE", name, name)
}

// CutName splits NAME=FILE. A path with a = in or after a folder name has no name.
func CutName(arg string) (name, file string) {
	name, file, ok := strings.Cut(arg, "=")
	if !ok || name == "" || strings.ContainsAny(name, `/\`) {
		return "", arg
	}
	return name, file
}

// place reads NAME=x,y,z or NAME=x,y,z,roll,pitch,yaw.
func place(arg string) (name string, poseW geom.Pose, err error) {
	name, list, ok := strings.Cut(arg, "=")
	words := strings.Split(list, ",")
	if !ok || name == "" || len(words) != 3 && len(words) != 6 {
		return "", poseW, fmt.Errorf("--place %s: give NAME=x,y,z or NAME=x,y,z,roll,pitch,yaw in metres and radians", arg)
	}
	var x [6]float64
	for i, w := range words {
		x[i], err = strconv.ParseFloat(strings.TrimSpace(w), 64)
		if err != nil || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return "", poseW, fmt.Errorf("--place %s: %q is not a finite number", arg, w)
		}
	}
	return name, geom.Pose{R: geom.RPY(x[3], x[4], x[5]), P: geom.Vec{X: x[0], Y: x[1], Z: x[2]}}, nil
}

package jtc

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Tolerance is the position of a control_msgs/JointTolerance (rad or m): 0 means the
// controller's own tolerance, -1 that there is no bound.
type Tolerance struct {
	Joint    string
	Position float64
}

// tolerances makes the tubes. Of the goal's tolerance and that of Settings the wider counts,
// because releases before 2024 do not use the goal's. A tolerance without a bound leaves what
// Settings says.
func (d *deriver) tolerances() error {
	path, err := d.resolve("path_tolerance", d.c.PathTolerance, d.s.PathTolerance)
	if err != nil {
		return err
	}
	goal, err := d.resolve("goal_tolerance", d.c.GoalTolerance, d.s.GoalTolerance)
	if err != nil {
		return err
	}
	for joint, width := range path {
		d.plan.Tube[joint] += width
	}
	end := maps.Clone(path)
	wider := false
	for joint, width := range goal {
		wider = wider || width > d.plan.Tube[joint]
		end[joint] = math.Max(end[joint], width)
	}
	if !wider {
		return nil
	}
	m := d.plan.Motion
	last := make([]float64, len(m.Joints))
	for j, c := range m.Pieces[len(m.Pieces)-1].Ctrl {
		last[j] = c[len(c)-1]
	}
	d.plan.End, err = motion.Path(m.Joints, [][]float64{last}, nil)
	d.plan.EndTube = end
	d.note("at the end the robot may be off the last point by the goal tolerance: that was checked, too")
	return err
}

// resolve returns the widths of the joints. As in the controller, one tolerance that is not
// valid makes it use its own for all joints.
func (d *deriver) resolve(what string, given []Tolerance, own map[string]float64) (map[string]float64, error) {
	widths := map[string]float64{}
	maps.Copy(widths, own)
	for _, t := range given {
		switch {
		case math.IsNaN(t.Position) || math.IsInf(t.Position, 0):
			return nil, fmt.Errorf("%s of joint %s is %g: give a finite number", what, t.Joint, t.Position)
		case !slices.Contains(d.names, t.Joint):
			d.note("%s names joint %s, which the controller does not move: it uses its own tolerances", what, t.Joint)
			return widths, nil
		case t.Position < 0 && t.Position != -1:
			d.note("%s of joint %s is %g, which the controller does not know: it uses its own tolerances", what, t.Joint, t.Position)
			return widths, nil
		}
	}
	for _, t := range given {
		switch {
		case t.Position > 0:
			widths[t.Joint] = math.Max(widths[t.Joint], t.Position)
		case t.Position == -1:
			d.note("%s of joint %s sets no bound to how far the robot may be off: the controller does not stop for it", what, t.Joint)
		}
	}
	return widths, nil
}

package urdf

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// maxNumber bounds every number in the files: lengths in metres, angles in radians,
// multipliers and factors.
const maxNumber = min(geom.MaxLength, geom.MaxAngle)

// Validate returns the first reason why r is not a valid robot: links and joints that form no
// tree, names that are missing or used twice, poses that are not rigid or farther than
// geom.MaxLength, axes that are not of length 1, limits and mimic relations beyond 1e6 (m,
// rad). Load returns valid robots only; one that was built or modified in code may be invalid.
// Shapes are not examined.
func (r *Robot) Validate() error {
	if r.Root < 0 || r.Root >= len(r.Links) {
		return fmt.Errorf("its root is link number %d of %d", r.Root, len(r.Links))
	}
	seen := map[string]bool{}
	for i := range r.Links {
		if name := r.Links[i].Name; name == "" || seen[name] {
			return fmt.Errorf("link %q: a name is missing or used twice: rename it", name)
		}
		seen[r.Links[i].Name] = true
		for k := range r.Links[i].Collisions {
			if err := validPose(r.Links[i].Collisions[k].PoseLS); err != nil {
				return fmt.Errorf("link %s, collision element %d: %w", r.Links[i].Name, k, err)
			}
		}
	}
	clear(seen)
	for i := range r.Joints {
		j := &r.Joints[i]
		if j.Name == "" || seen[j.Name] {
			return fmt.Errorf("joint %q: a name is missing or used twice: rename it", j.Name)
		}
		seen[j.Name] = true
		if err := r.validJoint(j); err != nil {
			return fmt.Errorf("joint %s: %w", j.Name, err)
		}
	}
	if err := r.uniqueVariables(seen); err != nil {
		return err
	}
	return r.isTree()
}

// uniqueVariables fails on a joint, of those that are named, with the name of a variable of a planar one: a motion that names
// it would move one of them and hold the other.
func (r *Robot) uniqueVariables(named map[string]bool) error {
	for i := range r.Joints {
		if r.Joints[i].Type != Planar {
			continue
		}
		for _, axis := range [...]string{"/x", "/y", "/theta"} {
			if name := r.Joints[i].Name + axis; named[name] {
				return fmt.Errorf("joint %s: the planar joint %s has a variable of this name: rename it", name, r.Joints[i].Name)
			}
		}
	}
	return nil
}

func (r *Robot) validJoint(j *Joint) error {
	if j.Parent < 0 || j.Parent >= len(r.Links) || j.Child < 0 || j.Child >= len(r.Links) {
		return fmt.Errorf("it connects links number %d and %d of %d", j.Parent, j.Child, len(r.Links))
	}
	if j.Type > Floating {
		return fmt.Errorf("its type %d is not known", j.Type)
	}
	if err := validPose(j.PosePC); err != nil {
		return err
	}
	moves := j.Type != Fixed && j.Type != Floating
	if length := r3.Norm(j.Axis); moves && !(math.Abs(length-1) <= 1e-12) {
		return fmt.Errorf("its axis has length %g, not 1: scale it with geom.Unit", length)
	}
	if l := &j.Limit; l.Bounded && !(-maxNumber <= l.Lower && l.Lower <= l.Upper && l.Upper <= maxNumber) {
		return fmt.Errorf("its limits are %g and %g: give a lower and an upper one within %g (rad or m)", l.Lower, l.Upper, float64(maxNumber))
	}
	if j.Mimic == nil {
		return nil
	}
	if j.Mimic.Joint < 0 || j.Mimic.Joint >= len(r.Joints) {
		return fmt.Errorf("it mimics joint number %d of %d", j.Mimic.Joint, len(r.Joints))
	}
	return j.Mimic.bounded()
}

// bounded fails on a relation with a larger factor than any gear has.
func (m *Mimic) bounded() error {
	if !(math.Abs(m.Multiplier) <= maxNumber && math.Abs(m.Offset) <= maxNumber) {
		return fmt.Errorf("it moves %g times as far as the joint it mimics, plus %g: give numbers within %g, along a chain of mimic joints too", m.Multiplier, m.Offset, float64(maxNumber))
	}
	return nil
}

// isTree fails unless every link but the root is the child of one joint, which it names as its
// parent, and is connected to the root.
func (r *Robot) isTree() error {
	children := make([][]int, len(r.Links))
	parents := make([]int, len(r.Links))
	for i := range r.Joints {
		j := &r.Joints[i]
		children[j.Parent] = append(children[j.Parent], j.Child)
		parents[j.Child]++
		if r.Links[j.Child].ParentJoint != i {
			return fmt.Errorf("link %s: its parent joint is number %d, but joint %s has it as its child", r.Links[j.Child].Name, r.Links[j.Child].ParentJoint, j.Name)
		}
	}
	if parents[r.Root] != 0 {
		return fmt.Errorf("link %s: it is the root, but a joint has it as its child", r.Links[r.Root].Name)
	}
	reached := 0
	for stack := []int{r.Root}; len(stack) > 0; reached++ {
		link := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], children[link]...)
	}
	if reached != len(r.Links) {
		return fmt.Errorf("%d of its %d links are not connected to the root %s: connect them to one tree", len(r.Links)-reached, len(r.Links), r.Links[r.Root].Name)
	}
	return nil
}

func validPose(p geom.Pose) error {
	if err := p.Rigid(); err != nil {
		return err
	}
	if !geom.Bounded(p.P) {
		return fmt.Errorf("its position %v is beyond %g m: check the unit", p.P, float64(geom.MaxLength))
	}
	return nil
}

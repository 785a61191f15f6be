package urdf

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

func (l *loader) joints(root *xmltree.Node) error {
	for _, n := range root.All("joint") {
		name, err := text(n, "name")
		if err != nil {
			return err
		}
		if _, ok := l.robot.jointIndex[name]; ok {
			return fmt.Errorf("line %d: joint %q: a second joint of that name: rename one", n.Line, name)
		}
		j, err := l.joint(n)
		if err != nil {
			return fmt.Errorf("joint %q: %w", name, err)
		}
		j.Name = name
		l.turned("the origin of joint "+name, name, n)
		l.robot.jointIndex[name] = len(l.robot.Joints)
		l.robot.Joints = append(l.robot.Joints, j)
	}
	return nil
}

func (l *loader) joint(n *xmltree.Node) (j Joint, err error) {
	kind, err := text(n, "type")
	if err != nil {
		return j, err
	}
	i := slices.Index(jointTypeNames[:], kind)
	if i < 0 {
		return j, fmt.Errorf("line %d: type %q is not known: use fixed, revolute, continuous, prismatic, planar or floating", n.Line, kind)
	}
	j.Type = JointType(i)
	if j.Parent, err = l.end(n, "parent"); err != nil {
		return j, err
	}
	if j.Child, err = l.end(n, "child"); err != nil {
		return j, err
	}
	if j.PosePC, err = origin(n); err != nil {
		return j, err
	}
	if j.Axis, err = axis(n, j.Type); err != nil {
		return j, err
	}
	j.Limit, err = jointLimit(n, j.Type)
	return j, err
}

// end returns the link that <parent> or <child> names.
func (l *loader) end(n *xmltree.Node, name string) (int, error) {
	e, err := only(n, name)
	if err != nil {
		return 0, err
	}
	if e == nil {
		return 0, fmt.Errorf("line %d: there is no <%s link=...>", n.Line, name)
	}
	link, err := text(e, "link")
	if err != nil {
		return 0, err
	}
	i, ok := l.robot.linkIndex[link]
	if !ok {
		return 0, fmt.Errorf("line %d: its %s link %q does not exist%s: define the link or correct the name", e.Line, name, link, spelling.Hint(link, l.robot.linkNames()))
	}
	return i, nil
}

// planarRemedy gives the one axis that all programs interpret alike.
const planarRemedy = `Write <axis xyz="0 0 1"/>, and turn the joint's <origin> so that its z axis is the normal of the plane`

// axis returns the unit axis. Fixed and floating joints have none, and exporters write zero
// for it; they get the default. For a planar joint it must be z, because programs interpret
// other axes differently.
func axis(n *xmltree.Node, t JointType) (geom.Vec, error) {
	def := geom.Vec{X: 1}
	a, err := only(n, "axis")
	if a == nil && err == nil && t == Planar {
		err = fmt.Errorf("line %d: a planar joint without <axis>: with URDF's default axis, 1 0 0, it moves in y and z, but in MoveIt in x and y. %s", n.Line, planarRemedy)
	}
	if a == nil || err != nil {
		return def, err
	}
	v, err := vector(a, "xyz", def)
	if err != nil {
		return def, err
	}
	if t == Fixed || t == Floating {
		return def, nil
	}
	u, ok := geom.Unit(v)
	if t == Planar && u != (geom.Vec{Z: 1}) {
		return def, fmt.Errorf("line %d: the axis of a planar joint is (%g, %g, %g): in URDF it moves in the plane perpendicular to that axis, but in MoveIt in x and y of the joint's frame. %s", a.Line, v.X, v.Y, v.Z, planarRemedy)
	}
	if !ok {
		return def, fmt.Errorf("line %d: <axis xyz=\"%g %g %g\"> is zero: give the axis of the joint", a.Line, v.X, v.Y, v.Z)
	}
	return u, nil
}

func jointLimit(n *xmltree.Node, t JointType) (lim Limit, err error) {
	lim.Bounded = t == Revolute || t == Prismatic
	e, err := only(n, "limit")
	if err != nil {
		return lim, err
	}
	if e == nil {
		if lim.Bounded {
			return lim, fmt.Errorf("line %d: a %s joint needs <limit lower=... upper=...>: add it, or make the joint continuous if it has no limits", n.Line, t)
		}
		return lim, nil
	}
	if lim.Velocity, err = numberBy(finite, e, "velocity", 0); err != nil {
		return lim, err
	}
	if lim.Velocity < 0 {
		return lim, fmt.Errorf("line %d: velocity limit %g is negative", e.Line, lim.Velocity)
	}
	if !lim.Bounded {
		return lim, nil
	}
	if lim.Lower, err = number(e, "lower", 0); err != nil {
		return lim, err
	}
	if lim.Upper, err = number(e, "upper", 0); err != nil {
		return lim, err
	}
	if lim.Lower > lim.Upper {
		return lim, fmt.Errorf("line %d: lower limit %g is above upper limit %g: swap or correct them", e.Line, lim.Lower, lim.Upper)
	}
	return lim, nil
}

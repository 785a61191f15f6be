package urdf

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// only returns the single child of that name, nil if there is none.
func only(n *xmltree.Node, name string) (*xmltree.Node, error) {
	all := n.All(name)
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return nil, fmt.Errorf("line %d: a second <%s> in <%s>: keep one", all[1].Line, name, n.Name)
}

// text returns a required, non-empty attribute.
func text(n *xmltree.Node, name string) (string, error) {
	s, _ := n.Attr(name)
	if s == "" {
		return "", fmt.Errorf("line %d: <%s> has no attribute %s", n.Line, n.Name, name)
	}
	return s, nil
}

// number returns an attribute as a number within maxNumber, or def if it is absent.
func number(n *xmltree.Node, name string, def float64) (float64, error) {
	return numberBy(bounded, n, name, def)
}

func numberBy(read func(string) (float64, error), n *xmltree.Node, name string, def float64) (float64, error) {
	s, ok := n.Attr(name)
	if !ok {
		return def, nil
	}
	x, err := read(strings.TrimSpace(s))
	if err != nil {
		return 0, inAttr(n, name, s, err)
	}
	return x, nil
}

// positive returns a required attribute as a number above zero.
func positive(n *xmltree.Node, name string) (float64, error) {
	s, err := text(n, name)
	if err != nil {
		return 0, err
	}
	x, err := bounded(strings.TrimSpace(s))
	if err == nil && !(x > 0) {
		err = errors.New("it must be positive")
	}
	if err != nil {
		return 0, inAttr(n, name, s, err)
	}
	return x, nil
}

// vector returns an attribute of three numbers within maxNumber, or def if it is absent.
func vector(n *xmltree.Node, name string, def geom.Vec) (geom.Vec, error) {
	s, ok := n.Attr(name)
	if !ok {
		return def, nil
	}
	f, err := numbers(s, 3)
	if err != nil {
		return def, inAttr(n, name, s, err)
	}
	return geom.Vec{X: f[0], Y: f[1], Z: f[2]}, nil
}

func numbers(s string, n int) ([]float64, error) {
	words := strings.Fields(s)
	if len(words) != n && !strings.Contains(s, "${") {
		return nil, fmt.Errorf("it has %d numbers, not %d", len(words), n)
	}
	out := make([]float64, len(words))
	for i, w := range words {
		x, err := bounded(w)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

// bounded parses a number within maxNumber.
func bounded(s string) (float64, error) {
	x, err := finite(s)
	if err == nil && math.Abs(x) > maxNumber {
		return 0, fmt.Errorf("%.40q is beyond %g (m, rad or a factor): check the unit", s, float64(maxNumber))
	}
	return x, err
}

func finite(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case strings.Contains(s, "${"):
		return 0, errors.New("that is a xacro expression: expand the file with xacro")
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%.40q is not a number", s)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, fmt.Errorf("%.40q is not finite", s)
	}
	return x, nil
}

func inAttr(n *xmltree.Node, name, value string, err error) error {
	return fmt.Errorf("line %d: <%s %s=%.80q>: %w", n.Line, n.Name, name, value, err)
}

// origin reads the <origin> of n: xyz, and either rpy or, since URDF 1.2, quat_xyzw. It is the
// identity if there is none.
func origin(n *xmltree.Node) (geom.Pose, error) {
	pose := geom.IdentityPose()
	o, err := only(n, "origin")
	if o == nil || err != nil {
		return pose, err
	}
	if pose.P, err = vector(o, "xyz", geom.Vec{}); err != nil {
		return pose, err
	}
	rpy, err := vector(o, "rpy", geom.Vec{})
	if err != nil {
		return pose, err
	}
	pose.R = geom.RPY(rpy.X, rpy.Y, rpy.Z)
	s, ok := o.Attr("quat_xyzw")
	if !ok {
		return pose, nil
	}
	if _, both := o.Attr("rpy"); both {
		return pose, fmt.Errorf("line %d: <origin> has both rpy and quat_xyzw: keep one", o.Line)
	}
	q, err := numbers(s, 4)
	if err == nil {
		pose.R, err = unitQuat(q)
	}
	if err != nil {
		return pose, inAttr(o, "quat_xyzw", s, err)
	}
	return pose, nil
}

// turned adds a gap where the rpy of the <origin> of n, which has been read, looks like degrees.
func (l *loader) turned(what, name string, n *xmltree.Node) {
	o, err := only(n, "origin")
	if o == nil || err != nil {
		return
	}
	rpy, err := vector(o, "rpy", geom.Vec{})
	if err != nil {
		return
	}
	if gap, ok := premise.Degrees(what, name, [3]float64{rpy.X, rpy.Y, rpy.Z}); ok {
		gap.Detail = fmt.Sprintf("line %d: %s", o.Line, gap.Detail)
		l.robot.Gaps = append(l.robot.Gaps, gap)
	}
}

// quatTolerance accepts files that print three digits. A quaternion whose length is farther
// from 1 was not meant as a rotation.
const quatTolerance = 1e-3

func unitQuat(q []float64) (geom.Rot, error) {
	rot, err := geom.Quat(q[0], q[1], q[2], q[3])
	if length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]); err == nil && !(math.Abs(length-1) <= quatTolerance) {
		err = fmt.Errorf("the quaternion has length %g: give x, y, z, w of length 1", length)
	}
	return rot, err
}

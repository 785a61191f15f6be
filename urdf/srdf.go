package urdf

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/sniff"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// LoadSRDF reads the SRDF file at path and returns a copy of r with its content as Semantic,
// replacing any previous one. r itself is unchanged, and the two share links, joints and
// shapes.
//
// Links, joints and groups that r lacks are left out with one warning that lists them, because
// SRDFs often describe several variants of a robot and none of these hides a collision: a pair
// that is not disabled is checked, a group that lacks members cannot be used in queries
// (Semantic.Incomplete), and a state of an unknown group has no name. But a pair to be checked
// (enable_collisions) and a joint in a state of a complete group are errors if r lacks them,
// because a check would be left out or a joint be elsewhere than the SRDF says. Malformed XML,
// missing names, values that are not finite and groups that contain themselves are errors. An
// SRDF for joined robots is one for all of them: it uses the names of Join, and it alone
// decides which pairs are checked.
func LoadSRDF(r *Robot, path string) (*Robot, error) {
	return LoadSRDFContext(context.Background(), r, path)
}

// LoadSRDFContext is like LoadSRDF, but fails when the context ends.
func LoadSRDFContext(ctx context.Context, r *Robot, path string) (*Robot, error) {
	if strings.EqualFold(filepath.Ext(path), ".xacro") {
		return nil, fmt.Errorf("srdf %s: %w", path, xacroError(path, "srdf"))
	}
	data, err := infile.Read(ctx, path, limit.DescriptionBytes)
	if err != nil {
		return nil, fmt.Errorf("srdf: %w", err)
	}
	return parseSRDF(r, path, data)
}

// ParseSRDF is like LoadSRDF for an SRDF in memory, such as that of the topic
// robot_description_semantic; errors name that.
func ParseSRDF(r *Robot, data []byte) (*Robot, error) { return parseSRDF(r, "", data) }

// ParseSRDFOf is like ParseSRDF for the content of the file at path; errors name the path.
func ParseSRDFOf(r *Robot, path string, data []byte) (*Robot, error) { return parseSRDF(r, path, data) }

func parseSRDF(r *Robot, path string, data []byte) (*Robot, error) {
	name := path
	if name == "" {
		name = "robot_description_semantic"
	}
	s := &srdf{robot: r, sem: &Semantic{Path: path}}
	err := s.load(data)
	if err == nil && sniff.Is(sniff.Robot, data) {
		err = errors.New("an SRDF has no shapes and no joints of its own")
	}
	if err != nil {
		return nil, fmt.Errorf("srdf %s: %w", name, sniff.Explain("", err, sniff.SRDF, data))
	}
	out := *r
	out.Semantic, out.Parts = s.sem, nil
	out.Warnings = slices.Clone(r.Warnings[:len(r.Warnings)-r.srdfWarnings])
	for _, w := range s.allWarnings() {
		out.Warnings = append(out.Warnings, "srdf "+name+": "+w)
	}
	out.srdfWarnings = len(out.Warnings) - (len(r.Warnings) - r.srdfWarnings)
	return &out, nil
}

// srdf is the state of reading one SRDF.
type srdf struct {
	robot    *Robot
	sem      *Semantic
	warnings []string

	links, joints, groups set[string] // names that the URDF lacks
	pairsDropped          int
}

// set holds distinct values in the order of insertion.
type set[T comparable] struct {
	list []T
	has  map[T]bool
}

func (s *set[T]) add(x T) {
	if s.has == nil {
		s.has = map[T]bool{}
	}
	if !s.has[x] {
		s.has[x] = true
		s.list = append(s.list, x)
	}
}

func (s *srdf) load(data []byte) error {
	root, err := readXML(data, s.sem.Path, "srdf")
	if err != nil {
		return err
	}
	if err := checkSlips(root, srdfWords); err != nil {
		return err
	}
	if name, _ := root.Attr("name"); name != s.robot.Name {
		s.warnings = append(s.warnings, fmt.Sprintf("it is for the robot %q, the URDF for %q", name, s.robot.Name))
	}
	for _, step := range []func(*xmltree.Node) error{s.virtualJoints, s.passiveJoints, s.readGroups, s.states, s.pairs} {
		if err := step(root); err != nil {
			return err
		}
	}
	return nil
}

// allWarnings returns one line for all unknown names, then the others.
func (s *srdf) allWarnings() []string {
	var parts []string
	for _, k := range []struct {
		kind  string
		names []string
	}{{"links", s.links.list}, {"joints", s.joints.list}, {"groups", s.groups.list}} {
		if len(k.names) > 0 {
			parts = append(parts, k.kind+" "+strings.Join(k.names, ", "))
		}
	}
	if len(parts) == 0 {
		return s.warnings
	}
	w := "entries about names that the robot lacks are ignored: " + strings.Join(parts, "; ")
	if s.pairsDropped > 0 {
		w += fmt.Sprintf(" (%d pairs)", s.pairsDropped)
	}
	return append([]string{w}, s.warnings...)
}

// link returns the index of the link that an attribute names, false if the robot lacks it.
func (s *srdf) link(n *xmltree.Node, attr string) (int, bool, error) {
	name, err := text(n, attr)
	if err != nil {
		return 0, false, err
	}
	i := s.robot.Link(name)
	if i < 0 {
		s.links.add(name)
	}
	return i, i >= 0, nil
}

func (s *srdf) virtualJoints(root *xmltree.Node) error {
	for _, n := range root.All("virtual_joint") {
		var v VirtualJoint
		for _, a := range []struct {
			name string
			to   *string
		}{{"name", &v.Name}, {"type", &v.Type}, {"parent_frame", &v.ParentFrame}, {"child_link", &v.ChildLink}} {
			var err error
			if *a.to, err = text(n, a.name); err != nil {
				return err
			}
		}
		if v.Type != "fixed" && v.Type != "planar" && v.Type != "floating" {
			return fmt.Errorf("line %d: virtual joint %q has type %q: use fixed, planar or floating", n.Line, v.Name, v.Type)
		}
		if s.robot.Link(v.ChildLink) < 0 {
			s.links.add(v.ChildLink)
			continue
		}
		s.sem.VirtualJoints = append(s.sem.VirtualJoints, v)
	}
	return nil
}

func (s *srdf) virtual(name string) bool {
	return slices.ContainsFunc(s.sem.VirtualJoints, func(v VirtualJoint) bool { return v.Name == name })
}

func (s *srdf) passiveJoints(root *xmltree.Node) error {
	for _, n := range root.All("passive_joint") {
		name, err := text(n, "name")
		if err != nil {
			return err
		}
		switch {
		case s.robot.Joint(name) >= 0:
			s.sem.PassiveJoints = append(s.sem.PassiveJoints, name)
		case !s.virtual(name):
			s.joints.add(name)
		}
	}
	return nil
}

func (s *srdf) states(root *xmltree.Node) error {
	for _, n := range root.All("group_state") {
		name, err := text(n, "name")
		if err != nil {
			return err
		}
		group, err := text(n, "group")
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(s.sem.Groups, func(g Group) bool { return g.Name == group }) {
			s.groups.add(group)
			continue
		}
		st := GroupState{Name: name, Group: group, Positions: map[string]float64{}}
		for _, j := range n.All("joint") {
			if err := s.position(j, group, st.Positions); err != nil {
				return fmt.Errorf("group state %q of group %q: %w", name, group, err)
			}
		}
		s.sem.States = append(s.sem.States, st)
	}
	return nil
}

// position reads the value of one joint. Every value must be a number, even those of joints
// that are left out. A joint that the robot lacks is an error, unless the group has other
// members that it lacks: then the SRDF is for another variant.
func (s *srdf) position(n *xmltree.Node, group string, to map[string]float64) error {
	name, err := text(n, "name")
	if err != nil {
		return err
	}
	value, err := text(n, "value")
	if err != nil {
		return err
	}
	f, err := numbers(value, len(strings.Fields(value)))
	if err != nil {
		return fmt.Errorf("joint %q: %w", name, inAttr(n, "value", value, err))
	}
	i := s.robot.Joint(name)
	switch {
	case i < 0 && s.virtual(name):
	case i < 0 && len(s.sem.Incomplete[group]) == 0:
		return fmt.Errorf("line %d: the robot has no joint %q%s: correct the name", n.Line, name, spelling.Hint(name, s.robot.jointNames()))
	case i < 0:
		s.joints.add(name)
	case len(f) == 1:
		to[name] = f[0]
	case s.robot.Joints[i].Type == Planar || s.robot.Joints[i].Type == Floating:
	default:
		return fmt.Errorf("line %d: joint %q: %d values for one joint", n.Line, name, len(f))
	}
	return nil
}

package urdf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// JoinRoot is the name of the root link of joined robots.
const JoinRoot = "world"

// Part is one of several robots in a cell.
type Part struct {
	Name  string    // its links and joints are named Name/link
	Robot *Robot    // with its SRDF, if there is one
	PoseW geom.Pose // of its root link in the world W
}

// Join combines several robots into one: a tree under a new root link "world", to which each
// part's root link is fixed. Links, joints, groups, states and virtual joints are named
// NAME/their name, so that a motion can name joints of all robots in one list. Pairs that an
// SRDF disables stay disabled; every pair of links of two different parts is checked.
//
// A scene's poses are in the frame "world". The parts' shapes are shared with the returned
// robot. Errors are: no parts; names that are empty, repeated, "world", or contain anything
// but letters, digits, '_', '-' and '.'; a pose that is not a rotation and a position; a
// missing robot; and robots that are joined already.
func Join(name string, parts []Part) (*Robot, error) {
	if len(parts) == 0 {
		return nil, errors.New("there are no robots to join: give at least one")
	}
	j := joiner{robot: &Robot{
		Name:      name,
		Links:     []Link{{Name: JoinRoot, ParentJoint: -1}},
		Parts:     slices.Clone(parts),
		linkIndex: map[string]int{JoinRoot: 0}, jointIndex: map[string]int{},
	}}
	for i := range parts {
		if err := j.check(&parts[i]); err != nil {
			return nil, fmt.Errorf("joining robots: %w", err)
		}
		j.add(&parts[i])
	}
	return j.robot, nil
}

// Part returns the index in Parts of the robot that a link belongs to. It returns -1 for the
// root of joined robots and for every link of a robot that is not joined.
func (r *Robot) Part(link int) int {
	first := 1
	for i := range r.Parts {
		n := len(r.Parts[i].Robot.Links)
		if link >= first && link < first+n {
			return i
		}
		first += n
	}
	return -1
}

type joiner struct {
	robot *Robot
}

func (j *joiner) check(p *Part) error {
	if err := partName(p.Name); err != nil {
		return err
	}
	if j.robot.Joint(joined(JoinRoot, p.Name)) >= 0 {
		return fmt.Errorf("two robots are named %s: rename one of them", p.Name)
	}
	switch {
	case p.Robot == nil:
		return fmt.Errorf("robot %s is missing (nil)", p.Name)
	case len(p.Robot.Links) == 0:
		return fmt.Errorf("robot %s has no links", p.Name)
	case len(p.Robot.Parts) > 0:
		return fmt.Errorf("robot %s is itself a combination of %d robots: join all of them at once", p.Name, len(p.Robot.Parts))
	}
	if err := validPose(p.PoseW); err != nil {
		return fmt.Errorf("robot %s: %w", p.Name, err)
	}
	return nil
}

// partName reports why name cannot be the name of a part: it must stay readable in NAME/link,
// NAME=FILE, A:B and lists with commas.
func partName(name string) error {
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.':
		default:
			return fmt.Errorf("robot name %q has a %q: use letters, digits, '_', '-' and '.'", name, c)
		}
	}
	switch name {
	case "":
		return errors.New("a robot has no name: name each robot")
	case JoinRoot:
		return fmt.Errorf("a robot is named %s, like the root link: rename it", JoinRoot)
	}
	return nil
}

// joined is the name of a part's link, joint or group in the joined robot.
func joined(part, name string) string { return part + "/" + name }

func joinedAll(part string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = joined(part, n)
	}
	return out
}

// add appends a part's links and joints, and the joint that fixes it.
func (j *joiner) add(p *Part) {
	r := j.robot
	links, joints := len(r.Links), len(r.Joints)
	for _, l := range p.Robot.Links {
		l.Name = joined(p.Name, l.Name)
		if l.ParentJoint >= 0 {
			l.ParentJoint += joints
		}
		r.linkIndex[l.Name] = len(r.Links)
		r.Links = append(r.Links, l)
	}
	for _, k := range p.Robot.Joints {
		k.Name = joined(p.Name, k.Name)
		k.Parent, k.Child = k.Parent+links, k.Child+links
		if k.Mimic != nil {
			m := *k.Mimic
			m.Joint += joints
			k.Mimic = &m
		}
		j.joint(k)
	}
	root := links + p.Robot.Root
	r.Links[root].ParentJoint = len(r.Joints)
	j.joint(Joint{
		Name: joined(JoinRoot, p.Name), Type: Fixed, Parent: 0, Child: root,
		PosePC: p.PoseW, Axis: geom.Vec{X: 1},
	})
	for _, g := range p.Robot.Gaps {
		names := joinedAll(p.Name, g.Names)
		if g.Kind == premise.Implausible {
			names[0] = g.Names[0] // the finding's
		}
		g.Names = names
		r.Gaps = append(r.Gaps, g)
	}
	for _, w := range p.Robot.Warnings {
		r.Warnings = append(r.Warnings, p.Name+": "+w)
	}
	if p.Robot.Semantic != nil {
		j.semantic(p, links)
	}
}

func (j *joiner) joint(k Joint) {
	j.robot.jointIndex[k.Name] = len(j.robot.Joints)
	j.robot.Joints = append(j.robot.Joints, k)
}

// semantic appends the content of a part's SRDF.
func (j *joiner) semantic(p *Part, links int) {
	if j.robot.Semantic == nil {
		j.robot.Semantic = &Semantic{}
	}
	to, from := j.robot.Semantic, p.Robot.Semantic
	for _, g := range from.Groups {
		to.Groups = append(to.Groups, Group{Name: joined(p.Name, g.Name), Joints: joinedAll(p.Name, g.Joints), Links: joinedAll(p.Name, g.Links)})
	}
	for name, lacks := range from.Incomplete {
		if to.Incomplete == nil {
			to.Incomplete = map[string][]string{}
		}
		to.Incomplete[joined(p.Name, name)] = joinedAll(p.Name, lacks)
	}
	for _, s := range from.States {
		positions := make(map[string]float64, len(s.Positions))
		for name, x := range s.Positions {
			positions[joined(p.Name, name)] = x
		}
		to.States = append(to.States, GroupState{Name: joined(p.Name, s.Name), Group: joined(p.Name, s.Group), Positions: positions})
	}
	for _, v := range from.VirtualJoints {
		// The part's pose places the robot in the cell. The parent frame in its SRDF is local
		// to the part, even if another part uses the same name.
		to.VirtualJoints = append(to.VirtualJoints, VirtualJoint{
			Name: joined(p.Name, v.Name), Type: v.Type, ParentFrame: joined(p.Name, v.ParentFrame), ChildLink: joined(p.Name, v.ChildLink),
		})
	}
	to.PassiveJoints = append(to.PassiveJoints, joinedAll(p.Name, from.PassiveJoints)...)
	for _, d := range from.Disabled {
		to.Disabled = append(to.Disabled, DisabledPair{A: d.A + links, B: d.B + links, Reason: d.Reason})
	}
}

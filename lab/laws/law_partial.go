package laws

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// anyonesWord: pairs are left out alike on the word of the SRDF, of the scene and of
// the options.
func anyonesWord(t *trial) {
	s := t.subject()
	t.said(s)
	for _, p := range s.disabled {
		if t.one(2) {
			s.allowed = append(s.allowed, p)
		} else {
			s.optAllowed = append(s.optAllowed, [2]string{p[1], p[0]})
		}
	}
	s.disabled = nil
	t.alike(s)
}

// paddingAnywhere: a link's padding is the same whether the option for the link, the
// scene or the option for all gives it.
func paddingAnywhere(t *trial) {
	s := t.subject()
	t.said(s)
	all, least := map[string]float64{}, 0.1
	for i := range s.links {
		name := s.links[i].name
		all[name] = max(s.padding, s.padded[name])
		if p, ok := s.optPadded[name]; ok {
			all[name] = p
		}
		least = min(least, all[name])
	}
	s.padded, s.optPadded, s.padding = map[string]float64{}, map[string]float64{}, t.In(0, least) // the scene's counts where it is more
	for name, p := range all {
		if t.one(2) {
			s.padded[name] = p
		} else {
			s.optPadded[name], s.padded[name] = p, t.In(0, 0.1)
		}
	}
	t.alike(s)
}

// carriedButNotGiven: what a DisplayTrajectory says that the robot carries, and the
// scene lacks, keeps the motion from being free; without it the motion is the same.
func carriedButNotGiven(t *trial) {
	s := t.subject()
	if !s.straight() || !s.keepTurns {
		return
	}
	carries := t.one(2)
	loaded, err := motionfile.Parse("display.yaml", s.display(carries), motionfile.Options{Interpolation: "linear"})
	if err != nil {
		t.contradicts("not read: %v", err)
		return
	}
	y, ok := t.of(loaded[0].Motion)
	switch {
	case !ok:
	case !carries:
		t.same(t.base, y, true)
	case y.v.Status == motion.Free:
		t.contradicts("free, without a cup that the robot is said to carry")
		fallthrough
	default:
		t.tally.pair(t.law)
	}
}

// display is the motion as a DisplayTrajectory, whose robot carries something or not.
func (s *subject) display(carries bool) []byte {
	var b bytes.Buffer
	b.WriteString("model_id: random\ntrajectory:\n- joint_trajectory:\n")
	for line := range strings.Lines(string(s.trajectory())) {
		b.WriteString("    " + line)
	}
	b.WriteString("  multi_dof_joint_trajectory: {joint_names: [], points: []}\ntrajectory_start:\n  joint_state:\n    name: [" + strings.Join(s.names, ", ") + "]\n    position: [")
	for i, c := range s.pieces[0].Ctrl {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(num(c[0]))
	}
	b.WriteString("]\n  attached_collision_objects: [")
	if carries {
		fmt.Fprintf(&b, "{link_name: %s, object: {id: cup}}", s.links[len(s.links)-1].name)
	}
	b.WriteString("]\n  is_diff: false\n")
	return b.Bytes()
}

// allTouching: where most of a robot's links touch by default, as where millimetres
// were read as metres, nothing is free.
func allTouching(t *trial) {
	s := t.subject()
	s.srdf, s.disabled, s.objects, s.allowed, s.optAllowed, s.tube = false, nil, nil, nil, nil, nil
	s.padded, s.optPadded = nil, nil
	for i := range s.links {
		s.links[i].shapes = []placed{{body: body{kind: "box", size: geom.Vec{X: 100, Y: 100, Z: 100}, scale: 1}}}
	}
	// More links, so that it is not adjacent ones alone, and one that is far away.
	for i, at := range []float64{0.2, 0.3, 0.4, 0.5, 5000} {
		name := fmt.Sprint("more", i)
		l := link{name: name, shapes: slices.Clone(s.links[0].shapes)}
		s.joints = append(s.joints, joint{name: "to_" + name, kind: "revolute", parent: s.links[0].name, child: name, pose: pose{xyz: geom.Vec{X: at}}, axis: geom.Vec{Z: 1}, lower: -1, upper: 1, mult: 1})
		s.links = append(s.links, l)
	}
	s.clearance = 0
	y, ok := t.ask(s)
	if !ok {
		return
	}
	t.tally.pair(t.law)
	if y.v.Status == motion.Free {
		t.contradicts("free, though of %d links all but one overlap and %d pairs are left out", len(s.links), y.v.AssumedPairs)
	}
}

package main

import (
	"fmt"
	"strings"
)

// home is the standing pose: knees a little bent, arms off the body.
func home() state {
	q := state{"left_shoulder_roll": 0.25, "right_shoulder_roll": -0.25}
	for _, side := range []string{"left_", "right_"} {
		q[side+"hip_pitch"] = -0.2
		q[side+"knee"] = 0.4
		q[side+"ankle_pitch"] = -0.2
		q[side+"shoulder_pitch"] = 0.1
		q[side+"elbow"] = -0.5
	}
	return q
}

// allowed is a pair of links that is not checked, and why.
type allowed struct{ a, b, reason string }

// disabled lists neighbours (across links without geometry, too) and the pairs
// whose housings overlap by design.
func (m *model) disabled() []allowed {
	parent, bare := map[string]string{}, map[string]bool{}
	for _, j := range m.joints {
		parent[j.child] = j.parent
	}
	for _, l := range m.links {
		bare[l.name] = len(l.solids) == 0
	}
	var pairs []allowed
	for _, l := range m.links {
		p, ok := parent[l.name]
		for ok && bare[p] {
			p, ok = parent[p]
		}
		if ok && !bare[l.name] {
			pairs = append(pairs, allowed{p, l.name, "Adjacent"})
		}
	}
	for _, side := range []string{"left_", "right_"} {
		pairs = append(pairs,
			allowed{"pelvis", side + "thigh", "Hip housing"},
			allowed{side + "shoulder", side + "upper_arm", "Shoulder housing"},
		)
	}
	return pairs
}

// srdf writes groups, the home state and the pairs that are not checked.
func (m *model) srdf() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<!-- Written by make humanoid; edit that, not this. -->\n")
	b.WriteString("<robot name=\"humanoid\">\n")
	b.WriteString("  <virtual_joint name=\"stand\" type=\"fixed\" parent_frame=\"world\" child_link=\"pelvis\"/>\n")
	chain := func(name, base, tip string) {
		fmt.Fprintf(&b, "  <group name=\"%s\">\n    <chain base_link=\"%s\" tip_link=\"%s\"/>\n  </group>\n", name, base, tip)
	}
	chain("left_leg", "pelvis", "left_foot")
	chain("right_leg", "pelvis", "right_foot")
	chain("left_arm", "torso", "left_hand")
	chain("right_arm", "torso", "right_hand")
	chain("waist", "pelvis", "torso")
	chain("head", "torso", "head_camera")
	b.WriteString("  <group name=\"whole_body\">\n")
	for _, g := range []string{"left_leg", "right_leg", "waist", "head", "left_arm", "right_arm"} {
		fmt.Fprintf(&b, "    <group name=\"%s\"/>\n", g)
	}
	b.WriteString("  </group>\n  <group_state name=\"home\" group=\"whole_body\">\n")
	q := home()
	for _, j := range m.active() {
		fmt.Fprintf(&b, "    <joint name=\"%s\" value=\"%s\"/>\n", j.name, num(q[j.name]))
	}
	b.WriteString("  </group_state>\n")
	for _, d := range m.disabled() {
		fmt.Fprintf(&b, "  <disable_collisions link1=\"%s\" link2=\"%s\" reason=\"%s\"/>\n", d.a, d.b, d.reason)
	}
	b.WriteString("</robot>\n")
	return b.String()
}

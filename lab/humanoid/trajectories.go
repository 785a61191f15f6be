package main

import (
	"fmt"
	"math"
	"strings"
)

var (
	armShelfBefore = arm{0.22, 0.07, 0.47, -1.43, -0.76, 0.80, 0.77}
	armShelfIn     = arm{0.17, 0.59, 0.27, -0.84, -0.46, 0.48, 0.88}
	armGraspBefore = arm{-0.13, 0.02, 0.17, -1.51, 1.60, 0.20, -0.15}
	armGrasp       = arm{-0.50, 0.10, 0.00, -1.10, 1.57, 0, 0}

	armSweepFront = arm{-0.47, 0.60, 0.10, -1.15, 0, 0, 0}
	armSweepBack  = arm{-0.47, 0.60, 1.20, -1.15, 0, 0, 0}

	armBelowBall = arm{pitch: -1.35, roll: 0.1, elbow: -0.1}
	armAboveBall = arm{pitch: -2.55, roll: 0.1, elbow: -0.1}
)

// trajectory is a JointTrajectory of one arm.
type trajectory struct {
	file, about, side string
	keys              []key
}

func trajectories() []trajectory {
	return []trajectory{
		{
			file:  "trajectory_free.yaml",
			about: "The right hand reaches between the boards of the shelf, then closes round the bar without touching it.",
			side:  "right",
			keys: []key{
				{0, armHome},
				{1.5, armShelfBefore},
				{2.5, armShelfIn},
				{3.5, armShelfBefore},
				{5.0, armGraspBefore},
				{6.0, armGrasp},
				{7.0, armGraspBefore},
				{8.5, armHome},
			},
		},
		{
			file:  "trajectory_between.yaml",
			about: "Every waypoint is free, but between the second and the third the left hand sweeps through the post.",
			side:  "left",
			keys: []key{
				{0, armHome},
				{1.5, armSweepFront},
				{2.1, armSweepBack},
			},
		},
	}
}

// joints of the arm, in file order.
func (tr trajectory) joints(m *model) []string {
	var names []string
	for _, j := range m.active() {
		if _, ok := armHome.of(tr.side)[j.name]; ok {
			names = append(names, j.name)
		}
	}
	return names
}

func (tr trajectory) yaml(m *model) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n# Written by make humanoid; edit that, not this.\n", tr.about)
	b.WriteString("header:\n  stamp: {sec: 0, nanosec: 0}\n  frame_id: pelvis\n")
	names := tr.joints(m)
	fmt.Fprintf(&b, "joint_names: [%s]\npoints:\n", strings.Join(names, ", "))
	for _, k := range tr.keys {
		q := k.pose.of(tr.side)
		var xs []string
		for _, n := range names {
			xs = append(xs, num(q[n]))
		}
		sec, frac := math.Modf(k.t)
		fmt.Fprintf(&b, "  - positions: [%s]\n", strings.Join(xs, ", "))
		fmt.Fprintf(&b, "    time_from_start: {sec: %d, nanosec: %d}\n", int(sec), int(math.Round(frac*1e3))*1e6)
	}
	return b.String()
}

// path of the whole body while the arm moves.
func (tr trajectory) path() path {
	var p path
	for _, k := range tr.keys {
		q := home()
		q.set(k.pose.of(tr.side))
		p = append(p, knot{k.t, q})
	}
	return p
}

// jointPair is a pair of joint states; joints it does not name stay at home.
type jointPair struct {
	id, about   string
	duration    float64
	start, goal state
}

func (p jointPair) path() path {
	a, b := home(), home()
	a.set(p.start)
	b.set(p.goal)
	return path{{0, a}, {p.duration, b}}
}

func jointPairs() []jointPair {
	right := func(a arm) state { return a.of("right") }
	left := func(a arm) state { return a.of("left") }
	legs := func(right, left float64) state {
		return state{"right_hip_pitch": right, "left_hip_pitch": left, "right_hip_roll": 0.28}
	}
	return []jointPair{
		{"self_free", "the right hand comes to the belly and stops short", 0.5, right(armBelly), right(armBellyNear)},
		{"self_contact", "the right hand goes on into the belly", 0.5, right(armBelly), right(armBellyTouch)},
		{"self_between", "the legs scissor: both ends free, the shanks collide on the way", 0.5, legs(-0.75, 0.3), legs(0.5, -0.8)},
		{"self_inside", "it starts with the hand in the belly", 0.5, right(armBellyTouch), right(armBelly)},
		{"world_free", "the clamp closes round the bar, whose hull it would hit", 0.5, right(armGraspBefore), right(armGrasp)},
		{"world_contact", "the left hand pushes against the post", 0.5, left(armPost), left(armPostTouch)},
		{"world_between", "the straight right arm swings up through the ball: both ends free", 1, right(armBelowBall), right(armAboveBall)},
		{"world_inside", "it starts with the hand in the post", 0.5, left(armPostTouch), left(armPost)},
	}
}

func pairsYAML(m *model, ps []jointPair) string {
	var b strings.Builder
	b.WriteString("# Pairs of joint states to check the straight motion between; joints not named are at the\n")
	b.WriteString("# home state of humanoid.srdf. Written by make humanoid; edit that, not this.\n")
	b.WriteString("pairs:\n")
	for _, p := range ps {
		fmt.Fprintf(&b, "  # %s\n  - id: %s\n    duration: %s\n", p.about, p.id, num(p.duration))
		fmt.Fprintf(&b, "    start: {%s}\n    goal: {%s}\n", p.start.yaml(m), p.goal.yaml(m))
	}
	return b.String()
}

func (q state) yaml(m *model) string {
	var xs []string
	for _, j := range m.active() {
		if x, ok := q[j.name]; ok {
			xs = append(xs, j.name+": "+num(x))
		}
	}
	return strings.Join(xs, ", ")
}

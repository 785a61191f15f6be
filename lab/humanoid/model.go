package main

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The model, as numbers. The root link is the pelvis: x forward, y left, z up,
// origin between the hips 0.85 m above the soles. Limbs are written once for
// the left side and mirrored.

type vec = geom.Vec

// solid is one collision element of a link, posed in the link's frame.
type solid struct {
	kind   string // box, sphere, cylinder, capsule or mesh, as URDF spells them
	size   vec    // box
	radius float64
	length float64
	mesh   string // key into meshes
	xyz    vec
	rpy    vec
}

type link struct {
	name   string
	solids []solid
}

type joint struct {
	name, parent, child string
	xyz                 vec // of the child's frame in the parent's; no joint is turned
	axis                vec // zero for a fixed joint
	lower, upper        float64
	velocity            float64
	effort              float64
}

func (j joint) fixed() bool { return j.axis == vec{} }

type model struct {
	links  []link
	joints []joint
}

func box(size, at vec) solid { return solid{kind: "box", size: size, xyz: at} }

func sphere(r float64, at vec) solid { return solid{kind: "sphere", radius: r, xyz: at} }

// The ways a cylinder lies.
var (
	upright = vec{}
	across  = vec{X: math.Pi / 2} // its axis along y
)

func cylinder(r, length float64, at, rpy vec) solid {
	return solid{kind: "cylinder", radius: r, length: length, xyz: at, rpy: rpy}
}

func capsule(r, length float64, at vec) solid {
	return solid{kind: "capsule", radius: r, length: length, xyz: at}
}

func meshed(name string, at vec) solid { return solid{kind: "mesh", mesh: name, xyz: at} }

var (
	axisX = vec{X: 1}
	axisY = vec{Y: 1}
	axisZ = vec{Z: 1}
)

func humanoid() *model {
	m := &model{}
	m.trunk()
	for _, side := range []string{"left", "right"} {
		m.leg(side)
	}
	for _, side := range []string{"left", "right"} {
		m.arm(side)
	}
	return m
}

func (m *model) trunk() {
	m.link("pelvis", box(vec{X: 0.17, Y: 0.23, Z: 0.12}, vec{Z: 0.03}))

	m.turn("waist_yaw", "pelvis", "waist", vec{Z: 0.10}, axisZ, -1.2, 1.2, 3)
	m.link("waist", cylinder(0.075, 0.06, vec{Z: 0.03}, upright))
	m.turn("waist_pitch", "waist", "torso", vec{Z: 0.07}, axisY, -0.3, 0.6, 3)
	m.link("torso",
		meshed("torso", vec{}),
		box(vec{X: 0.08, Y: 0.22, Z: 0.24}, vec{X: -0.13, Z: 0.18}))

	m.turn("head_yaw", "torso", "neck", vec{Z: 0.345}, axisZ, -1.2, 1.2, 4)
	m.link("neck", cylinder(0.04, 0.07, vec{Z: 0.025}, upright))
	m.turn("head_pitch", "neck", "head", vec{Z: 0.06}, axisY, -0.5, 0.6, 4)
	m.link("head", sphere(0.09, vec{Z: 0.08}))
	m.fix("head_camera_mount", "head", "head_camera", vec{X: 0.09, Z: 0.10})
	m.link("head_camera", box(vec{X: 0.03, Y: 0.09, Z: 0.025}, vec{}))
}

func (m *model) leg(side string) {
	s := sign(side)
	n := func(part string) string { return side + "_" + part }

	m.turn(n("hip_yaw"), "pelvis", n("hip"), vec{Y: s * 0.095, Z: -0.03}, axisZ, -0.7, 0.7, 6)
	m.link(n("hip"))
	m.mirrored(side, n("hip_roll"), n("hip"), n("hip_fork"), vec{Z: -0.03}, axisX, -0.3, 0.7, 6)
	m.link(n("hip_fork"), sphere(0.055, vec{}))
	m.turn(n("hip_pitch"), n("hip_fork"), n("thigh"), vec{}, axisY, -1.9, 0.8, 6)
	m.link(n("thigh"), capsule(0.062, 0.22, vec{Z: -0.18}))
	m.turn(n("knee"), n("thigh"), n("shank"), vec{Z: -0.36}, axisY, 0, 2.2, 6)
	m.link(n("shank"),
		sphere(0.055, vec{}),
		cylinder(0.048, 0.26, vec{Z: -0.19}, upright))
	m.turn(n("ankle_pitch"), n("shank"), n("ankle"), vec{Z: -0.36}, axisY, -0.8, 0.6, 6)
	m.link(n("ankle"), sphere(0.035, vec{}))
	m.turn(n("ankle_roll"), n("ankle"), n("foot"), vec{}, axisX, -0.35, 0.35, 6)
	m.link(n("foot"),
		box(vec{X: 0.18, Y: 0.09, Z: 0.04}, vec{X: 0.02, Z: -0.05}),
		cylinder(0.02, 0.09, vec{X: 0.11, Z: -0.05}, across))
}

func (m *model) arm(side string) {
	s := sign(side)
	n := func(part string) string { return side + "_" + part }

	m.turn(n("shoulder_pitch"), "torso", n("shoulder"), vec{Y: s * 0.17, Z: 0.27}, axisY, -3, 1.2, 5)
	m.link(n("shoulder"), cylinder(0.045, 0.06, vec{Y: s * 0.01}, across))
	m.mirrored(side, n("shoulder_roll"), n("shoulder"), n("shoulder_fork"), vec{Y: s * 0.062}, axisX, -0.4, 2.4, 5)
	m.link(n("shoulder_fork"), sphere(0.038, vec{}))
	m.mirrored(side, n("shoulder_yaw"), n("shoulder_fork"), n("upper_arm"), vec{Z: -0.05}, axisZ, -1.8, 1.8, 5)
	m.link(n("upper_arm"), capsule(0.042, 0.14, vec{Z: -0.11}))
	m.turn(n("elbow"), n("upper_arm"), n("forearm"), vec{Z: -0.22}, axisY, -2.3, 0, 5)
	m.link(n("forearm"),
		sphere(0.042, vec{}),
		cylinder(0.036, 0.15, vec{Z: -0.105}, upright))
	m.mirrored(side, n("wrist_yaw"), n("forearm"), n("wrist"), vec{Z: -0.20}, axisZ, -2, 2, 6)
	m.link(n("wrist"))
	m.turn(n("wrist_pitch"), n("wrist"), n("wrist_fork"), vec{}, axisY, -1.2, 1.2, 6)
	m.link(n("wrist_fork"))
	m.mirrored(side, n("wrist_roll"), n("wrist_fork"), n("palm"), vec{}, axisX, -0.9, 0.9, 6)
	m.link(n("palm"),
		sphere(0.034, vec{}),
		box(vec{X: 0.03, Y: 0.06, Z: 0.05}, vec{Z: -0.05}))
	m.fix(n("hand_mount"), n("palm"), n("hand"), vec{Z: -0.118})
	m.link(n("hand"), meshed("hand", vec{}))
}

func sign(side string) float64 {
	if side == "right" {
		return -1
	}
	return 1
}

func (m *model) link(name string, solids ...solid) {
	m.links = append(m.links, link{name, solids})
}

func (m *model) turn(name, parent, child string, at, axis vec, lower, upper, velocity float64) {
	m.joints = append(m.joints, joint{name, parent, child, at, axis, lower, upper, velocity, 60})
}

// mirrored is turn with limits given for the left side: roll and yaw change
// sign on the right, so that outward is positive on the left and negative on
// the right.
func (m *model) mirrored(side, name, parent, child string, at, axis vec, lower, upper, velocity float64) {
	if side == "right" {
		lower, upper = -upper, -lower
	}
	m.turn(name, parent, child, at, axis, lower, upper, velocity)
}

func (m *model) fix(name, parent, child string, at vec) {
	m.joints = append(m.joints, joint{name: name, parent: parent, child: child, xyz: at})
}

// active lists the joints that move, in file order.
func (m *model) active() []joint {
	var js []joint
	for _, j := range m.joints {
		if !j.fixed() {
			js = append(js, j)
		}
	}
	return js
}

// state is a configuration by joint name; joints it lacks are at 0.
type state map[string]float64

// poses returns the pose of every link in the pelvis.
func (m *model) poses(q state) map[string]geom.Pose {
	posePL := map[string]geom.Pose{m.links[0].name: geom.IdentityPose()}
	for _, j := range m.joints { // parents come first
		poseC := geom.Pose{R: geom.Identity(), P: j.xyz}
		if !j.fixed() {
			poseC.R = geom.AxisAngle(j.axis, q[j.name])
		}
		posePL[j.child] = posePL[j.parent].Mul(poseC)
	}
	return posePL
}

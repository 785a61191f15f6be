package main

import (
	"encoding/hex"
	"sync"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// inputs says what an answer is about. What was not given or not read is absent.
type inputs struct {
	// The robot, or the robots of a cell.
	Robot *input `json:"robot,omitempty"`
	// The SRDF: groups, states and pairs that are not checked.
	SRDF *input `json:"srdf,omitempty"`
	// The obstacles and what is attached to the robot.
	Scene *input `json:"scene,omitempty"`
	// The motion.
	Motion *input `json:"motion,omitempty"`
}

// input is what was read from a file, or from several that make one.
type input struct {
	// The files as they were named; '-' is standard input.
	Files []string `json:"files,omitempty"`
	// SHA-256 of the content as it was understood, in hexadecimal, as certificates have it: meshes
	// included, independent of names of files and of spelling. Absent if it could not be read.
	SHA256 string `json:"sha256,omitempty"`
}

// inputOf describes what was read from files.
func inputOf(sum [32]byte, files ...string) *input {
	return &input{Files: files, SHA256: hex.EncodeToString(sum[:])}
}

// inputs describes the files of the flags, and what was read from them; nil stands for what
// was not read. from is the motion's file; empty if the question is not about a motion.
func (f *modelFlags) inputs(robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion, from string) inputs {
	in := f.robotInputs(robot)
	switch {
	case world != nil:
		file := f.scene
		if file == "" {
			file = from // its own obstacles
		}
		in.Scene = inputOf(f.sums.scene.get(world, digest.Scene), file)
	case f.scene != "":
		in.Scene = &input{Files: []string{f.scene}}
	}
	switch {
	case m != nil:
		in.Motion = inputOf(digest.Motion(m), from)
	case from != "":
		in.Motion = &input{Files: []string{from}}
	}
	return in
}

// robotInputs describes robot and SRDF.
func (f *robotFlags) robotInputs(robot *urdf.Robot) (in inputs) {
	files := func(args []string) (out []string) {
		for _, arg := range args {
			_, file := cutName(arg)
			out = append(out, file)
		}
		return out
	}
	in.Robot = &input{Files: files(f.robots)}
	if len(f.srdfs) > 0 {
		in.SRDF = &input{Files: files(f.srdfs)}
	}
	if robot != nil {
		in.Robot = inputOf(f.sums.robot.get(robot, digest.Robot), in.Robot.Files...)
	}
	if robot != nil && in.SRDF != nil {
		in.SRDF = inputOf(digest.Semantic(robot), in.SRDF.Files...)
	}
	return in
}

// sums remembers the digests of the robot and of the scene, which many motions share.
type sums struct {
	robot memo[urdf.Robot]
	scene memo[scene.Snapshot]
}

// memo remembers the digest of the last that it was asked for. It is safe for concurrent use.
type memo[T any] struct {
	mu  sync.Mutex
	of  *T
	sum [32]byte
}

func (m *memo[T]) get(of *T, compute func(*T) [32]byte) [32]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of != of {
		m.of, m.sum = of, compute(of)
	}
	return m.sum
}

// inputWarnings are what the readers of robot and scene say, and what is implausible about them.
func inputWarnings(robot *urdf.Robot, world *scene.Snapshot) []warning {
	out := []warning{}
	if robot != nil {
		for _, w := range robot.Warnings {
			out = append(out, warning{Name: "robot", Message: w, File: robot.Path})
		}
	}
	if world != nil {
		for _, w := range world.Warnings {
			out = append(out, warning{Name: "scene", Message: w})
		}
	}
	if robot != nil {
		out = append(out, warningsOf(plausible.New(robot, world).Findings())...)
	}
	return out
}

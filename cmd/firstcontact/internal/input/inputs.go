package input

import (
	"encoding/hex"
	"sync"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Inputs says what an answer is about. What was not given or not read is absent.
type Inputs struct {
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

// Inputs describes the files of the flags, and what was read from them; nil stands for what
// was not read. from is the motion's file; empty if the question is not about a motion.
func (f *ModelFlags) Inputs(robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion, from string) Inputs {
	in := f.RobotInputs(robot)
	switch {
	case world != nil:
		file := f.Scene
		if file == "" {
			file = from // its own obstacles
		}
		in.Scene = inputOf(f.sums.scene.get(world, digest.Scene), file)
	case f.Scene != "":
		in.Scene = &input{Files: []string{f.Scene}}
	}
	switch {
	case m != nil:
		in.Motion = inputOf(digest.Motion(m), from)
	case from != "":
		in.Motion = &input{Files: []string{from}}
	}
	return in
}

// RobotInputs describes robot and SRDF.
func (f *RobotFlags) RobotInputs(robot *urdf.Robot) (in Inputs) {
	files := func(args []string) (out []string) {
		for _, arg := range args {
			_, file := CutName(arg)
			out = append(out, file)
		}
		return out
	}
	in.Robot = &input{Files: files(f.Robots)}
	if len(f.SRDFs) > 0 {
		in.SRDF = &input{Files: files(f.SRDFs)}
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

// Warnings are what the readers of robot and scene say, and what is implausible about them.
func Warnings(robot *urdf.Robot, world *scene.Snapshot) []answer.Warning {
	out := []answer.Warning{}
	if robot != nil {
		for _, w := range robot.Warnings {
			out = append(out, answer.Warning{Name: "robot", Message: w, File: robot.Path})
		}
	}
	if world != nil {
		for _, w := range world.Warnings {
			out = append(out, answer.Warning{Name: "scene", Message: w})
		}
	}
	if robot != nil {
		out = append(out, answer.Warnings(plausible.New(robot, world).Findings())...)
	}
	return out
}

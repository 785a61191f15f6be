package input

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// stdin is the name of standard input among the files of a command.
const stdin = "-"

// streamed is what a command has read from standard input and from pipes, such as
// <(xacro arm.urdf.xacro): they can be read once only.
type streamed struct {
	texts map[string][]byte
	taken string // the flag that has standard input
}

// take gives standard input to a flag, once.
func (s *streamed) take(flag string) error {
	if s.taken != "" {
		return cli.UsageError{Err: fmt.Errorf("%s -: standard input is read once, and %s has it: give a file, or a pipe such as <(xacro arm.urdf.xacro)", flag, s.taken)}
	}
	s.taken = flag
	return nil
}

// IsStream reports whether a file of the command line is standard input or a pipe.
func IsStream(path string) bool {
	if path == stdin {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// StreamName is a name for messages, which has no folder: files that a stream names by a
// relative path are in the working directory.
func StreamName(path string) string {
	if path == stdin {
		return "standard input"
	}
	return "pipe " + filepath.Base(path)
}

// Read returns the content of a file for a flag.
func (f *RobotFlags) Read(ctx context.Context, flag, path string, most int64) (data []byte, err error) {
	if !IsStream(path) {
		return infile.Read(ctx, path, most)
	}
	if data, ok := f.streamed.texts[path]; ok && (path != stdin || f.streamed.taken == flag) {
		return data, nil
	}
	if path == stdin {
		if err := f.streamed.take(flag); err != nil {
			return nil, err
		}
		data, err = infile.ReadAll(ctx, StreamName(path), f.Cmd.InOrStdin(), most)
	} else {
		data, err = infile.Read(ctx, path, most)
	}
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("%s: %s is empty: the program that writes it has failed, or wrote nothing (xacro says why on standard error)", flag, StreamName(path))
	}
	if f.streamed.texts == nil {
		f.streamed.texts = map[string][]byte{}
	}
	f.streamed.texts[path] = data
	return data, nil
}

// loadRobot reads a URDF and its SRDF, each from a file, a pipe or standard input.
func (f *RobotFlags) loadRobot(ctx context.Context, m *member, dirs map[string]string) (*urdf.Robot, error) {
	opts := urdf.Options{Packages: dirs}
	if !IsStream(m.srdf) {
		opts.SRDF = m.srdf
	}
	robot, err := f.loadDescription(ctx, m, opts)
	if err != nil || opts.SRDF == m.srdf {
		return robot, err
	}
	data, err := f.Read(ctx, "--srdf", m.srdf, limit.DescriptionBytes)
	if err != nil {
		return nil, err
	}
	return urdf.ParseSRDFOf(robot, StreamName(m.srdf), data)
}

func (f *RobotFlags) loadDescription(ctx context.Context, m *member, opts urdf.Options) (*urdf.Robot, error) {
	if !IsStream(m.urdf) {
		return urdf.LoadContext(ctx, m.urdf, opts)
	}
	data, err := f.Read(ctx, "--robot", m.urdf, limit.DescriptionBytes)
	if err != nil {
		return nil, err
	}
	opts.Path, opts.BaseDir = StreamName(m.urdf), "."
	return urdf.ParseContext(ctx, data, opts)
}

// loadObstacles reads a scene from a file, a pipe or standard input.
func (f *ModelFlags) loadObstacles(ctx context.Context, opts scene.Options) (*scene.Snapshot, error) {
	if !IsStream(f.Scene) {
		return scene.LoadContext(ctx, f.Scene, opts)
	}
	data, err := f.Read(ctx, "--scene", f.Scene, limit.DocumentBytes)
	if err != nil {
		return nil, err
	}
	return scene.ParseContext(ctx, StreamName(f.Scene), data, opts)
}

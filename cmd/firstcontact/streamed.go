package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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
		return usageError{fmt.Errorf("%s -: standard input is read once, and %s has it: give a file, or a pipe such as <(xacro arm.urdf.xacro)", flag, s.taken), "firstcontact"}
	}
	s.taken = flag
	return nil
}

// isStream reports whether a file of the command line is standard input or a pipe.
func isStream(path string) bool {
	if path == stdin {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// streamName is a name for messages, which has no folder: files that a stream names by a
// relative path are in the working directory.
func streamName(path string) string {
	if path == stdin {
		return "standard input"
	}
	return "pipe " + filepath.Base(path)
}

// read returns the content of a file for a flag.
func (f *robotFlags) read(ctx context.Context, flag, path string, most int64) (data []byte, err error) {
	if !isStream(path) {
		return infile.Read(ctx, path, most)
	}
	if data, ok := f.streamed.texts[path]; ok && (path != stdin || f.streamed.taken == flag) {
		return data, nil
	}
	if path == stdin {
		if err := f.streamed.take(flag); err != nil {
			return nil, err
		}
		data, err = infile.ReadAll(ctx, streamName(path), f.cmd.InOrStdin(), most)
	} else {
		data, err = infile.Read(ctx, path, most)
	}
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("%s: %s is empty: the program that writes it has failed, or wrote nothing (xacro says why on standard error)", flag, streamName(path))
	}
	if f.streamed.texts == nil {
		f.streamed.texts = map[string][]byte{}
	}
	f.streamed.texts[path] = data
	return data, nil
}

// loadRobot reads a URDF and its SRDF, each from a file, a pipe or standard input.
func (f *robotFlags) loadRobot(ctx context.Context, m *member, dirs map[string]string) (*urdf.Robot, error) {
	opts := urdf.Options{Packages: dirs}
	if !isStream(m.srdf) {
		opts.SRDF = m.srdf
	}
	robot, err := f.loadDescription(ctx, m, opts)
	if err != nil || opts.SRDF == m.srdf {
		return robot, err
	}
	data, err := f.read(ctx, "--srdf", m.srdf, limit.DescriptionBytes)
	if err != nil {
		return nil, err
	}
	return urdf.ParseSRDFOf(robot, streamName(m.srdf), data)
}

func (f *robotFlags) loadDescription(ctx context.Context, m *member, opts urdf.Options) (*urdf.Robot, error) {
	if !isStream(m.urdf) {
		return urdf.LoadContext(ctx, m.urdf, opts)
	}
	data, err := f.read(ctx, "--robot", m.urdf, limit.DescriptionBytes)
	if err != nil {
		return nil, err
	}
	opts.Path, opts.BaseDir = streamName(m.urdf), "."
	return urdf.ParseContext(ctx, data, opts)
}

// loadObstacles reads a scene from a file, a pipe or standard input.
func (f *modelFlags) loadObstacles(ctx context.Context, opts scene.Options) (*scene.Snapshot, error) {
	if !isStream(f.scene) {
		return scene.LoadContext(ctx, f.scene, opts)
	}
	data, err := f.read(ctx, "--scene", f.scene, limit.DocumentBytes)
	if err != nil {
		return nil, err
	}
	return scene.ParseContext(ctx, streamName(f.scene), data, opts)
}

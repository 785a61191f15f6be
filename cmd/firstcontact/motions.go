package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/rosbag"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// motionFlags select the robot, the world, and how motions are read.
type motionFlags struct {
	modelFlags
	tableFlags
}

// oneMotion is a motion that an argument names, and the checker of its world.
type oneMotion struct {
	id       string
	file     string // as it was named
	robot    *urdf.Robot
	motion   *motion.Motion       // nil if it could not be read
	joined   motion.Interpolation // how its points were connected
	measured bool                 // it is a recording
	notes    []string
	checker  func() (c *ccd.Checker, notes []string, err error) // built when it is called
}

// readAll reads the motions of the arguments. A file that cannot be read becomes a motion whose
// checker says why, so that the other motions are still checked.
func (f *motionFlags) readAll(ctx context.Context, s streams, robot *urdf.Robot, args []string) (out []oneMotion, err error) {
	base, _, err := f.setting(ctx, s, robot)
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		loaded, err := f.readMotions(ctx, s.in, arg, robot)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			out = append(out, unreadable(robot, arg, err))
			continue
		}
		for i := range loaded {
			l := &loaded[i]
			j := oneMotion{id: l.Motion.ID, file: arg, robot: robot, motion: l.Motion, joined: l.Interpolation, measured: l.Measured, notes: l.Warnings}
			if j.id == "" {
				j.id = filepath.Base(arg)
				if len(loaded) > 1 {
					j.id += fmt.Sprintf("#%d", i)
				}
			}
			j.checker = func() (*ccd.Checker, []string, error) { return base.CheckerOf(l) }
			out = append(out, j)
		}
	}
	return out, nil
}

// unreadable stands for the motions of a file that cannot be read.
func unreadable(robot *urdf.Robot, arg string, err error) oneMotion {
	id := filepath.Base(arg)
	if arg == "-" {
		id = "standard input"
	}
	if rest, ok := strings.CutPrefix(err.Error(), arg+": "); ok { // the answer begins with the id: name the file once
		id, err = arg, renamed{err, rest}
	}
	return oneMotion{id: id, file: arg, robot: robot, checker: func() (*ccd.Checker, []string, error) { return nil, nil, err }}
}

// renamed is an error with another text.
type renamed struct {
	error
	text string
}

func (r renamed) Error() string { return r.text }
func (r renamed) Unwrap() error { return r.error }

// readMotions reads the motions of a file, or of standard input. A trajectory that begins
// later than time zero starts at the positions of --state.
func (f *motionFlags) readMotions(ctx context.Context, in io.Reader, arg string, robot *urdf.Robot) ([]motionfile.Loaded, error) {
	opts, err := f.motionOptions(robot)
	if err != nil {
		return nil, err
	}
	switch {
	case arg != "-" && rosbag.Is(ctx, arg):
		return rosbag.Load(ctx, arg, rosbag.Options{Topics: f.topics, Motion: opts})
	case len(f.topics) > 0:
		return nil, fmt.Errorf("%s: --topic chooses from a recording (rosbag2), which this is not: leave --topic out, or name the recording", arg)
	case arg != "-":
		return motionfile.LoadContext(ctx, arg, opts)
	}
	if err := f.streamed.take("MOTION"); err != nil {
		return nil, err
	}
	data, err := infile.ReadAll(ctx, "standard input", in, limit.DocumentBytes)
	if err != nil {
		return nil, err
	}
	if rosbag.Begins(data) {
		return nil, fmt.Errorf("standard input: is a recording (rosbag2), which is read from its end too: give its file's name")
	}
	return motionfile.Parse("standard input", data, opts)
}

// motionOptions is how files of motions are read.
func (f *motionFlags) motionOptions(robot *urdf.Robot) (motionfile.Options, error) {
	opts := motionfile.Options{
		Joints: f.joints, Rate: f.rate, Interpolation: f.interpolation, Start: map[string]float64{},
		Recording: f.recording, MaxGap: f.maxGap, Continuous: continuousJoints(robot),
	}
	for _, s := range f.state {
		if err := addState(opts.Start, robot, s); err != nil {
			return opts, err
		}
	}
	return opts, nil
}

// setting is the robot in the world that --scene names, or in none, and the options of its checker.
func (f *motionFlags) setting(ctx context.Context, s streams, robot *urdf.Robot) (out setting.Setting, opts ccd.Options, err error) {
	world, err := f.loadScene(ctx, robot)
	if err != nil {
		return out, opts, err
	}
	if opts, err = f.options(ctx, robot); err != nil {
		return out, opts, err
	}
	c, err := ccd.NewContext(ctx, robot, world, opts)
	if err != nil {
		return out, opts, err
	}
	f.tellModel(ctx, s.err, c)
	return setting.Setting{Checker: c, State: opts.State, Scene: f.scene != ""}, opts, nil
}

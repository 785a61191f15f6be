package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/rosbag"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// jobsOf reads the motions of the arguments. A file that cannot be read becomes a job whose
// result says why, so that the other motions are still checked.
func (f *checkFlags) jobsOf(ctx context.Context, s streams, robot *urdf.Robot, args []string) (jobs []job, err error) {
	base, err := f.baseChecker(ctx, s, robot)
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		loaded, err := f.readMotions(ctx, s.in, arg, robot)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			jobs = append(jobs, unreadable(robot, arg, err))
			continue
		}
		for i := range loaded {
			l := &loaded[i]
			j := job{id: l.Motion.ID, file: arg, robot: robot, motion: l.Motion, joined: l.Interpolation, measured: l.Measured, notes: l.Warnings}
			if j.id == "" {
				j.id = filepath.Base(arg)
				if len(loaded) > 1 {
					j.id += fmt.Sprintf("#%d", i)
				}
			}
			j.checker = f.checkerFor(ctx, base, robot, l, &j)
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// unreadable is the job of a file that cannot be read.
func unreadable(robot *urdf.Robot, arg string, err error) job {
	id := filepath.Base(arg)
	if arg == "-" {
		id = "standard input"
	}
	if rest, ok := strings.CutPrefix(err.Error(), arg+": "); ok { // the answer begins with the id: name the file once
		id, err = arg, renamed{err, rest}
	}
	return job{id: id, file: arg, robot: robot, checker: func() (*ccd.Checker, error) { return nil, err }}
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
func (f *checkFlags) readMotions(ctx context.Context, in io.Reader, arg string, robot *urdf.Robot) ([]motionfile.Loaded, error) {
	opts := motionfile.Options{
		Joints: f.joints, Rate: f.rate, Interpolation: f.interpolation, Start: map[string]float64{},
		Recording: f.recording, MaxGap: f.maxGap, Continuous: continuousJoints(robot),
	}
	for _, s := range f.state {
		if err := addState(opts.Start, robot, s); err != nil {
			return nil, err
		}
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

// baseChecker returns the checker of the robot in the world that --scene names, or in none.
func (f *checkFlags) baseChecker(ctx context.Context, s streams, robot *urdf.Robot) (*ccd.Checker, error) {
	world, err := f.loadScene(ctx, robot)
	if err != nil {
		return nil, err
	}
	opts, err := f.options(ctx, robot)
	if err != nil {
		return nil, err
	}
	c, err := ccd.NewContext(ctx, robot, world, opts)
	if err != nil {
		return nil, err
	}
	f.tellModel(ctx, s.err, c)
	return c, nil
}

// checkerFor returns a function that builds the checker of one motion: the base, unless the
// motion's file has its own obstacles or start state.
func (f *checkFlags) checkerFor(ctx context.Context, base *ccd.Checker, robot *urdf.Robot, l *motionfile.Loaded, j *job) func() (*ccd.Checker, error) {
	state, foreign := startState(robot, l)
	if len(foreign) > 0 {
		j.notes = append(j.notes, "positions given for joints that the robot does not move are ignored: "+strings.Join(foreign, ", "))
	}
	return sync.OnceValues(func() (*ccd.Checker, error) {
		if l.RootJoint != "" {
			if err := base.CheckRootJoint(l.RootJoint); err != nil {
				return nil, err
			}
		}
		c := base
		if len(state) > 0 {
			opts, err := f.options(ctx, robot)
			if err != nil {
				return nil, err
			}
			for name, x := range opts.State { // the command line takes precedence over the file
				state[name] = x
			}
			if c, err = base.WithState(state); err != nil {
				return nil, err
			}
		}
		if l.Obstacles == nil || f.scene != "" {
			return c, nil
		}
		world, err := l.Obstacles()
		if err != nil {
			return nil, err
		}
		return c.WithWorld(world)
	})
}

// startState returns the file's start state without the joints that the motion moves and
// without those that the robot lacks or has fixed, which are listed.
func startState(robot *urdf.Robot, l *motionfile.Loaded) (state map[string]float64, foreign []string) {
	moved := map[string]bool{}
	for _, name := range l.Motion.Joints {
		moved[name] = true
	}
	state = map[string]float64{}
	for name, x := range l.Start {
		if moved[name] {
			continue
		}
		i := robot.Joint(name)
		if i < 0 || robot.Joints[i].Type == urdf.Fixed {
			foreign = append(foreign, name)
			continue
		}
		state[name] = x
	}
	return state, foreign
}

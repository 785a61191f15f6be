package input

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/rosbag"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// MotionFlags select the robot, the world, and how motions are read.
type MotionFlags struct {
	ModelFlags
	TableFlags
}

// Task is a motion that an argument names, and the checker of its world.
type Task struct {
	ID       string                                             // what the file calls it, or the file's name
	File     string                                             // as it was named
	Robot    *urdf.Robot                                        // nil if it could not be read
	Motion   *motion.Motion                                     // nil if it could not be read
	Joined   motion.Interpolation                               // how its points were connected
	Measured bool                                               // it is a recording
	Notes    []string                                           // what its reader noticed
	Checker  func() (c *ccd.Checker, notes []string, err error) // built when it is called
}

// Tasks reads the motions of the arguments. A file that cannot be read becomes a motion whose
// checker says why, so that the other motions are still checked.
func (f *MotionFlags) Tasks(ctx context.Context, s cli.Streams, robot *urdf.Robot, args []string) (out []Task, err error) {
	base, _, err := f.Setting(ctx, s, robot)
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		loaded, err := f.ReadMotions(ctx, s.In, arg, robot)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			out = append(out, Unreadable(robot, arg, err))
			continue
		}
		for i := range loaded {
			l := &loaded[i]
			j := Task{ID: l.Motion.ID, File: arg, Robot: robot, Motion: l.Motion, Joined: l.Interpolation, Measured: l.Measured, Notes: l.Warnings}
			if j.ID == "" {
				j.ID = filepath.Base(arg)
				if len(loaded) > 1 {
					j.ID += fmt.Sprintf("#%d", i)
				}
			}
			j.Checker = func() (*ccd.Checker, []string, error) { return base.CheckerOf(l) }
			out = append(out, j)
		}
	}
	return out, nil
}

// Unreadable stands for the motions of a file that cannot be read.
func Unreadable(robot *urdf.Robot, arg string, err error) Task {
	id := filepath.Base(arg)
	if arg == "-" {
		id = "standard input"
	}
	if rest, ok := strings.CutPrefix(err.Error(), arg+": "); ok { // the answer begins with the id: name the file once
		id, err = arg, renamed{err, rest}
	}
	return Task{ID: id, File: arg, Robot: robot, Checker: func() (*ccd.Checker, []string, error) { return nil, nil, err }}
}

// renamed is an error with another text.
type renamed struct {
	error
	text string
}

func (r renamed) Error() string { return r.text }
func (r renamed) Unwrap() error { return r.error }

// ReadMotions reads the motions of a file, or of standard input. A trajectory that begins
// later than time zero starts at the positions of --state.
func (f *MotionFlags) ReadMotions(ctx context.Context, in io.Reader, arg string, robot *urdf.Robot) ([]motionfile.Loaded, error) {
	opts, err := f.MotionOptions(robot)
	if err != nil {
		return nil, err
	}
	switch {
	case arg != "-" && rosbag.Is(ctx, arg):
		return rosbag.Load(ctx, arg, rosbag.Options{Topics: f.Topics, Motion: opts})
	case len(f.Topics) > 0:
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

// MotionOptions is how files of motions are read.
func (f *MotionFlags) MotionOptions(robot *urdf.Robot) (motionfile.Options, error) {
	opts := motionfile.Options{
		Joints: f.joints, Rate: f.rate, Interpolation: f.Interpolation, Start: map[string]float64{},
		Recording: f.recording, MaxGap: f.maxGap, Continuous: continuousJoints(robot),
	}
	for _, s := range f.State {
		if err := AddState(opts.Start, robot, s); err != nil {
			return opts, err
		}
	}
	return opts, nil
}

// Setting is the robot in the world that --scene names, or in none, and the options of its checker.
func (f *MotionFlags) Setting(ctx context.Context, s cli.Streams, robot *urdf.Robot) (out setting.Setting, opts ccd.Options, err error) {
	world, err := f.LoadScene(ctx, robot)
	if err != nil {
		return out, opts, err
	}
	if opts, err = f.Options(ctx, robot); err != nil {
		return out, opts, err
	}
	c, err := ccd.NewContext(ctx, robot, world, opts)
	if err != nil {
		return out, opts, err
	}
	f.TellModel(ctx, s.Err, c)
	return setting.Setting{Checker: c, State: opts.State, Scene: f.Scene != ""}, opts, nil
}

// continuousJoints tells which joints come back to the same pose after a whole turn
// (motionfile.Options.Continuous). A continuous joint that another one follows is not
// listed: that depends on the number of turns.
func continuousJoints(robot *urdf.Robot) map[string]bool {
	followed := map[int]bool{}
	for i := range robot.Joints {
		if m := robot.Joints[i].Mimic; m != nil {
			followed[m.Joint] = true
		}
	}
	out := map[string]bool{}
	for i := range robot.Joints {
		switch j := &robot.Joints[i]; {
		case j.Type == urdf.Planar:
			out[j.Name+"/x"], out[j.Name+"/y"], out[j.Name+"/theta"] = false, false, true
		case j.Type != urdf.Continuous:
			out[j.Name] = false
		case !followed[i]:
			out[j.Name] = true
		}
	}
	return out
}

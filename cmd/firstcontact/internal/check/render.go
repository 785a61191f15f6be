package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/picture"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const aboutRender = `Draw robots, motions and contacts as shaded pictures, without a display.

With a MOTION (any that check reads) it is checked first, as check --min-clearance does, and
the picture shows the answer:

  CONTACT    the robot at the time of contact, the two bodies in colours of their own, and
             a close-up with the witness points and the normal from one to the other
  FREE       the robot where it comes closest to anything, the pair in the same way
  UNDECIDED  the robot where the proof ends

with the robot at other times as ghosts: on the way there, of a free motion at all times.
--at shows the robot at another time, without a check. Without a MOTION the picture shows
the robot at rest, or at --state. Of several motions each has a file of its own:
F.png becomes F-1.png, F-2.png and so on.

The picture shows the collision geometry, which is what is checked. The camera stands where
obstacles hide least and the contact or the motion is seen best; --view places it elsewhere.
Obstacles before the robot are cut open. The same input gives the same picture, on every
machine. A picture proves nothing: its words say what is proved.

Exit status: as of check; 0 with --at and without a MOTION.`

type renderFlags struct {
	Flags
	at string
}

// RenderCommand returns the command render.
func RenderCommand(io cli.Streams) *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render --robot R.urdf --png FILE [flags] [MOTION...]",
		Short: "Draw robots, motions and contacts as shaded pictures",
		Long:  aboutRender,
		Example: `  firstcontact render --robot arm.urdf --png arm.png
  firstcontact render --robot arm.urdf --scene cell.yaml --png contact.png path.yaml
  firstcontact render --robot arm.urdf --png half.png --at 1.5 --ghosts 12 path.yaml
  firstcontact render --robot arm.urdf --state ready --view 120,30 --size 1920x1080 --background dark --png ready.png`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), io, args) },
	}
	f.ModelFlags.Add(cmd)
	cli.Group(cmd, "Motion", func(fs *pflag.FlagSet) { f.TableFlags.Add(cmd) })
	cli.Group(cmd, "Question", func(fs *pflag.FlagSet) {
		f.ScopeFlags.Add(cmd, "leave out")
		fs.Float64Var(&f.Clearance, "clearance", 0, "`metres` that every pair must keep")
		fs.DurationVar(&f.deadline, "deadline", 0, "`time` on the wall clock for each check, then UNDECIDED (0: none)")
	})
	cli.Group(cmd, "Picture", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.png.file, "png", "", "the `file` to write (.png)")
		fs.StringVar(&f.at, "at", "", "show the robot at this `time` of the motion, in seconds, start or end, without a check")
		fs.IntVar(&f.png.ghosts, "ghosts", -1, "`number` of other times at which the robot is shown translucent, 0 for none (default 8,\nwith --at 0)")
		fs.StringVar(&f.png.view, "view", "", "where the camera stands, seen from the robot: `AZIMUTH,ELEVATION` in degrees, azimuth\ncounterclockwise from the x axis (default: where it sees most)")
		fs.StringVar(&f.png.size, "size", defaultSize, "`WIDTHxHEIGHT` in pixels")
		fs.StringVar(&f.png.background, "background", "light", "light or dark")
		fs.BoolVar(&f.png.noCloseUp, "no-close-up", false, "no second picture of the contact from near")
	})
	f.method, f.Interpolation, f.Jobs, f.MinClearance = "auto", "jtc", runtime.NumCPU(), true
	f.Tolerance, f.TimeTolerance = motion.DefaultTolerance, motion.DefaultTimeTolerance
	f.Profile.Tolerance = motion.DefaultClearanceTolerance
	return cmd
}

func (f *renderFlags) run(ctx context.Context, io cli.Streams, args []string) error {
	time, timed, err := f.moment()
	switch {
	case err != nil:
	case f.png.file == "":
		err = errors.New("name the file to write by --png FILE")
	case timed && len(args) == 0:
		err = fmt.Errorf("--at %s is a time of a motion: give a MOTION, or leave --at out", f.at)
	default:
		err = f.validate()
	}
	if err != nil {
		return cli.UsageError{Err: err}
	}
	switch {
	case len(args) == 0:
		return f.atRest(ctx, io)
	case timed:
		return f.atTime(ctx, io, args, time)
	}
	return f.Flags.run(ctx, io, args)
}

// moment parses --at. The end of motions is an infinite time.
func (f *renderFlags) moment() (t float64, given bool, err error) {
	switch f.at {
	case "":
		return 0, false, nil
	case "start":
		return 0, true, nil
	case "end":
		return math.Inf(1), true, nil
	}
	t, err = strconv.ParseFloat(f.at, 64)
	if err != nil || !(t >= 0 && t < math.Inf(1)) {
		return 0, true, fmt.Errorf("--at %s: give a time of the motion in seconds, start or end", f.at)
	}
	return t, true, nil
}

// atRest draws the robot without a motion.
func (f *renderFlags) atRest(ctx context.Context, io cli.Streams) error {
	if err := cli.Writable(f.NamedWith(nil), cli.Output{Flag: "png", Path: f.png.file}); err != nil {
		return err
	}
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	given, _, err := f.Setting(ctx, io, robot)
	if err != nil {
		return err
	}
	return f.show(ctx, io, f.png.file, given.Checker, nil, &picture.Shot{Title: robot.Name, Caption: "where joints are held that no motion names; nothing was checked"})
}

// atTime draws the robot at a time of each motion.
func (f *renderFlags) atTime(ctx context.Context, io cli.Streams, args []string, t float64) error {
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	jobs, err := f.jobsOf(ctx, io, robot, args)
	if err != nil {
		return err
	}
	if err := f.png.number(jobs, f.NamedWith(args)); err != nil {
		return err
	}
	for i := range jobs {
		j := &jobs[i]
		c, _, err := j.Checker()
		if err != nil {
			return fmt.Errorf("%s: %w", j.ID, err)
		}
		end := j.Motion.Duration()
		if !math.IsInf(t, 1) && t > end {
			return fmt.Errorf("%s: --at %s is after its end, %.6g s: give an earlier time, or end", j.ID, f.at, end)
		}
		at := min(t, end)
		shot := &picture.Shot{
			Title: fmt.Sprintf("%s at %.6g s of %.6g s", j.ID, at, end), Caption: "nothing was checked",
			Time: at, Ghosts: f.png.ghostTimes(0, end, 0),
		}
		if err := f.show(ctx, io, j.png, c, j.Motion, shot); err != nil {
			return fmt.Errorf("%s: %w", j.ID, err)
		}
	}
	return nil
}

// show draws a picture and says so.
func (f *renderFlags) show(ctx context.Context, io cli.Streams, file string, c *ccd.Checker, m *motion.Motion, shot *picture.Shot) error {
	if err := f.png.draw(ctx, file, c, m, shot); err != nil {
		return err
	}
	_, err := fmt.Fprintf(io.Out, "%s\n    its picture is %s\n", shot.Title, file)
	return err
}

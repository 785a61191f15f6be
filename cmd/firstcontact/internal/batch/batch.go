//go:build !js

// Package batch is the commands batch and worker: they check datasets, roadmaps and folders of motions, in
// one process or in many that a queue serves.
package batch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/check"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const aboutBatch = `Check many motions: folders, patterns and files, of one robot in one scene.

MOTIONS are what check reads, and besides:
  - a dataset in the layout of LeRobot (2.0 to 3.0): the folder with meta/info.json; each
    episode is a motion, of the column observation.state unless --map names another;
  - NPZ files of retargeted motions: dof_pos (or joint_pos), joint_names, fps, root_pos and
    root_rot;
  - roadmaps: an NPZ file with nodes, edges and joint_names, or a folder with nodes.csv and
    edges.csv. Each edge is a straight line that takes one second;
  - a folder: all files in it and below.

--map FILE (YAML or JSON) says what files leave open. Units and rates are said or refused:
  units: "deg, m"            # of angles and lengths
  rate: 50                   # rows per second, where no file says it
  column: action             # of LeRobot
  quaternion: wxyz           # the order in NPZ files, or xyzw
  columns: [j1, j2, time]    # of tables without a header and of arrays without names
  joints: {main_shoulder_pan: shoulder_pan_joint, gripper: _}   # _ leaves a column out

The folder --out gets motions.parquet with a row for each motion (status, times, pair,
premises, warnings, SHA-256 of robot, scene and motion), and summary.json. Chunks of
about a second are kept there as they are done: after an interrupt or a crash --resume goes
on, and refuses if robot, scene, question, program or files are not the same any more.
--watch then waits for files that are new or change, until an interrupt.

--report N also writes report.html to the folder: a page, as of check --report, about the
N worst motions: contacts, the earliest first; with --clearance, those that come too close;
undecided ones; with --min-clearance, free ones, the closest first. It takes time: for each
of them the clearance is computed at every time of the motion. With --resume it may be
asked for when the batch is done.

A file that is not understood is a row with status invalid, and never free.

Exit status: that of check for all motions, the worst; 70 if a motion was set aside.`

type flags struct {
	check.Flags // of which batch has some
	queueFlags
	processes, replicas int
	out, mapping        string
	resume, watch       bool
	worst, reported     int
}

// Command returns the command batch.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "batch --robot R.urdf --out DIR [flags] MOTIONS...",
		Short: "Check many motions: datasets, roadmaps, folders",
		Long:  aboutBatch,
		Example: `  firstcontact batch --robot arm.urdf --scene cell.yaml --map map.yaml --out results dataset/
  firstcontact batch --robot g1.urdf --map format.json --out results 'clips/*.csv'
  firstcontact batch --robot arm.urdf --scene cell.yaml --map map.yaml --yes-no --out results roadmap.npz
  firstcontact batch --robot arm.urdf --scene cell.yaml --map map.yaml --out results --resume --report 5 dataset/`,
		Args: cli.AtLeastOne("MOTIONS"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), io, args) },
	}
	f.Tolerance, f.TimeTolerance = motion.DefaultTolerance, motion.DefaultTimeTolerance
	f.Profile.Tolerance = motion.DefaultClearanceTolerance
	f.ModelFlags.Add(cmd)
	cli.Group(cmd, "Motions", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.mapping, "map", "", "a `file` that says units, rate, columns and names of joints, where the motions do not")
		f.TableFlags.Add(cmd)
	})
	cli.Group(cmd, "Question", func(fs *pflag.FlagSet) {
		f.ScopeFlags.Add(cmd, "leave out")
		fs.Float64Var(&f.Clearance, "clearance", 0, "`metres` that every pair must keep")
		fs.BoolVar(&f.MinClearance, "min-clearance", false, "also compute the smallest distance of free motions, to a millimetre")
		fs.BoolVar(&f.YesNo, "yes-no", false, "only decide whether they are free: rows of contacts name neither pair nor time")
		fs.IntVarP(&f.Jobs, "jobs", "j", runtime.NumCPU(), "chunks checked at once")
	})
	cli.Group(cmd, "Several processes and machines (a program built with NATS=1)", func(fs *pflag.FlagSet) {
		f.queueFlags.add(fs)
		fs.IntVar(&f.replicas, "nats-replicas", 1, "`number` of servers of a cluster that keep each chunk and answer: 1, 3 or 5")
		fs.IntVar(&f.processes, "workers", 0, "check in this `number` of processes, so that none of them can end the batch (0: in this one)")
	})
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.out, "out", "", "the `folder` of the results")
		fs.BoolVar(&f.resume, "resume", false, "go on with the batch that was begun in the folder")
		fs.BoolVar(&f.watch, "watch", false, "when all is done, wait for new files and check them too, until an interrupt")
		fs.IntVar(&f.worst, "worst", 10, "`number` of motions that the summary lists as the worst")
		fs.IntVar(&f.reported, "report", 0, "write a page about the `N` worst motions that have a verdict to report.html in the folder:\neach in 3D, its clearance over time, the closest pairs, the answer (0: none)")
	})
	return cmd
}

func (f *flags) validate() error {
	if _, err := motion.ParseInterpolation(f.Interpolation); err != nil {
		return fmt.Errorf("--interpolation: %w", err)
	}
	switch {
	case f.out == "":
		return errors.New("--out is missing: name the folder of the results")
	case f.Jobs < 1:
		return fmt.Errorf("--jobs %d: give 1 or more", f.Jobs)
	case f.processes < 0 || f.processes > 0 && f.nats != "":
		return fmt.Errorf("--workers %d: give 0 or more, and not with --nats, whose workers are started where they are to run", f.processes)
	case f.processes > 0 && errNoQueue != nil:
		return errNoQueue
	case f.worst < 0:
		return fmt.Errorf("--worst %d: give 0 or more", f.worst)
	case f.reported < 0:
		return fmt.Errorf("--report %d: give a number of motions, or 0 for no page", f.reported)
	case f.resume && f.watch:
		return errors.New("--resume and --watch: finish the batch with --resume first, then watch with another folder")
	case f.ACM == "proven" && f.Pairs == "":
		return errors.New("--acm proven: what is proved at the start depends on how fast the machine is: make a file with 'firstcontact pairs --file' and name it with --pairs")
	case f.YesNo && f.MinClearance:
		return errors.New("--yes-no and --min-clearance contradict each other")
	}
	return errors.Join(f.queueFlags.validate(), f.ScopeFlags.Validate())
}

func (f *flags) run(ctx context.Context, s cli.Streams, args []string) error {
	if err := f.validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	subject, err := f.subject(ctx, s)
	if err != nil {
		return err
	}
	find := func() ([]dataset.File, []string, error) { return dataset.Find(ctx, args, f.mapping, f.out) }
	files, ignored, err := find()
	if err != nil {
		return err
	}
	w := newWatch(files)
	worst := cli.ExitFree
	for round := 0; ; round++ {
		out := f.out
		if round > 0 {
			out = filepath.Join(f.out, fmt.Sprintf("watch-%d", round))
		}
		exit, err := f.round(ctx, s, subject, files, ignored, out)
		worst = cli.Worse(worst, exit)
		if err != nil || !f.watch {
			return cmpOutcome(worst, err)
		}
		if files, err = w.wait(ctx, find); err != nil {
			return cli.Watched(worst) // the interrupt that ends it
		}
		ignored = nil
	}
}

// cmpOutcome is the error of an exit status that is not free.
func cmpOutcome(exit int, err error) error {
	if err == nil && exit != cli.ExitFree {
		return cli.Outcome(exit)
	}
	return err
}

// round checks files, and writes the results to a folder.
func (f *flags) round(ctx context.Context, s cli.Streams, subject *batch.Subject, files []dataset.File, ignored []string, out string) (exit int, err error) {
	plan, err := f.plan(ctx, subject, files, ignored, out)
	if err != nil {
		return 0, err
	}
	store, err := batch.OpenStore(ctx, out, plan)
	if err != nil {
		return 0, cli.OutputError{Err: err}
	}
	checker := batch.NewChecker(subject, plan)
	check := func() error { return batch.Run(ctx, checker, store, f.Jobs) }
	if f.nats != "" || f.processes > 0 {
		check = func() error { return f.distribute(ctx, s, subject, subject.Options, store, out) }
	}
	switch err := check(); {
	case err != nil && ctx.Err() != nil:
		return 0, cli.Interruption{Left: fmt.Sprintf("%d of %d chunks are not checked: --resume goes on", store.Left(), len(plan.Chunks))}
	case err != nil && store.Left() > 0:
		return 0, cli.OutputError{Err: err}
	case err != nil:
		fmt.Fprintf(s.Err, "note: all is checked, and the server was not left clean: %v\n", err)
	}
	summary := batch.NewSummary(f.worst, f.reported, plan.Ignored)
	if err := batch.WriteTable(ctx, store, summary); err != nil {
		return 0, cli.OutputError{Err: err}
	}
	summary.Finish()
	unshown := f.show(ctx, s, checker, subject.Judge.Setting(), summary, out) // the results stand without it
	if err := summary.Save(out); err != nil {
		return 0, cli.OutputError{Err: err}
	}
	if err := summary.Write(s.Out); err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(s.Out, "    a row for each motion is in %s\n", filepath.Join(out, batch.TableName))
	if summary.Report != "" && err == nil {
		_, err = fmt.Fprintf(s.Out, "    the %d worst are shown in %s\n", len(summary.Shown), filepath.Join(out, summary.Report))
	}
	return summary.ExitStatus, errors.Join(unshown, err)
}

// plan makes the plan, or takes that of the batch that was begun.
func (f *flags) plan(ctx context.Context, subject *batch.Subject, files []dataset.File, ignored []string, out string) (*batch.Plan, error) {
	old, err := batch.ReadPlan(ctx, out)
	switch {
	case err != nil:
		return nil, err
	case old == nil:
		return batch.NewPlan(ctx, subject, files, ignored)
	case !f.resume:
		return nil, cli.UsageError{Err: fmt.Errorf("--out %s: a batch was begun there: go on with --resume, or name another folder", out)}
	}
	if err := old.Same(ctx, subject, files); err != nil {
		return nil, fmt.Errorf("--out %s: %w", out, err)
	}
	return old, nil
}

// subject loads the robot, the scene and the mapping.
func (f *flags) subject(ctx context.Context, s cli.Streams) (*batch.Subject, error) {
	robot, err := f.Load(ctx)
	if err != nil {
		return nil, err
	}
	base, opts, err := f.Setting(ctx, s, robot)
	if err != nil {
		return nil, err
	}
	reading, err := f.reading(ctx, robot)
	if err != nil {
		return nil, err
	}
	program, err := batch.Program()
	if err != nil {
		return nil, err
	}
	words := []string{program, fmt.Sprintf("%q %v %q %v", opts.Allowed, opts.Padding, opts.Accept, opts.OnlyProven)}
	return &batch.Subject{Judge: batch.NewJudge(base, f.Query()), Options: reading, Words: words}, nil
}

// reading is how motions are read.
func (f *flags) reading(ctx context.Context, robot *urdf.Robot) (o dataset.Options, err error) {
	o.Topics = f.Topics
	if o.Motion, err = f.MotionOptions(robot); err == nil && f.mapping != "" {
		o.Mapping, err = dataset.ReadMapping(ctx, f.mapping, lengthsOf(robot))
	}
	return o, err
}

// lengthsOf names the joints whose positions are lengths.
func lengthsOf(robot *urdf.Robot) map[string]bool {
	out := map[string]bool{}
	for i := range robot.Joints {
		switch j := &robot.Joints[i]; j.Type {
		case urdf.Prismatic:
			out[j.Name] = true
		case urdf.Planar:
			out[j.Name+"/x"], out[j.Name+"/y"] = true, true
		}
	}
	return out
}

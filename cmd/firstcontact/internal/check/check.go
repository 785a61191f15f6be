// Package check is the commands check and render: they decide whether motions are free of collision, print
// what package verdict says of it, and write certificates, recordings, reports and pictures.
package check

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const aboutCheck = `Check whether motions are free of collision, over their whole duration.

A MOTION is a file, or - for standard input:
  - a trajectory as ROS 2 writes it, in YAML or JSON: JointTrajectory, RobotTrajectory,
    DisplayTrajectory, or a goal of FollowJointTrajectory;
  - a CSV file with a header of joint names and 'time' (without: --joints and --rate),
    or 'seg' lines (with --joints);
  - a recording of joint states: rosbag2 (an MCAP file, an SQLite database, or their
    folder; --topic chooses), what ros2 topic echo prints, or PlotJuggler's CSV;
  - planning problems: FILE.json, FILE.json#SET or FILE.json#SET/INDEX, each the line
    from start to goal among its own obstacles, unless --scene names others.
Points of a trajectory are joined as by the ROS 2 joint_trajectory_controller (by
straight lines with --interpolation linear), all others by straight lines.

  FREE       a proof: nothing touches, at any time
  CONTACT    the pair, witness points, and the time as an interval: nothing touches
             before its start
  CLEARANCE  a pair comes closer than --clearance
  UNDECIDED  not proved, with the time until which it is: never treat it as free

Without an SRDF, adjacent links and links that touch at the default state are left out.
What the input leaves open (an object without a pose, say) is a gap: no motion is FREE
until --accept names it. Of several motions each has one line, totals follow, and
--details prints all.

--profile writes how close a motion comes at every time, whatever the verdict: a proved
lower bound, and an upper bound measured between two points, at most
--profile-tolerance apart.

Exit status: 0 free, 1 contact, 2 clearance not kept, 3 undecided, 4 bad input,
64 usage; of several motions the worst. docs/command.md explains the answer.`

// Flags select motions, ask a question about each, and name what is written about the answers. Those that
// batch sets for its own flags are exported.
type Flags struct {
	input.MotionFlags
	input.ScopeFlags
	input.RangeFlags
	json                     bool
	MinClearance, YesNo      bool // also the smallest distance; only whether a motion is free
	eachScope                bool
	contacts                 int
	premises, details        bool
	Clearance                float64 // m, that every pair must keep
	Tolerance, TimeTolerance float64 // m and s
	deadline, budget         time.Duration
	method                   string
	by                       motion.Method // parsed --method
	research                 string
	tubes                    []string
	tube                     tube // parsed --tube
	certificate              string
	Profile                  profileFlags // how distances over time are written
	picture                  string
	png                      pngFlags
	report                   string
	motions                  int // how many there are
	record                   string
	lost                     error // outputs that could not be written
	losing                   sync.Mutex
	Jobs                     int // motions checked at once
	workers                  int // goroutines per job
}

// Command returns the command check.
func Command(io cli.Streams) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use:   "check --robot R.urdf [flags] MOTION...",
		Short: "Prove motions free of collision, or find their first contact",
		Long:  aboutCheck,
		Example: `  firstcontact check --robot arm.urdf --srdf arm.srdf --scene cell.yaml path.yaml
  firstcontact check --robot arm.urdf --clearance 0.01 --json path.csv | jq .status
  firstcontact check --robot arm.urdf --scene cell.yaml --each-scope --contacts 10 path.yaml
  firstcontact check --robot arm.urdf --scene cell.yaml --profile path.svg path.yaml
  firstcontact check --robot arm.urdf --scene cell.yaml --report path.html path.yaml
  firstcontact check --robot panda.urdf --srdf panda.srdf panda.json#box`,
		Args: cli.AtLeastOne("MOTION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), io, args)
		},
	}
	f.png.ghosts = -1
	f.ModelFlags.Add(cmd)
	cli.Group(cmd, "Motion", func(fs *pflag.FlagSet) {
		f.TableFlags.Add(cmd)
		fs.StringArrayVar(&f.tubes, "tube", nil, "how far joints may deviate from the motion, in rad or m: `WIDTH` for all,\nor JOINT=WIDTH[,...] (repeat)")
	})
	cli.Group(cmd, "Question", func(fs *pflag.FlagSet) {
		f.ScopeFlags.Add(cmd, "leave out")
		fs.Float64Var(&f.Clearance, "clearance", 0, "`metres` that every pair must keep")
		f.RangeFlags.Add(fs, "implies\n--min-clearance. A pair closer than MIN ends the check, pairs that stay farther apart\nthan MAX are left out")
		fs.BoolVar(&f.MinClearance, "min-clearance", false, "also compute the smallest distance of a free motion, to a millimetre")
		fs.BoolVar(&f.YesNo, "yes-no", false, "only decide whether it is free: a reported contact need not be the first")
		fs.BoolVar(&f.eachScope, "each-scope", false, "answer for the robot with itself and with the world apart: after the first\ncontact of one, go on for the other")
		fs.IntVar(&f.contacts, "contacts", 0, "list up to `N` pairs that touch at the time of contact (0: only the first)")
		fs.Float64Var(&f.Tolerance, "tolerance", motion.DefaultTolerance, "`metres` within which a pair counts as touching")
		fs.Float64Var(&f.TimeTolerance, "time-tolerance", motion.DefaultTimeTolerance, "`seconds` within which the time of contact is found")
		fs.DurationVar(&f.deadline, "deadline", 0, "`time` on the wall clock for each motion, then UNDECIDED (0: none)")
		fs.DurationVar(&f.budget, "budget", 0, "computing `time` for each question about a motion, then UNDECIDED (0: none);\ntime that other programs take does not count")
		fs.StringVar(&f.method, "method", "auto", "the `algorithm`: "+strings.Join(motion.MethodNames(), ", ")+
			"\n(auto is spacetime; the others are algorithms of papers, for comparison)")
		fs.StringVar(&f.research, "research", "", "run a paper's method otherwise, to study it: `SETTING`[=VALUE],...\n(such as swept=tessellate,no-newton; docs/methods.md lists them, an unknown one prints them)")
		fs.IntVarP(&f.Jobs, "jobs", "j", runtime.NumCPU(), "motions checked at once")
	})
	f.addOutput(cmd)
	return cmd
}

func (f *Flags) addOutput(cmd *cobra.Command) {
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&f.json, "json", false, "print one JSON object per motion, and of several one of totals")
		fs.BoolVar(&f.details, "details", false, "print all about each of several motions, as for a single one, not one line each")
		fs.BoolVar(&f.premises, "premises", false, "print all premises of the answer: allowed pairs, held joints, surfaces (--json always does)")
		fs.StringVar(&f.certificate, "certificate", "", "write the proof of a free motion to a `file` (.gz: compressed), for verify")
		fs.StringVar(&f.picture, "picture", "", "draw robot and obstacles at the time of contact to a `file` (.svg); of a free motion\nwhere it is closest (with --min-clearance) or ends")
		fs.StringVar(&f.report, "report", "", "write a page about all motions to a `file` (.html) that any browser opens: the motion\nin 3D, clearance over time, the closest pairs, the answer and what it rests on")
		fs.StringVar(&f.png.file, "png", "", "draw a shaded picture of the answer to a `file` (.png): the motion, the contact and its\nsurroundings; several motions give several files. 'render' draws others")
		fs.StringVar(&f.record, "record", "", "record the robot, the motion, the verdict and its markers to a `file` (.mcap), for\nros2 bag play, RViz and Foxglove")
		fs.StringVar(&f.Profile.file, "profile", "", "write bounds of the smallest distance over time to a `file`: .svg for a picture,\n.csv for a table (time, lower, upper, a, b; linear between its rows)")
		fs.Float64Var(&f.Profile.Tolerance, "profile-tolerance", motion.DefaultClearanceTolerance, "`metres` by which the bounds of --profile may differ")
		fs.Float64Var(&f.Profile.max, "profile-max", 0, "`metres` beyond which --profile reports no distances (0: no limit)")
	})
}

func (f *Flags) run(ctx context.Context, io cli.Streams, args []string) error {
	if err := f.validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	if err := cli.Writable(f.NamedWith(args), cli.Output{Flag: "certificate", Path: f.certificate}, cli.Output{Flag: "profile", Path: f.Profile.file}, cli.Output{Flag: "picture", Path: f.picture}, cli.Output{Flag: "record", Path: f.record}, cli.Output{Flag: "report", Path: f.report}); err != nil {
		return err
	}
	if !f.Quiet() {
		noteGraphics(io.Err)
	}
	robot, err := f.Load(ctx)
	if err != nil {
		return f.unable(io, args, err)
	}
	jobs, err := f.jobsOf(ctx, io, robot, args)
	if err != nil {
		return f.unable(io, args, err)
	}
	if n := len(jobs); f.certificate+f.Profile.file+f.picture+f.record != "" && n > 1 {
		return cli.UsageError{Err: fmt.Errorf("--certificate, --profile, --picture and --record are for one motion, but %d are given", n)}
	}
	f.motions = len(jobs)
	if err := f.png.number(jobs, f.NamedWith(args)); err != nil {
		return err
	}
	worst, err := f.checkAll(ctx, io, jobs)
	if err == nil && !f.json {
		err = f.png.tell(io.Out, len(jobs))
	}
	if f.report != "" {
		if wrong := f.addReport(io, robot, jobs); wrong != nil {
			return errors.Join(err, wrong)
		}
	}
	if err != nil {
		return err
	}
	if f.lost != nil {
		return f.lost
	}
	if worst != cli.ExitFree {
		return cli.Outcome(worst)
	}
	return nil
}

// unable reports with --json that none of the motions can be checked: an object for each, and totals. It
// returns the error.
func (f *Flags) unable(s cli.Streams, args []string, err error) error {
	if !f.json || !cli.IsBadInput(err) {
		return err
	}
	all := verdict.NewTotals()
	for _, arg := range args {
		j := Job{Task: input.Unreadable(nil, arg, err)}
		r := verdict.Invalid(j.ID, err)
		f.identify(&r, nil, &j)
		if err := r.WriteJSON(s.Out); err != nil {
			return err
		}
		all.Add(&r)
	}
	if len(args) > 1 {
		if err := all.WriteJSON(s.Out); err != nil {
			return err
		}
	}
	return cli.Answered{Err: err}
}

func (f *Flags) validate() (err error) {
	if _, err := motion.ParseInterpolation(f.Interpolation); err != nil {
		return fmt.Errorf("--interpolation: %w", err)
	}
	if f.tube, err = parseTube(f.tubes); err != nil {
		return err
	}
	if err := f.RangeFlags.Parse(); err != nil {
		return err
	}
	f.MinClearance = f.MinClearance || len(f.Given) > 0
	if err := f.Profile.validate(); err != nil {
		return err
	}
	if err := (cli.Output{Flag: "record", Path: f.record}).Ends(".mcap", ".mcap"); err != nil {
		return err
	}
	if err := (cli.Output{Flag: "picture", Path: f.picture}).Ends(".svg", ".svg"); err != nil {
		return err
	}
	if err := f.png.validate(); err != nil {
		return err
	}
	if err := (cli.Output{Flag: "report", Path: f.report}).Ends(".html", ".html"); err != nil {
		return err
	}
	if f.by, err = motion.ParseMethod(f.method); err != nil {
		return fmt.Errorf("--method: %w%s", err, spelling.Hint(f.method, motion.MethodNames()))
	}
	switch {
	case f.by > motion.Spacetime && f.certificate != "":
		return fmt.Errorf("--method %s writes no certificates: leave it out, or give spacetime", f.by)
	case f.deadline < 0 || f.budget < 0:
		return errors.New("--deadline and --budget must not be negative")
	case len(f.Given) > 0 && f.certificate != "":
		return fmt.Errorf("--certificate says nothing of distance ranges: leave out --distance-range, and give the distance to be proved by --clearance")
	case f.All && f.Profile.max > 0:
		return fmt.Errorf("--profile-max and --distance-range say twice what is far: leave out --profile-max")
	case f.Jobs < 1:
		return fmt.Errorf("--jobs %d: give 1 or more", f.Jobs)
	case f.contacts < 0:
		return fmt.Errorf("--contacts %d: give 1 or more, or 0 for no list", f.contacts)
	case f.YesNo && f.MinClearance:
		return fmt.Errorf("--yes-no and --min-clearance contradict each other")
	}
	return nil
}

// Query is the question about a motion whose turn is now.
func (f *Flags) Query() motion.Query {
	q := motion.Query{
		Clearance: f.Clearance, Tolerance: f.Tolerance, TimeTolerance: f.TimeTolerance,
		Method: f.by, Research: f.research, Budget: f.budget, NoSelf: f.NoSelf, NoWorld: f.NoWorld, Workers: f.workers,
		EachScope: f.eachScope, MaxContacts: f.contacts,
	}
	if f.deadline > 0 {
		q.Deadline = time.Now().Add(f.deadline)
	}
	switch {
	case f.YesNo:
		q.Question = motion.IsFree
	case f.MinClearance:
		q.Question, q.Range = motion.MinClearance, f.Ranges
	}
	return q
}

// Job is a motion to check, and what is shown of it.
type Job struct {
	input.Task
	Rests []string     // what its reader assumed, for --report
	page  *show.Motion // for --report, once it has run
	png   string       // file of its picture, for --png
}

// jobsOf reads the motions of the arguments.
func (f *Flags) jobsOf(ctx context.Context, s cli.Streams, robot *urdf.Robot, args []string) ([]Job, error) {
	read, err := f.Tasks(ctx, s, robot, args)
	jobs := make([]Job, len(read))
	for i := range read {
		jobs[i].Task = read[i]
	}
	return jobs, err
}

// check does one job.
func (f *Flags) check(ctx context.Context, j *Job) verdict.Result {
	c, notes, err := j.Checker()
	var r verdict.Result
	if err == nil {
		j.Notes = append(j.Notes, notes...)
		r, err = f.answer(ctx, c, j)
	}
	if err != nil {
		r = verdict.Invalid(j.ID, err)
	}
	if f.json || f.report != "" {
		told := r
		f.identify(&told, c, j)
		if f.report != "" {
			f.finishPage(j, &told)
		}
		if f.json {
			r = told
		}
	}
	return r
}

// identify adds what the answer is about. The checker is nil if there is none.
func (f *Flags) identify(r *verdict.Result, c *ccd.Checker, j *Job) {
	var world *scene.Snapshot
	if c != nil {
		world = c.World()
	}
	if q := f.Query(); r.Status == "invalid" {
		r.Clearance, r.Tolerances = q.Clearance, verdict.TolerancesOf(q)
	}
	r.Inputs = f.Inputs(j.Robot, world, j.Motion, j.File)
	r.Warnings = append(input.Warnings(j.Robot, world), r.Warnings...)
}

// answer checks a motion.
func (f *Flags) answer(ctx context.Context, c *ccd.Checker, j *Job) (r verdict.Result, err error) {
	q := f.Query()
	q.Tube = f.tube.around(c.ActiveJoints())
	var v motion.Verdict
	var written bool
	if f.certificate != "" {
		if v, written, err = certify(ctx, c, j.Motion, q, f.certificate); f.isLost(err) {
			v = motion.Verdict{}
		} else if err != nil {
			return r, err
		}
	}
	unfinished := v.Reason
	var touch *motion.Verdict
	if v.Status != motion.Free {
		if v, touch, err = c.CheckMargin(ctx, j.Motion, q); err != nil {
			return r, err
		}
	}
	withholdStopped(&v)
	if f.YesNo { // IsFree reports no distances
		verdict.CompleteFeatures(c, &v)
		verdict.CompleteFeatures(c, touch)
	}
	r = verdict.New(j.ID, j.Motion, q, v, touch)
	r.Padding = f.Padding
	r.Interpolation, r.Notes, r.All = string(j.Joined), slices.Concat(j.Notes, input.HeldBeyond(c.Robot(), v.Premises)), f.premises
	r.Warnings = answer.Warnings(c.Plausible().Motion(j.Motion))
	r.CompareLimits(c, j.Motion)
	f.tellProof(&r, written, unfinished)
	if j.Measured && r.Segment != nil {
		r.Notes = append(r.Notes, verdict.BetweenSamples(&j.Motion.Pieces[*r.Segment]))
	}
	a := &node.Answer{ID: j.ID, Checker: c, Motion: j.Motion, Joined: j.Joined, Query: q, Verdict: &v, Touch: touch}
	err = f.addFiles(ctx, j, a, &r)
	return r, err
}

// addFiles writes what the flags ask for besides the result.
func (f *Flags) addFiles(ctx context.Context, j *Job, a *node.Answer, r *verdict.Result) error {
	if f.report != "" {
		if err := f.addPage(ctx, j, a); err != nil {
			f.lose(r, "the report lacks parts of it", err)
		}
	}
	if f.Profile.file != "" {
		if err := f.addProfile(ctx, a.Checker, j, r); err != nil && !f.isLost(err) {
			return err
		}
	}
	if f.record != "" {
		if err := f.addRecording(ctx, j, a, r); err != nil && !f.isLost(err) {
			return err
		}
	}
	if f.picture != "" {
		if err := f.addPicture(a.Checker, j, a.Verdict, a.Touch, r); err != nil && !f.isLost(err) {
			f.lose(r, "its picture is not drawn", err)
		}
	}
	if j.png != "" {
		if err := f.addPNG(ctx, j, a, r); err != nil && !f.isLost(err) {
			f.lose(r, "its picture is not drawn", err)
		}
	}
	return nil
}

// isLost reports whether an error is about a file that cannot be written, and keeps it: the
// answer stays what it is.
func (f *Flags) isLost(err error) bool {
	var o cli.OutputError
	if !errors.As(err, &o) {
		return false
	}
	f.losing.Lock()
	defer f.losing.Unlock()
	f.lost = errors.Join(f.lost, err)
	return true
}

// lose keeps the error of what only shows an answer: the answer stays what it is, and says so.
func (f *Flags) lose(r *verdict.Result, what string, err error) {
	r.Notes = append(r.Notes, fmt.Sprintf("%s: %v", what, err))
	f.isLost(cli.OutputError{Err: fmt.Errorf("%s: %s: %w", r.Motion, what, err)})
}

// addProfile writes the profile.
func (f *Flags) addProfile(ctx context.Context, c *ccd.Checker, j *Job, r *verdict.Result) error {
	reason, err := f.Profile.write(ctx, c, j, f.Query(), r)
	if err != nil {
		return err
	}
	if r.Profile = f.Profile.file; reason != "" {
		r.Notes = append(r.Notes, "the profile was cut short: "+reason)
	}
	return nil
}

// addPicture draws the answer.
func (f *Flags) addPicture(c *ccd.Checker, j *Job, v, touch *motion.Verdict, r *verdict.Result) error {
	if err := drawStill(f.picture, c, j.Motion, worstOf(v, touch), r); err != nil {
		return err
	}
	r.Picture = f.picture
	return nil
}

// worstOf is what a picture shows of two verdicts: that of the clearance, and that of contact.
func worstOf(v, touch *motion.Verdict) *motion.Verdict {
	if touch != nil && touch.Status == motion.Contact {
		return touch
	}
	return v
}

// Package motionfile reads motions from files: trajectories and planned paths as
// ROS prints them, CSV, the segments of the comparison harness and the planning
// problems of MotionBenchMaker.
package motionfile

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/firstcontact-ros/firstcontact/internal/base/ccdscene"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/sniff"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// Options of a reader; the zero value is the documented default.
type Options struct {
	// Joints names the columns of a CSV file that has no header: a joint, "time", or
	// "_" or "-" for a column that is left out. Names that are not those of the header,
	// in its order, are an error if there is one; "_" and "-" leave columns out there, too.
	// Joints also names the joints of segments. Of a recording that names its joints, but
	// for tables by Recording, it chooses some: others are left out. Other files name their
	// joints themselves.
	Joints []string
	// Rename gives columns of a CSV file other names than Joints or its header: those of
	// joints, "time", "_" or "-". It does not change what PlotJuggler exports.
	Rename map[string]string
	// Rate of the rows of a CSV file without a column of times, in rows per
	// second.
	Rate float64
	// Interpolation between the points of trajectories that a controller is to
	// execute: "" or "jtc" for the splines of the joint_trajectory_controller
	// (motion.Spline), "linear" for straight lines in joint space. Tables,
	// segments and problems are joined by straight lines.
	Interpolation string
	// Start gives positions (rad, m) at time zero by joint name, where a file
	// does not. A trajectory whose first point is later than zero is led there
	// from the start in a straight line. Of trajectories that follow each other it is the
	// start of the first.
	Start map[string]float64
	// Recording says that the rows of a CSV file with a header were measured: it is
	// read like a recording. An empty cell is then no sample of its column; else it is
	// an error.
	Recording bool
	// MaxGap is the longest interval (s) between two samples of a recording that is
	// no gap; 0 means the default of recording.Options.
	MaxGap float64
	// Continuous tells which joints turn without end: see recording.Options. Recordings use
	// it, notes about turns, and gaps of joints that a controller may turn another way to the
	// first point of a trajectory.
	Continuous map[string]bool
}

// Loaded is one motion of a file and what a user should know about it.
type Loaded struct {
	Motion *motion.Motion

	// Interpolation is how the points were joined.
	Interpolation motion.Interpolation

	// RootJoint names the multi-DOF joint of a trajectory that moves the root
	// link (Motion.Root): it has to be the virtual joint that attaches the robot's
	// root link to the world. Empty for tables, whose columns say what they are.
	RootJoint string

	// RootFrame is the frame in which the file says that RootJoint moves the root link: it has to
	// be the joint's parent frame. Empty if the file does not say it.
	RootFrame string

	// Start is what the file says of the robot at time zero, by joint name (rad,
	// m): joints that the motion moves and others, such as a gripper's. It may
	// name joints that a robot lacks.
	Start map[string]float64

	// Follows says that the motion sets out from where another one of the file has ended.
	// Start then includes the positions of Options, as far as no motion before has moved
	// them: those tell where the first one starts.
	Follows bool

	// Measured says that the motion is a recording of what a robot did. Between its
	// samples it is assumed (premise.BetweenSamples).
	Measured bool

	// Obstacles makes the world of a planning problem; nil for motions of other files.
	Obstacles func() (*scene.Snapshot, error)

	// Warnings tell where the motion may differ from what a robot would do.
	Warnings []string
}

// Load reads the motions of a file, at least one. The content tells the format:
//
//   - trajectory_msgs/JointTrajectory, moveit_msgs/RobotTrajectory and
//     DisplayTrajectory as YAML or JSON, one or more documents, as ros2 topic
//     echo prints them; of multi-DOF joints one, with a transform for each point,
//     which moves the root link;
//   - recordings of sensor_msgs/JointState, as ros2 topic echo prints them, with and
//     without --csv, and the CSV that PlotJuggler exports: one motion (package
//     recording);
//   - CSV with a header of joint names and time, or with Options.Joints and
//     Options.Rate; the columns root_x, root_y, root_z (m) and root_qx, root_qy,
//     root_qz, root_qw, if they are there, move the root link;
//   - seg lines of the comparison harness, one second each, with
//     Options.Joints;
//   - the motion from start to goal, in one second, of each problem of a
//     MotionBenchMaker file: file.json, file.json#set or file.json#set/index.
//
// Trajectories keep the turns of continuous joints, as controllers do; tables,
// segments and problems take the short way round.
//
// Points that are not finite, jumps and unknown keys are errors that name the
// file and the place.
func Load(path string, opts Options) ([]Loaded, error) {
	return LoadContext(context.Background(), path, opts)
}

// LoadContext is Load that ends with an error that wraps ctx's once ctx is done.
func LoadContext(ctx context.Context, path string, opts Options) ([]Loaded, error) {
	file, _ := infile.CutSelector(path)
	data, err := infile.Read(ctx, file, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("motion: %w", err)
	}
	return parse(ctx, path, data, opts)
}

// Parse is Load for a file already in memory.
func Parse(name string, data []byte, opts Options) ([]Loaded, error) {
	return parse(context.Background(), name, data, opts)
}

func parse(ctx context.Context, name string, data []byte, opts Options) ([]Loaded, error) {
	loaded, err := parseAny(ctx, name, data, opts)
	file, _ := infile.CutSelector(name)
	return loaded, sniff.Explain(file, err, sniff.Motion, data)
}

func parseAny(ctx context.Context, name string, data []byte, opts Options) ([]Loaded, error) {
	through, err := motion.ParseInterpolation(opts.Interpolation)
	if err != nil {
		return nil, err
	}
	if len(data) > limit.DocumentBytes {
		return nil, fmt.Errorf("%s: is larger than %d MiB, the most that is read", name, limit.DocumentBytes>>20)
	}
	file, selector := infile.CutSelector(name)
	r := &reader{name: file, path: name, opts: opts, through: through}
	switch {
	case ccdscene.AreSegments(data):
		return r.plain(selector, data, r.segments)
	case isEcho(data):
		return r.plain(selector, data, func(data []byte) ([]Loaded, error) { return r.yamlRecording(ctx, data) })
	case isEchoCSV(data):
		return r.plain(selector, data, r.echoCSV)
	case isDocument(data):
		return r.documents(selector, data)
	}
	return r.plain(selector, data, r.csv)
}

type reader struct {
	name string // the file's, for messages
	path string // with the selector
	opts Options

	through motion.Interpolation // of trajectories
}

func (r *reader) plain(selector string, data []byte, read func([]byte) ([]Loaded, error)) ([]Loaded, error) {
	if selector != "" {
		return nil, fmt.Errorf("%s: has no problems to choose #%s from: only files of problems take a selector", r.name, selector)
	}
	return read(data)
}

// documentStart matches a line that begins a YAML or JSON document; a row of a
// CSV file does not look like it.
var documentStart = regexp.MustCompile(`^(---|%YAML|[{\[]|- |"?[A-Za-z_]\w*"?\s*:(\s|$))`)

func isDocument(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return documentStart.Match(line)
		}
	}
	return false
}

// documents reads the formats that are YAML or JSON.
func (r *reader) documents(selector string, data []byte) ([]Loaded, error) {
	docs, err := document.Parse(r.name, data)
	if err != nil {
		return nil, err
	}
	var out []Loaded
	for i, doc := range docs {
		f, err := doc.AnyFields("motion")
		if err != nil {
			return nil, err
		}
		if i == 0 && isJointState(f) {
			return r.plain(selector, data, func([]byte) ([]Loaded, error) { return r.messages(docs) })
		}
		if f.Has("sets") && len(docs) == 1 {
			return r.problems(data)
		}
		if selector != "" {
			return nil, fmt.Errorf("%s: has no problems to choose #%s from: only files of problems take a selector", r.name, selector)
		}
		trajectories, err := message(f)
		if err != nil {
			return nil, err
		}
		if out, err = r.finishAll(out, trajectories); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: has no motions", r.name)
	}
	last := &out[len(out)-1]
	last.Warnings = append(last.Warnings, cutShort(data)...)
	r.number(out)
	return out, nil
}

// cutShort warns of YAML that may have been cut short and is YAML nevertheless. A last document in braces is whole.
func cutShort(data []byte) (warnings []string) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	whole, line := endOf(data)
	last := data
	if line > 0 {
		last = data[len(whole):]
	}
	if begin := firstLine(last); bytes.HasPrefix(begin, []byte("{")) || bytes.HasPrefix(begin, []byte("[")) {
		return nil
	}
	if cut := Unended(data); cut != "" {
		warnings = append(warnings, cut)
	}
	// A --- before any document begins one; after it, as ros2 topic echo prints it, it ends one.
	if line > 0 && len(whole) > 0 && !bytes.HasPrefix(firstLine(data), []byte("---")) {
		warnings = append(warnings, fmt.Sprintf("its last document, from line %d on, does not end with --- as those before it: if the file was cut short, points are missing", line))
	}
	return warnings
}

// firstLine returns the first line that is neither empty nor a comment or a directive.
func firstLine(data []byte) []byte {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return line
		}
	}
	return nil
}

// finishAll appends the motions of one message, each of which sets out from where the one
// before has ended.
func (r *reader) finishAll(out []Loaded, trajectories []*trajectory) ([]Loaded, error) {
	var state *start
	for _, t := range trajectories {
		if t.from != nil {
			state = t.from
		}
		if state != nil {
			state.put(t)
		}
		out = append(out, Loaded{Follows: t.follows})
		l := &out[len(out)-1]
		if err := r.finish(l, t); err != nil {
			return nil, t.at.Errorf("%w", err)
		}
		if state != nil {
			if !t.follows {
				state = state.with(r.opts.Start)
			}
			state = state.after(t, l.Motion)
		}
	}
	return out, nil
}

// number names motions by their file, and by their place where there are more.
func (r *reader) number(out []Loaded) {
	base := filepath.Base(r.name)
	for i := range out {
		out[i].Motion.ID = base
		if len(out) > 1 {
			out[i].Motion.ID = fmt.Sprintf("%s#%d", base, i+1)
		}
	}
}

// segments reads seg lines, one motion each.
func (r *reader) segments(data []byte) ([]Loaded, error) {
	segs, err := ccdscene.ParseSegments(r.name, data, len(r.opts.Joints))
	if err != nil {
		return nil, err
	}
	out := make([]Loaded, len(segs))
	for i, s := range segs {
		if out[i].Motion, err = motion.Between(r.opts.Joints, s.From, s.To, 1); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", r.name, s.Line, err)
		}
		out[i].Interpolation = motion.StraightLines
	}
	r.number(out)
	return out, nil
}

// problems reads the motions from start to goal.
func (r *reader) problems(data []byte) ([]Loaded, error) {
	problems, err := scene.ParseProblems(r.path, data)
	if err != nil {
		return nil, err
	}
	out := make([]Loaded, len(problems))
	for i := range problems {
		p := &problems[i]
		m, err := motion.Between(p.Joints, p.Start, p.Goal, 1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
		m.ID = p.Name()
		out[i] = Loaded{Motion: m, Interpolation: motion.StraightLines, Start: p.OtherJoints, Obstacles: p.Snapshot}
		for j, joint := range p.Joints {
			out[i].Start[joint] = p.Start[j]
		}
	}
	return out, nil
}

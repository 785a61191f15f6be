package scene

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// Problem is one planning problem of a MotionBenchMaker file: obstacles around a
// robot, and two configurations to plan between.
type Problem struct {
	File  string // as given to Problems
	Robot string
	URDF  string // as in the file
	Group string
	Set   string
	Index int // within the set, counted as in the file

	Joints      []string
	Start, Goal []float64 // rad or m, in the order of Joints
	// OtherJoints hold for the whole problem; a robot may lack some of them.
	OtherJoints map[string]float64
	Objects     []Object // poses in the robot's root link
}

// Name returns the name that Load takes: file#set/index.
func (p *Problem) Name() string { return fmt.Sprintf("%s#%s/%d", p.File, p.Set, p.Index) }

// Snapshot returns the problem's obstacles.
func (p *Problem) Snapshot() (*Snapshot, error) {
	s, err := New("", p.Objects...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	return s, nil
}

// Problems reads all problems of a file, or those selected by file#set or file#set/index, sets
// in alphabetical order and problems in file order.
func Problems(path string) ([]Problem, error) {
	file, _ := infile.CutSelector(path)
	data, err := infile.Read(context.Background(), file, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("problems: %w", err)
	}
	return ParseProblems(path, data)
}

// ParseProblems is like Problems for a file in memory.
func ParseProblems(name string, data []byte) ([]Problem, error) {
	r := newReader(name, Options{})
	docs, err := document.Parse(r.name, data)
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("%s: has %d documents: give a file with one", r.name, len(docs))
	}
	return r.problems(docs[0])
}

// problem reads the one problem that the reader's selector selects.
func (r *reader) problem(doc document.Value) (*Snapshot, error) {
	problems, err := r.problems(doc)
	if err != nil {
		return nil, err
	}
	if len(problems) != 1 {
		return nil, fmt.Errorf("%s: %d problems are chosen by %q: choose one as %s", r.name, len(problems), r.selector, problems[0].Name())
	}
	s, err := New("", problems[0].Objects...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", problems[0].Name(), err)
	}
	return s, nil
}

// problems returns at least one problem.
func (r *reader) problems(doc document.Value) ([]Problem, error) {
	f, err := doc.Fields("problems", "robot", "urdf", "group", "joints", "frame", "units", "source", "sets")
	if err != nil {
		return nil, err
	}
	common := Problem{File: r.name}
	for key, field := range map[string]*string{"robot": &common.Robot, "urdf": &common.URDF, "group": &common.Group} {
		if *field, err = document.Optional(f, key, document.Value.Str); err != nil {
			return nil, err
		}
	}
	if err := r.checkConventions(f); err != nil {
		return nil, err
	}
	joints, err := f.Need("problems", "joints")
	if err != nil {
		return nil, err
	}
	if common.Joints, err = joints.Strs("joints"); err != nil {
		return nil, err
	}
	setsValue, err := f.Need("problems", "sets")
	if err != nil {
		return nil, err
	}
	sets, err := setsValue.AnyFields("sets")
	if err != nil {
		return nil, err
	}
	return r.choose(common, sets)
}

// rootLinkFrame is how files of problems name the frame of their poses.
const rootLinkFrame = "URDF root link"

// checkConventions fails on units and a frame other than those that problems are read in.
func (r *reader) checkConventions(f document.Fields) error {
	units, err := document.Optional(f, "units", document.Value.Str)
	if err != nil {
		return err
	}
	if !knownUnits(units) {
		return f.Errorf("units are %q: problems are read in metres and radians, with quaternions x, y, z, w: convert them, and write \"metre, radian; quaternion x,y,z,w\"", clip(units))
	}
	frame, err := document.Optional(f, "frame", document.Value.Str)
	switch {
	case err != nil:
		return err
	case frame == "" || frame == rootLinkFrame:
		return nil
	case r.opts.Robot != nil && frame == r.opts.Robot.Links[r.opts.Robot.Root].Name:
		return nil
	}
	return f.Errorf("frame is %q: poses of problems are read in the robot's root link: give them in that, and write %q", clip(frame), rootLinkFrame)
}

// knownUnits reports whether each part of units is one in which problems are read.
func knownUnits(units string) bool {
	lengths, quaternion, _ := strings.Cut(strings.ToLower(units), ";")
	if q := strings.Join(strings.Fields(strings.ReplaceAll(quaternion, ",", " ")), " "); q != "" && q != "quaternion x y z w" {
		return false
	}
	for _, unit := range strings.Split(lengths, ",") {
		switch strings.TrimSpace(unit) {
		case "", "m", "metre", "metres", "meter", "meters", "rad", "radian", "radians":
		default:
			return false
		}
	}
	return true
}

func (r *reader) choose(common Problem, sets document.Fields) ([]Problem, error) {
	wantSet, wantIndex, byIndex := strings.Cut(r.selector, "/")
	index := 0
	if byIndex {
		var err error
		if index, err = strconv.Atoi(wantIndex); err != nil {
			return nil, fmt.Errorf("%s: %q is not the number of a problem: choose one as #SET/INDEX", r.name, clip(wantIndex))
		}
	}
	var out []Problem
	for _, set := range sets.Keys() {
		if r.selector != "" && set != wantSet {
			continue
		}
		v, _ := sets.Get(set)
		items, err := v.List(set)
		if err != nil {
			return nil, err
		}
		for i, item := range items {
			p := common
			p.Set = set
			chosen, err := r.readProblem(item.Of(fmt.Sprintf("%s[%d]", set, i)), &p, byIndex, index)
			if err != nil {
				return nil, err
			}
			if chosen {
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: has no problem %q%s: its sets are %s", filepath.Base(r.name), r.selector, spelling.Hint(wantSet, sets.Keys()), strings.Join(sets.Keys(), ", "))
	}
	return out, nil
}

// readProblem fills in p, unless another index is selected.
func (r *reader) readProblem(v document.Value, p *Problem, byIndex bool, index int) (bool, error) {
	f, err := v.Fields("problem", "index", "start", "goal", "other_joints", "objects")
	if err != nil {
		return false, err
	}
	n, err := f.Need("problem", "index")
	if err != nil {
		return false, err
	}
	if p.Index, err = n.Int("index"); err != nil || byIndex && p.Index != index {
		return false, err
	}
	for key, field := range map[string]*[]float64{"start": &p.Start, "goal": &p.Goal} {
		v, err := f.Need("problem", key)
		if err != nil {
			return false, err
		}
		if *field, err = v.Floats(key, len(p.Joints)); err != nil {
			return false, err
		}
	}
	if p.OtherJoints, err = positionsByJoint(f); err != nil {
		return false, err
	}
	objects, err := f.Need("problem", "objects")
	if err != nil {
		return false, err
	}
	p.Objects, err = r.objects(objects)
	return true, err
}

func positionsByJoint(f document.Fields) (map[string]float64, error) {
	out := map[string]float64{}
	v, ok := f.Get("other_joints")
	if !ok {
		return out, nil
	}
	joints, err := v.AnyFields("other_joints")
	if err != nil {
		return nil, err
	}
	for _, name := range joints.Keys() {
		q, _ := joints.Get(name)
		if out[name], err = q.Float(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

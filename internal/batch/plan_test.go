package batch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A plan is not continued about anything else: each of these may change a verdict.
func TestResumeRefusesOtherInput(t *testing.T) {
	s, dir := subject(t), roadmap(t, 20)
	p := planOf(t, s, dir, 10)
	ctx := context.Background()
	if err := p.Same(ctx, subject(t), find(t, dir)); err != nil {
		t.Fatal(err) // the same subject, made again
	}
	with := func(change func(*urdf.Robot), world *scene.Snapshot, o ccd.Options, q motion.Query, state map[string]float64, replace bool) *Subject {
		robot, err := urdf.Parse([]byte(gantry), urdf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		change(robot)
		c, err := ccd.New(robot, world, o)
		if err != nil {
			t.Fatal(err)
		}
		return &Subject{Judge: NewJudge(setting.Setting{Checker: c, State: state, Scene: replace}, q), Options: s.Options, Words: s.Words}
	}
	same := func(*urdf.Robot) {}
	wall := s.Judge.setting.Checker.World()
	doubtful := *wall
	doubtful.Gaps = []premise.Premise{{Kind: premise.Unplaced, Names: []string{"box"}}}
	for name, other := range map[string]*Subject{
		"limits":       with(func(r *urdf.Robot) { r.Joints[0].Limit.Upper = 8 }, wall, ccd.Options{}, motion.Query{}, nil, true),
		"robot's gap":  with(func(r *urdf.Robot) { r.Gaps = doubtful.Gaps }, wall, ccd.Options{}, motion.Query{}, nil, true),
		"scene's gap":  with(same, &doubtful, ccd.Options{}, motion.Query{}, nil, true),
		"no scene":     with(same, nil, ccd.Options{}, motion.Query{}, nil, true),
		"own scene":    with(same, wall, ccd.Options{}, motion.Query{}, nil, false),
		"question":     with(same, wall, ccd.Options{}, motion.Query{Clearance: 0.01}, nil, true),
		"state":        with(same, wall, ccd.Options{State: map[string]float64{"x": 0.1}}, motion.Query{}, nil, true),
		"state given":  with(same, wall, ccd.Options{}, motion.Query{}, map[string]float64{"x": 0}, true),
		"allowed pair": with(same, wall, ccd.Options{Allowed: [][2]string{{"head", "wall"}}}, motion.Query{}, nil, true),
		"program":      {Judge: s.Judge, Options: s.Options, Words: []string{"another"}},
		"rate":         {Judge: s.Judge, Options: dataset.Options{Mapping: s.Options.Mapping, Topics: []string{"/joints"}}, Words: s.Words},
		"mapping":      {Judge: s.Judge, Options: dataset.Options{Mapping: mapping(t, "units: \"deg, m\"")}, Words: s.Words},
	} {
		if err := p.Same(ctx, other, find(t, dir)); err == nil {
			t.Errorf("%s: the plan goes on", name)
		}
	}
	changed := *p
	changed.Files = append([]dataset.File{{Path: "other"}}, p.Files[1:]...)
	if err := changed.Same(ctx, s, find(t, dir)); err == nil {
		t.Error("a plan whose list of files was changed")
	}

	if err := os.WriteFile(filepath.Join(dir, "one.csv"), []byte("x,time\n0,0\n0.6,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := p.Same(ctx, s, find(t, dir)); err == nil {
		t.Error("another file")
	}
	// While the batch runs, the motion is invalid.
	rows, _, _ := finish(t, s, p, t.TempDir())
	if r := rows[len(rows)-1]; r.Status != Invalid || !strings.Contains(r.Message, "has changed") {
		t.Errorf("a file that changed: %s %s", r.Status, r.Message)
	}
}

func mapping(t *testing.T, text string) *dataset.Mapping {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := dataset.ReadMapping(context.Background(), path, map[string]bool{"x": true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Answers of another plan are no answers, though their motions have the same numbers.
func TestPartsBelongToTheirPlan(t *testing.T) {
	s, dir, out := subject(t), roadmap(t, 20), t.TempDir()
	p := planOf(t, s, dir, 10)
	finish(t, s, p, out)
	other := subject(t)
	other.Words = []string{"another program"}
	if err := os.Remove(filepath.Join(out, planName)); err != nil {
		t.Fatal(err)
	}
	again := planOf(t, other, dir, 10)
	if _, err := OpenStore(context.Background(), out, again); err == nil || !strings.Contains(err.Error(), planName) {
		t.Errorf("answers without a plan: %v", err)
	}
	st := &Store{dir: out, Plan: again, id: again.ID()}
	for chunk := range p.Chunks {
		if _, err := st.part(context.Background(), chunk); err == nil || !strings.Contains(err.Error(), "another plan") {
			t.Fatalf("chunk %d: %v", chunk, err)
		}
	}
	divided := *p
	divided.Chunks = append([]Chunk{}, p.Chunks...)
	divided.Chunks[1].Spans = []Span{{p.Chunks[1].Spans[0].File, p.Chunks[1].Spans[0].First + 1, p.Chunks[1].Spans[0].Count}}
	if divided.ID() == p.ID() {
		t.Error("other motions in a chunk are the same plan")
	}
}

// A file that was read for the plan is not read again; few are kept, and each is handed out once.
func TestPlansReadAhead(t *testing.T) {
	s, dir := subject(t), roadmap(t, 20)
	for i := range 2 * maxOpen {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.csv", i)), []byte("x,time\n0,0\n0.5,1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := planOf(t, s, dir, 10)
	if n := len(p.read.files); n != maxOpen {
		t.Fatalf("%d files are kept", n)
	}
	for file := range p.Files {
		kept := p.read.files[file]
		src, err := NewChecker(s, p).source(context.Background(), file)
		if err != nil || (src == kept) != (kept != nil) {
			t.Errorf("file %d: read again, or not (%v)", file, err)
		}
	}
	if src, err := NewChecker(s, p).source(context.Background(), 0); err != nil || src == nil || len(p.read.files) > 0 {
		t.Errorf("a second checker: %v, %d files are kept", err, len(p.read.files))
	}
}

// Whatever is read is part of a file's sum, links too.
func TestSumsCoverWhatIsRead(t *testing.T) {
	s, dir := subject(t), roadmap(t, 20)
	nodes := filepath.Join(dir, "map", "nodes.csv")
	elsewhere := filepath.Join(t.TempDir(), "nodes.csv")
	text, err := os.ReadFile(nodes)
	if err == nil {
		err = os.WriteFile(elsewhere, text, 0o644)
	}
	if err == nil {
		err = os.Remove(nodes)
	}
	if err == nil {
		err = os.Symlink(elsewhere, nodes)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, s, dir, 10)
	if err := os.WriteFile(elsewhere, append(text, "0.5\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := p.Same(context.Background(), s, find(t, dir)); err == nil {
		t.Error("a linked file has changed, and the plan goes on")
	}
	rows, _, sum := finish(t, s, p, t.TempDir())
	if sum.Count["invalid"] != 21 {
		t.Errorf("%v, first %+v", sum.Count, rows[1])
	}
}

// A file that could not be read when the batch began is not read later, when nobody has seen what is in it.
func TestFilesThatCouldNotBeRead(t *testing.T) {
	s, dir := subject(t), roadmap(t, 1)
	path := filepath.Join(dir, "later.csv")
	if err := os.Symlink(filepath.Join(dir, "none"), path); err != nil {
		t.Fatal(err)
	}
	p := planOf(t, s, dir, 10)
	if err := os.WriteFile(filepath.Join(dir, "none"), []byte("x,time\n0,0\n0.5,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rows, _, _ := finish(t, s, p, t.TempDir())
	for _, r := range rows {
		if r.File == path && (r.Status != Invalid || !strings.Contains(r.Message, "no such file")) {
			t.Errorf("%+v", r)
		}
	}
}

// Trouble of the machine ends a batch; it is no verdict about motions. Files that are there again are checked.
func TestTroubleIsNoVerdict(t *testing.T) {
	for _, err := range []error{syscall.EIO, &os.PathError{Op: "read", Path: "a", Err: syscall.EMFILE}} {
		if !trouble(err) {
			t.Errorf("%v is about the file", err)
		}
	}
	s, dir := subject(t), roadmap(t, 20)
	p := planOf(t, s, dir, 10)
	out := t.TempDir()
	st := store(t, out, p)
	if err := os.Rename(filepath.Join(dir, "map"), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	c := NewChecker(s, p)
	if err := Run(context.Background(), c, st, 2); err == nil || !strings.Contains(err.Error(), "nodes.csv") && !strings.Contains(err.Error(), "edges.csv") {
		t.Errorf("input is gone: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "map")); err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), c, st, 2); err != nil {
		t.Error(err)
	}
	if _, _, sum := finish(t, s, p, out); sum.Count["invalid"] != 1 || sum.Count["free"] != 11 {
		t.Errorf("%v", sum.Count)
	}
}

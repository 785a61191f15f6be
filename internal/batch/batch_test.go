package batch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const gantry = `<robot name="gantry"><link name="rail"/><link name="head"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="rail"/><child link="head"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="100"/></joint></robot>`

// subject asks about a head on a rail, before a wall whose face is at x = 1: it touches at x = 0.9.
func subject(t testing.TB) *Subject {
	t.Helper()
	robot, err := urdf.Parse([]byte(gantry), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.New("", scene.NewBox("wall", geom.Translation(geom.Vec{X: 1.5}), geom.Vec{X: 1, Y: 1, Z: 1}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "map.yaml")
	if err := os.WriteFile(path, []byte("units: \"rad, m\""), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := dataset.ReadMapping(context.Background(), path, map[string]bool{"x": true})
	if err != nil {
		t.Fatal(err)
	}
	return &Subject{Judge: NewJudge(setting.Setting{Checker: c, Scene: true}, motion.Query{}), Options: dataset.Options{Mapping: m}, Words: []string{"test"}}
}

// roadmap writes one with so many edges from x = 0 to x = 0 to 1.8, and a file that is no motion.
func roadmap(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	var nodes, edges strings.Builder
	nodes.WriteString("x\n0\n")
	for i := range n {
		fmt.Fprintf(&nodes, "%g\n", 1.8*float64(i)/float64(n))
		fmt.Fprintf(&edges, "0,%d\n", i+1)
	}
	for name, text := range map[string]string{"map/nodes.csv": nodes.String(), "map/edges.csv": edges.String(), "bad.csv": "x,time\n0,zero\n", "one.csv": "x,time\n0,0\n0.5,1\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func find(t testing.TB, dir string) []dataset.File {
	t.Helper()
	files, _, err := dataset.Find(context.Background(), []string{dir}, "")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func planOf(t testing.TB, s *Subject, dir string, n int) *Plan {
	t.Helper()
	p, err := NewPlan(context.Background(), s, find(t, dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Divide(n)
	return p
}

func store(t testing.TB, dir string, p *Plan) *Store {
	t.Helper()
	s, err := OpenStore(context.Background(), dir, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// finish checks what is left, and returns the rows and the table's bytes.
func finish(t testing.TB, s *Subject, p *Plan, dir string) ([]Row, []byte, *Summary) {
	t.Helper()
	st := store(t, dir, p)
	if err := Run(context.Background(), NewChecker(s, p), st, 2); err != nil {
		t.Fatal(err)
	}
	sum := NewSummary(5, 0, nil)
	if err := WriteTable(context.Background(), st, sum); err != nil {
		t.Fatal(err)
	}
	sum.Finish()
	table, err := os.ReadFile(filepath.Join(dir, TableName))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[Row](bytes.NewReader(table), int64(len(table)))
	if err != nil {
		t.Fatal(err)
	}
	return rows, table, sum
}

func TestRowsAreVerdicts(t *testing.T) {
	s, dir := subject(t), roadmap(t, 100)
	rows, _, sum := finish(t, s, planOf(t, s, dir, 7), t.TempDir())
	if len(rows) != 102 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, r := range rows {
		switch {
		case r.Index != int64(i) || r.RobotSum == "" || r.SceneSum == "":
			t.Errorf("row %d: %+v", i, r)
		case strings.HasSuffix(r.File, "bad.csv"):
			if r.Status != Invalid || !strings.Contains(r.Message, "zero") {
				t.Errorf("a file that is no motion: %s %s", r.Status, r.Message)
			}
		case strings.HasSuffix(r.File, "one.csv"):
			if r.Status != "free" {
				t.Errorf("one.csv: %s", r.Status)
			}
		default:
			x := 1.8 * float64(i-1) / 100
			want := "free"
			if x >= 0.9 {
				want = "contact"
			}
			if r.Status != want || want == "contact" && !(r.TOCLo <= 0.9/x && 0.9/x <= r.TOCHi+1e-5) || !strings.Contains(r.Premises, "units: rad, m") || r.MotionSum == "" {
				t.Errorf("edge to %g: %+v", x, r)
			}
		}
	}
	if sum.ExitStatus != 4 || sum.Count["contact"] != 50 || sum.Count["free"] != 51 || sum.Pairs[0].Motions != 50 || sum.Worst[0].Status != Invalid || len(sum.Worst) != 5 {
		t.Errorf("summary %+v", sum)
	}
}

// Parts are the same bytes for the same rows, give the rows back, and no change of a byte passes.
func TestParts(t *testing.T) {
	s, dir := subject(t), roadmap(t, 20)
	p := planOf(t, s, dir, 100)
	part, err := NewChecker(s, p).Part(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	id, n, rows, err := DecodePart(part)
	if err != nil || id != p.ID() || n != 2 || !bytes.Equal(EncodePart(id, 2, rows), part) {
		t.Fatalf("chunk %d, %v", n, err)
	}
	again, err := NewChecker(s, p).Part(context.Background(), 2)
	if err != nil || !bytes.Equal(again, part) {
		t.Errorf("a second check differs (%v)", err)
	}
	for i := range part {
		bad := bytes.Clone(part)
		bad[i] ^= 1
		if _, _, _, err := DecodePart(bad); err == nil {
			t.Fatalf("byte %d changed is not noticed", i)
		}
		if _, _, _, err := DecodePart(part[:i]); err == nil {
			t.Fatalf("cut at byte %d is not noticed", i)
		}
	}
}

// The table does not depend on how the motions are divided.
func TestTableDoesNotDependOnChunks(t *testing.T) {
	s, dir := subject(t), roadmap(t, 12_000)
	_, want, _ := finish(t, s, planOf(t, s, dir, 12_000), t.TempDir())
	if _, got, _ := finish(t, s, planOf(t, s, dir, 777), t.TempDir()); !bytes.Equal(got, want) {
		t.Error("another division makes another file")
	}
}

// Two answers that differ are an error, and the first stays; an answer about other motions is none.
func TestStoreTakesOneAnswer(t *testing.T) {
	s, dir := subject(t), roadmap(t, 20)
	p := planOf(t, s, dir, 10)
	st := store(t, t.TempDir(), p)
	ctx := context.Background()
	part, err := NewChecker(s, p).Part(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	id, _, rows, _ := DecodePart(part)
	if err := st.Put(ctx, 3, part); err == nil {
		t.Error("an answer to chunk 2 passes for one to chunk 3")
	}
	if err := st.Put(ctx, 2, EncodePart(id, 2, rows[1:])); err == nil {
		t.Error("an answer lacks a motion")
	}
	for range 2 {
		if err := st.Put(ctx, 2, part); err != nil {
			t.Error(err)
		}
	}
	rows[1].Status = "free "
	if err := st.Put(ctx, 2, EncodePart(id, 2, rows)); err == nil || !strings.Contains(err.Error(), "differ") {
		t.Errorf("another verdict: %v", err)
	}
	if st.Left() != len(p.Chunks)-1 {
		t.Errorf("%d of %d chunks left", st.Left(), len(p.Chunks))
	}

	// A worker that was given up may come back: its verdicts stay, whether the chunk was set aside before or is now.
	want, err := NewChecker(s, p).Part(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{Aside(p, s.Judge, 1, "it was slow"), want, Aside(p, s.Judge, 1, "it was slow"), want} {
		if err := st.Put(ctx, 1, part); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(st.path(1)); err != nil || !bytes.Equal(got, want) || st.Left() != len(p.Chunks)-2 {
		t.Errorf("a chunk that was set aside and answered: %d chunks left, %v", st.Left(), err)
	}
	if err := WriteTable(ctx, st, NewSummary(1, 0, nil)); err == nil {
		t.Error("a table without all motions")
	}
}

// A panic of a reader or of a check sets its motion aside, and no other.
func TestPanicsSetAside(t *testing.T) {
	r, ok := subject(t).Judge.Row(context.Background(), broken{}, 0, 3, "file")
	if !ok || r.Status != SetAside || r.Exit() != 70 || r.Index != 3 || r.Motion != "file#0" || !strings.Contains(r.Message, "boom") {
		t.Errorf("%+v %v", r, ok)
	}
}

type broken struct{}

func (broken) Len() int                           { return 1 }
func (broken) Motion(int) (dataset.Loaded, error) { panic("boom") }

// envKilled tells a process of TestKilled where its batch is.
const envKilled = "TEST_BATCH"

// TestKilled is killed at random times and goes on, again and again: the table is that of one run, to the byte.
func TestKilled(t *testing.T) {
	s := subject(t)
	if dir := os.Getenv(envKilled); dir != "" { // the process that is killed
		p, err := ReadPlan(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		st := store(t, dir, p)
		fmt.Println("begun")
		if err := Run(context.Background(), NewChecker(s, p), st, 2); err != nil {
			t.Fatal(err)
		}
		return
	}
	if testing.Short() {
		t.Skip("kills processes")
	}
	p := planOf(t, s, roadmap(t, 20_000), 50)
	_, want, _ := finish(t, s, p, t.TempDir())
	begun := func() string {
		to := t.TempDir()
		store(t, to, p) // writes the plan
		return to
	}
	to, kills, middle, batches := begun(), 0, 0, 1
	most := switches.Long.Times(5, 20)
	for ; middle < most && kills < 20*most; kills++ {
		before := store(t, to, p).Left()
		runAndKill(t, to, rand.IntN(4) > 0, time.Duration(rand.Int64N(int64(20*time.Millisecond))))
		left := store(t, to, p).Left()
		if left < before && left > 0 {
			middle++
		}
		if left < len(p.Chunks)/10 || middle == most {
			if _, got, _ := finish(t, s, p, to); !bytes.Equal(got, want) {
				t.Fatal("the table differs from that of one run")
			}
			to = begun()
			batches++
		}
	}
	t.Logf("%d kills, %d of them behind some chunks and before others, of %d batches", kills, middle, batches)
	if middle < most {
		t.Errorf("%d kills in the middle: a poor test", middle)
	}
}

// runAndKill has another process go on with a batch, and kills it some time after it has begun, or after it has finished a chunk, however
// long that takes on a busy machine.
func runAndKill(t *testing.T, dir string, chunk bool, after time.Duration) {
	t.Helper()
	parts := func() int {
		all, err := filepath.Glob(filepath.Join(dir, "parts", "*.part"))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	before := parts()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), envKilled+"="+dir, "TMPDIR="+t.TempDir()) // it cannot remove what it makes
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	word := make([]byte, len("begun"))
	if _, err := io.ReadFull(out, word); err != nil || string(word) != "begun" {
		t.Errorf("the process says %q: %v", word, err)
	}
	for begin := time.Now(); chunk && parts() == before && time.Since(begin) < time.Minute; {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// Parts keep every field of a row, and none for another.
func TestPartsKeepEveryField(t *testing.T) {
	for k := range reflect.TypeFor[Row]().NumField() {
		var rows [3]Row
		switch f := reflect.ValueOf(&rows[1]).Elem().Field(k); f.Kind() {
		case reflect.Int64:
			f.SetInt(math.MinInt64)
		case reflect.Float64:
			f.SetFloat(-0.1)
		default:
			f.SetString("text")
		}
		_, _, got, err := DecodePart(EncodePart("id", 7, rows[:]))
		if err != nil || !slices.Equal(got, rows[:]) {
			t.Errorf("%s: %+v (%v)", reflect.TypeFor[Row]().Field(k).Name, got, err)
		}
	}
	if n := reflect.TypeFor[Row]().NumField(); len(columns) != n {
		t.Errorf("%d columns for %d fields", len(columns), n)
	}
}

// A row says what the question left out.
func TestRowsSayWhatIsNotChecked(t *testing.T) {
	s := subject(t)
	src, err := dataset.Open(context.Background(), find(t, filepath.Join(roadmap(t, 1), "map"))[0], s.Options)
	if err != nil {
		t.Fatal(err)
	}
	for want, q := range map[string]motion.Query{"--no-self": {NoSelf: true}, "--no-world": {NoWorld: true}, "": {}} {
		j := NewJudge(*s.Judge.Setting(), q)
		said := j.premises(nil, nil)
		if q.NoSelf { // without the world nothing is left to check
			r, _ := j.Row(context.Background(), src, 0, 0, "f")
			said = r.Premises
		}
		if !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("%q: %q", want, said)
		}
	}
}

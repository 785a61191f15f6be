package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/browser"
	"github.com/firstcontact-ros/firstcontact/lab/cases"
	"github.com/firstcontact-ros/firstcontact/lab/product"
)

// question is a motion and what to ask about it.
type question struct {
	name         string
	robot, srdf  string
	scene        string
	motion       string
	args         []string
	rootMoves    bool
	tolerance    float64 // m: of the curve; 0 for the default
	wantStatus   string
	sweptLink    string
	otherMotions []string
}

const (
	testdata = "../../testdata/humanoid"
	shared   = cases.Shared
)

// questions lists three robots; two of them are not part of this repository.
func questions(t *testing.T) []question {
	all := []question{{
		name: "humanoid", robot: testdata + "/humanoid.urdf", srdf: testdata + "/humanoid.srdf", scene: testdata + "/obstacles.yaml",
		motion: testdata + "/wave.csv", args: []string{"--clearance", "0.01", "--min-clearance", "--contacts", "5"}, wantStatus: "contact", sweptLink: "right_hand",
		otherMotions: []string{testdata + "/trajectory_free.yaml"},
	}}
	if _, err := os.Stat(shared); err != nil {
		t.Logf("%v: one robot only", err)
		return all
	}
	return append(all,
		question{
			name: "g1 in an apartment", robot: shared + "/robots/g1/g1.urdf", scene: shared + "/scenes/iai_apartment/apartment.urdf",
			motion: written(t)(cases.Walk(reports, "walk.csv", 420)), args: []string{"--min-clearance"}, rootMoves: true, wantStatus: "contact", sweptLink: "left_wrist_yaw_link",
			otherMotions: []string{written(t)(cases.Walk(reports, "stop.csv", 200))},
		},
		question{
			name: "panda among shelves", robot: shared + "/robots/panda/panda.urdf", srdf: shared + "/robots/panda/panda.srdf",
			scene:  cases.Problem(5),
			motion: cases.Problem(5), args: []string{"--min-clearance"}, tolerance: 0.01, wantStatus: "contact", sweptLink: "panda_hand",
			otherMotions: []string{written(t)(cases.Reach(reports, "reach.csv", 5, 0.6))},
		})
}

// written is the path of a motion that was written.
func written(t *testing.T) func(path string, err error) string {
	return func(path string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
}

// newFile writes a file.
func newFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(reports, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// answer is what --json prints, as far as the page shows it.
type answer struct {
	Status      string
	TOC         *[2]float64
	Pair        *[2]string
	Clearance   float64
	Contacts    []struct{ Pair [2]string }
	ProvenUntil float64 `json:"proven_until"`
	Duration    float64
	Witness     *struct {
		A, B, Normal [3]float64
		Distance     float64
	}
	MinClearance *struct {
		Lower float64
		Upper *float64
	} `json:"min_clearance"`
	Inputs map[string]struct{ SHA256 string }
}

// built is the program, built once.
var built = sync.OnceValues(func() (string, error) { return product.Build() })

// started is a browser for all tests.
var started = sync.OnceValues(func() (*browser.Browser, error) {
	var err error
	running, err = browser.Start()
	return running, err
})

// What TestMain cleans up.
var (
	reports string // folder
	running *browser.Browser
)

func TestMain(m *testing.M) {
	var err error
	if reports, err = os.MkdirTemp("", "firstcontact-report-"); err != nil {
		panic(err)
	}
	status := m.Run()
	if running != nil {
		_ = running.Close()
	}
	_ = os.RemoveAll(reports)
	os.Exit(status)
}

// ask returns the path of the report of a question, written once for all tests, and the answers,
// one for each motion.
func ask(t *testing.T, q *question) (path string, answers []answer) {
	t.Helper()
	if a, ok := asked[q.name]; ok {
		return a.path, a.answers
	}
	path, answers = write(t, q)
	asked[q.name] = report{path, answers}
	return path, answers
}

// asked has the reports by the questions' names. Tests here run one after the other.
var asked = map[string]report{}

type report struct {
	path    string
	answers []answer
}

// write writes the report of a question.
func write(t *testing.T, q *question) (path string, answers []answer) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(reports, strings.ReplaceAll(q.name, " ", "_")+".html")
	args := append([]string{"check", "--quiet", "--json", "--report", path, "--robot", q.robot}, q.args...)
	if q.tolerance > 0 {
		args = append(args, "--profile-tolerance", fmt.Sprint(q.tolerance))
	}
	if q.srdf != "" {
		args = append(args, "--srdf", q.srdf)
	}
	if q.scene != "" {
		args = append(args, "--scene", q.scene)
	}
	var wrong bytes.Buffer
	cmd := exec.Command(program, append(append(args, q.motion), q.otherMotions...)...)
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n"))[:1+len(q.otherMotions)] {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%v\n%s%s", err, out, wrong.Bytes())
		}
		answers = append(answers, a)
	}
	if answers[0].Status != q.wantStatus {
		t.Fatalf("%s: %s, want %s\n%s", q.name, answers[0].Status, q.wantStatus, wrong.Bytes())
	}
	return path, answers
}

// open starts a browser with a report and waits until the page stands.
func open(t *testing.T, path string, width, height int) (context.Context, *browser.Page) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	p := load(t, ctx, path, width, height)
	eval(t, ctx, p, "firstcontact.page.then((r) => { window.page = r; return true })", new(bool))
	return ctx, p
}

// load opens a file in a tab of its own.
func load(t *testing.T, ctx context.Context, path string, width, height int) *browser.Page {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	b, err := started()
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Open(ctx, "file://"+path, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close(context.Background()) })
	return p
}

// eval evaluates an expression in the page.
func eval(t *testing.T, ctx context.Context, p *browser.Page, expression string, result any) {
	t.Helper()
	if err := p.Eval(ctx, expression, result); err != nil {
		t.Fatal(err)
	}
}

// press presses keys, one after the other.
func press(t *testing.T, ctx context.Context, p *browser.Page, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if err := p.Press(ctx, k, 0); err != nil {
			t.Fatal(err)
		}
	}
}

// now is the time that the page shows.
func now(t *testing.T, ctx context.Context, p *browser.Page) (at float64) {
	t.Helper()
	eval(t, ctx, p, "Number(document.querySelector('.clock').dataset.time)", &at)
	return at
}

// clean fails if something went wrong in the page, or if it asked for more than its file.
func clean(t *testing.T, p *browser.Page) {
	t.Helper()
	for _, problem := range p.Problems() {
		if !strings.Contains(problem, "GPU stall due to ReadPixels") { // of the picture that the test takes
			t.Errorf("the page says: %s", problem)
		}
	}
	for _, url := range p.Requests() {
		if !strings.HasPrefix(url, "file://") && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
			t.Errorf("the page asks for %s", url)
		}
	}
}

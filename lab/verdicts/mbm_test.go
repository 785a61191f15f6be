package verdicts

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const shared = "../../../shared/"

// verdict is a line of firstcontact check --json.
type verdict struct {
	Motion, Status, Message string
	TOC                     [2]float64
	Pair                    [2]string
	Compute                 float64 `json:"compute_s"`
}

// TestMotionBenchMaker runs firstcontact check --json on the straight lines from
// start to goal of the planning problems for panda, ur5 and baxter, each among
// its own obstacles, and has FCL sample the same lines: a sample that touches
// refutes Free, and refutes a Contact that is told later; where the pair of a
// Contact is not within 0.01 mm at TOC.Hi for FCL, the Contact is refuted.
//
// By default every 50th problem is taken, with 200 samples; FIRSTCONTACT_LONG
// takes all 1,300, and 2,000 samples for every tenth.
func TestMotionBenchMaker(t *testing.T) {
	command := buildCommand(t)
	eachRobot(t, func(t *testing.T, o *oracle.Oracle, robot string, step int) { compare(t, o, command, robot, step) })
}

// eachRobot runs a test for each robot, with an oracle of its own, for every
// step-th problem.
func eachRobot(t *testing.T, test func(t *testing.T, o *oracle.Oracle, robot string, step int)) {
	if _, err := os.Stat(shared + "scenes/motionbenchmaker"); err != nil {
		t.Skip("the planning problems are not there: ", err)
	}
	program := oracletest.Build(t)
	step := 50
	if switches.Long.Set() {
		step = 1
	}
	for _, robot := range []string{"panda", "ur5", "baxter"} {
		t.Run(robot, func(t *testing.T) {
			test(t, oracletest.Run(t, program), robot, step)
		})
	}
}

func buildCommand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "firstcontact")
	if out, err := exec.Command("go", "build", "-C", "../..", "-buildvcs=false", "-o", path, "./cmd/firstcontact").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// count is how verdicts and samples met.
type count struct{ problems, free, contact, undecided, missedBySamples, refuted int }

func compare(t *testing.T, o *oracle.Oracle, command, robot string, step int) {
	model, problems := load(t, o, robot)
	file := shared + "scenes/motionbenchmaker/" + robot + ".json"
	verdicts := check(t, command, model, file, problems, step)
	movable := movableJoints(t, model+".urdf")
	var n count
	for i := 0; i < len(problems); i += step {
		p := &problems[i]
		if err := pose(o, p, movable); err != nil {
			t.Fatalf("%s: %v", p.Name(), err)
		}
		samples := 200
		if step == 1 && i%10 == 0 {
			samples = 2000
		}
		v, ok := verdicts[p.Name()]
		if !ok {
			t.Fatalf("%s: no verdict", p.Name())
		}
		if err := n.meet(o, p, v, samples); err != nil {
			t.Errorf("%s: %v", p.Name(), err)
		}
	}
	t.Logf("%s: %+v", robot, n)
	if n.undecided*1000 > n.problems {
		t.Errorf("%d of %d undecided: more than 0.1 %%", n.undecided, n.problems)
	}
	if n.contact == 0 || (robot != "baxter" && n.free == 0 && step == 1) {
		t.Errorf("one-sided: %+v", n)
	}
}

// load reads a robot's problems and has the oracle load the robot. model is the
// path of URDF and SRDF without their endings.
func load(t *testing.T, o *oracle.Oracle, robot string) (model string, problems []scene.Problem) {
	t.Helper()
	model = shared + "robots/" + robot + "/" + robot
	problems, err := scene.Problems(shared + "scenes/motionbenchmaker/" + robot + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = o.Robot(model+".urdf", ""); err != nil {
		t.Fatal(err)
	}
	if _, _, err = o.SRDF(model + ".srdf"); err != nil {
		t.Fatal(err)
	}
	if err = o.Solid(true); err != nil {
		t.Fatal(err)
	}
	return model, problems
}

// check runs the command on the chosen problems.
func check(t *testing.T, command, model, file string, problems []scene.Problem, step int) map[string]verdict {
	t.Helper()
	args := []string{"check", "--quiet", "--json", "--robot", model + ".urdf", "--srdf", model + ".srdf"}
	if step == 1 {
		args = append(args, file)
	} else {
		for i := 0; i < len(problems); i += step {
			args = append(args, problems[i].Name())
		}
	}
	cmd := exec.Command(command, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // some of them touch
		t.Fatalf("firstcontact check: %v\n%s", err, errs.String())
	}
	verdicts := map[string]verdict{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Motion != "" { // the last line has totals
			verdicts[v.Motion] = v
		}
	}
	return verdicts
}

func movableJoints(t *testing.T, path string) map[string]bool {
	t.Helper()
	r, err := urdf.Load(path, urdf.Options{SkipMeshes: true})
	if err != nil {
		t.Fatal(err)
	}
	movable := map[string]bool{}
	for i := range r.Joints {
		if j := &r.Joints[i]; j.Type != urdf.Fixed && j.Mimic == nil {
			movable[j.Name] = true
		}
	}
	return movable
}

// pose tells the oracle the problem's obstacles and joints.
func pose(o *oracle.Oracle, p *scene.Problem, movable map[string]bool) error {
	err := errors.Join(o.ClearObjects(), o.ClearHolds(), o.Joints(p.Joints...))
	for name, x := range p.OtherJoints {
		if movable[name] {
			err = errors.Join(err, o.Hold(name, x))
		}
	}
	for i := range p.Objects {
		err = errors.Join(err, o.AddObject(objectOf(&p.Objects[i])))
	}
	return err
}

func objectOf(ob *scene.Object) oracle.Object {
	s, r := ob.Shape, ob.PoseWS.R
	size := map[string][]float64{
		"box": {s.Size.X, s.Size.Y, s.Size.Z}, "cylinder": {s.Length, s.Radius}, "sphere": {s.Radius},
	}[s.Kind.String()]
	w := math.Sqrt(math.Max(0, 1+r.XX+r.YY+r.ZZ)) / 2
	q := [4]float64{(r.ZY - r.YZ) / (4 * w), (r.XZ - r.ZX) / (4 * w), (r.YX - r.XY) / (4 * w), w}
	if w < 1e-3 { // a half turn: the axis is the largest column of R + 1
		q = halfTurn([3][3]float64{{r.XX, r.XY, r.XZ}, {r.YX, r.YY, r.YZ}, {r.ZX, r.ZY, r.ZZ}}, w)
	}
	at := ob.PoseWS.P
	return oracle.Object{ID: ob.ID, Type: s.Kind.String(), Position: [3]float64{at.X, at.Y, at.Z}, Rotation: q, Size: size}
}

func halfTurn(r [3][3]float64, w float64) [4]float64 {
	k := 0
	for i := range 3 {
		if r[i][i] > r[k][k] {
			k = i
		}
	}
	i, j := (k+1)%3, (k+2)%3
	x := math.Sqrt(math.Max(0, 1+r[k][k]-r[i][i]-r[j][j])) / 2
	var q [4]float64
	q[k], q[i], q[j] = x, (r[i][k]+r[k][i])/(4*x), (r[j][k]+r[k][j])/(4*x)
	q[3] = (r[j][i] - r[i][j]) / (4 * x)
	return q
}

// meet holds one verdict against the samples.
func (n *count) meet(o *oracle.Oracle, p *scene.Problem, v verdict, samples int) error {
	n.problems++
	hit, err := o.Segment(samples, oracle.Both, p.Start, p.Goal)
	if err != nil {
		return err
	}
	switch v.Status {
	case "free":
		n.free++
		if hit.Hit {
			n.refuted++
			return fmt.Errorf("free, but at %.6f %v touch for FCL", hit.Time, hit.Pairs)
		}
	case "contact":
		n.contact++
		if !hit.Hit {
			n.missedBySamples++
		}
		if hit.Hit && v.TOC[0] > hit.Time {
			n.refuted++
			return fmt.Errorf("contact from %.9f on, but already at %.9f %v touch for FCL", v.TOC[0], hit.Time, hit.Pairs)
		}
		return n.confirm(o, p, v)
	default:
		n.undecided++
		if v.Status != "undecided" {
			return fmt.Errorf("%s: %s", v.Status, v.Message)
		}
	}
	return nil
}

// confirm asks FCL how far the pair of a contact is apart at TOC.Hi.
func (n *count) confirm(o *oracle.Oracle, p *scene.Problem, v verdict) error {
	q := make([]float64, len(p.Start))
	for j := range q {
		q[j] = p.Start[j] + v.TOC[1]*(p.Goal[j]-p.Start[j])
	}
	d, err := o.PairDistance(oracle.Pair{A: v.Pair[0], B: v.Pair[1]}, q)
	if err != nil {
		return err
	}
	if d > 1e-5 {
		n.refuted++
		return fmt.Errorf("%s touch at %.9f, but for FCL they are %g m apart there", strings.Join(v.Pair[:], " and "), v.TOC[1], d)
	}
	return nil
}

package laws

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// shortCommands is how many cases are put to the command line where the test is not
// told to be long, and longCommands otherwise.
const (
	shortCommands = 3
	longCommands  = 40
)

// TestCommand holds the command line against the library: the same verdict from the
// same files, the same configuration by --state and by motion, and proofs that verify.
func TestCommand(t *testing.T) {
	n := shortCommands
	if switches.Laws.Set() {
		n = longCommands
	} else if testing.Short() {
		t.Skip("builds the binary")
	}
	binary := filepath.Join(t.TempDir(), "firstcontact")
	build := exec.Command("go", "build", "-C", "../..", "-buildvcs=false", "-o", binary, "./cmd/firstcontact")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := newTally()
	for seed, done := uint64(1), 0; done < n; seed++ {
		if command(t, binary, seed, c) {
			done++
		}
	}
	report(t, c)
}

// command tries one case; it reports false for one that the command line cannot be
// asked.
func command(t *testing.T, binary string, seed uint64, c *tally) bool {
	d := roll(11, seed)
	s := d.draw()
	if len(s.optPadded)+len(s.root) > 0 || !s.straight() {
		return false
	}
	a, err := s.fromFiles()
	if err != nil {
		t.Fatal(err)
	}
	if p := a.checker.Pairs(); p.Self+p.World == 0 {
		return false
	}
	tr := &trial{dice: d, law: "the command and the library", seed: seed, tally: c}
	if tr.base, _ = tr.check(a, s.query()); tr.base == nil {
		return false
	}
	x := &shell{t: t, binary: binary, dir: t.TempDir()}
	x.write(s)
	tr.command(x, s)
	tr.law = "--state and motion"
	tr.stateCommand(x, s)
	return true
}

// command holds the verdict of check, and what verify says of its proof.
func (t *trial) command(x *shell, s *subject) {
	proof := filepath.Join(x.dir, "proof.cert")
	args := x.args(s, s.state)
	said := x.check(append(append(args, "--certificate", proof, "--clearance", num(s.clearance)), x.files.motion)...)
	t.tally.pair(t.law)
	if want := t.base.v.Status.String(); said.Status != want {
		t.contradicts("check says %v, the library %v", said, want)
	}
	if said.Status != "free" {
		return
	}
	verify := []string{"verify", "-q", "--interpolation", "linear", "--robot", x.files.urdf, "--scene", x.files.scene, "--certificate", proof, x.files.motion}
	if x.files.srdf != "" {
		verify = append(verify, "--srdf", x.files.srdf)
	}
	t.tally.pair(t.law)
	if out, code := x.run(verify...); code != 0 {
		t.contradicts("verify exits with %d: %s", code, out)
	}
}

// stateCommand asks about a configuration by a motion, by --state, and for its
// distance.
func (t *trial) stateCommand(x *shell, s *subject) {
	names, q := t.configuration()
	at := map[string]float64{}
	for i, name := range names {
		at[name] = q[i]
	}
	rest := s.rest(names, q)
	rest.tube = nil
	x.write(rest)
	byMotion := x.check(append(x.args(rest, nil), x.files.motion)...)
	k := t.IntN(len(names))
	one := rest.rest(names[k:k+1], q[k:k+1])
	x.write(one)
	byState := x.check(append(x.args(one, at), x.files.motion)...)
	t.tally.pair(t.law)
	if byMotion != byState {
		t.contradicts("by motion %v, by --state %v", byMotion, byState)
	}
	out, code := x.run(append(append([]string{"distance"}, x.args(one, at)...), "--no-cache", "--json")...)
	var d struct{ Self, World []float64 }
	if err := json.Unmarshal(out, &d); err != nil || code > 3 {
		t.contradicts("distance exits with %d: %s", code, out)
		return
	}
	zero := len(d.Self) > 0 && d.Self[1] == 0 || len(d.World) > 0 && d.World[1] == 0
	t.tally.pair(t.law)
	if touches := byMotion.Status == motion.Contact.String(); zero != touches && byMotion.Status != "undecided" {
		t.contradicts("distances %v and %v, but a rest is %v", d.Self, d.World, byMotion)
	}
}

// shell runs the command on files in a folder.
type shell struct {
	t      *testing.T
	binary string
	dir    string
	files  files
}

func (x *shell) write(s *subject) {
	var err error
	if x.files, err = s.write(x.dir); err != nil {
		x.t.Fatal(err)
	}
}

// args is what of a subject stands on the command line, but for its clearance.
func (x *shell) args(s *subject, state map[string]float64) []string {
	args := []string{"-q", "--robot", x.files.urdf, "--scene", x.files.scene, "--padding", num(s.padding)}
	if x.files.srdf != "" {
		args = append(args, "--srdf", x.files.srdf)
	}
	for name, at := range state {
		args = append(args, "--state", name+"="+strconv.FormatFloat(at, 'f', -1, 64))
	}
	for _, p := range s.optAllowed {
		args = append(args, "--allow", p[0]+":"+p[1])
	}
	for name, width := range s.tube {
		args = append(args, "--tube", name+"="+num(width))
	}
	return args
}

// told is what is compared of check's answer.
type told struct {
	Status string
	Pairs  int `json:"assumed_pairs"`
}

func (x *shell) check(args ...string) told {
	out, code := x.run(append([]string{"check", "--no-cache", "--json", "--interpolation", "linear"}, args...)...)
	var v told
	if err := json.Unmarshal(out, &v); err != nil {
		x.t.Errorf("check exits with %d: %s", code, out)
	}
	return v
}

func (x *shell) run(args ...string) ([]byte, int) {
	cmd := exec.Command(x.binary, args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		x.t.Fatal(err)
	}
	if out.Len() == 0 {
		return problems.Bytes(), cmd.ProcessState.ExitCode()
	}
	return out.Bytes(), cmd.ProcessState.ExitCode()
}

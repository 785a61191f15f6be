package demo

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// told is all that a node says during the demo.
type told struct {
	states   []*fcmsgs.CollisionState
	verdicts []*fcmsgs.Verdict
}

// asExpected says what the facts say, and UNKNOWN in the end.
func asExpected(s *script) *told {
	var all told
	wave := s.wanted["wave.csv"]
	for i := range s.rows() {
		m := &fcmsgs.CollisionState{Level: fcmsgs.CollisionStateFree, MotionsChecked: uint64(i)}
		m.Header.Stamp, m.MotionStart = stampOf(i), stampOf(max(i-1, 0))
		for _, near := range wave.Near {
			level := near.levelAt(float64(i) / rate)
			if level > m.Level {
				m.Level, m.Pair = level, pairNamed(near.Pair)
			}
		}
		all.states = append(all.states, m)
	}
	all.states = append(all.states, &fcmsgs.CollisionState{MotionsChecked: uint64(s.rows() - 1)})
	for _, q := range s.questions {
		all.verdicts = append(all.verdicts, verdictOf(q.id, s.wanted[q.id]))
	}
	return &all
}

// begin is when the motion is said to begin: late enough for no state to come late.
var begin = time.Now().Add(time.Hour)

func stampOf(row int) builtininterfaces.Time {
	return builtininterfaces.TimeOf(begin.Add(time.Duration(row) * time.Second / rate))
}

func pairNamed(names []string) fcmsgs.BodyPair {
	return fcmsgs.BodyPair{A: fcmsgs.Body{Name: names[0]}, B: fcmsgs.Body{Name: names[1]}}
}

// levelAt is COLLISION while the pair touches, STOP for a tenth of a second before
// and after, WARN for the rest of the time that it is close.
func (n nearness) levelAt(t float64) uint8 {
	in := func(spans [][2]float64, more float64) bool {
		return slices.ContainsFunc(spans, func(s [2]float64) bool { return t >= s[0]-more && t <= s[1]+more })
	}
	switch {
	case in(n.Touch, 0):
		return fcmsgs.CollisionStateCollision
	case in(n.Touch, 0.1):
		return fcmsgs.CollisionStateStop
	case in(n.Within, 0):
		return fcmsgs.CollisionStateWarn
	}
	return fcmsgs.CollisionStateFree
}

func verdictOf(id string, f fact) *fcmsgs.Verdict {
	if f.Status == "free" {
		return &fcmsgs.Verdict{ID: id, Status: fcmsgs.VerdictFree, MinClearanceKnown: true, MinClearanceLower: f.Near[0].Least - 5e-4, MinClearanceUpper: f.Near[0].Least + 5e-4}
	}
	scope := fcmsgs.VerdictScopeSelf
	if f.Class == "world" {
		scope = fcmsgs.VerdictScopeWorld
	}
	return &fcmsgs.Verdict{ID: id, Status: fcmsgs.VerdictContact, TOCLower: f.TOC, TOCUpper: f.TOC, Scope: scope, Pair: pairNamed(f.Pair)}
}

// faults holds what was told against the script and returns how much does not
// agree.
func faults(s *script, all *told) (int, string) {
	var out bytes.Buffer
	log := newJournal(&out, s)
	for i := range s.rows() {
		log.played(stampOf(i), float64(i)/rate)
	}
	for _, m := range all.states {
		log.state(m)
	}
	for _, q := range s.questions {
		log.asks(q.id, q.id)
	}
	for _, v := range all.verdicts {
		log.verdict(v)
	}
	log.served(&fcmsgs.Verdict{ID: "by service", Status: fcmsgs.VerdictContact})
	return log.summary(), out.String()
}

// stall lets the node miss rows, as a busy machine may: the states of rows begin
// to end-1 do not come, its watchdog says UNKNOWN, and the next state judges the way
// over them.
func (all *told) stall(s *script, begin, end int) {
	way := all.states[end]
	way.MotionStart = stampOf(begin - 1)
	for _, near := range s.wanted["wave.csv"].Near {
		for row := begin - 1; row <= end; row++ {
			if near.levelAt(float64(row)/rate) == fcmsgs.CollisionStateCollision {
				way.Level, way.Pair = fcmsgs.CollisionStateCollision, pairNamed(near.Pair)
			}
		}
	}
	all.states = slices.Replace(all.states, begin, end, &fcmsgs.CollisionState{})
}

// A node that is kept from some joint states says what it must of the way over
// them, whenever that happens.
func TestDemoOfAStalledNode(t *testing.T) {
	script, err := readScript(clitest.Humanoid)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{2, 10, 40, 90} {
		for begin := 1; begin+rows < script.rows(); begin += 7 {
			all := asExpected(script)
			all.stall(script, begin, begin+rows)
			if n, text := faults(script, all); n != 0 {
				t.Fatalf("without rows %d to %d there are %d faults:\n%s", begin, begin+rows-1, n, text)
			}
		}
	}
	// What is on the way must be said.
	all := asExpected(script)
	all.stall(script, int(7.2*rate), int(8.3*rate))
	all.states[int(7.2*rate)+1].Level = fcmsgs.CollisionStateStop
	if n, text := faults(script, all); n == 0 {
		t.Errorf("a touch on the way is not told and there are no faults:\n%s", text)
	}
}

// Any answer that contradicts the known facts makes the demo fail.
func TestDemoFails(t *testing.T) {
	script, err := readScript(clitest.Humanoid)
	if err != nil {
		t.Fatal(err)
	}
	if n, text := faults(script, asExpected(script)); n != 0 {
		t.Fatalf("what the facts say has %d faults:\n%s", n, text)
	}
	// row is one in the middle of the first touch, free one where nothing is close.
	row, free := int(7.8*rate), 60
	for name, spoil := range map[string]func(*told){
		"a verdict is missing":        func(a *told) { a.verdicts = a.verdicts[1:] },
		"a contact is called free":    func(a *told) { a.verdicts[1].Status = fcmsgs.VerdictFree },
		"a free motion has a contact": func(a *told) { a.verdicts[0].Status = fcmsgs.VerdictContact },
		"nothing is decided":          func(a *told) { a.verdicts[1].Status = fcmsgs.VerdictUndecided },
		"a contact comes too late":    func(a *told) { a.verdicts[1].TOCUpper += 0.01 },
		"another pair touches":        func(a *told) { a.verdicts[1].Pair.A.Name = "head" },
		"self is called world":        func(a *told) { a.verdicts[1].Scope = fcmsgs.VerdictScopeWorld },
		"a clearance is too large":    func(a *told) { a.verdicts[0].MinClearanceLower += 0.01; a.verdicts[0].MinClearanceUpper += 0.01 },
		"a touch is not told":         func(a *told) { a.states[row].Level = fcmsgs.CollisionStateStop },
		"another pair is told":        func(a *told) { a.states[row].Pair = pairNamed([]string{"head", "left_hand"}) },
		"a touch is told where none is": func(a *told) {
			a.states[free].Level, a.states[free].Pair = fcmsgs.CollisionStateCollision, pairNamed([]string{"torso", "right_hand"})
		},
		"a warning where nothing is close": func(a *told) {
			a.states[free].Level, a.states[free].Pair = fcmsgs.CollisionStateWarn, pairNamed([]string{"torso", "right_hand"})
		},
		"no warnings": func(a *told) {
			for _, s := range a.states {
				if s.Level == fcmsgs.CollisionStateWarn {
					s.Level = fcmsgs.CollisionStateStop
				}
			}
		},
		"unknown in between":     func(a *told) { a.states[free].Level = fcmsgs.CollisionStateUnknown },
		"unknown for a while":    func(a *told) { a.states = slices.Insert(a.states, free, &fcmsgs.CollisionState{}) },
		"a way is not judged":    func(a *told) { a.states[len(a.states)-2].MotionsUnchecked = 1 },
		"a way is not counted":   func(a *told) { a.states[len(a.states)-2].MotionsChecked-- },
		"the last is lost":       func(a *told) { a.states = slices.Delete(a.states, len(a.states)-2, len(a.states)-1) },
		"silence is not noticed": func(a *told) { a.states = a.states[:len(a.states)-1] },
		"no states":              func(a *told) { a.states = nil },
	} {
		t.Run(name, func(t *testing.T) {
			all := asExpected(script)
			spoil(all)
			n, text := faults(script, all)
			if n == 0 || strings.Contains(text, "all as expected") || !strings.Contains(text, "<-- not as expected") {
				t.Errorf("%d faults:\n%s", n, text)
			}
		})
	}
	t.Run("the service says otherwise", func(t *testing.T) {
		log := newJournal(new(bytes.Buffer), script)
		log.served(&fcmsgs.Verdict{ID: "by service", Status: fcmsgs.VerdictFree})
		if log.summary() == 0 {
			t.Error("no faults")
		}
	})
}

func TestDemoRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want int
		says string
	}{
		"an argument":    {[]string{"demo", "faster"}, cli.ExitUsage, `"faster"`},
		"another folder": {[]string{"demo", "--data", t.TempDir()}, cli.ExitBadInput, "--data"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, _, errs := command(t, "", c.args...); code != c.want || !strings.Contains(errs, c.says) {
				t.Errorf("exit status %d: %s; want %d and %s", code, errs, c.want, c.says)
			}
		})
	}
}

// The demo brings its files: it starts in any folder, and leaves nothing behind.
func TestDemoUnpacksItsFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Chdir(t.TempDir())
	dir, remove, err := new(flags).unpacked()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readScript(dir); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"humanoid.urdf", "humanoid.srdf", "obstacles.yaml", "humanoid_description/meshes/torso.stl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	remove()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

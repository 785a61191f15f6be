package ccd

import (
	"bufio"
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const (
	golden       = "../testdata/golden"
	sharedCorpus = "../../shared/peers/corpus"
)

// capture is one line of golden/expected.txt.
type capture struct {
	name            string
	scene, segments string
	index           int
	status          string
	value, within   float64 // NaN where nothing is expected
}

func captures(t *testing.T) (all []capture) {
	t.Helper()
	f, err := os.Open(filepath.Join(golden, "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	path := func(name string) string {
		if rest, ok := strings.CutPrefix(name, "corpus/"); ok {
			return filepath.Join(sharedCorpus, rest)
		}
		return filepath.Join(golden, name)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		w := strings.Fields(lines.Text())
		if len(w) == 0 || w[0] == "#" {
			continue
		}
		if len(w) != 6 {
			t.Fatalf("expected.txt: %q", lines.Text())
		}
		c := capture{name: strings.Join(w[:4], " "), scene: path(w[0]), segments: path(w[1]), status: w[3], value: math.NaN()}
		if c.index, err = strconv.Atoi(w[2]); err == nil && w[4] != "-" {
			c.value, err = strconv.ParseFloat(w[4], 64)
		}
		if err == nil {
			c.within, err = strconv.ParseFloat(w[5], 64)
		}
		if err != nil {
			t.Fatalf("expected.txt: %q: %v", lines.Text(), err)
		}
		all = append(all, c)
	}
	return all
}

// Hard queries that were met, with what must come out.
func TestGoldenCaptures(t *testing.T) {
	scenes, checkers := map[string]*corpus.Scene{}, map[string]*Checker{}
	tried := 0
	for _, g := range captures(t) {
		t.Run(g.name, func(t *testing.T) {
			if _, err := os.Stat(g.scene); err != nil && strings.HasPrefix(g.scene, sharedCorpus) {
				t.Skip("the corpus is not here: ", err)
			}
			if large := strings.Contains(g.scene, "190k") || strings.Contains(g.scene, "g1"); large && race.Enabled {
				t.Skip("a large model, and nothing for the race detector to find")
			}
			tried++
			s, c := scenes[g.scene], checkers[g.scene]
			if s == nil {
				var err error
				if s, err = corpus.Load(g.scene); err != nil {
					t.Fatal(err)
				}
				if c, err = New(s.Robot, s.World, Options{Allowed: s.Rigid()}); err != nil {
					t.Fatal(err)
				}
				scenes[g.scene], checkers[g.scene] = s, c
			}
			motions, err := s.Segments(g.segments)
			if err != nil {
				t.Fatal(err)
			}
			g.hold(t, c, motions[g.index])
		})
	}
	if tried < 7 {
		t.Errorf("%d captures were tried", tried)
	}
}

// hold asks all questions.
func (g *capture) hold(t *testing.T, c *Checker, m *motion.Motion) {
	q := motion.Query{NoWorld: len(c.World().Objects) == 0}
	for _, q.Question = range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
		if q.Question == motion.MinClearance && math.IsNaN(g.value) {
			continue // not asked for: of a large model it takes long
		}
		q.ClearanceTolerance = g.within
		v, err := c.Check(context.Background(), m, q)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case v.Status.String() != g.status:
			t.Errorf("question %d: %v at %.9g (%s), want %s", q.Question, v.Status, v.TOC.Hi, v.Reason, g.status)
		case v.Status == motion.Contact && q.Question != motion.IsFree && math.Abs(v.TOC.Hi-g.value) > g.within:
			t.Errorf("question %d: contact in %v, want %g to %g", q.Question, v.TOC, g.value, g.within)
		case v.MinClearance.Known:
			if b := v.MinClearance.Bounds; b.Lo > g.value+1e-12 || b.Hi < g.value-1e-12 || b.Hi-b.Lo > g.within*1.001 {
				t.Errorf("clearance in %v, want %g to %g", b, g.value, g.within)
			}
		}
	}
}

// What second order is for: a slide of 20 cm closely above a table takes few
// evaluations of distance.
func TestSlideTakesFewDistances(t *testing.T) {
	s, err := corpus.Load(filepath.Join(golden, "slide.scene"))
	if err != nil {
		t.Fatal(err)
	}
	motions, err := s.Segments(filepath.Join(golden, "slide.segs"))
	if err != nil {
		t.Fatal(err)
	}
	c := newChecker(t, s.Robot, s.World)
	for _, question := range []motion.Question{motion.FirstContact, motion.IsFree} {
		v := ask(t, c, motions[0], motion.Query{Question: question})
		t.Logf("question %d: %v, %+v", question, v.Status, v.Work)
		if v.Status != motion.Free || v.Work.Distances > 20 || v.Work.Proofs > 100 {
			t.Errorf("question %d: %v with %+v", question, v.Status, v.Work)
		}
	}
}

package agreement_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// shared holds robots and scenes beside the repository.
const shared = "../../../shared"

// budget is the computing time of one question to one method. What it is not enough
// for is undecided, which is counted and no disagreement.
const budget = 20 * time.Second

// TestCorpus holds the methods against each other on the comparison's corpus.
func TestCorpus(t *testing.T) {
	folder := filepath.Join(shared, "peers", "corpus")
	for _, s := range []struct {
		scene, segments string
		stride          int // of a short look; 0 leaves the set to a long one
		noWorld         bool
	}{
		{"panda_shelf.scene", "panda_shelf.local.segs", 10, false},
		{"panda_shelf.scene", "panda_shelf.long.segs", 20, false},
		{"panda_pipes38k.scene", "panda_pipes38k.local.segs", 40, false},
		{"panda_pipes190k.scene", "panda_pipes190k.local.segs", 0, false},
		{"g1.scene", "g1_moves_10hz.segs", 0, true},
	} {
		if s.stride == 0 && !switches.Long.Set() {
			continue
		}
		t.Run(s.segments, func(t *testing.T) {
			in, err := corpus.Load(filepath.Join(folder, s.scene))
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("no collection of scenes beside the repository")
			}
			must(t, err)
			segments, err := in.Segments(filepath.Join(folder, s.segments))
			must(t, err)
			c, err := ccd.New(in.Robot, in.World, ccd.Options{Allowed: append(in.Rigid(), in.Allowed...)})
			must(t, err)
			var tally agreement.Tally
			for i := 0; i < len(segments); i += stride(s.stride) {
				ask(t, &tally, fmt.Sprint("segment ", i), c, segments[i], motion.Query{NoWorld: s.noWorld})
			}
			t.Log(&tally)
		})
	}
}

func stride(short int) int {
	if switches.Long.Set() {
		return 1
	}
	if race.Enabled {
		return 4 * short
	}
	return short
}

// TestPlanningProblems does so on the straight motions from start to goal of planning
// problems, cut into parts: of the whole ones hardly any is free.
func TestPlanningProblems(t *testing.T) {
	robots := []string{"panda"}
	if switches.Long.Set() {
		robots = append(robots, "ur5", "baxter")
	}
	for _, name := range robots {
		t.Run(name, func(t *testing.T) {
			problems, err := scene.Problems(filepath.Join(shared, "scenes", "motionbenchmaker", name+".json"))
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("no collection of scenes beside the repository")
			}
			must(t, err)
			folder := filepath.Join(shared, "robots", name)
			opts := urdf.Options{SRDF: filepath.Join(folder, name+".srdf")}
			if _, err := os.Stat(opts.SRDF); err != nil {
				opts.SRDF = ""
			}
			robot, err := urdf.Load(filepath.Join(folder, name+".urdf"), opts)
			must(t, err)
			alone := besideFingers(t, robot, &problems[0])
			var tally agreement.Tally
			for i := 0; i < len(problems); i += stride(60) {
				p := &problems[i]
				world, err := p.Snapshot()
				must(t, err)
				c, err := alone.WithWorld(world)
				must(t, err)
				for part := range parts {
					m, err := motion.Between(p.Joints, between(p.Start, p.Goal, part), between(p.Start, p.Goal, part+1), 1)
					must(t, err)
					ask(t, &tally, fmt.Sprint(p.Name(), " part ", part), c, m, motion.Query{})
				}
			}
			t.Log(&tally)
		})
	}
}

// besideFingers returns a checker without a world that leaves out what touches where
// the first problem starts: fingers that the problems close.
func besideFingers(t *testing.T, robot *urdf.Robot, p *scene.Problem) *ccd.Checker {
	t.Helper()
	c, err := ccd.New(robot, nil, ccd.Options{})
	must(t, err)
	at := map[string]float64{}
	for i, joint := range p.Joints {
		at[joint] = p.Start[i]
	}
	close, err := c.Distance(context.Background(), at, motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Max: 1e-3}})
	must(t, err)
	var allowed [][2]string
	for i := range close.Pairs {
		w := &close.Pairs[i].Pair
		allowed = append(allowed, [2]string{w.A.Name, w.B.Name})
	}
	if c, err = ccd.New(robot, nil, ccd.Options{Allowed: allowed}); err != nil {
		t.Fatal(err)
	}
	return c
}

// parts are how many a problem's straight motion is cut into.
const parts = 4

// between is the configuration after so many parts of the way.
func between(from, to []float64, part int) []float64 {
	q := make([]float64, len(from))
	for i := range q {
		q[i] = from[i] + (to[i]-from[i])*float64(part)/parts
	}
	return q
}

// ask puts both questions about a motion to every method.
func ask(t *testing.T, tally *agreement.Tally, name string, c *ccd.Checker, m *motion.Motion, q motion.Query) {
	t.Helper()
	q.Budget = budget
	for _, q.Question = range []motion.Question{motion.FirstContact, motion.IsFree} {
		var answers []agreement.Answer
		for _, q.Method = range ccd.Methods() {
			v, err := c.Check(context.Background(), m, q)
			if err != nil {
				t.Fatalf("%s, method %s: %v", name, q.Method, err)
			}
			answers = append(answers, agreement.Answer{Method: q.Method, Verdict: v})
		}
		for _, wrong := range tally.Add(&q, answers) {
			t.Errorf("%s: %s", name, wrong)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package clearance

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const peers = "../../../shared/peers/corpus/"

// sets are the comparison corpus: arms at a shelf and among pipes, and a humanoid.
var sets = []struct{ name, scene, segments string }{
	{"shelf local", "panda_shelf.scene", "panda_shelf.local.segs"},
	{"shelf long", "panda_shelf.scene", "panda_shelf.long.segs"},
	{"pipes38k", "panda_pipes38k.scene", "panda_pipes38k.local.segs"},
	{"pipes190k", "panda_pipes190k.scene", "panda_pipes190k.local.segs"},
	{"g1 moves", "g1.scene", "g1_moves_10hz.segs"},
}

// Of a free segment: the proof, the smallest distance to a millimetre and the distance
// over time to a millimetre, in turns.
const (
	proof = iota
	smallest
	overTime
	questions
)

var questionNames = [questions]string{"proof", "smallest distance", "over time"}

// asked is what a question took of one segment.
type asked struct {
	us   float64 // the thread's computing, the least of the repetitions
	work motion.Work
}

// TestCost measures how many times as long as the proof of a free segment its smallest
// distance takes, and its distance over time: medians of each, and of their ratios.
// FIRSTCONTACT_LONG takes all segments of all sets.
func TestCost(t *testing.T) {
	if _, err := os.Stat(peers + sets[0].scene); err != nil {
		t.Skip(err)
	}
	if _, err := cputime.Thread(); err != nil {
		t.Skip(err)
	}
	from, most, reps := sets[:1], 5, 1
	if switches.Long.Set() {
		from, most, reps = sets, switches.Long.Times(100, 1), 3
	}
	for _, s := range from {
		c, free := freeSegments(t, s.scene, s.segments, most)
		if len(free) == 0 {
			t.Fatalf("%s: no free segments", s.name)
		}
		runtime.LockOSThread()
		var all [questions][]asked
		for _, m := range free {
			for q, a := range measure(t, c, m, reps) {
				all[q] = append(all[q], a)
			}
		}
		runtime.UnlockOSThread()
		for q := range all {
			ratio := make([]float64, len(free))
			for i := range ratio {
				ratio[i] = all[q][i].us / all[proof][i].us
			}
			t.Logf("%-11s %3d free, %-17s median %7.1f us, 90 %% %7.1f, times the proof %5.2f; intervals %5.0f, proof rules %6.0f, searches %5.0f", s.name, len(free), questionNames[q],
				part(all[q], 0.5, func(a asked) float64 { return a.us }), part(all[q], 0.9, func(a asked) float64 { return a.us }), part(ratio, 0.5, func(x float64) float64 { return x }),
				part(all[q], 0.5, func(a asked) float64 { return float64(a.work.Intervals) }),
				part(all[q], 0.5, func(a asked) float64 { return float64(a.work.Proofs) }),
				part(all[q], 0.5, func(a asked) float64 { return float64(a.work.Distances) }))
		}
	}
}

// freeSegments loads a set and returns up to most of its segments that are free.
func freeSegments(t *testing.T, scene, segments string, most int) (*ccd.Checker, []*motion.Motion) {
	t.Helper()
	s, err := corpus.Load(filepath.Join(peers, scene))
	must(t, err)
	c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
	must(t, err)
	motions, err := s.Segments(filepath.Join(peers, segments))
	must(t, err)
	var free []*motion.Motion
	for i := 0; i < len(motions) && len(free) < most; i += max(1, len(motions)/(most*3/2)) {
		v, err := c.Check(context.Background(), motions[i], motion.Query{Question: motion.IsFree})
		must(t, err)
		if v.Status == motion.Free {
			free = append(free, motions[i])
		}
	}
	return c, free
}

// measure puts the questions about a segment in turns.
func measure(t *testing.T, c *ccd.Checker, m *motion.Motion, reps int) (out [questions]asked) {
	t.Helper()
	for r := range reps + 1 { // the first is to warm up
		for q := range out {
			before, err := cputime.Thread()
			must(t, err)
			work := ask(t, c, m, q)
			after, err := cputime.Thread()
			must(t, err)
			if us := float64((after-before)/time.Nanosecond) / 1e3; r == 1 || r > 1 && us < out[q].us {
				out[q] = asked{us, work}
			}
		}
	}
	return out
}

func ask(t *testing.T, c *ccd.Checker, m *motion.Motion, question int) motion.Work {
	t.Helper()
	switch question {
	case overTime:
		p, err := c.Profile(context.Background(), m, motion.ProfileQuery{})
		must(t, err)
		if p.Reason != "" {
			t.Fatal(p.Reason)
		}
		return p.Work
	case smallest:
		v, err := c.Check(context.Background(), m, motion.Query{Question: motion.MinClearance})
		must(t, err)
		if b := v.MinClearance.Bounds; !v.MinClearance.Known || b.Hi-b.Lo > motion.DefaultClearanceTolerance*(1+1e-9) {
			t.Fatalf("smallest distance %+v", v.MinClearance)
		}
		return v.Work
	}
	v, err := c.Check(context.Background(), m, motion.Query{Question: motion.IsFree})
	must(t, err)
	return v.Work
}

// part returns a quantile.
func part[T any](list []T, p float64, of func(T) float64) float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = of(list[i])
	}
	slices.Sort(values)
	return values[int(p*float64(len(values)-1))]
}

package scopes

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const shared = "../../../shared/peers/corpus/"

// sets are the comparison corpus: arms at a shelf and among pipes, and a humanoid.
var sets = []struct{ name, scene, segments string }{
	{"shelf local", "panda_shelf.scene", "panda_shelf.local.segs"},
	{"shelf long", "panda_shelf.scene", "panda_shelf.long.segs"},
	{"pipes38k", "panda_pipes38k.scene", "panda_pipes38k.local.segs"},
	{"g1 moves", "g1.scene", "g1_moves_10hz.segs"},
}

// asked are the questions whose cost is compared with that of the same question about
// both scopes together.
var asked = []struct {
	name string
	q    motion.Query
}{
	{"first contact", motion.Query{}},
	{"yes or no", motion.Query{Question: motion.IsFree}},
	{"min clearance", motion.Query{Question: motion.MinClearance}},
}

// TestCost measures how many times as long a check takes that answers for each scope, as
// medians of ratios by what becomes of the motion. FIRSTCONTACT_LONG takes all segments.
func TestCost(t *testing.T) {
	if _, err := os.Stat(filepath.Join(shared, sets[0].scene)); err != nil {
		t.Skip(err)
	}
	segments, reps := 60, 3
	if switches.Long.Set() {
		segments, reps = math.MaxInt, 5
	}
	for _, a := range asked {
		var all costs
		for _, s := range sets {
			one := measure(t, a.q, s.scene, s.segments, segments, reps)
			t.Logf("%s, %s:\n%s", a.name, s.name, one)
			for class, list := range one {
				all.add(class, list...)
			}
		}
		t.Logf("%s, all sets:\n%s", a.name, all)
		if free := all["free"]; a.q.Question != motion.MinClearance && len(free) > 0 && median(free, ratio) > 1.3 {
			t.Errorf("%s: a free motion takes %.2f times as long for each scope", a.name, median(free, ratio))
		}
	}
}

// cost is that of one segment.
type cost struct{ together, each, contacts, toc float64 } // us; toc as a part of the motion

func ratio(c cost) float64 { return c.each / c.together }

// costs are by what becomes of the motion.
type costs map[string][]cost

func (c *costs) add(class string, x ...cost) {
	if *c == nil {
		*c = costs{}
	}
	(*c)[class] = append((*c)[class], x...)
}

func measure(t *testing.T, q motion.Query, sceneFile, segmentFile string, most, reps int) (out costs) {
	t.Helper()
	s, err := corpus.Load(filepath.Join(shared, sceneFile))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
	if err != nil {
		t.Fatal(err)
	}
	motions, err := s.Segments(filepath.Join(shared, segmentFile))
	if err != nil {
		t.Fatal(err)
	}
	step := max(1, len(motions)/most)
	each, list := q, q
	each.EachScope, list.MaxContacts = true, 16
	for i := 0; i < len(motions); i += step {
		m := motions[i]
		x := cost{math.Inf(1), math.Inf(1), math.Inf(1), 0}
		var v motion.Verdict
		for r := range reps + 1 { // the first is to warm up
			for _, ask := range []struct {
				q  motion.Query
				us *float64
			}{{q, &x.together}, {each, &x.each}, {list, &x.contacts}} {
				begin := time.Now()
				got, err := c.Check(context.Background(), m, ask.q)
				took := float64(time.Since(begin).Nanoseconds()) / 1e3
				if err != nil {
					t.Fatal(err)
				}
				if r > 0 {
					*ask.us = min(*ask.us, took)
				}
				if ask.q.EachScope {
					v = got
				}
			}
		}
		x.toc = v.TOC.Hi / m.Duration()
		out.add(classOf(&v), x)
	}
	return out
}

// classOf tells what becomes of a motion.
func classOf(v *motion.Verdict) string {
	status := func(s *motion.ScopeVerdict) motion.Status {
		if s == nil {
			return motion.Free // nothing to check
		}
		return s.Status
	}
	switch self, world := status(v.Self), status(v.World); {
	case v.Status == motion.Free:
		return "free"
	case self == motion.Contact && world == motion.Contact:
		return "both touch"
	case self == motion.Contact:
		return "self alone"
	case world == motion.Contact:
		return "world alone"
	}
	return "undecided"
}

func (c costs) String() (out string) {
	for _, class := range []string{"free", "self alone", "world alone", "both touch", "undecided"} {
		list := c[class]
		if len(list) == 0 {
			continue
		}
		sum, logs := cost{}, 0.0
		for _, x := range list {
			sum.together += x.together
			sum.each += x.each
			sum.contacts += x.contacts
			logs += math.Log(ratio(x))
		}
		out += fmt.Sprintf("  %-11s %5d: each scope %.2f (quartiles %.2f to %.2f), geometric mean %.2f, of sums %.2f; %.1f -> %.1f us; contact at %.2f; a list of contacts %.1f us more\n",
			class, len(list), median(list, ratio), quantile(list, ratio, 0.25), quantile(list, ratio, 0.75),
			math.Exp(logs/float64(len(list))), sum.each/sum.together,
			median(list, func(x cost) float64 { return x.together }), median(list, func(x cost) float64 { return x.each }),
			median(list, func(x cost) float64 { return x.toc }), median(list, func(x cost) float64 { return x.contacts - x.together }))
	}
	return out
}

func median(list []cost, of func(cost) float64) float64 { return quantile(list, of, 0.5) }

func quantile(list []cost, of func(cost) float64, p float64) float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = of(list[i])
	}
	slices.Sort(values)
	return values[int(p*float64(len(values)-1))]
}

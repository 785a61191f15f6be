package bisect

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const corpusDir = "../../../shared/peers/corpus/"

// corpusModel compiles a scene of the comparison harness.
func corpusModel(t testing.TB, scene string) (*corpus.Scene, *model.Model) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(corpusDir, scene)); err != nil {
		t.Skip("the corpus is not there")
	}
	s, err := corpus.Load(filepath.Join(corpusDir, scene))
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(s.Robot, s.World, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	off := map[[2]string]bool{}
	for _, p := range append(s.Allowed, s.Rigid()...) {
		off[p], off[[2]string{p[1], p[0]}] = true, true
	}
	m.PairUp(func(a, b *model.Body) string {
		if off[[2]string{a.Name, b.Name}] {
			return "allowed"
		}
		return ""
	})
	return s, m
}

// Verdicts on slices of the corpus agree with the default engine's.
func TestCorpus(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine, and meshes that take long to prepare")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range []struct {
		scene, segments string
		n, all          int // in each run, and in campaigns
	}{
		{"panda_shelf.scene", "panda_shelf.local.segs", 40, 300},
		{"panda_shelf.scene", "panda_shelf.long.segs", 10, 200},
		{"panda_pipes38k.scene", "panda_pipes38k.local.segs", 0, 300},
		{"g1.scene", "g1_moves_10hz.segs", 0, 100},
	} {
		n := c.n
		if switches.Long.Set() {
			n = c.all
		}
		if n == 0 {
			continue
		}
		s, m := corpusModel(t, c.scene)
		ms, err := s.Segments(filepath.Join(corpusDir, c.segments))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(m)
		if err != nil {
			t.Fatal(err)
		}
		r := &corpusRun{t: t, m: m, w: p.NewWorker(), other: spacetime.NewWorker(m), ms: ms, n: n}
		for _, q := range []motion.Query{{Question: motion.IsFree}, {Question: motion.FirstContact, TimeTolerance: 1e-3}} {
			for _, o := range []Options{{}, {Refined: true}} {
				r.run(c.segments, q, o)
			}
		}
	}
}

type corpusRun struct {
	t     *testing.T
	m     *model.Model
	w     *Worker
	other *spacetime.Worker
	ms    []*motion.Motion
	n     int
}

func (r *corpusRun) run(name string, q motion.Query, o Options) {
	r.t.Helper()
	q.Tolerance, q.Budget = 1e-4, 20*time.Second
	r.w.Options = o
	count, ties := map[motion.Status]int{}, 0
	var ours, others time.Duration
	var sum Stats
	for i := range r.n {
		b, err := kin.Bind(r.m.Tree, r.ms[i*len(r.ms)/r.n], make([]float64, len(r.m.Tree.Dofs)))
		if err != nil {
			r.t.Fatal(err)
		}
		begin := engine.ThreadTime()
		v := r.w.Check(context.Background(), b, q)
		middle := engine.ThreadTime()
		want := r.other.Check(context.Background(), b, q)
		ours, others = ours+middle-begin, others+engine.ThreadTime()-middle
		bad, tie := disagreement(&v, &want, &q)
		if bad {
			r.t.Fatalf("%s, segment %d, %+v: %+v\nspacetime: %+v", name, i, o, v, want)
		}
		if tie {
			ties++
		}
		if v.Status == motion.Undecided {
			r.t.Errorf("%s, segment %d, %+v: undecided: %s", name, i, o, v.Reason)
		}
		count[v.Status]++
		st := r.w.Stats()
		sum.Elements += st.Elements
		sum.Configurations += st.Configurations
		sum.BVTests += st.BVTests
		sum.TriTests += st.TriTests
	}
	n := time.Duration(r.n)
	r.t.Logf("%s, question %d, refined %v: %v, %d ties; a segment %v, default engine %v; %d elements, %d configurations, %d BV, %d Tri",
		name, q.Question, o.Refined, count, ties, ours/n, others/n, sum.Elements/r.n, sum.Configurations/r.n, sum.BVTests/r.n, sum.TriTests/r.n)
}

package catch

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
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const corpusDir = "../../../shared/peers/corpus/"

// compiled keeps the scenes that were compiled.
var compiled = map[string]*model.Model{}

// corpusRig compiles a scene of the comparison harness and reads its segments.
func corpusRig(t testing.TB, scene, segments string) (*rig, []*motion.Motion) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(corpusDir, scene)); err != nil {
		t.Skip("the corpus is not there")
	}
	s, err := corpus.Load(filepath.Join(corpusDir, scene))
	if err != nil {
		t.Fatal(err)
	}
	ms, err := s.Segments(filepath.Join(corpusDir, segments))
	if err != nil {
		t.Fatal(err)
	}
	if m := compiled[scene]; m != nil {
		return rigOf(t, m), ms
	}
	m, err := model.New(s.Robot, s.World, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	compiled[scene] = m
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
	return rigOf(t, m), ms
}

// TestCorpus holds verdicts on a slice of each scene's segments against those of the
// default engine.
func TestCorpus(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine, and meshes that take long to prepare")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range []struct {
		scene, segments string
		n               int // 0: in campaigns alone, as building it takes seconds
	}{
		{"panda_shelf.scene", "panda_shelf.local.segs", 40},
		{"panda_shelf.scene", "panda_shelf.long.segs", 10},
		{"panda_pipes38k.scene", "panda_pipes38k.local.segs", 0},
		{"g1.scene", "g1_moves_10hz.segs", 20},
	} {
		n := scenes(c.n)
		if n == 0 && switches.Long.Set() {
			n = 100
		}
		if n == 0 {
			continue
		}
		r, ms := corpusRig(t, c.scene, c.segments)
		n = min(len(ms), n)
		count, ties := map[motion.Status]int{}, 0
		var ours, others time.Duration
		var st Stats
		for i := range n {
			b, err := kin.Bind(r.m.Tree, ms[i*len(ms)/n], make([]float64, len(r.m.Tree.Dofs)))
			if err != nil {
				t.Fatal(err)
			}
			q := motion.Query{Question: motion.Question(i % 2)}
			r.w.Options.Timed = true
			begin := engine.ThreadTime()
			v := r.w.Check(context.Background(), b, q)
			middle := engine.ThreadTime()
			other := r.other.Check(context.Background(), b, q)
			ours, others = ours+middle-begin, others+engine.ThreadTime()-middle
			total := map[string]Stats{"": st}
			add(total, "", r.w.Stats())
			st = total[""]
			count[v.Status]++
			err, tie := agree(q, &v, &other)
			if err != nil || v.Status == motion.Undecided {
				t.Errorf("%s, segment %d: %v, default %v: %v %s", c.segments, i, v.Status, other.Status, err, v.Reason)
			}
			if tie {
				ties++
			}
		}
		t.Logf("%s: %d segments %v, %d ties; %v a segment, the default engine %v; %+v", c.segments, n, count, ties, ours/time.Duration(n), others/time.Duration(n), st)
	}
}

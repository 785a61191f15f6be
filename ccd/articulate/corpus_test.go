package articulate

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Verdicts on a slice of each corpus of the comparison harness do not contradict those
// of the default engine. FIRSTCONTACT_LONG takes larger slices, and the large scenes.
func TestCorpus(t *testing.T) {
	const dir = "../../../shared/peers/corpus/"
	if race.Enabled {
		t.Skip("one goroutine, and meshes that take long to prepare")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the corpus is not there")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	models := map[string]*model.Model{}
	for _, c := range []struct {
		scene, segments string
		n               int // 0: only in long campaigns
	}{
		{"panda_shelf", "panda_shelf.local", 25},
		{"panda_shelf", "panda_shelf.long", 8},
		{"g1", "g1_moves_10hz", 0},
		{"panda_pipes38k", "panda_pipes38k.local", 0},
	} {
		n := c.n * long()
		if n == 0 && long() > 1 {
			n = 10 * long()
		}
		if n == 0 {
			continue
		}
		s, err := corpus.Load(filepath.Join(dir, c.scene+".scene"))
		if err != nil {
			t.Fatal(err)
		}
		ms, err := s.Segments(filepath.Join(dir, c.segments+".segs"))
		if err != nil {
			t.Fatal(err)
		}
		if models[c.scene] == nil {
			models[c.scene] = corpusModel(t, s)
		}
		holdCorpus(t, c.segments, models[c.scene], ms, min(n, len(ms)))
	}
}

func corpusModel(t *testing.T, s *corpus.Scene) *model.Model {
	t.Helper()
	m, err := model.New(s.Robot, s.World, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	allowed := append(slices.Clone(s.Allowed), s.Rigid()...)
	m.PairUp(func(a, b *model.Body) string {
		if slices.Contains(allowed, [2]string{a.Name, b.Name}) || slices.Contains(allowed, [2]string{b.Name, a.Name}) {
			return "allowed"
		}
		return ""
	})
	return m
}

func holdCorpus(t *testing.T, name string, m *model.Model, ms []*motion.Motion, n int) {
	t.Helper()
	var c tally
	var ours, theirs time.Duration
	r := newTrial(t, m, ms[0])
	for i := range n {
		course, err := kin.Bind(m.Tree, ms[i*len(ms)/n], make([]float64, len(m.Tree.Dofs)))
		if err != nil {
			t.Fatal(err)
		}
		r.course = course
		q := motion.Query{Question: motion.Question(i % 2)}
		begin := engine.ThreadTime()
		v := r.check(q)
		between := engine.ThreadTime()
		ref := r.reference(q)
		ours, theirs = ours+between-begin, theirs+engine.ThreadTime()-between
		c.hold(t, fmt.Sprintf("%s, segment %d", name, i), q, v, ref)
	}
	t.Logf("%s: %d segments: %v, ties %d, disagreements %d; %v a segment, the default engine %v", name, n, c.count, c.ties, c.disagree, ours/time.Duration(n), theirs/time.Duration(n))
}

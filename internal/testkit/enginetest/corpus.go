package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Scene is a scene of the comparison's corpus, compiled. The pairs are those that the
// comparison checks.
type Scene struct {
	*corpus.Scene
	Model *model.Model
	dir   string
}

// LoadScene compiles a scene of the corpus in the folder shared beside the repository.
// It skips the test if the folder is not there.
func LoadScene(t testing.TB, shared, name string) *Scene {
	t.Helper()
	dir := filepath.Join(shared, "peers", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the corpus is not there")
	}
	s, err := corpus.Load(filepath.Join(dir, name+".scene"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(s.Robot, s.World, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	off := map[[2]string]bool{}
	for _, p := range append(s.Rigid(), s.Allowed...) {
		off[p], off[[2]string{p[1], p[0]}] = true, true
	}
	m.PairUp(func(a, b *model.Body) string {
		if off[[2]string{a.Name, b.Name}] {
			return "allowed"
		}
		return ""
	})
	return &Scene{Scene: s, Model: m, dir: dir}
}

// Motions reads segments of the scene, as evenly spread as they are many; n of them, or
// all if n is 0.
func (s *Scene) Motions(t testing.TB, segments string, n int) (some []*motion.Motion) {
	t.Helper()
	all, err := s.Segments(filepath.Join(s.dir, segments+".segs"))
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 || n >= len(all) {
		return all
	}
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// Case is a motion of the scene.
func (s *Scene) Case(t testing.TB, m *motion.Motion) *Case {
	t.Helper()
	c := &Case{Robot: s.Robot, World: s.World, Model: s.Model}
	c.Bind(t, m)
	return c
}

// Corpus puts motions of the comparison's corpus to engines and holds their verdicts
// against the default engine's. Each scene is compiled once for all of them.
func Corpus(t *testing.T, shared string, suites ...Suite) {
	if race.Enabled {
		t.Skip("one goroutine, and meshes that take long to prepare")
	}
	for _, c := range []struct {
		scene    string
		segments map[string]int // how many; campaigns take all
		large    bool           // taken by Suite.Large alone, or in campaigns
	}{
		{"panda_shelf", map[string]int{"panda_shelf.local": 40, "panda_shelf.long": 10}, false},
		{"g1", map[string]int{"g1_moves_10hz": 20}, true},
		{"panda_pipes38k", map[string]int{"panda_pipes38k.local": 20}, true},
	} {
		if c.scene == "panda_pipes38k" && !switches.Long.Set() {
			continue
		}
		s := LoadScene(t, shared, c.scene)
		for name, n := range c.segments {
			if switches.Long.Set() {
				n = 0
			}
			motions := s.Motions(t, name, n)
			for i := range suites {
				if suites[i].Large || !c.large || switches.Long.Set() {
					suites[i].onScene(t, s, name, motions)
				}
			}
		}
	}
}

// onScene puts both questions about motions of a scene to the engine.
func (s *Suite) onScene(t *testing.T, on *Scene, name string, motions []*motion.Motion) {
	t.Helper()
	var tally agreement.Tally
	w, ref := s.workers(t, on.Model)(), Reference(t, on.Model)
	for i, m := range motions {
		c := on.Case(t, m)
		if s.Vary != nil {
			s.Vary(i, w)
		}
		for _, asked := range []motion.Question{motion.FirstContact, motion.IsFree} {
			q := s.Query
			q.Question = asked
			v := ask(w, c, q)
			for _, wrong := range tally.Add(&q, []agreement.Answer{
				{Method: s.Engine.Method(), Verdict: v},
				{Method: motion.Spacetime, Verdict: ask(ref, c, q)},
			}) {
				t.Errorf("%s, segment %d: %s", name, i, wrong)
			}
			if v.Status == motion.Undecided {
				t.Errorf("%s, segment %d: undecided at %g: %s", name, i, v.ProvenUntil, v.Reason)
			}
		}
	}
	t.Logf("%s, %s: %v", s.Engine.Method(), name, &tally)
}

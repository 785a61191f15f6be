package lazyprm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// A segment of length 1 at a resolution of 0.3 is cut into four pieces: three looks;
// who asks again gets the same answer for nothing, and so does who turns it round.
func TestFixedHalves(t *testing.T) {
	p := made(t, "revolute", []float64{1, 0}, []float64{2, 0}, sheet())
	c := fixed(t, p, 0.3)
	e := NewEdge(p.Start, p.Goal)
	for range 2 {
		hit, err := c.Test(context.Background(), []*Edge{e})
		if hit != -1 || err != nil || c.Looked != 3 {
			t.Errorf("hit %d, %v after %d looks", hit, err, c.Looked)
		}
		e.turn()
	}
	if h := e.Memo.(*halved); h.levels != 2 || h.piece != 0.25 {
		t.Errorf("%+v", h)
	}
}

// The sampler of SSL04's method sees what this package's sees, and keeps its work.
func TestFixedResSeesTheSame(t *testing.T) {
	p := past(t)
	dice := rand.New(rand.NewPCG(3, 3))
	hits := 0
	for range 200 {
		from, to := []float64{4*dice.Float64() - 2, dice.Float64()}, []float64{4*dice.Float64() - 2, dice.Float64()}
		ours, theirs := fixed(t, p, 0.1), fixedRes(t, p, 0.1)
		free, err := ours.Free(context.Background(), from)
		if also, err2 := theirs.Free(context.Background(), from); free != also || err != nil || err2 != nil {
			t.Errorf("at %v: free %v and %v; %v, %v", from, free, also, err, err2)
		}
		e, f := NewEdge(from, to), NewEdge(from, to)
		want, err := ours.Test(context.Background(), []*Edge{e})
		for again := range 2 {
			before := theirs.Stats().Distances
			if hit, err2 := theirs.Test(context.Background(), []*Edge{f}); hit != want || err != nil || err2 != nil {
				t.Errorf("from %v to %v: %d and %d; %v, %v", from, to, want, hit, err, err2)
			}
			if more := theirs.Stats().Distances - before; again == 1 && more > 0 {
				t.Errorf("%d distances once it is known", more)
			}
		}
		if want >= 0 {
			hits++
		}
	}
	if hits < 10 || hits > 190 {
		t.Errorf("%d of 200 collide", hits)
	}
}

func fixedRes(t *testing.T, p *Problem, resolution float64) *FixedRes {
	t.Helper()
	c, err := NewFixedRes(p, resolution)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Longer pieces are looked at first, so that the long segment is found to collide
// before the short one, which is as long as a quarter of it, is looked at at all.
func TestFixedTakesTheLongestFirst(t *testing.T) {
	p := past(t)
	c := fixed(t, p, 0.01)
	short, long := NewEdge([]float64{-1.4, 0}, []float64{-1, 0}), NewEdge([]float64{-1, 0}, []float64{1, 0})
	hit, err := c.Test(context.Background(), []*Edge{short, long})
	if hit != 1 || err != nil || c.Looked != 1 || short.Memo.(*halved).levels != 0 {
		t.Errorf("hit %d, %v after %d looks", hit, err, c.Looked)
	}
	if hit, err = c.Test(context.Background(), []*Edge{long}); hit != 0 || err != nil || c.Looked != 1 {
		t.Errorf("again: hit %d, %v after %d looks", hit, err, c.Looked)
	}
}

func TestFixedNeedsAResolution(t *testing.T) {
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewFixed(past(t), x); err == nil {
			t.Errorf("a resolution of %g is taken", x)
		}
		if _, err := NewFixedRes(past(t), x); err == nil {
			t.Errorf("fixedres: a resolution of %g is taken", x)
		}
	}
}

// A segment that was proved while another one collided is not proved again.
func TestEngineKeepsItsWork(t *testing.T) {
	p := past(t)
	work := func(c *Engine, edges ...*Edge) (hit, proofs int) {
		before := c.Work.Proofs
		hit, err := c.Test(context.Background(), edges)
		if err != nil {
			t.Fatal(err)
		}
		return hit, c.Work.Proofs - before
	}
	fresh, kept := engineOf(t, p), engineOf(t, p)
	along, through := NewEdge([]float64{-2.5, 0.1}, []float64{-0.08, 0.1}), NewEdge([]float64{-0.08, 0.1}, []float64{0.6, 0})
	hit, _ := work(kept, along, through)
	if hit != 1 {
		t.Fatalf("hit %d", hit)
	}
	hit, alone := work(fresh, along)
	again, less := work(kept, along)
	if hit != -1 || again != -1 || less >= alone || alone == 0 {
		t.Errorf("proof rules: %d alone (hit %d), %d after a test together with another (hit %d)", alone, hit, less, again)
	}
	if _, none := work(kept, along); none != 0 {
		t.Errorf("proof rules for a segment that is proved: %d", none)
	}
	kept.Forget = true
	if _, all := work(kept, along); all != alone {
		t.Errorf("proof rules with nothing kept: %d, and %d alone", all, alone)
	}
}

// So it is with the queues of bisection, whichever way a segment is driven.
func TestBisectKeepsItsQueues(t *testing.T) {
	p := past(t)
	work := func(c *Bisect, edges ...*Edge) (hit, distances int) {
		before := c.Stats().Distances
		hit, err := c.Test(context.Background(), edges)
		if err != nil {
			t.Fatal(err)
		}
		return hit, c.Stats().Distances - before
	}
	fresh, kept := bisectOf(t, p), bisectOf(t, p)
	along, through := NewEdge([]float64{-2.5, 0.1}, []float64{-0.08, 0.1}), NewEdge([]float64{-0.08, 0.1}, []float64{0.6, 0})
	if hit, _ := work(kept, along, through); hit != 1 {
		t.Fatalf("hit %d", hit)
	}
	_, alone := work(fresh, along)
	along.Memo = nil
	if hit, _ := work(kept, along, through); hit != 1 {
		t.Fatalf("hit %d", hit)
	}
	along.turn()
	if hit, less := work(kept, along); hit != -1 || less >= alone {
		t.Errorf("hit %d after %d distances; alone it takes %d", hit, less, alone)
	}
	if _, none := work(kept, along); none != 0 {
		t.Errorf("%d distances for a segment that is proved", none)
	}
	kept.Forget = true
	if _, all := work(kept, along); all < alone/2 || all == 0 {
		t.Errorf("%d distances with nothing kept, and %d alone", all, alone)
	}
}

func bisectOf(t *testing.T, p *Problem) *Bisect {
	t.Helper()
	c, err := NewBisect(p, 0, bisect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Segments that do not follow one another are tested too.
func TestEngineTestsCollections(t *testing.T) {
	p := past(t)
	a, b, through := NewEdge([]float64{1, 0}, []float64{2, 0}), NewEdge([]float64{-1, 0}, []float64{-2, 0}), NewEdge(p.Start, p.Goal)
	for _, c := range []struct {
		edges []*Edge
		want  int
	}{
		{[]*Edge{a, b}, -1},
		{[]*Edge{a, through, b}, 1},
		{[]*Edge{a, b, through}, 2},
		{nil, -1},
	} {
		for name, checker := range checkers(t, p) {
			if hit, err := checker.Test(context.Background(), c.edges); hit != c.want || err != nil {
				t.Errorf("%s: hit %d, %v; want %d", name, hit, err, c.want)
			}
		}
	}
}

// A clearance is kept by checkers that prove, and by the verdict.
func TestClearance(t *testing.T) {
	p := made(t, "revolute", []float64{0.1, 0}, []float64{1, 0}, sheet())
	direct := []*Edge{NewEdge(p.Start, p.Goal)}
	for _, c := range []struct {
		clearance float64
		want      int
		status    motion.Status
	}{{0.001, -1, motion.Free}, {0.1, 0, motion.Contact}} {
		p.Query.Clearance = c.clearance
		for name, checker := range checkers(t, p) {
			if hit, err := checker.Test(context.Background(), direct); hit != c.want || err != nil {
				t.Errorf("%s: clearance %g: hit %d, %v; want %d", name, c.clearance, hit, err, c.want)
			}
		}
		if v := mustVerify(t, p, [][]float64{p.Start, p.Goal}); v.Status != c.status {
			t.Errorf("clearance %g: %v", c.clearance, v.Status)
		}
	}
}

// The problem's query says which pairs are meant: this arm has none of its own, so that
// without the world there is nothing to check, which is never taken for free.
func TestQueryOfTheProblem(t *testing.T) {
	p := past(t)
	p.Query = motion.Query{NoWorld: true, Question: motion.MinClearance}
	if _, err := NewBisect(p, 0, bisect.Options{}); err == nil {
		t.Error("bisect: no error")
	}
	for name, checker := range map[string]EdgeChecker{"engine": engineOf(t, p), "fixed": fixed(t, p, 0.01)} {
		if _, err := checker.Test(context.Background(), []*Edge{NewEdge(p.Start, p.Goal)}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := checker.Free(context.Background(), p.Start); err == nil {
			t.Errorf("%s: no error at a configuration", name)
		}
	}
	if _, err := p.Verify(context.Background(), [][]float64{p.Start, p.Goal}); err == nil {
		t.Error("no error from the verdict")
	}
}

// However close a segment comes, and wherever the path is cut: what a checker has
// proved no verdict refuses, which may take for contact what is within the tolerance.
func TestNoTies(t *testing.T) {
	reach := math.Hypot(1, 0.02) // of the fore link's outer corners
	at := math.Atan2(0.02, 1)    // where a corner is closest
	taken, refused := 0, 0
	for k := range 150 {
		gap := motion.DefaultTolerance * (0.5 + 0.05*float64(k))
		wall := scene.NewBox("wall", geom.Translation(geom.Vec{X: reach + gap + 0.1}), geom.Vec{X: 0.2, Y: 2, Z: 2})
		p := made(t, "revolute", []float64{-1 - 0.003*float64(k), 0}, []float64{1, 0}, wall)
		v := mustVerify(t, p, [][]float64{p.Start, {-at, 0}, {at, 0}, p.Goal})
		for name, checker := range checkers(t, p) {
			hit, err := checker.Test(context.Background(), []*Edge{NewEdge(p.Start, p.Goal)})
			switch {
			case err != nil:
				t.Fatal(err)
			case hit >= 0:
				refused++
				continue
			case v.Status != motion.Free || gap < 1.5*motion.DefaultTolerance:
				t.Errorf("%s: free at %g m, which is %v: another cut might find it in contact", name, gap, v.Status)
			}
			taken++
		}
	}
	if taken == 0 || refused == 0 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
}

func engineOf(t *testing.T, p *Problem) *Engine {
	t.Helper()
	c, err := NewEngine(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

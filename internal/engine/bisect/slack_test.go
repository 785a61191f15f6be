package bisect

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// slackRig is a rig with a pair of two elements that move, or a moving one and the
// world's.
func slackRig(t *testing.T) (*rig, *Worker, int32) {
	t.Helper()
	for i := uint64(0); ; i++ {
		r, _ := random(t, 81, i)
		for k := range r.m.Pairs {
			p := &r.m.Pairs[k]
			if r.m.Elements[p.A].Frame == 0 || r.m.Elements[p.B].Frame == 0 || p.World {
				continue
			}
			m := *r.m
			m.Elements = append([]model.Element(nil), m.Elements...)
			r.m = &m
			prepared, err := Prepare(&m)
			if err != nil {
				t.Fatal(err)
			}
			r.p, r.w = prepared, prepared.NewWorker()
			r.w.load(r.w.newSegment(r.course, 0, false))
			return r, r.w, int32(k)
		}
	}
}

// What poses err by is taken off every distance: of either element's own pose, of
// either frame's, by place and by turn, and of the frame that distances are seen from.
func TestSlackHasEveryTerm(t *testing.T) {
	r, w, pair := slackRig(t)
	p := &r.m.Pairs[pair]
	slack := func() float64 {
		for i := range w.slacks {
			w.slacks[i] = w.slackOf(i)
		}
		return w.slackOfPair(p.A, p.B)
	}
	usual := slack()
	if !(usual > 0 && usual < 1e-11) {
		t.Errorf("slack %g", usual)
	}
	const e = 1e-3
	for _, i := range []int{p.A, p.B} {
		el, frame := &r.m.Elements[i], r.m.Elements[i].Frame
		far := w.state.Far[frame]
		for _, c := range []struct {
			name  string
			value *float64
			least float64
		}{
			{"the element's place", &el.ErrP, e},
			{"the element's turn", &el.ErrR, e * w.p.objects[i].rho},
			{"the frame's place", &w.state.ErrP[frame], e},
			{"the frame's turn", &w.state.ErrR[frame], e * far},
		} {
			was := *c.value
			*c.value += e
			if got := slack() - usual; got < c.least*(1-1e-9) || got > 20*e*(1+far) {
				t.Errorf("%s of element %d adds %g, want %g at least", c.name, i, got, c.least)
			}
			*c.value = was
		}
	}
	// The turn of the frame that distances are seen from moves all that is seen from it.
	was := w.state.ErrR[r.m.Elements[p.A].Frame]
	w.state.ErrR[r.m.Elements[p.A].Frame] += e
	if got, want := slack()-usual, e*(w.slacks[p.A].far+w.slacks[p.B].far); got < want*(1-1e-9) {
		t.Errorf("a turn adds %g, want %g at least", got, want)
	}
	w.state.ErrR[r.m.Elements[p.A].Frame] = was
	slack()
}

// Distances and touches are held to the slack: with more of it a bound is less, and what
// touched does so no longer for sure.
func TestDistancesAreLessTheSlack(t *testing.T) {
	r, w, pair := slackRig(t)
	w.ask(t.Context(), &motion.Query{})
	s := w.newSegment(r.course, 0, false)
	w.load(s)
	p := &r.m.Pairs[pair]
	c := w.config(s, 0.5)
	before, _ := w.greedyDist(c, pair, 0, 0)
	w.slacks[p.A].place += 1e-4
	after, _ := w.greedyDist(c, pair, 0, 0)
	if before > 1e-3 && !(after <= before-1e-4*(1-1e-9)) {
		t.Errorf("bound %.9g, with 1e-4 more slack %.9g", before, after)
	}
	w.tolerance, w.slacks[p.A].place = 10, 20
	if _, touches := w.greedyDist(c, pair, 0, 0); touches {
		t.Error("a touch within less than what poses err by")
	}
}

// What an element's pose errs by makes its path lengths longer.
func TestConstantsHoldWhatPosesErrBy(t *testing.T) {
	for i := range uint64(20) {
		r, _ := random(t, 83, i)
		for k := range r.w.constants {
			e := &r.m.Elements[k]
			n := len(r.w.constants[k])
			if n == 0 {
				continue
			}
			r.w.load(r.w.newSegment(r.course, 0, false))
			was := append([]float64(nil), r.w.constants[k]...)
			m := *r.m
			m.Elements = append([]model.Element(nil), m.Elements...)
			m.Elements[k].ErrP += 1e-3
			p, err := Prepare(&m)
			if err != nil {
				t.Fatal(err)
			}
			w := p.NewWorker()
			w.load(w.newSegment(r.course, 0, false))
			for j, c := range w.constants[k] {
				prismatic := r.m.Tree.Frames[r.m.Tree.Chain(e.Frame)[j]].Prismatic
				if prismatic != (c == 1 && was[j] == 1) || !prismatic && c < was[j]+1e-3*(1-1e-9) {
					t.Fatalf("case %d, element %d: constant %d is %g, with 1e-3 more error %g", i, k, j, was[j], c)
				}
			}
		}
	}
}

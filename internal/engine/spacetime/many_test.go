package spacetime

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Entries that are tried together are those, and only those, that the same rule proves one by
// one, in every order, on intervals, at instants and at rest.
func TestTogetherIsOneByOne(t *testing.T) {
	var apart, stays, alone int
	for i := range rounds(40) {
		d := robots.NewDice(131, uint64(i))
		r := d.Robot(robots.Plan{
			Joints: 2 + d.IntN(20), Branch: 2,
			Parts: func() []urdf.Collision { return d.Parts(1+d.IntN(2), 0.2, 0.08) },
		})
		travel := robots.Travel{Pieces: 1, Degrees: []int{d.IntN(4)}, Sizes: []float64{d.Spread(1e-2, 1)}}
		g := newRig(t, r, d.World(robots.Scenery{Objects: 1 + d.IntN(3)}), 0, d.Motion(r, travel))
		lo, hi := d.In(0, 0.5), d.In(0.5, 1)
		if d.IntN(4) == 0 {
			hi = lo
		}
		g.place(0, (lo+hi)/2, lo, hi)
		w := g.w
		w.clearance = d.Spread(1e-3, 0.2)
		w.selectPairs(&motion.Query{})
		w.arena = append(w.arena[:0], w.startGroups...)
		for range 10 { // a front that was opened here and there
			e := w.startGroups[d.IntN(len(w.startGroups))]
			if d.IntN(2) == 0 {
				e.a = 0
			}
			w.arena = append(w.arena, e)
		}
		s, f := search{w: w}, front{count: len(w.arena), backwards: d.IntN(2) == 0}
		w.many.begin()
		for k := range f.count {
			e := w.arena[f.at(k)]
			parted, tried := s.together(&f, k)
			self := e.pair >= 0 && e.a == volume.Whole && e.b == volume.Whole
			switch {
			case !tried:
				alone++
				if parted {
					t.Fatalf("case %d: entry %d is parted untried", i, k)
				}
			case !self:
				t.Fatalf("case %d: entry %d, %v, has no such balls", i, k, e)
			case parted != w.ballsApartInRoot(e):
				t.Fatalf("case %d: entry %d of %d: together %v, alone %v", i, k, f.count, parted, !parted)
			case parted:
				apart++
			default:
				stays++
			}
		}
	}
	if t.Logf("%d apart, %d not, %d alone", apart, stays, alone); apart < 500 || stays < 500 || alone < 100 {
		t.Error("a poor test")
	}
}

// ballsApartInRoot is the rule of BallsApart for the balls of whole elements, seen in W.
func (w *Worker) ballsApartInRoot(e entry) bool {
	q := w.at.PairOf(e.pair)
	a, b := w.at.Element(q.A), w.at.Element(q.B)
	bounds := rules.Bounds{H: w.at.Span, Accel: a.Accel + b.Accel, Far: a.Far + b.Far}
	return rules.BallsApart(r3.Sub(a.Center, b.Center), r3.Sub(a.Vel, b.Vel), bounds,
		w.m.Elements[q.A].Radius+w.m.Elements[q.B].Radius, w.margin(a.Slack+b.Slack+a.Tube+b.Tube))
}

// Where pairs differ in what is to be proved of them, each is tried alone.
func TestRangedPairsAreTriedAlone(t *testing.T) {
	d := robots.NewDice(132, 0)
	r := d.Robot(robots.Plan{Joints: 8})
	g := newRig(t, r, nil, 0, d.Motion(r, robots.Travel{Pieces: 1}))
	g.place(0, 0.5, 0, 1)
	g.w.selectPairs(&motion.Query{})
	g.w.arena = append(g.w.arena[:0], g.w.startGroups...)
	s, f := search{w: g.w, ranged: true}, front{count: len(g.w.arena)}
	g.w.many.begin()
	for k := range f.count {
		if parted, tried := s.together(&f, k); parted || tried {
			t.Fatalf("entry %d: parted %v, tried %v", k, parted, tried)
		}
	}
}

// A motion that rests is judged as its first configuration.
func TestRestNeedsNoIntervals(t *testing.T) {
	free, touching := 0, 0
	for i := range rounds(60) {
		d := robots.NewDice(133, uint64(i))
		r := d.Robot(robots.Plan{})
		m := d.Motion(r, robots.Travel{Pieces: 1})
		g := newRig(t, r, d.World(robots.Scenery{Objects: 2}), 0, m)
		rest, err := motion.Path(m.Joints, [][]float64{m.At(0)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		g.bind(t, rest)
		v := g.check(motion.Query{Question: motion.IsFree})
		if g.w.at.Span != 0 {
			t.Fatalf("case %d: a span of %g", i, g.w.at.Span)
		}
		g.bind(t, m)
		moving := g.check(motion.Query{})
		begins := moving.Status == motion.Contact && moving.TOC.Hi == 0
		if v.Status == motion.Free == begins {
			t.Fatalf("case %d: %v at rest; the motion from there: %v from %g on", i, v.Status, moving.Status, moving.TOC.Hi)
		}
		if begins {
			touching++
		} else {
			free++
		}
	}
	if t.Logf("%d free, %d in contact", free, touching); free < 10 || touching < 5 {
		t.Error("a poor test")
	}
}

package spacetime

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// The search over all pairs at once finds the distance that the search pair by pair
// finds, or one that is larger by no more than it may.
func TestNearestIsTheClosestPair(t *testing.T) {
	compared, missed := 0, 0
	for i := range rounds(200) {
		d := newDice(87, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		state := d.state(len(r.model.Tree.Dofs), 1.5)
		all := r.ask(t, state, motion.DistanceQuery{})
		r.w.selectPairs(&motion.Query{})
		want := math.Min(all.Self.Hi, all.World.Hi)
		if want == 0 || len(all.Pairs) == 0 {
			continue // of bodies inside others surfaces tell nothing
		}
		tol, rel := d.Spread(1e-6, 0.1), d.In(0, 0.3)
		for _, q := range [][3]float64{{math.Inf(1), 0, 0}, {math.Inf(1), tol, 0}, {math.Inf(1), 0, rel}, {want * 1.01, 0, 0}} {
			r.w.Forget()
			got := r.w.Nearest(r.w.starts, q[0], q[1], q[2])
			compared++
			if got.Pair < 0 || got.Distance < want-1e-9 || got.Distance*(1-q[2])-q[1] > want+1e-9 {
				t.Errorf("room %d, %v: %g of pair %d, want %g", i, q, got.Distance, got.Pair, want)
				continue
			}
			if apart := geom.Norm(r3.Sub(got.B, got.A)); math.Abs(apart-got.Distance) > 1e-9 {
				t.Errorf("room %d: points %g apart stand for %g", i, apart, got.Distance)
			}
			// Of parts the distance is exact, where the answer may be rough.
			rough := math.Min(q[2]/4, 1e-3)
			again, ok := r.w.Repeat()
			if !ok || again.Pair != got.Pair || again.Distance > got.Distance+1e-9 || again.Distance < got.Distance*(1-rough)-1e-9 {
				t.Errorf("room %d, %v: %g of pair %d, and again %g of %d", i, q, got.Distance, got.Pair, again.Distance, again.Pair)
			}
		}
		if want < 1e-9 {
			continue // what touches is nearer or not by rounding
		}
		r.w.Forget()
		if got := r.w.Nearest(r.w.starts, want*0.99, 0, 0); got.Pair >= 0 {
			missed++
		}
		if _, ok := r.w.Repeat(); ok {
			t.Errorf("room %d: nothing found is repeated", i)
		}
	}
	if compared < 200 || missed > 0 {
		t.Errorf("%d compared, %d found that are not there", compared, missed)
	}
}

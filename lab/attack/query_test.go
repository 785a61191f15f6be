package attack

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/static"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// How a motion is judged.
const (
	freeSamples    = 1000 // poses of a motion that is called free
	contactSamples = 100  // poses before a contact
	drawnSamples   = 2    // of them by FCL too, drawn by lot
	wholeEvery     = 500  // motions, of which FCL judges all poses of one, by lot
	missEvery      = 20   // motions, of which one is made a near miss
	leastEvery     = 4    // motions, of which one is asked for its clearance
	proofsEvery    = 200  // motions, of which one has its proof verified, and corrupted
	wantedShare    = 0.4  // of motions that collide
)

// steps are how far joints move at most, in radians or metres.
var steps = [...]float64{0.02, 0.1, 0.4, 1, 4}

// query draws a motion and asks about it.
func (s *subject) query(t *testing.T, d dice, f *found, p *place, k int) {
	from := s.clear(d, p)
	to := d.near(s, from, steps[d.step(f)])
	if len(p.world) > 0 && k%missEvery == 0 {
		if _, ok := s.nearMiss(t, d, p.world, p.checker, from, to, d.Spread(1e-9, 1e-3)); ok {
			f.NearMisses++
			p.checker, p.known, p.hopeless = s.in(t, p.world), false, false
		}
	}
	if p := p.checker.Pairs(); p.Self+p.World == 0 {
		return
	}
	m, err := motion.Between(s.joints, from, to, 1)
	must(t, err)
	m.KeepTurns = true
	f.Motions++
	asked := []motion.Question{motion.FirstContact, motion.IsFree}
	if k%leastEvery == 0 {
		asked = append(asked, motion.MinClearance)
	}
	var v [3]motion.Verdict
	for _, q := range asked {
		f.Questions++
		v[q], err = p.checker.Check(context.Background(), m, motion.Query{Question: q})
		must(t, err)
	}
	if v[motion.FirstContact].Status == motion.Free && d.IntN(2) == 0 {
		p.clear, p.known = to, true
	}
	s.agree(t, f, p, v[:], asked, from, to)
	s.sample(t, d, f, p, &v[motion.FirstContact], least(v[:], asked), from, to)
	if d.IntN(wholeEvery) == 0 {
		s.whole(t, f, p, &v[motion.FirstContact], from, to)
	}
	if k%batchEvery == 0 {
		s.batch(t, d, f, p, m, &v[motion.IsFree], from, to)
	}
	if v[motion.FirstContact].Status == motion.Free && (f.Free+int(f.Number)*37)%proofsEvery == 1 {
		s.prove(t, d, f, p, m)
	}
}

// step draws how far to go: farther where too little collides, and the other way round.
func (d dice) step(f *found) int {
	i := d.IntN(len(steps))
	switch share := f.share(); {
	case f.Motions < 10:
	case share < wantedShare-0.05:
		i = max(i, d.IntN(len(steps)), d.IntN(len(steps)), d.IntN(len(steps)))
	case share > wantedShare+0.05:
		i = min(i, d.IntN(len(steps)))
	}
	return i
}

// clear is a configuration that mostly touches nothing: where an earlier motion was
// free, or a new one.
func (s *subject) clear(d dice, p *place) []float64 {
	free := func(q []float64) bool {
		s.still.Place(q)
		return len(s.still.Doubts(0, true)) == 0
	}
	switch k := d.IntN(64); {
	case k == 0:
		return d.configuration(s) // whatever it touches
	case k > 1 && p.clear != nil:
		if p.known || free(p.clear) {
			p.known = true
			return p.clear
		}
	}
	q := d.configuration(s)
	if p.hopeless {
		return q
	}
	p.hopeless = true
	for range 12 {
		if free(q) {
			p.clear, p.known, p.hopeless = q, true, false
			break
		}
		q = d.configuration(s)
		if d.IntN(2) == 0 { // a humanoid's limbs are seldom clear of each other by chance
			k := d.Float64()
			for i := range q {
				rest := math.Max(s.lo[i], math.Min(s.hi[i], 0))
				q[i] = rest + k*(q[i]-rest)
			}
		}
	}
	return q
}

// least is the clearance proved of a free motion, 0 where none was asked for.
func least(v []motion.Verdict, asked []motion.Question) float64 {
	m := &v[motion.MinClearance]
	if slices.Contains(asked, motion.MinClearance) && m.Status == motion.Free && m.MinClearance.Known {
		return m.MinClearance.Bounds.Lo
	}
	return 0
}

// agree holds the answers to the questions against each other.
func (s *subject) agree(t *testing.T, f *found, p *place, v []motion.Verdict, asked []motion.Question, from, to []float64) {
	for _, a := range asked {
		for _, b := range asked {
			if v[a].Status != motion.Free || v[b].Status != motion.Contact {
				continue
			}
			if v[b].Contact.Distance > 0 { // within the tolerance: either answer is true
				f.Ties++
				continue
			}
			f.Disagree++
			t.Errorf("%v: question %d says free, question %d contact at %v (from %v to %v)", p, a, b, v[b].TOC, from, to)
		}
	}
	yes, first := &v[motion.IsFree], &v[motion.FirstContact]
	if yes.Status == motion.Contact && first.Status == motion.Contact && yes.TOC.Hi < first.TOC.Lo && yes.Contact.Distance == 0 {
		f.Disagree++
		t.Errorf("%v: contact at %g, but nothing touches before %g (from %v to %v)", p, yes.TOC.Hi, first.TOC.Lo, from, to)
	}
	m := &v[motion.MinClearance]
	if !slices.Contains(asked, motion.MinClearance) || m.Status != motion.Free || !m.MinClearance.Known {
		return
	}
	b := m.MinClearance.Bounds
	s.still.Place(at(from, to, m.MinClearance.At.Time))
	if hi := b.Hi*(1+1e-6) + static.Near; hi < s.still.Most() && len(s.still.Doubts(hi, true)) == 0 {
		f.Disagree++
		t.Errorf("%v: clearance in [%g, %g] at %g, where nothing is as near (from %v to %v)", p, b.Lo, b.Hi, m.MinClearance.At.Time, from, to)
	}
}

// sample lets poses speak against a verdict: none of a motion that is free touches, none
// before TOC.Lo, and none is nearer than the clearance that was proved.
func (s *subject) sample(t *testing.T, d dice, f *found, p *place, v *motion.Verdict, clearance float64, from, to []float64) {
	n, proven := freeSamples, 1.0
	var count tally
	switch v.Status {
	case motion.Free:
		f.Free++
	case motion.Contact:
		f.Contact++
		n, proven = contactSamples, v.TOC.Lo
		if v.TOC.Lo == 0 {
			f.AtStart++
		}
		s.confirm(t, &count, p, v, from, to)
	default:
		f.Undecided++
		proven = v.ProvenUntil
		t.Logf("%v: %v until %g, %s", p, v.Status, v.ProvenUntil, v.Reason)
	}
	if proven > 0 {
		claim := math.Max(0, math.Min(clearance-2*static.Near, s.still.Most()))
		if clearance > 0 {
			f.Clearances++
		}
		times := s.doubts(t, f, p, n, proven, claim, v.Status == motion.Free, from, to)
		f.Doubted += len(times)
		for range drawnSamples {
			f.Shared++
			times = append(times, proven*float64(d.IntN(n-1))/float64(n-1))
		}
		for len(times) > 0 {
			seen, err := s.oracle.Times(oracle.Both, from, to, times...)
			must(t, err)
			if !seen.Hit {
				break
			}
			s.refute(t, &count, p, v, seen, oracle.Both, from, to)
			i := slices.Index(times, seen.Time)
			if i < 0 {
				t.Fatalf("%v: FCL was not asked about %v", p, seen.Time)
			}
			times = times[i+1:] // what only grazes there may reach deeper later
		}
	}
	f.Ties += count.ties
	f.Enclosed += count.enclosed
	f.Refuted += count.refuted
	f.Unconfirmed += count.unconfirmed
}

// doubts judges poses of [0, until], with its end where that was proved too, and returns
// the times of those that are not surely apart by the claim. FCL has the last word about
// these: about touching, the caller asks; about the claim, it is asked here.
func (s *subject) doubts(t *testing.T, f *found, p *place, n int, until, claim float64, end bool, from, to []float64) (times []float64) {
	q := make([]float64, len(from))
	last := n - 1
	if !end {
		last--
	}
	for i := 0; i <= last; i++ {
		k := until * float64(i) / float64(n-1)
		for x := range q {
			q[x] = (1-k)*from[x] + k*to[x]
		}
		s.still.Place(q)
		doubts := s.still.Doubts(claim, claim == 0)
		if len(doubts) == 0 {
			continue
		}
		times = append(times, k)
		for _, pair := range doubts {
			if claim == 0 {
				break
			}
			gap, err := s.oracle.PairDistance(oracle.Pair{A: pair.A, B: pair.B}, q)
			must(t, err)
			if gap < claim-tie {
				f.Refuted++
				t.Errorf("%v: a clearance of %g was proved, but %s and %s are %g apart at %.9g (from %v to %v)", p, claim, pair.A, pair.B, gap, k, from, to)
			}
		}
	}
	return times
}

// whole has FCL judge every pose of a motion that both called free there.
func (s *subject) whole(t *testing.T, f *found, p *place, v *motion.Verdict, from, to []float64) {
	proven := 1.0
	if v.Status != motion.Free {
		proven = v.ProvenUntil
		if v.Status == motion.Contact {
			proven = v.TOC.Lo * (1 - 1e-9)
		}
	}
	if proven <= 0 {
		return
	}
	end := at(from, to, proven)
	seen, err := s.oracle.Segment(freeSamples, oracle.Both, from, end)
	must(t, err)
	f.Whole += freeSamples
	if !seen.Hit {
		return
	}
	var count tally
	s.refute(t, &count, p, v, seen, oracle.Both, from, end)
	f.Ties += count.ties
	f.Misjudged += count.refuted
}

package attack

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A batch of configurations and short motions shares proofs, and so do the pieces of a path, so they are attacked apart: one of
// every batchEvery motions is asked about again, with configurations on it and with a short motion from its start, and as a path
// of pathPieces pieces.
const (
	pathPieces   = 12
	batchEvery   = 4
	batchStates  = 7
	batchSamples = 50 // poses of a short motion that is called free
)

// batch asks about a motion, what is around it, and configurations on it at once; v is what was said of it alone.
func (s *subject) batch(t *testing.T, d dice, f *found, p *place, m *motion.Motion, v *motion.Verdict, from, to []float64) {
	var times [batchStates]float64
	var all []*motion.Motion
	for i := range times {
		if times[i] = d.Float64(); v.Status == motion.Contact && i%2 == 0 { // about where it touches
			times[i] = math.Max(0, math.Min(1, v.TOC.Hi+(d.Float64()-0.5)*d.Spread(1e-6, 0.1)))
		}
		rest, err := motion.Path(m.Joints, [][]float64{at(from, to, times[i])}, nil)
		must(t, err)
		rest.KeepTurns = true
		all = append(all, rest)
	}
	near := d.near(s, from, steps[d.IntN(2)])
	short, err := motion.Between(s.joints, from, near, 1)
	must(t, err)
	short.KeepTurns = true
	all = append(all, m, short)
	answers := p.checker.CheckAll(context.Background(), all, motion.Query{Question: motion.IsFree}, ccd.Batch{Workers: 1})
	for i := range answers {
		must(t, answers[i].Err)
		f.Batched++
	}
	for i, k := range times {
		if one := &answers[i].Verdict; one.Status == motion.Free {
			s.refuteFree(t, f, p, one, 1, from, to, k)
		}
	}
	if one := &answers[batchStates].Verdict; one.Status == motion.Free && v.Status == motion.Contact {
		if v.Contact.Distance > 0 {
			f.Ties++
		} else {
			f.Disagree++
			t.Errorf("%v: free in a batch, alone contact at %v (from %v to %v)", p, v.TOC, from, to)
		}
	}
	if one := &answers[batchStates+1].Verdict; one.Status == motion.Free {
		s.refuteFree(t, f, p, one, batchSamples, from, near)
	}
	s.asPath(t, d, f, p, m, v, from, to)
}

// asPath asks about a motion as a path of many pieces.
func (s *subject) asPath(t *testing.T, d dice, f *found, p *place, m *motion.Motion, v *motion.Verdict, from, to []float64) {
	var rows [][]float64
	for k := range pathPieces + 1 {
		rows = append(rows, at(from, to, float64(k)/pathPieces))
	}
	path, err := motion.Path(m.Joints, rows, nil)
	must(t, err)
	path.KeepTurns = true
	q := motion.Query{Question: []motion.Question{motion.FirstContact, motion.IsFree}[d.IntN(2)], Workers: 1 + d.IntN(2)}
	got, err := p.checker.Check(context.Background(), path, q)
	must(t, err)
	f.Batched++
	switch {
	case got.Status != motion.Free:
	case v.Status == motion.Contact && v.Contact.Distance > 0:
		f.Ties++
	case v.Status == motion.Contact:
		f.Disagree++
		t.Errorf("%v: free as a path of %d pieces, as one contact at %v (from %v to %v)", p, pathPieces, v.TOC, from, to)
	default:
		s.refuteFree(t, f, p, &got, batchSamples, from, to)
	}
}

// refuteFree lets poses speak against a verdict: those at some times, else n of them.
func (s *subject) refuteFree(t *testing.T, f *found, p *place, v *motion.Verdict, n int, from, to []float64, times ...float64) {
	for i := 0; len(times) < n; i++ {
		times = append(times, float64(i)/float64(n-1))
	}
	for _, k := range times {
		s.still.Place(at(from, to, k))
		if len(s.still.Doubts(0, true)) == 0 {
			continue
		}
		f.Doubted++
		seen, err := s.oracle.Times(oracle.Both, from, to, k)
		must(t, err)
		if seen.Hit {
			var count tally
			s.refute(t, &count, p, v, seen, oracle.Both, from, to)
			f.Ties += count.ties
			f.Refuted += count.refuted
		}
	}
}

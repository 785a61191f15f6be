package show

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Pair is how close two bodies come during a motion.
type Pair struct {
	motion.Pair
	Lower float64 // m: proved, they come no closer; NaN if that was not worked out
	Upper float64 // m: they come this close
	Time  float64 // s: when they do
}

func (p *Pair) wire() wirePair {
	out := wirePair{Pair: [2]string{p.A.Name, p.B.Name}, Scope: "self", Upper: p.Upper, Time: p.Time}
	if p.World() {
		out.Scope = "world"
	}
	if !math.IsNaN(p.Lower) {
		out.Lower = &p.Lower
	}
	return out
}

// PairsQuery says which pairs AddPairs finds.
type PairsQuery struct {
	Most    int           // pairs to list
	Samples int           // configurations at which the closest are looked for
	Budget  time.Duration // for measuring, and for bounds: pairs that it does not suffice for get no lower bound
	NoSelf  bool
	NoWorld bool
}

// AddPairs lists the pairs that come closest: those found at some configurations and in the
// profile, each with proved bounds of its smallest distance as far as the budget goes. A robot
// whose root moves is not measured at configurations, and its pairs have no lower bounds.
func (m *Motion) AddPairs(ctx context.Context, q PairsQuery) error {
	found := map[motion.Pair]Pair{}
	see := func(w motion.Pair, upper, t float64) {
		if p, ok := found[w]; !ok || upper < p.Upper {
			found[w] = Pair{Pair: w, Lower: math.NaN(), Upper: upper, Time: t}
		}
	}
	if m.Profile != nil {
		for i := range m.Profile.Spans {
			if at := &m.Profile.Spans[i].At; at.Pair.A.Name != "" {
				see(at.Pair, at.Distance, at.Time)
			}
		}
	}
	for i := range m.Moments {
		for _, w := range m.Moments[i].Witnesses {
			see(w.Pair, w.Distance, m.Moments[i].Time)
		}
	}
	rests := len(m.Course.Root) == 0
	if rests {
		if err := m.lookAround(ctx, q, see); err != nil {
			return err
		}
	}
	for _, p := range found {
		m.Pairs = append(m.Pairs, p)
	}
	slices.SortFunc(m.Pairs, closer)
	m.Pairs = m.Pairs[:min(len(m.Pairs), q.Most)]
	if rests {
		if err := m.boundPairs(ctx, q); err != nil {
			return err
		}
	}
	slices.SortFunc(m.Pairs, closer)
	return nil
}

func closer(a, b Pair) int {
	return cmp.Or(cmp.Compare(a.Upper, b.Upper), cmp.Compare(a.Time, b.Time), cmp.Compare(a.A.Name, b.A.Name), cmp.Compare(a.B.Name, b.B.Name))
}

// lookAround measures the closest pairs at some configurations.
func (m *Motion) lookAround(ctx context.Context, q PairsQuery, see func(p motion.Pair, upper, t float64)) error {
	positions := map[string]float64{}
	ask := motion.DistanceQuery{K: q.Most, Tolerance: 1e-3, NoSelf: q.NoSelf, NoWorld: q.NoWorld}
	began := time.Now()
	for _, t := range scattered(sampleTimes(m.Course, max(2, q.Samples), m.Moments)) {
		if m.PairsAt > 0 && time.Since(began) > q.Budget {
			return nil
		}
		for i, x := range m.Course.At(t) {
			positions[m.Course.Joints[i]] = x
		}
		d, err := m.Checker.Distance(ctx, positions, ask)
		if err != nil {
			return err
		}
		m.PairsAt++
		for i := range d.Pairs {
			see(d.Pairs[i].Pair, d.Pairs[i].Bounds.Hi, t)
		}
	}
	return nil
}

// scattered returns the list with neighbours far apart, so that a part of it is spread, too.
func scattered(list []float64) (out []float64) {
	const stride = 7
	for first := range stride {
		for i := first; i < len(list); i += stride {
			out = append(out, list[i])
		}
	}
	return out
}

// boundPairs proves bounds of the smallest distance of each pair over the whole motion.
func (m *Motion) boundPairs(ctx context.Context, q PairsQuery) error {
	left := q.Budget
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if left <= 0 {
			return nil
		}
		c, err := m.Checker.OnlyPair(p.A.Name, p.B.Name)
		if err != nil { // two that do not move against each other
			continue
		}
		v, err := c.Check(ctx, m.Course, motion.Query{Question: motion.MinClearance, Budget: left})
		if err != nil {
			return err
		}
		left -= v.Compute
		switch {
		case v.Status == motion.Contact:
			p.Lower, p.Upper, p.Time = 0, v.Contact.Distance, v.TOC.Hi
		case v.MinClearance.Known && !v.MinClearance.Beyond:
			p.Lower, p.Upper, p.Time = v.MinClearance.Bounds.Lo, v.MinClearance.Bounds.Hi, v.MinClearance.At.Time
		}
	}
	return nil
}

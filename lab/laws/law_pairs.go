package laws

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// pairByPair: a motion is free exactly where each pair that is checked is, one at a
// time; the pair that a contact names touches then by itself.
func pairByPair(t *trial) {
	if p := t.base.v.Contact.Pair; t.base.v.Status == motion.Contact {
		if y, ok := t.alone(p.A.Name, p.B.Name); ok {
			t.same(t.base, y, true)
		}
		return
	}
	var names []string
	for i := range t.base.a.of.links {
		names = append(names, t.base.a.of.links[i].name)
	}
	for i := range t.base.a.of.objects {
		names = append(names, t.base.a.of.objects[i].id)
	}
	out := leftOut(t.base.a.checker)
	for range 3 {
		a, b := names[t.IntN(len(names))], names[t.IntN(len(names))]
		if a == b || slices.Contains(out, min(a, b)+" "+max(a, b)) {
			continue
		}
		if y, ok := t.alone(a, b); ok {
			t.same(t.base, y, true)
		}
	}
}

// alone asks about one pair; bodies without a shape, and two that do not move
// against each other, make none.
func (t *trial) alone(a, b string) (*answer, bool) {
	c, err := t.base.a.checker.OnlyPair(a, b)
	if err != nil {
		return nil, false
	}
	one := *t.base.a
	one.checker = c
	return t.check(&one, t.base.q)
}

// clearanceAsPadding: a clearance is half of it added all around every body.
func clearanceAsPadding(t *trial) {
	x, y := t.subject(), t.subject()
	t.said(x)
	t.said(y)
	x.clearance = t.In(0.001, 0.05)
	y.clearance = 0
	padding := map[string]float64{}
	for i := range y.links {
		name := y.links[i].name
		p, ok := y.optPadded[name]
		if !ok {
			p, ok = y.padded[name]
		}
		if !ok {
			p = y.padding
		}
		padding[name] = p + x.clearance/2
	}
	y.optPadded = padding
	for i := range y.objects {
		y.objects[i].padding += x.clearance / 2
	}
	a, ok := t.ask(x)
	if !ok {
		return
	}
	if b, ok := t.ask(y); ok {
		t.same(a, b, true)
	}
}

// moreIsNearer: what is free stays free at a smaller clearance and with an object
// fewer.
func moreIsNearer(t *trial) {
	s := t.subject()
	if s.clearance *= t.Float64(); len(s.objects) > 0 && t.one(2) {
		i := t.IntN(len(s.objects))
		id := s.objects[i].id
		s.objects = slices.Delete(s.objects, i, i+1)
		s.allowed = slices.DeleteFunc(s.allowed, func(p [2]string) bool { return p[0] == id || p[1] == id })
	}
	a, ok := t.build(s)
	if !ok {
		return
	}
	if p := a.checker.Pairs(); p.Self+p.World == 0 {
		return
	}
	y, ok := t.check(a, s.query())
	if !ok {
		return
	}
	t.tally.pair(t.law)
	if y.v.Status == motion.Undecided {
		t.tally.undecided(t.law, true)
	}
	t.order(t.base, y)
}

// Work of a proof that pairs never or always meet, and of the samples against it.
const (
	meetBoxes   = 3000
	meetSamples = 60
)

// neverAndAlways: links that are proved never to meet are apart wherever the joints
// may stand, those that always meet touch there, and motions are answered alike with
// and without these proofs.
func neverAndAlways(t *trial) {
	s := t.subject()
	s.padded = nil
	t.withinLimits(s)
	a, ok := t.build(s)
	if !ok {
		return
	}
	report, err := pairproof.All(context.Background(), a.robot, pairproof.Options{Boxes: meetBoxes, Padding: s.padding, LinkPadding: s.optPadded})
	if err != nil {
		t.contradicts("no pairs: %v", err)
		return
	}
	for i := range report.Pairs {
		if p := &report.Pairs[i]; p.Meets == pairproof.Never || p.Meets == pairproof.Always {
			t.meets(a, p)
		}
	}
	if p := a.checker.Pairs(); p.Self+p.World == 0 {
		return
	}
	x, ok := t.check(a, s.query())
	if !ok {
		return
	}
	b := *a
	if b.checker, err = a.checker.WithProofs(&report); err != nil {
		t.contradicts("proofs refused: %v", err)
		return
	}
	if y, ok := t.check(&b, s.query()); ok {
		t.same(x, y, true)
	}
}

// withinLimits gives joints limits in which the motion stays, some of them just so.
func (t *trial) withinLimits(s *subject) {
	s.tube = nil
	for i := range s.joints {
		j := &s.joints[i]
		if j.kind != "revolute" && j.kind != "prismatic" {
			continue
		}
		if j.follows != "" {
			j.lower, j.upper = -100, 100
			continue
		}
		lo, hi := s.state[j.name], s.state[j.name]
		s.eachRow(j.name, func(x float64) float64 {
			if _, held := s.state[j.name]; !held && lo == 0 && hi == 0 {
				lo, hi = x, x
			}
			lo, hi = math.Min(lo, x), math.Max(hi, x)
			return x
		})
		more := []float64{0.01, 0.3, 2}[t.IntN(3)]
		j.lower, j.upper = lo-more, hi+more
	}
}

// reachable draws a configuration that the joints may stand at: continuous ones after
// several turns.
func (t *trial) reachable(s *subject) map[string]float64 {
	q := map[string]float64{}
	for _, name := range s.active() {
		switch j := s.joint(name); {
		case j == nil:
			q[name] = t.In(-2, 2)
		case j.kind == "continuous":
			q[name] = t.In(-40, 40)
		default:
			q[name] = t.In(j.lower, j.upper)
		}
	}
	return q
}

// meets holds what is proved of a pair against samples.
func (t *trial) meets(a *asked, p *pairproof.Pair) {
	c, err := a.checker.OnlyPair(p.LinkA, p.LinkB)
	if err != nil {
		return // rigidly joined
	}
	t.tally.pair(t.law)
	one := *a
	one.checker = c
	for range meetSamples {
		q := t.reachable(a.of)
		d := t.distance(&one, q)
		if p.Meets == pairproof.Never && d.Hi == 0 || p.Meets == pairproof.Always && d.Lo > rounding {
			t.contradicts("%s and %s %v meet (%s), but at %v their distance is in [%g, %g]", p.LinkA, p.LinkB, p.Meets, p.Why, sorted(q), d.Lo, d.Hi)
			return
		}
	}
}

func sorted(q map[string]float64) (out []any) {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		out = append(out, name, q[name])
	}
	return out
}

// gaugeAndDistance: a gauge that is asked about one configuration after another gives
// the distances that are asked for one by one.
func gaugeAndDistance(t *trial) {
	a := t.base.a
	g, err := a.checker.DistanceTracker(motion.DistanceQuery{})
	if err != nil {
		t.contradicts("no gauge: %v", err)
		return
	}
	joints := a.checker.ActiveJoints()
	for range 3 {
		q, positions := make([]float64, len(joints)), map[string]float64{}
		for i, name := range joints {
			q[i] = t.In(-2, 2)
			positions[name] = q[i]
		}
		d, err := g.Distance(context.Background(), q)
		if err != nil {
			t.contradicts("no distance: %v", err)
			return
		}
		t.sameDistance(smallest(d), t.distance(a, positions), 1)
	}
}

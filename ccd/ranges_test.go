package ccd

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// sampledPairs are the distances of pairs of bodies at many times of a motion.
type sampledPairs struct {
	c *Checker
	m *motion.Motion
	// least is the smallest distance of each pair at any of the times; the true one is no
	// larger.
	least map[[2]string]motion.PairDistance
	names [][2]string // of the pairs, in one order
	only  string      // self or world: the scope that is held; both where empty
}

func sampleDistances(t *testing.T, c *Checker, m *motion.Motion, n int) *sampledPairs {
	t.Helper()
	s := &sampledPairs{c: c, m: m, least: map[[2]string]motion.PairDistance{}}
	for i := range n + 1 {
		for _, p := range s.at(t, m.Duration()*float64(i)/float64(n)) {
			k := namesOf(p.Pair)
			if old, seen := s.least[k]; !seen || p.Bounds.Hi < old.Bounds.Hi {
				s.least[k] = p
			}
		}
	}
	s.names = slices.SortedFunc(maps.Keys(s.least), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return s
}

func namesOf(p motion.Pair) [2]string {
	return [2]string{min(p.A.Name, p.B.Name), max(p.A.Name, p.B.Name)}
}

// at returns the distances of all pairs at a time.
func (s *sampledPairs) at(t *testing.T, time float64) []motion.PairDistance {
	t.Helper()
	positions := map[string]float64{}
	for j, x := range s.m.At(time) {
		positions[s.m.Joints[j]] = x
	}
	d, err := s.c.Distance(context.Background(), positions, motion.DistanceQuery{K: -1})
	if err != nil {
		t.Fatal(err)
	}
	return d.Pairs
}

// rangeOf is the range of a pair, worked out from the words of DistanceRanges.
func rangeOf(r *motion.DistanceRanges, p motion.Pair) motion.DistanceRange {
	out := motion.DistanceRange{Min: r.Min, Max: r.Max}
	if p.World() && r.WorldRange != nil {
		out = *r.WorldRange
	}
	if !p.World() && r.SelfRange != nil {
		out = *r.SelfRange
	}
	if held := p.A.Kind == motion.AttachedObject || p.B.Kind == motion.AttachedObject; held && r.AttachedRange != nil {
		out = *r.AttachedRange
	}
	for _, x := range r.Ranges {
		if namesOf(p) == namesOf(motion.Pair{A: motion.Body{Name: x.A}, B: motion.Body{Name: x.B}}) {
			out = x.DistanceRange
		}
	}
	if out.Max == 0 {
		out.Max = math.Inf(1)
	}
	return out
}

// noise (m) is more than what distances and poses err by here.
const noise = 1e-9

// hold compares an answer with a range with the samples.
func (s *sampledPairs) hold(t *testing.T, name string, q *motion.Query, v *motion.Verdict) {
	t.Helper()
	near, tol := &v.MinClearance, q.ClearanceTolerance
	if tol == 0 {
		tol = motion.DefaultClearanceTolerance
	}
	for k, p := range s.least {
		if s.only != "" && p.Pair.World() != (s.only == "world") {
			continue
		}
		r := rangeOf(&q.Range, p.Pair)
		if v.Status == motion.Free && p.Bounds.Hi <= q.Clearance-noise {
			t.Errorf("%s: free, but %v is %g apart once", name, k, p.Bounds.Hi)
		}
		if !near.Known || near.Stopped {
			continue
		}
		if p.Bounds.Hi < math.Min(near.Bounds.Lo, r.Max)-noise {
			t.Errorf("%s: nothing is closer than %g within its range, but %v, with Max %g, is %g apart once", name, near.Bounds.Lo, k, r.Max, p.Bounds.Hi)
		}
		if p.Bounds.Hi < r.Min-tol-noise {
			t.Errorf("%s: %v with Min %g is %g apart once, but nothing was stopped", name, k, r.Min, p.Bounds.Hi)
		}
		if near.Beyond && (p.Bounds.Hi <= r.Max-noise || r.Max < near.Bounds.Lo) {
			t.Errorf("%s: %v is beyond, but %g apart once; Max %g, the bound %g", name, k, p.Bounds.Hi, r.Max, near.Bounds.Lo)
		}
	}
	switch {
	case !near.Known:
		if v.Status == motion.Free {
			t.Errorf("%s: free, but how close is not known: %s", name, v.Reason)
		}
		return
	case near.Beyond:
		if near.Stopped || !math.IsInf(near.Bounds.Hi, 1) || near.At != (motion.Witness{}) {
			t.Errorf("%s: beyond, and %+v", name, near)
		}
		return
	case near.Bounds.Lo > near.Bounds.Hi || !near.Stopped && near.Bounds.Hi-near.Bounds.Lo > tol*(1+1e-9):
		t.Errorf("%s: bounds %v to within %g", name, near.Bounds, tol)
	}
	s.holdWitness(t, name, q, near, tol)
}

// holdWitness compares the points of an answer with the distance at that time.
func (s *sampledPairs) holdWitness(t *testing.T, name string, q *motion.Query, near *motion.Clearance, tol float64) {
	t.Helper()
	r := rangeOf(&q.Range, near.At.Pair)
	for _, p := range s.at(t, near.At.Time) {
		if namesOf(p.Pair) != namesOf(near.At.Pair) {
			continue
		}
		if near.Stopped && !(p.Bounds.Lo < r.Min) {
			t.Errorf("%s: stopped at %g s by %v, but it is %v apart, Min %g", name, near.At.Time, namesOf(p.Pair), p.Bounds, r.Min)
		}
		if p.Bounds.Lo > near.Bounds.Hi+1e-6 { // times are rounded
			t.Errorf("%s: no farther apart than %g at %g s, but %v apart", name, near.Bounds.Hi, near.At.Time, p.Bounds)
		}
		if !near.Stopped && near.At.Distance > r.Max+tol+noise {
			t.Errorf("%s: %g apart, but its Max is %g", name, near.At.Distance, r.Max)
		}
		return
	}
	t.Errorf("%s: %v is no pair", name, near.At.Pair)
}

// rangesFor makes random ranges about a distance.
func (d dice) rangesFor(s *sampledPairs, about float64) (r motion.DistanceRanges) {
	one := func() (x motion.DistanceRange) {
		if d.IntN(2) == 0 {
			x.Min = about * d.In(0, 2)
		}
		if d.IntN(2) == 0 {
			x.Max = x.Min + about*d.In(0, 2)
		}
		return x
	}
	x := one()
	r.Min, r.Max = x.Min, x.Max
	if d.IntN(3) == 0 {
		x := one()
		r.SelfRange = &x
	}
	if d.IntN(3) == 0 {
		x := one()
		r.WorldRange = &x
	}
	if d.IntN(3) == 0 {
		x := one()
		r.AttachedRange = &x
	}
	for _, k := range s.names {
		if d.IntN(4) == 0 {
			r.Ranges = append(r.Ranges, motion.PairRange{A: k[1], B: k[0], DistanceRange: one()})
		}
	}
	return r
}

// implied compares an answer with a range with that without.
func implied(t *testing.T, name string, q *motion.Query, free, v *motion.Verdict) {
	t.Helper()
	near, all := &v.MinClearance, free.MinClearance.Bounds
	if free.Status == motion.Contact {
		if v.Status == motion.Free && !near.Stopped {
			t.Errorf("%s: free with a range, but a contact without", name)
		}
		return
	}
	switch {
	case free.Status != motion.Free || !free.MinClearance.Known:
		return
	case v.Status == motion.Contact && all.Lo > 2*motion.DefaultTolerance:
		t.Errorf("%s: contact with a range, but %v apart without", name, all)
	case v.Status == motion.Undecided && !near.Stopped:
		t.Errorf("%s: undecided: %s", name, v.Reason)
	case near.Known && near.Bounds.Hi < all.Lo-noise:
		t.Errorf("%s: bounds %v with a range, %v without", name, near.Bounds, all)
	case q.Range.Max == 0 && q.Range.WorldRange == nil && q.Range.SelfRange == nil && q.Range.AttachedRange == nil && len(q.Range.Ranges) == 0 &&
		!near.Stopped && near.Bounds.Lo > all.Hi+noise:
		t.Errorf("%s: bounds %v without a Max, %v without a range", name, near.Bounds, all)
	}
}

// Whatever robots do among whatever objects: what is stopped is closer than its Min, what
// is left out farther apart than its Max, and all else within the bounds.
// FIRSTCONTACT_LONG multiplies the number of scenes.
func TestRangesOfRandomMotions(t *testing.T) {
	const seed, each = 91, 5
	count := map[string]int{}
	for i := range long(120) {
		d := dice{chance.New(seed, uint64(i))}
		robot, world := d.robot(), d.world()
		if d.IntN(2) == 0 {
			world.Objects[0].AttachedTo = robot.Links[len(robot.Links)-1].Name
		}
		c, err := New(robot, world, anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		if pairs := c.Pairs(); pairs.Self+pairs.World == 0 {
			continue
		}
		m := d.motion(c.ActiveJoints())
		base := motion.Query{Question: motion.MinClearance}
		if d.IntN(4) == 0 {
			base.Clearance = d.In(0, 0.05)
		}
		free, err := c.Check(context.Background(), m, base)
		if err != nil {
			t.Fatal(err)
		}
		s := sampleDistances(t, c, m, 60)
		about := 0.1
		if free.MinClearance.Known {
			about = free.MinClearance.Bounds.Hi
		}
		for k := range each {
			name := fmt.Sprintf("scene %d, range %d", i, k)
			q := base
			q.Range = d.rangesFor(s, about)
			if d.IntN(4) == 0 {
				q.Workers = 3
			}
			if d.IntN(6) == 0 && len(m.Joints) > 0 {
				q.Method = [...]motion.Method{motion.Articulate, motion.Catch, motion.Bisect}[d.IntN(3)]
			}
			if d.IntN(6) == 0 && q.Method == motion.Auto && len(m.Joints) > 0 {
				q.Tube = map[string]float64{m.Joints[0]: 1e-3}
			}
			q.EachScope = q.Tube == nil && d.IntN(5) == 0
			v, err := c.Check(context.Background(), m, q)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s.hold(t, name, &q, &v)
			for _, scope := range [...]*motion.ScopeVerdict{v.Self, v.World} {
				if scope != nil && scope.MinClearance.Known {
					s.only = map[bool]string{true: "world", false: "self"}[scope == v.World]
					s.hold(t, name+" "+s.only, &q, &motion.Verdict{Status: scope.Status, MinClearance: scope.MinClearance})
					s.only = ""
				}
			}
			if q.Tube == nil {
				implied(t, name, &q, &free, &v)
			}
			count[kindOf(&v)]++
		}
	}
	t.Logf("%v", count)
	for _, kind := range []string{"stopped", "beyond", "bounded", "contact", "stopped contact"} {
		if count[kind] < 10 {
			t.Errorf("%d are %s: the test is one-sided", count[kind], kind)
		}
	}
}

func kindOf(v *motion.Verdict) string {
	switch near := &v.MinClearance; {
	case v.Status == motion.Contact && near.Stopped:
		return "stopped contact"
	case v.Status == motion.Contact:
		return "contact"
	case near.Stopped:
		return "stopped"
	case near.Beyond:
		return "beyond"
	case near.Known:
		return "bounded"
	}
	return "undecided"
}

// sinking returns a ball that sinks towards a table: the distance is 1 - 0.4 t, t from 0
// to 2.
func sinking(t *testing.T) (*Checker, *motion.Motion) {
	t.Helper()
	table := worldOf(object("table", box(4, 4, 0.2), pose(0, 0, -0.1)))
	c, err := New(lowered(ball(0.1), geom.Identity()), table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c, mustBetween(t, "lift", 1.1, 0.3)
}

func TestRangesOfASinkingBall(t *testing.T) {
	c, m := sinking(t)
	for _, x := range []struct {
		r               motion.DistanceRanges
		stopped, beyond bool
		bounds          motion.Interval
	}{
		{motion.DistanceRanges{Max: 0.1}, false, true, motion.Interval{Lo: 0.1, Hi: math.Inf(1)}},
		{motion.DistanceRanges{Max: 0.19999}, false, true, motion.Interval{Lo: 0.19999, Hi: math.Inf(1)}},
		{motion.DistanceRanges{Max: 0.25}, false, false, motion.Interval{Lo: 0.2, Hi: 0.2}},
		{motion.DistanceRanges{Min: 0.19, Max: 0.25}, false, false, motion.Interval{Lo: 0.2, Hi: 0.2}},
		{motion.DistanceRanges{Min: 0.21}, true, false, motion.Interval{Lo: 0, Hi: 0.21}},
		{motion.DistanceRanges{Min: 0.7, Max: 5}, true, false, motion.Interval{Lo: 0, Hi: 0.7}},
		{motion.DistanceRanges{Min: 5, WorldRange: &motion.DistanceRange{Max: 0.1}}, false, true, motion.Interval{Lo: 0.1, Hi: math.Inf(1)}},
		{motion.DistanceRanges{Min: 5, WorldRange: &motion.DistanceRange{}}, false, false, motion.Interval{Lo: 0.2, Hi: 0.2}},
		{motion.DistanceRanges{Max: 0.1, Ranges: []motion.PairRange{{A: "lift_link", B: "table", DistanceRange: motion.DistanceRange{Min: 0.5}}}}, true, false, motion.Interval{Lo: 0, Hi: 0.5}},
	} {
		for _, by := range Methods() {
			v, err := c.Check(context.Background(), m, motion.Query{Question: motion.MinClearance, Method: by, Range: x.r})
			if err != nil {
				t.Fatal(err)
			}
			near := v.MinClearance
			if !near.Known || near.Stopped != x.stopped || near.Beyond != x.beyond {
				t.Errorf("%s, %+v: %+v", by, x.r, near)
			}
			if near.Beyond && near.Bounds != x.bounds || !near.Stopped && !near.Beyond && (near.Bounds.Lo > x.bounds.Lo || near.Bounds.Hi < x.bounds.Hi-1e-12) ||
				near.Stopped && (near.Bounds.Lo != 0 || near.Bounds.Hi >= x.bounds.Hi) {
				t.Errorf("%s, %+v: bounds %v, want %v", by, x.r, near.Bounds, x.bounds)
			}
			if d := 1 - 0.4*near.At.Time; !near.Beyond && math.Abs(d-near.At.Distance) > 1e-9 {
				t.Errorf("%s, %+v: %g apart at %g s, want %g", by, x.r, near.At.Distance, near.At.Time, d)
			}
			if free := v.Status == motion.Free; free == (x.stopped && by == motion.Spacetime) {
				t.Errorf("%s, %+v: %v: %s", by, x.r, v.Status, v.Reason)
			}
		}
	}
}

// A profile ends where a pair comes closer than its Min, and says nothing of the distance
// while that is more than Max.
func TestProfileWithARange(t *testing.T) {
	c, m := sinking(t)
	distance := func(at float64) float64 { return 1 - 0.4*at }
	p, err := c.Profile(context.Background(), m, motion.ProfileQuery{Range: motion.DistanceRanges{Min: 0.3, Max: 0.6}})
	if err != nil {
		t.Fatal(err)
	}
	if at := p.At.Time; !p.Stopped || p.Reason == "" || distance(at) >= 0.3 || math.Abs(p.At.Distance-distance(at)) > 1e-9 {
		t.Errorf("stopped %v at %+v: %s", p.Stopped, p.At, p.Reason)
	}
	last := p.Spans[len(p.Spans)-1]
	if !last.Unknown || last.Start > p.At.Time || last.End != m.Duration() {
		t.Errorf("the last span is %+v", last)
	}
	for i := range p.Spans[:len(p.Spans)-1] {
		s := &p.Spans[i]
		if s.Beyond != (distance(s.End) > 0.6) && s.Beyond {
			t.Errorf("beyond 0.6 from %g to %g", s.Start, s.End)
		}
	}
	for i := range 1000 {
		at := last.Start * float64(i) / 1000
		if b := p.Bounds(at); math.Min(b.Lo, 0.6) > distance(at) || b.Hi < distance(at)-1e-9 || distance(at) < 0.599 && b.Hi-b.Lo > 1.001e-3 {
			t.Fatalf("at %g the distance is %g, its bounds %v", at, distance(at), b)
		}
	}
	p, err = c.Profile(context.Background(), m, motion.ProfileQuery{Range: motion.DistanceRanges{Min: 0.1, Max: 0.15}})
	if err != nil || p.Stopped || p.Reason != "" || len(p.Spans) != 1 || !p.Spans[0].Beyond || p.Spans[0].Lower[0] > 0.15 {
		t.Errorf("%+v: %v", p, err)
	}
}

// Ranges that make no sense, or that cannot be answered, are errors.
func TestRangesMustMakeSense(t *testing.T) {
	c, m := sinking(t)
	for _, x := range []struct {
		q    motion.Query
		want string
	}{
		{motion.Query{Range: motion.DistanceRanges{Min: 0.1}}, "ask for MinClearance"},
		{motion.Query{Question: motion.IsFree, Range: motion.DistanceRanges{Max: 0.1}}, "ask for MinClearance"},
		{motion.Query{Question: motion.MinClearance, Range: motion.DistanceRanges{Min: 2, Max: 1}}, "range 2 m to 1 m"},
		{motion.Query{Question: motion.MinClearance, Range: motion.DistanceRanges{Min: math.NaN()}}, "range NaN"},
		{motion.Query{Question: motion.MinClearance, Range: motion.DistanceRanges{WorldRange: &motion.DistanceRange{Max: -1}}}, "-1 m"},
		{motion.Query{Question: motion.MinClearance, Range: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "table", B: "chair"}}}}, "named chair"},
	} {
		if _, err := c.Check(context.Background(), m, x.q); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v, want %s", x.q.Range, err, x.want)
		}
	}
	q := motion.Query{Question: motion.MinClearance, Range: motion.DistanceRanges{Max: 0.1}}
	var out strings.Builder
	if _, err := c.Certify(context.Background(), m, q, &out); err == nil || !strings.Contains(err.Error(), "distance ranges") || out.Len() > 0 {
		t.Errorf("a certificate with a range: %v, %d bytes", err, out.Len())
	}
}

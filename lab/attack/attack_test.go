package attack

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/static"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// tie is a depth or a gap in metres up to which the two sides may differ: FCL's
// meshes have single-precision vertices where assimp read them.
const tie = 1e-6

// slow is how much computing a check may take before it is listed.
const slow = 20 * time.Millisecond

// tally counts what was tried.
type tally struct {
	tried, free, contact, undecided int
	refuted, ties, unconfirmed      int
	enclosed                        int
	samples, nearMisses             int
	cpu                             time.Duration
	slow                            []string
}

func (a *tally) String() string {
	return fmt.Sprintf("%d motions, %d near misses: %d free, %d contact, %d undecided; %d samples; %d ties, %d refuted, %d unconfirmed; %.3g ms a check, %d slow",
		a.tried, a.nearMisses, a.free, a.contact, a.undecided, a.samples, a.ties, a.refuted, a.unconfirmed, a.cpu.Seconds()*1e3/math.Max(1, float64(a.tried)), len(a.slow))
}

// rounds is how many motions of each robot are tried; FIRSTCONTACT_LONG=N makes it
// ten times N as many.
func rounds(n int) int {
	return switches.Long.Times(n, 10)
}

// seed is the first of a campaign; FIRSTCONTACT_SEED starts another.
func seed() uint64 {
	return switches.Seed.Or(1)
}

// TestVerdicts tries to refute verdicts by samples.
func TestVerdicts(t *testing.T) {
	o := startOracle(t)
	var all tally
	for _, name := range subjects() {
		t.Run(name, func(t *testing.T) {
			s := meet(t, o, name)
			var here tally
			for i := range rounds(6) {
				d := dice{chance.New(seed(), uint64(i)+1000*uint64(len(name))+uint64(name[0])*7919)}
				s.try(t, d, &here, fmt.Sprintf("%s, seed %d %d", name, seed(), i))
			}
			t.Log(&here)
			all.add(&here)
		})
	}
	t.Log(&all)
	sort.Sort(sort.Reverse(sort.StringSlice(all.slow)))
	for i, line := range all.slow {
		if i < 20 {
			t.Log("slow: ", line)
		}
	}
	if share := float64(all.contact) / float64(all.tried); share < 0.1 || share > 0.9 {
		t.Errorf("%.0f %% of the motions collide: the attack is one-sided", 100*share)
	}
	if all.undecided > all.tried/200 {
		t.Errorf("%d of %d undecided", all.undecided, all.tried)
	}
}

func (a *tally) add(b *tally) {
	a.tried += b.tried
	a.free += b.free
	a.contact += b.contact
	a.undecided += b.undecided
	a.refuted += b.refuted
	a.ties += b.ties
	a.unconfirmed += b.unconfirmed
	a.samples += b.samples
	a.nearMisses += b.nearMisses
	a.cpu += b.cpu
	a.slow = append(a.slow, b.slow...)
}

// try draws a world and a motion and judges it.
func (s *subject) try(t *testing.T, d dice, count *tally, label string) {
	var world []obstacle
	q := motion.Query{}
	kind := d.IntN(4)
	if kind > 0 {
		for i := range 1 + d.IntN(4) {
			world = append(world, d.obstacle(s, fmt.Sprint("obstacle", i)))
		}
	}
	c := s.in(t, world)
	from := s.start(t, d, kind)
	step := [...]float64{0.1, 0.1, 0.5, 4}[d.IntN(4)]
	to := d.near(s, from, step)
	if kind == 3 {
		if gap, ok := s.nearMiss(t, d, world, c, from, to, d.Spread(1e-6, 1e-3)); ok {
			count.nearMisses++
			c = s.in(t, world)
			label += fmt.Sprintf(", a gap of %.1e", gap)
		}
	}
	pairs := c.Pairs()
	switch d.IntN(6) {
	case 0:
		q.NoSelf = pairs.World > 0
	case 1:
		q.NoWorld = pairs.Self > 0
	}
	if pairs.Self+pairs.World == 0 {
		return // such as a pendulum by itself
	}
	s.judge(t, count, label, c, q, from, to)
}

// start draws a configuration, if it can one that touches nothing.
func (s *subject) start(t *testing.T, d dice, kind int) []float64 {
	q := d.configuration(s)
	for range 10 {
		pairs, err := s.oracle.Pose(oracle.Both, q)
		must(t, err)
		if len(pairs) == 0 || d.IntN(8) == 0 {
			return q
		}
		if kind == 0 { // a humanoid's limbs are seldom clear of each other by chance
			for i := range q {
				q[i] *= 0.8
			}
		} else {
			q = d.configuration(s)
		}
	}
	return q
}

// nearMiss moves the obstacle that is closest to a link that moves, somewhere on the way,
// until only a gap is left there.
func (s *subject) nearMiss(t *testing.T, d dice, world []obstacle, c *ccd.Checker, from, to []float64, gap float64) (float64, bool) {
	k := d.Float64()
	mid := make([]float64, len(from))
	for i := range mid {
		mid[i] = (1-k)*from[i] + k*to[i]
	}
	near, err := c.Distance(context.Background(), s.positions(mid), motion.DistanceQuery{NoSelf: true, K: 4})
	must(t, err)
	for _, w := range near.Pairs {
		if w.Distance == 0 || s.fixed[w.Pair.A.Name] {
			continue
		}
		for i := range world {
			if world[i].id == w.Pair.B.Name {
				world[i].p = r3.Add(world[i].p, r3.Scale(-(w.Distance-gap), w.Normal))
				return gap, true
			}
		}
	}
	return 0, false
}

// judge checks the motion and lets samples speak against the verdict.
func (s *subject) judge(t *testing.T, count *tally, label string, c *ccd.Checker, q motion.Query, from, to []float64) {
	m, err := motion.Between(s.joints, from, to, 1)
	must(t, err)
	m.KeepTurns = true
	var v motion.Verdict
	took := cpuOf(func() { v, err = c.Check(context.Background(), m, q) })
	must(t, err)
	if took > slow {
		count.slow = append(count.slow, fmt.Sprintf("%8.1f ms  %s: %v, %+v", took.Seconds()*1e3, label, v.Status, v.Work))
	}
	count.tried++
	count.cpu += took
	scope := oracle.Both
	switch {
	case q.NoSelf:
		scope = oracle.World
	case q.NoWorld:
		scope = oracle.Self
	}
	samples := 60
	if switches.Long.Set() {
		samples = 150
	}
	seen, err := s.oracle.Segment(samples, scope, from, to)
	must(t, err)
	count.samples += samples
	proven := 1.0
	switch v.Status {
	case motion.Free:
		count.free++
	case motion.Contact:
		count.contact++
		proven = v.TOC.Lo
		s.confirm(t, count, label, &v, from, to)
	default:
		count.undecided++
		proven = v.ProvenUntil
		t.Logf("%s: %v until %g, %s", label, v.Status, v.ProvenUntil, v.Reason)
	}
	if seen.Hit && (seen.Time < proven || v.Status == motion.Free) {
		s.refute(t, count, label, &v, seen, scope, from, to)
	}
}

// at is the configuration at part k of the way.
func at(from, to []float64, k float64) []float64 {
	q := make([]float64, len(from))
	for i := range q {
		q[i] = (1-k)*from[i] + k*to[i]
	}
	return q
}

// refute reports a sample that touches where a proof says that nothing does,
// unless it only grazes.
func (s *subject) refute(t *testing.T, count *tally, label any, v *motion.Verdict, seen oracle.SegmentResult, scope oracle.Scope, from, to []float64) {
	depths, err := s.oracle.Depths(scope, at(from, to, seen.Time))
	must(t, err)
	deepest := 0.0
	for _, p := range depths {
		deepest = math.Max(deepest, p.Distance)
	}
	if len(depths) > 0 && (deepest <= tie || deepest <= 10*tie && s.partAsMeshes(t, depths, scope, at(from, to, seen.Time))) {
		count.ties++
		return
	}
	count.refuted++
	t.Errorf("%v: %v, proven until %.9g, but %v touch at %.9g, %g deep (query at from %v to %v)", label, v.Status, v.ProvenUntil, seen.Pairs, seen.Time, deepest, from, to)
}

// confirm asks for the distance of the reported pair at the reported time.
func (s *subject) confirm(t *testing.T, count *tally, label any, v *motion.Verdict, from, to []float64) {
	pair := oracle.Pair{A: v.Contact.Pair.A.Name, B: v.Contact.Pair.B.Name}
	d, err := s.oracle.PairDistance(pair, at(from, to, v.TOC.Hi))
	must(t, err)
	if d <= 1e-5 {
		return
	}
	if s.encloses(pair, at(from, to, v.TOC.Hi)) {
		count.enclosed++
		return
	}
	count.unconfirmed++
	t.Errorf("%v: %s touch at %.9g (%g apart at %v), but FCL finds them %g apart (from %v to %v)", label, strings.Join([]string{pair.A, pair.B}, " and "), v.TOC.Hi, v.Contact.Distance, v.Contact.PointA, d, from, to)
}

// encloses tells whether one of a pair that FCL finds apart holds the other, as the judge
// of poses sees it. FCL's judge knows an inside only of parts whose faces are all turned
// the same way; to us a part is a solid if each edge belongs to an even number of faces.
func (s *subject) encloses(pair oracle.Pair, q []float64) bool {
	if s.still == nil {
		return false
	}
	s.still.Place(q)
	return slices.ContainsFunc(s.still.Doubts(0, false), func(d static.Doubt) bool {
		return d.A == pair.A && d.B == pair.B || d.A == pair.B && d.B == pair.A
	})
}

// TestDistances compares the distances of all pairs.
//
// FCL's distance of two primitives comes from libccd, which now and then returns
// points that are not the closest (allegro_hand's boxes: up to 1 cm too much).
// Where it says more than we do, a second FCL that takes primitives as meshes
// decides.
func TestDistances(t *testing.T) {
	o := startOracle(t)
	names := subjects()
	if !switches.Long.Set() {
		names = []string{"panda", "baxter", "anymal_c", "dual_panda", "pr2"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := meet(t, o, name)
			c := comparison{label: name, s: s}
			for i := range rounds(2) {
				d := dice{chance.New(seed()+1000, uint64(i))}
				var world []obstacle
				for k := range d.IntN(3) {
					world = append(world, d.obstacle(s, fmt.Sprint("obstacle", k)))
				}
				checker := s.in(t, world)
				c.q = s.start(t, d, 1)
				ours, err := checker.Distance(context.Background(), s.positions(c.q), motion.DistanceQuery{K: -1})
				must(t, err)
				theirs, err := o.AllPairs(oracle.Both, c.q)
				must(t, err)
				c.compare(t, ours, theirs)
			}
			t.Logf("%d distances, %d of them 0; libccd was wrong of %d, by up to %.3g m", c.compared, c.touching, c.wrong, c.worst)
			if c.compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// facets around a round primitive leave out 1 - cos(pi/facets) of its radius.
const facets = 128

// comparison is of one robot.
type comparison struct {
	label                     string
	s                         *subject
	q                         []float64
	compared, touching, wrong int
	worst                     float64 // of libccd's errors
}

func (c *comparison) compare(t *testing.T, ours motion.Distances, theirs []oracle.PairDistance) {
	t.Helper()
	known := map[oracle.Pair]float64{}
	for _, p := range theirs {
		known[oracle.Pair{A: p.A, B: p.B}], known[oracle.Pair{A: p.B, B: p.A}] = p.Distance, p.Distance
	}
	if len(ours.Pairs) != len(theirs) {
		t.Errorf("%s: %d pairs, FCL has %d", c.label, len(ours.Pairs), len(theirs))
	}
	for i := range ours.Pairs {
		p := &ours.Pairs[i]
		d, ok := known[oracle.Pair{A: p.Pair.A.Name, B: p.Pair.B.Name}]
		if !ok {
			t.Errorf("%s: FCL does not know the pair %v", c.label, p.Pair)
			continue
		}
		c.compared++
		d = math.Max(0, d)
		if d == 0 {
			c.touching++
		}
		within := tie * (1 + d)
		if math.Abs(d-p.Distance) <= within && d >= p.Bounds.Lo-within {
			continue
		}
		if d > p.Distance && c.second(t, p) {
			c.wrong, c.worst = c.wrong+1, math.Max(c.worst, d-p.Distance)
			continue
		}
		t.Errorf("%s: %s and %s: %.9g in [%.9g, %.9g], FCL has %.9g (at %v)", c.label, p.Pair.A.Name, p.Pair.B.Name, p.Distance, p.Bounds.Lo, p.Bounds.Hi, d, c.q)
	}
}

// second asks the FCL of meshes, which of inscribed round bodies knows a distance
// that is a little too large.
func (c *comparison) second(t *testing.T, p *motion.PairDistance) bool {
	t.Helper()
	d, err := c.s.asMeshes(t).PairDistance(oracle.Pair{A: p.Pair.A.Name, B: p.Pair.B.Name}, c.q)
	must(t, err)
	const left = math.Pi * math.Pi / 2 / facets / facets // of a radius of at most 1 m, on either side
	return d >= p.Distance-tie*(1+d) && d <= p.Distance+2*left+tie*(1+d)
}

package clearance

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
	"github.com/firstcontact-ros/firstcontact/lab/static"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// limbed are robots of which sphere trees are held against all pairs, and both against two
// judges. Where no SRDF is named, or it enables pairs that overlap by design, pairs that
// touch at rest are left out.
var limbed = []struct {
	name string
	srdf bool
}{
	{"panda", true},
	{"ur5", true},
	{"dual_panda", true},
	{"pr2", true},
	{"romeo", true},
	{"baxter", false},
	{"allegro_hand", false},
	{"g1", false},
	{"atlas", false},
	{"h1", false},
}

// selfQueries are the questions about the robot's own pairs.
var selfQueries = []motion.DistanceQuery{
	{},
	{Relative: alpha},
	{DistanceRanges: motion.DistanceRanges{Max: 0.1}},
	{DistanceRanges: motion.DistanceRanges{Min: 0.01, Max: 0.2}},
	{K: 5, DistanceRanges: motion.DistanceRanges{Max: 0.2}, Relative: alpha},
}

// selfJury is a robot's checkers of both methods and its judges.
type selfJury struct {
	*jury
	byAll, byTrees       []*ccd.DistanceTracker // by query
	once                 *ccd.Checker           // single queries by sphere trees
	judge                *static.Judge
	fcl                  *oracle.Oracle // nil where it is missing, or too slow
	compared, sure, told int
}

// Sphere trees say what all pairs say, for ten robots and 10,000 configurations in all with
// FIRSTCONTACT_LONG: single queries and repeated ones, within the limits and beyond. An
// independent judge of poses confirms the lower bounds, and FCL the distances of some.
func TestSpheresAreAllPairs(t *testing.T) {
	n := 6
	if switches.Long.Set() {
		n = switches.Long.Times(1000, 1)
	}
	robots, total := 0, 0
	for _, r := range limbed {
		t.Run(r.name, func(t *testing.T) {
			of := oracletest.Shared(r.name, r.srdf)
			if _, err := os.Stat(of.File); err != nil {
				t.Skip(err)
			}
			if race.Enabled {
				t.Skip("large models, and nothing for the race detector to find")
			}
			j := newSelfJury(t, of.File, of.SRDF)
			d := rand.New(rand.NewPCG(2026, 13))
			var q []float64
			for i := range n {
				if q == nil || d.IntN(2) == 0 {
					q = j.draw(d)
				} else {
					q = j.step(d, q)
				}
				j.same(t, q)
				j.confirm(t, q, i%100 == 7)
			}
			robots, total = robots+1, total+n
			t.Logf("%d configurations, %d answers compared, %d lower bounds confirmed, %d distances equal FCL's", n, j.compared, j.sure, j.told)
			if switches.Long.Set() && j.sure < n/20 {
				t.Error("too few lower bounds were confirmed")
			}
		})
	}
	t.Logf("%d robots, %d configurations", robots, total)
}

func newSelfJury(t *testing.T, file, srdf string) *selfJury {
	t.Helper()
	file = sameMeshes(t, file)
	robot, err := urdf.Load(file, urdf.Options{SRDF: srdf})
	must(t, err)
	j := &selfJury{jury: &jury{robot: robot}}
	var off [][2]string
	for _, m := range []ccd.SelfMethod{ccd.SelfSpacetime, ccd.SelfSpheres} {
		c, err := ccd.New(robot, nil, ccd.Options{SelfMethod: m})
		must(t, err)
		for _, q := range selfQueries {
			g, err := c.DistanceTracker(q)
			must(t, err)
			if m == ccd.SelfSpheres {
				j.byTrees = append(j.byTrees, g)
			} else {
				j.byAll = append(j.byAll, g)
			}
		}
		if j.once = c; m == ccd.SelfSpheres {
			for _, p := range c.Pairs().Assumed {
				off = append(off, [2]string{p.A, p.B})
			}
		}
	}
	j.joints = j.once.ActiveJoints()
	j.lo, j.hi = oracletest.Ranges(robot, j.joints)
	j.judge, err = static.New(robot, j.joints, off)
	must(t, err)
	if !switches.Long.Set() {
		return j // FCL takes a second for a distance
	}
	program, err := oracle.Build()
	if errors.Is(err, oracle.ErrMissing) {
		return j
	}
	must(t, err)
	j.fcl = oracletest.Run(t, program)
	_, err = j.fcl.Robot(file, "")
	must(t, err)
	for _, p := range off {
		must(t, j.fcl.Disable(p[0], p[1]))
	}
	must(t, j.fcl.Joints(j.joints...))
	must(t, j.fcl.Solid(false))
	return j
}

// step is a small step from a configuration, now and then beyond a limit.
func (j *selfJury) step(d *rand.Rand, q []float64) []float64 {
	out := make([]float64, len(q))
	for i := range q {
		out[i] = q[i] + 0.02*(2*d.Float64()-1)
	}
	if d.IntN(10) == 0 {
		i := d.IntN(len(q))
		out[i] = j.hi[i] + d.Float64()
	}
	return out
}

// same compares both methods.
func (j *selfJury) same(t *testing.T, at []float64) {
	t.Helper()
	ctx := context.Background()
	positions := map[string]float64{}
	for i, name := range j.joints {
		positions[name] = at[i]
	}
	for k, q := range selfQueries {
		want, err := j.byAll[k].Distance(ctx, at)
		must(t, err)
		repeated, err := j.byTrees[k].Distance(ctx, at)
		must(t, err)
		single, err := j.once.Distance(ctx, positions, q)
		must(t, err)
		for _, got := range []*motion.Distances{repeated, &single} {
			j.compared++
			if wrong := differs(&q, want, got); wrong != "" {
				t.Errorf("%+v at %v: %s: all pairs %v, sphere trees %v", q, at, wrong, want.Self, got.Self)
			}
		}
	}
}

// differs tells in what two answers differ by more than the query allows.
func differs(q *motion.DistanceQuery, want, got *motion.Distances) string {
	a, b := want.Self, got.Self
	eps := 1e-9 + want.Rounding
	far := q.Max
	if far == 0 {
		far = math.Inf(1)
	}
	wide := func(hi float64) float64 { return eps + q.Relative*hi }
	switch {
	case a.Lo > b.Hi+eps || b.Lo > a.Hi+eps:
		return "the bounds exclude each other"
	case want.Stopped != got.Stopped:
		// The same distance may be just above the minimum for one and below for the other.
		if d := math.Min(a.Hi, b.Hi); d > q.Min+wide(d) || d < q.Min-wide(q.Min)-q.Min {
			return "one stopped"
		}
	case want.Stopped:
	case math.IsInf(a.Hi, 1) != math.IsInf(b.Hi, 1):
		if math.Min(a.Lo, b.Lo) < far-wide(far) {
			return "one found nothing"
		}
	case math.IsInf(b.Hi, 1):
		if b.Lo < far-eps {
			return "nothing is found below the range's end, and not proved"
		}
	case b.Hi-b.Lo > wide(b.Hi):
		return "the bounds are too far apart"
	}
	more, less := want.Pairs, got.Pairs
	if len(more) < len(less) {
		more, less = less, more
	}
	if want.Stopped || got.Stopped {
		return ""
	}
	for i := range more[len(less):] { // at the range's end one may find a point within it, and the other none
		if p := &more[len(less)+i]; p.Bounds.Hi < far-wide(far) {
			return "another number of pairs"
		}
	}
	return ""
}

// confirm holds the lower bound against a judge that knows no trees of subtrees, and the
// distance against FCL if told so.
func (j *selfJury) confirm(t *testing.T, at []float64, byFCL bool) {
	t.Helper()
	got, err := j.byTrees[0].Distance(context.Background(), at)
	must(t, err)
	lo := got.Self.Lo
	if claim := math.Min(lo-2*static.Near, j.judge.Most()); claim > 0 {
		j.judge.Place(at)
		if doubts := j.judge.Doubts(claim, true); len(doubts) > 0 {
			t.Errorf("at %v: sphere trees say at least %g, but %v", at, lo, doubts)
		}
		j.sure++
	}
	if !byFCL || j.fcl == nil || lo <= 1e-6 {
		return
	}
	want, ok, err := j.fcl.Distance(oracle.Self, at)
	must(t, err)
	farther := want.Distance > got.Self.Hi+equal && !j.onSurfaces(&got.Pairs[0]) // else FCL misses the closest points
	if !ok || want.Distance < lo-equal || farther {
		t.Errorf("at %v: sphere trees say %v, for FCL %v are %.12g apart", at, got.Self, want.Pair, want.Distance)
	}
	j.told++
}

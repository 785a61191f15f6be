package attack

import (
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/static"
)

// static makes the fast judge of a robot, with the same pairs left out.
func (s *subject) static(t *testing.T) *static.Judge {
	t.Helper()
	var off [][2]string
	for _, p := range s.checker.Pairs().Assumed {
		off = append(off, [2]string{p.A, p.B})
	}
	j, err := static.New(s.robot, s.joints, off)
	must(t, err)
	return j
}

// TestStaticJudge holds the fast judge against FCL, pair by pair: it must doubt what is
// within its claim, and not doubt what is well outside.
func TestStaticJudge(t *testing.T) {
	o := startOracle(t)
	for _, name := range subjects() {
		t.Run(name, func(t *testing.T) {
			s := meet(t, o, name)
			j := s.static(t)
			d := dice{chance.New(seed(), 77)}
			var doubted, sure, tooFar, wrong int
			for range rounds(2) {
				var world []obstacle
				for k := range 3 {
					world = append(world, d.obstacle(s, fmt.Sprint("obstacle", k)))
				}
				s.in(t, world)
				must(t, j.Surround(objectsOf(t, world)))
				from := s.start(t, d, 1)
				to := d.near(s, from, 0.3)
				claim := 0.0
				for k := range 4 { // near each other: what was seen before must not mislead
					q := at(from, to, float64(k)/3)
					theirs, err := o.AllPairs(oracle.Both, q)
					must(t, err)
					if k > 0 && len(theirs) > 0 {
						claim = math.Min(j.Most(), math.Max(0, theirs[d.IntN(len(theirs))].Distance))
					}
					j.Place(q)
					doubt := map[oracle.Pair]bool{}
					for _, p := range j.Doubts(claim, false) {
						doubt[oracle.Pair{A: p.A, B: p.B}], doubt[oracle.Pair{A: p.B, B: p.A}] = true, true
					}
					for _, p := range theirs {
						switch is := doubt[p.Pair]; {
						case is:
							doubted++
							if p.Distance > claim*(1+1e-6)+3*static.Near {
								tooFar++
							}
						case p.Distance <= claim-tie*(1+claim):
							wrong++
							t.Errorf("%s and %s are %g apart, which the judge takes for more than %g (at %v)", p.A, p.B, p.Distance, claim, q)
						default:
							sure++
						}
					}
				}
			}
			t.Logf("doubted %d, %d of them without need, sure of %d; %d looks, %d leaves", doubted, tooFar, sure, j.Looks, j.Leaves)
			if sure == 0 || doubted == 0 || tooFar > doubted/2 {
				t.Error("this judge is of no use")
			}
		})
	}
}

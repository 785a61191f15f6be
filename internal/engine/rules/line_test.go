package rules_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// Points that slide along two bodies, each of which turns evenly about an axis while that moves evenly, keep below the line.
// What the bend and the turn add is needed.
func TestSlidingPointsKeepBelowTheirLine(t *testing.T) {
	needed := [2]int{}
	for i := range switches.Long.Times(4000, 20) {
		d := ruletest.NewDice(91, uint64(i))
		turn, reach := d.Spread(1e-3, 1), d.Spread(0.01, 1)
		var at [2]func(s float64) geom.Vec
		slide := rules.Slide{}
		for side := range at {
			axis, from, way := d.Unit(), d.Vec(0.5), d.Vec(0.3)
			x := d.Vec(reach)
			y := r3.Add(x, d.Vec(d.Spread(1e-3, 0.5)))
			size := max(geom.Norm(x), geom.Norm(y))
			slide.Bend += turn * turn * size / 8
			slide.Turned += turn * geom.Norm(r3.Sub(y, x))
			at[side] = func(s float64) geom.Vec {
				return r3.Add(r3.Add(from, r3.Scale(s, way)), geom.AxisAngle(axis, s*turn).Apply(r3.Add(x, r3.Scale(s, r3.Sub(y, x)))))
			}
		}
		apart := func(s float64) float64 { return geom.Norm(r3.Sub(at[1](s), at[0](s))) }
		l := slide.AboveDistance(apart(0), apart(1))
		chord := rules.Line{Before: apart(0), After: apart(1)}
		for k := range 33 {
			s := float64(k) / 32
			if above := apart(s) - (l.Before*(1-s) + l.After*s); above > 1e-12 {
				t.Fatalf("case %d: %g above the line at %g", i, above, s)
			}
			over := apart(s) - (chord.Before*(1-s) + chord.After*s)
			if over > slide.Bend {
				needed[0]++
			}
			if over > slide.Turned/4 {
				needed[1]++
			}
		}
	}
	if needed[0] < 100 || needed[1] < 100 {
		t.Errorf("the turn was needed %d times, the bend %d times: a poor test", needed[0], needed[1])
	}
}

// Two lines that follow each other are between the line below and that above, each of which comes close to them; the parts of a line
// are where it is, and two lines cross where they are equal.
func TestLinesOfTwo(t *testing.T) {
	crossed, below := 0, 0
	for i := range switches.Long.Times(20000, 20) {
		d := ruletest.NewDice(92, uint64(i))
		line := func() rules.Line { return rules.Line{Before: d.Spread(1e-3, 10), After: d.Spread(1e-3, 10)} }
		a, b, part := line(), line(), 0.01+0.98*d.Float64()
		if d.IntN(2) == 0 {
			b.Before = a.After
		}
		under, ok := rules.Below(a, b, part)
		over := rules.Above(a, b, part)
		at := func(l rules.Line, x float64) float64 { return l.Before*(1-x) + l.After*x }
		if !ok && under.Before >= 0 && under.After >= 0 || ok && (under.Before < 0 || under.After < 0) {
			t.Fatalf("case %d: %+v is below %+v and %+v: %v", i, under, a, b, ok)
		}
		touches := [2]bool{}
		for k := range 11 {
			x := float64(k) / 10
			for _, p := range []struct{ whole, height float64 }{{part * x, at(a, x)}, {part + (1-part)*x, at(b, x)}} {
				lower, upper := p.height-at(under, p.whole), at(over, p.whole)-p.height
				if lower < 0 || upper < 0 {
					t.Fatalf("case %d: at %g %g is not between %+v and %+v", i, p.whole, p.height, under, over)
				}
				touches[0], touches[1] = touches[0] || lower < 1e-12, touches[1] || upper < 1e-12
			}
		}
		if !touches[0] || !touches[1] {
			t.Fatalf("case %d: %+v and %+v keep away from %+v and %+v", i, under, over, a, b)
		}
		if ok {
			below++
		}
		first, second := a.Split(part)
		for _, x := range []float64{0, 0.3, 1} {
			if off := math.Abs(at(first, x) - at(a, part*x)); off > 1e-14 {
				t.Fatalf("case %d: the first part is %g off", i, off)
			}
			if off := math.Abs(at(second, x) - at(a, part+(1-part)*x)); off > 1e-14 {
				t.Fatalf("case %d: the second part is %g off", i, off)
			}
		}
		x, ok := rules.Crossing(a, b)
		if want := a.Before < b.Before && a.After > b.After; ok != want || ok && !(x > 0 && x < 1 && math.Abs(at(a, x)-at(b, x)) < 1e-9) {
			t.Fatalf("case %d: %+v and %+v cross at %g: %v", i, a, b, x, ok)
		}
		if ok {
			crossed++
		}
	}
	if crossed < 1000 || below < 1000 {
		t.Errorf("%d crossed, %d below: a poor test", crossed, below)
	}
}

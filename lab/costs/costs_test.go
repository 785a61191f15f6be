package main

import (
	"math"
	"testing"
)

// The laws that a user may count on, in steps, which are the same on every machine: a sweep past
// something takes so many for each further decade of the gap, a finer mesh takes far less than its
// triangles.
func TestLaws(t *testing.T) {
	for _, s := range sweeps() {
		switch s.name {
		case "gap-past", "gap-along":
		case "triangles":
			s.at = []float64{1e3, 1e4, 1e5, 1e6}
		case "length":
			s.at = []float64{0.1, 0.4, 0.8}
		default:
			continue
		}
		c, err := s.measure()
		if err != nil {
			t.Fatal(s.name, err)
		}
		t.Log(c.table(), c.law())
		first, last := c.points[0], c.points[len(c.points)-1]
		switch s.name {
		case "gap-past":
			if most := first.intervals + 20*math.Log10(last.x/first.x); last.intervals > most {
				t.Errorf("%g intervals at a gap of 1/%g m, %g at 1/%g m", last.intervals, last.x, first.intervals, first.x)
			}
		case "gap-along":
			if last.intervals > 10 {
				t.Errorf("%g intervals along a wall", last.intervals)
			}
		case "length": // among boxes with room between them
			if last.intervals > 8 || last.yesNoIntervals > 8 {
				t.Errorf("%g intervals for the first contact of a motion of %g rad, %g for a yes or no", last.intervals, last.x, last.yesNoIntervals)
			}
		case "triangles":
			if l := c.fit(func(p *cost) float64 { return p.proofs }); l.b > 0.2 {
				t.Errorf("proof rules grow with the triangles to the power of %.2f", l.b)
			}
		}
	}
}

// A law that data follow exactly is found.
func TestFit(t *testing.T) {
	c := curve{sweep: sweep{grows: power}}
	for _, x := range []float64{1, 10, 1000} {
		c.points = append(c.points, cost{x: x, proofs: 3 * math.Pow(x, 0.25)})
	}
	if l := c.fit(func(p *cost) float64 { return p.proofs }); math.Abs(l.a-3) > 1e-9 || math.Abs(l.b-0.25) > 1e-9 || l.off > 1+1e-9 {
		t.Errorf("%+v", l)
	}
	c.grows = logarithmic
	for i := range c.points {
		c.points[i].proofs = 5 + 2*math.Log10(c.points[i].x)
	}
	if l := c.fit(func(p *cost) float64 { return p.proofs }); math.Abs(l.a-5) > 1e-9 || math.Abs(l.b-2) > 1e-9 || l.off > 1e-9 {
		t.Errorf("%+v", l)
	}
}

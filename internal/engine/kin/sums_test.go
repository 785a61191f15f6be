package kin_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
)

// Sums of one large and two hundred small terms, each of which rounding to
// nearest loses: the bounds hold in real arithmetic, exactly.
func TestSumsAreRoundedUp(t *testing.T) {
	const n = 200
	p := plan{}
	for i := range n + 1 {
		p = append(p, slide(i, alongX))
	}
	tree := p.tree(t)
	s := kin.NewState(tree)
	as := make([]kin.Around, n+1)
	for i := range as {
		as[i] = kin.Around{Delta: 0.9 * 0x1p-53, Omega: 0.9 * 0x1p-53, Alpha: 0.9 * 0x1p-53, Beta: 0.9 * 0x1p-53}
	}
	as[0] = kin.Around{Delta: 1, Omega: 1, Alpha: 1, Beta: 1}
	s.Set(as)
	radii := make([]float64, n+1)
	for i := range radii {
		radii[i] = 1
	}
	sum := exact.Of(1)
	for range n {
		sum = sum.Plus(exact.Of(as[1].Delta))
	}
	accel, jerk := s.Acceleration(n+1, 0, radii)
	for what, got := range map[string]float64{
		"displacement":         s.Displacement(n+1, 0, radii),
		"acceleration":         accel,
		"jerk":                 jerk,
		"acceleration along n": s.AccelerationAlong(n+1, 0, radii, geom.Vec{X: 1}),
	} {
		above(t, what, got, sum)
	}

	// The reach of a ball of radius 1 beyond two hundred tiny offsets.
	for i := range p {
		p[i].kind, p[i].axis, p[i].xyz = pin(0).kind, alongZ, [3]float64{as[1].Delta, 0, 0}
	}
	tree = p.tree(t)
	reach := make([]float64, n+1)
	tree.Reach(n+1, geom.Vec{}, 1, func(int) float64 { return 0 }, reach)
	above(t, "reach", reach[0], sum)

	// Its radius where as many turns, a chord each, move it.
	s = kin.NewState(tree)
	as[0] = kin.Around{}
	s.Set(as)
	far := make([]float64, n+1)
	for i := range far {
		far[i] = 2
	}
	s.Radii(n+1, s.PoseWF[n+1].P, 1, far, radii)
	above(t, "radius", radii[0], sum)
}

// above fails unless got is want or more, and by no more than 1e-11 of it.
func above(t *testing.T, what string, got float64, want exact.Num) {
	t.Helper()
	if !want.AtMost(exact.Of(got)) {
		t.Errorf("%s is %g too small", what, want.Minus(exact.Of(got)).Float())
	}
	if !exact.Of(got).AtMost(want.Times(exact.Of(1 + 1e-11))) {
		t.Errorf("%s is %g for %g: too loose", what, got, want.Float())
	}
}

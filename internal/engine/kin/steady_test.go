package kin_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// chainOf is a robot of n revolute joints with a quintic each.
func chainOf(n int) (plan, curves) {
	r := source(51)
	var p plan
	var cs curves
	for i := range n {
		p = append(p, hinge{
			parent: i, kind: urdf.Revolute, axis: asTriple(randomUnit(r)),
			rpy: randomTriple(r, 3), xyz: randomTriple(r, 0.2),
		})
		ctrl := make([]float64, 6)
		for j := range ctrl {
			ctrl[j] = symmetric(r, 2)
		}
		cs = append(cs, ctrl)
	}
	return p, cs
}

// What a check does per interval allocates nothing.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	p, cs := chainOf(7)
	tree := p.tree(t)
	s := kin.NewState(tree)
	buf := make([]float64, kin.CurveSize(6))
	as := cs.at(0.5, 0, 1)
	reach, radii := make([]float64, 7), make([]float64, 7)
	limit := func(int) float64 { return 1 }
	n, center := geom.Vec{Z: 1}, geom.Vec{X: 0.1}
	var sink float64
	for name, f := range map[string]func(){
		"NewCurve and Around": func() {
			c := kin.NewCurve(cs[0], buf)
			as[0] = c.Around(0.5, 0.25, 1)
		},
		"Set":          func() { s.Set(as) },
		"Reach":        func() { tree.Reach(7, center, 0.1, limit, reach) },
		"Radii":        func() { s.Radii(7, s.PoseWF[7].Apply(center), 0.1, reach, radii) },
		"Displacement": func() { sink += s.Displacement(7, 0, radii) },
		"Acceleration": func() {
			a, j := s.Acceleration(7, 1, radii)
			sink += a + j
		},
		"RateRelative": func() { sink += s.RateRelative(7, 2).Lin.X },
		"AccelerationAlong": func() {
			sink += s.AccelerationAlong(7, 1, radii, n)
		},
		"Twist":     func() { sink += s.Twist[7].Sub(s.Twist[2]).At(center).X },
		"chains":    func() { sink += float64(tree.Parting(7, 3) + len(tree.Chain(7))) },
		"DofIndex":  func() { sink += float64(tree.DofIndex("j6")) },
		"a new set": func() { s.Set(as); s.Set(as) },
	} {
		if a := testing.AllocsPerRun(20, f); a != 0 {
			t.Errorf("%s allocates %g times", name, a)
		}
	}
	_ = sink
}

// A state used before says the same as a new one.
func TestStateIsReusable(t *testing.T) {
	p, cs := chainOf(5)
	tree := p.tree(t)
	used := place(tree, cs, 0.9, 0.1, 1)
	used.EnsureRate(len(tree.Frames) - 1)
	used.Set(cs.at(0.25, 0, 0.5))
	fresh := place(tree, cs, 0.25, 0, 0.5)
	for k := range tree.Frames {
		used.EnsureRate(k)
		fresh.EnsureRate(k)
		if used.PoseWF[k] != fresh.PoseWF[k] || used.Twist[k] != fresh.Twist[k] || used.AxisW[k] != fresh.AxisW[k] ||
			used.OriginW[k] != fresh.OriginW[k] || used.Delta[k] != fresh.Delta[k] || used.Omega[k] != fresh.Omega[k] ||
			used.Alpha[k] != fresh.Alpha[k] || used.Chord[k] != fresh.Chord[k] || used.ErrR[k] != fresh.ErrR[k] ||
			used.ErrP[k] != fresh.ErrP[k] || used.ErrV[k] != fresh.ErrV[k] ||
			used.Rate[k] != fresh.Rate[k] || used.ErrRate[k] != fresh.ErrRate[k] || used.Beta[k] != fresh.Beta[k] {
			t.Errorf("frame %d differs", k)
		}
	}
}

func benchmarkSet(b *testing.B, n int) {
	p, cs := chainOf(n)
	s := kin.NewState(p.tree(b))
	as := cs.at(0.5, 0.4, 0.6)
	s.Bound(as)
	b.ReportAllocs()
	for b.Loop() {
		s.Place(as)
		s.Ensure(n)
	}
}

func BenchmarkSet7(b *testing.B)  { benchmarkSet(b, 7) }
func BenchmarkSet30(b *testing.B) { benchmarkSet(b, 30) }

func BenchmarkBounds7(b *testing.B) {
	p, cs := chainOf(7)
	tree := p.tree(b)
	s := place(tree, cs, 0.5, 0.4, 0.6)
	reach, radii := make([]float64, 7), make([]float64, 7)
	tree.Reach(7, geom.Vec{}, 0.1, func(int) float64 { return 0 }, reach)
	at, n := s.PoseWF[7].P, geom.Vec{Z: 1}
	var sink float64
	b.ReportAllocs()
	for b.Loop() {
		s.Radii(7, at, 0.1, reach, radii)
		sink += s.AccelerationAlong(7, 0, radii, n)
	}
	_ = sink
}

func BenchmarkAround(b *testing.B) {
	for name, ctrl := range map[string][]float64{"line": {0, 1}, "quintic": {0, 0.1, 0.5, 0.2, 0.9, 1}} {
		b.Run(name, func(b *testing.B) {
			c := kin.NewCurve(ctrl, make([]float64, kin.CurveSize(len(ctrl))))
			b.ReportAllocs()
			for b.Loop() {
				c.Around(0.5, 0.4, 0.6)
			}
		})
	}
}

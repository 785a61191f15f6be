package kin_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// drawTree draws a tree of up to ten joints of every kind that the oracle knows.
func drawTree(t *rapid.T) plan {
	var p plan
	num := rapid.Float64Range(-1, 1)
	triple := func(name string) [3]float64 {
		return [3]float64{num.Draw(t, name), num.Draw(t, name), num.Draw(t, name)}
	}
	for i := range rapid.IntRange(1, 10).Draw(t, "joints") {
		h := hinge{
			parent: rapid.IntRange(max(0, i-3), i).Draw(t, "parent"),
			kind:   rapid.SampledFrom([]urdf.JointType{urdf.Revolute, urdf.Prismatic, urdf.Continuous, urdf.Fixed}).Draw(t, "kind"),
			rpy:    triple("rpy"), xyz: triple("xyz"), axis: triple("axis"),
		}
		h.axis[2] += 1.5 // never zero
		if i > 0 && h.kind != urdf.Fixed && rapid.IntRange(0, 4).Draw(t, "mimic") == 0 {
			if m := rapid.IntRange(0, i-1).Draw(t, "leader"); p[m].kind != urdf.Fixed && p[m].mimics == 0 {
				h.mimics, h.mult, h.offset = m+1, 2*num.Draw(t, "mult"), num.Draw(t, "offset")
			}
		}
		p = append(p, h)
	}
	return p
}

func drawCurves(t *rapid.T, tree *kin.Tree) curves {
	cs := make(curves, len(tree.Dofs))
	for i := range cs {
		cs[i] = rapid.SliceOfN(rapid.Float64Range(-2, 2), 1, 6).Draw(t, "ctrl")
	}
	return cs
}

// The oracle's positions and velocities are the poses' and twists'. Rounding of
// both stays below 1e-12 for these ten joints of a metre and some 30 rad/s.
func TestPosesAndTwistsAgainstTheOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawTree(t)
		tree, err := kin.NewTree(p.robot())
		if err != nil {
			t.Fatal(err)
		}
		cs := drawCurves(t, tree)
		c := rapid.Float64Range(0, 1).Draw(t, "c")
		s := place(tree, cs, c, c, c)
		o := newOracle(p, cs)
		for link := range tree.LinkFrame {
			tip := geom.Vec{X: 0.1, Y: -0.2, Z: 0.3}
			want := o.carry(link, 0, tip, c, nil)
			got := poseWL(s, link).Apply(tip)
			if d := r3.Norm(r3.Sub(got, want.order(0))); !(d < 1e-12) {
				t.Fatalf("link %d: %g m from where it belongs", link, d)
			}
			if d := r3.Norm(r3.Sub(s.Twist[tree.LinkFrame[link]].At(got), want.order(1))); !(d < 1e-12*(1+r3.Norm(want.order(1)))) {
				t.Fatalf("link %d: velocity wrong by %g", link, d)
			}
		}
	})
}

// Twists are the derivatives of poses: central differences of the poses alone,
// absolute and of one body relative to another. The differences err by about
// e^2 |x”'| / 6 with |x”'| up to some 10^5 here.
func TestTwistsAgainstDifferences(t *testing.T) {
	const e = 1e-5
	rapid.Check(t, func(t *rapid.T) {
		p := drawTree(t)
		tree, err := kin.NewTree(p.robot())
		if err != nil {
			t.Fatal(err)
		}
		cs := drawCurves(t, tree)
		c := rapid.Float64Range(e, 1-e).Draw(t, "c")
		s := place(tree, cs, c, c, c)
		before, after := place(tree, cs, c-e, c-e, c-e), place(tree, cs, c+e, c+e, c+e)
		a := rapid.IntRange(0, len(p)).Draw(t, "a")
		b := rapid.IntRange(0, len(p)).Draw(t, "b")
		fa, fb := tree.LinkFrame[a], tree.LinkFrame[b]

		tip := geom.Vec{X: 0.3, Y: 0.2, Z: -0.1}
		inA := func(s *kin.State) geom.Vec { return poseWL(s, a).ApplyInv(poseWL(s, b).Apply(tip)) }
		diff := r3.Scale(1/(2*e), r3.Sub(inA(after), inA(before)))
		x := poseWL(s, b).Apply(tip)
		got := poseWL(s, a).R.ApplyInv(s.Twist[fb].Sub(s.Twist[fa]).At(x))
		if d := r3.Norm(r3.Sub(got, diff)); !(d < 1e-4) {
			t.Fatalf("velocity of link %d relative to %d is %v, differences say %v", b, a, got, diff)
		}
		// The angular part alone: a direction fixed in b, seen from a.
		turn := func(s *kin.State) geom.Vec { return poseWL(s, a).R.ApplyInv(poseWL(s, b).R.Apply(tip)) }
		diff = r3.Scale(1/(2*e), r3.Sub(turn(after), turn(before)))
		w := r3.Sub(s.Twist[fb].Ang, s.Twist[fa].Ang)
		got = poseWL(s, a).R.ApplyInv(r3.Cross(w, poseWL(s, b).R.Apply(tip)))
		if d := r3.Norm(r3.Sub(got, diff)); !(d < 1e-4) {
			t.Fatalf("turning of link %d relative to %d is %v, differences say %v", b, a, got, diff)
		}
	})
}

// The oracle itself against second differences of its own positions, so that a
// slip in its derivatives cannot hide one in the bounds. Speeds stay below some
// 10 rad/s, so that with steps of 1e-3 the differences err by e^2/12 of a fourth
// derivative of some 10^4; a slip would be of the order of 1 to 100.
func TestOracleAgainstDifferences(t *testing.T) {
	const e = 1e-3
	r := source(1)
	for range 300 {
		tr := randomChain(r, 1+r.IntN(4))
		for _, ctrl := range tr.cs {
			for i := range ctrl {
				ctrl[i] = symmetric(r, 0.5)
			}
		}
		tr.randomBall(r)
		o := newOracle(tr.plan, tr.cs)
		c := e + (1-2*e)*r.Float64()
		x := o.carry(tr.link, 0, tr.center, c, nil)
		before := o.carry(tr.link, 0, tr.center, c-e, nil).order(0)
		after := o.carry(tr.link, 0, tr.center, c+e, nil).order(0)
		vel := r3.Scale(1/(2*e), r3.Sub(after, before))
		acc := r3.Scale(1/(e*e), r3.Add(r3.Sub(after, x.order(0)), r3.Sub(before, x.order(0))))
		if d := r3.Norm(r3.Sub(vel, x.order(1))); !(d < 1e-2) {
			t.Fatalf("velocity %v, differences say %v", x.order(1), vel)
		}
		if d := r3.Norm(r3.Sub(acc, x.order(2))); !(d < 5e-2) {
			t.Fatalf("acceleration %v, differences say %v", x.order(2), acc)
		}
	}
}

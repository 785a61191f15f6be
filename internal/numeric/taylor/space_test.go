package taylor_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

func vec(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }

// joint of a random chain: where it hangs, about or along what it moves, and how.
type joint struct {
	at        geom.Pose
	axis      geom.Vec
	prismatic bool
	from, to  float64
}

func chain(t *rapid.T) []joint {
	in := rapid.Float64Range(-1, 1)
	n := rapid.IntRange(1, 6).Draw(t, "joints")
	joints := make([]joint, n)
	far := rapid.SampledFrom([]float64{0.01, 0.3, 2}).Draw(t, "how far")
	for i := range joints {
		axis, ok := geom.Unit(vec(in.Draw(t, "axis"), in.Draw(t, "axis"), in.Draw(t, "axis")))
		if k := rapid.IntRange(0, 6).Draw(t, "along"); k < 6 || !ok {
			axis = [6]geom.Vec{vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1), vec(-1, 0, 0), vec(0, -1, 0), vec(0, 0, -1)}[k%6]
		}
		from := 3 * in.Draw(t, "from")
		turned := geom.RPY(3*in.Draw(t, "r"), in.Draw(t, "p"), in.Draw(t, "y"))
		if rapid.Bool().Draw(t, "straight") {
			turned = geom.Identity()
		}
		joints[i] = joint{
			at:   geom.Pose{R: turned, P: vec(in.Draw(t, "x"), in.Draw(t, "y"), in.Draw(t, "z"))},
			axis: axis, prismatic: rapid.IntRange(0, 3).Draw(t, "kind") == 0,
			from: from, to: from + far*in.Draw(t, "by"),
		}
	}
	return joints
}

// composed is the pose that a chain's frames make up.
func composed(joints []joint, s0, s1 float64) taylor.Pose {
	p := taylor.Identity()
	for _, j := range joints {
		q := taylor.Polynomial([]float64{j.from, j.to}, s0, s1)
		p = p.Then(j.at, 1e-15, 1e-15)
		if j.prismatic {
			p.Slide(j.axis, &q)
		} else {
			p.Turn(j.axis, &q)
		}
	}
	return p
}

// carried is where a point of the last frame is, joint by joint with 300 bits.
func carried(joints []joint, s *big.Float, v geom.Vec) [3]*big.Float {
	p := [3]*big.Float{num(v.X), num(v.Y), num(v.Z)}
	for i := len(joints) - 1; i >= 0; i-- {
		j := &joints[i]
		q := add(num(j.from), mul(s, sub(num(j.to), num(j.from))))
		a := [3]*big.Float{num(j.axis.X), num(j.axis.Y), num(j.axis.Z)}
		norm := new(big.Float).SetPrec(precision).Sqrt(dot(a, a))
		for k := range a { // the axis is what its numbers stand for: a unit vector
			a[k] = quo(a[k], norm)
		}
		if j.prismatic {
			for k := range p {
				p[k] = add(p[k], mul(q, a[k]))
			}
		} else {
			sin, cos := sincos(q)
			along := mul(dot(a, p), sub(num(1), cos))
			across := [3]*big.Float{
				sub(mul(a[1], p[2]), mul(a[2], p[1])), sub(mul(a[2], p[0]), mul(a[0], p[2])), sub(mul(a[0], p[1]), mul(a[1], p[0])),
			}
			for k := range p {
				p[k] = add(add(mul(p[k], cos), mul(across[k], sin)), mul(a[k], along))
			}
		}
		r := j.at.R
		p = [3]*big.Float{
			add(dot([3]*big.Float{num(r.XX), num(r.XY), num(r.XZ)}, p), num(j.at.P.X)),
			add(dot([3]*big.Float{num(r.YX), num(r.YY), num(r.YZ)}, p), num(j.at.P.Y)),
			add(dot([3]*big.Float{num(r.ZX), num(r.ZY), num(r.ZZ)}, p), num(j.at.P.Z)),
		}
	}
	return p
}

func dot(a, b [3]*big.Float) *big.Float {
	return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

func TestPosesHoldWhatChainsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		joints := chain(t)
		s0 := rapid.SampledFrom([]float64{0, 0.25, 0.9}).Draw(t, "s0")
		s1 := s0 + rapid.SampledFrom([]float64{1e-3, 0.1, 1}).Draw(t, "part")*(1-s0)
		p := composed(joints, s0, s1)
		v := vec(0.3, -0.7, 0.2)
		moved := p.Apply(v)
		box := moved.Bound()
		mid, half := taylor.Stretch(s0, s1)
		for _, x := range places {
			s := add(num(mid), mul(num(half), num(x)))
			at := carried(joints, s, v)
			for k, m := range [3]*taylor.Model{&moved.X, &moved.Y, &moved.Z} {
				if !holds(m, x, at[k]) {
					t.Fatalf("%+v on [%g, %g] at %g, coordinate %d: %s is not in %v", joints, s0, s1, x, k, at[k].Text('g', 20), m)
				}
			}
		}
		if !box.Finite() {
			t.Fatalf("%+v: the box is %v", joints, box)
		}
	})
}

// A frame that is known to some error holds every frame within it.
func TestFramesMayBeOff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		joints := chain(t)
		off := rapid.SampledFrom([][2]float64{{1e-5, 0}, {0, 1e-5}, {1e-6, 1e-5}}).Draw(t, "off")
		rot, pos := off[0], off[1]
		p := taylor.Identity()
		for i := range joints {
			j := &joints[i]
			q := taylor.Polynomial([]float64{j.from, j.to}, 0, 1)
			p = p.Then(j.at, rot, pos)
			if j.prismatic {
				p.Slide(j.axis, &q)
			} else {
				p.Turn(j.axis, &q)
			}
			axis, _ := geom.Unit(vec(1, rapid.Float64Range(-1, 1).Draw(t, "about"), 0.3))
			j.at.R = geom.AxisAngle(axis, rapid.SampledFrom([]float64{-0.99 * rot, 0.99 * rot}).Draw(t, "by")).Mul(j.at.R)
			j.at.P.X += rapid.SampledFrom([]float64{-pos, pos}).Draw(t, "along x")
		}
		moved := p.Apply(vec(0.3, -0.7, 0.2))
		for _, x := range []float64{-1, 0.3, 1} {
			at := carried(joints, add(num(0.5), mul(num(0.5), num(x))), vec(0.3, -0.7, 0.2))
			for k, m := range [3]*taylor.Model{&moved.X, &moved.Y, &moved.Z} {
				if !holds(m, x, at[k]) {
					t.Fatalf("coordinate %d at %g: %s is not in %v", k, x, at[k].Text('g', 20), m)
				}
			}
		}
	})
}

// A pose after a pose is the pose of both.
func TestPosesMultiply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := chain(t), chain(t)
		p, q := composed(a, 0, 1), composed(b, 0, 1)
		both := p.Mul(&q)
		v := vec(-0.4, 0.1, 0.6)
		moved := both.Apply(v)
		across := both.R.Apply(vec(1, 0, 0))
		turned := both.R.Apply(vec(0, 1, 0))
		third := across.Cross(&turned)
		for _, x := range []float64{-1, -0.3, 0.5, 1} {
			s := add(num(0.5), mul(num(0.5), num(x)))
			all := append(append([]joint{}, a...), b...)
			at := carried(all, s, v)
			origin, tip := carried(all, s, vec(0, 0, 0)), carried(all, s, vec(0, 0, 1))
			for k, m := range [3]*taylor.Model{&moved.X, &moved.Y, &moved.Z} {
				if b := m.Bound(); !within(b, at[k]) {
					t.Fatalf("coordinate %d at %g: %s is not in %v", k, x, at[k].Text('g', 20), b)
				}
			}
			for k, m := range [3]*taylor.Model{&third.X, &third.Y, &third.Z} {
				if b := m.Bound(); !within(b, sub(tip[k], origin[k])) {
					t.Fatalf("x cross y, coordinate %d at %g: not in %v", k, x, b)
				}
			}
		}
	})
}

// An arm of n links that bends a little in each joint: interval arithmetic overestimates
// more and more where Taylor models do not (ZRLK07, Figure 5).
func TestTighterThanIntervalsByDepth(t *testing.T) {
	const bend = 0.3 // rad in each joint
	for _, n := range []int{1, 2, 4, 8, 16} {
		var joints []joint
		plain := interval.OfPose(geom.IdentityPose())
		for i := range n {
			from := 0.2
			if i%2 == 1 {
				from = -0.5
			}
			j := joint{at: geom.Translation(vec(1/float64(n), 0, 0)), axis: vec(0, 0, 1), from: from, to: from + bend}
			joints = append(joints, j)
			local := interval.Pose{R: interval.Turn(j.axis, interval.Of(j.from, j.to)), P: interval.OfVec(j.at.P)}
			plain = plain.Mul(&local)
		}
		p := composed(joints, 0, 1)
		tip := vec(1/float64(n), 0, 0)
		moved := p.Apply(tip)
		box, wide := moved.Bound(), plain.Apply(interval.OfVec(tip))
		exact := interval.Vec{}
		for k := range 201 {
			at := carried(joints, num(float64(k)/200), tip)
			x, _ := at[0].Float64()
			y, _ := at[1].Float64()
			here := interval.OfVec(vec(x, y, 0))
			if k == 0 {
				exact = here
			}
			exact = exact.Hull(here)
		}
		over := func(b interval.Vec) float64 {
			return (b.X.Width() + b.Y.Width()) / (exact.X.Width() + exact.Y.Width())
		}
		t.Logf("%2d joints: boxes are %.3f (Taylor) and %.3f (intervals) times as wide as the path", n, over(box), over(wide))
		if n >= 2 && over(box)-1 > 0.5*(over(wide)-1) {
			t.Errorf("%d joints: %g against %g", n, over(box), over(wide))
		}
		if math.IsNaN(over(box)) || over(box) > 1.5 {
			t.Errorf("%d joints: Taylor models are %g times as wide as the path", n, over(box))
		}
	}
}

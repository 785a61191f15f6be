package exact

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// tiny fails where a difference that should be zero is more than 2^-200.
func tiny(t *testing.T, what string, x Num) {
	t.Helper()
	if x.Sign() != 0 && x.f.MantExp(nil) > -200 {
		t.Errorf("%s is off by %g", what, x.Float())
	}
}

// Sine and cosine solve s² + c² = 1, the angle sum and known values to 200 bits.
func TestSincos(t *testing.T) {
	pi := Pi()
	if pi.Float() != math.Pi {
		t.Fatal(pi.Float())
	}
	s, c := Sincos(pi.Over(Of(6)))
	tiny(t, "sin(pi/6)", s.Minus(Of(0.5)))
	tiny(t, "cos(pi/6)", c.Times(c).Minus(Of(0.75)))
	s, c = Sincos(pi.Times(Of(31)))
	tiny(t, "sin(31 pi)", s)
	tiny(t, "cos(31 pi)", c.Plus(Of(1)))
	d := chance.New(42, 1)
	for range 50 {
		x, y := Of(d.In(-1000, 1000)), Of(d.In(-1, 1))
		sx, cx := Sincos(x)
		sy, cy := Sincos(y)
		s, c := Sincos(x.Plus(y))
		tiny(t, "1", sx.Times(sx).Plus(cx.Times(cx)).Minus(Of(1)))
		tiny(t, "sine of a sum", s.Minus(sx.Times(cy).Plus(cx.Times(sy))))
		tiny(t, "cosine of a sum", c.Minus(cx.Times(cy).Minus(sx.Times(sy))))
	}
	for _, x := range []float64{0, 1e-12, 1, 3, 3.2, 100} {
		if got := Chord(x).Float(); math.Abs(got-2*math.Sin(math.Min(x, math.Pi)/2)) > 1e-15 {
			t.Errorf("chord of %g: %g", x, got)
		}
	}
}

// Operations agree with those of float64 where these do not round.
func TestOperations(t *testing.T) {
	a, b := Of(3), Of(-0.25)
	for i, c := range []struct {
		got  Num
		want float64
	}{
		{a.Plus(b), 2.75},
		{a.Minus(b), 3.25},
		{a.Times(b), -0.75},
		{a.Over(b), -12},
		{b.Neg(), 0.25},
		{b.Abs(), 0.25},
		{Of(6.25).Sqrt(), 2.5},
		{a.Ldexp(-3), 0.375},
		{a.Max(b), 3},
		{b.Max(a), 3},
		{a.Min(b), -0.25},
		{b.Min(a), -0.25},
	} {
		if c.got.Float() != c.want {
			t.Errorf("%d: %g, want %g", i, c.got.Float(), c.want)
		}
	}
	if a.AtMost(b) || !b.AtMost(a) || !a.AtMost(a) || a.Exceeds(a) || !a.Exceeds(b) || b.Exceeds(a) || b.Sign() != -1 {
		t.Error("order is wrong")
	}
}

// A polynomial and its derivatives, against the same in powers.
func TestCurve(t *testing.T) {
	// q(t) = 2 - 3 t + 5 t² - 4 t³ by its control points: b_k = sum of binomial(k, i) /
	// binomial(3, i) a_i.
	ctrl := []float64{2, 1, 5. / 3, 0}
	for _, x := range []float64{0, 0.25, 0.8, 1} {
		q, qd, qdd := Curve(ctrl, Of(x))
		for i, d := range []float64{
			q.Float() - (2 - 3*x + 5*x*x - 4*x*x*x),
			qd.Float() - (-3 + 10*x - 12*x*x),
			qdd.Float() - (10 - 24*x),
		} {
			if math.Abs(d) > 1e-14 {
				t.Errorf("derivative %d at %g is off by %g", i, x, d)
			}
		}
	}
	if q, qd, qdd := Curve([]float64{7}, Of(0.3)); q.Float() != 7 || qd.Sign() != 0 || qdd.Sign() != 0 {
		t.Error("a constant changes")
	}
}

// Rotations keep lengths and angles, agree with those of package geom to rounding, and
// Apply and ApplyInv undo each other.
func TestRotations(t *testing.T) {
	d := chance.New(43, 1)
	for range 50 {
		u, angle, v, rpy := d.Unit(), d.In(-9, 9), d.Vec(3), d.Vec(3)
		turn := Turn(VecOf(u).Unit(), Of(angle))
		if off := turn.Off(geom.AxisAngle(u, angle)).Float(); off > 1e-14 {
			t.Errorf("turn by %g about %v is off by %g", angle, u, off)
		}
		tiny(t, "a turned vector", turn.Apply(VecOf(v)).Minus(Turned(VecOf(v), VecOf(u).Unit(), Of(angle))).Norm())
		if off := RPY(rpy).Off(geom.RPY(rpy.X, rpy.Y, rpy.Z)).Float(); off > 1e-14 {
			t.Errorf("RPY %v is off by %g", rpy, off)
		}
		p := Pose{RPY(rpy).Times(turn), VecOf(d.Vec(5))}
		tiny(t, "there and back", p.ApplyInv(p.Apply(VecOf(v))).Minus(VecOf(v)).Norm())
		tiny(t, "a length", p.R.Apply(VecOf(v)).Norm().Minus(VecOf(v).Norm()))
		if off := VecOf(v).Cross(VecOf(u)).Off(r3.Cross(v, u)).Float(); off > 1e-14 {
			t.Errorf("cross product off by %g", off)
		}
	}
}

// Twists are how poses change, and rates how twists do: differences over a step so short
// that float64 would lose them.
func TestLinksMoveAsTheirTwistsSay(t *testing.T) {
	d := chance.New(44, 1)
	for range 10 {
		var c Chain
		for i := range 1 + d.IntN(5) {
			j := Joint{
				Parent: i, Kind: [...]urdf.JointType{urdf.Revolute, urdf.Prismatic, urdf.Continuous, urdf.Fixed}[d.IntN(4)],
				XYZ: d.Vec(2), RPY: d.Vec(3), Axis: r3.Scale(d.Spread(1e-3, 1e3), d.Unit()),
				Ctrl: []float64{d.In(-3, 3), d.In(-3, 3), d.In(-3, 3), d.In(-3, 3)},
			}
			if d.IntN(3) == 0 {
				j.Mimics, j.Mult, j.Offset = true, d.In(-2, 2), d.In(-1, 1)
			}
			if d.IntN(3) == 0 {
				j.Parent = d.IntN(i + 1)
			}
			c = append(c, j)
		}
		const step = 0x1p-60
		at := d.In(0.2, 0.8)
		later := func(s float64) []Link {
			return c.LinksAt(func(int) Num { return Of(at).Plus(Of(s)) })
		}
		before, now, after := later(-step), c.Links(at), later(step)
		slope := func(a, b Vec) Vec { return b.Minus(a).Scaled(Of(1 / (2 * step))) }
		point := VecOf(d.Vec(1))
		for l := range now {
			x := now[l].Pose.Apply(point)
			v := slope(before[l].Pose.Apply(point), after[l].Pose.Apply(point))
			lin := slope(before[l].Twist.Lin, after[l].Twist.Lin)
			ang := slope(before[l].Twist.Ang, after[l].Twist.Ang)
			for what, off := range map[string]Num{
				"velocity":             v.Minus(now[l].Twist.At(x)).Norm(),
				"acceleration":         lin.Minus(now[l].Rate.Lin).Norm(),
				"angular acceleration": ang.Minus(now[l].Rate.Ang).Norm(),
			} {
				if off.Float() > 1e-28 {
					t.Errorf("%s of link %d is off by %g", what, l, off.Float())
				}
			}
		}
	}
}

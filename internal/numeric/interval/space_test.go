package interval_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

func vec(t *rapid.T, name string) geom.Vec {
	f := rapid.Float64Range(-2, 2)
	return geom.Vec{X: f.Draw(t, name), Y: f.Draw(t, name), Z: f.Draw(t, name)}
}

func unit(t *rapid.T, name string) geom.Vec {
	u, ok := geom.Unit(vec(t, name))
	if !ok {
		return geom.Vec{Z: 1}
	}
	return u
}

// A chain of two turns, as intervals of angle, places a point of a box where the
// angles and the point themselves place it.
func TestPosesContain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := interval.Vec{X: box(t, "q"), Y: box(t, "q"), Z: box(t, "q")}
		p := geom.Vec{X: at(t, q.X), Y: at(t, q.Y), Z: at(t, q.Z)}
		set := interval.Pose{R: interval.OfRot(geom.IdentityPose().R)}
		one := geom.IdentityPose()
		for range 2 {
			axis, angle := unit(t, "axis"), box(t, "angle")
			move := vec(t, "move")
			r := geom.Pose{R: geom.AxisAngle(axis, at(t, angle)), P: move}
			i := interval.Pose{R: interval.Turn(axis, angle), P: interval.OfVec(move)}
			set, one = set.Mul(&i), one.Mul(r)
		}
		got, want := set.Apply(q), one.Apply(p)
		if !got.Grow(1e-14).Contains(want) {
			t.Fatalf("%v is not in %v", want, got)
		}
		back := set.R.ApplyInv(got.Sub(set.P))
		if !back.Grow(1e-14).Contains(p) {
			t.Fatalf("%v is not in %v", p, back)
		}
	})
}

func box(t *rapid.T, name string) interval.I {
	lo := rapid.Float64Range(-3, 3).Draw(t, name)
	return interval.Of(lo, lo+rapid.Float64Range(0, 2).Draw(t, name))
}

func at(t *rapid.T, i interval.I) float64 {
	return min(i.Hi, i.Lo+rapid.Float64Range(0, 1).Draw(t, "at")*(i.Hi-i.Lo))
}

func TestVectorsContain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := interval.Vec{X: box(t, "a"), Y: box(t, "a"), Z: box(t, "a")}
		b := interval.Vec{X: box(t, "b"), Y: box(t, "b"), Z: box(t, "b")}
		x := geom.Vec{X: at(t, a.X), Y: at(t, a.Y), Z: at(t, a.Z)}
		y := geom.Vec{X: at(t, b.X), Y: at(t, b.Y), Z: at(t, b.Z)}
		cross := geom.Vec{X: x.Y*y.Z - x.Z*y.Y, Y: x.Z*y.X - x.X*y.Z, Z: x.X*y.Y - x.Y*y.X}
		if !a.Cross(b).Grow(1e-14).Contains(cross) {
			t.Fatalf("%v is not in %v", cross, a.Cross(b))
		}
		if d := x.X*y.X + x.Y*y.Y + x.Z*y.Z; !a.Dot(b).Grow(1e-14).Contains(d) {
			t.Fatalf("%v is not in %v", d, a.Dot(b))
		}
		if n := geom.Norm(x); !a.Norm().Grow(1e-14).Contains(n) {
			t.Fatalf("%v is not in %v", n, a.Norm())
		}
		if h := a.Hull(b); !h.Contains(x) || !h.Contains(y) || !h.Overlaps(a) {
			t.Fatalf("%v does not hold %v and %v", h, a, b)
		}
	})
}

// A turn by one angle is a rotation to rounding: no slack has been forgotten in the
// other direction.
func TestTurnIsTight(t *testing.T) {
	m := interval.Turn(geom.Vec{X: 0.6, Z: 0.8}, interval.Point(0.7))
	for i := range m {
		for _, e := range [3]interval.I{m[i].X, m[i].Y, m[i].Z} {
			if e.Width() > 1e-14 {
				t.Errorf("row %d: %v", i, e)
			}
		}
	}
	p := interval.PoseWithin(geom.IdentityPose(), 1e-3, 1e-2)
	if got := p.Apply(interval.OfVec(geom.Vec{X: 1})); !got.Contains(geom.Vec{X: 1.0109, Y: 0.0109}) || got.Contains(geom.Vec{X: 1.02}) {
		t.Errorf("a pose give or take places a point in %v", got)
	}
	if math.IsInf(p.P.X.Hi, 0) || !p.P.Finite() {
		t.Error("a finite pose is not")
	}
}

// An axis may be longer or shorter than 1 by 4 u.
func TestTurnCountsTheLengthOfItsAxis(t *testing.T) {
	const u = 0x1p-53
	for _, length := range []float64{1 - 4*u, 1, 1 + 4*u} {
		for _, angle := range []float64{0, 1, 2, math.Pi} {
			m := interval.Turn(geom.Vec{X: length}, interval.Point(angle))
			if x := m[0].X; x.Lo > 1 || x.Hi < 1 {
				t.Errorf("length 1%+g u, angle %g: what lies on the axis is scaled by %v", (length-1)/u, angle, x)
			}
		}
	}
}

// Boxes overlap unless one ends before the other begins along an axis.
func TestOverlaps(t *testing.T) {
	for axis := range 3 {
		boxAt := func(lo, hi float64) interval.Vec {
			v := [3]interval.I{{Lo: 0, Hi: 1}, {Lo: 0, Hi: 1}, {Lo: 0, Hi: 1}}
			v[axis] = interval.I{Lo: lo, Hi: hi}
			return interval.Vec{X: v[0], Y: v[1], Z: v[2]}
		}
		a := boxAt(0, 4)
		for _, c := range []struct {
			lo, hi float64
			want   bool
		}{{3, 6, true}, {-2, 1, true}, {1, 2, true}, {-1, 5, true}, {4, 6, true}, {-2, 0, true}, {5, 6, false}, {-2, -1, false}} {
			b := boxAt(c.lo, c.hi)
			if a.Overlaps(b) != c.want || b.Overlaps(a) != c.want {
				t.Errorf("axis %d: %v and %v: want overlap %t", axis, a, b, c.want)
			}
		}
	}
}

package geom

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func near(t *rapid.T, what string, got, want Vec, tol float64) {
	t.Helper()
	if d := r3.Norm(r3.Sub(got, want)); !(d <= tol) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func vec(t *rapid.T, name string) Vec {
	x := rapid.Float64Range(-10, 10)
	return Vec{X: x.Draw(t, name+".x"), Y: x.Draw(t, name+".y"), Z: x.Draw(t, name+".z")}
}

func pose(t *rapid.T, name string) Pose {
	angle := rapid.Float64Range(-7, 7)
	return Pose{R: RPY(angle.Draw(t, "roll"), angle.Draw(t, "pitch"), angle.Draw(t, "yaw")), P: vec(t, name)}
}

func TestPosesCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, v := pose(t, "a"), pose(t, "b"), vec(t, "v")
		near(t, "a(bv)", a.Mul(b).Apply(v), a.Apply(b.Apply(v)), 1e-12)
		near(t, "a^-1 a v", a.ApplyInv(a.Apply(v)), v, 1e-12)
		near(t, "inverse", a.Inv().Apply(a.Apply(v)), v, 1e-12)
	})
}

// Poses that are moved by and put together in place do what copies of them do.
func TestPosesInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, v := pose(t, "a"), pose(t, "b"), vec(t, "v")
		var c, d Pose
		if c.Compose(&a, &b); c != a.Mul(b) {
			t.Errorf("composed to %v, not %v", c, a.Mul(b))
		}
		near(t, "moved in two steps", c.Move(v), a.Move(b.Move(v)), 1e-12)
		near(t, "there and back", a.MoveBack(a.Move(v)), v, 1e-12)
		d.Relate(&a, &b)
		near(t, "related", d.Move(v), a.Inv().Mul(b).Apply(v), 1e-12)
	})
}

func TestMiddleOfABox(t *testing.T) {
	box := Box{Min: Vec{X: -1, Y: 2, Z: 5}, Max: Vec{X: 3, Y: 8, Z: 6}}
	center, half := box.Middle()
	if center != (Vec{X: 1, Y: 5, Z: 5.5}) || half != (Vec{X: 2, Y: 3, Z: 0.5}) || center != box.Center() || half != box.Half() {
		t.Errorf("the middle is %v, half the sides %v", center, half)
	}
}

// gonum's rotations, made of quaternions, are the second opinion.
func TestAxisAngle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axis, ok := Unit(vec(t, "axis"))
		if !ok {
			t.Skip("no axis")
		}
		angle, v := rapid.Float64Range(-7, 7).Draw(t, "angle"), vec(t, "v")
		near(t, "turned", AxisAngle(axis, angle).Apply(v), r3.NewRotation(angle, axis).Rotate(v), 1e-13)
		half := angle / 2
		s := math.Sin(half)
		r, err := Quat(s*axis.X, s*axis.Y, s*axis.Z, math.Cos(half))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "by quaternion", r.Apply(v), AxisAngle(axis, angle).Apply(v), 1e-13)
	})
}

// URDF's order: roll about x first, then pitch about y, then yaw about z, all
// about fixed axes.
func TestRPY(t *testing.T) {
	v := Vec{Y: 1}
	for _, tc := range []struct{ r, p, y float64 }{{math.Pi / 2, 0, 0}, {math.Pi / 2, math.Pi / 2, 0}, {math.Pi / 2, math.Pi / 2, math.Pi / 2}} {
		want := v
		for _, turn := range []struct {
			axis  Vec
			angle float64
		}{{Vec{X: 1}, tc.r}, {Vec{Y: 1}, tc.p}, {Vec{Z: 1}, tc.y}} {
			want = r3.NewRotation(turn.angle, turn.axis).Rotate(want)
		}
		if got := RPY(tc.r, tc.p, tc.y).Apply(v); r3.Norm(r3.Sub(got, want)) > 1e-15 {
			t.Errorf("%v: %v, want %v", tc, got, want)
		}
	}
}

func TestUnit(t *testing.T) {
	for _, size := range []float64{1e-300, 1e-160, 1e-9, 1, 1e160, 1e300} {
		v, ok := Unit(Vec{X: 3 * size, Y: -4 * size})
		if !ok || math.Abs(v.X-0.6) > 1e-15 || math.Abs(v.Y+0.8) > 1e-15 || v.Z != 0 {
			t.Errorf("size %g: %v %v", size, v, ok)
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, v := range []Vec{{}, {Z: 1e-310}, {Z: 5e-324}, {X: inf}, {X: nan}, {X: 1, Y: nan}} {
		if u, ok := Unit(v); ok {
			t.Errorf("%v has the direction %v", v, u)
		}
	}
}

func TestFinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tc := range []struct {
		v    Vec
		want bool
	}{{Vec{X: 1e308, Y: -1e308, Z: 0}, true}, {Vec{X: inf}, false}, {Vec{Y: -inf}, false}, {Vec{Z: nan}, false}, {Vec{X: inf, Y: -inf}, false}} {
		if Finite(tc.v) != tc.want {
			t.Errorf("Finite(%v) is %v", tc.v, !tc.want)
		}
	}
	for _, q := range [][4]float64{{}, {nan, 0, 0, 1}, {inf, 0, 0, 1}} {
		if _, err := Quat(q[0], q[1], q[2], q[3]); err == nil {
			t.Errorf("quaternion %v is taken for a rotation", q)
		}
	}
}

func TestBox(t *testing.T) {
	b := EmptyBox()
	if !b.Empty() {
		t.Error("the empty box is not empty")
	}
	b = b.Extend(Vec{X: 1, Y: 2, Z: 3}).Extend(Vec{X: -1, Y: 0, Z: 5})
	if b.Empty() || b.Center() != (Vec{X: 0, Y: 1, Z: 4}) || b.Half() != (Vec{X: 1, Y: 1, Z: 1}) {
		t.Errorf("%v", b)
	}
	if b.Union(EmptyBox()) != b || EmptyBox().Union(b) != b {
		t.Error("the empty box adds something")
	}
}

func TestRigid(t *testing.T) {
	turned := Pose{R: AxisAngle(Vec{X: 1}, 1), P: Vec{Y: 1e9}}
	if err := turned.Rigid(); err != nil {
		t.Error(err)
	}
	mirror, stretched, far := IdentityPose(), IdentityPose(), IdentityPose()
	mirror.R = Rot{XX: 1, YY: 1, ZZ: -1}
	stretched.R = Rot{XX: 1, YY: 1 + 1e-8, ZZ: 1}
	far.P.X = math.Inf(1)
	for name, p := range map[string]Pose{"zero": {}, "a mirror": mirror, "stretched": stretched, "at infinity": far} {
		if p.Rigid() == nil {
			t.Errorf("%s is rigid", name)
		}
	}
}

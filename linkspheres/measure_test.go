package linkspheres_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

func excess(t testing.TB, b *linkspheres.Body, balls ...linkspheres.Ball) linkspheres.Excess {
	t.Helper()
	e, err := b.Excess(context.Background(), balls, linkspheres.ExcessOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The excess where it is known in closed form.
func TestExcessInClosedForm(t *testing.T) {
	cube := box(2, 2, 2)
	tray := blockMesh(geom.Vec{}, v(1, 1, 1))
	tray.Triangles = tray.Triangles[2:] // without its bottom: a surface, hollow inside
	for name, c := range map[string]struct {
		s    *shape.Shape
		ball linkspheres.Ball
		want float64
	}{
		"a ball around a ball":    {&shape.Shape{Kind: shape.Sphere, Radius: 1}, linkspheres.Ball{Radius: 1.25}, 0.25},
		"off its middle":          {&shape.Shape{Kind: shape.Sphere, Radius: 1}, linkspheres.Ball{Center: v(0.5, 0, 0), Radius: 2}, 1.5},
		"a ball around a cube":    {cube, linkspheres.Ball{Radius: math.Sqrt(3)}, math.Sqrt(3) - 1},
		"the same cube as a mesh": {meshShape(blockMesh(geom.Vec{}, v(1, 1, 1))), linkspheres.Ball{Radius: math.Sqrt(3)}, math.Sqrt(3) - 1},
		"inside":                  {cube, linkspheres.Ball{Radius: 0.5}, 0},
		"beside":                  {cube, linkspheres.Ball{Center: v(5, 0, 0), Radius: 1}, 5},
		"around a cylinder":       {&shape.Shape{Kind: shape.Cylinder, Radius: 3, Length: 8}, linkspheres.Ball{Radius: 5}, 2},
		"around a capsule":        {&shape.Shape{Kind: shape.Capsule, Radius: 1, Length: 8}, linkspheres.Ball{Radius: 5}, 4},
		// The farthest point of the ball from the cone is below its base.
		"around a cone":       {&shape.Shape{Kind: shape.Cone, Radius: 3, Length: 8}, linkspheres.Ball{Center: v(0, 0, -4), Radius: 8}, 8},
		"inside an open cube": {meshShape(tray), linkspheres.Ball{Radius: 0.5}, 0.99},
	} {
		e := excess(t, bodyOf(t, at(geom.Vec{}, c.s)), c.ball)
		if name == "inside an open cube" { // nothing below: the middle's distance is 1
			if e.Lower > 1+1e-9 || e.Upper < 1-1e-9 {
				t.Errorf("%s: %g to %g", name, e.Lower, e.Upper)
			}
			continue
		}
		if e.Lower > c.want*(1+1e-12) || e.Upper < c.want*(1-1e-12) || e.Upper-e.Lower > math.Max(1e-5, 0.021*c.want) {
			t.Errorf("%s: %.9g to %.9g, want %.9g", name, e.Lower, e.Upper, c.want)
		}
	}
}

// The bounds hold for every point of the balls, and the witness is what it says.
func TestExcessBoundsHold(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := bodyOf(t, drawCollisions(r)...)
		size := geom.Norm(b.Box().Half())
		x := rapid.Float64Range(-1, 1)
		var balls []linkspheres.Ball
		for range rapid.IntRange(1, 3).Draw(r, "balls") {
			balls = append(balls, linkspheres.Ball{
				Center: v(size*x.Draw(r, "x"), size*x.Draw(r, "y"), size*x.Draw(r, "z")), Radius: size * rapid.Float64Range(0.01, 1).Draw(r, "r"),
			})
		}
		e, err := b.Excess(context.Background(), balls, linkspheres.ExcessOptions{MaxCells: 3000})
		if err != nil {
			r.Fatal(err)
		}
		if e.Ball < 0 { // nothing sticks out
			if e.Upper != 0 {
				r.Fatalf("%+v has no witness", e)
			}
			return
		}
		lo, hi := b.Distance(e.At)
		if w := balls[e.Ball]; math.Max(hi, 0) < e.Lower || e.Lower > math.Max(lo, 0) || geom.Norm(v(e.At.X-w.Center.X, e.At.Y-w.Center.Y, e.At.Z-w.Center.Z)) > w.Radius*(1+1e-12) {
			r.Fatalf("%+v: its point is %g to %g away, in %v", e, lo, hi, w)
		}
		random := rand.New(rand.NewPCG(3, rapid.Uint64().Draw(r, "seed")))
		for range 200 {
			w := balls[random.IntN(len(balls))]
			d, ok := geom.Unit(v(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()))
			if !ok {
				continue
			}
			f := w.Radius * (1 - 1e-12)
			if random.IntN(2) == 0 {
				f *= random.Float64()
			}
			p := v(w.Center.X+f*d.X, w.Center.Y+f*d.Y, w.Center.Z+f*d.Z)
			lo, _ := b.Distance(p)
			if lo > e.Upper {
				r.Fatalf("%v of %v is %g away, more than %g", p, w, lo, e.Upper)
			}
			if one := b.OfBall(&w); lo > one {
				r.Fatalf("%v of %v is %g away, more than %g by its centre", p, w, lo, one)
			}
		}
	})
}

// Estimates of known volumes from random points are within five standard errors.
func TestSamplesAgainstClosedForms(t *testing.T) {
	near := func(what string, got linkspheres.Estimate, want float64) {
		t.Helper()
		if math.Abs(got.Mean-want) > 5*got.Error+1e-9*want || got.Error > 0.03*want {
			t.Errorf("%s: %g +- %g, want %g", what, got.Mean, got.Error, want)
		}
	}
	ball := bodyOf(t, at(geom.Vec{}, &shape.Shape{Kind: shape.Sphere, Radius: 1}))
	one := ball.Sample(context.Background(), []linkspheres.Ball{{Radius: 1.5}}, 20000, 1)
	near("a ball", one.Volume, 4*math.Pi/3*1.5*1.5*1.5)
	near("a ball in a ball", one.Ratio, 1.5*1.5*1.5)
	near("its excess", one.Excess, 0.5)
	// Twice the same ball is one; a third far away adds its own.
	three := ball.Sample(context.Background(), []linkspheres.Ball{{Radius: 1.5}, {Radius: 1.5}, {Center: v(9, 0, 0), Radius: 1}}, 20000, 2)
	near("three balls", three.Volume, 4*math.Pi/3*(1.5*1.5*1.5+1))
	near("their ratio", three.Ratio, 1.5*1.5*1.5+1)
	// Two that overlap by a lens: V = pi (4 r + d)(2 r - d)^2 / 12.
	two := ball.Sample(context.Background(), []linkspheres.Ball{{Center: v(-0.5, 0, 0), Radius: 2}, {Center: v(0.5, 0, 0), Radius: 2}}, 20000, 3)
	near("two balls", two.Volume, 2*4*math.Pi/3*8-math.Pi*9*9/12)
	cube := bodyOf(t, at(v(1, 2, 3), meshShape(blockMesh(geom.Vec{}, v(0.5, 0.5, 0.5)))))
	m := cube.Sample(context.Background(), []linkspheres.Ball{{Center: v(1, 2, 3), Radius: 1}}, 20000, 4)
	near("a ball around a cube", m.Ratio, 4*math.Pi/3)
	if again := cube.Sample(context.Background(), []linkspheres.Ball{{Center: v(1, 2, 3), Radius: 1}}, 20000, 4); again != m {
		t.Error("the same seed gives other numbers")
	}
	if empty := cube.Sample(context.Background(), nil, 10, 1); empty != (linkspheres.Measure{}) {
		t.Errorf("no balls: %+v", empty)
	}
}

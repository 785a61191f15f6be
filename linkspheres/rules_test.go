package linkspheres

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// drawVec draws a point whose coordinates are small whole numbers now and then, so
// that things coincide.
func drawVec(t *rapid.T, name string) geom.Vec {
	x := rapid.Float64Range(-2, 2)
	if rapid.IntRange(0, 2).Draw(t, name+".round") == 0 {
		x = rapid.Map(rapid.IntRange(-2, 2), func(n int) float64 { return float64(n) })
	}
	return geom.Vec{X: x.Draw(t, name+".x"), Y: x.Draw(t, name+".y"), Z: x.Draw(t, name+".z")}
}

func drawScale(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{1, 1, 1e-3, 1e3, 1e-9, 1e6}).Draw(t, "scale")
}

func drawBall(t *rapid.T, name string, size float64) Ball {
	return Ball{scale(size, drawVec(t, name)), size * rapid.Float64Range(0, 2).Draw(t, name+".r")}
}

func drawBox(t *rapid.T, size float64) geom.Box {
	a := drawVec(t, "corner")
	side := rapid.SampledFrom([]float64{2, 1, 1, 0.3, 0.1, 1e-3, 1e-9}).Draw(t, "side")
	d := geom.Vec{X: rapid.Float64Range(0, 1).Draw(t, "dx"), Y: rapid.Float64Range(0, 1).Draw(t, "dy"), Z: rapid.Float64Range(0, 1).Draw(t, "dz")}
	return geom.Box{Min: scale(size, a), Max: add(scale(size, a), scale(size*side, d))}
}

func drawPose(t *rapid.T, size float64) geom.Pose {
	a := rapid.Float64Range(-7, 7)
	return geom.Pose{R: geom.RPY(a.Draw(t, "roll"), a.Draw(t, "pitch"), a.Draw(t, "yaw")), P: scale(size, drawVec(t, "place"))}
}

// boxPoints are the corners of a box and some points of it.
func boxPoints(t *rapid.T, b *geom.Box) []geom.Vec {
	var out []geom.Vec
	for i := range 8 {
		p := b.Min
		if i&1 != 0 {
			p.X = b.Max.X
		}
		if i&2 != 0 {
			p.Y = b.Max.Y
		}
		if i&4 != 0 {
			p.Z = b.Max.Z
		}
		out = append(out, p)
	}
	f := rapid.Float64Range(0, 1)
	for range 4 {
		p := geom.Vec{
			X: b.Min.X + f.Draw(t, "fx")*(b.Max.X-b.Min.X),
			Y: b.Min.Y + f.Draw(t, "fy")*(b.Max.Y-b.Min.Y),
			Z: b.Min.Z + f.Draw(t, "fz")*(b.Max.Z-b.Min.Z),
		}
		if within(b, p) {
			out = append(out, p)
		}
	}
	return out
}

// A ball that is beaten all over a box has the larger power at each of its points; and
// where it has by a margin, the rule says so.
func TestBeatenBallsHaveMorePower(t *testing.T) {
	said := 0
	rapid.Check(t, func(t *rapid.T) {
		size := drawScale(t)
		a, b := drawBall(t, "a", size), drawBall(t, "b", size)
		for range 6 {
			c := drawBox(t, size)
			beaten := b.beatenBy(&a, &c)
			if beaten {
				said++
			}
			margin := math.Inf(1)
			for _, p := range boxPoints(t, &c) {
				d := float(minus(power(&b, widened(p)), power(&a, widened(p))))
				if beaten && !(d > 0) {
					t.Fatalf("%v is beaten by %v in %v, but at %v its power is less by %g", b, a, c, p, -d)
				}
				margin = math.Min(margin, d)
			}
			// The difference is linear: what holds at the corners with room holds.
			if !beaten && margin > 1e-12*size*size {
				t.Fatalf("%v is beaten by %v in %v by %g, which goes unseen", b, a, c, margin)
			}
		}
	})
	if said < 10 {
		t.Errorf("the rule spoke %d times only", said)
	}
}

// Where a box recedes from a point along a direction, all of it does.
func TestRecedingBoxesRecede(t *testing.T) {
	said := 0
	rapid.Check(t, func(t *rapid.T) {
		size := drawScale(t)
		p, d := scale(size, drawVec(t, "p")), drawVec(t, "d")
		for range 6 {
			c := drawBox(t, size)
			says := recedes(&c, p, d)
			if says {
				said++
			}
			margin := math.Inf(1)
			for _, x := range boxPoints(t, &c) {
				w := float(widened(x).sub(widened(p)).dot(widened(d)))
				if says && !(w > 0) {
					t.Fatalf("%v does not recede from %v along %v at %v: %g", c, p, d, x, w)
				}
				margin = math.Min(margin, w)
			}
			if !says && margin > 1e-12*size {
				t.Fatalf("%v recedes from %v along %v by %g, which goes unseen", c, p, d, margin)
			}
		}
	})
	if said < 10 {
		t.Errorf("the rule spoke %d times only", said)
	}
}

// What a ball is said to hold it holds: boxes, and points with their error.
func TestBallsHoldWhatTheySay(t *testing.T) {
	said := 0
	rapid.Check(t, func(t *rapid.T) {
		size := drawScale(t)
		b, c := drawBall(t, "b", size), drawBox(t, size)
		if rapid.Bool().Draw(t, "near") { // a box that may just fit
			f := b.Radius * rapid.Float64Range(0.3, 0.6).Draw(t, "half")
			c = geom.Box{Min: sub(b.Center, geom.Vec{X: f, Y: f, Z: f}), Max: add(b.Center, geom.Vec{X: f, Y: f / 2, Z: f})}
		}
		if b.holdsBox(&c) {
			said++
			for _, p := range boxPoints(t, &c) {
				if !holdsExactly(&b, widened(p)) {
					t.Fatalf("%v does not hold %v of %v", b, p, c)
				}
			}
		}
		p, err := scale(size, drawVec(t, "p")), size*rapid.SampledFrom([]float64{0, 1e-12, 0.1}).Draw(t, "err")
		r := reach(b.Center, p, err)
		exact := plus(widened(p).sub(widened(b.Center)).length(), number(err))
		if atMost(r, exact) && exact.Sign() > 0 {
			t.Fatalf("reach %g from %v to %v does not reach %g", r, b.Center, p, float(exact))
		}
		if r > float(exact)*(1+1e-14)+1e-140 {
			t.Fatalf("reach %g from %v to %v is more than %g", r, b.Center, p, float(exact))
		}
	})
	if said < 5 {
		t.Errorf("balls held boxes %d times only", said)
	}
}

// drawTriangle draws triangles, needles, and such without area.
func drawTriangle(t *rapid.T, size float64) tri.Triangle {
	a, b, c := drawVec(t, "a"), drawVec(t, "b"), drawVec(t, "c")
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		c = add(scale(0.5, add(a, b)), scale(1e-7, c)) // a needle
	case 1:
		c = b
	case 2:
		b, c = a, a
	}
	return tri.Triangle{scale(size, a), scale(size, b), scale(size, c)}
}

// Bounds of the distance from a triangle are bounds, and tight where the triangle is
// no needle.
func TestSurfaceDistanceAgainstItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := drawScale(t)
		c, p := drawTriangle(t, size), scale(size, drawVec(t, "p"))
		m := &mesh.Mesh{Vertices: c[:], Triangles: [][3]int32{{0, 1, 2}}}
		lo, hi := surfaceDistance(bvh.OfTriangles(m, 1), m, p)
		want := triangleDistance(&c, p)
		if !atMost(lo, want) && want.Sign() > 0 || !atMost(-hi, wide().Neg(want)) {
			t.Fatalf("%v from %v: %g to %g, but it is %g", p, c, lo, hi, float(want))
		}
		if hi-lo > 1e-7*size {
			t.Fatalf("%v from %v: %g to %g is too wide", p, c, lo, hi)
		}
	})
}

// drawPrimitive draws a primitive of about a size.
func drawPrimitive(t *rapid.T, size float64) *shape.Shape {
	x := rapid.SampledFrom([]float64{1, 0.3, 0.01})
	s := &shape.Shape{Radius: size * x.Draw(t, "radius"), Length: size * x.Draw(t, "length")}
	s.Kind = rapid.SampledFrom([]shape.Kind{shape.Box, shape.Sphere, shape.Cylinder, shape.Capsule, shape.Cone}).Draw(t, "kind")
	if s.Kind == shape.Box {
		s.Size = geom.Vec{X: size * x.Draw(t, "sx"), Y: size * x.Draw(t, "sy"), Z: size * x.Draw(t, "sz")}
	}
	return s
}

// primitivePoint is a point of the solid in its own frame, exactly: f and g in [0, 1]
// choose it, on the surface where rim says so.
func primitivePoint(s *shape.Shape, f, g, h float64, d geom.Vec, rim bool) wideVec {
	out := number(1)
	if !rim {
		out = number(g)
	}
	half := over(number(s.Length), number(2))
	z := times(half, number(2*h-1))
	dx, dy := number(d.X), number(d.Y)
	flat := root(plus(times(dx, dx), times(dy, dy)))
	switch s.Kind {
	case shape.Box:
		return wideVec{times(number(s.Size.X), number(f-0.5)), times(number(s.Size.Y), number(g-0.5)), times(number(s.Size.Z), number(h-0.5))}
	case shape.Sphere:
		return widened(d).scale(over(times(out, number(s.Radius)), widened(d).length()))
	case shape.Capsule:
		p := widened(d).scale(over(times(out, number(s.Radius)), widened(d).length()))
		return p.add(wideVec{wide(), wide(), z})
	case shape.Cone: // radius shrinks to the tip
		out = times(out, number(1-h))
	}
	r := over(times(out, number(s.Radius)), flat)
	return wideVec{times(r, dx), times(r, dy), z}
}

// drawSolidPoint draws a point of a solid, exactly, in the link's frame.
func drawSolidPoint(t *rapid.T, s *shape.Shape, pose geom.Pose) wideVec {
	f := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.5, 1}))
	d := drawVec(t, "direction")
	if math.Hypot(d.X, d.Y) < 1e-3 {
		d.X = 1
	}
	return placed(pose, primitivePoint(s, f.Draw(t, "f"), f.Draw(t, "g"), f.Draw(t, "h"), d, rapid.Bool().Draw(t, "rim")))
}

func bodyOf(t testing.TB, collisions ...urdf.Collision) *Body {
	t.Helper()
	b, err := NewBody(&urdf.Link{Name: "link", Collisions: collisions})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// No point of a primitive is closer than its distance from below, and the ball that is
// said to be inside has no point that is not.
func TestPrimitiveDistancesAreBounds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		size := drawScale(r)
		s, pose := drawPrimitive(r, size), drawPose(r, size)
		b := bodyOf(t, urdf.Collision{PoseLS: pose, Shape: s})
		p := add(pose.P, scale(size, drawVec(r, "p")))
		lo, hi := b.Distance(p)
		if !(hi >= lo) || hi-lo > 1e-12*size {
			r.Fatalf("%v at %v: %g to %g", s, p, lo, hi)
		}
		if d := plainDistance(s, pose.ApplyInv(p)); d > 2e-3*s.Length+1e-9*size && (hi < d-2e-3*s.Length-1e-9*size || lo > d+1e-9*size) {
			r.Fatalf("%v is %g to %g from %v, but %g", p, lo, hi, s, d)
		}
		x := drawSolidPoint(r, s, pose)
		d := x.sub(widened(p)).length()
		if !atMost(lo, d) {
			r.Fatalf("%v of %v is %g from %v, closer than %g", x, s, float(d), p, lo)
		}
		if d.Sign() == 0 || hi >= 0 {
			return
		}
		// Beyond the point on the far side: a surface point closer than -hi is none.
		if rim := primitivePoint(s, 0.5, 1, 0.5, geom.Vec{X: 1, Y: 0.3}, true); s.Kind != shape.Box {
			if e := placed(pose, rim).sub(widened(p)).length(); float(e) < -hi*(1-1e-12) && s.Kind != shape.Capsule {
				r.Fatalf("the surface of %v is %g from %v, inside by %g", s, float(e), p, -hi)
			}
		}
	})
}

// plainDistance is how far q is outside a primitive, in its frame: of a cone by
// trying its slices, so that it is too large by less than the way between two.
func plainDistance(s *shape.Shape, q geom.Vec) float64 {
	beyond := func(x, half float64) float64 { return math.Max(math.Abs(x)-half, 0) }
	rho, h := math.Hypot(q.X, q.Y), s.Length/2
	switch s.Kind {
	case shape.Box:
		return math.Hypot(beyond(q.X, s.Size.X/2), math.Hypot(beyond(q.Y, s.Size.Y/2), beyond(q.Z, s.Size.Z/2)))
	case shape.Sphere:
		return math.Max(math.Hypot(rho, q.Z)-s.Radius, 0)
	case shape.Capsule:
		return math.Max(math.Hypot(rho, beyond(q.Z, h))-s.Radius, 0)
	case shape.Cylinder:
		return math.Hypot(beyond(rho, s.Radius), beyond(q.Z, h))
	}
	best := math.Inf(1)
	for i := range 1001 {
		t := float64(i) / 1000
		best = math.Min(best, math.Hypot(beyond(rho, s.Radius*(1-t)), q.Z-(2*t-1)*h))
	}
	return best
}

// Halved pieces of primitives are held by the radius that reach asks for, at each
// exact point; and no piece of the surface is lost in halving.
func TestPatchesReach(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		size := drawScale(r)
		s, pose := drawPrimitive(r, size), drawPose(r, size)
		b := bodyOf(t, urdf.Collision{PoseLS: pose, Shape: s})
		center := add(pose.P, scale(size, drawVec(r, "center")))
		pieces := b.Pieces()
		for range rapid.IntRange(0, 12).Draw(r, "halvings") {
			i := rapid.IntRange(0, len(pieces)-1).Draw(r, "piece")
			x, y := pieces[i].Halves()
			pieces[i] = x
			pieces = append(pieces, y)
		}
		// A point of the surface must be within the reach of some piece. Its own is
		// not known, so the most distant points are asked about: the largest reach.
		most := 0.0
		for i := range pieces {
			most = math.Max(most, pieces[i].Reach(center))
		}
		for range 6 {
			x := drawSolidPoint(r, s, pose)
			if d := x.sub(widened(center)).length(); atMost(most, d) && d.Sign() > 0 {
				r.Fatalf("%v of %v is %g from %v, farther than all pieces (%g)", x, s, float(d), center, most)
			}
		}
	})
}

// A patch reaches as far as its own exact points, and no farther than its size.
func TestPatchHoldsItsPoints(t *testing.T) {
	tight := 0
	rapid.Check(t, func(r *rapid.T) {
		size := drawScale(r)
		s, pose := drawPrimitive(r, size), drawPose(r, size)
		if s.Kind == shape.Box {
			r.Skip("no patches")
		}
		b := bodyOf(t, urdf.Collision{PoseLS: pose, Shape: s})
		p := b.patches[rapid.IntRange(0, len(b.patches)-1).Draw(r, "patch")]
		for range rapid.IntRange(0, 10).Draw(r, "halvings") {
			x, y := p.halves()
			p = x
			if rapid.Bool().Draw(r, "second") {
				p = y
			}
		}
		center := add(pose.P, scale(size, drawVec(r, "center")))
		have, far := p.reach(center), 0.0
		f := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 1}))
		for range 8 {
			x := placed(pose, patchPoint(&p, f.Draw(r, "along"), f.Draw(r, "turn")))
			d := x.sub(widened(center)).length()
			if atMost(have, d) && d.Sign() > 0 {
				r.Fatalf("%v of %+v is %g from %v, which reaches %g", x, p, float(d), center, have)
			}
			far = math.Max(far, float(d))
		}
		if have <= far+p.span()+1e-12*size {
			tight++
		} else {
			r.Fatalf("reach %g of a patch of size %g whose points are within %g", have, p.span(), far)
		}
	})
	if tight == 0 {
		t.Error("nothing was tried")
	}
}

// patchPoint is a point of a patch, exactly.
func patchPoint(p *patch, along, turn float64) wideVec {
	mix := func(a, b pair, t float64) [2]*big.Float {
		return [2]*big.Float{
			plus(times(number(1-t), number(a[0])), times(number(t), number(b[0]))),
			plus(times(number(1-t), number(a[1])), times(number(t), number(b[1]))),
		}
	}
	unit := func(v [2]*big.Float) [2]*big.Float {
		l := root(plus(times(v[0], v[0]), times(v[1], v[1])))
		return [2]*big.Float{over(v[0], l), over(v[1], l)}
	}
	k := mix(p.p, p.q, along)
	if p.arc {
		k = unit(k)
		k = [2]*big.Float{times(number(p.radius), k[0]), plus(number(p.center), times(number(p.radius), k[1]))}
	}
	d := unit(mix(p.a, p.b, turn))
	return wideVec{times(k[0], d[0]), times(k[0], d[1]), k[1]}
}

// Points and cells, which robots have too (a sphere of radius 0 is a point), are where
// their numbers say, however far from the shape's own origin.
func TestPointsAndCellsAreWhereTheyAre(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		size := drawScale(r)
		pose := drawPose(r, size)
		far := min(size*rapid.SampledFrom([]float64{1, 1e6}).Draw(r, "far"), geom.MaxLength/4)
		p := scale(far, drawVec(r, "point"))
		pose.P = sub(pose.P, pose.R.Apply(p)) // so that it comes out near the origin
		side := geom.Vec{X: 0.1 * size, Y: 0.2 * size, Z: 0.3 * size}
		points := bodyOf(t, urdf.Collision{PoseLS: pose, Shape: &shape.Shape{Kind: shape.Points, Points: []geom.Vec{p}, Radius: 0}})
		cell := geom.Box{Min: p, Max: add(p, side)}
		cells := bodyOf(t, urdf.Collision{PoseLS: pose, Shape: &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{cell}}})
		q := scale(size, drawVec(r, "q"))
		for name, b := range map[string]*Body{"points": points, "cells": cells} {
			for _, x := range []geom.Vec{cell.Min, cell.Max} {
				if name == "points" && x != p {
					continue
				}
				exact := placed(pose, widened(x))
				d := exact.sub(widened(q)).length()
				if lo, _ := b.Distance(q); !atMost(lo, d) {
					r.Fatalf("%s: %v is %g from %v, not %g or more", name, x, float(d), q, lo)
				}
				most := 0.0
				for _, k := range b.Pieces() {
					most = math.Max(most, k.Reach(q))
				}
				if name == "points" && most > float(d)+1e-9*(size+size1(p)) {
					r.Fatalf("a point is %g from %v, its pieces reach %g", float(d), q, most)
				}
				if atMost(most, d) && d.Sign() > 0 {
					r.Fatalf("%s: %v is %g from %v, beyond all pieces (%g)", name, x, float(d), q, most)
				}
			}
		}
	})
}

// The distance from a cone by hand: below its base, beside its rim, off its slant and
// above its tip.
func TestDistanceFromACone(t *testing.T) {
	b := bodyOf(t, urdf.Collision{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Cone, Radius: 3, Length: 4}})
	for _, c := range []struct {
		at   geom.Vec
		want float64
	}{
		{geom.Vec{Z: -3}, 1},
		{geom.Vec{X: 1.5, Z: -7}, 5},
		{geom.Vec{X: 6, Z: -6}, 5},        // from the rim
		{geom.Vec{X: 5.5, Z: 3}, 5},       // from the middle of the slant, along (4, 3)/5
		{geom.Vec{Y: 3, Z: 6}, 5},         // from the tip
		{geom.Vec{Z: -1.75}, -0.25},       // inside, below all
		{geom.Vec{X: 1.1, Z: -0.3}, -0.5}, // inside, by the slant
	} {
		lo, hi := b.Distance(c.at)
		if lo > c.want+1e-12 || hi < c.want-1e-12 || hi-lo > 1e-12 {
			t.Errorf("from %v: %g to %g, want %g", c.at, lo, hi, c.want)
		}
	}
}

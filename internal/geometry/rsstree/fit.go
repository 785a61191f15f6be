package rsstree

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Fitting. SSL04 III-B: the two principal directions that the points span carry a
// rectangle around their projection; the radius is half of what they span across it;
// then the rectangle shrinks as far as the spheres at its border allow. Which
// directions, which rectangle: none of that is trusted. Only the last pass is, which
// makes the radius large enough for every point.

// fitter is the scratch of fitting.
type fitter struct{ local []geom.Vec }

// fit returns an RSS around points, of which there is at least one, and the
// directions it was fitted along, the longest first.
func (f *fitter) fit(points []geom.Vec) (RSS, [3]geom.Vec) {
	best := f.along(principal(points), points)
	if c := f.along([3]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}, points); c.measure() < best.measure() {
		best = c
	}
	return best.around(points), best.axes
}

// fitTriangle is fit for the corners of one triangle, which lie in a plane.
func (f *fitter) fitTriangle(p []geom.Vec) RSS {
	e := [3]geom.Vec{r3.Sub(p[1], p[0]), r3.Sub(p[2], p[1]), r3.Sub(p[0], p[2])}
	long := 0
	for i := range e {
		if r3.Norm2(e[i]) > r3.Norm2(e[long]) {
			long = i
		}
	}
	x, ok := geom.Unit(e[long])
	if !ok {
		x = geom.Vec{X: 1}
	}
	z, ok := geom.Unit(r3.Cross(e[long], e[(long+1)%3]))
	if !ok {
		z = across(x)
	}
	c := f.along([3]geom.Vec{x, r3.Cross(z, x), z}, p)
	return c.around(p)
}

// across returns a unit vector at a right angle to a unit vector.
func across(x geom.Vec) geom.Vec {
	other := geom.Vec{X: 1}
	if math.Abs(x.X) > 0.8 {
		other = geom.Vec{Y: 1}
	}
	z, _ := geom.Unit(r3.Cross(x, other))
	return z
}

// candidate is a rectangle with sides along the first two axes, in the middle of
// what the points span along the third, and about how large a radius it needs.
type candidate struct {
	axes   [3]geom.Vec
	sides  [2]span
	depth  float64
	radius float64
}

// measure tells a large candidate from a small one: half the surface of the box
// around it.
func (c *candidate) measure() float64 {
	a, b := c.sides[0].half()+c.radius, c.sides[1].half()+c.radius
	return a*b + (a+b)*c.radius
}

// around returns the RSS with the candidate's rectangle, its radius large enough for
// every point. This is the pass that is trusted.
func (c *candidate) around(points []geom.Vec) RSS {
	x, y := c.sides[0], c.sides[1]
	center := r3.Add(r3.Scale(x.mid(), c.axes[0]), r3.Add(r3.Scale(y.mid(), c.axes[1]), r3.Scale(c.depth, c.axes[2])))
	r := RSS{Center: center, U: r3.Scale(x.half(), c.axes[0]), V: r3.Scale(y.half(), c.axes[1])}
	q := rectOf(&r)
	extent := q.extent()
	for i := range points {
		r.Radius = math.Max(r.Radius, q.reach(points[i], extent))
	}
	return r
}

// span is the least and the largest coordinate along an axis.
type span struct{ lo, hi float64 }

func (s span) mid() float64  { return s.lo + (s.hi-s.lo)/2 }
func (s span) half() float64 { return (s.hi - s.lo) / 2 }

func (s *span) extend(x float64) {
	if x < s.lo {
		s.lo = x
	}
	if x > s.hi {
		s.hi = x
	}
}

var nothing = span{math.Inf(1), math.Inf(-1)}

// along fits along three axes, sorted by what the points span along them.
func (f *fitter) along(axes [3]geom.Vec, points []geom.Vec) candidate {
	spans := [3]span{nothing, nothing, nothing}
	f.local = f.local[:0]
	for i := range points {
		p := geom.Vec{X: r3.Dot(axes[0], points[i]), Y: r3.Dot(axes[1], points[i]), Z: r3.Dot(axes[2], points[i])}
		f.local = append(f.local, p)
		spans[0].extend(p.X)
		spans[1].extend(p.Y)
		spans[2].extend(p.Z)
	}
	for _, s := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if i, j := s[0], s[1]; spans[j].half() > spans[i].half() {
			axes[i], axes[j], spans[i], spans[j] = axes[j], axes[i], spans[j], spans[i]
			f.exchange(i, j)
		}
	}
	full := candidate{axes: axes, sides: [2]span{spans[0], spans[1]}, depth: spans[2].mid(), radius: spans[2].half()}
	if len(points) == 1 || full.radius == 0 {
		return full
	}
	drawn := f.shrunk(&full)
	if drawn.measure() < full.measure() {
		return drawn
	}
	return full
}

// exchange swaps two coordinates of the local points.
func (f *fitter) exchange(i, j int) {
	for k := range f.local {
		p := &f.local[k]
		switch i + j {
		case 1:
			p.X, p.Y = p.Y, p.X
		case 3:
			p.Y, p.Z = p.Z, p.Y
		}
	}
}

// shrunk draws in the sides of the rectangle as far as spheres of the radius at its
// border still hold every point that is beyond one side alone, and lets its corners
// out again where a point is beyond two.
func (f *fitter) shrunk(full *candidate) candidate {
	c, r := *full, full.radius
	rest := func(z float64) float64 { // squared, of the radius at the point's depth
		z -= full.depth
		return math.Max(0, r*r-z*z)
	}
	x, y := span{math.Inf(1), math.Inf(-1)}, span{math.Inf(1), math.Inf(-1)}
	for i := range f.local {
		p := &f.local[i]
		d := math.Sqrt(rest(p.Z))
		x.lo, x.hi = math.Min(x.lo, p.X+d), math.Max(x.hi, p.X-d)
		y.lo, y.hi = math.Min(y.lo, p.Y+d), math.Max(y.hi, p.Y-d)
	}
	c.sides = [2]span{orMiddle(x, full.sides[0]), orMiddle(y, full.sides[1])}
	for i := range f.local {
		p := &f.local[i]
		dx, dy := outside(p.X, c.sides[0]), outside(p.Y, c.sides[1])
		free := rest(p.Z)
		if dx == 0 || dy == 0 || dx*dx+dy*dy <= free {
			continue
		}
		// The corner goes out along both sides until (|dx|-t)² + (|dy|-t)² = free.
		ax, ay := math.Abs(dx), math.Abs(dy)
		t := (ax + ay - math.Sqrt(math.Max(0, 2*free-(ax-ay)*(ax-ay)))) / 2
		c.sides[0].stretch(dx, t)
		c.sides[1].stretch(dy, t)
	}
	for i := range f.local {
		p := &f.local[i]
		dx, dy, z := outside(p.X, c.sides[0]), outside(p.Y, c.sides[1]), p.Z-full.depth
		c.radius = math.Max(c.radius, math.Sqrt(dx*dx+dy*dy+z*z))
	}
	return c
}

// orMiddle returns the span, or the middle of the other where it is empty.
func orMiddle(s, full span) span {
	if s.lo > s.hi {
		return span{full.mid(), full.mid()}
	}
	return s
}

// outside tells how far x is beyond the span, negative below it.
func outside(x float64, s span) float64 {
	if x > s.hi {
		return x - s.hi
	}
	if x < s.lo {
		return x - s.lo
	}
	return 0
}

func (s *span) stretch(towards, by float64) {
	if towards > 0 {
		s.hi += by
	} else {
		s.lo -= by
	}
}

// principal returns the principal directions of points: the eigenvectors of their
// covariance, by Jacobi's rotations.
func principal(points []geom.Vec) [3]geom.Vec {
	m := covariance(points)
	axes := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for range 8 {
		if m[0][1] == 0 && m[0][2] == 0 && m[1][2] == 0 {
			break
		}
		for _, p := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
			rotate(&m, &axes, p[0], p[1])
		}
	}
	x, okX := geom.Unit(geom.Vec{X: axes[0][0], Y: axes[1][0], Z: axes[2][0]})
	y, okY := geom.Unit(geom.Vec{X: axes[0][1], Y: axes[1][1], Z: axes[2][1]})
	if !okX || !okY {
		return [3]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	}
	return [3]geom.Vec{x, y, r3.Cross(x, y)}
}

// rotate makes entry (p, q) of the symmetric m zero by a rotation, which axes takes on.
func rotate(m, axes *[3][3]float64, p, q int) {
	if m[p][q] == 0 {
		return
	}
	theta := (m[q][q] - m[p][p]) / (2 * m[p][q])
	t := 1 / (math.Abs(theta) + math.Hypot(theta, 1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Hypot(t, 1)
	s := t * c
	for k := range 3 {
		m[k][p], m[k][q] = c*m[k][p]-s*m[k][q], s*m[k][p]+c*m[k][q]
	}
	for k := range 3 {
		m[p][k], m[q][k] = c*m[p][k]-s*m[q][k], s*m[p][k]+c*m[q][k]
		axes[k][p], axes[k][q] = c*axes[k][p]-s*axes[k][q], s*axes[k][p]+c*axes[k][q]
	}
	m[p][q], m[q][p] = 0, 0
}

func covariance(points []geom.Vec) (m [3][3]float64) {
	var mean geom.Vec
	for i := range points {
		mean = r3.Add(mean, points[i])
	}
	mean = r3.Scale(1/float64(len(points)), mean)
	for i := range points {
		d := r3.Sub(points[i], mean)
		x := [3]float64{d.X, d.Y, d.Z}
		for j := range 3 {
			for k := range 3 {
				m[j][k] += x[j] * x[k]
			}
		}
	}
	return m
}

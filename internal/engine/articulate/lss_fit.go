package articulate

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// The search for a small line swept sphere. Nothing here is trusted: LSSAround measures
// what it finds.

// fitLSS looks for a small line swept sphere around points with radius added.
func fitLSS(points []geom.Vec, radius float64) LSS {
	ball := convex.MinBall(points)
	best := LSS{A: ball.Center, B: ball.Center, Radius: ball.Radius + radius}
	dirs := principal(points)
	for _, d := range append(dirs[:], diameter(points)) {
		if l := alongLine(points, d, radius); l.Volume() < best.Volume() {
			best = l
		}
	}
	return turned(points, best, radius)
}

// principal returns the directions of the points' covariance, orthonormal.
func principal(points []geom.Vec) [3]geom.Vec {
	var mean geom.Vec
	for _, p := range points {
		mean = r3.Add(mean, r3.Scale(1/float64(len(points)), p))
	}
	cov := mat.NewSymDense(3, nil)
	for _, p := range points {
		d := r3.Sub(p, mean)
		cov.SymRankOne(cov, 1, mat.NewVecDense(3, []float64{d.X, d.Y, d.Z}))
	}
	axes := [3]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return axes
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	for i := range axes {
		if d, ok := geom.Unit(geom.Vec{X: v.At(0, i), Y: v.At(1, i), Z: v.At(2, i)}); ok {
			axes[i] = d
		}
	}
	return axes
}

// diameter returns the direction between two points that are far apart: each is the
// farthest from the other but for the first guess.
func diameter(points []geom.Vec) geom.Vec {
	a := points[0]
	var b geom.Vec
	for range 3 {
		b = farthestFrom(points, a)
		a, b = b, a
	}
	if d, ok := geom.Unit(r3.Sub(a, b)); ok {
		return d
	}
	return geom.Vec{Z: 1}
}

func farthestFrom(points []geom.Vec, from geom.Vec) geom.Vec {
	at, most := from, -1.0
	for _, p := range points {
		if d := r3.Norm2(r3.Sub(p, from)); d > most {
			at, most = p, d
		}
	}
	return at
}

// alongLine returns a small line swept sphere of direction d: its line goes through
// the middle of the smallest circle around the points seen along d, and the radius is
// the circle's or a little more, where the ends can then be drawn in far enough.
func alongLine(points []geom.Vec, d geom.Vec, radius float64) LSS {
	flat := make([]geom.Vec, len(points))
	for i, p := range points {
		flat[i] = r3.Sub(p, r3.Scale(r3.Dot(p, d), d))
	}
	circle := convex.MinBall(flat)
	best := LSS{Radius: math.Inf(1)}
	for _, more := range [...]float64{0, 0.01, 0.03, 0.07, 0.15, 0.3} {
		if l := onLine(points, circle.Center, d, circle.Radius*(1+more), radius); !(l.Volume() >= best.Volume()) {
			best = l
		}
	}
	return best
}

// onLine returns the line swept sphere on the line through o along d whose radius is
// core + radius, core being at least as far as any point is from the line, and whose
// ends are drawn in as far as its caps allow: a point at distance rho from the line and
// x along it is within core of the segment [a, b] only if a <= x + sqrt(core^2 - rho^2)
// and b >= x - sqrt(core^2 - rho^2).
func onLine(points []geom.Vec, o, d geom.Vec, core, radius float64) LSS {
	a, b := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		v := r3.Sub(p, o)
		x := r3.Dot(v, d)
		room := math.Sqrt(max(core*core-r3.Norm2(r3.Sub(v, r3.Scale(x, d))), 0))
		a, b = min(a, x+room), max(b, x-room)
	}
	if a > b {
		a, b = (a+b)/2, (a+b)/2
	}
	return LSS{A: r3.Add(o, r3.Scale(a, d)), B: r3.Add(o, r3.Scale(b, d)), Radius: core + radius}
}

// drawnIn returns the volume about l's line for all points.
func drawnIn(points []geom.Vec, l LSS, radius float64) LSS {
	d, ok := geom.Unit(r3.Sub(l.B, l.A))
	if !ok {
		return l
	}
	core := 0.0
	for _, p := range points {
		v := r3.Sub(p, l.A)
		core = max(core, geom.Norm(r3.Cross(v, d)))
	}
	return onLine(points, l.A, d, max(core, l.Radius-radius), radius)
}

// turned turns the line of l, a little less each time, as long as that makes the volume
// smaller.
func turned(points []geom.Vec, l LSS, radius float64) LSS {
	d, ok := geom.Unit(r3.Sub(l.B, l.A))
	if !ok {
		return l
	}
	for angle := 0.2; angle > 0.005; angle /= 2 {
		x, y := across(d)
		for _, side := range [...]geom.Vec{x, r3.Scale(-1, x), y, r3.Scale(-1, y)} {
			t, _ := geom.Unit(r3.Add(d, r3.Scale(angle, side)))
			if m := alongLine(points, t, radius); m.Volume() < l.Volume() {
				l, d = m, t
			}
		}
	}
	return l
}

// across returns two unit vectors normal to the unit vector d and to each other.
func across(d geom.Vec) (x, y geom.Vec) {
	x = geom.Vec{X: 1}
	if math.Abs(d.X) > 0.6 {
		x = geom.Vec{Y: 1}
	}
	x, _ = geom.Unit(r3.Cross(d, x))
	return x, r3.Cross(d, x)
}

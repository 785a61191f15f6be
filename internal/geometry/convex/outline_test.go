package convex

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

// best is the least computing time that f took in a few tries.
func best(t *testing.T, f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Hour
	for range 5 {
		begin, err := cputime.Thread()
		f()
		end, err2 := cputime.Thread()
		if err != nil || err2 != nil {
			t.Skip(err, err2)
		}
		least = min(least, end-begin)
	}
	return least
}

// A hull of which every point is a vertex takes little more than n log n: four times
// the points, not sixteen times the time.
func TestHullsOfManyVerticesAreQuick(t *testing.T) {
	few, many := sphere(900), sphere(3600)
	hull := func(ps []geom.Vec) func() {
		return func() {
			if c, err := HullOf(ps); err != nil || len(c.Vertices) != len(ps) {
				t.Fatal(len(c.Vertices), err)
			}
		}
	}
	a, b := best(t, hull(few)), best(t, hull(many))
	t.Logf("%d points in %v, %d in %v", len(few), a, len(many), b)
	if b > 9*a {
		t.Errorf("%d points take %v, %d take %v: %.1f times as long", len(few), a, len(many), b, float64(b)/float64(a))
	}
}

// Hardly a vertex of a hull is within rounding of the hull of the others, and what was
// left out is.
func TestHullsHaveFewVerticesTooMany(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 23))
	var needless, vertices int
	for i := range 60 {
		ps := patterned(r, i%4)
		turned := geom.AxisAngle(unit(r), 6*r.Float64())
		for k := range ps {
			if i%3 > 0 { // else many are in one plane exactly
				ps[k] = turned.Apply(ps[k])
			}
		}
		c, err := HullOf(ps)
		if err != nil {
			t.Fatal(err)
		}
		tol := hullRounding * extentOf(ps)
		if c.Radius > 32*tol {
			t.Errorf("set %d: a radius of %g for points of size %g", i, c.Radius, extentOf(ps))
		}
		redundant := 0
		vertices += len(c.Vertices)
		for k, v := range c.Vertices {
			others := Core{Kind: Hull, Vertices: slices.Delete(slices.Clone(c.Vertices), k, k+1)}
			if len(c.Vertices) > 3 && others.reach(v) <= tol {
				redundant++
			}
		}
		if needless += redundant; 4*redundant > len(c.Vertices) {
			t.Errorf("set %d: %d vertices of %d are in the hull of the others", i, redundant, len(c.Vertices))
		}
	}
	if 50*needless > vertices {
		t.Errorf("%d of %d vertices are in the hull of the others", needless, vertices)
	}
}

// patterned returns points in regular patterns, many of them on flat faces and edges
// of their hull.
func patterned(r *rand.Rand, kind int) (ps []geom.Vec) {
	n := 3 + r.IntN(8)
	switch kind {
	case 0: // a lattice
		for k := range n * n * n {
			ps = append(ps, geom.Vec{X: float64(k % n), Y: float64(k / n % n), Z: 0.3 * float64(k/n/n)})
		}
	case 1: // rings of a cylinder
		for _, p := range sphere(4 * n) {
			if l := norm(geom.Vec{X: p.X, Y: p.Y}); l > 0 {
				for k := range n {
					ps = append(ps, geom.Vec{X: p.X / l, Y: p.Y / l, Z: float64(k)})
				}
			}
		}
	case 2: // a flat grid
		for k := range n * n {
			ps = append(ps, geom.Vec{X: float64(k % n), Y: float64(k / n)})
		}
	default: // a sphere with the middles of what it joins
		ps = sphere(10 * n)
		for k := range ps {
			ps = append(ps, scale(0.5, add(ps[k], ps[(k+1)%(10*n)])))
		}
	}
	return ps
}

func unit(r *rand.Rand) geom.Vec {
	n, ok := geom.Unit(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
	if !ok {
		return geom.Vec{X: 1}
	}
	return n
}

package convex

import (
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// hardDirection is a direction of any size, with zeros and tiny coordinates.
func hardDirection(r *rand.Rand) geom.Vec {
	k := math.Pow(10, 12*r.Float64()-6)
	one := func() float64 {
		switch r.Intn(6) {
		case 0:
			return 0
		case 1:
			return k * 1e-200 * r.NormFloat64()
		case 2:
			return k * 1e-9 * r.NormFloat64()
		}
		return k * r.NormFloat64()
	}
	return geom.Vec{X: one(), Y: one(), Z: one()}
}

// SupportValue is within SupportError of the exact maximum, and the bound is not
// idle: rounding comes within a factor of a few of it.
func TestSupportValueWithinError(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for k := Point; k <= Hull; k++ {
		var worst float64
		for range 2000 {
			c := randomCore(r, k)
			c = c.scaled(math.Pow(10, 9*r.Float64()-6))
			d := hardDirection(r)
			exact := c.exactSupport(bv(d))
			diff := math.Abs(toFloat(bsub(bf(c.SupportValue(d)), exact)))
			bound := c.SupportError(d)
			if !(diff <= bound) {
				t.Fatalf("%s: off by %g, bound %g\n%+v %v", k.name(), diff, bound, c, d)
			}
			worst = math.Max(worst, diff/bound)
			at := toFloat(bsub(bv(c.Support(d)).dot(bv(d)), exact))
			if !(math.Abs(at) <= 2*bound) {
				t.Fatalf("%s: support point off by %g, bound %g\n%+v %v", k.name(), at, bound, c, d)
			}
			if off := c.off(c.Support(d)); !(off <= 8*0x1p-53*c.Extent()) {
				t.Fatalf("%s: support point %g outside the core", k.name(), off)
			}
		}
		t.Logf("%s: worst error %.2f of the bound", k.name(), worst)
		if worst < 0.1 {
			t.Errorf("%s: the test does not come near the bound", k.name())
		}
	}
}

// Gap is below the exact support gap and close to it; without its rounding term it
// would not be below.
func TestGapIsBelowExact(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	raised := 0
	var worst float64
	for range 30000 {
		a, b := randomCore(r, Kind(r.Intn(7))), randomCore(r, Kind(r.Intn(7)))
		if r.Intn(2) == 0 {
			a.Radius, b.Radius = r.Float64(), r.Float64()
		}
		pa, pb := randomPose(r, 3), randomPose(r, 3)
		n := hardDirection(r)
		gap := Gap(&a, &pa, &b, &pb, n)
		under := toFloat(bsub(exactGap(&a, pa, &b, pb, n), bf(gap)))
		size := a.Extent() + b.Extent() + norm(sub(pb.P, pa.P)) + a.Radius + b.Radius
		bound := gapRounding * size * (norm(n) + underflow)
		if !(under >= 0 && under <= 2*bound) {
			t.Fatalf("gap %g is %g below the exact one, bound %g\n%+v %+v\n%+v %+v %v", gap, under, bound, a, pa, b, pb, n)
		}
		if under < bound {
			raised++
		}
		worst = math.Max(worst, (bound-under)/bound)
	}
	t.Logf("without its rounding term %d of 30000 would be too large, by up to %.2f of it", raised, worst)
	if raised < 1000 || worst < 0.05 {
		t.Errorf("the test does not reach the rounding term")
	}
}

// NaN proves nothing.
func TestNaNProvesNothing(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	nan := math.NaN()
	id := geom.IdentityPose()
	for k := Point; k <= Hull; k++ {
		a, b := randomCore(r, k), randomCore(r, Box)
		far := geom.Translation(geom.Vec{X: 100})
		for _, n := range []geom.Vec{{X: nan}, {X: 1, Y: nan}, {X: 1, Z: nan}, {X: 1, Y: nan, Z: nan}} {
			if v := a.SupportValue(n); v == v {
				t.Errorf("%s: support along %v is %g", k.name(), n, v)
			}
			if gap := Gap(&a, &id, &b, &far, n); gap > 0 {
				t.Errorf("%s: gap along %v is %g", k.name(), n, gap)
			}
		}
		bad := far
		bad.P.Y = nan
		if gap := Gap(&a, &id, &b, &bad, geom.Vec{X: 1}); gap > 0 {
			t.Errorf("%s: gap to a place that is not a number is %g", k.name(), gap)
		}
		turned := far
		turned.R.XX = nan
		for _, pose := range []geom.Pose{bad, turned} {
			var ws Workspace
			if got := Distance(&a, &id, &b, &pose, &ws); got.Overlap || got.Lower > 0 || got.Distance == got.Distance {
				t.Errorf("%s: distance to a place that is not a number is %+v", k.name(), got)
			}
			if _, _, ok := Separated(&a, &id, &b, &pose, 0, &ws); ok {
				t.Errorf("%s: separated from a place that is not a number", k.name())
			}
		}
	}
	none := Core{Kind: 99}
	far := geom.Translation(geom.Vec{X: 100})
	if gap := Gap(&none, &id, &none, &far, geom.Vec{X: 1}); gap > 0 {
		t.Errorf("gap of unknown kinds is %g", gap)
	}
}

// Columns find the same vertex as the plain scan, and the same value bit for bit.
func TestColumnsFindTheSame(t *testing.T) {
	if !vectors {
		t.Log("this processor has no vector instructions: the plain scan stands alone")
		return
	}
	r := rand.New(rand.NewSource(7))
	for n := fewVertices; n < 140; n++ {
		var vs []geom.Vec
		away := scale(10, randomVec(r, 1)) // so that every vertex may be against a direction
		if n%2 == 0 {
			away = geom.Vec{}
		}
		for range n {
			v := randomVec(r, 1)
			if r.Intn(3) == 0 {
				v = geom.Vec{X: math.Round(v.X), Y: math.Round(v.Y), Z: math.Round(v.Z)} // ties
			}
			vs = append(vs, add(v, away))
		}
		c, err := New(Core{Kind: Hull, Vertices: vs})
		if err != nil || len(c.cols.x) == 0 {
			t.Fatalf("no columns for %d vertices: %v", n, err)
		}
		for range 300 {
			d := hardDirection(r)
			at := extreme(c.Vertices, d)
			if got, value := c.extreme(d), c.SupportValue(d); got != at || value != dot(c.Vertices[at], d) {
				t.Fatalf("%d vertices, direction %v: vertex %d with %g by columns, %d with %g by scan", n, d, got, value, at, dot(c.Vertices[at], d))
			}
		}
		bad := geom.Vec{X: 1, Y: math.NaN()}
		if got, value := c.extreme(bad), c.SupportValue(bad); got != 0 || !math.IsNaN(value) {
			t.Fatalf("%d vertices: vertex %d with %g in no direction", n, got, value)
		}
	}
}

// Groups find the same value as the plain scan, bit for bit, in few steps.
func TestGroupsFindTheSame(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for _, n := range []int{manyVertices, 100, 500, 3000} {
		var vs []geom.Vec
		for range n {
			u, _ := geom.Unit(randomVec(r, 1))
			if r.Intn(3) == 0 {
				u.Z = math.Round(u.Z)
			}
			vs = append(vs, add(u, geom.Vec{X: float64(n % 3 * 100)}))
		}
		c, err := New(Core{Kind: Hull, Vertices: vs})
		if err != nil {
			t.Fatal(err)
		}
		c.groups, c.cols = groupsOf(c.Vertices, c.extent), columns{}
		for i := range 20000 {
			d := hardDirection(r)
			if i%4 == 0 {
				d = sub(vs[r.Intn(n)], geom.Vec{X: float64(n % 3 * 100)})
			}
			plain, grouped := dot(vs[extreme(vs, d)], d), c.SupportValue(d)
			if plain != grouped {
				t.Fatalf("%d vertices, direction %v: %g by scan, %g by groups", n, d, plain, grouped)
			}
		}
		// Every group bounds its own vertices, and together they are all.
		seen := 0
		for _, g := range c.groups {
			seen += int(g.end - g.first)
			for _, v := range c.Vertices[g.first:g.end] {
				for i := range 50 {
					d := hardDirection(r)
					if i%2 == 0 { // in which the ball is no wider than it must be
						d = scale(math.Pow(10, 4*r.Float64()-2), sub(v, g.center))
					}
					if b := dot(g.center, d) + g.radius*(norm(d)+underflow); b < dot(v, d) {
						t.Fatalf("bound %g of a group is below %g", b, dot(v, d))
					}
				}
			}
		}
		if seen != n {
			t.Fatalf("groups hold %d of %d vertices", seen, n)
		}
	}
}

// The stored extent is of the vertices it was measured on, not of others that a
// copy was given.
func TestExtentOfCopy(t *testing.T) {
	c, err := New(Core{Kind: Hull, Vertices: []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	d := c
	d.Vertices = []geom.Vec{{X: 5}, {Y: 1}, {Z: 1}}
	if c.Extent() != 1 || d.Extent() != 5 {
		t.Fatalf("extents %g and %g, want 1 and 5", c.Extent(), d.Extent())
	}
}

func TestNewRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]Core{
		"no vertices":     {Kind: Hull},
		"two for three":   {Kind: Triangle, Vertices: make([]geom.Vec, 2)},
		"NaN vertex":      {Kind: Point, Vertices: []geom.Vec{{Y: nan}}},
		"infinite vertex": {Kind: Hull, Vertices: []geom.Vec{{}, {X: -inf}}},
		"negative radius": {Kind: Point, Vertices: make([]geom.Vec, 1), Radius: -1},
		"NaN radius":      {Kind: Point, Vertices: make([]geom.Vec, 1), Radius: nan},
		"negative half":   {Kind: Box, Half: geom.Vec{X: 1, Y: -1, Z: 1}},
		"NaN half":        {Kind: Box, Half: geom.Vec{X: 1, Y: nan, Z: 1}},
		"NaN centre":      {Kind: Box, Center: geom.Vec{Z: nan}},
		"NaN length":      {Kind: Cylinder, CoreRadius: 1, HalfLength: nan},
		"infinite disc":   {Kind: Cone, CoreRadius: inf, HalfLength: 1},
		"unknown kind":    {Kind: Hull + 1},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for k := Point; k <= Hull; k++ {
		if _, err := New(randomCore(rand.New(rand.NewSource(1)), k)); err != nil {
			t.Errorf("%s: %v", k.name(), err)
		}
	}
}

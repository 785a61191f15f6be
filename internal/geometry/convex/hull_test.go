package convex

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// clouds are point sets of every dimension and temper.
func clouds(r *rand.Rand) map[string][]geom.Vec {
	out := map[string][]geom.Vec{
		"one":       {{X: 1, Y: 2, Z: 3}},
		"one,twice": {{X: 1, Y: 2, Z: 3}, {X: 1, Y: 2, Z: 3}},
		"two":       {{X: 1}, {Y: 1}},
	}
	gen := func(name string, n int, f func() geom.Vec) {
		for range n {
			out[name] = append(out[name], f())
		}
	}
	gen("ball", 400, func() geom.Vec { return randomVec(r, 1) })
	gen("sphere", 400, func() geom.Vec { u, _ := geom.Unit(randomVec(r, 1)); return u })
	gen("few", 7, func() geom.Vec { return randomVec(r, 1) })
	gen("lattice", 500, func() geom.Vec {
		return geom.Vec{X: float64(r.Intn(6)), Y: float64(r.Intn(6)), Z: float64(r.Intn(6))}
	})
	turn := randomPose(r, 1)
	gen("turned lattice", 500, func() geom.Vec {
		return turn.Apply(geom.Vec{X: float64(r.Intn(6)) / 10, Y: float64(r.Intn(6)) / 10, Z: float64(r.Intn(6)) / 10})
	})
	gen("plane", 200, func() geom.Vec { return geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: 0.25} })
	gen("turned plane", 200, func() geom.Vec { return turn.Apply(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}) })
	gen("tilted plane", 200, func() geom.Vec {
		x, y := float64(r.Intn(9)), float64(r.Intn(9))
		return geom.Vec{X: x, Y: y, Z: 2*x + y}
	})
	gen("line", 50, func() geom.Vec { k := float64(r.Intn(99)); return geom.Vec{X: k, Y: 2 * k, Z: -k} })
	gen("turned line", 50, func() geom.Vec { return turn.Apply(geom.Vec{Y: r.Float64()}) })
	gen("needle", 300, func() geom.Vec {
		return turn.Apply(geom.Vec{X: r.NormFloat64(), Y: 1e-9 * r.NormFloat64(), Z: 1e-12 * r.NormFloat64()})
	})
	gen("plate", 300, func() geom.Vec {
		return turn.Apply(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: 1e-13 * r.NormFloat64()})
	})
	gen("tiny", 300, func() geom.Vec { return randomVec(r, 1e-9) })
	gen("large", 300, func() geom.Vec { return randomVec(r, 1e3) })
	gen("cylinder", 400, func() geom.Vec {
		s, c := math.Sincos(2 * math.Pi * float64(r.Intn(48)) / 48)
		return turn.Apply(geom.Vec{X: 0.05 * c, Y: 0.05 * s, Z: 0.1 * float64(r.Intn(5))})
	})
	return out
}

// Every point is within Radius of the hull: by its supports, which enclose the
// points in many directions, and by the closest points, both independent of how
// HullOf verified itself. Vertices are points that were given, each of them
// needed.
func TestHullOf(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for name, ps := range clouds(r) {
		c, err := HullOf(ps)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		size := extentOf(ps)
		limit := 64 * 0x1p-53 * size
		if name == "needle" || name == "plate" {
			limit = 2e-13 * size
		}
		if !(c.Radius <= limit) {
			t.Errorf("%s: radius %g of the size", name, c.Radius/size)
		}
		given := map[geom.Vec]bool{}
		for _, p := range ps {
			given[p] = true
		}
		for _, v := range c.Vertices {
			if !given[v] {
				t.Errorf("%s: vertex %v is not a point", name, v)
			}
		}
		all := Core{Kind: Hull, Vertices: ps}
		for range 3000 {
			d, _ := geom.Unit(randomVec(r, 1))
			if full, hull := all.SupportValue(d), c.SupportValue(d); full > hull+c.Radius+8*0x1p-53*size {
				t.Fatalf("%s: the points reach %g beyond the hull, radius %g", name, full-hull, c.Radius)
			}
		}
		id := geom.IdentityPose()
		for _, p := range ps {
			point := Core{Kind: Point, Vertices: []geom.Vec{p}}
			if d := Distance(&point, &id, &c, &id, nil); d.Lower > 0 {
				t.Fatalf("%s: point %v is proven %g outside", name, p, d.Lower)
			}
		}
		for i, v := range c.Vertices {
			if len(c.Vertices) < 3 || len(c.Vertices) > 150 {
				break
			}
			rest := append(append([]geom.Vec{}, c.Vertices[:i]...), c.Vertices[i+1:]...)
			without := Core{Kind: Hull, Vertices: rest}
			point := Core{Kind: Point, Vertices: []geom.Vec{v}}
			if d := Distance(&point, &id, &without, &id, nil); d.Overlap {
				t.Errorf("%s: vertex %v of %d is in the hull of the others", name, v, len(c.Vertices))
			}
		}
		t.Logf("%s: %d of %d points, radius %.2g of the size", name, len(c.Vertices), len(ps), c.Radius/size)
	}
}

// Sets whose hulls are known.
func TestHullOfKnown(t *testing.T) {
	var box, inside []geom.Vec
	for i := range 8 {
		box = append(box, geom.Vec{X: float64(i & 1), Y: float64(i >> 1 & 1), Z: float64(i >> 2)})
	}
	r := rand.New(rand.NewSource(2))
	for range 500 {
		inside = append(inside, geom.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()})
	}
	for _, c := range []struct {
		name   string
		points []geom.Vec
		kind   Kind
		n      int
	}{
		{"box", box, Hull, 8},
		{"box with points inside", append(append([]geom.Vec{}, inside...), box...), Hull, 8},
		{"point", []geom.Vec{{X: 2}, {X: 2}}, Point, 1},
		{"segment", []geom.Vec{{X: 2}, {X: 4}, {X: 3}, {X: 2.5}}, Segment, 2},
		{"triangle", []geom.Vec{{}, {X: 4}, {Y: 4}, {X: 1, Y: 1}, {X: 2, Y: 2}}, Triangle, 3},
		{"square", []geom.Vec{{}, {X: 4}, {Y: 4}, {X: 4, Y: 4}, {X: 2, Y: 2}, {X: 4, Y: 2}}, Hull, 4},
	} {
		got, err := HullOf(c.points)
		if err != nil || got.Kind != c.kind || len(got.Vertices) != c.n {
			t.Errorf("%s: kind %d with %d vertices, %v", c.name, got.Kind, len(got.Vertices), err)
		}
	}
	if got, _ := HullOf(append(append([]geom.Vec{}, inside...), box...)); got.Radius != 0 {
		t.Errorf("points strictly inside cost a radius of %g", got.Radius)
	}
	for name, ps := range map[string][]geom.Vec{"none": nil, "NaN": {{}, {Y: math.NaN()}}, "infinite": {{Z: math.Inf(-1)}}} {
		if _, err := HullOf(ps); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The verification finds points that quickhull has left out by mistake.
func TestVerifySeesWhatIsLeftOut(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 200 {
		ps := make([]geom.Vec, 60)
		for i := range ps {
			u, _ := geom.Unit(randomVec(r, 1))
			ps[i] = u
		}
		full, err := HullOf(ps)
		if err != nil || len(full.Vertices) != 60 {
			t.Fatalf("%d of 60 points on a sphere, %v", len(full.Vertices), err)
		}
		chosen := make([]int32, 0, 60)
		out := int32(r.Intn(60))
		for i := range int32(60) {
			if i != out {
				chosen = append(chosen, i)
			}
		}
		c := coreOf(ps, chosen)
		far, missing := c.verify(ps, nil, 1e-9)
		if len(missing) != 1 || missing[0] != ps[out] || !(far > 1e-6) {
			t.Fatalf("without point %d: %g at %v", out, far, missing)
		}
		id := geom.IdentityPose()
		point := Core{Kind: Point, Vertices: ps[out : out+1]}
		if d := Distance(&point, &id, &c, &id, nil); !(d.Lower <= far && far <= d.Distance*(1+1e-9)+1e-14) {
			t.Fatalf("verified %g, but the distance is in [%g, %g]", far, d.Lower, d.Distance)
		}
	}
}

// The distance that reach returns is no less than the exact one to the convex
// combination that it found, whose weights are scaled to sum to 1 exactly.
func TestReachIsVerified(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	id := geom.IdentityPose()
	var worst float64
	for _, ps := range clouds(r) {
		c := Core{Kind: Hull, Vertices: ps[:min(len(ps), 20)]}
		for _, p := range ps {
			point := Core{Kind: Point, Vertices: []geom.Vec{p}}
			var g search
			g.init(&point, &c, &id, &id)
			g.run(g.start(geom.Vec{}))
			sum := bf(0)
			q := bv(geom.Vec{})
			for i := range g.s.n {
				l := bf(g.s.lambda[i])
				sum = badd(sum, l)
				for k, x := range bv(g.s.p[i].b) {
					q[k] = badd(q[k], bmul(l, x))
				}
			}
			for k := range q {
				q[k] = new(big.Float).SetPrec(precision).Quo(q[k], sum)
			}
			d := q.sub(bv(p))
			exact, got := toFloat(bsqrt(d.dot(d))), c.reach(p)
			if got == 0 && g.s.n == 4 { // inside by exact signs
				continue
			}
			if !(exact <= got) {
				t.Fatalf("point %v is %g from the combination, reach says %g", p, exact, got)
			}
			worst = math.Max(worst, (exact-(got-combination*c.Extent()))/(combination*c.Extent()))
		}
	}
	t.Logf("rounding takes %.2f of its allowance", worst)
	if worst < 0.02 {
		t.Error("the test does not reach the rounding")
	}
}

// A simplified hull holds every point, within what was asked.
func TestSimplifyHull(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for name, ps := range clouds(r) {
		size := extentOf(ps)
		for _, maxVertices := range []int{1, 4, 16, 64} {
			c, err := SimplifyHull(ps, maxVertices, 0.01*size)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(c.Vertices) > maxVertices || c.Validate() != nil {
				t.Fatalf("%s: %d vertices of at most %d, %v", name, len(c.Vertices), maxVertices, c.Validate())
			}
			if len(c.Vertices) < maxVertices && c.Radius > 0.01*size {
				t.Errorf("%s: radius %g with %d vertices of %d", name, c.Radius, len(c.Vertices), maxVertices)
			}
			id := geom.IdentityPose()
			reached := false
			for _, p := range ps {
				point := Core{Kind: Point, Vertices: []geom.Vec{p}}
				if d := Distance(&point, &id, &c, &id, nil); d.Lower > 0 {
					t.Fatalf("%s, %d vertices: a point is proven %g outside", name, maxVertices, d.Lower)
				}
				core := c
				core.Radius = 0
				reached = reached || Distance(&point, &id, &core, &id, nil).Distance > 0.99*c.Radius
			}
			if !reached && c.Radius > 1e-12*size {
				t.Errorf("%s, %d vertices: no point reaches the radius %g", name, maxVertices, c.Radius)
			}
		}
	}
	if _, err := SimplifyHull([]geom.Vec{{}}, 0, 1); err == nil {
		t.Error("no vertices: no error")
	}
}

func boxMesh(half geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range 8 {
		m.Vertices = append(m.Vertices, geom.Vec{
			X: half.X * float64(2*(i&1)-1), Y: half.Y * float64(2*(i>>1&1)-1), Z: half.Z * float64(2*(i>>2)-1),
		})
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

func TestIsConvex(t *testing.T) {
	box := boxMesh(geom.Vec{X: 1, Y: 0.5, Z: 0.1})
	if dev, ok := IsConvex(box, 1e-9); !ok || dev > 1e-15 {
		t.Errorf("box: %g, %v", dev, ok)
	}
	flipped := boxMesh(geom.Vec{X: 1, Y: 0.5, Z: 0.1})
	for i, k := range flipped.Triangles {
		flipped.Triangles[i] = [3]int32{k[0], k[2], k[1]}
	}
	if dev, ok := IsConvex(flipped, 1e-9); !ok || dev > 1e-15 {
		t.Errorf("flipped box: %g, %v", dev, ok)
	}
	// A dent of 1e-4 in the middle of the top.
	dented := boxMesh(geom.Vec{X: 1, Y: 0.5, Z: 0.1})
	dented.Vertices = append(dented.Vertices, geom.Vec{Z: 0.1 - 1e-4})
	dented.Triangles = append(dented.Triangles[:2:2], dented.Triangles[4:]...)
	dented.Triangles = append(dented.Triangles, [3]int32{4, 5, 8}, [3]int32{5, 7, 8}, [3]int32{7, 6, 8}, [3]int32{6, 4, 8})
	if dev, ok := IsConvex(dented, 1e-5); ok || dev < 1e-4 {
		t.Errorf("dented box: %g, %v", dev, ok)
	}
	if dev, ok := IsConvex(dented, 1e-3); !ok || dev < 1e-4 || dev > 3e-4 {
		t.Errorf("dented box, wide tolerance: %g, %v", dev, ok)
	}
	// Two boxes side by side are not one convex solid; each is by itself.
	two := boxMesh(geom.Vec{X: 1, Y: 1, Z: 1})
	for _, v := range boxMesh(geom.Vec{X: 1, Y: 1, Z: 1}).Vertices {
		two.Vertices = append(two.Vertices, geom.Vec{X: v.X + 3, Y: v.Y, Z: v.Z})
	}
	var second []int32
	for i, k := range boxMesh(geom.Vec{X: 1, Y: 1, Z: 1}).Triangles {
		two.Triangles = append(two.Triangles, [3]int32{k[0] + 8, k[1] + 8, k[2] + 8})
		second = append(second, int32(12+i))
	}
	if _, ok := IsConvex(two, 1e-3); ok {
		t.Error("two boxes: convex")
	}
	hull, err := HullOf(two.Vertices[8:])
	if err != nil {
		t.Fatal(err)
	}
	if dev, ok := Convexity(two, second, &hull, 1e-9); !ok {
		t.Errorf("second box: %g", dev)
	}
	hull.Radius = 0.01
	if dev, ok := Convexity(two, second, &hull, 1e-9); ok || dev < 0.01 {
		t.Errorf("second box against a hull with radius 0.01: %g, %v", dev, ok)
	}
	if _, ok := IsConvex(&mesh.Mesh{}, 1); ok {
		t.Error("an empty mesh is convex")
	}
}

func BenchmarkHullOf(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	ps := make([]geom.Vec, 20000)
	for i := range ps {
		u, _ := geom.Unit(randomVec(r, 1))
		ps[i] = scale(math.Pow(r.Float64(), 0.05), u)
	}
	for range b.N {
		c, err := HullOf(ps)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(c.Vertices)), "vertices")
	}
}

package tri

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// coarse is a point with few bits, so that coincidences are common.
func coarse(r *rand.Rand) geom.Vec {
	f := func() float64 { return float64(r.Intn(5)-2) / 2 }
	return geom.Vec{X: f(), Y: f(), Z: f()}
}

// nudged is p with some coordinates moved by a few units in the last place.
func nudged(r *rand.Rand, p geom.Vec) geom.Vec {
	f := func(x float64) float64 {
		for range r.Intn(3) {
			x = math.Nextafter(x, math.Inf(r.Intn(2)*2-1))
		}
		return x
	}
	return geom.Vec{X: f(p.X), Y: f(p.Y), Z: f(p.Z)}
}

// hardPoints returns four points that are, or nearly are, in one plane or three of them on
// one line.
func hardPoints(r *rand.Rand) [4]geom.Vec {
	var p [4]geom.Vec
	switch r.Intn(5) {
	case 4: // the third a rounded combination of the first two
		for i := range p {
			p[i] = randomVec(r, 1)
		}
		p[2] = along(p[0], r.NormFloat64(), sub(p[1], p[0]))
	case 0:
		for i := range p {
			p[i] = coarse(r)
		}
	case 1:
		for i := range p {
			p[i] = nudged(r, coarse(r))
		}
	case 2: // the fourth a rounded combination of the others
		for i := range 3 {
			p[i] = randomVec(r, math.Pow(10, 6*r.Float64()-3))
		}
		a, b := r.NormFloat64(), r.NormFloat64()
		p[3] = along(along(p[0], a, sub(p[1], p[0])), b, sub(p[2], p[0]))
	default: // far from the origin
		o := randomVec(r, 1e6)
		for i := range p {
			p[i] = along(o, 1e-3, coarse(r))
		}
	}
	return p
}

func TestOrientIsExact(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var count [3]int
	for range 8000 {
		p := hardPoints(r)
		got, want := Orient(p[0], p[1], p[2], p[3]), exactOrient(p[0], p[1], p[2], p[3])
		if got != want {
			t.Fatalf("orientation %d of %v, want %d", got, p, want)
		}
		count[got+1]++
		axis, flat := r.Intn(3), toRat(p[0])
		n := toRat(p[1]).sub(flat).cross(toRat(p[2]).sub(flat))
		if got, want := Turn(p[0], p[1], p[2], axis), n[axis].Sign(); got != want {
			t.Fatalf("turn %d of %v, want %d", got, p[:3], want)
		}
		if got, want := Collinear(p[0], p[1], p[2]), n.dot(n).Sign() == 0; got != want {
			t.Fatalf("collinear %v of %v, want %v", got, p[:3], want)
		}
	}
	t.Logf("below, in and above the plane: %d", count)
	if slices.Min(count[:]) < 300 {
		t.Error("the test does not see all three signs often")
	}
}

// Extreme sizes neither lose nor invent a sign.
func TestOrientAtExtremes(t *testing.T) {
	for _, k := range []float64{1, 1e-30, 1e-120, 1e-300, 5e-324, 1e60} {
		o, x, y, z := geom.Vec{}, geom.Vec{X: k}, geom.Vec{Y: k}, geom.Vec{Z: k}
		if Orient(o, x, y, z) != 1 || Orient(o, y, x, z) != -1 || Orient(o, x, y, geom.Vec{X: k, Y: k}) != 0 {
			t.Errorf("wrong sign at size %g", k)
		}
		if Collinear(o, x, y) || !Collinear(o, x, geom.Vec{X: -k}) || Turn(o, x, y, 2) != 1 || Turn(o, y, x, 2) != -1 {
			t.Errorf("wrong turn at size %g", k)
		}
	}
	if Orient(geom.Vec{}, geom.Vec{X: 1}, geom.Vec{Y: 1}, geom.Vec{X: 1, Y: 1, Z: -5e-324}) != -1 {
		t.Error("the smallest number below the plane is not below")
	}
}

// The filter must be doing the work: its bound is reached by rounding, and it
// gives up rarely on ordinary points.
func TestOrientFilterDecides(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	exact := 0
	const n = 20000
	for range n {
		var p [4]geom.Vec
		for i := range p {
			p[i] = randomVec(r, 1)
		}
		if !filterDecides(p) {
			exact++
		}
	}
	if exact > n/1000 {
		t.Errorf("the filter gave up on %d of %d random quadruples", exact, n)
	}
}

// filterDecides recomputes what Orient's filter sees.
func filterDecides(p [4]geom.Vec) bool {
	u, v, w := sub(p[1], p[0]), sub(p[2], p[0]), sub(p[3], p[0])
	det := dot(w, cross(u, v))
	size := math.Abs(w.X)*(math.Abs(u.Y*v.Z)+math.Abs(u.Z*v.Y)) +
		math.Abs(w.Y)*(math.Abs(u.Z*v.X)+math.Abs(u.X*v.Z)) +
		math.Abs(w.Z)*(math.Abs(u.X*v.Y)+math.Abs(u.Y*v.X))
	return math.Abs(det) > orientRounding*size
}

func area(t *Triangle) bool { return !Collinear(t[0], t[1], t[2]) }

func TestSegmentMeetsIsExact(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	var count [2]int
	for range 4000 {
		tr := Triangle{coarse(r), coarse(r), coarse(r)}
		p, q := coarse(r), coarse(r)
		if r.Intn(3) == 0 {
			p = nudged(r, p)
		}
		if !area(&tr) {
			continue
		}
		got, want := SegmentMeets(p, q, &tr), exactMeet(p, q, &tr)
		if got != want {
			t.Fatalf("segment %v %v meets %v: %v, want %v", p, q, tr, got, want)
		}
		if got {
			count[1]++
		} else {
			count[0]++
		}
	}
	if slices.Min(count[:]) < 400 {
		t.Errorf("meetings %d: the test does not see both", count)
	}
}

// Distance against its rational twin, on triangles with coincidences and without
// area.
func TestDistanceIsRight(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	met := 0
	for i := range 800 {
		make := func() Triangle {
			if i%2 == 0 {
				return Triangle{coarse(r), coarse(r), coarse(r)}
			}
			return Triangle{randomVec(r, 1), randomVec(r, 1), randomVec(r, 1)}
		}
		a, b := make(), make()
		got := Distance(&a, &b)
		want := 0.0
		if !intersect(&a, &b) {
			want = exactDistance(&a, &b)
		} else {
			met++
		}
		checkWitness(t, &a, &b, got)
		if err := math.Abs(got.Distance - want); !(err <= 4e-15*size(&a, &b)) {
			t.Fatalf("distance %g, want %g\n%v\n%v", got.Distance, want, a, b)
		}
		// The segment of an edge is no closer than the triangle.
		e := distanceToSegment(&b, a[0], a[1])
		edge := Triangle{a[0], a[1], a[1]}
		if want := Distance(&edge, &b).Distance; !(math.Abs(e.Distance-want) <= 4e-15*size(&a, &b)) {
			t.Fatalf("segment at %g, want %g\n%v\n%v", e.Distance, want, a, b)
		}
		if apart := norm(sub(e.PointA, e.PointB)); !(math.Abs(apart-e.Distance) <= 4e-15*size(&a, &b)) {
			t.Fatalf("segment at %g, witnesses %g apart", e.Distance, apart)
		}
	}
	if met < 50 {
		t.Errorf("only %d pairs intersect", met)
	}
}

// exactCross tells the crossing from rational numbers.
func exactCross(o, e geom.Vec, t *Triangle) (touches, meets bool) {
	tr := ratTriangle(t)
	return exactToTriangle(tr, toRat(o)).Sign() == 0, exactMeet(o, e, t)
}

// Crossings are what they say: the origin is on the triangle, or the segment meets
// it, or it does not; and Ambiguous only where it passes an edge.
func TestCrossIsExact(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	var count [4]int
	for range 4500 {
		tr := Triangle{coarse(r), coarse(r), coarse(r)}
		if !area(&tr) {
			continue
		}
		o := coarse(r)
		e := geom.Vec{X: 10 * float64(r.Intn(3)-1), Y: 10 * float64(r.Intn(3)-1), Z: 10}
		if r.Intn(2) == 0 {
			e = randomVec(r, 10)
			e.Z += 40
		}
		got, side := Cross(o, e, &tr)
		if plane := orientExact(tr[0], tr[1], tr[2], o); got == Crossed && side != plane {
			t.Fatalf("crossing of %v from %v to %v from side %d, not %d", tr, o, e, side, plane)
		}
		count[got]++
		touches, meets := exactCross(o, e, &tr)
		switch {
		case touches != (got == Touched),
			got == Missed && meets,
			got == Crossed && !meets:
			t.Fatalf("crossing %d of %v from %v to %v: touches %v, meets %v", got, tr, o, e, touches, meets)
		case got == Ambiguous && !passing(o, e, &tr).has(0):
			t.Fatalf("ambiguous, but no edge is passed: %v from %v to %v", tr, o, e)
		}
	}
	t.Logf("missed, crossed, touched, ambiguous: %d", count)
	if slices.Min(count[:]) < 20 {
		t.Error("the test does not see all crossings")
	}
}

// Triangles without area are never crossed: they are missed, touched by a point on
// them, or ask for another segment.
func TestCrossWithoutArea(t *testing.T) {
	sliver := Triangle{{}, {X: 2}, {X: 1}}
	point := Triangle{{Y: 1}, {Y: 1}, {Y: 1}}
	for _, c := range []struct {
		name string
		t    *Triangle
		o, e geom.Vec
		want Crossing
	}{
		{"on the sliver", &sliver, geom.Vec{X: 0.5}, geom.Vec{Z: 9}, Touched},
		{"past its end", &sliver, geom.Vec{X: 2.5}, geom.Vec{X: 2.5, Z: 9}, Ambiguous},
		{"through it", &sliver, geom.Vec{X: 0.5, Z: -1}, geom.Vec{X: 0.5, Z: 9}, Ambiguous},
		{"beside it", &sliver, geom.Vec{X: 0.5, Y: 0.1, Z: -1}, geom.Vec{X: 0.7, Y: 0.2, Z: 9}, Missed},
		{"on the point", &point, geom.Vec{Y: 1}, geom.Vec{Z: 9}, Touched},
	} {
		if got, _ := Cross(c.o, c.e, c.t); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// FuzzDistance: no coordinates make it panic, return what is not a number, or
// contradict its own witnesses.
func FuzzDistance(f *testing.F) {
	f.Add(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-9, 0.0, 0.0, 1e-9, 0.0, 0.0, 1e-9, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r float64) {
		for _, x := range []float64{a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r} {
			if !(math.Abs(x) < 1e6) || x != 0 && math.Abs(x) < 1e-60 {
				t.Skip()
			}
		}
		s := Triangle{{X: a, Y: b, Z: c}, {X: d, Y: e, Z: f}, {X: g, Y: h, Z: i}}
		u := Triangle{{X: j, Y: k, Z: l}, {X: m, Y: n, Z: o}, {X: p, Y: q, Z: r}}
		got := Distance(&s, &u)
		checkWitness(t, &s, &u, got)
		if intersect(&s, &u) && got.Distance > 4e-15*size(&s, &u) {
			t.Fatalf("distance %g of triangles that intersect", got.Distance)
		}
		if back := Distance(&u, &s); math.Abs(back.Distance-got.Distance) > 4e-15*size(&s, &u) {
			t.Fatalf("distance %g one way, %g the other", got.Distance, back.Distance)
		}
	})
}

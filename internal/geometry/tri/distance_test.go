package tri

import (
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func randomVec(r *rand.Rand, size float64) geom.Vec {
	return geom.Vec{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()}
}

func randomPose(r *rand.Rand, size float64) geom.Pose {
	q, err := geom.Quat(r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()+1e-3)
	if err != nil {
		panic(err)
	}
	return geom.Pose{R: q, P: randomVec(r, size)}
}

func (t *Triangle) moved(p geom.Pose) Triangle {
	return Triangle{p.Apply(t[0]), p.Apply(t[1]), p.Apply(t[2])}
}

func (t *Triangle) scaled(k float64) Triangle {
	var s Triangle
	for i, v := range t {
		s[i] = geom.Vec{X: k * v.X, Y: k * v.Y, Z: k * v.Z}
	}
	return s
}

func size(ts ...*Triangle) float64 {
	var m float64
	for _, t := range ts {
		for _, v := range t {
			m = math.Max(m, norm(v))
		}
	}
	return m
}

// onFloor returns a triangle with z <= 0 of which k vertices, at least one, are at
// z = 0, and whose part there holds the origin. Its shape is anything between a
// healthy triangle, a needle and a point.
func onFloor(r *rand.Rand, k int) Triangle {
	var t Triangle
	wide := math.Pow(10, -12*r.Float64()*float64(r.Intn(2)))
	x := func() geom.Vec { return geom.Vec{X: r.NormFloat64(), Y: wide * r.NormFloat64()} }
	below := func() geom.Vec {
		v := x()
		v.Z = -math.Abs(r.NormFloat64()) * math.Pow(10, -12*r.Float64()*float64(r.Intn(2)))
		return v
	}
	switch k {
	case 1: // a vertex at the origin
		t = Triangle{{}, below(), below()}
	case 2: // an edge through it
		a := x()
		l := -math.Abs(r.NormFloat64())
		t = Triangle{a, {X: l * a.X, Y: l * a.Y}, below()}
	default: // a face around it
		a, b := x(), x()
		la, lb := -r.Float64(), -r.Float64()
		t = Triangle{a, b, {X: la*a.X + lb*b.X, Y: la*a.Y + lb*b.Y}}
	}
	turn := geom.AxisAngle(geom.Vec{Z: 1}, 2*math.Pi*r.Float64())
	for i := range t {
		t[i] = turn.Apply(t[i])
	}
	r.Shuffle(3, func(i, j int) { t[i], t[j] = t[j], t[i] })
	return t
}

// Two triangles on either side of a slab that both touch, at points across from
// each other, are as far apart as the slab is thick.
func TestDistanceAcrossSlab(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var worst float64
	for i := range 30_000 {
		a, b := onFloor(r, 1+r.Intn(3)), onFloor(r, 1+r.Intn(3))
		gap := math.Pow(10, -12*r.Float64())
		for k := range b {
			b[k].Z = gap - b[k].Z
		}
		scale := math.Pow(10, 9*r.Float64()-6)
		pose := randomPose(r, 1)
		a, b = a.moved(pose), b.moved(pose)
		a, b = a.scaled(scale), b.scaled(scale)
		got := Distance(&a, &b)
		checkDistance(t, &a, &b, got, gap*scale, &worst)
		checkDistance(t, &b, &a, Distance(&b, &a), gap*scale, &worst)
		if i < 400 { // the exact check is slow
			checkWitness(t, &a, &b, got)
		}
	}
	t.Logf("worst error %.2g of the size", worst)
}

// Edges that cross at any angle, down to what rounding leaves of it.
func TestDistanceOfNearlyParallelEdges(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	var worst float64
	for range 15_000 {
		angle, gap := math.Pow(10, -13*r.Float64()), math.Pow(10, -12*r.Float64())
		s, c := math.Sincos(angle)
		wide := func(z float64) geom.Vec { return geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: z} }
		a := Triangle{{X: -0.1 - r.Float64()}, {X: 0.1 + r.Float64()}, wide(-1 - r.Float64())}
		k, l := 0.1+r.Float64(), -0.1-r.Float64()
		b := Triangle{{X: k * c, Y: k * s, Z: gap}, {X: l * c, Y: l * s, Z: gap}, wide(gap + 1 + r.Float64())}
		pose := randomPose(r, 1)
		a, b = a.moved(pose), b.moved(pose)
		got := Distance(&a, &b)
		checkDistance(t, &a, &b, got, gap, &worst)
		p, q := ClosestOnSegments(a[0], a[1], b[0], b[1])
		if err := math.Abs(norm(sub(p, q)) - gap); !(err <= 4e-15) {
			t.Fatalf("edges at angle %g, gap %g: off by %g", angle, gap, err)
		}
	}
	t.Logf("worst error %.2g of the size", worst)
}

func checkDistance(t *testing.T, a, b *Triangle, got Result, want float64, worst *float64) {
	t.Helper()
	l := size(a, b)
	err := math.Abs(got.Distance-want) / l
	*worst = math.Max(*worst, err)
	if !(err <= 2e-15) {
		t.Fatalf("distance %.17g, want %.17g (%g of the size)\n%v\n%v", got.Distance, want, err, *a, *b)
	}
}

func checkWitness(t *testing.T, a, b *Triangle, got Result) {
	t.Helper()
	l := size(a, b)
	if off := offTriangle(a, got.PointA); !(off <= 2e-15*l) {
		t.Fatalf("witness of a is %g of the size off", off/l)
	}
	if off := offTriangle(b, got.PointB); !(off <= 2e-15*l) {
		t.Fatalf("witness of b is %g of the size off", off/l)
	}
	if apart := norm(sub(got.PointA, got.PointB)); !(math.Abs(apart-got.Distance) <= 2e-15*l) {
		t.Fatalf("distance %g, but witnesses are %g apart", got.Distance, apart)
	}
}

func BenchmarkDistance(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	var s, t [256]Triangle
	for i := range s {
		for k := range 3 {
			s[i][k] = randomVec(r, 0.3)
			t[i][k] = randomVec(r, 0.3)
			t[i][k].X += 1.5
		}
	}
	b.ReportAllocs()
	for i := range b.N {
		Distance(&s[i&255], &t[i&255])
	}
}

func BenchmarkDistanceClose(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	var s, t [256]Triangle
	for i := range s {
		for k := range 3 {
			s[i][k] = randomVec(r, 0.3)
			t[i][k] = randomVec(r, 0.3)
		}
	}
	b.ReportAllocs()
	for i := range b.N {
		Distance(&s[i&255], &t[i&255])
	}
}

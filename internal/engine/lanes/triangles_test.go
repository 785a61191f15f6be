package lanes_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

func TestClosestKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		if i%3 == 0 {
			number = few(d, number)
		}
		p, c := drawn[lanes.Pose](2, number), drawn[lanes.Triangle](3, number)
		if i%3 == 1 { // so small that products of squares are next to nothing
			for _, x := range [...][]float32{floats(c), floats(p[0].P[:]), floats(p[1].P[:])} {
				for j := range x {
					x[j] *= 1e-9
				}
			}
		}
		both(t, drawn[lanes.Closest](2, number), func(out []lanes.Closest) { lanes.FindClosest(&p[0], &c[0], &p[1], &c[1], &out[0]) })
	})
}

// Points are the closest where nothing is closer along the way between them but for a thousandth.
func TestWhetherPointsAreTheClosest(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		square, gap float32
		want        bool
	}{
		{1, 1, true},
		{4, 4, true},
		{1, 1023. / 1024, true},
		{1, 1022.9 / 1024, false},
		{4, 4 * 1022.9 / 1024, false},
		{1, 0, false},
		{1, -1e-3, false},
		{0, 0, false},
		{1, nan, false},
		{nan, 1, false},
		{nan, nan, false},
		{inf, nan, false},
		{inf, -inf, false},
	} {
		for k := range lanes.Times {
			var found lanes.Closest
			found.At(k, c.square, c.gap, 0, 0, 0)
			if found.Is(k) != c.want {
				t.Errorf("time %d: square %g, gap %g: %v", k, c.square, c.gap, !c.want)
			}
		}
	}
}

// Weights are of points of the triangles, also where those of float32 add up to more than 1.
func TestWeightsOfPoints(t *testing.T) {
	more := math.Nextafter32(0.3, 1)
	for _, c := range []struct {
		of, s, t float32
		a, b     [3]float64
	}{
		{0, 0.25, 0.75, [3]float64{0.75, 0.25, 0}, [3]float64{0.25, 0.75, 0}},
		{5, 0.25, 0.75, [3]float64{0, 0.75, 0.25}, [3]float64{0.75, 0, 0.25}},
		{8, 1, 0, [3]float64{1, 0, 0}, [3]float64{0, 0, 1}},
		{10, 0.25, 0.5, [3]float64{0, 1, 0}, [3]float64{0.25, 0.25, 0.5}},
		{14, 0.5, 0.25, [3]float64{0.25, 0.5, 0.25}, [3]float64{0, 0, 1}},
		{9, 0.7, more, [3]float64{1, 0, 0}, [3]float64{0, 0.7, 0.3}},
		{12, 0.75, 0.5, [3]float64{0, 0.6, 0.4}, [3]float64{1, 0, 0}},
	} {
		var found lanes.Closest
		found.At(3, 1, 1, c.of, c.s, c.t)
		a, b := found.Weights(3)
		for _, w := range [...][2][3]float64{{a, c.a}, {b, c.b}} {
			if sum := w[0][0] + w[0][1] + w[0][2]; math.Abs(sum-1) > 0x1p-51 {
				t.Errorf("points %g: weights %v, whose sum is not 1", c.of, w[0])
			}
			for i := range w[0] {
				if !(w[0][i] >= 0) || math.Abs(w[0][i]-w[1][i]) > 1e-7 {
					t.Errorf("points %g: weights %v, want %v", c.of, w[0], w[1])
				}
			}
		}
	}
}

// twoTriangles are some at each of the times, and how far they really are apart there.
type twoTriangles struct {
	a, b   tri.Triangle
	pa, pb [lanes.Times]geom.Pose
}

// drawTriangles returns triangles up to about the given distance from each other, of any shape: needles, and edges that are parallel or alike,
// are among them.
func drawTriangles(d chance.Dice, far float64) (two twoTriangles) {
	triangle := func() (t tri.Triangle) {
		size := d.Spread(1e-3, 0.3)
		for i := range t {
			t[i] = geom.Vec{X: d.In(-size, size), Y: d.In(-size, size), Z: d.In(-size, size)}
		}
		switch d.IntN(6) {
		case 0:
			t[2] = r3.Add(t[1], r3.Scale(d.Spread(1e-6, 1e-2), r3.Sub(t[2], t[0]))) // a needle
		case 1:
			t[d.IntN(3)] = t[d.IntN(3)]
		}
		return t
	}
	two.a, two.b = triangle(), triangle()
	if d.IntN(4) == 0 {
		two.b = two.a
	}
	base := d.Pose(1)
	for k := range lanes.Times {
		two.pa[k] = base.Mul(d.Pose(0.2))
		two.pb[k] = two.pa[k].Mul(geom.Pose{R: geom.IdentityPose().R, P: r3.Scale(far, d.Unit())})
		if d.IntN(3) > 0 {
			two.pb[k].R = d.Pose(1).R
		}
	}
	return two
}

// lane sets a pose at one of the times.
func lane(p *lanes.Pose, k int, of geom.Pose) {
	r := of.R
	for i, x := range [...]float64{r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ} {
		p.R[i][k] = float32(x)
	}
	p.P[0][k], p.P[1][k], p.P[2][k] = float32(of.P.X), float32(of.P.Y), float32(of.P.Z)
}

func corners(t *tri.Triangle) (c lanes.Triangle) {
	for i, v := range t {
		c[i] = [3]float32{float32(v.X), float32(v.Y), float32(v.Z)}
	}
	return c
}

// weighted is the sum of a triangle's corners by their weights.
func weighted(t tri.Triangle, w [3]float64) (sum geom.Vec) {
	for i, v := range t {
		sum = r3.Add(sum, r3.Scale(w[i], v))
	}
	return sum
}

// The points that are found are points of the triangles, and where they are said to be the closest, they are hardly
// farther apart than the closest that other code finds.
func TestClosestPointsOfTriangles(t *testing.T) {
	var is, not, meets, wrong int
	for i := range switches.Long.Times(5000, 200) {
		d := chance.New(206, uint64(i))
		two := drawTriangles(d, d.Spread(1e-4, 1))
		var pa, pb lanes.Pose
		for k := range lanes.Times {
			lane(&pa, k, two.pa[k])
			lane(&pb, k, two.pb[k])
		}
		var c lanes.Closest
		a, b := corners(&two.a), corners(&two.b)
		lanes.FindClosest(&pa, &a, &pb, &b, &c)
		for k := range lanes.Times {
			wa, wb := c.Weights(k)
			for _, w := range [...][3]float64{wa, wb} {
				if !(min(w[0], w[1], w[2]) >= 0 && math.Abs(w[0]+w[1]+w[2]-1) < 1e-15) {
					t.Fatalf("case %d, time %d: weights %v", i, k, w)
				}
			}
			ta, tb := two.a, two.b
			for j := range 3 {
				ta[j], tb[j] = two.pa[k].Apply(ta[j]), two.pb[k].Apply(tb[j])
			}
			exact := tri.Distance(&ta, &tb).Distance
			found := geom.Norm(r3.Sub(weighted(tb, wb), weighted(ta, wa)))
			const err = 2e-6 // of float32, at this size
			if !(found >= exact-1e-12) || math.Abs(found-math.Sqrt(float64(c.Square[k]))) > err {
				t.Fatalf("case %d, time %d: %g apart by the weights, %g as found, really %g", i, k, found, math.Sqrt(float64(c.Square[k])), exact)
			}
			switch {
			case c.Is(k) && found > exact*(1+1./500)+err:
				t.Fatalf("case %d, time %d: %g apart, said to be the closest, but %g are", i, k, found, exact)
			case c.Is(k):
				is++
			case exact == 0:
				meets++
			case exact > 1e-4:
				if wrong++; found > exact*(1+1./500)+err {
					not++
				}
			}
		}
	}
	t.Logf("%d times the closest, %d met, %d unsure, of which %d are not the closest", is, meets, wrong, not)
	if is < 10_000 || meets < 1000 || wrong > is/50 {
		t.Error("a poor test, or a poor search")
	}
}

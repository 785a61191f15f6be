package convex

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// beyond reports whether p is outside the ball, in exact arithmetic.
func (b Ball) beyond(p geom.Vec) bool {
	sum := new(big.Float).SetPrec(5000)
	for _, x := range [3][2]float64{{p.X, b.Center.X}, {p.Y, b.Center.Y}, {p.Z, b.Center.Z}} {
		d := new(big.Float).SetPrec(5000).Sub(big.NewFloat(x[0]), big.NewFloat(x[1]))
		sum.Add(sum, d.Mul(d, d))
	}
	r := new(big.Float).SetPrec(5000).SetFloat64(b.Radius)
	return b.Radius < 0 || sum.Cmp(r.Mul(r, r)) > 0
}

// Every point is inside, exactly, whatever the points.
func TestMinBallHoldsAll(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for name, ps := range clouds(r) {
		for _, k := range []float64{1, 1e-9, 1e-100, 3e-160, 1e-170, 1e-310, 1e80} {
			var qs []geom.Vec
			for _, p := range ps {
				qs = append(qs, scale(k, p))
			}
			b := MinBall(qs)
			for _, q := range qs {
				if b.beyond(q) {
					t.Fatalf("%s, size %g: %v is outside %+v", name, k, q, b)
				}
			}
		}
	}
	if b := MinBall(nil); b.Radius >= 0 || !b.beyond(geom.Vec{}) {
		t.Errorf("the ball of nothing is %+v", b)
	}
	if b := MinBall([]geom.Vec{{X: 3}, {X: 3}}); b.Radius != 0 || b.Center != (geom.Vec{X: 3}) {
		t.Errorf("the ball of a point is %+v", b)
	}
}

// The ball is the smallest: the points on its sphere hold its centre in their hull
// (to rounding), which no smaller ball allows.
func TestMinBallIsSmallest(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	id := geom.IdentityPose()
	for range 8 {
		for name, ps := range clouds(r) {
			if name == "needle" || name == "plate" {
				continue // their sphere's points are a matter of rounding
			}
			b := MinBall(ps)
			var on []geom.Vec
			for _, p := range ps {
				if norm(sub(p, b.Center)) >= b.Radius*(1-1e-9) {
					on = append(on, p)
				}
			}
			center, hull := Core{Kind: Point, Vertices: []geom.Vec{b.Center}}, Core{Kind: Hull, Vertices: on}
			if d := Distance(&center, &id, &hull, &id, nil); d.Distance > 1e-7*b.Radius {
				t.Fatalf("%s: the centre is %g of the radius outside the hull of %d points on the sphere", name, d.Distance/b.Radius, len(on))
			}
		}
	}
}

// Known balls, and the update that never looks back (points -1, 1, 3).
func TestMinBallKnown(t *testing.T) {
	third := 1 / math.Sqrt(3)
	for _, c := range []struct {
		points []geom.Vec
		want   Ball
	}{
		{[]geom.Vec{{X: -1}, {X: 1}, {X: 3}}, Ball{geom.Vec{X: 1}, 2}},
		{[]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}}, Ball{geom.Vec{}, 1}},
		{[]geom.Vec{{}, {X: 1}, {X: 0.5, Y: math.Sqrt(3) / 2}}, Ball{geom.Vec{X: 0.5, Y: third / 2}, third}},
		{[]geom.Vec{{}, {X: 4}, {X: 1, Y: 0.1}}, Ball{geom.Vec{X: 2}, 2}},
	} {
		got := MinBall(c.points)
		if norm(sub(got.Center, c.want.Center)) > 1e-9 || math.Abs(got.Radius-c.want.Radius) > 1e-12 {
			t.Errorf("ball of %v is %+v, want %+v", c.points, got, c.want)
		}
	}
}

// A core's ball holds its piece: supports in every direction, the radius included.
func TestCoreBall(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for k := Point; k <= Hull; k++ {
		for range 300 {
			c := randomCore(r, k)
			c.Radius = 0.1 * r.Float64() * float64(r.Intn(2))
			b := c.Ball()
			reach := 0.0
			for range 200 {
				d, _ := geom.Unit(randomVec(r, 1))
				p := c.Support(d)
				far := norm(sub(p, b.Center)) + c.Radius
				if far > b.Radius*(1+1e-15) {
					t.Fatalf("%s: a point is %g outside its ball", k.name(), far-b.Radius)
				}
				reach = math.Max(reach, far)
			}
			if reach < 0.8*b.Radius {
				t.Errorf("%s: ball of radius %g around what reaches %g: %+v", k.name(), b.Radius, reach, c)
			}
		}
	}
}

func BenchmarkMinBall(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	ps := make([]geom.Vec, 1000)
	for i := range ps {
		ps[i] = randomVec(r, 1)
	}
	for range b.N {
		MinBall(ps)
	}
}

package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

func randomVec(r *rand.Rand, size float64) geom.Vec {
	return geom.Vec{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()}
}

// many is a body of many atoms: grains of a cloud in the order of a walk, with
// cylinders among them.
func many(t *testing.T, r *rand.Rand, n int) *body {
	t.Helper()
	b := &body{link: -1, objects: []object{{name: "many"}}}
	at := randomVec(r, 1)
	for range n {
		at = plus(at, randomVec(r, 0.1))
		pose := turned(r.Float64(), r.Float64(), r.Float64(), at.X, at.Y, at.Z)
		s := &shape.Shape{Kind: shape.Sphere, Radius: r.Float64()}
		if r.IntN(3) == 0 {
			s = &shape.Shape{Kind: shape.Cylinder, Radius: 0.1 * r.Float64(), Length: r.Float64()}
		}
		if err := b.addShape(&pose, s, 0.01*r.Float64(), 0); err != nil {
			t.Fatal(err)
		}
	}
	b.makeRuns()
	return b
}

// Balls around runs of atoms spare work and change no answer.
func TestRunsChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 60 {
		n := 20 + r.IntN(300)
		b := many(t, r, n)
		plain := *b
		plain.runs = nil
		first := r.IntN(n)
		end := first + 1 + r.IntN(n-first)
		m, y := randomVec(r, 1), randomVec(r, 2)
		each := func(value func(b *body, first, end int) float64) (with, without float64) {
			without = math.Inf(-1)
			for i := first; i < end; i++ {
				without = max(without, value(b, i, i+1)) // of single atoms no run is made
			}
			return value(b, first, end), without
		}
		for what, value := range map[string]func(b *body, first, end int) float64{
			"support":     func(b *body, first, end int) float64 { return b.most(first, end, m, length(m)) },
			"radius":      func(b *body, first, end int) float64 { return b.radiusAbout(first, end, y, true) },
			"core radius": func(b *body, first, end int) float64 { return b.radiusAbout(first, end, y, false) },
			"from axis": func(b *body, first, end int) float64 {
				s := &side{m: &moment{bodies: []*body{b}}, first: first, end: end}
				return s.fromAxis(at(y), at(times(1/math.Sqrt(dot(m, m)), m)))
			},
		} {
			if with, without := each(value); with != without {
				t.Fatalf("%s of atoms %d to %d of %d: %v with runs, %v without", what, first, end, n, with, without)
			}
		}
	}
}

// What is computed of discs is no less than of points on their rims, and hardly
// more.
func TestDiscs(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 200 {
		b := &body{link: -1, objects: []object{{name: "disc"}}}
		pose := turned(6*r.Float64(), 6*r.Float64(), 6*r.Float64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		s := &shape.Shape{Kind: []shape.Kind{shape.Cylinder, shape.Cone}[r.IntN(2)], Radius: 0.05 + r.Float64(), Length: 0.05 + r.Float64()}
		if err := b.addShape(&pose, s, 0, 0); err != nil {
			t.Fatal(err)
		}
		b.makeRuns()
		points, _ := spots(b, certificate.Part{}, 2000)
		u, y := randomVec(r, 1), randomVec(r, 1)
		u = times(1/math.Sqrt(dot(u, u)), u)
		var axis, radius, most float64
		most = math.Inf(-1)
		for _, p := range points {
			d := minus(p, y)
			w := cross(d, u)
			axis, radius, most = max(axis, math.Sqrt(dot(w, w))), max(radius, math.Sqrt(dot(d, d))), max(most, dot(p, u))
		}
		side := &side{m: &moment{bodies: []*body{b}}, end: 1}
		for what, c := range map[string][2]float64{
			"from axis": {side.fromAxis(at(y), at(u)), axis},
			"radius":    {b.radiusAbout(0, 1, y, true), radius},
			"support":   {b.most(0, 1, u, 1), most},
			"far":       {b.far, 0},
		} {
			if c[0] < c[1]-1e-12 {
				t.Fatalf("%v: %s is %g, but a point of the rim has %g", s.Kind, what, c[0], c[1])
			}
			// |e x u| was taken for 1, which it is where it matters most or nowhere.
			if slack := map[string]float64{"radius": 1e-5, "support": 1e-5, "from axis": s.Radius, "far": 10}[what]; c[0] > c[1]+slack {
				t.Fatalf("%v: %s is %g, but no point of the rim has more than %g", s.Kind, what, c[0], c[1])
			}
		}
	}
}

// Only atoms of objects that must stay apart are needed.
func TestCountNeeded(t *testing.T) {
	b := &body{atoms: make([]atom, 6), owner: []int32{0, 1, 0, 2, 1, 2}}
	if got := countNeeded(b, []bool{true, false, true}); !slices.Equal(got, []int32{0, 1, 1, 2, 3, 3, 4}) {
		t.Errorf("%v", got)
	}
	if got := countNeeded(b, []bool{false, true, false}); !slices.Equal(got, []int32{0, 0, 1, 1, 1, 2, 2}) {
		t.Errorf("%v", got)
	}
}

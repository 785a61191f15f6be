package convex

import (
	"encoding/binary"
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// reader makes numbers of bytes: a byte of 0 to 4 gives that simple number, others
// a number of any size within limits, so that coincidences and extremes are common.
type reader struct{ data []byte }

func (r *reader) byte() byte {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *reader) number() float64 {
	b := r.byte()
	if b < 9 || len(r.data) < 8 {
		return (float64(b) - 4) / 4
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(r.data))
	r.data = r.data[8:]
	if !(math.Abs(x) < 1e3) || x != 0 && math.Abs(x) < 1e-30 {
		return float64(b) / 256
	}
	return x
}

func (r *reader) size() float64 { return math.Abs(r.number()) }

func (r *reader) vec() geom.Vec { return geom.Vec{X: r.number(), Y: r.number(), Z: r.number()} }

func (r *reader) core() Core {
	c := Core{Kind: Kind(r.byte() % 7)}
	if r.byte()%4 == 0 {
		c.Radius = r.size()
	}
	switch c.Kind {
	case Box:
		c.Center, c.Half = r.vec(), geom.Vec{X: r.size(), Y: r.size(), Z: r.size()}
	case Cylinder, Cone:
		c.CoreRadius, c.HalfLength = r.size(), r.size()
	default:
		n := int(c.Kind) + 1
		if c.Kind == Hull {
			n = 1 + int(r.byte()%8)
		}
		for range n {
			c.Vertices = append(c.Vertices, r.vec())
		}
	}
	return c
}

func (r *reader) pose() geom.Pose {
	q, err := geom.Quat(r.number(), r.number(), r.number(), r.number())
	if err != nil {
		q = geom.Identity()
	}
	return geom.Pose{R: q, P: r.vec()}
}

// FuzzDistance: no two cores make Distance panic, return what is not a number, a
// lower bound above the upper, or a witness outside its piece.
func FuzzDistance(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{3, 1, 4, 4, 4, 8, 8, 8, 3, 1, 4, 4, 4, 8, 8, 8, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 5, 8, 4, 4})
	f.Add([]byte{4, 0, 5, 6, 6, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4})
	f.Add([]byte{6, 1, 7, 1, 2, 3, 3, 2, 1, 0, 5, 6, 5, 1, 7, 8, 8, 8, 1, 1, 1, 4, 4, 4, 5, 4, 2, 6, 6})
	f.Fuzz(checkPair)
}

const hardPairs = 10000

// TestDistanceOfHardPairs runs the fuzz check on bytes that favour coincidences.
func TestDistanceOfHardPairs(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	for range hardPairs {
		data := make([]byte, 200)
		r.Read(data)
		simple := r.Intn(256)
		for i := range data {
			if r.Intn(256) < simple {
				data[i] %= 9
			}
		}
		checkPair(t, data)
	}
}

func checkPair(t *testing.T, data []byte) {
	r := reader{data}
	a, b := r.core(), r.core()
	pa, pb := r.pose(), r.pose()
	if a.Validate() != nil || b.Validate() != nil {
		t.Fatalf("the test made an invalid core: %v, %v", a.Validate(), b.Validate())
	}
	var ws Workspace
	ws.Dir = r.vec()
	got := Distance(&a, &pa, &b, &pb, &ws)
	checkWitness(t, &a, pa, &b, pb, got)
	if n, gap, ok := Separated(&a, &pa, &b, &pb, 0, &ws); ok {
		if exact := toFloat(exactGap(&a, pa, &b, pb, n)); !(exact >= gap) || got.Overlap {
			t.Fatalf("separated by %g (%g), but %+v", gap, exact, got)
		}
	}
	back := Distance(&b, &pb, &a, &pa, nil)
	checkWitness(t, &b, pb, &a, pa, back)
	size := a.Extent() + b.Extent() + norm(pa.P) + norm(pb.P) + a.Radius + b.Radius
	wide := 1e-10 * size
	if curved(a.Kind) || curved(b.Kind) {
		wide = 2e-9 * size
	}
	if got.Distance-got.Lower > wide {
		t.Fatalf("bracket %g of the size wide: %+v\n%+v %+v\n%+v %+v", (got.Distance-got.Lower)/size, got, a, pa, b, pb)
	}
	if !(math.Abs(back.Distance-got.Distance) <= wide) {
		t.Fatalf("distance %g one way, %g the other\n%+v %+v\n%+v %+v", got.Distance, back.Distance, a, pa, b, pb)
	}
}

// FuzzHull: no points make HullOf panic or leave one out of its hull.
func FuzzHull(f *testing.F) {
	f.Add([]byte{9, 1, 2, 3, 3, 2, 1, 4, 4, 4, 5, 5, 5, 1, 5, 2})
	f.Add([]byte{4, 4, 4, 4, 4, 4, 8, 4, 4, 4, 8, 4, 4, 4, 8, 8, 8, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader{data}
		var ps []geom.Vec
		for len(r.data) > 0 && len(ps) < 40 {
			ps = append(ps, r.vec())
		}
		c, err := HullOf(ps)
		if len(ps) == 0 {
			if err == nil {
				t.Fatal("a hull of nothing")
			}
			return
		}
		if err != nil || c.Validate() != nil {
			t.Fatalf("%v, %v: %v", err, c.Validate(), ps)
		}
		size := extentOf(ps)
		if !(c.Radius <= 1e-9*size) {
			t.Fatalf("radius %g of the size: %v", c.Radius/size, ps)
		}
		id := geom.IdentityPose()
		for _, p := range ps {
			point := Core{Kind: Point, Vertices: []geom.Vec{p}}
			if d := Distance(&point, &id, &c, &id, nil); d.Lower > 0 {
				t.Fatalf("%v is %g outside the hull of %v", p, d.Lower, ps)
			}
		}
	})
}

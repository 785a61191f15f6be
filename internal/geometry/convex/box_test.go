package convex

import (
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The core holds the box exactly, and hardly more.
func TestBoxOf(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	naive := 0
	for range 20000 {
		k := math.Pow(10, 6*r.Float64()-3)
		b := geom.EmptyBox().Extend(randomVec(r, k)).Extend(randomVec(r, 1))
		if r.Intn(4) == 0 {
			b.Max.Y = b.Min.Y
		}
		c := BoxOf(b)
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			lo, hi := bv(b.Min)[i], bv(b.Max)[i]
			mid, half := bv(c.Center)[i], bv(c.Half)[i]
			if badd(mid, half).Cmp(hi) < 0 || bsub(mid, half).Cmp(lo) > 0 {
				t.Fatalf("%v is not inside %+v", b, c)
			}
			if plain := bv(b.Half())[i]; badd(mid, plain).Cmp(hi) < 0 || bsub(mid, plain).Cmp(lo) > 0 {
				naive++
			}
		}
		size := norm(b.Min) + norm(b.Max)
		if over := norm(sub(c.Half, b.Half())); over > 8*0x1p-53*size {
			t.Fatalf("%+v is %g larger than %v", c, over, b)
		}
	}
	if naive == 0 {
		t.Error("half the sides would have done: the test shows nothing")
	}
}

//go:build gl && cgo

package sweptgl

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// canaries are slices that touch pieces of the world by a micrometre, and less. Each batch
// ends with them, and an answer without them is not believed.
type canaries struct {
	slices []solid
	items  []uint32
}

// canaryCount is how many pieces have one, at most.
const canaryCount = 24

// newCanaries makes slices whose surface dents pieces. Pieces are chosen at random, besides the
// first and the last, which a walk that ends too early misses.
func newCanaries(w *world, r *rand.Rand) *canaries {
	c := &canaries{}
	n := len(w.solid)
	for i := range min(canaryCount, n) {
		item := r.IntN(n)
		switch i {
		case 0:
			item = 0
		case 1:
			item = n - 1
		}
		c.slices = append(c.slices, dent(&w.solid[item], r))
		c.items = append(c.items, uint32(item))
	}
	return c
}

// dent returns a slice in whose surface a point of the solid is, at a depth of a micrometre:
// the point is that deep in a ball of it.
func dent(s *solid, r *rand.Rand) solid {
	p, sum := geom.Vec{}, 0.0
	for i := range s.n {
		weight := r.ExpFloat64()
		if r.IntN(2) == 0 { // at corners and sides, often
			weight *= 1e-3
		}
		p, sum = r3.Add(p, r3.Scale(weight, s.at(i))), sum+weight
	}
	if p = r3.Scale(1/sum, p); s.inner != nil {
		p = *s.inner
	}
	unit := func() geom.Vec {
		return r3.Unit(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
	}
	radius := 0.01 + 0.1*r.Float64()
	at := r3.Add(p, r3.Scale(radius-1e-6, unit()))
	var out solid
	out.hold([]geom.Vec{at, r3.Add(at, r3.Scale(0.1, unit())), at, r3.Add(at, r3.Scale(0.2, unit()))}, radius)
	return out
}

// take checks that the canaries, which are the slices from first on, were found, and leaves the
// other hits.
func (c *canaries) take(w *walked, first uint32) error {
	seen := make([]bool, len(c.slices))
	kept := w.hits[:0]
	for _, h := range w.hits {
		if h.slice < first {
			kept = append(kept, h)
		} else if k := h.slice - first; c.items[k] == h.item {
			seen[k] = true
		}
	}
	w.hits = kept
	for i, ok := range seen {
		if !ok && !w.gaveUp[int(first)+i] {
			return fmt.Errorf("the device left out piece %d, which is known to touch: its answers are not used", c.items[i])
		}
	}
	return nil
}

// specks returns small pieces that touch the slices, one each: at a corner of the slice, out
// to its radius but for a micrometre. The images must show none of them before the volume.
func specks(slices []solid) []solid {
	out := make([]solid, len(slices))
	for i := range slices {
		s := &slices[i]
		d := geom.Vec{}
		switch i % 6 { // at the border of a view, too
		case 0:
			d.X = 1
		case 1:
			d.Y = -1
		case 2:
			d.Z = 1
		case 3:
			d.X = -1
		case 4:
			d.Y = 1
		default:
			d.Z = -1
		}
		best := s.at(0)
		for k := 1; k < s.n; k++ {
			if p := s.at(k); r3.Dot(p, d) > r3.Dot(best, d) {
				best = p
			}
		}
		p := r3.Add(best, r3.Scale(max(float64(s.radius)-1e-6, 0), d))
		out[i].kind = convex.Triangle
		out[i].hold([]geom.Vec{p, r3.Add(p, r3.Scale(1e-5, geom.Vec{X: d.Y + d.Z, Y: d.X})), p}, 0)
	}
	return out
}

// randomPoints returns corners of a triangle in a room.
func randomPoints(r *rand.Rand) []geom.Vec {
	ps := make([]geom.Vec, 3)
	for i := range ps {
		ps[i] = geom.Vec{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Z: r.Float64()}
	}
	return ps
}

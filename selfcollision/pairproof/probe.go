package pairproof

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The search for configurations at which two links touch, and at which they do
// not: random ones, and from each downhill along the distance. It decides nothing;
// the exact check does.

const (
	probes   = 96   // random configurations
	alike    = 32   // of which so many may all touch before none is taken to be apart
	downhill = 14   // steps from each
	longest  = 0.6  // rad or m: of a step of one variable
	plenty   = 5e-3 // m: an overlap that no rounding and no second opinion doubts
	again    = 6    // descents that may look for a deeper witness
	looks    = 48   // exact checks, which take long where shapes that are not convex are close
)

// found is what a search has come across.
type found struct {
	touch, apart []float64 // configurations of the pair's variables
	depth        float64   // about how far the convex pieces overlap at touch
	times        int       // that a touch was found
}

// probe looks for a configuration at which the links touch, and one at which they
// are apart.
func (s *scratch) probe(f *found) {
	q := make([]float64, len(s.vars))
	for i := range probes {
		settled := f.touch != nil && (f.depth > plenty || f.times > again)
		if settled && (f.apart != nil || i > alike) || s.spent() {
			return
		}
		s.choose(i, q)
		if f.apart == nil {
			if _, apart := s.look(q); apart {
				f.apart = slices.Clone(q)
			}
		}
		if !settled && s.looked < looks {
			s.descend(q, f)
		}
	}
}

// choose sets q to the i-th configuration to look at.
func (s *scratch) choose(i int, q []float64) {
	for k := range q {
		switch i {
		case 0:
			q[k] = math.Max(s.lo[k], math.Min(s.hi[k], s.rest[s.vars[k]]))
		case 1:
			q[k] = s.lo[k] + (s.hi[k]-s.lo[k])/2
		default:
			q[k] = s.lo[k] + (s.hi[k]-s.lo[k])*s.rng.Float64()
		}
	}
}

// descend walks from q, which it changes, to where the links touch, and on to where
// they overlap well.
func (s *scratch) descend(q []float64, f *found) {
	for range downhill {
		s.place(q)
		c := s.hulls()
		if c.distance <= s.opt.Clearance {
			if s.looked++; !c.exact && s.looked > 2*looks {
				return
			}
			if s.offer(q, c, f) {
				if c.distance < -plenty {
					return
				}
			} else if c.exact || !s.refine(q, &c) {
				return
			}
		}
		if !s.step(q, &c) {
			return
		}
	}
}

// offer takes note of q if the links touch there.
func (s *scratch) offer(q []float64, c closest, f *found) bool {
	if !s.touches(q) {
		return false
	}
	f.times++
	if depth := math.Max(0, -c.distance); f.touch == nil || depth > f.depth {
		f.touch, f.depth = slices.Clone(q), depth
	}
	return true
}

// rounding (m) is how far apart the two may be that the exact check finds of a point
// that both links have.
const rounding = 1e-13

// look checks the links at q, exactly: whether they have a point in common or are
// within the clearance, and whether it is proved that they are farther apart, solids
// included. Between the two is what rounding does not tell apart.
func (s *scratch) look(q []float64) (touch, apart bool) {
	d := s.exact.Between(s.state(q), s.elements, 2*s.opt.Clearance+1e-6, 0)
	return d.Distance <= s.opt.Clearance+rounding, d.Bounds.Lo > s.opt.Clearance
}

func (s *scratch) touches(q []float64) bool {
	touch, _ := s.look(q)
	return touch
}

// refine replaces the closest points of hulls by those of the shapes, where the
// hulls overlap and the shapes do not.
func (s *scratch) refine(q []float64, c *closest) bool {
	d := s.exact.Between(s.state(q), s.elements, math.Inf(1), 0.5)
	n, ok := geom.Unit(r3.Sub(d.PointB, d.PointA))
	if math.IsInf(d.Distance, 1) || !ok {
		return false
	}
	*c = closest{distance: d.Distance, a: d.PointA, b: d.PointB, n: n, exact: true}
	return true
}

// step moves q to where, to first order, the distance is a little below zero.
func (s *scratch) step(q []float64, c *closest) bool {
	g := s.gradient(c)
	g2 := 0.0
	for i, x := range g {
		if x > 0 && q[i] <= s.lo[i] || x < 0 && q[i] >= s.hi[i] {
			g[i] = 0 // against the limit
		}
		g2 += g[i] * g[i]
	}
	if !(g2 > 1e-12) {
		return false
	}
	by := (math.Max(c.distance, 0) + 2*plenty) / g2
	moved := false
	for i, x := range g {
		d := math.Max(-longest, math.Min(longest, by*x))
		to := math.Max(s.lo[i], math.Min(s.hi[i], q[i]-d))
		moved = moved || to != q[i]
		q[i] = to
	}
	return moved
}

// gradient returns how fast the distance grows with each variable of the pair.
func (s *scratch) gradient(c *closest) []float64 {
	s.grad = append(s.grad[:0], make([]float64, len(s.vars))...)
	for side, body := range [2]int{s.a, s.b} {
		x, sign := c.a, -1.0
		if side == 1 {
			x, sign = c.b, 1
		}
		for _, k := range s.m.Tree.Chain(s.m.Bodies[body].Frame)[s.parting:] {
			f := &s.m.Tree.Frames[k]
			v := s.st.AxisW[k]
			if !f.Prismatic {
				v = r3.Cross(v, r3.Sub(x, s.st.OriginW[k]))
			}
			i, _ := slices.BinarySearch(s.vars, f.Dof)
			s.grad[i] += sign * f.Mult * r3.Dot(c.n, v)
		}
	}
	return s.grad
}

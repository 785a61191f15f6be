package meet

import (
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/ccd/spacetime"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/kin"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// scratch is what one goroutine writes while it looks at a pair.
type scratch struct {
	*problem
	st     *kin.State
	around []kin.Around
	exact  *spacetime.Worker
	search convex.Workspace
	rng    *rand.Rand
	out    *Pair
	stop   func() bool // the caller has gone
	until  time.Time   // zero: no deadline
	grad   []float64
}

func newScratch(s *subject) *scratch {
	return &scratch{
		st: kin.NewState(s.m.Tree), around: make([]kin.Around, len(s.m.Tree.Dofs)),
		exact: spacetime.NewWorker(s.m),
	}
}

// begin takes up a pair.
func (s *scratch) begin(p *problem, out *Pair) {
	s.problem, s.out = p, out
	s.rng = rand.New(rand.NewPCG(p.opt.Seed, uint64(out.A)<<32|uint64(out.B)))
	s.problem.around(s.around, p.lo, nil)
	s.st.Bound(s.around)
	s.until = time.Time{}
	if p.opt.Deadline > 0 {
		s.until = time.Now().Add(p.opt.Deadline)
	}
}

// spent reports whether the pair's time is up, or the caller has gone.
func (s *scratch) spent() bool {
	return s.stop() || !s.until.IsZero() && time.Now().After(s.until)
}

// place moves the robot to a configuration of the pair's variables.
func (s *scratch) place(q []float64) {
	s.problem.around(s.around, q, nil)
	s.st.Place(s.around)
	s.st.Ensure(s.m.Bodies[s.a].Frame)
	s.st.Ensure(s.m.Bodies[s.b].Frame)
}

// closest is the closest two points of the links' convex pieces, of two elements,
// at the configuration placed. overlap tells that pieces overlap, of which the
// deepest are taken, and exact that those are the shapes themselves.
type closest struct {
	distance float64 // negative: how far they would have to be moved apart
	a, b, n  geom.Vec
	exact    bool
}

// hulls finds the closest points of all convex pieces of the two links. It proves
// nothing.
func (s *scratch) hulls() closest {
	best := closest{distance: math.Inf(1)}
	for _, i := range s.elements {
		q := &s.m.Pairs[i]
		ea, eb := &s.m.Elements[q.A], &s.m.Elements[q.B]
		pa, pb := s.st.PoseWF[ea.Frame].Mul(ea.PoseFE), s.st.PoseWF[eb.Frame].Mul(eb.PoseFE)
		between := geom.Norm(r3.Sub(pa.Apply(ea.Center), pb.Apply(eb.Center))) - ea.Radius - eb.Radius
		if between >= best.distance {
			continue
		}
		s.search.Dir = geom.Vec{}
		r := convex.Distance(&ea.Core, pa, &eb.Core, pb, &s.search)
		c := closest{distance: r.Distance, a: r.PointA, b: r.PointB, n: r.Normal, exact: ea.Exact && eb.Exact}
		if r.Overlap {
			c.distance, c.n = overlap(&ea.Core, &pa, &eb.Core, &pb, r.Normal)
			c.distance = -c.distance
			c.a, c.b = r.PointA, r.PointA
		}
		if c.distance < best.distance {
			best = c
		}
	}
	return best
}

// overlap looks for the shortest way, along n from a to b, by which two convex
// pieces that overlap can be parted: some directions, the best of them turned
// about for as long as that helps.
func overlap(a *convex.Core, pa *geom.Pose, b *convex.Core, pb *geom.Pose, hint geom.Vec) (depth float64, n geom.Vec) {
	depth = math.Inf(1)
	try := func(d geom.Vec) bool {
		d, ok := geom.Unit(d)
		if !ok {
			return false
		}
		if by := -convex.Gap(a, pa, b, pb, d); by < depth {
			depth, n = by, d
			return true
		}
		return false
	}
	try(hint)
	for _, d := range compass {
		try(d)
		try(pa.R.Apply(d))
		try(pb.R.Apply(d))
	}
	for step := 0.3; step > 1e-3; {
		better := false
		for _, d := range compass {
			better = try(r3.Add(n, r3.Scale(step, d))) || better
		}
		if !better {
			step /= 2
		}
	}
	return max(depth, 0), n
}

// compass is the directions of a cube's faces, edges and corners.
var compass = func() (out []geom.Vec) {
	for k := range 27 {
		if d, ok := geom.Unit(geom.Vec{X: float64(k%3 - 1), Y: float64(k/3%3 - 1), Z: float64(k/9 - 1)}); ok {
			out = append(out, d)
		}
	}
	return out
}()

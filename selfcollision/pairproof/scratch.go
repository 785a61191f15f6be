package pairproof

import (
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// scratch is what one goroutine writes while it looks at a pair.
type scratch struct {
	*problem
	st     *kin.State
	around []kin.Around
	exact  *distance.Searcher
	search convex.Workspace
	rng    *rand.Rand
	out    *Pair
	stop   func() bool // the context is done
	until  time.Time   // zero: no deadline
	grad   []float64

	// tryAlong tries to prove the sides at hand apart along a direction: along, or
	// what a test puts in its place.
	tryAlong func(n geom.Vec, pa, pb *hullPiece) bool

	pieces      map[int64]*hullPiece
	solids      map[int]*solid
	reachOf     [][]float64 // per element: kin.Tree.Reach, within the joint box
	looked      int         // exact checks of the pair's descents
	tried       int         // entries
	queue       []cell
	open        []entry
	weight      []float64 // per variable of the pair
	left, right limb
}

func newScratch(s *subject) *scratch {
	x := &scratch{
		st: kin.NewState(s.m.Tree), around: make([]kin.Around, len(s.m.Tree.Dofs)),
		exact: distance.New(s.m), pieces: map[int64]*hullPiece{}, solids: map[int]*solid{}, reachOf: make([][]float64, len(s.m.Elements)),
	}
	x.tryAlong = x.along
	return x
}

// begin takes up a pair.
func (s *scratch) begin(p *problem, out *Pair) {
	s.problem, s.out = p, out
	s.rng = rand.New(rand.NewPCG(p.opt.Seed, uint64(out.A)<<32|uint64(out.B)))
	s.problem.around(s.around, p.lo, nil)
	s.st.Bound(s.around)
	s.bound()
	s.looked, s.tried = 0, 0
	s.until = time.Time{}
	if p.opt.Deadline > 0 {
		s.until = time.Now().Add(p.opt.Deadline)
	}
}

// bound works out the elements' reach, which holds in the pair's joint box: with
// slides as far out as they go.
func (s *scratch) bound() {
	limit := func(k int) float64 {
		f := &s.m.Tree.Frames[k]
		return (math.Abs(f.Mult)*s.around[f.Dof].MaxAbs + math.Abs(f.Offset)) * (1 + 8*u)
	}
	for _, body := range [2]int{s.a, s.b} {
		for _, i := range s.m.Bodies[body].Elements {
			e := &s.m.Elements[i]
			s.reachOf[i] = append(s.reachOf[i][:0], make([]float64, len(s.m.Tree.Chain(e.Frame)))...)
			s.m.Tree.Reach(e.Frame, e.PoseFE.Apply(e.Center), e.Radius*(1+1e-12)+1e-12, limit, s.reachOf[i])
		}
	}
}

// spent reports whether the pair's deadline has passed or the context is done.
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
// at the configuration placed.
type closest struct {
	distance float64 // negative where pieces overlap: about how far, the deepest taken
	a, b, n  geom.Vec
	exact    bool  // the pieces are the shapes themselves
	pair     int32 // of elements
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
		r := convex.Distance(&ea.Core, &pa, &eb.Core, &pb, &s.search)
		c := closest{distance: r.Distance, a: r.PointA, b: r.PointB, n: r.Normal, exact: ea.Exact && eb.Exact, pair: i}
		if r.Overlap {
			c.distance, c.n = overlap(&ea.Rough, &pa, &eb.Rough, &pb, r.Normal, 0.1)
			c.distance, c.b = -c.distance, r.PointA
		}
		if c.distance < best.distance {
			best = c
		}
	}
	return best
}

// depth measures how far the links overlap at q, and whether hulls had to stand for
// shapes.
func (s *scratch) depth(q []float64) (depth float64, hulls bool) {
	s.place(q)
	for _, i := range s.elements {
		q := &s.m.Pairs[i]
		ea, eb := &s.m.Elements[q.A], &s.m.Elements[q.B]
		pa, pb := s.st.PoseWF[ea.Frame].Mul(ea.PoseFE), s.st.PoseWF[eb.Frame].Mul(eb.PoseFE)
		if by, _ := overlap(&ea.Core, &pa, &eb.Core, &pb, geom.Vec{}, 1e-3); by > depth {
			depth, hulls = by, !ea.Exact || !eb.Exact
		}
	}
	return depth, hulls
}

// overlap looks for the shortest way, along n from a to b, by which two convex
// pieces that overlap can be parted: some directions, the best of them turned
// about for as long as that helps, by steps down to finest.
func overlap(a *convex.Core, pa *geom.Pose, b *convex.Core, pb *geom.Pose, hint geom.Vec, finest float64) (depth float64, n geom.Vec) {
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
		if finest < 0.01 {
			try(pa.R.Apply(d))
			try(pb.R.Apply(d))
		}
	}
	for step := 0.3; step > finest; {
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

// compass is the directions of a cube's faces, edges and corners, in that order.
var compass = func() (out []geom.Vec) {
	for ends := 1; ends <= 3; ends++ {
		for k := range 27 {
			d := geom.Vec{X: float64(k%3 - 1), Y: float64(k/3%3 - 1), Z: float64(k/9 - 1)}
			if r3.Norm2(d) == float64(ends) {
				d, _ = geom.Unit(d)
				out = append(out, d)
			}
		}
	}
	return out
}()

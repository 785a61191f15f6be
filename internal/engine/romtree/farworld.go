package romtree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

var identity = geom.IdentityPose()

// WorldQuery measures the distance of a robot to static objects. It descends the
// kinematic tree, nearest subtree first. One test excludes a subtree whose ball is
// farther from everything than the running bound, for example an arm that is stretched
// away from all obstacles. It holds the memory of one goroutine.
type WorldQuery struct {
	*skeleton
	elements [][]int32 // per frame: its shapes that are checked against the world
	all      []int32   // every element of the world
	segments model.Segments

	q           Question
	queue       queue
	spots       []near
	best        distance.Closest
	lowest      float64
	last, first int32 // the shape that was closest, and the one measured first
	work        WorldWork
	point       convex.Core
	flat        bool // measure shape by shape, without subtrees, for comparison
}

// WorldWork counts the work of a query.
type WorldWork struct {
	Tests    int // balls tested against the world's tree
	Boxes    int // nodes of that tree that were opened
	Subtrees int // excluded by one test
	Shapes   int // shapes of the robot excluded by their own ball
	Measured int // shapes whose distance was computed
}

// WorldDistance is the answer of a WorldQuery; see SelfDistance.
type WorldDistance struct {
	Bounds motion.Interval
	Found  bool
	motion.Witness
	LinkA, LinkB geom.Vec // the point of a world object is in the root link's frame
	Work         WorldWork
}

// NewWorldQuery returns a query of the model; rom may be nil.
func NewWorldQuery(m *model.Model, rom *RangeOfMotion) *WorldQuery {
	s := &WorldQuery{
		skeleton: newSkeleton(m, rom), last: -1, point: convex.Core{Kind: convex.Point, Vertices: make([]geom.Vec, 1)},
		elements: make([][]int32, len(m.Tree.Frames)), all: make([]int32, m.Real-int(m.First)),
	}
	for i, row := range m.Against {
		if f := m.Elements[i].Frame; row != nil {
			s.elements[f] = append(s.elements[f], int32(i))
		}
	}
	return s
}

// Distance bounds the distance of the closest pair of robot and world that is checked.
// It fails like SelfQuery.Distance.
func (s *WorldQuery) Distance(ctx context.Context, state []float64, q Question) (WorldDistance, error) {
	if err := s.check(state, q); err != nil {
		return WorldDistance{}, err
	}
	s.q, s.work = q, WorldWork{}
	s.place(ctx, state, !q.Cold)
	s.best, s.lowest = distance.Closest{Upper: math.Inf(1), Pair: -1}, math.Inf(1)
	s.queue.Reset()
	s.first = -1
	if s.last >= 0 && !q.Cold {
		s.first = s.last
		s.measure(s.first)
	}
	s.start()
	s.search()
	if why := s.w.Ended(); why != "" {
		return WorldDistance{}, fmt.Errorf("the distance query ended early: %s", why)
	}
	out := WorldDistance{Bounds: motion.Interval{Lo: max(0, min(s.lowest, s.best.Upper)), Hi: s.best.Upper}, Work: s.work}
	if s.best.Pair >= 0 {
		out.Found, out.Witness = true, s.w.WitnessOf(&s.best)
		p := &s.m.Pairs[s.best.Pair]
		out.LinkA, out.LinkB = s.inLink(p.A, out.PointA), s.inLink(p.B, out.PointB)
	}
	return out, nil
}

// start queues the whole robot.
func (s *WorldQuery) start() {
	if !s.subtrees[0] || len(s.m.World.Items) == 0 {
		return
	}
	if !s.flat {
		s.queue.push(item{math.Inf(-1), 0, 0, linkAndTree})
		return
	}
	for k := range s.elements {
		for _, e := range s.elements[k] {
			s.queue.push(item{math.Inf(-1), e, e, twoLinks})
		}
	}
}

func (s *WorldQuery) enough() float64 { return s.q.enough(s.best.Upper) }

func (s *WorldQuery) search() {
	for s.queue.Len() > 0 && s.w.Ended() == "" && s.best.Upper > 0 {
		if s.queue.Top().Key >= s.enough() {
			s.lowest = min(s.lowest, s.queue.Top().Key)
			return
		}
		switch n := s.queue.pop(); n.kind {
		case linkAndTree: // a subtree and the world
			s.openSubtree(n)
		default: // a shape of the robot and the world
			s.openShape(n)
		}
	}
}

// openSubtree excludes the subtree of frame n.a, or queues its shapes and child
// subtrees.
func (s *WorldQuery) openSubtree(n item) {
	lower := s.bound(&s.tree[n.a], n.lower)
	if s.leave(lower) {
		s.work.Subtrees++
		return
	}
	for _, e := range s.elements[n.a] {
		s.queue.push(item{lower, e, e, twoLinks})
	}
	for _, c := range s.children[n.a] {
		s.queue.push(item{lower, c, c, linkAndTree})
	}
}

// openShape excludes a shape or measures it.
func (s *WorldQuery) openShape(n item) {
	if n.a == s.first {
		return // done
	}
	ball := s.element(int(n.a))
	lower := s.bound(&ball, n.lower)
	if s.leave(lower) {
		s.work.Shapes++
		return
	}
	s.measure(n.a)
}

// leave reports whether something at least lower away cannot improve the answer.
func (s *WorldQuery) leave(lower float64) bool {
	if lower < s.enough() {
		return false
	}
	s.lowest = min(s.lowest, lower)
	return true
}

// bound returns a lower bound of the distance of the world from something inside a ball that
// is known to be at least parent away. If no surface enters the ball, all of it is on one side
// of each surface, and its centre decides which: inside a solid the distance is zero. If
// parent is positive, it is known to be outside of all solids.
func (s *WorldQuery) bound(ball *convex.Ball, parent float64) float64 {
	lower := max(parent, s.fromWorld(ball))
	if lower > 0 && !(parent > 0) && !s.outsideSolids(ball) {
		return parent
	}
	return lower
}

// outsideSolids reports whether the centre of a ball is proved to be inside no closed surface
// of the world. Items of other solids are boxes of the tree, and a ball inside one has no
// positive distance.
func (s *WorldQuery) outsideSolids(ball *convex.Ball) bool {
	solid, ok := s.m.World.SolidAround(ball.Center, s.all, &s.segments)
	return ok && solid < 0
}

// near is a node of the world's tree and its distance from a point.
type near struct {
	node int32
	far  float64
}

// fromWorld returns a lower bound of the distance of a ball from every item of the world, up
// to the bound that is enough. Boxes of the tree contain their items, whose positions have an
// error of at most Err; the error of the distance to a box is 4u of its size.
func (s *WorldQuery) fromWorld(ball *convex.Ball) float64 {
	s.work.Tests++
	tree, found := s.m.World.Tree, math.Inf(1)
	slack := s.m.World.Err + 16*unit*(geom.Norm(ball.Center)+ball.Radius)
	if enough := s.enough(); !math.IsInf(enough, 1) {
		// Slightly more, so that rounding does not exclude a value that is just enough.
		found = (max(enough, 0)+ball.Radius+slack)*(1+16*unit) + slack
	}
	s.spots = append(s.spots[:0], near{0, 0})
	for len(s.spots) > 0 {
		top := s.spots[len(s.spots)-1]
		s.spots = s.spots[:len(s.spots)-1]
		if top.far >= found {
			continue
		}
		s.work.Boxes++
		n := &tree.Nodes[top.node]
		first := len(s.spots)
		for i := range int(n.Count) {
			far := toBox(ball.Center, n, i) * (1 - 8*unit)
			if far >= found {
				continue
			}
			if n.Child[i] < 0 {
				found = min(found, max(far, s.toItem(ball.Center, ^n.Child[i])))
				if found <= ball.Radius {
					return found - ball.Radius - slack // an item reaches into the ball: its depth is irrelevant
				}
				continue
			}
			s.spots = append(s.spots, near{n.Child[i], far})
			for k := len(s.spots) - 1; k > first && s.spots[k-1].far < far; k-- {
				s.spots[k-1], s.spots[k] = s.spots[k], s.spots[k-1]
			}
		}
	}
	return found - ball.Radius - slack
}

// toItem returns a lower bound of the distance of x from an item of the world: axis-aligned
// boxes are loose around slanted triangles. Along any direction, a triangle is at least as far
// as its nearest corner; the direction from its closest point is the best. The error is a few
// roundings of the size of the numbers; fromWorld's slack covers it.
func (s *WorldQuery) toItem(x geom.Vec, at int32) float64 {
	it := &s.m.World.Items[at]
	if it.Leaf < 0 {
		return s.toCore(x, &s.m.Elements[it.Element])
	}
	if it.Kind(s.m) != convex.Triangle {
		return 0 // a point or a cell: its box suffices
	}
	t := tri.Triangle(it.Vertices)
	n, ok := geom.Unit(r3.Sub(tri.ClosestPoint(&t, x), x))
	if !ok {
		return 0
	}
	far := math.Inf(1)
	for _, v := range t {
		far = min(far, r3.Dot(n, r3.Sub(v, x)))
	}
	return (far - it.Radius) * (1 - 8*unit)
}

// toCore returns a lower bound of the distance of x from the convex piece around an element of
// the world.
func (s *WorldQuery) toCore(x geom.Vec, e *model.Element) float64 {
	s.point.Vertices[0] = x
	return convex.Distance(&s.point, &identity, &e.Core, &e.PoseFE, nil).Lower
}

// toBox returns the distance of x from a child's box.
func toBox(x geom.Vec, n *bvh.WideNode, i int) float64 {
	out := func(x float64, lo, hi float32) float64 { return max(0, max(float64(lo)-x, x-float64(hi))) }
	return geom.Norm(geom.Vec{
		X: out(x.X, n.Lo[0][i], n.Hi[0][i]), Y: out(x.Y, n.Lo[1][i], n.Hi[1][i]), Z: out(x.Z, n.Lo[2][i], n.Hi[2][i]),
	})
}

// measure finds the closest point of the world to a shape, within the running bound.
func (s *WorldQuery) measure(element int32) {
	s.work.Measured++
	c := s.w.LookAround(int(element), s.enough(), s.q.Tolerance, s.q.Relative)
	s.lowest = min(s.lowest, c.Lower)
	if c.Pair >= 0 && c.Upper < s.best.Upper {
		s.best, s.last = c, element
	}
}

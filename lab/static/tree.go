package static

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// ball holds every point of some leaves.
type ball struct {
	c geom.Vec
	r float64
}

// node is a ball about the leaves [first, first+count); its children stand at kids
// and kids+1, and a node of one leaf has none.
type node struct {
	ball
	half         geom.Vec // of the box about the ball's centre, along the frame's axes
	first, count int32
	kids         int32
}

// piece is one collision element, in the coordinates of the frame that moves it.
type piece struct {
	body   int32 // whose name it answers to
	frame  int32
	leaves []leaf
	nodes  []node
	solids []solid // of a mesh
	probes []geom.Vec
}

func newPiece(body, frame int, leaves []leaf) *piece {
	p := &piece{body: int32(body), frame: int32(frame), leaves: leaves}
	p.nodes = append(make([]node, 0, 2*len(leaves)), node{count: int32(len(leaves))})
	for i := 0; i < len(p.nodes); i++ {
		p.split(i)
	}
	return p
}

// split finds the ball of node i and gives it children, halves by the longest side.
func (p *piece) split(i int) {
	n := p.nodes[i]
	own := p.leaves[n.first : n.first+n.count]
	b := geom.EmptyBox()
	round := 0.0
	for k := range own {
		own[k].corners(func(x geom.Vec) { b = b.Extend(x) })
		round = math.Max(round, own[k].round)
	}
	n.c = b.Center()
	for k := range own {
		own[k].corners(func(x geom.Vec) { n.r = math.Max(n.r, geom.Norm(r3.Sub(x, n.c))) })
	}
	n.r = (n.r + round) * (1 + 1e-12)
	n.half = r3.Scale(1+1e-12, r3.Add(b.Half(), geom.Vec{X: round, Y: round, Z: round}))
	if n.count > 1 {
		n.kids = int32(len(p.nodes))
		size, axis := b.Half(), 0
		if size.Y > size.X {
			axis = 1
		}
		if size.Z > math.Max(size.X, size.Y) {
			axis = 2
		}
		along := func(l *leaf) float64 {
			s := r3.Add(l.pose.P, r3.Add(l.v[0], r3.Add(l.v[1], l.v[2])))
			return [3]float64{s.X, s.Y, s.Z}[axis]
		}
		slices.SortFunc(own, func(a, b leaf) int {
			x, y := along(&a), along(&b)
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		half := n.count / 2
		p.nodes = append(p.nodes, node{first: n.first, count: half}, node{first: n.first + half, count: n.count - half})
	}
	p.nodes[i] = n
}

// top is the greatest n.x of the piece.
func (p *piece) top(n geom.Vec) float64 {
	most := math.Inf(-1)
	var stack [64]int32
	top := 1
	for top > 0 {
		top--
		m := &p.nodes[stack[top]]
		if r3.Dot(n, m.c)+m.r <= most {
			continue
		}
		if m.count == 1 {
			l := &p.leaves[m.first]
			most = math.Max(most, r3.Dot(n, l.support(n))+l.round)
			continue
		}
		a, b := m.kids, m.kids+1
		if r3.Dot(n, p.nodes[a].c) > r3.Dot(n, p.nodes[b].c) {
			a, b = b, a
		}
		stack[top], stack[top+1] = a, b
		top += 2
	}
	return most
}

// search looks for how far two pieces are apart.
type search struct {
	a, b  *piece
	ofB   geom.Pose // of b's frame in a's
	limit float64   // what is in question: more than this is what must be shown
	best  float64   // the least of the leaves so far
	least float64   // of best and of what was not opened
	along geom.Vec  // in a's frame, of best
	pair  [2]int32  // leaves of best
	count int       // leaves looked at
	sb    leaf
	stack []opened
}

type opened struct {
	a, b  int32
	bound float64
}

// slack is the share of what a bound exceeds the limit by that it may fall short of
// the distance: references need not be good, only to last.
const slack = 0.5

// distance is a lower bound of the distance of a and b, at most cap. It is as good as
// slack says where it is above the limit; at or below it, the search ends at once.
func (s *search) distance(cap float64, guess [2]int32) float64 {
	s.best, s.least, s.count = cap, cap, 0
	s.along = geom.Vec{}
	s.stack = s.stack[:0]
	if guess[0] >= 0 {
		s.leaf(guess[0], guess[1])
	}
	s.push(0, 0)
	for len(s.stack) > 0 && s.least > s.limit {
		o := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if s.skip(o.bound) {
			continue
		}
		na, nb := &s.a.nodes[o.a], &s.b.nodes[o.b]
		switch {
		case na.count == 1 && nb.count == 1:
			s.leaf(na.first, nb.first)
		case nb.count == 1 || na.count > 1 && na.r > nb.r:
			s.both(na.kids, o.b, na.kids+1, o.b)
		default:
			s.both(o.a, nb.kids, o.a, nb.kids+1)
		}
	}
	return s.least
}

// skip tells whether a bound is good enough to leave a pair closed, and notes it.
func (s *search) skip(bound float64) bool {
	if bound-s.limit < slack*(s.best-s.limit) {
		return false
	}
	s.least = math.Min(s.least, bound)
	return true
}

func (s *search) leaf(a, b int32) {
	s.count++
	s.b.leaves[b].moved(&s.ofB, &s.sb)
	g, n := gap(&s.a.leaves[a], &s.sb, s.limit, s.best)
	if g < s.best {
		s.best, s.along, s.pair = g, n, [2]int32{a, b}
	}
	s.least = math.Min(s.least, g)
}

// both pushes two pairs of nodes, the nearer last.
func (s *search) both(a, b, c, d int32) {
	x, y := s.bound(a, b), s.bound(c, d)
	if x < y {
		a, b, x, c, d, y = c, d, y, a, b, x
	}
	if !s.skip(x) {
		s.stack = append(s.stack, opened{a, b, x})
	}
	if !s.skip(y) {
		s.stack = append(s.stack, opened{c, d, y})
	}
}

func (s *search) push(a, b int32) {
	if x := s.bound(a, b); !s.skip(x) {
		s.stack = append(s.stack, opened{a, b, x})
	}
}

// outOf is how far a point is from a node's box.
func (n *node) outOf(x *geom.Vec) float64 {
	dx, dy, dz := math.Abs(x.X-n.c.X)-n.half.X, math.Abs(x.Y-n.c.Y)-n.half.Y, math.Abs(x.Z-n.c.Z)-n.half.Z
	sum := 0.0
	if dx > 0 {
		sum += dx * dx
	}
	if dy > 0 {
		sum += dy * dy
	}
	if dz > 0 {
		sum += dz * dz
	}
	return math.Sqrt(sum)
}

// bound is below the distance of two nodes: that of their balls, of the ball of one and
// the box of the other, or of the ball of one and the only leaf of the other.
func (s *search) bound(a, b int32) float64 {
	na, nb := &s.a.nodes[a], &s.b.nodes[b]
	var c geom.Vec
	apply(&s.ofB, nb.c, &c)
	d := math.Sqrt(r3.Norm2(r3.Sub(c, na.c))) - na.r - nb.r
	if d-s.limit >= slack*(s.best-s.limit) {
		return d
	}
	if na.r > nb.r {
		if na.count == 1 {
			return math.Max(d, s.a.leaves[na.first].away(c)-nb.r)
		}
		return math.Max(d, na.outOf(&c)-nb.r)
	}
	back := s.ofB.ApplyInv(na.c)
	if nb.count == 1 {
		return math.Max(d, s.b.leaves[nb.first].away(back)-na.r)
	}
	return math.Max(d, nb.outOf(&back)-na.r)
}

// parted is how far apart a plane with this normal, in a's frame and from a to b, shows
// the pieces to be; they may be farther.
func (s *search) parted(n geom.Vec) float64 {
	if n == (geom.Vec{}) {
		return math.Inf(-1)
	}
	b := s.b.top(r3.Scale(-1, s.ofB.R.ApplyInv(n))) - r3.Dot(n, s.ofB.P)
	return -s.a.top(n) - b
}

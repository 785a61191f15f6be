package bvh

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Inside reports whether p, in m's frame, is inside s, which is what m encloses. A
// point on a face of s is inside. The answer is exact, by the crossings of segments in
// exact arithmetic (see [mesh.Solid], [tri.Cross]), except that s may be ambiguous: then
// p may be called inside although it is not. ok is false if every segment that was
// tried met an edge or a vertex, and then inside says nothing.
//
// t is the tree that [OfTriangles] made of m.
func Inside(t *Tree, m *mesh.Mesh, s *mesh.Solid, p geom.Vec) (inside, ok bool) {
	if !s.Encloses() || len(t.Nodes) == 0 || !holds(&t.Nodes[0].Box, p) {
		return false, geom.Finite(p)
	}
	c := crossings{t: t, m: m, s: s, p: p, only: -1}
	if inside, ok = c.tell(); inside || !ok || !s.Ambiguous {
		return inside, ok
	}
	for _, shell, i := c.tally.Shell(0); i >= 0; _, shell, i = c.tally.Shell(i) {
		out := crossings{t: t, m: m, s: s, p: p, only: shell}
		if !out.escapes() {
			return true, true
		}
	}
	return false, true
}

// slants are directions along which a segment is unlikely to meet edges of man-made meshes;
// each has length 1 to within a few hundredths.
var slants = [...]geom.Vec{
	{X: 0.2371, Y: 0.1433, Z: 0.9609},
	{X: -0.3119, Y: 0.1877, Z: -0.9313},
	{X: 0.9533, Y: -0.2237, Z: 0.2029},
	{X: -0.9431, Y: -0.1693, Z: 0.2861},
	{X: 0.1583, Y: 0.9467, Z: -0.2803},
	{X: -0.2689, Y: -0.9551, Z: -0.1237},
	{X: 0.5851, Y: 0.5563, Z: 0.5897},
	{X: -0.6029, Y: 0.5717, Z: -0.5563},
	{X: 0.6143, Y: -0.5479, Z: -0.5671},
	{X: -0.5413, Y: -0.6211, Z: 0.5669},
}

// beyond returns a point outside box, in direction d from p inside it.
func beyond(box *geom.Box, p, d geom.Vec) geom.Vec {
	x, y, z := box.Max.X-box.Min.X, box.Max.Y-box.Min.Y, box.Max.Z-box.Min.Z
	l := 2*(x+y+z) + 0x1p-30*(math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z))
	return geom.Vec{X: p.X + l*d.X, Y: p.Y + l*d.Y, Z: p.Z + l*d.Z}
}

// crossings are those of segments from p with a solid.
type crossings struct {
	t     *Tree
	m     *mesh.Mesh
	s     *mesh.Solid
	p     geom.Vec
	only  int32 // the cycle that counts, -1 for all
	tally mesh.Tally
}

// tell reports whether p is inside, ignoring shells.
func (c *crossings) tell() (inside, ok bool) {
	for _, d := range slants {
		end := beyond(&c.t.Nodes[0].Box, c.p, d)
		if holds(&c.t.Nodes[0].Box, end) {
			continue // only if the box's size is below rounding
		}
		touched, ok := c.cast(end)
		if touched {
			return true, true
		}
		if ok {
			_, inside = c.tally.Inside()
			return inside, true
		}
	}
	return false, false
}

// escapes reports whether a segment from p crosses nothing of the only cycle.
func (c *crossings) escapes() bool {
	for _, d := range slants {
		end := beyond(&c.t.Nodes[0].Box, c.p, d)
		if holds(&c.t.Nodes[0].Box, end) {
			continue
		}
		if touched, ok := c.cast(end); touched {
			return false
		} else if _, _, shell := c.tally.Shell(0); ok && shell < 0 {
			return true
		}
	}
	return false
}

// cast tallies the crossings of the segment from p to end. It reports that p is on a
// face; or ok is false if the segment meets an edge or a vertex.
func (c *crossings) cast(end geom.Vec) (touched, ok bool) {
	s := newSegment(c.p, end)
	c.tally.Reset()
	var stack [2 * MaxDepth]int32
	top := 1 // the root is on the stack
	ok = true
	for top > 0 {
		top--
		n := &c.t.Nodes[stack[top]]
		if s.misses(&n.Box) {
			continue
		}
		if !n.Leaf() {
			stack[top], stack[top+1] = n.Left, n.Left+1
			top += 2
			continue
		}
		for _, k := range c.t.Order[n.First : n.First+n.Count] {
			if !c.s.Bounds(k) || c.only >= 0 && !c.s.InCycle(k, c.only) {
				continue
			}
			switch how, side := tri.Cross(c.p, end, corners(c.m, k)); how {
			case tri.Touched:
				return true, true
			case tri.Crossed:
				c.tally.Cross(0, c.s, k, int32(side))
			case tri.Ambiguous:
				ok = false // a later triangle may still be touched
			}
		}
	}
	return false, ok
}

func corners(m *mesh.Mesh, k int32) *tri.Triangle {
	t := m.Triangles[k]
	return &tri.Triangle{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]}
}

func holds(b *geom.Box, p geom.Vec) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X &&
		b.Min.Y <= p.Y && p.Y <= b.Max.Y &&
		b.Min.Z <= p.Z && p.Z <= b.Max.Z
}

// segment is a segment prepared for tests against boxes.
type segment struct {
	sum, diff geom.Vec // of its ends
	abs       geom.Vec // the magnitudes of diff's coordinates
	size      float64  // of the largest coordinates of both ends together
}

func newSegment(p, q geom.Vec) segment {
	d := geom.Vec{X: q.X - p.X, Y: q.Y - p.Y, Z: q.Z - p.Z}
	return segment{
		sum:  geom.Vec{X: p.X + q.X, Y: p.Y + q.Y, Z: p.Z + q.Z},
		diff: d,
		abs:  geom.Vec{X: math.Abs(d.X), Y: math.Abs(d.Y), Z: math.Abs(d.Z)},
		size: largest(p) + largest(q),
	}
}

func largest(v geom.Vec) float64 {
	return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
}

// misses reports that the segment and the box have no point in common, by their
// projections on the box's axes and on the axes across those and the segment. It
// never says so of two that meet.
//
// In doubled coordinates let m be the difference of the middles, d that of the
// segment's ends and h the sides of the box, all at most S in size, S the sum of
// the largest coordinates. With u = 2^-53, m is off by 3uS, d and h by uS. On the
// box's axes the comparison is off by 3 + 1 + 1 + 1 (the sum) = 6 uS. On the others
// each product of m and d is off by 3 + 1 + 1 = 5 uSS, their difference by 2 more:
// 12; each of h and d by 1 + 1 + 1, their sum by 2: 8; together 20 uSS.
func (s *segment) misses(b *geom.Box) bool {
	hx, hy, hz := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y, b.Max.Z-b.Min.Z
	mx, my, mz := s.sum.X-(b.Min.X+b.Max.X), s.sum.Y-(b.Min.Y+b.Max.Y), s.sum.Z-(b.Min.Z+b.Max.Z)
	size := s.size + largest(b.Min) + largest(b.Max)
	slack := 8 * 0x1p-53 * size
	if math.Abs(mx) > s.abs.X+hx+slack || math.Abs(my) > s.abs.Y+hy+slack || math.Abs(mz) > s.abs.Z+hz+slack {
		return true
	}
	slack = 24 * 0x1p-53 * size * size
	return math.Abs(my*s.diff.Z-mz*s.diff.Y) > hy*s.abs.Z+hz*s.abs.Y+slack ||
		math.Abs(mz*s.diff.X-mx*s.diff.Z) > hz*s.abs.X+hx*s.abs.Z+slack ||
		math.Abs(mx*s.diff.Y-my*s.diff.X) > hx*s.abs.Y+hy*s.abs.X+slack
}

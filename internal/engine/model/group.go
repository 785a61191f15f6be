package model

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Groups. Elements that move together, such as a hand with its tool and the link that carries
// both, are first tried as one: a body apart from the hull of all of them is apart from each.

// group adds, for every frame that carries several elements, one that encloses them. It
// belongs to no body. Those that prev has too are taken from there; prev may be nil.
func (m *Model) group(prev *Model) error {
	members := make([][]int32, len(m.Tree.Frames))
	for i := range m.Elements {
		if e := &m.Elements[i]; e.Frame != 0 {
			members[e.Frame] = append(members[e.Frame], int32(i))
		}
	}
	m.Real = len(m.Elements)
	m.GroupOf = make([]int32, m.Real)
	for i := range m.GroupOf {
		m.GroupOf[i] = int32(i)
	}
	for frame, of := range members {
		if len(of) < 2 {
			continue
		}
		// The largest touches most often, and is tried first.
		slices.SortStableFunc(of, func(a, b int32) int { return cmp.Compare(m.Elements[b].Radius, m.Elements[a].Radius) })
		e, known := prev.groupLike(m, frame, of)
		if !known {
			var err error
			if e, err = m.enclosing(frame, of); err != nil {
				return err
			}
		}
		for _, i := range of {
			m.GroupOf[i] = int32(len(m.Elements))
		}
		m.Elements = append(m.Elements, e)
	}
	return nil
}

// groupLike returns the group of a frame if it would have members like these of m.
func (prev *Model) groupLike(m *Model, frame int, of []int32) (Element, bool) {
	if prev == nil {
		return Element{}, false
	}
	for _, g := range prev.Elements[prev.Real:] {
		if g.Frame != frame {
			continue
		}
		like := slices.EqualFunc(g.Members, of, func(a, b int32) bool {
			return prev.Elements[a].likeness() == m.Elements[b].likeness()
		})
		g.Members = of
		return g, like
	}
	return Element{}, false
}

// enclosing returns an element, in the frame itself, around others of that frame.
//
// Its points are those of the members' cores, each placed in the frame with an error of at
// most 16u of its size and the error of its own pose, and its radius the largest of theirs.
func (m *Model) enclosing(frame int, of []int32) (Element, error) {
	const u = 0x1p-53
	e := Element{Body: -1, Frame: frame, PoseFE: geom.IdentityPose(), Members: of}
	var points []geom.Vec
	radius, far := 0.0, 0.0
	for _, i := range of {
		member := &m.Elements[i]
		radius = math.Max(radius, member.Core.Radius)
		for _, p := range outline(&member.Core) {
			at := member.PoseFE.Apply(p)
			points, far = append(points, at), math.Max(far, geom.Norm(at))
		}
		rho := 2 * (geom.Norm(member.Center) + member.Radius)
		e.ErrP = math.Max(e.ErrP, member.ErrP+member.ErrR*rho)
	}
	radius += 64 * u * far
	core, err := convex.SimplifyHull(points, hullVertices, hullSlack)
	if err != nil {
		return e, err
	}
	core.Radius += radius
	ball := convex.MinBall(points)
	e.Core, e.Center, e.Radius = core, ball.Center, (ball.Radius+core.Radius)*(1+roundRadius)
	e.Rough = rough(&e.Core)
	return e, nil
}

// outline returns points whose hull, grown by the core's radius, contains the piece.
func outline(c *convex.Core) []geom.Vec {
	corners := func(x, y, z float64) []geom.Vec {
		var out []geom.Vec
		for k := range 8 {
			sign := func(bit int) float64 { return float64(2*(k>>bit&1) - 1) }
			out = append(out, r3.Add(c.Center, geom.Vec{X: sign(0) * x, Y: sign(1) * y, Z: sign(2) * z}))
		}
		return out
	}
	switch c.Kind {
	case convex.Box:
		return corners(c.Half.X, c.Half.Y, c.Half.Z)
	case convex.Cylinder, convex.Cone:
		// A polygon around the rim; a cone is replaced by the cylinder around it.
		const sides = 16
		r := c.CoreRadius / math.Cos(math.Pi/sides) * (1 + 1e-12)
		var out []geom.Vec
		for k := range sides {
			s, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
			out = append(out, geom.Vec{X: r * cos, Y: r * s, Z: c.HalfLength}, geom.Vec{X: r * cos, Y: r * s, Z: -c.HalfLength})
		}
		return out
	}
	return c.Vertices
}

// pairGroups collects the robot's self pairs by their elements' groups.
func (m *Model) pairGroups() {
	m.GroupPairs, m.PairsOf, m.Single = nil, nil, nil
	key := func(p *Pair) (k [2]int32, grouped bool) {
		k = [2]int32{m.GroupOf[p.A], m.GroupOf[p.B]}
		return k, int(k[0]) != p.A || int(k[1]) != p.B
	}
	count := map[[2]int32]int{} // of pairs that may share their groups
	for i := range m.Pairs {
		if k, grouped := key(&m.Pairs[i]); grouped && !m.Pairs[i].World {
			count[k]++
		}
	}
	index := map[[2]int32]int{} // of GroupPairs
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if p.World {
			continue
		}
		k, grouped := key(p)
		if !grouped || count[k] == 1 {
			m.Single = append(m.Single, int32(i))
			continue
		}
		at, known := index[k]
		if !known {
			at = len(m.GroupPairs)
			index[k] = at
			group := *p
			group.A, group.B = int(k[0]), int(k[1])
			m.GroupPairs, m.PairsOf = append(m.GroupPairs, group), append(m.PairsOf, make([]int32, 0, count[k]))
		}
		m.PairsOf[at] = append(m.PairsOf[at], int32(i))
	}
}

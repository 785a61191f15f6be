package volume

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

var identity = geom.IdentityPose()

// ItemCore returns an item of the world as a core and its pose in W; the core is made
// in p.
func ItemCore(m *model.Model, it *model.Item, p *Scratch) (*convex.Core, *geom.Pose) {
	e := &m.Elements[it.Element]
	p.core.Radius = it.Radius
	switch {
	case it.Leaf < 0:
		return &e.Core, &e.PoseFE
	case e.Leaves.Mesh != nil:
		p.core.Kind, p.core.Vertices = convex.Triangle, it.Vertices[:]
		return &p.core, &identity
	case e.Leaves.Cells != nil:
		b := &e.Leaves.Cells[it.Leaf]
		p.core.Kind = convex.Box
		p.core.Center, p.core.Half = b.Middle()
		return &p.core, &e.PoseFE
	}
	p.core.Kind, p.core.Vertices = convex.Point, it.Vertices[:1]
	return &p.core, &identity
}

// ItemLeast returns the smallest n.x over an item, its radius included.
func ItemLeast(m *model.Model, it *model.Item, n geom.Vec) float64 {
	e := &m.Elements[it.Element]
	v := &it.Vertices
	switch {
	case it.Leaf < 0:
		back := r3.Scale(-1, n)
		return -(e.Core.SupportValue(e.PoseFE.R.TurnBack(back)) + r3.Dot(back, e.PoseFE.P)) - e.Core.Radius
	case e.Leaves.Mesh != nil:
		return min(r3.Dot(v[0], n), min(r3.Dot(v[1], n), r3.Dot(v[2], n))) - it.Radius
	case e.Leaves.Cells != nil:
		c, half := e.Leaves.Cells[it.Leaf].Middle()
		local := e.PoseFE.R.TurnBack(n)
		return r3.Dot(n, e.PoseFE.P) + r3.Dot(c, local) - half.X*math.Abs(local.X) - half.Y*math.Abs(local.Y) - half.Z*math.Abs(local.Z) - it.Radius
	}
	return r3.Dot(v[0], n) - it.Radius
}

// ItemRadius is what an item's core is grown by.
func ItemRadius(m *model.Model, it *model.Item) float64 {
	if it.Leaf < 0 {
		return m.Elements[it.Element].Core.Radius
	}
	return it.Radius
}

// TowardItem returns the direction from a point of W, such as the middle of a node, to
// the nearest point of an item. It is often as good as that between the nearest points,
// and found at once; ok is false where there is no such shortcut.
func TowardItem(m *model.Model, it *model.Item, from geom.Vec) (n geom.Vec, ok bool) {
	at, _ := NearItem(m, it, from)
	return geom.Unit(r3.Sub(at, from))
}

// NearItem returns the point of an item nearest to a point of W, or that point itself where there is no
// shortcut; ok is false then.
func NearItem(m *model.Model, it *model.Item, from geom.Vec) (at geom.Vec, ok bool) {
	e := &m.Elements[it.Element]
	switch {
	case it.Leaf < 0 && e.Core.Kind == convex.Box:
		x := r3.Sub(e.PoseFE.MoveBack(from), e.Core.Center)
		at = e.PoseFE.Move(r3.Add(e.Core.Center, clamped(x, e.Core.Half)))
	case it.Leaf < 0:
		return from, false
	case e.Leaves.Mesh != nil:
		at = tri.ClosestPoint((*tri.Triangle)(&it.Vertices), from)
	default:
		return from, false
	}
	return at, true
}

// clamped returns the point of the box from -half to half nearest to x.
func clamped(x, half geom.Vec) geom.Vec {
	return geom.Vec{
		X: max(-half.X, min(half.X, x.X)),
		Y: max(-half.Y, min(half.Y, x.Y)),
		Z: max(-half.Z, min(half.Z, x.Z)),
	}
}

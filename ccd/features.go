package ccd

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// featureReach is how far (m) from a feature a point may be and still be of it: ten
// times what bodies may be apart to count as touching, and less than anything that
// is a feature on purpose.
const featureReach = 1e-5

// CompleteFeatures sets FeatureA and FeatureB of a witness of this checker: of a distance query, a
// profile, a smallest distance or a yes or no. Check has done so for first contacts, for smallest
// distances that were stopped and for lists of contacts. Where the bodies overlap so deeply that a
// point is on no surface, it clears the normal.
func (c *Checker) CompleteFeatures(w *motion.Witness) {
	c.feature(w.Pair.A, &w.FeatureA)
	c.feature(w.Pair.B, &w.FeatureB)
	if w.Distance == 0 && (w.FeatureA.Kind == motion.NoFeature || w.FeatureB.Kind == motion.NoFeature) {
		w.Normal = geom.Vec{}
	}
}

// feature completes the feature of a body at the point f.At.
func (c *Checker) feature(b motion.Body, f *motion.Feature) {
	body, s := c.shapeOf(b, f.Element)
	if s == nil {
		return
	}
	e := &c.model.Elements[body.Elements[f.Element]]
	*f = motion.NewFeature(f.Element, f.At, f.Towards)
	switch s.Kind {
	case shape.Mesh:
		ofMesh(f, s.Mesh, e.Leaves, e.Padding)
	case shape.Points, shape.Cells:
		ofMany(f, s, e.Leaves, e.Padding)
	default:
		ofPrimitive(f, s, e.Padding)
	}
}

// shapeOf returns the shape of a body's collision element as it was given.
func (c *Checker) shapeOf(b motion.Body, element int) (*model.Body, *shape.Shape) {
	for i := range c.model.Bodies {
		body := &c.model.Bodies[i]
		if body.Body != b || element < 0 || element >= len(body.Elements) {
			continue
		}
		if b.Kind == motion.RobotLink {
			return body, c.robot.Links[body.Link].Collisions[element].Shape
		}
		return body, c.world.Objects[c.world.Object(b.Name)].Shape
	}
	return nil, nil
}

// ofPrimitive tells the feature of a primitive at f.At. The point may be off its
// surface by the padding, outward.
func ofPrimitive(f *motion.Feature, s *shape.Shape, padding float64) {
	x := f.At
	round := math.Hypot(x.X, x.Y)
	switch s.Kind {
	case shape.Box:
		ofBox(f, x, geom.Vec{X: s.Size.X / 2, Y: s.Size.Y / 2, Z: s.Size.Z / 2})
	case shape.Sphere:
		if geom.Norm(x) >= s.Radius+padding-featureReach {
			f.Kind = motion.Ball
		}
	case shape.Capsule:
		beyond := math.Max(0, math.Abs(x.Z)-s.Length/2)
		if math.Hypot(round, beyond) < s.Radius+padding-featureReach {
			return
		}
		if f.Kind = motion.Side; beyond > featureReach {
			f.Kind, f.Signs[2] = motion.Cap, sign(x.Z)
		}
	case shape.Cylinder:
		onSide, onCap := round >= s.Radius-featureReach, math.Abs(x.Z) >= s.Length/2-featureReach
		switch {
		case onSide && onCap && !liesFlat(f.Towards, geom.Vec{Z: 1}) && !liesFlat(f.Towards, geom.Vec{X: x.X / round, Y: x.Y / round}):
			f.Kind, f.Signs[2] = motion.Rim, sign(x.Z)
		case onSide && !liesFlat(f.Towards, geom.Vec{Z: 1}):
			f.Kind = motion.Side
		case onCap:
			f.Kind, f.Signs[2] = motion.Cap, sign(x.Z)
		}
	case shape.Cone:
		ofCone(f, round, s, padding)
	}
}

func sign(x float64) int8 {
	if x < 0 {
		return -1
	}
	return 1
}

// flat is the largest sine of the angle between what counts as one face: files in
// single precision turn small triangles by as much.
const flat = 1e-3

// liesFlat reports whether a face with the unit normal n lies flat against a body in
// the direction towards; nothing does where that is zero.
func liesFlat(towards, n geom.Vec) bool {
	return geom.Norm(r3.Cross(towards, n)) <= flat && towards != geom.Vec{}
}

// ofBox tells the feature of a box about the origin at x. A side that the other body
// is not before does not count: then an edge or a face lies flat against that.
func ofBox(f *motion.Feature, x, half geom.Vec) {
	sides := 0
	for i, c := range [3][3]float64{{x.X, half.X, f.Towards.X}, {x.Y, half.Y, f.Towards.Y}, {x.Z, half.Z, f.Towards.Z}} {
		along := f.Towards != geom.Vec{} && c[2]*float64(sign(c[0])) <= flat
		if math.Abs(c[0]) >= c[1]-featureReach && !along {
			f.Signs[i] = sign(c[0])
			sides++
		}
	}
	f.Kind = [4]motion.FeatureKind{motion.NoFeature, motion.Face, motion.Edge, motion.Vertex}[sides]
}

// ofCone tells the feature of a cone at a point at the distance round from its axis,
// by the nearest point of the triangle that it is cut in.
func ofCone(f *motion.Feature, round float64, s *shape.Shape, padding float64) {
	x := geom.Vec{X: round, Z: f.At.Z}
	tip, rim, middle := geom.Vec{Z: s.Length / 2}, geom.Vec{X: s.Radius, Z: -s.Length / 2}, geom.Vec{Z: -s.Length / 2}
	onSide, onBase := tri.ClosestOnSegment(tip, rim, x), tri.ClosestOnSegment(middle, rim, x)
	at, kind := onSide, motion.Side
	if pointDistance(onBase, x) < pointDistance(onSide, x) {
		at, kind = onBase, motion.Cap
	}
	towards := geom.Vec{X: math.Hypot(f.Towards.X, f.Towards.Y), Z: f.Towards.Z}
	slope, _ := geom.Unit(geom.Vec{X: s.Length, Z: s.Radius})
	switch {
	case pointDistance(at, x) > padding+featureReach:
		return // deep inside
	case towards.Z < 0 && liesFlat(towards, geom.Vec{Z: 1}):
		kind = motion.Cap
	case liesFlat(towards, slope):
		kind = motion.Side
	case pointDistance(at, tip) <= featureReach:
		kind = motion.Tip
	case pointDistance(at, rim) <= featureReach:
		kind = motion.Rim
	}
	if f.Kind = kind; kind == motion.Cap || kind == motion.Rim {
		f.Signs[2] = -1
	}
}

func pointDistance(a, b geom.Vec) float64 {
	return geom.Norm(geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z})
}

// ofMany tells which point of a cloud, or which cell of an octree, f.At lies on.
func ofMany(f *motion.Feature, s *shape.Shape, l *model.Leaves, padding float64) {
	nearest := s.Radius + padding + featureReach
	visit(l, f.At, nearest, func(i int32) {
		var d float64
		if s.Kind == shape.Points {
			d = pointDistance(s.Points[i], f.At)
		} else {
			d = farFrom(&s.Cells[i], f.At)
		}
		if d <= nearest {
			nearest, f.Index = d, int(i)
		}
	})
	switch {
	case f.Index < 0:
	case s.Kind == shape.Points:
		if f.Kind = motion.Ball; nearest < s.Radius+padding-featureReach {
			f.Kind, f.Index = motion.NoFeature, -1
		}
	default:
		cell := &s.Cells[f.Index]
		center := cell.Center()
		ofBox(f, geom.Vec{X: f.At.X - center.X, Y: f.At.Y - center.Y, Z: f.At.Z - center.Z}, cell.Half())
		if f.Kind == motion.NoFeature {
			f.Index = -1
		}
	}
}

// farFrom returns how far x is from a box.
func farFrom(b *geom.Box, x geom.Vec) float64 {
	return geom.Norm(geom.Vec{
		X: max(0, b.Min.X-x.X, x.X-b.Max.X),
		Y: max(0, b.Min.Y-x.Y, x.Y-b.Max.Y),
		Z: max(0, b.Min.Z-x.Z, x.Z-b.Max.Z),
	})
}

// visit calls found for every piece of a hierarchy whose leaf's box, larger by reach on all sides, contains x.
func visit(l *model.Leaves, x geom.Vec, reach float64, found func(i int32)) {
	var room [2 * bvh.MaxDepth]int32
	stack := append(room[:0], 0)
	for len(stack) > 0 {
		n := &l.Tree.Nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		b := &n.Box
		switch {
		case x.X < b.Min.X-reach || x.X > b.Max.X+reach || x.Y < b.Min.Y-reach || x.Y > b.Max.Y+reach || x.Z < b.Min.Z-reach || x.Z > b.Max.Z+reach:
		case n.Left >= 0:
			stack = append(stack, n.Left, n.Left+1)
		default:
			for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
				found(i)
			}
		}
	}
}

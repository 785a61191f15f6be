package spheretree

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// tower is shapes of every kind.
func tower() []*shape.Shape {
	return []*shape.Shape{
		{Kind: shape.Box, Size: geom.Vec{X: 0.2, Y: 0.4, Z: 0.6}},
		{Kind: shape.Sphere, Radius: 0.3},
		{Kind: shape.Cylinder, Radius: 0.2, Length: 0.5},
		{Kind: shape.Cone, Radius: 0.2, Length: 0.5},
		{Kind: shape.Capsule, Radius: 0.1, Length: 0.5},
		{Kind: shape.Capsule, Radius: 0.1},
		{Kind: shape.Points, Radius: 0.05, Points: []geom.Vec{{}, {X: 0.3}, {Z: -0.2}}},
		{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}}, {Min: geom.Vec{X: 0.2}, Max: geom.Vec{X: 0.4, Y: 0.2, Z: 0.2}}}},
		{Kind: shape.Mesh, Mesh: &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}}}},
	}
}

// support is how far a shape reaches along a unit vector, worked out from what it is.
func support(s *shape.Shape, n geom.Vec) float64 {
	flat, half := math.Hypot(n.X, n.Y), s.Length/2
	most := func(points []geom.Vec) float64 {
		best := math.Inf(-1)
		for _, p := range points {
			best = max(best, dot(p, n))
		}
		return best
	}
	switch s.Kind {
	case shape.Box:
		return (math.Abs(n.X)*s.Size.X + math.Abs(n.Y)*s.Size.Y + math.Abs(n.Z)*s.Size.Z) / 2
	case shape.Sphere:
		return s.Radius
	case shape.Cylinder:
		return half*math.Abs(n.Z) + s.Radius*flat
	case shape.Cone:
		return max(half*n.Z, s.Radius*flat-half*n.Z)
	case shape.Capsule:
		return half*math.Abs(n.Z) + s.Radius
	case shape.Points:
		return most(s.Points) + s.Radius
	case shape.Cells:
		var all []geom.Vec
		for _, c := range s.Cells {
			for i := range 8 {
				v := c.Min
				if i&1 > 0 {
					v.X = c.Max.X
				}
				if i&2 > 0 {
					v.Y = c.Max.Y
				}
				if i&4 > 0 {
					v.Z = c.Max.Z
				}
				all = append(all, v)
			}
		}
		return most(all)
	case shape.Mesh:
		return most(s.Mesh.Vertices)
	}
	panic("a shape without a support")
}

// The distance of every shape to a far plate is what its support tells, to the
// deviation it states, and within the bounds.
func TestShapesAgainstAPlate(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 41))
	const tolerance = 1e-4
	plate := mustTree(t)(CompactOf([]tri.Triangle{{{X: -40, Y: -40}, {X: 40, Y: -40}, {Y: 60}}}, math.Inf(1)))
	var s Scratch
	for _, x := range tower() {
		surface, err := OfShape(x, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if surface.Deviation > tolerance || surface.Deviation > 0 && x.Kind != shape.Cylinder && x.Kind != shape.Cone {
			t.Errorf("%v deviates by %g", x.Kind, surface.Deviation)
		}
		for kind, tree := range map[string]*Tree{"compact": mustTree(t)(surface.Compact()), "greedy": mustTree(t)(surface.Greedy(0))} {
			for range 40 {
				pose := randomPose(r, 0)
				down := pose.R.ApplyInv(geom.Vec{Z: -1})
				gap := 0.5 * r.Float64()
				pose.P.Z = support(x, down) + gap
				got := Distance(plate, tree, pose, Query{}, &s)
				if got.Lower > gap+1e-15 || got.Upper < gap-1e-15 || got.Upper-got.Lower > surface.Deviation+margin(plate, tree, pose) {
					t.Fatalf("%v, %s: %+v, truth %g", x.Kind, kind, got, gap)
				}
				if d := geom.Norm(sub(got.PointA, got.PointB)); math.Abs(d-got.Distance) > 1e-12 {
					t.Fatalf("%v: witnesses %g apart, not %g", x.Kind, d, got.Distance)
				}
				pose.P.Z -= gap + 0.01*r.Float64()
				if got := Distance(plate, tree, pose, Query{}, &s); got.Lower > 0 || got.Distance > surface.Deviation {
					t.Fatalf("%v, %s, touching: %+v", x.Kind, kind, got)
				}
			}
		}
	}
}

// Two round shapes that overlap have a witness in both.
func TestOverlappingBalls(t *testing.T) {
	ball := func(radius float64) *Tree {
		s, err := OfShape(&shape.Shape{Kind: shape.Sphere, Radius: radius}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return mustTree(t)(s.Compact())
	}
	for _, c := range []struct{ ra, rb, apart float64 }{{1, 1, 1.5}, {1, 0.1, 0.95}, {0.1, 1, 0.95}, {1, 2, 0.5}, {1, 1, 0}} {
		at := geom.Vec{X: c.apart}
		got := Distance(ball(c.ra), ball(c.rb), geom.Translation(at), Query{}, &Scratch{})
		if got.Distance != 0 || got.Lower != 0 || got.PointA != got.PointB ||
			geom.Norm(got.PointA) > c.ra+1e-12 || geom.Norm(sub(got.PointA, at)) > c.rb+1e-12 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestBadShapes(t *testing.T) {
	for _, s := range []*shape.Shape{{}, {Kind: shape.Sphere, Radius: -1}, {Kind: shape.Mesh}, {Kind: shape.Cells}, {Kind: shape.Kind(99)}} {
		if _, err := OfShape(s, 1e-3); err == nil {
			t.Errorf("%v is a surface", s.Kind)
		}
	}
	for _, tolerance := range []float64{0, -1, math.NaN(), 1e-12} {
		if _, err := OfShape(&shape.Shape{Kind: shape.Cylinder, Radius: 1, Length: 1}, tolerance); err == nil {
			t.Errorf("a cylinder to %g", tolerance)
		}
	}
}

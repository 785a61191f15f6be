package linkspheres

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
)

// What rounding may have moved corners by widens the bounds of a signed distance on both
// sides: here it is much larger than rounding is, so that each term shows.
func TestSignedDistanceAllowsForMovedCorners(t *testing.T) {
	const err = 0.125
	m := meshes.Cube(1)
	s := &meshSolid{mesh: m, of: mesh.SolidOf(m), tree: bvh.OfTriangles(m, 4), err: err}
	for _, c := range []struct{ x, lo, hi float64 }{
		{3, 2 - 2*err, 2 + 2*err},                    // outside
		{1.1, 0.1 - 2*err, 0.1 + 2*err},              // outside, by less than the corners moved
		{0.25, -(0.75 + 2*err), -(0.75 - 2*err)},     // deep inside
		{0.875, -(0.125 + 2*err), 2*err - 0.125},     // inside, by less
		{-0.9375, -(0.0625 + 2*err), 2*err - 0.0625}, // on the other side
	} {
		lo, hi := s.signed(geom.Vec{X: c.x, Y: 0.01, Z: 0.02})
		if math.Abs(lo-c.lo) > 1e-12 || math.Abs(hi-c.hi) > 1e-12 {
			t.Errorf("at %g: within [%g, %g], want [%g, %g]", c.x, lo, hi, c.lo, c.hi)
		}
	}
}

// Where nobody can tell on which side of a surface a point is, it may be on either.
func TestSignedDistanceThatCannotBeDecided(t *testing.T) {
	const err = 0.125
	m := meshes.Undecidable()
	s := &meshSolid{mesh: m, of: mesh.SolidOf(m), tree: bvh.OfTriangles(m, 1), err: err}
	if _, ok := bvh.Inside(s.tree, s.mesh, s.of, geom.Vec{}); ok {
		t.Fatal("it can be decided: the test tests nothing")
	}
	_, far := surfaceDistance(s.tree, s.mesh, geom.Vec{})
	if lo, hi := s.signed(geom.Vec{}); lo != -(far+2*err) || hi != far+2*err {
		t.Errorf("within [%g, %g], the surface is at most %g away", lo, hi, far)
	}
}

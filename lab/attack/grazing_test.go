package attack

import (
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Of shapes that all but touch, FCL's depth errs by more than a micrometre. Whether triangles intersect it knows far better.

// partAsMeshes reports whether pairs that are said to overlap do not where their boxes are meshes. It is no judge of round
// shapes, whose meshes are smaller.
func (s *subject) partAsMeshes(t *testing.T, pairs []oracle.PairDistance, scope oracle.Scope, q []float64) bool {
	t.Helper()
	for _, p := range pairs {
		if !s.isFlat(p.A) || !s.isFlat(p.B) {
			return false
		}
	}
	touching, err := s.asMeshes(t).Pose(scope, q)
	must(t, err)
	return !slices.ContainsFunc(pairs, func(p oracle.PairDistance) bool {
		return slices.Contains(touching, oracle.Pair{A: p.A, B: p.B}) || slices.Contains(touching, oracle.Pair{A: p.B, B: p.A})
	})
}

// asMeshes returns the judge that takes primitives as meshes, in the same world.
func (s *subject) asMeshes(t *testing.T) *oracle.Oracle {
	t.Helper()
	if s.meshed == nil {
		s.meshed = startOracle(t)
		must(t, s.meshed.Facets(facets))
		_, err := s.meshed.Robot(s.path, "")
		must(t, err)
		must(t, s.meshed.Joints(s.joints...))
		must(t, s.meshed.Solid(true))
	}
	must(t, s.meshed.ClearObjects())
	for i := range s.world {
		must(t, s.meshed.AddObject(s.world[i].judged()))
	}
	return s.meshed
}

// isFlat reports whether a link or an obstacle has no round shape.
func (s *subject) isFlat(name string) bool {
	for i := range s.world {
		if o := &s.world[i]; o.id == name {
			return o.kind == "box" || o.kind == "mesh"
		}
	}
	link := s.robot.Link(name)
	return link >= 0 && !slices.ContainsFunc(s.robot.Links[link].Collisions, func(c urdf.Collision) bool {
		return c.Shape.Kind != shape.Box && c.Shape.Kind != shape.Mesh
	})
}

// FCL finds a triangle 1.3 um deep in a box that is 7 nm away. As meshes they are apart, and no longer where the box is
// 2 um nearer.
func TestPartAsMeshes(t *testing.T) {
	o := startOracle(t)
	s := meet(t, o, "double_pendulum")
	box := obstacle{
		id: "obstacle", kind: "box", p: geom.Vec{X: -0.0013668306153857834, Y: 0.03131386620839226, Z: 0.0329079759280514},
		quat: [4]float64{0.32827696159171327, -0.022684936504294085, 0.12613234808544943, 0.9358473491496143},
		size: []float64{0.012583993738678464, 0.008760217608679201, 0.013352427252572309},
	}
	q := at([]float64{0.8666144935746287, 1.985860405226802}, []float64{0.13997332505832283, 2.123693349616252}, 0.0431102048)
	for _, c := range []struct {
		nearer float64
		apart  bool
	}{{0, true}, {2e-6, false}} {
		moved := box
		moved.p = geom.Vec{X: box.p.X + c.nearer*0.926, Y: box.p.Y - c.nearer*0.378, Z: box.p.Z - c.nearer*0.019}
		s.in(t, []obstacle{moved})
		depths, err := o.Depths(oracle.Both, q)
		must(t, err)
		if len(depths) != 1 || depths[0].Distance > 1e-5 {
			t.Fatalf("%g nearer: depths %v", c.nearer, depths)
		}
		if apart := s.partAsMeshes(t, depths, oracle.Both, q); apart != c.apart {
			t.Errorf("%g nearer: apart as meshes: %v", c.nearer, apart)
		}
	}
}

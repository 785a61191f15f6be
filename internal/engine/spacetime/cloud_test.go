package spacetime

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sliding is a link of one shape that slides along x.
func sliding(s *shape.Shape) robots.Hinge {
	return robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), s)}
}

// cloudCases puts a cloud and a mesh against each other in each way that a robot and a
// world allow.
func cloudCases(t *testing.T, cloud, mesh *shape.Shape) map[string]*rig {
	t.Helper()
	still := robots.Move([]float64{0, 0})
	world := func(s *shape.Shape) *scene.Snapshot {
		return robots.World(robots.Object("o", s, robots.At(0, 0, 0)))
	}
	return map[string]*rig{
		"cloud in the world":   newRig(t, robots.Of(nil, sliding(mesh)), world(cloud), 0, still),
		"cloud of a link":      newRig(t, robots.Of(nil, sliding(cloud)), world(mesh), 0, still),
		"two links":            newRig(t, robots.Of(nil, sliding(cloud), sliding(mesh)), nil, 0, robots.Move([]float64{0, 0}, []float64{0, 0})),
		"two links, exchanged": newRig(t, robots.Of(nil, sliding(mesh), sliding(cloud)), nil, 0, robots.Move([]float64{0, 0}, []float64{0, 0})),
	}
}

// least is the smallest lower bound of a query's answer.
func least(d *motion.Distances) float64 {
	lo := math.Min(d.Self.Lo, d.World.Lo)
	for i := range d.Pairs {
		lo = math.Min(lo, d.Pairs[i].Bounds.Lo)
	}
	return lo
}

// Of a point of a cloud of which nobody can tell whether a mesh holds it, no distance is
// claimed: a query bounds it by 0 or says that it cannot tell.
func TestDistancesOfCloudsThatCannotBeDecided(t *testing.T) {
	refused := 0
	for _, points := range [][]geom.Vec{{{}}, {{}, {X: 1e-9}}, {{X: 30}, {}}, {{}, {Y: 30}}} {
		for name, r := range cloudCases(t, robots.Points(1e-6, points...), robots.Mesh(meshes.Undecidable())) {
			state := make([]float64, len(r.model.Tree.Dofs))
			for _, q := range []motion.DistanceQuery{{}, {K: -1}, {K: 1}, {Tolerance: 0.1}} {
				what := fmt.Sprintf("%s, %v, %d answers, tolerance %g", name, points, q.K, q.Tolerance)
				out, err := r.w.Distances(context.Background(), state, q)
				if err != nil {
					refused++
					continue
				}
				if lo := least(&out); lo > 0 {
					t.Errorf("%s: at least %g m apart", what, lo)
				}
			}
		}
	}
	t.Logf("refused %d times", refused)
	if refused == 0 {
		t.Error("all could be decided: the test tests nothing")
	}
}

// A point of a cloud within a closed mesh is at no distance from it; beside an open one,
// or in the notch of a closed one, it is as far away as the surface.
func TestDistancesOfCloudsAndMeshes(t *testing.T) {
	elbow, d := meshes.Elbow(1), newDice(93, 1)
	open := meshes.Elbow(1)
	open.Triangles = open.Triangles[1:] // a corner is missing far from the points
	const radius = 1e-3
	for name, c := range map[string]struct {
		cloud, mesh *shape.Shape
		want        float64
	}{
		"in an arm":            {robots.Points(radius, geom.Vec{X: 0.5, Y: 0.1}), robots.Mesh(elbow), 0},
		"the last of several":  {robots.Points(radius, geom.Vec{X: 9}, geom.Vec{X: 0.5, Y: 0.5}, geom.Vec{X: 0.1, Y: 0.5}), robots.Mesh(elbow), 0},
		"in the notch":         {robots.Points(radius, geom.Vec{X: 0.5, Y: 0.5}), robots.Mesh(elbow), 0.3 - radius},
		"in a surface":         {robots.Points(radius, geom.Vec{X: 0.5, Y: 0.12}), robots.Mesh(open), 0.08 - radius},
		"in a shell's cavity":  {robots.Points(radius, geom.Vec{X: 0.1}), robots.Mesh(meshes.Cube(1), meshes.Reversed(meshes.Cube(0.5))), 0}, // it counts as filled,
		"in a shell's wall":    {robots.Points(radius, geom.Vec{X: 0.7}), robots.Mesh(meshes.Cube(1), meshes.Reversed(meshes.Cube(0.5))), 0},
		"beside a soup":        {robots.Points(radius, geom.Vec{X: 9}), robots.Mesh(meshes.Soup(d.Dice.Dice.Dice, 8, 0.5), meshes.At(geom.Vec{X: 3}, meshes.Cube(1))), 5 - radius},
		"in a cube and a soup": {robots.Points(radius, geom.Vec{X: 3}), robots.Mesh(meshes.Soup(d.Dice.Dice.Dice, 8, 0.5), meshes.At(geom.Vec{X: 3}, meshes.Cube(1))), 0},
	} {
		for how, r := range cloudCases(t, c.cloud, c.mesh) {
			state := make([]float64, len(r.model.Tree.Dofs))
			for _, q := range []motion.DistanceQuery{{}, {K: -1}, {K: 1}} {
				out, err := r.w.Distances(context.Background(), state, q)
				if err != nil {
					t.Errorf("%s, %s: %v", name, how, err)
					continue
				}
				b := out.Self
				if r.world != nil {
					b = out.World
				}
				if b.Lo > c.want+1e-9 || b.Hi < c.want-1e-9 || b.Hi-b.Lo > 1e-6 {
					t.Errorf("%s, %s, %d answers: within %v, want %g", name, how, q.K, b, c.want)
				}
			}
		}
	}
}

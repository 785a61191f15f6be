package model_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// No box of the world's tree is farther from the origin than the world is said to be.
func TestWorldIsNotFartherThanSaid(t *testing.T) {
	used := 0.0
	for i := range 100 {
		d := robots.NewDice(71, uint64(i))
		world := d.World(robots.Scenery{Objects: 1 + i%3, Forms: robots.Hulls, Padded: true})
		moved := r3.Scale(d.Spread(1e-3, 1e6), d.Unit())
		for k := range world.Objects {
			world.Objects[k].PoseWS.P = r3.Add(world.Objects[k].PoseWS.P, moved)
		}
		w := worldOf(t, world)
		far, farthest := w.Far(), 0.0
		for n := range w.Tree.Nodes {
			node := &w.Tree.Nodes[n]
			for k := range int(node.Count) {
				b := node.ChildBox32(k)
				for a := range 3 {
					b.Hi[a] = max(b.Hi[a], -b.Lo[a])
				}
				farthest = math.Max(farthest, geom.Norm(geom.Vec{X: float64(b.Hi[0]), Y: float64(b.Hi[1]), Z: float64(b.Hi[2])}))
			}
		}
		if farthest > far {
			t.Errorf("world %d: a box is %g from the origin, the world %g", i, farthest, far)
		}
		used = math.Max(used, farthest/far)
	}
	if used < 0.999 {
		t.Errorf("up to %g used: a poor test", used)
	}
	if far := worldOf(t, nil).Far(); far != 0 {
		t.Errorf("an empty world is %g from the origin", far)
	}
}

func worldOf(t *testing.T, world *scene.Snapshot) *model.World {
	t.Helper()
	m, err := model.New(robots.Of(nil), world, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	return m.World
}

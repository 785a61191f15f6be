package ccd

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// The spheres of every level hold all of their link, and so does its hull.
func TestLinkTrees(t *testing.T) {
	race.LeaveOut(t)
	vertices, levels, hulls, unbounded := 0, 0, 0, 0
	for i := range 25 {
		d := dice{chance.New(321, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		trees, err := c.LinkTrees(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		m := c.model
		at := 0
		for b := range m.Bodies {
			body := &m.Bodies[b]
			if body.Kind != motion.RobotLink {
				continue
			}
			tree := &trees[at]
			at++
			if tree.Link != body.Name || tree.Spheres < 1 || tree.Levels < 1 {
				t.Fatalf("%+v of %s", tree, body.Name)
			}
			var points []r3.Vec
			back := m.Tree.LinkPose[body.Link].Inv()
			for _, e := range body.Elements {
				el := &m.Elements[e]
				for _, x := range el.Core.Vertices {
					points = append(points, back.Apply(el.PoseFE.Apply(x)))
				}
				if el.Leaves != nil && el.Leaves.Mesh != nil { // its hull may hold more
					points = nil
					for _, x := range el.Leaves.Mesh.Vertices {
						points = append(points, back.Apply(el.PoseFE.Apply(x)))
					}
				}
			}
			if tree.Bounded {
				hulls++
				within(t, "hull", points, []Sphere{tree.Hull})
			} else {
				unbounded++
			}
			for level := range 5 {
				spheres, err := c.LinkSpheres(tree.Link, level)
				if err != nil || len(spheres) == 0 {
					t.Fatal(len(spheres), err)
				}
				levels++
				vertices += len(points)
				within(t, tree.Link, points, spheres)
			}
		}
		if at != len(trees) {
			t.Errorf("%d trees for %d links", len(trees), at)
		}
		if _, err := c.LinkSpheres("nobody", 0); err == nil {
			t.Error("no error for an unknown link")
		}
		if _, err := c.LinkSpheres(trees[0].Link, -1); err == nil {
			t.Error("no error for level -1")
		}
	}
	t.Logf("%d vertices at %d levels, %d hulls, %d links without", vertices, levels, hulls, unbounded)
	if vertices < 1000 || hulls < 50 {
		t.Errorf("%d vertices, %d hulls: too few", vertices, hulls)
	}
}

// within checks that every point is in a sphere.
func within(t *testing.T, what string, points []r3.Vec, spheres []Sphere) {
	t.Helper()
next:
	for _, x := range points {
		for _, s := range spheres {
			if r3.Norm(r3.Sub(x, s.Center)) <= s.Radius+1e-9 {
				continue next
			}
		}
		t.Fatalf("%s: %v is in none of %d spheres", what, x, len(spheres))
	}
}

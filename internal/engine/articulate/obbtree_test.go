package articulate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// outside tells how far x sticks out of a box.
func (o *OBB) outside(x geom.Vec) float64 {
	d := o.Axes.ApplyInv(r3.Sub(x, o.Center))
	return max(math.Abs(d.X)-o.Half.X, math.Abs(d.Y)-o.Half.Y, math.Abs(d.Z)-o.Half.Z)
}

// elements of every kind with leaves, and the corners of each leaf.
func leafyElements(d chance) (elements []*model.Element, corners [][][]geom.Vec) {
	soup := d.soup(200, 1)
	fan := prism([]geom.Vec{{}, {X: 1}, {X: 1, Y: 0.2}, {X: 0.2, Y: 0.2}, {X: 0.2, Y: 1}, {Y: 1}}, 0.1)
	needle := &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {X: 1}, {X: 0.5, Y: 1e-12}}, Triangles: [][3]int32{{0, 1, 2}, {0, 1, 3}, {0, 0, 0}}}
	for _, m := range []*mesh.Mesh{soup, fan, needle} {
		var c [][]geom.Vec
		for _, t := range m.Triangles {
			c = append(c, []geom.Vec{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]})
		}
		elements, corners = append(elements, &model.Element{Leaves: &model.Leaves{Mesh: m}}), append(corners, c)
	}
	points, same := make([]geom.Vec, 300), make([]geom.Vec, 40)
	var cells []geom.Box
	var pc, cc, sc [][]geom.Vec
	for i := range points {
		points[i] = d.Vec(3)
		pc = append(pc, []geom.Vec{points[i]})
		b := geom.Box{Min: d.Vec(3)}
		b.Max = r3.Add(b.Min, geom.Vec{X: 0.1, Y: 0.1, Z: 0.1})
		cells, cc = append(cells, b), append(cc, cornersOf(b))
	}
	for i := range same {
		same[i] = geom.Vec{X: 1, Y: 2, Z: 3}
		sc = append(sc, []geom.Vec{same[i]})
	}
	return append(elements, &model.Element{Leaves: &model.Leaves{Points: points}}, &model.Element{Leaves: &model.Leaves{Cells: cells}}, &model.Element{Leaves: &model.Leaves{Points: same}}),
		append(corners, pc, cc, sc)
}

// Every box holds what is below it, children split what their parent has, and every
// piece is in one leaf.
func TestOBBTreeHoldsItsPieces(t *testing.T) {
	elements, corners := leafyElements(newChance(3, 0))
	for i, e := range elements {
		tree := OBBTreeOf(e)
		if got := slices.Sorted(slices.Values(tree.Order)); len(got) != len(corners[i]) || int(got[len(got)-1]) != len(got)-1 {
			t.Fatalf("element %d: %d pieces in the tree, %d in the shape", i, len(got), len(corners[i]))
		}
		leaves := 0
		for k := range tree.Nodes {
			n := &tree.Nodes[k]
			for _, p := range tree.Order[n.First : n.First+n.Count] {
				for _, x := range corners[i][p] {
					if out := n.outside(x); out > 0 {
						t.Fatalf("element %d: a corner of piece %d is %g outside of node %d", i, p, out, k)
					}
				}
			}
			if n.Left < 0 {
				leaves++
				if n.Count != 1 {
					t.Fatalf("element %d: leaf %d has %d pieces", i, k, n.Count)
				}
				continue
			}
			l, r := &tree.Nodes[n.Left], &tree.Nodes[n.Left+1]
			if l.First != n.First || r.First != l.First+l.Count || l.Count+r.Count != n.Count || l.Count == 0 || r.Count == 0 {
				t.Fatalf("element %d: children of node %d do not split it", i, k)
			}
		}
		if leaves != len(corners[i]) {
			t.Fatalf("element %d: %d leaves for %d pieces", i, leaves, len(corners[i]))
		}
	}
}

// The boxes follow the shape: that of a thin slanted plate is thin, that of a cube,
// which has no principal directions, is the cube.
func TestOBBFollowsTheShape(t *testing.T) {
	turn := geom.AxisAngle(geom.Vec{X: 0.6, Z: 0.8}, 1)
	plate := prism([]geom.Vec{{}, {X: 2}, {X: 2, Y: 1}, {Y: 1}}, 0.01)
	for i := range plate.Vertices {
		plate.Vertices[i] = turn.Apply(plate.Vertices[i])
	}
	box := OBBTreeOf(&model.Element{Leaves: &model.Leaves{Mesh: plate}}).Nodes[0]
	if least := min(box.Half.X, box.Half.Y, box.Half.Z); least > 0.0101 {
		t.Errorf("the plate of half a thickness of 0.01 has a box of %v", box.Half)
	}
	cube := prism([]geom.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}, 1)
	box = OBBTreeOf(&model.Element{Leaves: &model.Leaves{Mesh: cube}}).Nodes[0]
	if most := max(box.Half.X, box.Half.Y, box.Half.Z); most > 1+1e-9 {
		t.Errorf("the cube has a box of %v", box.Half)
	}
}

// A convex element is one leaf, in a box that holds all of it.
func TestOBBOfConvexElements(t *testing.T) {
	d := newChance(3, 1)
	for _, c := range []convex.Core{
		{Kind: convex.Box, Center: geom.Vec{X: 1}, Half: geom.Vec{X: 1, Y: 2, Z: 3}},
		{Kind: convex.Cylinder, CoreRadius: 1, HalfLength: 2},
		{Kind: convex.Cone, CoreRadius: 1, HalfLength: 2},
		{Kind: convex.Point, Vertices: []geom.Vec{{X: 1, Y: 2}}},
		{Kind: convex.Segment, Vertices: []geom.Vec{{X: 1, Y: 2}, {Z: 3}}},
		{Kind: convex.Hull, Vertices: []geom.Vec{{X: 1, Y: 2}, {Z: 3}, {X: -1}, {Y: -1}, {X: 3, Y: 3, Z: 3}}},
	} {
		tree := OBBTreeOf(&model.Element{Core: c, Exact: true})
		if len(tree.Nodes) != 1 || tree.Nodes[0].Left >= 0 || tree.Nodes[0].Count != 1 {
			t.Fatalf("kind %d: %+v", c.Kind, tree.Nodes)
		}
		for range 200 {
			if x := c.Support(d.Unit()); tree.Nodes[0].outside(x) > 1e-12 {
				t.Fatalf("kind %d: %v is outside of its box %+v", c.Kind, x, tree.Nodes[0].OBB)
			}
		}
	}
}

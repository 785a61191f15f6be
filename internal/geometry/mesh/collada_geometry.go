package mesh

import (
	"errors"
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// geometry is one geometry of COLLADA or glTF in its own frame and unit.
type geometry struct {
	pos    []geom.Vec
	tris   [][3]int32
	shaped bool // it has triangles, not only lines and points

	mesh *xmltree.Node
	// The children of partsOf by their ids.
	partsOf *xmltree.Node
	byID    map[meshPart]*xmltree.Node
	runs    map[*xmltree.Node]run // the sources already in pos
	lim     limits
	cut     triangulator
}

// run is a range of positions.
type run struct{ base, count int32 }

func readGeometry(n *xmltree.Node, lim limits) (*geometry, error) {
	g := &geometry{runs: map[*xmltree.Node]run{}, lim: lim}
	g.cut.emit = g.add
	for _, k := range n.Kids {
		switch k.Name {
		case "mesh", "convex_mesh":
			if of, ok := k.Attr("convex_hull_of"); ok {
				return nil, fmt.Errorf("line %d: the convex hull of %.80q is not supported: export it as a mesh", k.Line, of)
			}
			g.mesh = k
			for _, prim := range k.Kids {
				if err := g.primitive(prim); err != nil {
					return nil, fmt.Errorf("<%s> of line %d: %w", prim.Name, prim.Line, err)
				}
			}
		case "asset", "spline":
		default:
			return nil, fmt.Errorf("line %d: <%s> is not supported: export it as a mesh", k.Line, k.Name)
		}
	}
	g.compact()
	return g, nil
}

// compact removes unused positions, so that instances cost no more than their triangles.
func (g *geometry) compact() {
	place := make([]int32, len(g.pos)) // 1 + new index, 0 where not yet named
	var used []geom.Vec
	for t := range g.tris {
		for c, i := range g.tris[t] {
			if place[i] == 0 {
				used = append(used, g.pos[i])
				place[i] = int32(len(used))
			}
			g.tris[t][c] = place[i] - 1
		}
	}
	g.pos = used
}

func (g *geometry) add(i, j, k int32) error {
	if len(g.tris) >= g.lim.triangles {
		return fmt.Errorf("more than %d triangles: simplify the mesh or split it", g.lim.triangles)
	}
	g.tris = append(g.tris, [3]int32{i, j, k})
	return nil
}

// primitive reads one child of a mesh element.
func (g *geometry) primitive(n *xmltree.Node) error {
	switch n.Name {
	case "source", "vertices":
		return nil
	case "lines", "linestrips":
		return g.lines(n)
	case "triangles", "polylist", "polygons", "trifans", "tristrips":
	default:
		return errors.New("not supported: export triangles")
	}
	if n.Child("ph") != nil {
		return errors.New("polygons with holes are not supported: triangulate on export")
	}
	lists, err := g.corners(n)
	if err != nil {
		return err
	}
	g.shaped = g.shaped || len(lists) > 0
	switch n.Name {
	case "triangles":
		return g.triangles(n, flatten(lists))
	case "polylist":
		return g.polylist(n, flatten(lists))
	}
	if err := checkCount(n, len(lists)); err != nil {
		return err
	}
	for _, l := range lists {
		if err := g.list(n.Name, l); err != nil {
			return err
		}
	}
	return nil
}

// lines adds the segments of lines or linestrips.
func (g *geometry) lines(n *xmltree.Node) error {
	lists, err := g.corners(n)
	if err != nil {
		return err
	}
	count, mode := len(lists), modeLineStrip
	if n.Name == "lines" {
		lists = [][]int32{flatten(lists)}
		count, mode = len(lists[0])/2, modeLines
	}
	if err := checkCount(n, count); err != nil {
		return err
	}
	for _, l := range lists {
		if len(l) == 1 {
			return errors.New("a line of one vertex: truncated or damaged; export or copy it again")
		}
		if err := g.connect(mode, l); err != nil {
			return err
		}
	}
	return nil
}

func (g *geometry) triangles(n *xmltree.Node, corners []int32) error {
	if len(corners)%3 != 0 {
		return fmt.Errorf("%d corners are not a whole number of triangles: truncated or damaged", len(corners))
	}
	if err := checkCount(n, len(corners)/3); err != nil {
		return err
	}
	for i := 0; i < len(corners); i += 3 {
		if err := g.add(corners[i], corners[i+1], corners[i+2]); err != nil {
			return err
		}
	}
	return nil
}

func (g *geometry) polylist(n *xmltree.Node, corners []int32) error {
	var text string
	if v := n.Child("vcount"); v != nil {
		text = v.Text
	}
	sizes, err := integers(text)
	if err != nil {
		return fmt.Errorf("vcount: %w", err)
	}
	if err := checkCount(n, len(sizes)); err != nil {
		return err
	}
	for _, k := range sizes {
		if k < 0 || int(k) > len(corners) {
			return fmt.Errorf("vcount has a polygon of %d corners, but %d are left: truncated or damaged", k, len(corners))
		}
		if err := g.cut.cut(g.pos, corners[:k]); err != nil {
			return err
		}
		corners = corners[k:]
	}
	if len(corners) > 0 {
		return fmt.Errorf("%d corners more than in vcount: damaged", len(corners))
	}
	return nil
}

// list adds one <p> of polygons, trifans or tristrips.
func (g *geometry) list(kind string, p []int32) error {
	if kind == "polygons" || len(p) < 3 {
		return g.cut.cut(g.pos, p)
	}
	if kind == "trifans" {
		return g.cut.fan(p)
	}
	return g.cut.strip(g.pos, p)
}

// checkCount compares the declared with the actual number of primitives.
func checkCount(n *xmltree.Node, got int) error {
	s, ok := n.Attr("count")
	if !ok {
		return nil
	}
	if want, err := integer(strings.TrimSpace(s)); err != nil || int(want) != got {
		return fmt.Errorf("it declares %.40q and has %d: truncated or damaged; export or copy it again", s, got)
	}
	return nil
}

func flatten(lists [][]int32) []int32 {
	if len(lists) == 1 {
		return lists[0]
	}
	var out []int32
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

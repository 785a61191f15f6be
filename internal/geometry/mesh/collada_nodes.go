package mesh

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// maxNodeDepth bounds the nesting of nodes through instance_node, which may form a cycle.
const maxNodeDepth = 200

// node emits the geometry below n; m transforms the parent's frame to metres. lacking names a
// transform that this reader does not support; only geometry below it is an error, because
// exporters put such transforms on cameras.
func (d *collada) node(n *xmltree.Node, m affine, lacking string, depth int) error {
	for _, k := range n.Kids {
		t, known, err := transform(k)
		if err != nil {
			return fmt.Errorf("line %d: %w", k.Line, err)
		}
		if !known {
			lacking = fmt.Sprintf("<%s> of line %d", k.Name, k.Line)
		}
		m = m.mul(t)
	}
	return d.kids(n, m, lacking, depth+1)
}

// kids emits the nodes and instances directly inside n; m transforms its frame to metres.
func (d *collada) kids(n *xmltree.Node, m affine, lacking string, depth int) error {
	if depth > maxNodeDepth {
		return fmt.Errorf("line %d: nodes nested deeper than %d: does one instantiate itself?", n.Line, maxNodeDepth)
	}
	for _, k := range n.Kids {
		if d.left--; d.left < 0 {
			return fmt.Errorf("the scene has more than %d nodes and geometries: simplify it", d.b.lim.visits)
		}
		if err := d.kid(k, m, lacking, depth); err != nil {
			return err
		}
	}
	return nil
}

func (d *collada) kid(k *xmltree.Node, m affine, lacking string, depth int) error {
	switch k.Name {
	case "node":
		return d.node(k, m, lacking, depth)
	case "instance_node":
		n, err := lookUp(d.nodes, k)
		if err != nil {
			return err
		}
		return d.node(n, m, lacking, depth)
	case "instance_geometry":
		if lacking != "" {
			return fmt.Errorf("line %d: geometry below %s, a transform that is not supported: bake transforms on export", k.Line, lacking)
		}
		g, err := lookUp(d.geometries, k)
		if err != nil {
			return err
		}
		return d.instantiate(g, m)
	case "instance_controller":
		return fmt.Errorf("line %d: skinned or morphed geometry is not supported: export the plain mesh", k.Line)
	}
	return nil
}

// transform returns the map of a transform element, the identity for any other element, and
// whether it is supported.
func transform(k *xmltree.Node) (a affine, known bool, err error) {
	a = scaling(1, 1, 1)
	var f []float64
	read := func(n int) bool {
		f, err = floats(k.Text, n)
		if err == nil && len(f) != n {
			err = fmt.Errorf("<%s> has %d numbers, not %d", k.Name, len(f), n)
		}
		return err == nil
	}
	switch k.Name {
	case "lookat", "skew":
		return a, false, nil
	case "matrix":
		if read(16) {
			a, err = fromMatrix(f)
		}
	case "translate":
		if read(3) {
			a.p = geom.Vec{X: f[0], Y: f[1], Z: f[2]}
		}
	case "scale":
		if read(3) {
			a = scaling(f[0], f[1], f[2])
		}
	case "rotate":
		if read(4) {
			a, err = turning(geom.Vec{X: f[0], Y: f[1], Z: f[2]}, f[3])
		}
	}
	return a, true, err
}

// instantiate adds a geometry to the mesh; m transforms its frame to metres.
func (d *collada) instantiate(n *xmltree.Node, m affine) error {
	if d.left--; d.left < 0 {
		return fmt.Errorf("the scene has more than %d nodes and geometries: simplify it", d.b.lim.visits)
	}
	g := d.read[n]
	if g == nil {
		var err error
		if g, err = readGeometry(n, d.b.lim); err != nil {
			id, _ := n.Attr("id")
			return fmt.Errorf("geometry %.80q: %w", id, err)
		}
		d.read[n] = g
	}
	d.shaped = d.shaped || g.shaped
	return d.b.place(g, m)
}

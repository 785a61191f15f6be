package mesh

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// scenes places the nodes of the scene that the document shows; if it names none, those of all
// scenes; if it has none, every root node, or every mesh where there are no nodes.
func (d *gltf) scenes() error {
	list, err := document.Optional(d.root, "scenes", document.Value.List)
	if err != nil {
		return err
	}
	shown, err := index(d.root, "scene", len(list))
	if err != nil {
		return err
	}
	if shown >= 0 {
		list = list[shown : shown+1]
	}
	var roots []int
	for i, v := range list {
		f, err := v.AnyFields(fmt.Sprintf("scene %d", i))
		if err != nil {
			return err
		}
		nodes, err := indices(f, "nodes", len(d.nodes))
		if err != nil {
			return err
		}
		roots = append(roots, nodes...)
	}
	if len(list) == 0 {
		if roots, err = d.orphans(); err != nil {
			return err
		}
	}
	if err := d.axes(roots); err != nil {
		return err
	}
	for _, n := range roots {
		if err := d.node(n, scaling(1, 1, 1), d.moved[anyNode], 0); err != nil {
			return err
		}
	}
	if len(d.nodes) > 0 || len(list) > 0 {
		return nil
	}
	for i := range d.meshes {
		if err := d.place(i, nil, scaling(1, 1, 1)); err != nil {
			return err
		}
	}
	return nil
}

// orphans returns the nodes that are no child of another.
func (d *gltf) orphans() (roots []int, err error) {
	child := make([]bool, len(d.nodes))
	for i, v := range d.nodes {
		f, err := v.AnyFields(fmt.Sprintf("node %d", i))
		if err != nil {
			return nil, err
		}
		kids, err := indices(f, "children", len(d.nodes))
		if err != nil {
			return nil, err
		}
		for _, k := range kids {
			child[k] = true
		}
	}
	for i, c := range child {
		if !c {
			roots = append(roots, i)
		}
	}
	return roots, nil
}

// axes is the gap that every glTF mesh has.
func (d *gltf) axes(roots []int) error {
	detail := "the axes of the glTF mesh are taken as they stand, y as y, while some programs turn it by 90 degrees about x"
	if len(roots) == 1 {
		f, err := d.nodes[roots[0]].AnyFields("node")
		if err != nil {
			return err
		}
		m, err := placement(f)
		if err != nil {
			return fmt.Errorf("%s: %w", titled("node", roots[0], f), err)
		}
		if m != scaling(1, 1, 1) {
			detail += "; and the transform of its root node applies, which some drop"
		}
	}
	d.b.gap(premise.MeshAxes, detail, "convert the mesh to STL, OBJ or PLY (in a scene file, give the object up: z or up: y)")
	return nil
}

// node places what is at and below node i; m transforms its parent's frame to the file's.
func (d *gltf) node(i int, m affine, moved bool, depth int) error {
	f, err := d.nodes[i].AnyFields(fmt.Sprintf("node %d", i))
	if err != nil {
		return err
	}
	name := titled("node", i, f)
	if d.left--; d.left < 0 || depth > maxNodeDepth {
		return fmt.Errorf("%s: the scene has more than %d nodes and meshes, or nodes nested deeper than %d: does one contain itself?", name, d.b.lim.visits, maxNodeDepth)
	}
	if err := d.b.ctx.Err(); err != nil {
		return err
	}
	if err := d.strange(f, name, "camera", "children", "matrix", "mesh", "rotation", "scale", "skin", "translation", "weights"); err != nil {
		return err
	}
	own, err := placement(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	m, moved = m.mul(own), moved || d.moved[i]
	if err := d.meshOf(f, name, m, moved); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	kids, err := indices(f, "children", len(d.nodes))
	if err != nil {
		return err
	}
	for _, k := range kids {
		if err := d.node(k, m, moved, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// meshOf places the mesh of a node, if it has one.
func (d *gltf) meshOf(f document.Fields, name string, m affine, moved bool) error {
	mesh, err := index(f, "mesh", len(d.meshes))
	if err != nil || mesh < 0 {
		return err
	}
	if f.Has("skin") {
		return fmt.Errorf("mesh %d is bent by a skin, which is not supported: export the plain mesh", mesh)
	}
	if moved {
		d.b.notUnderstood("an animation moves %s or a node above it: its place at rest is checked", name)
	}
	weights, err := numbers(f, "weights", -1)
	if err != nil {
		return err
	}
	return d.place(mesh, weights, m)
}

// place adds a mesh; weights are those that a node gives its morph targets.
func (d *gltf) place(i int, weights []float64, m affine) error {
	f, err := d.meshes[i].AnyFields(fmt.Sprintf("mesh %d", i))
	if err != nil {
		return err
	}
	name := titled("mesh", i, f)
	if weights == nil {
		if weights, err = numbers(f, "weights", -1); err != nil {
			return err
		}
	}
	for _, w := range weights {
		if w != 0 {
			return fmt.Errorf("%s has a morph target of weight %g, which is not supported: export the plain mesh", name, w)
		}
	}
	g := d.read[i]
	if g == nil {
		if g, err = d.readMesh(f, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		d.read[i] = g
	}
	d.placed = true
	return d.b.place(g, m)
}

// placement returns a node's transform: a matrix, or a translation after a rotation after a
// scale.
func placement(f document.Fields) (affine, error) {
	a := scaling(1, 1, 1)
	m, err := numbers(f, "matrix", 16)
	if err != nil {
		return a, err
	}
	if m != nil && f.HasAny("translation", "rotation", "scale") {
		return a, f.Errorf("a matrix beside a translation, rotation or scale: only one of the forms can hold; export it again")
	}
	if m != nil {
		return fromMatrix([]float64{ // glTF lists columns
			m[0], m[4], m[8], m[12],
			m[1], m[5], m[9], m[13],
			m[2], m[6], m[10], m[14],
			m[3], m[7], m[11], m[15],
		})
	}
	s, err := numbers(f, "scale", 3)
	if err != nil {
		return a, err
	}
	if s != nil {
		a = scaling(s[0], s[1], s[2])
	}
	q, err := numbers(f, "rotation", 4)
	if err != nil {
		return a, err
	}
	if q != nil {
		r, err := turned(q)
		if err != nil {
			return a, err
		}
		a = r.mul(a)
	}
	t, err := numbers(f, "translation", 3)
	if t != nil {
		a.p = geom.Vec{X: t[0], Y: t[1], Z: t[2]}
	}
	return a, err
}

// quaternionTolerance accepts what exporters round. A quaternion whose length is farther from 1
// was not meant as a rotation.
const quaternionTolerance = 1e-2

// turned returns the rotation of the quaternion x, y, z, w.
func turned(q []float64) (affine, error) {
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(math.Abs(length-1) <= quaternionTolerance) {
		return affine{}, fmt.Errorf("rotation (%g, %g, %g, %g) has length %g, not 1: damaged; export it again", q[0], q[1], q[2], q[3], length)
	}
	r, err := geom.Quat(q[0], q[1], q[2], q[3])
	return affine{
		x: geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX},
		y: geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY},
		z: geom.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ},
	}, err
}

// numbers returns the list of n numbers of key, of any length if n is negative; nil without
// one.
func numbers(f document.Fields, key string, n int) ([]float64, error) {
	v, ok := f.Get(key)
	if !ok {
		return nil, nil
	}
	return v.Floats(key, n)
}

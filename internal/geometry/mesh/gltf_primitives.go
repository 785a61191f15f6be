package mesh

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// The modes of a primitive.
const (
	modePoints = iota
	modeLines
	modeLineLoop
	modeLineStrip
	modeTriangles
	modeTriangleStrip
	modeTriangleFan
)

// readMesh reads the primitives of one mesh into one geometry.
func (d *gltf) readMesh(f document.Fields, name string) (*geometry, error) {
	g := &geometry{lim: d.b.lim}
	g.cut.emit = g.add
	list, err := document.Optional(f, "primitives", document.Value.List)
	if err != nil {
		return nil, err
	}
	if err := d.strange(f, name, "primitives", "weights"); err != nil {
		return nil, err
	}
	for i, v := range list {
		if d.left--; d.left < 0 {
			return nil, fmt.Errorf("the scene has more than %d nodes and primitives: simplify it", d.b.lim.visits)
		}
		if err := d.primitive(g, v, name, i); err != nil {
			return nil, fmt.Errorf("primitive %d: %w", i, err)
		}
	}
	return g, nil
}

func (d *gltf) primitive(g *geometry, v document.Value, mesh string, i int) error {
	f, err := v.AnyFields("primitive")
	if err != nil {
		return err
	}
	if targets, err := document.Optional(f, "targets", document.Value.List); err != nil {
		return err
	} else if len(targets) > 0 {
		d.b.notUnderstood("%s has morph targets: its shape at rest is checked", mesh)
	}
	if err := d.strange(f, fmt.Sprintf("primitive %d of %s", i, mesh), "attributes", "indices", "material", "mode", "targets"); err != nil {
		return err
	}
	mode := modeTriangles
	if m, ok := f.Get("mode"); ok {
		if mode, err = below(m, "mode", modeTriangleFan+1); err != nil {
			return err
		}
	}
	pos, err := d.positions(f)
	if err != nil || pos == nil {
		return err
	}
	corners, err := d.corners(f, pos.count)
	if err != nil {
		return err
	}
	if mode >= modeTriangles {
		d.shaped = true
	}
	w := &picker{g: g, from: pos}
	if err := w.pick(corners, pos.count); err != nil {
		return err
	}
	return g.connect(mode, w.list)
}

// positions returns the accessor of a primitive's positions, nil if it has none.
func (d *gltf) positions(f document.Fields) (*values, error) {
	v, err := f.Need("primitive", "attributes")
	if err != nil {
		return nil, err
	}
	attributes, err := v.AnyFields("attributes")
	if err != nil {
		return nil, err
	}
	at, err := index(attributes, "POSITION", len(d.accessors))
	if err != nil {
		return nil, err
	}
	if at < 0 {
		d.b.notUnderstood("a primitive has no positions")
		return nil, nil
	}
	pos, err := d.accessor(at, 3)
	if err != nil {
		return nil, err
	}
	return pos, d.reach(at, pos)
}

// reachTolerance is the part of its extent by which an accessor's least and greatest position
// may be off: exporters round them.
const reachTolerance = 1e-3

// reach holds positions against the bounds that the file gives for them. A file has no checksum:
// positions that do not reach them are a gap, because some may be missing.
func (d *gltf) reach(at int, pos *values) error {
	if d.reached[at] {
		return nil
	}
	d.reached[at] = true
	f, err := d.accessors[at].AnyFields("accessor")
	if err != nil {
		return err
	}
	low, err := numbers(f, "min", 3)
	if err != nil || low == nil {
		return err
	}
	high, err := numbers(f, "max", 3)
	if err != nil || high == nil {
		return err
	}
	plain := *pos
	if plain.normalized = false; plain.is1 != nil { // the bounds are of the numbers as they are stored
		is := *plain.is1
		is.normalized, plain.is1 = false, &is
	}
	for c := range 3 {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range plain.count {
			x := plain.at(i, c)
			least, most = min(least, x), max(most, x)
		}
		if tol := reachTolerance * (high[c] - low[c]); least > low[c]+tol || most < high[c]-tol {
			d.b.notUnderstood("%s: its positions reach from %g to %g along %c, it declares %g to %g: some may be missing", titled("accessor", at, f), least, most, "xyz"[c], low[c], high[c])
			return nil
		}
	}
	return nil
}

// corners returns the accessor of a primitive's indices, nil for 0, 1, 2, …
func (d *gltf) corners(f document.Fields, positions int) (*values, error) {
	at, err := index(f, "indices", len(d.accessors))
	if err != nil || at < 0 {
		if positions > 3*d.b.lim.triangles {
			err = fmt.Errorf("more than %d triangles: simplify the mesh or split it", d.b.lim.triangles)
		}
		return nil, err
	}
	c, err := d.accessor(at, 1)
	if err != nil {
		return nil, err
	}
	if c.kind != uint8Component && c.kind != uint16Component && c.kind != uint32Component || c.normalized {
		return nil, fmt.Errorf("accessor %d of indices has the component type %d: damaged; export it again", at, c.kind)
	}
	if c.count > 3*d.b.lim.triangles {
		return nil, fmt.Errorf("accessor %d has %d indices, more than %d triangles take: simplify the mesh or split it", at, c.count, d.b.lim.triangles)
	}
	return c, nil
}

// picker copies the positions that a primitive uses, each once.
type picker struct {
	g    *geometry
	from *values
	list []int32 // of the corners, into g.pos

	array []int32 // 1 + place in g.pos of each position: for many corners
	table map[int]int32
}

func (w *picker) pick(corners *values, positions int) error {
	n := positions
	if corners != nil {
		n = corners.count
	}
	if positions <= 4*n {
		w.array = make([]int32, positions)
	} else {
		w.table = map[int]int32{}
	}
	w.list = make([]int32, 0, n)
	for k := range n {
		i := k
		if corners != nil {
			i = int(corners.at(k, 0))
		}
		if i >= positions {
			return fmt.Errorf("index %d refers to position %d of %d: truncated or damaged; export or copy it again", k, i, positions)
		}
		w.list = append(w.list, w.place(i))
	}
	return nil
}

func (w *picker) place(i int) int32 {
	if w.array != nil {
		if p := w.array[i]; p > 0 {
			return p - 1
		}
	} else if p, ok := w.table[i]; ok {
		return p
	}
	p := int32(len(w.g.pos))
	w.g.pos = append(w.g.pos, geom.Vec{X: w.from.at(i, 0), Y: w.from.at(i, 1), Z: w.from.at(i, 2)})
	if w.array != nil {
		w.array[i] = p + 1
	} else {
		w.table[i] = p
	}
	return p
}

// connect adds the triangles, segments or points of a primitive.
func (g *geometry) connect(mode int, p []int32) error {
	switch mode {
	case modePoints:
		return g.tuples(p, 1)
	case modeLines:
		return g.tuples(p, 2)
	case modeTriangles:
		return g.tuples(p, 3)
	case modeTriangleStrip:
		return g.cut.strip(g.pos, p)
	case modeTriangleFan:
		return g.list("trifans", p)
	}
	for i := 1; i < len(p); i++ {
		if err := g.add(p[i-1], p[i], p[i]); err != nil {
			return err
		}
	}
	if mode == modeLineLoop && len(p) > 0 {
		return g.add(p[len(p)-1], p[0], p[0])
	}
	return nil
}

// tuples adds points, segments or triangles of n corners each.
func (g *geometry) tuples(p []int32, n int) error {
	if len(p)%n != 0 {
		return fmt.Errorf("%d corners are not a whole number of primitives of %d: truncated or damaged; export or copy it again", len(p), n)
	}
	for ; len(p) > 0; p = p[n:] {
		if err := g.add(p[0], p[min(1, n-1)], p[n-1]); err != nil {
			return err
		}
	}
	return nil
}

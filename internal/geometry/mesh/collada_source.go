package mesh

import (
	"errors"
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// corners returns, for each <p> of a primitive, the indices into g.pos of its corners. An
// entry of <p> interleaves one index for each offset of the inputs; only that of the position
// is used.
func (g *geometry) corners(n *xmltree.Node) ([][]int32, error) {
	offset, stride, source, err := g.inputs(n)
	if err != nil {
		return nil, err
	}
	var out [][]int32
	for _, p := range n.All("p") {
		if source == nil {
			return nil, errors.New("no input of semantic VERTEX or POSITION: export it again")
		}
		pos, err := g.positions(source)
		if err != nil {
			return nil, fmt.Errorf("source of line %d: %w", source.Line, err)
		}
		all, err := integers(p.Text)
		if err != nil {
			return nil, fmt.Errorf("<p> of line %d: %w", p.Line, err)
		}
		if len(all)%stride != 0 {
			return nil, fmt.Errorf("<p> of line %d: %d indices are not a multiple of the %d inputs: truncated or damaged", p.Line, len(all), stride)
		}
		list := all[:0]
		for i := offset; i < len(all); i += stride {
			if all[i] < 0 || all[i] >= pos.count {
				return nil, fmt.Errorf("<p> of line %d refers to vertex %d of %d: truncated or damaged; export or copy it again", p.Line, all[i], pos.count)
			}
			list = append(list, pos.base+all[i])
		}
		out = append(out, list)
	}
	return out, nil
}

// maxInputs bounds the offsets of inputs; exporters stay below ten.
const maxInputs = 1000

// inputs returns the position's offset in an entry of <p>, the number of indices per entry,
// and the source of positions (nil if there is none).
func (g *geometry) inputs(n *xmltree.Node) (offset, stride int, source *xmltree.Node, err error) {
	for k, in := range n.All("input") {
		at := k // COLLADA 1.3 had no offsets
		if s, ok := in.Attr("offset"); ok {
			i, err := integer(strings.TrimSpace(s))
			if err != nil || i < 0 || i > maxInputs {
				return 0, 0, nil, fmt.Errorf("input offset %.40q must be a small whole number", s)
			}
			at = int(i)
		}
		stride = max(stride, at+1)
		s, err := g.positionSource(in)
		if err != nil {
			return 0, 0, nil, err
		}
		if s != nil {
			offset, source = at, s
		}
	}
	return offset, max(stride, 1), source, nil
}

// positionSource resolves an input to the source of positions, through <vertices> if it refers
// to them; nil for normals and other data.
func (g *geometry) positionSource(in *xmltree.Node) (*xmltree.Node, error) {
	switch sem, _ := in.Attr("semantic"); sem {
	case "POSITION":
		return g.byURL("source", in)
	case "VERTEX":
		v, err := g.byURL("vertices", in)
		if err != nil {
			return nil, err
		}
		for _, k := range v.All("input") {
			if sem, _ := k.Attr("semantic"); sem == "POSITION" {
				return g.byURL("source", k)
			}
		}
		return nil, fmt.Errorf("<vertices> of line %d has no POSITION: export it again", v.Line)
	}
	return nil, nil
}

// byURL finds the child of the mesh that an input's source attribute names.
func (g *geometry) byURL(name string, in *xmltree.Node) (*xmltree.Node, error) {
	url, _ := in.Attr("source")
	if k := g.parts()[meshPart{name, strings.TrimPrefix(url, "#")}]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("input of line %d names the %s %.80q, which is not in its mesh", in.Line, name, url)
}

// meshPart names a child of a mesh element that has an id.
type meshPart struct{ element, id string }

// parts lists the children of the mesh element by their ids, the first of each.
func (g *geometry) parts() map[meshPart]*xmltree.Node {
	if g.partsOf == g.mesh {
		return g.byID
	}
	g.partsOf, g.byID = g.mesh, map[meshPart]*xmltree.Node{}
	for _, k := range g.mesh.Kids {
		id, ok := k.Attr("id")
		if p := (meshPart{k.Name, id}); ok && g.byID[p] == nil {
			g.byID[p] = k
		}
	}
	return g.byID
}

// positions appends a source's positions to g.pos, once, and returns their range.
func (g *geometry) positions(source *xmltree.Node) (run, error) {
	if r, ok := g.runs[source]; ok {
		return r, nil
	}
	accessor := source.Child("technique_common").Child("accessor")
	array, err := arrayOf(source, accessor)
	if err != nil {
		return run{}, err
	}
	f, err := floats(array.Text, 0)
	if err != nil {
		return run{}, err
	}
	if err := checkCount(array, len(f)); err != nil {
		return run{}, err
	}
	acc, err := readAccessor(accessor, len(f))
	if err != nil {
		return run{}, err
	}
	r := run{base: int32(len(g.pos)), count: int32(acc.count)}
	for i := range acc.count {
		at := f[acc.offset+i*acc.stride:]
		g.pos = append(g.pos, geom.Vec{X: at[acc.x], Y: at[acc.y], Z: at[acc.z]})
	}
	g.runs[source] = r
	return r, nil
}

// arrayOf returns the array that an accessor, which may be nil, reads. One outside its source is an
// error: exporters write none.
func arrayOf(source, accessor *xmltree.Node) (*xmltree.Node, error) {
	arrays, url := source.All("float_array"), ""
	if accessor != nil {
		url, _ = accessor.Attr("source")
	}
	if len(arrays) == 0 {
		return nil, errors.New("no float_array in it")
	}
	if url == "" {
		return arrays[0], nil
	}
	for _, a := range arrays {
		if id, ok := a.Attr("id"); ok && id == strings.TrimPrefix(url, "#") {
			return a, nil
		}
	}
	return nil, fmt.Errorf("its accessor reads %.80q, which is none of its arrays: export it again", url)
}

// accessor describes the layout of positions in a float_array.
type accessor struct {
	offset, stride, count int
	x, y, z               int // places in an entry
}

// readAccessor reads an accessor over n numbers; without one, positions are
// three numbers each.
func readAccessor(a *xmltree.Node, n int) (accessor, error) {
	acc := accessor{stride: 3, count: n / 3, y: 1, z: 2}
	if a == nil {
		return acc, nil
	}
	acc.stride = 1 // the standard's default
	for _, f := range []struct {
		name string
		to   *int
	}{{"offset", &acc.offset}, {"stride", &acc.stride}, {"count", &acc.count}} {
		s, ok := a.Attr(f.name)
		if !ok {
			continue
		}
		i, err := integer(strings.TrimSpace(s))
		if err != nil || i < 0 {
			return acc, fmt.Errorf("accessor %s %.40q must be a whole number", f.name, s)
		}
		*f.to = int(i)
	}
	acc.places(a.All("param"))
	last := max(acc.x, acc.y, acc.z)
	if last >= acc.stride {
		return acc, fmt.Errorf("accessor of stride %d has no X, Y and Z", acc.stride)
	}
	if acc.count > 0 && acc.offset+(acc.count-1)*acc.stride+last >= n {
		return acc, fmt.Errorf("accessor needs %d positions but has %d numbers: truncated or damaged; export or copy it again", acc.count, n)
	}
	return acc, nil
}

// places finds X, Y and Z among the named params; without names they are the first three.
func (acc *accessor) places(params []*xmltree.Node) {
	for i, p := range params {
		switch name, _ := p.Attr("name"); name {
		case "X":
			acc.x = i
		case "Y":
			acc.y = i
		case "Z":
			acc.z = i
		}
	}
}

// Package ply reads PLY files, in text and in both binary forms: vertices, polygons, triangle
// strips and edges. It interprets nothing: meshes and point clouds are made of what it returns.
package ply

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// File is what a PLY file holds.
type File struct {
	Vertices []geom.Vec
	// Corners are indices into Vertices, polygon after polygon, of Sizes[i] corners each. A
	// size may be 0.
	Corners, Sizes []int32
	// Strips are triangle strips, one after the other in StripSizes. An index of -1 begins a
	// new strip.
	Strips, StripSizes []int32
	Edges              [][2]int32 // of vertices

	// Skipped names the elements with rows that this package does not know, and properties that
	// give vertices a size.
	Skipped []string
}

// IsCloud reports whether the file has points and no surface.
func (f *File) IsCloud() bool { return len(f.Sizes) == 0 && len(f.StripSizes) == 0 }

// Is reports whether data begins as PLY does.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte("ply\n")) || bytes.HasPrefix(data, []byte("ply\r"))
}

// DeclaresCloud reports whether the header of a file declares no faces and no strips.
func DeclaresCloud(data []byte) bool {
	h, _, err := readHeader(data)
	return err == nil && !slices.ContainsFunc(h.elements, func(e element) bool {
		return e.count > 0 && (e.name == "face" || e.name == "tristrips")
	})
}

// Look is called while a file is read, with the number of rows of an element that have been read,
// and their total. It ends the reading by an error.
type Look func(element string, done, total int) error

// Read reads a whole file, and calls look every few milliseconds.
// Coordinates may be NaN or infinite: what that means is the caller's to say. Errors name the
// element and the remedy.
func Read(data []byte, look Look) (*File, error) {
	h, body, err := readHeader(data)
	if err != nil {
		return nil, fmt.Errorf("header of the PLY file: %w", err)
	}
	r := reader{file: &File{}, look: look}
	if h.text {
		r.in = &textInput{rest: body, cut: len(body) > 0 && !isSpace(body[len(body)-1])}
	} else {
		r.in = &binaryInput{rest: body, order: h.order}
	}
	for i := range h.elements {
		if err := r.element(&h.elements[i]); err != nil {
			return nil, err
		}
	}
	if err := r.in.end(); err != nil {
		return nil, err
	}
	return r.file, r.checkIndices()
}

// reader reads the elements in the order of the header.
type reader struct {
	file *File
	in   input
	look Look
}

// rowsPerLook is how many rows pass between calls of look.
const rowsPerLook = 4096

// element reads all rows of one element.
func (r *reader) element(e *element) error {
	if left := r.in.left(); e.count > 0 && int64(e.count) > left/e.smallest(r.in.least) {
		return fmt.Errorf("element %s declares %d rows, more than the %d bytes after it hold: truncated or damaged; export or copy it again", e.name, e.count, left)
	}
	if e.count == 0 {
		return nil
	}
	row, err := r.rowOf(e)
	if err != nil {
		return fmt.Errorf("element %s: %w", e.name, err)
	}
	for i := range e.count {
		if i%rowsPerLook == 0 {
			if err := r.look(e.name, i, e.count); err != nil {
				return err
			}
		}
		if err := row(); err != nil {
			return fmt.Errorf("element %s, row %d: %w", e.name, i, err)
		}
	}
	return nil
}

// rowOf returns the function that reads one row.
func (r *reader) rowOf(e *element) (func() error, error) {
	switch e.name {
	case "vertex":
		return r.vertexRow(e)
	case "face":
		return r.listRow(e, &r.file.Corners, &r.file.Sizes)
	case "tristrips":
		return r.listRow(e, &r.file.Strips, &r.file.StripSizes)
	case "edge":
		return r.edgeRow(e)
	case "camera":
		return r.cameraRow(e)
	case "material":
	default:
		r.file.Skipped = append(r.file.Skipped, e.name)
	}
	return func() error { return r.skip(e.properties) }, nil
}

var errNoIndices = errors.New("it has no list vertex_indices (or vertex_index): export it again")

// listRow reads a list of indices and skips the other properties.
func (r *reader) listRow(e *element, to, sizes *[]int32) (func() error, error) {
	at := e.find("vertex_indices", "vertex_index")
	if at < 0 || !e.properties[at].list {
		return nil, errNoIndices
	}
	p := e.properties[at]
	if !p.of.whole() {
		return nil, fmt.Errorf("its list %s is of type %s, not of whole numbers: export it again", p.name, p.of)
	}
	return func() error {
		if err := r.skip(e.properties[:at]); err != nil {
			return err
		}
		n, err := r.length(&p)
		if err != nil {
			return err
		}
		for range n {
			x, err := r.in.number(p.of)
			if err != nil {
				return err
			}
			i, err := index(x)
			if err != nil {
				return err
			}
			*to = append(*to, i)
		}
		*sizes = append(*sizes, int32(n))
		return r.skip(e.properties[at+1:])
	}, nil
}

func index(x float64) (int32, error) {
	if x != float64(int32(x)) {
		return 0, fmt.Errorf("index %g is not a whole number of 32 bits: damaged; export or copy it again", x)
	}
	return int32(x), nil
}

// length reads the length of a list and holds it against what is left.
func (r *reader) length(p *property) (int, error) {
	x, err := r.in.number(p.count)
	if err != nil {
		return 0, err
	}
	if x < 0 || x != float64(int32(x)) || int64(x) > r.in.left()/r.in.least(p.of)+1 {
		return 0, fmt.Errorf("a list %s of length %g, with %d bytes left: truncated or damaged; export or copy it again", p.name, x, r.in.left())
	}
	return int(x), nil
}

func (r *reader) skip(properties []property) error {
	for i := range properties {
		p := &properties[i]
		n := 1
		if p.list {
			var err error
			if n, err = r.length(p); err != nil {
				return err
			}
		}
		for range n {
			if err := r.in.pass(p.of); err != nil {
				return err
			}
		}
	}
	return nil
}

// scalars returns a function that reads one row and stores the named properties, which must be
// scalars.
func (r *reader) scalars(e *element, names []string, to []float64) (func() error, error) {
	place := make([]int, len(e.properties)) // 1 + place in to
	for k, name := range names {
		at := e.find(name)
		if at < 0 || e.properties[at].list {
			return nil, fmt.Errorf("it has no property %s: export it again", name)
		}
		place[at] = k + 1
	}
	return func() error {
		for i := range e.properties {
			if place[i] == 0 {
				if err := r.skip(e.properties[i : i+1]); err != nil {
					return err
				}
				continue
			}
			x, err := r.in.number(e.properties[i].of)
			if err != nil {
				return err
			}
			to[place[i]-1] = x
		}
		return nil
	}, nil
}

// sizes are properties by which vertices are no points: those of surfels and of Gaussians.
var sizes = []string{"radius", "scale_0", "scale"}

func (r *reader) vertexRow(e *element) (func() error, error) {
	xyz := make([]float64, 3)
	read, err := r.scalars(e, []string{"x", "y", "z"}, xyz)
	if err != nil {
		return nil, err
	}
	for _, p := range e.properties {
		if slices.Contains(sizes, p.name) {
			r.file.Skipped = append(r.file.Skipped, "vertex."+p.name)
		}
	}
	r.file.Vertices = make([]geom.Vec, 0, e.count)
	return func() error {
		if err := read(); err != nil {
			return err
		}
		r.file.Vertices = append(r.file.Vertices, geom.Vec{X: xyz[0], Y: xyz[1], Z: xyz[2]})
		return nil
	}, nil
}

// cameraRow reads the sensor's pose that PCL writes. Vertices are not moved by it: one that is
// not the identity counts as skipped.
func (r *reader) cameraRow(e *element) (func() error, error) {
	names := []string{"view_px", "view_py", "view_pz", "x_axisx", "x_axisy", "x_axisz", "y_axisx", "y_axisy", "y_axisz", "z_axisx", "z_axisy", "z_axisz"}
	pose := make([]float64, len(names))
	read, err := r.scalars(e, names, pose)
	if err != nil { // of another program
		r.file.Skipped = append(r.file.Skipped, e.name)
		return func() error { return r.skip(e.properties) }, nil
	}
	return func() error {
		if err := read(); err != nil {
			return err
		}
		if !slices.Equal(pose, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) {
			r.file.Skipped = append(r.file.Skipped, e.name)
		}
		return nil
	}, nil
}

func (r *reader) edgeRow(e *element) (func() error, error) {
	ends := make([]float64, 2)
	read, err := r.scalars(e, []string{"vertex1", "vertex2"}, ends)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := read(); err != nil {
			return err
		}
		a, err := index(ends[0])
		if err != nil {
			return err
		}
		b, err := index(ends[1])
		if err != nil {
			return err
		}
		r.file.Edges = append(r.file.Edges, [2]int32{a, b})
		return nil
	}, nil
}

// checkIndices holds every index against the number of vertices.
func (r *reader) checkIndices() error {
	n := int32(len(r.file.Vertices))
	bad := func(element string, i int32) error {
		return fmt.Errorf("element %s refers to vertex %d of %d: truncated or damaged; export or copy it again", element, i, n)
	}
	for _, i := range r.file.Corners {
		if i < 0 || i >= n {
			return bad("face", i)
		}
	}
	for _, i := range r.file.Strips {
		if i < -1 || i >= n {
			return bad("tristrips", i)
		}
	}
	for _, e := range r.file.Edges {
		for _, i := range e {
			if i < 0 || i >= n {
				return bad("edge", i)
			}
		}
	}
	return nil
}

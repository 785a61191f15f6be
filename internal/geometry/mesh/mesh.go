// Package mesh reads triangle meshes (STL, OBJ, COLLADA, glTF, PLY) and determines their connected
// components and the solids that they enclose.
//
// Meshes appear as in RViz and MoveIt: COLLADA units and node transforms apply, its up axis
// does not (see collada.go), and of glTF too (see gltf.go). No surface is left out: content that a reader does not support is
// an error.
package mesh

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/base/sniff"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Mesh is the result of the readers.
type Mesh = shape.TriangleMesh

// limits bound the cost of one file. Tests lower them.
type limits struct {
	bytes     int64
	triangles int
	placed    int // triangles of COLLADA or glTF, which place geometries many times
	visits    int // nodes and geometries instantiated by one scene of these
}

var defaultLimits = limits{bytes: limit.MeshBytes, triangles: limit.MeshTriangles, placed: limit.PlacedTriangles, visits: limit.ColladaVisits}

// File is the content of a mesh file.
type File struct {
	Mesh *Mesh
	// Gaps are what the file leaves open and what can hide a collision. Their Names are empty:
	// the caller names the link or object.
	Gaps []premise.Premise
}

// Load returns the mesh of LoadContext, without its gaps.
func Load(path string, scale geom.Vec) (*Mesh, error) {
	f, err := LoadContext(context.Background(), path, scale)
	return f.Mesh, err
}

// LoadContext reads the mesh file at path, and the files in its folder that it names, and
// multiplies its coordinates, in metres after the file's own unit, by scale. If the product of
// the scale's factors is negative it mirrors the mesh and reverses its triangles, so that
// outward stays outward. Errors name the file and the remedy; once ctx is done they wrap its
// error.
func LoadContext(ctx context.Context, path string, scale geom.Vec) (File, error) {
	data, err := infile.Read(ctx, path, defaultLimits.bytes)
	if err != nil {
		return File{}, fmt.Errorf("mesh: %w", err)
	}
	return ParseContext(ctx, path, data, scale)
}

// Parse returns the mesh of ParseContext, without its gaps.
func Parse(name string, data []byte, scale geom.Vec) (*Mesh, error) {
	f, err := ParseContext(context.Background(), name, data, scale)
	return f.Mesh, err
}

// ParseContext is like LoadContext for a file in memory. Its content determines the format; the
// extension of name decides if the content fits several or none. Files that it names are in the
// folder of name.
func ParseContext(ctx context.Context, name string, data []byte, scale geom.Vec) (File, error) {
	folder := filepath.Dir(name)
	return parse(name, data, scale, source{ctx, defaultLimits, func(side string, most int64) ([]byte, error) {
		return infile.Read(ctx, filepath.Join(folder, side), most)
	}})
}

// source is where a file comes from.
type source struct {
	ctx  context.Context
	lim  limits
	side func(name string, most int64) ([]byte, error)
}

func parse(name string, data []byte, scale geom.Vec, from source) (File, error) {
	b, err := parseFormat(name, data, scale, from)
	if err != nil {
		return File{}, fmt.Errorf("mesh %s: %w", name, sniff.Explain("", err, sniff.Mesh, data))
	}
	return File{b.mesh, b.gaps}, nil
}

func parseFormat(name string, data []byte, scale geom.Vec, from source) (*builder, error) {
	if n := int64(len(data)); n > from.lim.bytes {
		return nil, tooLarge(n, from.lim.bytes)
	}
	b, err := newBuilder(from, scale)
	if err != nil {
		return nil, err
	}
	b.what = "reading mesh " + name
	f, err := detect(name, data)
	if err != nil {
		return nil, err
	}
	defer progress.Tell(from.ctx, progress.Step{})
	if err := f(b, data); err != nil {
		return nil, err
	}
	if len(b.mesh.Triangles) == 0 {
		return nil, errNoSurface
	}
	return b, nil
}

var errNoSurface = errors.New("no triangles in it: export a surface, not points or lines")

func tooLarge(size, limit int64) error {
	return fmt.Errorf("%d bytes exceed the limit of %d: simplify the mesh or split it", size, limit)
}

// The factors of a scale: from nanometres to metres and back.
const minScale, maxScale = 1e-9, 1e9

func checkScale(s geom.Vec) error {
	for _, x := range [3]float64{s.X, s.Y, s.Z} {
		if size := math.Abs(x); size != 0 && !(size >= minScale && size <= maxScale) && !math.IsInf(x, 0) && !math.IsNaN(x) {
			return fmt.Errorf("scale %g %g %g: every factor must be between %g and %g: check the unit", s.X, s.Y, s.Z, minScale, maxScale)
		}
		if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("scale %g %g %g: every factor must be finite and not zero", s.X, s.Y, s.Z)
		}
	}
	return nil
}

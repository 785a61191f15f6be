// Package mesh reads triangle meshes (STL, OBJ, COLLADA) and determines their connected
// components and the solids that they enclose.
//
// Meshes appear as in RViz and MoveIt: COLLADA units and node transforms apply, its up axis
// does not (see collada.go). No surface is left out: content that a reader does not support is
// an error.
package mesh

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// Mesh is the result of the readers.
type Mesh = shape.TriangleMesh

// limits bound the cost of one file. Tests lower them.
type limits struct {
	bytes     int64
	triangles int
	visits    int // nodes and geometries instantiated by one COLLADA scene
}

var defaultLimits = limits{bytes: limit.MeshBytes, triangles: limit.MeshTriangles, visits: limit.ColladaVisits}

// Load reads the mesh file at path and multiplies its coordinates, in metres after the file's
// own unit, by scale. If the product of the scale's factors is negative it mirrors the mesh
// and reverses its triangles, so that outward stays outward. Errors name the file and the
// remedy.
func Load(path string, scale geom.Vec) (*Mesh, error) {
	return LoadContext(context.Background(), path, scale)
}

// LoadContext is like Load, but returns an error that wraps ctx's error once ctx is done.
func LoadContext(ctx context.Context, path string, scale geom.Vec) (*Mesh, error) {
	data, err := infile.Read(ctx, path, defaultLimits.bytes)
	if err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	return ParseContext(ctx, path, data, scale)
}

// Parse is like Load for a file in memory. Its content determines the format; the extension of
// name decides if the content fits several or none.
func Parse(name string, data []byte, scale geom.Vec) (*Mesh, error) {
	return ParseContext(context.Background(), name, data, scale)
}

// ParseContext is like Parse, but returns an error that wraps ctx's error once ctx is done.
func ParseContext(ctx context.Context, name string, data []byte, scale geom.Vec) (*Mesh, error) {
	return parse(ctx, name, data, scale, defaultLimits)
}

func parse(ctx context.Context, name string, data []byte, scale geom.Vec, lim limits) (*Mesh, error) {
	m, err := parseFormat(ctx, name, data, scale, lim)
	if err != nil {
		return nil, fmt.Errorf("mesh %s: %w", name, err)
	}
	return m, nil
}

func parseFormat(ctx context.Context, name string, data []byte, scale geom.Vec, lim limits) (*Mesh, error) {
	if int64(len(data)) > lim.bytes {
		return nil, tooLarge(int64(len(data)), lim.bytes)
	}
	b, err := newBuilder(ctx, scale, lim)
	if err != nil {
		return nil, err
	}
	b.what = "reading mesh " + name
	f, err := detect(name, data)
	if err != nil {
		return nil, err
	}
	defer progress.Tell(ctx, progress.Step{})
	if err := f(b, data); err != nil {
		return nil, err
	}
	if len(b.mesh.Triangles) == 0 {
		return nil, errors.New("no triangles in it: export a surface, not points or lines")
	}
	return b.mesh, nil
}

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

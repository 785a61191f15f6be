// Package raster draws shaded pictures of triangles: hidden surfaces, smooth edges, soft shadows,
// a ground and translucent layers, without a display or a graphics card.
//
// The same scene gives the same pixels on every machine. Coverage is decided in integers. Where
// numbers are float64, each product is rounded before it is added: the language allows a compiler
// to fuse x*y + z into one operation with another rounding, which those for arm64, ppc64, riscv64
// and s390x do, but not float64(x*y) + z. No function of package math is used but those that
// IEEE 754 defines to the last bit, such as Sqrt. A test compiles the package for such a
// processor and finds no fused operation.
//
// Lengths are metres. The scene's frame has z up.
package raster

import (
	"context"
	"image"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Mesh is triangles in a frame of their own. It is immutable once drawn, and may be shared.
type Mesh struct {
	// Vertices are x, y, z of each vertex, and Triangles three indices of each triangle.
	Vertices  []float32
	Triangles []uint32

	normals []int16 // of the corners, three numbers each
}

// Body is a mesh at a place.
type Body struct {
	Mesh   *Mesh
	Pose   geom.Pose // of the mesh's frame in the scene's
	Colour Colour
	// Scenery is left out where it is nearer to the camera than Camera.Near, and casts its
	// shadow only near the focus: walls and ceilings hide nothing.
	Scenery bool
}

// Layer is bodies that are drawn translucent above the solid ones, hiding each other.
type Layer struct {
	Bodies []Body
	// Opacity is between 0 and 1. Surfaces seen from the side are more opaque.
	Opacity float64
}

// Scene is what is drawn.
type Scene struct {
	Bodies []Body
	// Layers are drawn in their order.
	Layers []Layer
	Ground Ground
	// Focus is what the picture is about: there shadows are sharp.
	Focus Ball
	Theme Theme

	coarse int // divides the sides of the maps of shadows, for fuzzing; 0: as they are
}

// Ball is a ball.
type Ball struct {
	Center geom.Vec
	Radius float64
}

// Ground is a horizontal plane with lines. It is not drawn for a camera below it.
type Ground struct {
	Shown  bool
	Height float64
	// Lines is the distance of the lines; every tenth is stronger. 0: none.
	Lines float64
}

// Theme is the colours around the bodies.
type Theme struct {
	Top, Bottom  Colour // of the background
	Ground, Line Colour
	// Sky is the strength of the light from everywhere.
	Sky float64
}

// Colour is red, green and blue as pictures store them, from 0 to 255.
type Colour [3]uint8

// linear returns the amounts of light. Pictures store them by a power of nearly 2, which a square
// root undoes exactly.
func (c Colour) linear() vec {
	square := func(x uint8) float64 { return float64(x) * float64(x) / (255 * 255) }
	return vec{square(c[0]), square(c[1]), square(c[2])}
}

// Render draws a scene. It uses up to workers goroutines. done is called for each row of parts
// that is finished, with the number of all; it may be nil. The only error is the context's.
func Render(ctx context.Context, s *Scene, c *Camera, workers int, done func(n, of int)) (*image.RGBA, error) {
	r := newRenderer(s, c, workers)
	return r.draw(ctx, done)
}

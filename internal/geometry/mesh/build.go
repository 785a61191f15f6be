package mesh

import (
	"context"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// builder scales, checks and welds the readers' output.
type builder struct {
	ctx    context.Context
	what   string // for progress
	total  int    // triangles to expect, 0 if unknown
	mesh   *Mesh
	scale  geom.Vec
	mirror bool // the scale reverses orientation
	lim    limits
	index  places // of the mesh's vertices

	gaps      []premise.Premise // what the file leaves open; Names is the caller's to fill
	instances int               // of geometries, so far
	// side reads a file that the mesh names, by its path in the mesh's folder.
	side func(name string, most int64) ([]byte, error)
}

func newBuilder(from source, scale geom.Vec) (*builder, error) {
	if err := checkScale(scale); err != nil {
		return nil, err
	}
	return &builder{
		ctx:    from.ctx,
		mesh:   new(Mesh),
		scale:  scale,
		mirror: (scale.X < 0) != (scale.Y < 0) != (scale.Z < 0),
		lim:    from.lim,
		side:   from.side,
		index:  placesFor(0),
	}, nil
}

// expect allocates memory for about n triangles. The caller has checked n against the size of
// its input.
func (b *builder) expect(n int) {
	b.total = n
	b.mesh.Triangles = make([][3]int32, 0, n)
	b.mesh.Vertices = make([]geom.Vec, 0, n/2+2) // Euler: a closed mesh has V = T/2 + 2 - 2g
	b.index = placesFor(n/2 + 2)
}

// vertex returns the index of the vertex at v, in metres before the scale.
func (b *builder) vertex(v geom.Vec) (int32, error) {
	// Adding 0 turns -0 into 0, so that equal positions have equal bits.
	w := geom.Vec{X: v.X*b.scale.X + 0, Y: v.Y*b.scale.Y + 0, Z: v.Z*b.scale.Z + 0}
	if !geom.Finite(w) {
		return 0, fmt.Errorf("vertex (%g, %g, %g) is not finite: repair and export the mesh again", w.X, w.Y, w.Z)
	}
	if !geom.Bounded(w) {
		return 0, fmt.Errorf("vertex (%g, %g, %g) m is beyond %g m: check the unit and the scale", w.X, w.Y, w.Z, float64(geom.MaxLength))
	}
	next := int32(len(b.mesh.Vertices))
	i := b.index.add(b.mesh.Vertices, next, w)
	if i == next {
		b.mesh.Vertices = append(b.mesh.Vertices, w)
	}
	return i, nil
}

// trianglesPerLook is how many triangles pass between checks of the context and reports of
// progress: well below a millisecond.
const trianglesPerLook = 4096

// triangle adds the triangle of three vertex indices, counterclockwise seen
// from outside before the scale.
func (b *builder) triangle(i, j, k int32) error {
	if len(b.mesh.Triangles) >= b.lim.triangles {
		return fmt.Errorf("more than %d triangles: simplify the mesh or split it", b.lim.triangles)
	}
	if len(b.mesh.Triangles)%trianglesPerLook == 0 {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		progress.Tell(b.ctx, progress.Step{What: b.what, Done: int64(len(b.mesh.Triangles)), Total: int64(b.total), Unit: "triangles"})
	}
	if b.mirror {
		j, k = k, j
	}
	b.mesh.Triangles = append(b.mesh.Triangles, [3]int32{i, j, k})
	return nil
}

// place adds a geometry; m transforms its frame to metres.
func (b *builder) place(g *geometry, m affine) error {
	b.instances++
	if n := len(b.mesh.Triangles) + len(g.tris); n > b.lim.triangles {
		return fmt.Errorf("its first %d instances of geometries have %d triangles, more than %d: simplify the geometries or place fewer", b.instances, n, b.lim.triangles)
	}
	w := newWelder(b, len(g.pos), func(i int32) geom.Vec { return m.apply(g.pos[i]) })
	w.mirror = m.mirrors()
	for _, t := range g.tris {
		if err := w.triangle(t[0], t[1], t[2]); err != nil {
			return err
		}
	}
	return nil
}

// welder adds triangles whose corners are indices into a list of positions. Unused positions
// do not reach the mesh.
type welder struct {
	b      *builder
	at     func(i int32) geom.Vec // metres before the scale
	mirror bool                   // at reverses orientation
	known  []int32                // 1 + index in the mesh, 0 if not yet used
}

func newWelder(b *builder, n int, at func(int32) geom.Vec) *welder {
	return &welder{b: b, at: at, known: make([]int32, n)}
}

func (w *welder) triangle(i, j, k int32) error {
	idx := [3]int32{i, j, k}
	for c, p := range idx {
		if w.known[p] == 0 {
			v, err := w.b.vertex(w.at(p))
			if err != nil {
				return err
			}
			w.known[p] = v + 1
		}
		idx[c] = w.known[p] - 1
	}
	if w.mirror {
		idx[1], idx[2] = idx[2], idx[1]
	}
	return w.b.triangle(idx[0], idx[1], idx[2])
}

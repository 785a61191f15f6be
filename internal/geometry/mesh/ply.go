package mesh

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/ply"
)

// readPLY makes a mesh of the polygons and triangle strips of a PLY file. Edges stay segments.
func readPLY(b *builder, data []byte) error {
	f, err := ply.Read(data, func(element string, done, total int) error {
		progress.Tell(b.ctx, progress.Step{What: b.what, Done: int64(done), Total: int64(total), Unit: "rows of " + element})
		return b.ctx.Err()
	})
	if err != nil {
		return err
	}
	if f.IsCloud() {
		return fmt.Errorf("a cloud of %d points without faces, which is no surface: put it into a scene as {id: NAME, type: points, points: FILE, radius: METRES}, or export the faces too", len(f.Vertices))
	}
	weld := newWelder(b, len(f.Vertices), func(i int32) geom.Vec { return f.Vertices[i] })
	cut := triangulator{emit: weld.triangle}
	at := int32(0)
	for k, n := range f.Sizes {
		if err := cut.cut(f.Vertices, f.Corners[at:at+n]); err != nil {
			return fmt.Errorf("face %d: %w", k, err)
		}
		at += n
	}
	if err := plyStrips(&cut, f); err != nil {
		return err
	}
	for _, e := range f.Edges {
		if err := cut.cut(f.Vertices, e[:]); err != nil {
			return err
		}
	}
	if len(f.Skipped) > 0 {
		b.notUnderstood("its elements %s are not read", strings.Join(f.Skipped, ", "))
	}
	return nil
}

// plyStrips cuts the strips, which an index of -1 parts.
func plyStrips(cut *triangulator, f *ply.File) error {
	at := int32(0)
	for _, n := range f.StripSizes {
		strip := f.Strips[at : at+n]
		at += n
		for len(strip) > 0 {
			end := 0
			for end < len(strip) && strip[end] >= 0 {
				end++
			}
			if err := cut.strip(f.Vertices, strip[:end]); err != nil {
				return err
			}
			strip = strip[min(end+1, len(strip)):]
		}
	}
	return nil
}

// strip emits the triangles of a strip, of which every other one runs backwards.
func (t *triangulator) strip(pos []geom.Vec, p []int32) error {
	if len(p) < 3 {
		return t.cut(pos, p)
	}
	for i := 2; i < len(p); i++ {
		a, b := p[i-2], p[i-1]
		if i%2 == 1 {
			a, b = b, a
		}
		if err := t.emit(a, b, p[i]); err != nil {
			return err
		}
	}
	return nil
}

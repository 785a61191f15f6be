package ccd

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// around is the part of a mesh near a point, and what kind of place it is.
type around struct {
	mesh      *mesh.Mesh
	at        geom.Vec // on the surface
	triangles []int32  // those near it: all that are within featureReach, and some more
}

// ofMesh tells the feature of a mesh at f.At, which may be off its surface by the
// padding. Edges between triangles of one face do not count, nor do vertices that
// only such edges meet, or two in one line.
func ofMesh(f *motion.Feature, m *mesh.Mesh, l *model.Leaves, padding float64) {
	a := around{mesh: m}
	var room [64]int32
	a.triangles = room[:0]
	near := padding + featureReach
	eachNear(m, l, f.At, near+featureReach, func(i int32, p geom.Vec, d float64) {
		if a.triangles = append(a.triangles, i); d <= near {
			near, a.at, f.Triangle = d, p, int(i)
		}
	})
	if f.Triangle < 0 {
		return
	}
	f.Kind = motion.Face
	if i := a.flatAgainst(f.Towards); i >= 0 {
		f.Triangle = int(i)
		return
	}
	if v := a.vertex(); v >= 0 {
		var room [32]int32
		ends := a.sharpAt(v, room[:0])
		switch {
		case len(ends) == 2 && a.straight(ends[0], v, ends[1]):
			f.Kind, f.Vertices = motion.Edge, [2]int{int(v), int(ends[0])}
		case len(ends) > 0:
			f.Kind, f.Vertices[0] = motion.Vertex, int(v)
			if w := a.edgeAgainst(f.Towards, v, ends); w >= 0 {
				f.Kind, f.Vertices[1] = motion.Edge, int(w)
			}
		}
		return
	}
	if v, w, ok := a.edge(); ok {
		f.Kind, f.Vertices = motion.Edge, [2]int{int(v), int(w)}
	}
}

func (a *around) corners(i int32) tri.Triangle { return cornersOf(a.mesh, i) }

func cornersOf(m *mesh.Mesh, i int32) tri.Triangle {
	t := m.Triangles[i]
	return tri.Triangle{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]}
}

// flatAgainst returns a triangle at the point that lies flat against what is in the
// direction towards, -1 for none.
func (a *around) flatAgainst(towards geom.Vec) int32 {
	for _, i := range a.triangles {
		if !liesFlat(towards, a.normal(i)) {
			continue
		}
		t := a.corners(i)
		if pointDistance(tri.ClosestPoint(&t, a.at), a.at) <= featureReach {
			return i
		}
	}
	return -1
}

// edgeAgainst returns the other end of an edge at v, of those to ends, that lies flat
// against what is in the direction towards, -1 for none.
func (a *around) edgeAgainst(towards geom.Vec, v int32, ends []int32) int32 {
	for _, w := range ends {
		along, _ := geom.Unit(r3.Sub(a.mesh.Vertices[w], a.mesh.Vertices[v]))
		if math.Abs(r3.Dot(along, towards)) <= flat && towards != (geom.Vec{}) {
			return w
		}
	}
	return -1
}

// eachNear calls found for the triangles within reach of x, with their points
// nearest to it. A convex mesh has no hierarchy and is looked through.
func eachNear(m *mesh.Mesh, l *model.Leaves, x geom.Vec, reach float64, found func(i int32, p geom.Vec, d float64)) {
	try := func(i int32) {
		t := cornersOf(m, i)
		if far(&t, x, reach) {
			return
		}
		p := tri.ClosestPoint(&t, x)
		if d := pointDistance(p, x); d <= reach {
			found(i, p, d)
		}
	}
	if l != nil {
		visit(l, x, reach, try)
		return
	}
	for i := range m.Triangles {
		try(int32(i))
	}
}

// far reports whether a triangle's box is out of reach of x.
func far(t *tri.Triangle, x geom.Vec, reach float64) bool {
	out := func(a, b, c, x float64) bool {
		return a > x+reach && b > x+reach && c > x+reach || a < x-reach && b < x-reach && c < x-reach
	}
	return out(t[0].X, t[1].X, t[2].X, x.X) || out(t[0].Y, t[1].Y, t[2].Y, x.Y) || out(t[0].Z, t[1].Z, t[2].Z, x.Z)
}

// vertex returns the vertex that the point is at, -1 for none.
func (a *around) vertex() int32 {
	best, near := int32(-1), featureReach
	for _, i := range a.triangles {
		for _, v := range a.mesh.Triangles[i] {
			if d := pointDistance(a.mesh.Vertices[v], a.at); d <= near {
				best, near = v, d
			}
		}
	}
	return best
}

// sharpAt appends the other ends of the sharp edges at a vertex to ends.
func (a *around) sharpAt(v int32, ends []int32) []int32 {
	for _, i := range a.triangles {
		for k, w := range a.mesh.Triangles[i] {
			next := a.mesh.Triangles[i][(k+1)%3]
			switch {
			case w == v && a.sharp(v, next, i):
				ends = append(ends, next)
			case next == v && a.sharp(w, v, i):
				ends = append(ends, w)
			}
		}
	}
	return ends
}

// edge returns the nearest sharp edge that the point is on.
func (a *around) edge() (v, w int32, ok bool) {
	near := featureReach
	for _, i := range a.triangles {
		for k, p := range a.mesh.Triangles[i] {
			q := a.mesh.Triangles[i][(k+1)%3]
			on := tri.ClosestOnSegment(a.mesh.Vertices[p], a.mesh.Vertices[q], a.at)
			if d := pointDistance(on, a.at); d <= near && a.sharp(p, q, i) {
				v, w, near, ok = min(p, q), max(p, q), d, true
			}
		}
	}
	return v, w, ok
}

// sharp reports whether an edge of triangle i is one of the shape, and i the first
// of its triangles: those of one face do not part at it.
func (a *around) sharp(v, w, i int32) bool {
	others := 0
	for _, k := range a.triangles {
		if k == i || !has(a.mesh.Triangles[k], v) || !has(a.mesh.Triangles[k], w) {
			continue
		}
		if k < i {
			return false // it is counted with the other triangle
		}
		others++
		ni, nk := a.normal(i), a.normal(k)
		if r3.Norm(r3.Cross(ni, nk)) > flat || r3.Dot(ni, nk) < 0 {
			return true
		}
	}
	return others != 1
}

func has(t [3]int32, v int32) bool { return t[0] == v || t[1] == v || t[2] == v }

// normal returns a triangle's unit normal; zero where it has no area.
func (a *around) normal(i int32) geom.Vec {
	t := a.corners(i)
	n, _ := geom.Unit(r3.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0])))
	return n
}

// straight reports whether three vertices are in one line, the middle one between.
func (a *around) straight(p, q, r int32) bool {
	one, _ := geom.Unit(r3.Sub(a.mesh.Vertices[q], a.mesh.Vertices[p]))
	two, _ := geom.Unit(r3.Sub(a.mesh.Vertices[r], a.mesh.Vertices[q]))
	return r3.Norm(r3.Cross(one, two)) <= flat && r3.Dot(one, two) > 0
}

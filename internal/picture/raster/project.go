package raster

// projected is a body in the picture.
type projected struct {
	body      *Body
	frame     frame
	near      float64 // what is nearer to the eye is cut off
	corners   []corner
	triangles []uint32 // three corners each
	source    []uint32 // triangle of the mesh that each was cut from; nil: they are the mesh's own
}

// tooNear is the part of Camera.Near that nothing is nearer than.
const tooNear = 1e-3

// place projects a body in the picture.
func (v *view) place(b *Body) projected {
	p := projected{body: b, frame: frameOf(b.Pose), near: tooNear * v.near}
	if b.Scenery {
		p.near = v.near
	}
	m := b.Mesh
	n := len(m.Vertices) / 3
	p.corners, p.triangles = make([]corner, n), m.Triangles
	clip := false
	for i := range n {
		l := v.local(p.frame.apply(m.vertex(uint32(i))))
		x, y, inverse := v.project(l)
		if l.z < p.near || !v.guarded(x, y) {
			clip = true
			inverse = 0 // marks it
			x, y = 0, 0
		}
		p.corners[i] = cornerAt(x, y, inverse)
	}
	if clip {
		p.clip(v)
	}
	return p
}

func (v *view) guarded(x, y float64) bool {
	return x > -v.guard && x < v.guard && y > -v.guard && y < v.guard
}

// vertex returns a vertex in the mesh's frame.
func (m *Mesh) vertex(i uint32) vec {
	v := m.Vertices[3*i : 3*i+3]
	return vec{float64(v[0]), float64(v[1]), float64(v[2])}
}

// clip cuts off what is too near, and what is so far outside that the grid cannot have it.
func (p *projected) clip(v *view) {
	m := p.body.Mesh
	kept := make([]uint32, 0, len(m.Triangles))
	source := make([]uint32, 0, len(m.Triangles)/3)
	var polygon, other []vec
	for t := 0; t+2 < len(m.Triangles); t += 3 {
		i, j, k := m.Triangles[t], m.Triangles[t+1], m.Triangles[t+2]
		if p.corners[i].near > 0 && p.corners[j].near > 0 && p.corners[k].near > 0 {
			kept, source = append(kept, i, j, k), append(source, uint32(t/3))
			continue
		}
		polygon = polygon[:0]
		for _, c := range [...]uint32{i, j, k} {
			polygon = append(polygon, v.local(p.frame.apply(m.vertex(c))))
		}
		polygon, other = v.cut(polygon, other, p.near)
		if len(polygon) < 3 {
			continue
		}
		first := uint32(len(p.corners))
		for _, l := range polygon {
			p.corners = append(p.corners, cornerAt(v.project(l)))
		}
		for c := first + 1; c+1 < uint32(len(p.corners)); c++ {
			kept, source = append(kept, first, c, c+1), append(source, uint32(t/3))
		}
	}
	p.triangles, p.source = kept, source
}

// cut leaves of a polygon in the camera's frame what is before the eye and near the picture
// (Sutherland and Hodgman).
func (v *view) cut(polygon, other []vec, near float64) (cut, scratch []vec) {
	side := float64(v.guard/2) / v.focal
	planes := [...]struct {
		n   vec
		off float64
	}{
		{vec{0, 0, 1}, near},
		{vec{1, 0, side}, 0},
		{vec{-1, 0, side}, 0},
		{vec{0, 1, side}, 0},
		{vec{0, -1, side}, 0},
	}
	for i := range planes {
		other = other[:0]
		for k := range polygon {
			a, b := polygon[k], polygon[(k+1)%len(polygon)]
			da, db := planes[i].n.dot(a)-planes[i].off, planes[i].n.dot(b)-planes[i].off
			if da >= 0 {
				other = append(other, a)
			}
			if (da >= 0) != (db >= 0) {
				other = append(other, a.plus(da/(da-db), b.sub(a)))
			}
		}
		polygon, other = other, polygon
	}
	return polygon, other
}

// meshTriangle returns which triangle of the mesh one in the picture is.
func (p *projected) meshTriangle(t uint32) uint32 {
	if p.source != nil {
		return p.source[t]
	}
	return t
}

// corners3 returns the corners of a triangle.
func (p *projected) corners3(t uint32) (a, b, c corner) {
	i := p.triangles[3*t : 3*t+3]
	return p.corners[i[0]], p.corners[i[1]], p.corners[i[2]]
}

// piece is a triangle of a body.
type piece struct{ body, triangle uint32 }

// sortPieces lists the triangles of bodies by the bands of the picture that they may be seen in.
func sortPieces(bodies []projected, width, height, band int) [][]piece {
	bands := make([][]piece, (height+band-1)/band)
	for i := range bodies {
		p := &bodies[i]
		for t := range uint32(len(p.triangles) / 3) {
			a, b, c := p.corners3(t)
			left, right := span(min(a.x, b.x, c.x), max(a.x, b.x, c.x), 0, width)
			first, last := span(min(a.y, b.y, c.y), max(a.y, b.y, c.y), 0, height)
			if left > right || first > last {
				continue // between samples, or outside
			}
			for k := first / band; k <= last/band; k++ {
				bands[k] = append(bands[k], piece{uint32(i), t})
			}
		}
	}
	return bands
}

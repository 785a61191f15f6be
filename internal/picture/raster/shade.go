package raster

import "math"

// shades are the surfaces in a pixel.
type shades struct {
	ids   [across * across]uint32
	count [across * across]int
	first [across * across]int // a sample of each
	n     int

	// How much of each light arrives at the body that is drawn, or -1 as long as nobody asked.
	arriving []float64
	at       surface // where
}

// collect lists the triangles that a pixel of the band shows.
func (h *shades) collect(g *grid, x, y int) {
	h.n = 0
	for j := range across {
		row := (y*across+j)*g.width + x*across
		for i := range across {
			id, k := g.id[row+i], 0
			for k < h.n && h.ids[k] != id {
				k++
			}
			if k == h.n {
				h.ids[k], h.count[k], h.first[k] = id, 0, row+i
				h.n++
			}
			h.count[k]++
		}
	}
}

// surface is a point of a surface that the camera sees.
type surface struct {
	at, normal, ray vec
	smooth          vec  // at, on the surface that the triangles stand for
	cut             bool // the inside of what was cut off
	near            float64
	body            *projected
	id              uint32 // index of the body
}

// surface returns what a sample shows.
func (s *scratch) surface(g *grid, l *drawn, k int, id uint32, sample int) surface {
	v := &s.r.view
	x, y := float64(sample%g.width)+0.5, float64(g.top+sample/g.width)+0.5
	piece := l.bands[k][id-1]
	p := &l.bodies[piece.body]
	out := surface{near: float64(g.near[sample]), ray: v.ray(x, y), body: p, id: piece.body}
	out.at = v.eye.plus(1/out.near, out.ray)
	out.smooth = out.at
	if s.r.isGround(p) {
		out.normal = vec{0, 0, 1}
		return out
	}
	out.round(p.meshTriangle(piece.triangle))
	return out
}

// round takes normal and position from the round surface that a triangle of the mesh stands for.
// The triangle itself decides which side is seen.
func (at *surface) round(triangle uint32) {
	p := at.body
	m, i := p.body.Mesh, 3*triangle
	var corner, normal [3]vec
	for k := range corner {
		corner[k] = p.frame.apply(m.vertex(m.Triangles[i+uint32(k)]))
		normal[k] = p.frame.turn(m.normal(i + uint32(k)))
	}
	flat := corner[1].sub(corner[0]).cross(corner[2].sub(corner[0]))
	side := 1.0
	if flat.dot(at.ray) > 0 {
		side = -1
		at.cut = p.body.Scenery && p.source != nil
	}
	weights := weightsOf(corner, flat, at.at)
	at.normal, at.smooth = vec{}, vec{}
	for k, w := range weights {
		n := normal[k].scale(side)
		at.normal = at.normal.plus(w, n)
		// A point below the tangent plane of a corner is lifted onto it, so that facets throw no
		// shadows on themselves (Hanika 2021).
		at.smooth = at.smooth.plus(w, at.at.plus(max(0, -at.at.sub(corner[k]).dot(n)), n))
	}
	at.normal = at.normal.unit()
}

// weightsOf returns the weights of a triangle's corners at one of its points.
func weightsOf(c [3]vec, flat, at vec) [3]float64 {
	d := flat.dot(flat)
	if !(d > 0) {
		return [3]float64{1, 0, 0}
	}
	v := min(max(c[2].sub(c[0]).cross(flat).dot(at.sub(c[0]))/d, 0), 1)
	w := min(max(flat.cross(c[1].sub(c[0])).dot(at.sub(c[0]))/d, 0), 1-v)
	return [3]float64{1 - v - w, v, w}
}

// solidPixel returns the light of a pixel of the band, without the layers above.
func (s *scratch) solidPixel(x, y, k int) vec {
	h := &s.shades
	h.collect(&s.solid, x, y)
	behind := s.r.background(k*band + y)
	var sum vec
	var body uint32 = math.MaxUint32
	for i := range h.n {
		c := behind
		if h.ids[i] != 0 {
			at := s.surface(&s.solid, &s.r.layers[0], k, h.ids[i], h.first[i])
			if at.id != body { // what reaches a pixel is computed once for each body in it
				h.at, body = at, at.id
				for k := range h.arriving {
					h.arriving[k] = -1
				}
			}
			c = s.r.lit(&at, h, behind)
		}
		sum = sum.plus(float64(h.count[i])/(across*across), c)
	}
	return sum
}

// lit returns the light that comes from a surface.
func (r *renderer) lit(at *surface, h *shades, behind vec) vec {
	var sum vec
	for i := range r.lights {
		l := &r.lights[i]
		c := l.direction.dot(at.normal)
		if c <= 0 {
			continue
		}
		if h.arriving[i] < 0 {
			h.arriving[i] = l.reaches(h.at.smooth, h.at.normal)
		}
		sum = sum.plus(float64(c*h.arriving[i]), l.strength)
	}
	if r.isGround(at.body) {
		return r.groundColour(at, sum, behind)
	}
	if at.cut {
		return at.body.body.Colour.linear().scale(0.42)
	}
	// What the ground sends back, and a weak light beside the camera: nothing is black.
	back := float64(r.scene.Theme.Sky * 0.22 * (1 - at.normal.z))
	head := -float64(0.10 * at.normal.dot(at.ray.unit()))
	sum = sum.add(vec{1, 0.98, 0.95}.scale(back + head))
	return soft(at.body.body.Colour.linear().times(sum))
}

// soft keeps light that is stronger than a picture can show from becoming white at once.
func soft(c vec) vec {
	f := func(x float64) float64 {
		if x <= 0.8 {
			return x
		}
		return 1 - 0.04/(x-0.6)
	}
	return vec{f(c.x), f(c.y), f(c.z)}
}

// background returns the colour behind everything, in a row of pixels.
func (r *renderer) background(y int) vec {
	return mix(r.scene.Theme.Top.linear(), r.scene.Theme.Bottom.linear(), float64(y)/float64(r.camera.Height))
}

func (r *renderer) isGround(p *projected) bool {
	return r.ground != nil && p.body.Mesh == r.ground.Mesh
}

// The ground fades between these distances from the focus, in its radius.
const fadeBegin, fadeEnd = 1.5, 4.5

// groundColour returns the ground's light: its own colour with lines, darker where little light
// arrives, and further away more and more what is behind it.
func (r *renderer) groundColour(at *surface, light, behind vec) vec {
	t := &r.scene.Theme
	d := at.at.sub(of(r.scene.Focus.Center))
	out := math.Sqrt(float64(d.x*d.x)+float64(d.y*d.y)) / r.scene.Focus.Radius
	fade := min(max((out-fadeBegin)/(fadeEnd-fadeBegin), 0), 1)
	fade = float64(float64(fade*fade) * (3 - float64(2*fade)))
	c := mix(t.Ground.linear(), t.Line.linear(), r.lines(at))
	full := r.open()
	return mix(soft(c.times(vec{light.x / full.x, light.y / full.y, light.z / full.z})), behind, fade)
}

// open is the light on a horizontal surface with nothing above.
func (r *renderer) open() vec {
	var sum vec
	for i := range r.lights {
		sum = sum.plus(r.lights[i].direction.z, r.lights[i].strength)
	}
	return sum
}

// lines returns how much of a pixel of the ground is lines.
func (r *renderer) lines(at *surface) float64 {
	step := r.scene.Ground.Lines
	if !(step > 0) {
		return 0
	}
	// The size of a pixel on the ground, along and across the view.
	pixel := across / (at.near * r.view.focal)
	flat := pixel / max(-at.ray.unit().z, 0.02)
	most := 0.0
	for _, s := range [...]struct{ step, width, strength float64 }{{step, 1, 0.45}, {10 * step, 2, 1}} {
		if s.step < 5*flat {
			continue
		}
		fade := min((s.step/flat-5)/5, 1)
		for _, x := range [...]struct{ at, along float64 }{{at.at.x, at.ray.x}, {at.at.y, at.ray.y}} {
			off := math.Abs(x.at - float64(s.step*math.RoundToEven(x.at/s.step)))
			size := pixel + float64((flat-pixel)*math.Abs(x.along)/at.ray.length())
			cover := min(max((float64(float64((s.width+1)*size)/2)-off)/size, 0), s.width, 1)
			most = max(most, float64(float64(cover*s.strength)*fade))
		}
	}
	return most
}

// blend draws a layer above a pixel of the band.
func (s *scratch) blend(x, y, k int, l *drawn) {
	h := &s.shades
	h.collect(&s.above, x, y)
	if h.n == 1 && h.ids[0] == 0 {
		return
	}
	pixel := &s.row[y*s.r.camera.Width+x]
	before := *pixel
	for i := range h.n {
		if h.ids[i] == 0 {
			continue
		}
		at := s.surface(&s.above, l, k, h.ids[i], h.first[i])
		facing := math.Abs(at.normal.dot(at.ray.unit()))
		light := 0.62 + float64(0.25*at.normal.z) + float64(0.13*facing)
		edge := float64((1 - facing) * (1 - facing))
		opacity := l.opacity + float64(float64((1-l.opacity)*0.7)*edge)
		cover := float64(h.count[i]) / (across * across)
		c := at.body.body.Colour.linear().scale(light)
		*pixel = pixel.plus(float64(opacity*cover), c.sub(before))
	}
}

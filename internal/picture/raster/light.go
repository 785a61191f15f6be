package raster

import "math"

// light is one of many from which the scene is lit: a few close to each other are the sun, whose
// shadows have soft edges; the others are the sky. Each knows how deep it reaches.
type light struct {
	direction vec // to the light
	right, up vec
	strength  vec
	size      int // of the map's sides
	scale     float64
	center    vec
	radius    float64 // around center the map is right; beyond there is no shadow
	depth     []uint16
}

const (
	sunLights, sunMap = 16, 768
	skyLights, skyMap = 40, 384
)

// reach is how far beyond the focus shadows are cast, in its radius.
const reach = 1.7

// lights returns the lights of a scene for a camera, without shadows.
func (r *renderer) newLights() []light {
	var out []light
	focus := r.scene.Focus
	add := func(d vec, strength vec, size int) {
		d = d.unit()
		side := d.cross(vec{0, 1, 0})
		if side.length() < 0.1 {
			side = d.cross(vec{1, 0, 0})
		}
		side = side.unit()
		radius := float64(reach * focus.Radius)
		size /= max(1, r.scene.coarse)
		out = append(out, light{
			direction: d, right: side, up: side.cross(d), strength: strength, size: size,
			scale: float64(size-4) / float64(2*radius), center: of(focus.Center), radius: radius,
		})
	}
	// The sun stands above, to the left of the camera and behind it.
	back := vec{-r.view.forward.x, -r.view.forward.y, 0}
	if back.length() < 0.1 {
		back = vec{-r.view.up.x, -r.view.up.y, 0}
	}
	back = back.unit()
	sun := back.plus(-0.75, r.view.right).plus(1.5, vec{0, 0, 1}).unit()
	across, along := sun.cross(vec{0, 0, 1}).unit(), vec{}
	along = across.cross(sun)
	for i := range sunLights {
		x, y, _ := spiral(i, sunLights)
		add(sun.plus(0.05*x, across).plus(0.05*y, along), vec{1, 0.985, 0.95}.scale(0.8/sunLights), sunMap)
	}
	total := 0.0
	for i := range skyLights {
		_, _, z := spiral(i, skyLights)
		total += z
	}
	for i := range skyLights {
		x, y, z := spiral(i, skyLights)
		add(vec{x, y, z}, vec{0.95, 0.98, 1}.scale(r.scene.Theme.Sky/total), skyMap)
	}
	return out
}

// spiral returns evenly spread points of the upper half of the unit ball's surface, and so, by x
// and y, of a disc.
func spiral(i, n int) (x, y, z float64) {
	const golden = 137.50776405003785 // degrees
	z = 1 - (float64(i)+0.5)/float64(n)
	s, c := sinCos(golden * float64(i))
	l := math.Sqrt(1 - float64(z*z))
	return float64(l * c), float64(l * s), z
}

// deepest is the depth of a texel that nothing is in, and of what is at the far end.
const deepest = math.MaxUint16

// cast computes the map from everything that throws a shadow. near is the map's scratch.
func (l *light) cast(bodies []Body, near []float32, corners []corner) []corner {
	g := grid{width: l.size, height: l.size, near: near[:l.size*l.size]}
	g.clear(-1)
	half := float64(float64(l.size) / 2)
	for i := range bodies {
		b := &bodies[i]
		f := frameOf(b.Pose)
		// The light's coordinates of a vertex are sums of its own, by these.
		right := vec{l.right.dot(f.x), l.right.dot(f.y), l.right.dot(f.z)}.scale(l.scale)
		up := vec{l.up.dot(f.x), l.up.dot(f.y), l.up.dot(f.z)}.scale(l.scale)
		to := vec{l.direction.dot(f.x), l.direction.dot(f.y), l.direction.dot(f.z)}
		at := f.at.sub(l.center)
		x0, y0, n0 := half+float64(l.scale*l.right.dot(at)), half-float64(l.scale*l.up.dot(at)), l.direction.dot(at)
		m := b.Mesh
		n := len(m.Vertices) / 3
		if cap(corners) < n {
			corners = make([]corner, n)
		}
		corners = corners[:n]
		limit := float64(16 * l.size)
		for k := range corners {
			v := m.vertex(uint32(k))
			x, y, near := x0+right.dot(v), y0-up.dot(v), n0+to.dot(v)
			if b.Scenery && near > l.radius || !(x > -limit && x < limit && y > -limit && y < limit) {
				corners[k] = corner{near: float32(math.Inf(1))} // throws none
				continue
			}
			corners[k] = cornerAt(x, y, float64(min(max((near+l.radius)/(2*l.radius), 0), 1)))
		}
		for t := 0; t+2 < len(m.Triangles); t += 3 {
			p, q, s := corners[m.Triangles[t]], corners[m.Triangles[t+1]], corners[m.Triangles[t+2]]
			if max(p.near, q.near, s.near) <= 1 {
				g.fill(p, q, s, 0, nil)
			}
		}
	}
	l.depth = make([]uint16, l.size*l.size)
	for i, n := range g.near {
		l.depth[i] = deepest
		if n >= 0 {
			l.depth[i] = uint16(float64(deepest-1) * float64(1-n))
		}
	}
	return corners
}

// reaches returns how much of the light arrives at a point of a surface with a normal: between 0
// and 1.
func (l *light) reaches(p, normal vec) float64 {
	texel := 1 / l.scale
	p = p.plus(1.5*texel, normal)
	d := p.sub(l.center)
	half := float64(float64(l.size)/2) - 0.5
	x, y := half+float64(l.scale*d.dot(l.right)), half-float64(l.scale*d.dot(l.up))
	if !(x > 0 && y > 0 && x < float64(l.size-2) && y < float64(l.size-2)) {
		return 1
	}
	depth := float64((1 - float64((d.dot(l.direction)+l.radius)/(2*l.radius))) * (deepest - 1))
	depth -= float64(texel * (deepest / (2 * l.radius))) // a slope within a texel
	i, j := int(x), int(y)
	fx, fy := x-float64(i), y-float64(j)
	row := l.depth[j*l.size+i:]
	below := l.depth[(j+1)*l.size+i:]
	lit := func(texel uint16) float64 {
		if float64(texel) < depth {
			return 0
		}
		return 1
	}
	upper := lit(row[0]) + float64(fx*(lit(row[1])-lit(row[0])))
	lower := lit(below[0]) + float64(fx*(lit(below[1])-lit(below[0])))
	v := upper + float64(fy*(lower-upper))
	// Beyond the edge of the map nothing is known: the shadow fades.
	out := d.length() / l.radius
	if out > 0.8 {
		v += float64(float64(1-v) * min((out-0.8)*5, 1))
	}
	return v
}

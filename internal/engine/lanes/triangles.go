package lanes

import "math"

// Triangle is the corners of a triangle in a frame.
type Triangle [3][3]float32

// Closest is what a search for the closest points of two triangles found at each of the times: a point of each,
// which are the closest but for rounding, unless the triangles meet.
type Closest struct {
	way    Point // from the one on a to the one on b, in the root's frame
	Square Row   // of its length
	// Gap is the least product of that way with one from any point of a to any of b: nothing is closer than Gap divided
	// by the way's length.
	Gap Row
	// Where the points are: see Weights.
	of, s, t Row
}

// Weights returns the weights of the triangles' corners whose sums are the points at one of the times. None is below
// zero, and each three of them sum up to 1 but for rounding of float64.
func (c *Closest) Weights(time int) (a, b [3]float64) {
	of, s, t := int(c.of[time]), float64(c.s[time]), float64(c.t[time])
	switch {
	case of < cornersOfA:
		i, j := of/3, of%3
		a[i], a[next(i)] = 1-s, s
		b[j], b[next(j)] = 1-t, t
	case of < cornersOfB:
		a[of-cornersOfA] = 1
		b = inside(s, t)
	default:
		a = inside(s, t)
		b[of-cornersOfB] = 1
	}
	return a, b
}

// Is reports whether nothing is closer at a time than the points found, but for a small part of their distance.
func (c *Closest) Is(time int) bool {
	const part = 1. / 1024
	square := float64(c.Square[time])
	return square > 0 && float64(c.Gap[time]) >= (1-part)*square
}

// Closest points are of an edge of each, numbers 0 to 8, or a corner of one and a point inside of the other.
const (
	cornersOfA = 9
	cornersOfB = 12
)

// tiny is more than squares of areas that mean nothing.
const tiny = 1e-30

// inside returns the weights of corners, of which s and t are those of the second and third.
func inside(s, t float64) [3]float64 {
	if first := 1 - s - t; first >= 0 {
		return [3]float64{first, s, t}
	}
	return [3]float64{0, s / (s + t), t / (s + t)} // they add up to more than 1 where float32 rounds
}

func next(i int) int {
	if i == 2 {
		return 0
	}
	return i + 1
}

// vec is a vector at one of the times.
type vec struct{ x, y, z float32 }

// closest is FindClosest's twin.
func closest(pa *Pose, a *Triangle, pb *Pose, b *Triangle, out *Closest) {
	for k := range Times {
		s := search{square: float32(math.Inf(1))}
		var own, other [3]vec // seen from the origin of pa
		way := pb.origin(k).minus(pa.origin(k))
		for i := range own {
			own[i], other[i] = pa.turned(&a[i], k), pb.turned(&b[i], k).plus(way)
		}
		s.edges(&own, &other)
		s.corners(&own, &other)
		s.store(out, k, s.gap(&own, &other))
	}
}

func (p *Pose) origin(k int) vec { return vec{p.P[0][k], p.P[1][k], p.P[2][k]} }

// turned is a corner seen from the frame's origin.
func (p *Pose) turned(c *[3]float32, k int) vec {
	at := func(i int) float32 { return dot(p.R[3*i][k], c[0], p.R[3*i+1][k], c[1], p.R[3*i+2][k], c[2]) }
	return vec{at(0), at(1), at(2)}
}

// search is the closest points so far at one time.
type search struct {
	way              vec
	square, of, s, t float32
}

// offer takes what is closer.
func (f *search) offer(way vec, of, s, t float32) {
	if square := way.dot(way); square < f.square {
		f.way, f.square, f.of, f.s, f.t = way, square, of, s, t
	}
}

// edges looks at points of an edge of each. With d and e their directions and r the way between their beginnings,
// it makes |r + t e - s d| the least for s and t from 0 to 1. Where a triangle has no such edge, any s or t will do.
func (f *search) edges(a, b *[3]vec) {
	var es [3]vec
	var ees, bys [3]float32
	for j := range b {
		es[j] = b[next(j)].minus(b[j])
		ees[j] = es[j].dot(es[j])
		bys[j] = 1 / ees[j]
	}
	of := float32(0)
	for i := range a {
		d := a[next(i)].minus(a[i])
		dd := d.dot(d)
		by := 1 / dd
		for j := range b {
			e, ee, r := es[j], ees[j], b[j].minus(a[i])
			de, dr, er := d.dot(e), d.dot(r), e.dot(r)
			area := most(float32(dd*ee)-float32(de*de), tiny)
			s := limit((float32(dr*ee) - float32(de*er)) / area)
			t := limit(float32((float32(s*de) - er) * bys[j]))
			s = limit(float32((float32(t*de) + dr) * by))
			f.offer(r.plus(e.times(t)).minus(d.times(s)), of, s, t)
			of++
		}
	}
}

// corners looks at corners of each and points inside of the other.
func (f *search) corners(a, b *[3]vec) {
	of := float32(cornersOfA)
	p := newPlane(b)
	for i := range a {
		w := a[i].minus(b[0])
		if s, t, on, ok := p.nearest(w); ok {
			f.offer(on.minus(w), of, s, t)
		}
		of++
	}
	p = newPlane(a)
	for i := range b {
		w := b[i].minus(a[0])
		if s, t, on, ok := p.nearest(w); ok {
			f.offer(w.minus(on), of, s, t)
		}
		of++
	}
}

// plane is that of a triangle, seen from its first corner, with the ways to the others.
type plane struct {
	u, v               vec
	uu, uv, vv, byArea float32
}

func newPlane(t *[3]vec) (p plane) {
	p.u, p.v = t[1].minus(t[0]), t[2].minus(t[0])
	p.uu, p.uv, p.vv = p.u.dot(p.u), p.u.dot(p.v), p.v.dot(p.v)
	p.byArea = 1 / most(float32(p.uu*p.vv)-float32(p.uv*p.uv), tiny)
	return p
}

// nearest returns the point of a plane that is the nearest, and its weights; ok is false where it is not inside of the
// triangle.
func (p *plane) nearest(w vec) (s, t float32, on vec, ok bool) {
	wu, wv := w.dot(p.u), w.dot(p.v)
	s = float32((float32(p.vv*wu) - float32(p.uv*wv)) * p.byArea)
	t = float32((float32(p.uu*wv) - float32(p.uv*wu)) * p.byArea)
	ok = !math.Signbit(float64(least(least(s, t), 1-s-t)))
	return s, t, p.u.times(s).plus(p.v.times(t)), ok
}

// gap is Closest.Gap.
func (f *search) gap(a, b *[3]vec) float32 {
	far := most(most(f.way.dot(a[0]), f.way.dot(a[1])), f.way.dot(a[2]))
	near := least(least(f.way.dot(b[0]), f.way.dot(b[1])), f.way.dot(b[2]))
	return near - far
}

func (f *search) store(c *Closest, k int, gap float32) {
	c.way[0][k], c.way[1][k], c.way[2][k] = f.way.x, f.way.y, f.way.z
	c.Square[k], c.Gap[k], c.of[k], c.s[k], c.t[k] = f.square, gap, f.of, f.s, f.t
}

// limit is x, or the nearer of 0 and 1; 0 for a NaN.
func limit(x float32) float32 { return least(most(x, 0), 1) }

func (v vec) dot(o vec) float32 { return dot(v.x, o.x, v.y, o.y, v.z, o.z) }
func (v vec) plus(o vec) vec    { return vec{v.x + o.x, v.y + o.y, v.z + o.z} }
func (v vec) minus(o vec) vec   { return vec{v.x - o.x, v.y - o.y, v.z - o.z} }

func (v vec) times(k float32) vec {
	return vec{float32(k * v.x), float32(k * v.y), float32(k * v.z)}
}

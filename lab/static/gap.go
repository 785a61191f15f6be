package static

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// gap is a lower bound of the distance of two leaves, and the direction from a to
// b along which it was found. Whatever the search does, each bound is that of a plane:
// with a unit vector n and all of a at or below n.x = s, all of b at or above t,
// the two are t - s apart. It ends where the bound is enough, where it exceeds the
// limit by almost all that the distance does, or where the distance does not.
//
// The search is GJK's (Gilbert, Johnson, Keerthi 1988).
func gap(a, b *leaf, limit, enough float64) (least float64, along geom.Vec) {
	round := a.round + b.round
	v := r3.Sub(a.support(geom.Vec{X: 1}), b.support(geom.Vec{X: 1}))
	least = math.Inf(-1)
	var s simplex
	for range 32 {
		far := math.Sqrt(r3.Norm2(v))
		if far < 1e-13 {
			return least, along
		}
		n := r3.Scale(-1/far, v)
		w := r3.Sub(a.support(n), b.support(r3.Scale(-1, n)))
		if g := -r3.Dot(n, w) - round; g > least {
			least, along = g, n
		}
		if up := far - round; up <= limit || least-limit >= 0.98*(up-limit) || least >= enough {
			return least, along
		}
		if s.has(w) {
			return least, along
		}
		v = s.add(w)
	}
	return least, along
}

// simplex is up to four points of the difference of two leaves.
type simplex struct {
	p [4]geom.Vec
	n int
}

func (s *simplex) has(w geom.Vec) bool {
	for i := range s.n {
		if s.p[i] == w {
			return true
		}
	}
	return false
}

// add takes one more point and keeps those whose hull holds the point nearest to
// the origin, which it returns.
func (s *simplex) add(w geom.Vec) geom.Vec {
	s.p[s.n] = w
	s.n++
	switch s.n {
	case 1:
		return w
	case 2:
		return s.keep(nearestOfEdge(s.p[0], s.p[1]))
	case 3:
		return s.keep(nearestOfFace(s.p[0], s.p[1], s.p[2]))
	}
	// The faces that see the origin; inside where there is none.
	best, at, inside := math.Inf(1), near{}, true
	for i := range 4 {
		a, b, c, d := s.p[i], s.p[(i+1)&3], s.p[(i+2)&3], s.p[(i+3)&3]
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		o, in := -r3.Dot(n, a), r3.Dot(n, r3.Sub(d, a))
		if o*in > 0 {
			continue
		}
		inside = false
		f := nearestOfFace(a, b, c)
		if m := r3.Norm2(f.x); m < best {
			best, at = m, f
		}
	}
	if inside {
		return geom.Vec{}
	}
	return s.keep(at)
}

func (s *simplex) keep(n near) geom.Vec {
	s.n = n.n
	copy(s.p[:], n.p[:n.n])
	return n.x
}

// near is a point and those whose hull it is in.
type near struct {
	x geom.Vec
	p [3]geom.Vec
	n int
}

func nearestOfEdge(a, b geom.Vec) near {
	d := r3.Sub(b, a)
	k := -r3.Dot(a, d)
	m := r3.Norm2(d)
	switch {
	case k <= 0 || m == 0:
		return near{x: a, p: [3]geom.Vec{a}, n: 1}
	case k >= m:
		return near{x: b, p: [3]geom.Vec{b}, n: 1}
	}
	return near{x: r3.Add(a, r3.Scale(k/m, d)), p: [3]geom.Vec{a, b}, n: 2}
}

func nearestOfFace(a, b, c geom.Vec) near {
	ab, ac := r3.Sub(b, a), r3.Sub(c, a)
	n := r3.Cross(ab, ac)
	// Outside of an edge's plane: the nearest of the edges.
	if r3.Dot(r3.Cross(ab, n), a) < 0 || r3.Dot(r3.Cross(r3.Sub(c, b), n), b) < 0 || r3.Dot(r3.Cross(r3.Sub(a, c), n), c) < 0 || r3.Norm2(n) == 0 {
		best := nearestOfEdge(a, b)
		for _, e := range [2]near{nearestOfEdge(b, c), nearestOfEdge(c, a)} {
			if r3.Norm2(e.x) < r3.Norm2(best.x) {
				best = e
			}
		}
		return best
	}
	return near{x: r3.Scale(r3.Dot(n, a)/r3.Norm2(n), n), p: [3]geom.Vec{a, b, c}, n: 3}
}

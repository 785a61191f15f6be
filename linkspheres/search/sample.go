package search

import (
	"math"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// site is a candidate centre: depth is its depth in the body, negative outside.
type site struct {
	at    geom.Vec
	depth float64
}

// sample is the discretized body.
type sample struct {
	body   *linkspheres.Body
	pieces []linkspheres.Piece // all of the surface
	points []geom.Vec          // to be covered
	inner  []geom.Vec          // of those, the ones inside
	sites  []site
	table  *costs // once it was asked for
}

// depth returns a lower bound of the depth of c in the body.
func depth(b *linkspheres.Body, c geom.Vec) float64 {
	_, hi := b.Distance(c)
	return -hi
}

// density sets the number of points and sites of a sample.
type density struct{ points, sites int }

// newSample cuts the surface into pieces and gathers points and sites.
func newSample(b *linkspheres.Body, d density, surfaceOnly bool, random *rand.Rand) *sample {
	s := &sample{body: b}
	s.cut(d.points)
	s.gather(d.points)
	s.addSites(d.sites, random)
	s.addInside(d.sites, surfaceOnly)
	return s
}

// cut halves pieces until none is much larger than if there were n of equal size.
func (s *sample) cut(n int) {
	todo := s.body.Pieces()
	area := 0.0
	for i := range todo {
		area += todo[i].Area()
	}
	box := s.body.Box()
	size := math.Max(math.Sqrt(2*area/float64(n)), geom.Norm(box.Half())/float64(n))
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.Span() <= 1.4*size {
			s.pieces = append(s.pieces, p)
			continue
		}
		a, b := p.Halves()
		todo = append(todo, b, a)
	}
}

// gather takes corners and middles of pieces for points, one of each cube of a grid
// that is as fine as n allows.
func (s *sample) gather(n int) {
	box := s.body.Box()
	side := 2 * geom.Norm(box.Half()) / math.Sqrt(float64(n))
	if !(side > 0) {
		s.points = append(s.points, box.Min)
		return
	}
	for range 20 {
		s.points = s.points[:0]
		seen := map[[3]int32]bool{}
		for i := range s.pieces {
			c := s.pieces[i].Corners()
			m, _ := s.pieces[i].Middle()
			for _, v := range append(c[:], m) {
				w := geom.Vec{X: v.X - box.Min.X, Y: v.Y - box.Min.Y, Z: v.Z - box.Min.Z}
				key := [3]int32{int32(w.X / side), int32(w.Y / side), int32(w.Z / side)}
				if !seen[key] {
					seen[key] = true
					s.points = append(s.points, v)
				}
			}
		}
		if len(s.points) > n {
			return
		}
		side /= 1.4
	}
}

// addSites puts sites on the medial axis and on the way there: from points of the
// surface inward, as far as a ball through that point stays inside, and parts of it.
func (s *sample) addSites(n int, random *rand.Rand) {
	size := geom.Norm(s.body.Box().Half())
	start := len(s.pieces)
	for _, i := range random.Perm(start)[:min(start, n/3)] {
		p, normal := s.pieces[i].Middle()
		s.site(p)
		if normal == (geom.Vec{}) {
			continue
		}
		for _, sign := range [...]float64{1, -1} {
			in := func(t float64) geom.Vec { return along(p, sign*t, normal) }
			if !s.body.Solid() || depth(s.body, in(1e-5*size)) <= 0 {
				continue
			}
			lo, hi := 1e-5*size, size
			for hi > 1.03*lo { // the largest ball that touches the surface at p
				t := math.Sqrt(lo * hi)
				if depth(s.body, in(t)) >= 0.98*t {
					lo = t
				} else {
					hi = t
				}
			}
			for _, f := range [...]float64{1, 0.6, 0.3} {
				s.site(in(f * lo))
			}
		}
	}
}

func (s *sample) site(c geom.Vec) {
	s.sites = append(s.sites, site{c, depth(s.body, c)})
}

// addInside adds the points of a grid that are inside, as points and as sites.
func (s *sample) addInside(n int, surfaceOnly bool) {
	if !s.body.Solid() {
		return
	}
	box := s.body.Box()
	d := sub(box.Max, box.Min)
	most := math.Max(d.X, math.Max(d.Y, d.Z))
	volume := math.Max(d.X, most/16) * math.Max(d.Y, most/16) * math.Max(d.Z, most/16)
	side := math.Cbrt(volume / float64(n))
	if !(side > 0) {
		return
	}
	count := func(x float64) int { return max(1, int(math.Round(x/side))) }
	nx, ny, nz := count(d.X), count(d.Y), count(d.Z)
	for i := range nx {
		for j := range ny {
			for k := range nz {
				p := geom.Vec{
					X: box.Min.X + d.X*(float64(i)+0.5)/float64(nx),
					Y: box.Min.Y + d.Y*(float64(j)+0.5)/float64(ny),
					Z: box.Min.Z + d.Z*(float64(k)+0.5)/float64(nz),
				}
				if t := depth(s.body, p); t > 0 {
					s.sites = append(s.sites, site{p, t})
					if !surfaceOnly {
						s.points = append(s.points, p)
						s.inner = append(s.inner, p)
					}
				}
			}
		}
	}
}

func sub(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
func along(a geom.Vec, f float64, d geom.Vec) geom.Vec {
	return geom.Vec{X: a.X + f*d.X, Y: a.Y + f*d.Y, Z: a.Z + f*d.Z}
}
func distance(a, b geom.Vec) float64 { return geom.Norm(sub(a, b)) }

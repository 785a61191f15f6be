package place

import (
	"math"
	"sort"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/selfcollision/cover"
)

// spare is the part by which radii exceed what pieces need, for points inside that
// are not exact and for the arithmetic of whoever reads the balls.
const spare = 1e-9

// tighten returns balls about the centres, no larger than the pieces of the surface
// and the points inside ask for. rounds is how often the pieces that decide a radius
// are cut in halves.
func (s *sample) tighten(centers []site, rounds int) []cover.Ball {
	pieces := s.pieces
	balls := make([]cover.Ball, len(centers))
	for i := range centers {
		balls[i].Center = centers[i].at
	}
	for round := range rounds + 1 {
		need := reaches(pieces, s.inner, balls)
		s.cheapestRadii(need, centers, balls)
		shrink(need, centers, balls)
		if round < rounds {
			pieces = refined(pieces, need, balls)
		}
	}
	var out []cover.Ball
	for _, b := range balls {
		if b.Radius > 0 || len(balls) == 1 {
			b.Radius *= 1 + spare
			out = append(out, b)
		}
	}
	return out
}

// reaches returns for each piece, then each point, the radius it needs of each ball.
func reaches(pieces []cover.Piece, points []geom.Vec, balls []cover.Ball) [][]float64 {
	all := make([]float64, (len(pieces)+len(points))*len(balls))
	out := make([][]float64, 0, len(pieces)+len(points))
	row := func() []float64 {
		r := all[:len(balls):len(balls)]
		all = all[len(balls):]
		out = append(out, r)
		return r
	}
	for k := range pieces {
		r := row()
		for i := range balls {
			r[i] = pieces[k].Reach(balls[i].Center)
		}
	}
	for _, p := range points {
		r := row()
		for i := range balls {
			r[i] = distance(p, balls[i].Center) * (1 + 1e-12)
		}
	}
	return out
}

// cheapestRadii gives each piece to the ball that holds it at the least cost.
func (s *sample) cheapestRadii(need [][]float64, centers []site, balls []cover.Ball) {
	for i := range balls {
		balls[i].Radius = 0
	}
	for _, row := range need {
		least, at := math.Inf(1), 0
		for i, r := range row {
			if c := r - centers[i].depth; c < least {
				least, at = c, i
			}
		}
		balls[at].Radius = math.Max(balls[at].Radius, row[at])
	}
}

// shrink lowers each radius, that of the ball that costs most first, to what no other
// ball holds. A ball that nothing needs has radius 0 then. In the end each radius is
// as small as the others allow.
func shrink(need [][]float64, centers []site, balls []cover.Ball) {
	order := make([]int, len(balls))
	for i := range order {
		order[i] = i
	}
	cost := func(i int) float64 { return balls[i].Radius - centers[i].depth }
	sort.SliceStable(order, func(a, b int) bool { return cost(order[a]) > cost(order[b]) })
	held := make([]int, len(need)) // by how many balls
	for k, row := range need {
		for i, r := range row {
			if r <= balls[i].Radius {
				held[k]++
			}
		}
	}
	for _, i := range order {
		was, now := balls[i].Radius, 0.0
		for k, row := range need {
			if row[i] <= was && held[k] == 1 {
				now = math.Max(now, row[i])
			}
		}
		for k, row := range need {
			if row[i] <= was && row[i] > now {
				held[k]--
			}
		}
		balls[i].Radius = now
	}
}

// refined cuts the pieces that decide radii: those that only one ball holds, by no
// more than their size.
func refined(pieces []cover.Piece, need [][]float64, balls []cover.Ball) []cover.Piece {
	var out []cover.Piece
	for k := range pieces {
		p := &pieces[k]
		held, close := 0, false
		span := p.Span()
		for i := range balls {
			if gap := balls[i].Radius - need[k][i]; gap >= 0 {
				held++
				close = close || gap < span
			}
		}
		if held == 1 && close && span > 1e-3*balls[0].Radius {
			a, b := p.Halves()
			out = append(out, a, b)
			continue
		}
		out = append(out, *p)
	}
	return out
}

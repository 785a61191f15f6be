package search

import (
	"math"
	"slices"
	"sort"

	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// spare is the part by which radii exceed what pieces need, for points inside that
// are not exact and for the arithmetic of programs that read the spheres.
const spare = 1e-9

// tighten returns balls about the centres, no larger than the pieces of the surface
// and the points inside ask for. The pieces that decide a radius are cut in halves
// until they are small against it.
func (s *sample) tighten(centers []site) []linkspheres.Ball {
	balls := make([]linkspheres.Ball, len(centers))
	for i := range centers {
		balls[i].Center = centers[i].at
	}
	n := needs{pieces: slices.Clone(s.pieces)}
	for k := range s.pieces {
		n.rows = append(n.rows, reaches(&s.pieces[k], balls))
	}
	for _, p := range s.inner {
		row := make([]float64, len(balls))
		for i := range balls {
			row[i] = distance(p, balls[i].Center) * (1 + 1e-12)
		}
		n.inner = append(n.inner, row)
	}
	for range maxRounds {
		all := slices.Concat(n.rows, n.inner)
		cheapestRadii(all, centers, balls)
		shrink(all, centers, balls)
		if !n.refine(balls) {
			break
		}
	}
	var out []linkspheres.Ball
	for _, b := range balls {
		if b.Radius > 0 || len(balls) == 1 {
			b.Radius *= 1 + spare
			out = append(out, b)
		}
	}
	return out
}

// maxRounds bounds how often pieces are cut: by 2^-10 in both directions.
const maxRounds = 20

// fine is how large, against a ball's radius, the pieces that decide it may be.
const fine = 1e-3

// needs says for each piece, and for each point inside, what radius it needs of each
// ball.
type needs struct {
	pieces      []linkspheres.Piece
	rows, inner [][]float64
}

func reaches(p *linkspheres.Piece, balls []linkspheres.Ball) []float64 {
	row := make([]float64, len(balls))
	for i := range balls {
		row[i] = p.Reach(balls[i].Center)
	}
	return row
}

// cheapestRadii gives each piece to the ball that holds it at the least cost.
func cheapestRadii(need [][]float64, centers []site, balls []linkspheres.Ball) {
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
func shrink(need [][]float64, centers []site, balls []linkspheres.Ball) {
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

// refine cuts the pieces that decide radii, and reports whether there were any.
func (n *needs) refine(balls []linkspheres.Ball) bool {
	count := len(n.pieces)
	for k := range count {
		if !decides(&n.pieces[k], n.rows[k], balls) {
			continue
		}
		a, b := n.pieces[k].Halves()
		n.pieces[k], n.rows[k] = a, reaches(&a, balls)
		n.pieces, n.rows = append(n.pieces, b), append(n.rows, reaches(&b, balls))
	}
	return len(n.pieces) > count && len(n.pieces) < maxPieces
}

// maxPieces bounds how many pieces there may be.
const maxPieces = 400_000

// decides reports that cutting a piece may lower a radius: only one ball holds it, by
// no more than its size, and another holds some of it; or it is round, and its halves
// need less than the whole.
func decides(p *linkspheres.Piece, row []float64, balls []linkspheres.Ball) bool {
	held, of := 0, 0
	for i := range balls {
		if row[i] <= balls[i].Radius {
			held, of = held+1, i
		}
	}
	r, span := balls[of].Radius, p.Span()
	if held != 1 || span < fine*r || r-row[of] > span {
		return false
	}
	for i := range balls {
		if i != of && balls[i].Radius > 0 && row[i]-span <= balls[i].Radius {
			return true
		}
	}
	return !p.Flat() && span > 0.05*r
}

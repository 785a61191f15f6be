package search

import (
	"math"
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// costs holds for each site the cost of covering each point from it.
type costs struct {
	rows   [][]float32
	points int
}

func (s *sample) costs() *costs {
	if s.table != nil {
		return s.table
	}
	c := &costs{rows: make([][]float32, len(s.sites)), points: len(s.points)}
	for i, k := range s.sites {
		row := make([]float32, len(s.points))
		for j, p := range s.points {
			row[j] = float32(distance(p, k.at) - k.depth)
		}
		c.rows[i] = row
	}
	s.table = c
	return c
}

// greedy covers all points from sites at a cost of at most limit each, always choosing the
// site that covers the most remaining points. It returns nil beyond most sites, or if no site
// reaches a point.
func (c *costs) greedy(limit float64, most int) []int {
	words := (c.points + 63) / 64
	sets := make([]uint64, words*len(c.rows))
	for i, row := range c.rows {
		set := sets[i*words : (i+1)*words]
		for j, x := range row {
			if float64(x) <= limit {
				set[j/64] |= 1 << (j % 64)
			}
		}
	}
	left := make([]uint64, words)
	for j := range c.points {
		left[j/64] |= 1 << (j % 64)
	}
	gain := make([]int, len(c.rows)) // at the time of the last count: it only decreases
	for i := range gain {
		gain[i] = c.points
	}
	var chosen []int
	for remaining := c.points; remaining > 0; {
		if len(chosen) == most {
			return nil
		}
		best, at := 0, -1
		for i := range gain {
			if gain[i] <= best {
				continue
			}
			n := 0
			for w, x := range sets[i*words : (i+1)*words] {
				n += bits.OnesCount64(x & left[w])
			}
			gain[i] = n
			if n > best {
				best, at = n, i
			}
		}
		if at < 0 {
			return nil
		}
		chosen = append(chosen, at)
		for w, x := range sets[at*words : (at+1)*words] {
			left[w] &^= x
		}
		remaining -= best
	}
	return chosen
}

// cheapest returns the sites of the cheapest greedy cover by at most n, by bisection.
func (c *costs) cheapest(n int) (chosen []int, limit float64) {
	hi := math.Inf(1)
	for i, row := range c.rows { // one site for all
		worst := float64(row[0])
		for _, x := range row {
			worst = math.Max(worst, float64(x))
		}
		if worst < hi {
			hi, chosen = worst, []int{i}
		}
	}
	lo := 0.0
	for range 14 {
		if n == 1 || hi-lo < 0.01*hi {
			break
		}
		mid := (lo + hi) / 2
		if found := c.greedy(mid, n); found != nil {
			chosen, hi = found, mid
		} else {
			lo = mid
		}
	}
	return chosen, hi
}

// medial chooses centres for n balls.
func (s *sample) medial(n int) []site {
	chosen, _ := s.costs().cheapest(n)
	centers := make([]site, 0, n)
	for _, i := range chosen {
		centers = append(centers, s.sites[i])
	}
	return s.improve(s.polish(s.fill(centers, n)))
}

// fill adds centres up to n, each at the point with the largest cost.
func (s *sample) fill(centers []site, n int) []site {
	for len(centers) < min(n, len(s.points)) {
		_, _, worst := s.assign(centers)
		centers = append(centers, s.cheapestSite(s.points[worst]))
	}
	return centers
}

// cheapestSite returns the site that covers a point at the least cost.
func (s *sample) cheapestSite(p geom.Vec) site {
	best, cost := site{p, depth(s.body, p)}, math.Inf(1)
	for _, k := range s.sites {
		if d := distance(p, k.at) - k.depth; d < cost && k.depth > 0 {
			best, cost = k, d
		}
	}
	return best
}

// assign gives each point to the centre that covers it at the least cost, and returns the
// largest cost and its centre.
func (s *sample) assign(centers []site) (of []int, most float64, worst int) {
	of = make([]int, len(s.points))
	most = math.Inf(-1)
	for j, p := range s.points {
		least := math.Inf(1)
		for i := range centers {
			if c := distance(p, centers[i].at) - centers[i].depth; c < least {
				least, of[j] = c, i
			}
		}
		if least > most {
			most, worst = least, j
		}
	}
	return of, most, worst
}

// polish moves centres in rounds as long as the largest cost falls.
func (s *sample) polish(centers []site) []site {
	best, last := append([]site(nil), centers...), math.Inf(1)
	stale := 0
	for range 40 {
		of, most, _ := s.assign(centers)
		if most < last*(1-1e-3) {
			stale = 0
		} else if stale++; stale > 3 {
			break
		}
		if most < last {
			last = most
			copy(best, centers)
		}
		groups := make([][]geom.Vec, len(centers))
		for j, i := range of {
			groups[i] = append(groups[i], s.points[j])
		}
		centers = append([]site(nil), centers...)
		for i := range centers {
			if len(groups[i]) > 0 {
				centers[i] = s.settle(centers[i], groups[i])
			}
		}
	}
	return best
}

// settle moves a centre to a nearby position where the largest cost of its points is least: it
// steps along the axes and towards the farthest point as long as that helps, then takes
// smaller steps.
func (s *sample) settle(c site, group []geom.Vec) site {
	reach := func(at geom.Vec) (float64, int) {
		far, k := -1.0, 0
		for j := range group {
			d := sub(group[j], at)
			if x := d.X*d.X + d.Y*d.Y + d.Z*d.Z; x > far {
				far, k = x, j
			}
		}
		return math.Sqrt(far), k
	}
	r, far := reach(c.at)
	cost := r - c.depth
	try := func(at geom.Vec) bool {
		radius, k := reach(at)
		if radius-s.bestDepth() >= cost {
			return false
		}
		d := depth(s.body, at)
		if radius-d >= cost {
			return false
		}
		c, cost, far = site{at, d}, radius-d, k
		return true
	}
	for step := 0.2 * r; step > 2e-3*r; step /= 2 {
		for range 4 {
			moved := false
			to := sub(group[far], c.at)
			if l := geom.Norm(to); l > 0 {
				moved = try(along(c.at, step/l, to))
			}
			for _, d := range axes {
				moved = try(along(c.at, step, d)) || moved
			}
			if !moved {
				break
			}
		}
	}
	return c
}

// bestDepth bounds how deep any centre can be.
func (s *sample) bestDepth() float64 {
	h := s.body.Box().Half()
	return math.Min(h.X, math.Min(h.Y, h.Z)) * (1 + 1e-9)
}

var axes = [...]geom.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}

package search

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// improve lowers the largest cost below the result of polish, whose rounds assign each point
// to one centre for good, although a centre need only cover points that no other covers. So it
// sets a slightly lower limit; moves each centre in turn to minimize the cost of the points
// that only it covers at that limit, and of those that none covers and it is nearest to; and
// moves a centre without such points to the worst point. If no point is left, it lowers the
// limit again.
func (s *sample) improve(centers []site) []site {
	w := &workshop{sample: s, centers: append([]site(nil), centers...), best: centers}
	w.rows = make([][]float64, len(centers))
	for i := range centers {
		w.rows[i] = make([]float64, len(s.points))
		w.update(i)
	}
	most := w.worst()
	for aim := 0.93; aim < 0.995 && most > 0; {
		if w.reach(aim * most) {
			most = w.worst()
			w.best = append([]site(nil), w.centers...)
			continue
		}
		aim = (1 + aim) / 2
		copy(w.centers, w.best)
		for i := range w.centers {
			w.update(i)
		}
	}
	return w.best
}

// workshop is the state of moving centres.
type workshop struct {
	*sample
	centers, best []site
	rows          [][]float64 // the cost of each point from each centre
}

func (w *workshop) update(i int) {
	c := &w.centers[i]
	for j, p := range w.points {
		w.rows[i][j] = distance(p, c.at) - c.depth
	}
}

// least returns the least cost of a point and its centre, and how many centres cover it at a
// cost of limit.
func (w *workshop) least(j int, limit float64) (cost float64, at, covered int) {
	cost = math.Inf(1)
	for i := range w.rows {
		x := w.rows[i][j]
		if x <= limit {
			covered++
		}
		if x < cost {
			cost, at = x, i
		}
	}
	return cost, at, covered
}

func (w *workshop) worst() float64 {
	most := math.Inf(-1)
	for j := range w.points {
		cost, _, _ := w.least(j, 0)
		most = math.Max(most, cost)
	}
	return most
}

// reach tries to bring all costs to limit, in rounds, as long as these make progress.
func (w *workshop) reach(limit float64) bool {
	least, stale := w.left(limit), 0
	for range 40 {
		if least == 0 {
			return true
		}
		for i := range w.centers {
			w.move(i, limit)
		}
		if n := w.left(limit); n < least {
			least, stale = n, 0
		} else if stale++; stale > 5 {
			return false
		}
	}
	return false
}

// left counts the points that cost more than limit.
func (w *workshop) left(limit float64) (n int) {
	for j := range w.points {
		if cost, _, _ := w.least(j, limit); cost > limit {
			n++
		}
	}
	return n
}

// move moves one centre.
func (w *workshop) move(i int, limit float64) {
	var group []geom.Vec
	most, far := limit, -1
	for j, p := range w.points {
		cost, at, covered := w.least(j, limit)
		if covered == 0 && cost > most {
			most, far = cost, j
		}
		if covered == 1 && w.rows[i][j] <= limit || covered == 0 && at == i {
			group = append(group, p)
		}
	}
	switch {
	case len(group) > 0:
		w.centers[i] = w.settle(w.centers[i], group)
	case far >= 0:
		w.centers[i] = w.cheapestSite(w.points[far])
	default:
		return
	}
	w.update(i)
}

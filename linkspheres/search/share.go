package search

import (
	"context"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// Share distributes total balls among the bodies to minimize the largest excess: each body
// gets one, and then repeatedly the body with the largest cost gets enough for its next step,
// by the costs of greedy covers. It returns the number of balls per body; the sum is at most
// total. tell, if not nil, is called after each body with the number of bodies done.
func Share(ctx context.Context, bodies []*linkspheres.Body, total int, o Options, tell func(done int)) ([]int, error) {
	if total < len(bodies) {
		return nil, fmt.Errorf("%d spheres for %d links: give at least one per link", total, len(bodies))
	}
	steps := make([][]step, len(bodies))
	for i, b := range bodies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := newSample(b, density{points: 1500, sites: 900}, o.SurfaceOnly, randomOf(o.Seed))
		steps[i] = s.costs().steps(min(total-len(bodies)+1, MaxBalls))
		if tell != nil {
			tell(i + 1)
		}
	}
	counts := make([]int, len(bodies))
	at := make([]int, len(bodies))
	for i := range bodies {
		counts[i] = 1
		total--
	}
	for {
		worst := -1
		for i := range bodies {
			if at[i]+1 < len(steps[i]) && steps[i][at[i]+1].balls-counts[i] <= total && (worst < 0 || steps[i][at[i]].cost > steps[worst][at[worst]].cost) {
				worst = i
			}
		}
		if worst < 0 {
			return counts, nil
		}
		at[worst]++
		total -= steps[worst][at[worst]].balls - counts[worst]
		counts[worst] = steps[worst][at[worst]].balls
	}
}

// step says that so many balls cover all at that cost.
type step struct {
	balls int
	cost  float64
}

// steps returns what more and more balls cost, from one to most: ever less.
func (c *costs) steps(most int) []step {
	_, cost := c.cheapest(1)
	out := []step{{1, cost}}
	for cost > 0 {
		cost *= 0.85
		found := c.greedy(cost, most)
		if found == nil || cost < 1e-12 {
			break
		}
		if n := len(found); n > out[len(out)-1].balls {
			out = append(out, step{n, cost})
		} else {
			out[len(out)-1].cost = cost
		}
	}
	return out
}

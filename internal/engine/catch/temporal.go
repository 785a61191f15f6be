package catch

import (
	"cmp"
	"slices"
)

// ZRLK07, section 7.1 and Algorithm 1: pairs are advanced in the order of the lower
// bounds of their times of contact, and none farther than the earliest contact known.
//
// Departures. A question of yes or no ends with the first witness, as section 8.1 (3)
// has it for planners. And a pair whose lower bound equals the time of the earliest
// contact is dropped as well: it cannot touch before.

// advanceAll advances the potentially colliding links.
func (w *Worker) advanceAll() {
	if !w.Options.NoSorting {
		slices.SortFunc(w.pcls, func(a, b pcl) int {
			return cmp.Or(cmp.Compare(a.lower, b.lower), cmp.Compare(a.pair, b.pair))
		})
	}
	for i := range w.pcls {
		p := &w.pcls[i]
		if p.lower >= 1 {
			continue // by its hulls
		}
		until := 1.0
		if w.hit && !w.Options.NoTemporalCulling {
			until = w.touch.time
		}
		if p.lower >= until {
			w.stats.CulledByTime++
			continue
		}
		w.stats.Advanced++
		switch w.advance(p, until) {
		case gaveUp:
			return
		case touched:
			if w.anyTouch {
				return
			}
		case cleared:
			if until < 1 {
				w.stats.CulledByTime++
			}
		}
	}
}

// proven is the time up to which every pair is apart.
func (w *Worker) proven() float64 {
	until := 1.0
	for i := range w.pcls {
		until = min(until, w.pcls[i].lower)
	}
	return until
}

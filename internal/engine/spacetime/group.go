package spacetime

import "github.com/firstcontact-ros/firstcontact/internal/engine/model"

// Groups: elements that move together are tried as one, and each for itself only
// where that fails. Pairs of groups are counted after the model's pairs.

// isGroup reports whether a pair is one of groups.
func (w *Worker) isGroup(pair int32) bool { return int(pair) >= len(w.m.Pairs) }

// pairOf returns a pair of elements or of groups.
func (w *Worker) pairOf(pair int32) *model.Pair {
	if n := len(w.m.Pairs); int(pair) >= n {
		return &w.m.GroupPairs[int(pair)-n]
	}
	return &w.m.Pairs[pair]
}

// selectGroups notes the entries that every piece of a motion starts with, by
// groups: startFronts says the same of each element.
func (w *Worker) selectGroups(self, world bool) {
	w.startGroups = w.startGroups[:0]
	if self {
		for i := range w.m.GroupPairs {
			w.startGroups = append(w.startGroups, entry{int32(len(w.m.Pairs) + i), whole, whole})
		}
		for _, i := range w.m.Single {
			w.startGroups = append(w.startGroups, entry{i, whole, whole})
		}
	}
	if !world {
		return
	}
	for i, group := range w.m.GroupOf {
		if w.m.Against[i] != nil && int(group) == i {
			w.startGroups = append(w.startGroups, entry{^group, whole, 0})
		}
	}
	for g := w.m.Real; g < len(w.m.Elements); g++ {
		for _, i := range w.m.Elements[g].Members {
			if w.m.Against[i] != nil {
				w.startGroups = append(w.startGroups, entry{^int32(g), whole, 0})
				break
			}
		}
	}
}

// openPair appends the pairs of a pair of groups.
func (w *Worker) openPair(pair int32) {
	for _, i := range w.m.PairsOf[int(pair)-len(w.m.Pairs)] {
		w.arena = append(w.arena, entry{i, whole, whole})
	}
}

// openAgainst appends a group's members with the same part of the world.
func (w *Worker) openAgainst(group int, b int32) {
	for _, i := range w.m.Elements[group].Members {
		if w.m.Against[i] != nil {
			w.arena = append(w.arena, entry{^i, whole, b})
		}
	}
}

// waits reports whether a group that has a gap is to wait for a shorter interval
// rather than to be opened: it moves much for its size.
func waits(gap, far, size float64) bool { return gap > 0 && far > size/2 }

package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// Groups: elements that move together are tried as one, and individually only if that fails.
// Pairs of groups are numbered after the model's pairs.

// selectGroups selects the initial entries of every piece of a motion, by groups; starts holds
// the same for each element.
func (w *Worker) selectGroups(self, world bool) {
	w.startGroups = w.startGroups[:0]
	if self {
		for i := range w.m.GroupPairs {
			w.startGroups = append(w.startGroups, entry{int32(len(w.m.Pairs) + i), volume.Whole, volume.Whole})
		}
		for _, i := range w.m.Single {
			w.startGroups = append(w.startGroups, entry{i, volume.Whole, volume.Whole})
		}
	}
	if !world {
		return
	}
	for i, group := range w.m.GroupOf {
		if w.m.Against[i] != nil && int(group) == i {
			w.startGroups = append(w.startGroups, entry{^group, volume.Whole, 0})
		}
	}
	for g := w.m.Real; g < len(w.m.Elements); g++ {
		for _, i := range w.m.Elements[g].Members {
			if w.m.Against[i] != nil {
				w.startGroups = append(w.startGroups, entry{^int32(g), volume.Whole, 0})
				break
			}
		}
	}
}

// openPair appends the pairs of a pair of groups.
func (w *Worker) openPair(pair int32) {
	for _, i := range w.m.PairsOf[int(pair)-len(w.m.Pairs)] {
		w.arena = append(w.arena, entry{i, volume.Whole, volume.Whole})
	}
}

// openAgainst appends a group's members with the same part of the world.
func (w *Worker) openAgainst(group int, b int32) {
	for _, i := range w.m.Elements[group].Members {
		if w.m.Against[i] != nil {
			w.arena = append(w.arena, entry{^i, volume.Whole, b})
		}
	}
}

package spacetime

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/region"
)

// What is known of pairs in regions of joint space, whatever the motion and the world.

// table returns the table of a pair, nil where none is kept.
func (w *Worker) table(pair int32) *region.Table {
	r := &w.regions
	if r.of == nil {
		n := len(w.m.Pairs) + len(w.m.GroupPairs)
		r.of, r.known = make([]*region.Table, n), make([]bool, n)
	}
	if !r.known[pair] {
		r.known[pair] = true
		r.of[pair] = w.makeTable(pair)
	}
	return r.of[pair]
}

func (w *Worker) makeTable(pair int32) *region.Table {
	if !w.at.IsGroup(pair) {
		return region.Of(w.m, &w.m.Pairs[pair])
	}
	group := int(pair) - len(w.m.Pairs)
	var members []*region.Table
	for _, i := range w.m.PairsOf[group] {
		members = append(members, w.table(i))
	}
	return region.OfGroups(w.m, group, members)
}

// inRegions returns those of some steps in which a pair is proved apart by the regions of joint space that they lead through: by
// those of all of them together, then by those of each. A search for the smallest distance gives up a table once a piece, where it
// proves nothing: there it is mostly the pair that comes closest. The distance over time asks for more than tables tell.
func (s *search) inRegions(pair int32, steps uint8) (parted uint8) {
	w := s.w
	memory := w.pair(pair)
	if steps == 0 || s.atTimes != nil || memory.offTable == w.piece+1 {
		return 0
	}
	t := w.table(pair)
	if t == nil {
		return 0
	}
	var all region.Box
	for i := range t.Variables() {
		all[i][0], all[i][1] = w.stepped.lanes.Range(t.Variable(i), steps)
	}
	if t.Apart(&w.regions.scratch, &all, w.clearance) {
		return steps
	}
	for i := range t.Variables() {
		w.stepped.lanes.Ranges(t.Variable(i), &w.regions.ranges[i])
	}
	for rest := steps; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros8(rest)
		var box region.Box
		for i := range t.Variables() {
			box[i] = w.regions.ranges[i][k]
		}
		if t.Apart(&w.regions.scratch, &box, w.clearance) {
			parted |= 1 << k
		}
	}
	if parted == 0 && s.closest != nil {
		memory.offTable = w.piece + 1
	}
	return parted
}

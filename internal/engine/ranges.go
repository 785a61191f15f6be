package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Ranges are the distance ranges of a query, for each pair of a model. A Max of 0 means no
// limit.
type Ranges struct {
	q   *motion.DistanceRanges
	own map[[2]int]motion.DistanceRange // by bodies
	has []bool                          // per body: own has a pair of it
}

// RangesOf returns the ranges of a model's pairs. Invalid ranges, a range for a missing body,
// and two ranges for one pair are errors.
func RangesOf(m *model.Model, q *motion.DistanceRanges) (Ranges, error) {
	r := Ranges{q: q}
	if err := q.Validate(); err != nil || len(q.Ranges) == 0 {
		return r, err
	}
	r.own, r.has = make(map[[2]int]motion.DistanceRange, len(q.Ranges)), make([]bool, len(m.Bodies))
	index := map[string]int{}
	for i := range m.Bodies {
		index[m.Bodies[i].Name] = i
	}
	for _, p := range q.Ranges {
		var key [2]int
		for k, name := range [2]string{p.A, p.B} {
			i, ok := index[name]
			if !ok {
				return r, fmt.Errorf("a range is given for the pair %s and %s, but no body is named %s%s", p.A, p.B, name, spelling.Hint(name, slices.Sorted(maps.Keys(index))))
			}
			key[k] = i
		}
		if key[0] > key[1] {
			key[0], key[1] = key[1], key[0]
		}
		if _, twice := r.own[key]; twice || key[0] == key[1] {
			return r, fmt.Errorf("the pair %s and %s: give two bodies, and one range for them", p.A, p.B)
		}
		r.own[key], r.has[key[0]], r.has[key[1]] = p.DistanceRange, true, true
	}
	return r, nil
}

// Of returns the range of a pair of the model.
func (r *Ranges) Of(m *model.Model, p *model.Pair) motion.DistanceRange {
	return r.OfBodies(m.Elements[p.A].Body, m.Elements[p.B].Body, p.World, Attached(m, p))
}

// OfBodies returns the range of a pair of bodies: whether one belongs to the world and one is an
// attached object is given.
func (r *Ranges) OfBodies(a, b int, world, attached bool) motion.DistanceRange {
	if r.own != nil && r.has[a] && r.has[b] {
		if own, ok := r.own[[2]int{min(a, b), max(a, b)}]; ok {
			return own
		}
	}
	return r.q.OfClass(world, attached)
}

// Attached reports whether one of a pair's bodies is an attached object.
func Attached(m *model.Model, p *model.Pair) bool {
	return m.Bodies[m.Elements[p.A].Body].Kind == motion.AttachedObject || m.Bodies[m.Elements[p.B].Body].Kind == motion.AttachedObject
}

// SameRanges reports whether two questions give every pair of a model the same range.
func SameRanges(a, b *motion.DistanceRanges) bool {
	same := func(a, b *motion.DistanceRange) bool { return a == b || a != nil && b != nil && *a == *b }
	return a.Min == b.Min && a.Max == b.Max && same(a.SelfRange, b.SelfRange) && same(a.WorldRange, b.WorldRange) &&
		same(a.AttachedRange, b.AttachedRange) && slices.Equal(a.Ranges, b.Ranges)
}

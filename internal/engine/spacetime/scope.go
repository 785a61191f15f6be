package spacetime

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// DistanceQuery asks how close a configuration is. The zero value asks for the
// closest pair, self and world.
type DistanceQuery struct {
	K         int     // closest pairs of bodies wanted; 0 means 1, negative all
	Tolerance float64 // m: bounds may be this far apart; 0 means to rounding (DistanceRounding)
	Relative  float64 // and this part of the distance besides, in [0, 1)

	// The distance range interval: the first pair found closer than Min (m) ends the
	// query, see Distances.Stopped; pairs farther apart than Max are left out, 0 for no
	// limit. Those of a class of pairs may have a range of their own, of which the
	// attached objects' comes first, and so may a pair, which comes before all.
	Min, Max                             float64
	SelfRange, WorldRange, AttachedRange *Range
	Ranges                               []PairRange

	NoSelf, NoWorld bool
	OnlyAttached    bool // leave out pairs of which neither body is an attached object
	// Group, an SRDF group of the robot, leaves out all pairs of which neither body is
	// one of its links or hangs on one.
	Group string
}

// Clone returns a copy that shares nothing with q.
func (q DistanceQuery) Clone() DistanceQuery {
	for _, r := range []**Range{&q.SelfRange, &q.WorldRange, &q.AttachedRange} {
		if *r != nil {
			own := **r
			*r = &own
		}
	}
	q.Ranges = slices.Clone(q.Ranges)
	return q
}

// Range is a distance range interval (m); Max 0 means no limit.
type Range struct{ Min, Max float64 }

// PairRange is the range of one pair of bodies (links or objects, by name).
type PairRange struct {
	A, B string
	Range
}

func (r Range) valid() bool {
	return r.Min >= 0 && r.Min <= geom.MaxLength && r.Max >= 0 && (r.Max == 0 || r.Min <= r.Max)
}

func (q *DistanceQuery) validate() error {
	if !(q.Tolerance >= 0 && q.Tolerance <= geom.MaxLength && q.Relative >= 0 && q.Relative < 1) {
		return fmt.Errorf("a distance query with tolerance %g m and %g of the distance: give zero to %g m, and less than 1 of the distance", q.Tolerance, q.Relative, float64(geom.MaxLength))
	}
	all := Range{q.Min, q.Max}
	for _, r := range []*Range{&all, q.SelfRange, q.WorldRange, q.AttachedRange} {
		if r != nil && !r.valid() {
			return fmt.Errorf("a distance query with range %g m to %g m: give zero to %g m, and no less at the end (0 there: no limit)", r.Min, r.Max, float64(geom.MaxLength))
		}
	}
	for i := range q.Ranges {
		if r := &q.Ranges[i]; !r.valid() {
			return fmt.Errorf("the pair %s and %s has range %g m to %g m: give zero to %g m, and no less at the end (0 there: no limit)", r.A, r.B, r.Min, r.Max, float64(geom.MaxLength))
		}
	}
	return nil
}

// Scope is a distance query made ready for a model: which pairs it is about and the
// range of each. It is immutable and may be shared.
type Scope struct {
	q     DistanceQuery
	slots int
	// of are the pairs in the model's order, with a slot of -1 for those left out;
	// pairs of elements of the same two bodies share a slot.
	of []scoped
	// Pairs that are looked at one by one, and elements for which the world's tree is
	// searched.
	single  []int32
	against []int32
	far     float64 // the largest Max of any pair in the tree
}

// scoped is a pair of elements in a scope.
type scoped struct {
	slot            int32
	world, attached bool
	min, max        float64
}

// NewScope makes a query ready; links tells which of the robot's links Group is (nil:
// there is no group). It fails on a query that makes no sense and on ranges for
// pairs of bodies of which one is not there.
func NewScope(m *model.Model, q DistanceQuery, links []bool) (*Scope, error) {
	if err := q.validate(); err != nil {
		return nil, err
	}
	ranges, err := pairRanges(m, q.Ranges)
	if err != nil {
		return nil, err
	}
	s := &Scope{q: q, of: make([]scoped, len(m.Pairs))}
	slots := map[[2]int]int32{}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		key := [2]int{m.Elements[p.A].Body, m.Elements[p.B].Body}
		a, b := &m.Bodies[key[0]], &m.Bodies[key[1]]
		s.of[i].slot = -1
		if p.World && q.NoWorld || !p.World && q.NoSelf || links != nil && !inGroup(a, links) && !inGroup(b, links) {
			continue
		}
		attached := a.Kind == motion.AttachedObject || b.Kind == motion.AttachedObject
		if q.OnlyAttached && !attached {
			continue
		}
		slot, seen := slots[key]
		if !seen {
			slot = int32(len(slots))
			slots[key] = slot
		}
		r := q.rangeOf(p.World, attached)
		if own, ok := ranges[key]; ok {
			r = own
		}
		if r.Max == 0 {
			r.Max = math.Inf(1)
		}
		s.of[i] = scoped{slot: slot, world: p.World, attached: attached, min: r.Min, max: r.Max}
	}
	s.slots = len(slots)
	s.share(m)
	return s, nil
}

// share decides which pairs are looked at one by one. The world's tree finds the
// closest pairs without looking at each; where nearly all are wanted, it does not.
func (s *Scope) share(m *model.Model) {
	world := map[int32]bool{}
	for i := range s.of {
		if s.of[i].slot >= 0 && s.of[i].world {
			world[s.of[i].slot] = true
		}
	}
	tree := s.q.K >= 0 && s.q.K < len(world)
	last := -1
	for i := range m.Pairs {
		p, of := &m.Pairs[i], &s.of[i]
		if of.slot < 0 {
			continue
		}
		robot := p.A
		if m.Elements[robot].Frame == 0 && m.Against[robot] == nil {
			robot = p.B
		}
		if !of.world || !tree || engine.IsPoints(&m.Elements[robot]) {
			s.single = append(s.single, int32(i))
			continue
		}
		s.far = max(s.far, of.max)
		if robot != last && !contains(s.against, int32(robot)) {
			s.against, last = append(s.against, int32(robot)), robot
		}
	}
}

func contains(list []int32, x int32) bool {
	for _, y := range list {
		if y == x {
			return true
		}
	}
	return false
}

// inGroup reports whether a body is a link of the group or hangs on one.
func inGroup(b *model.Body, links []bool) bool { return b.Link >= 0 && links[b.Link] }

func (q *DistanceQuery) rangeOf(world, attached bool) Range {
	switch {
	case attached && q.AttachedRange != nil:
		return *q.AttachedRange
	case world && q.WorldRange != nil:
		return *q.WorldRange
	case !world && q.SelfRange != nil:
		return *q.SelfRange
	}
	return Range{q.Min, q.Max}
}

// pairRanges finds the bodies of each pair's range.
func pairRanges(m *model.Model, ranges []PairRange) (map[[2]int]Range, error) {
	out := map[[2]int]Range{}
	index := map[string]int{}
	for i := range m.Bodies {
		index[m.Bodies[i].Name] = i
	}
	for _, r := range ranges {
		var key [2]int
		for k, name := range [2]string{r.A, r.B} {
			i, ok := index[name]
			if !ok {
				return nil, fmt.Errorf("a range is given for the pair %s and %s, but nothing that collides is named %s", r.A, r.B, name)
			}
			key[k] = i
		}
		if key[0] > key[1] {
			key[0], key[1] = key[1], key[0]
		}
		if _, twice := out[key]; twice || key[0] == key[1] {
			return nil, fmt.Errorf("the pair %s and %s: give two bodies, and one range for them", r.A, r.B)
		}
		out[key] = r.Range
	}
	return out, nil
}

package distance

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Scope is a distance query made ready for a model: which pairs it is about and the
// range of each. It is immutable and may be shared.
type Scope struct {
	q     motion.DistanceQuery
	slots int
	// of are the pairs in the model's order, with a slot of -1 for those left out;
	// pairs of elements of the same two bodies share a slot.
	of []scoped
	// Pairs that are looked at one by one, and elements for which the world's tree is
	// searched.
	single  []int32
	against []int32
	far     float64 // the largest Max of any pair in the tree
	least   float64 // and the largest Min
	// onlyClosest tells that the closest points are all that is wanted: no class
	// matters, nor what is closer by less than the tolerance, nor whether something of
	// the world encloses a link, which the caller proves itself.
	onlyClosest bool

	// Where own decides which of the robot's own pairs are looked at: the others of
	// single, and the largest Max and Min of those pairs.
	own            Own
	rest           []int32
	farOwn, minOwn float64
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
func NewScope(m *model.Model, q motion.DistanceQuery, links []bool) (*Scope, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	ranges, err := engine.RangesOf(m, &q.DistanceRanges)
	if err != nil {
		return nil, err
	}
	s := &Scope{q: q, of: make([]scoped, len(m.Pairs))}
	slots := make(slotTable, len(m.Bodies))
	body := make([]int, len(m.Elements)) // elements are large, and there may be many pairs
	for i := range m.Elements {
		body[i] = m.Elements[i].Body
	}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		key := [2]int{body[p.A], body[p.B]}
		a, b := &m.Bodies[key[0]], &m.Bodies[key[1]]
		s.of[i].slot = -1
		if p.World && q.NoWorld || !p.World && q.NoSelf || links != nil && !inGroup(a, links) && !inGroup(b, links) {
			continue
		}
		attached := a.Kind == motion.AttachedObject || b.Kind == motion.AttachedObject
		if q.OnlyAttached && !attached {
			continue
		}
		slot := slots.at(key)
		if *slot == 0 {
			s.slots++
			*slot = int32(s.slots) // the number, plus one
		}
		r := ranges.OfBodies(key[0], key[1], p.World, attached)
		if r.Max == 0 {
			r.Max = math.Inf(1)
		}
		s.of[i] = scoped{slot: *slot - 1, world: p.World, attached: attached, min: r.Min, max: r.Max}
	}
	s.share(m)
	return s, nil
}

// slotTable has a place for every two bodies, made on demand.
type slotTable [][]int32

func (t slotTable) at(bodies [2]int) *int32 {
	row := t[bodies[0]]
	if row == nil {
		row = make([]int32, len(t))
		t[bodies[0]] = row
	}
	return &row[bodies[1]]
}

// share decides which pairs are looked at one by one. The world's tree finds the
// closest pairs without looking at each; where nearly all are wanted, it does not.
func (s *Scope) share(m *model.Model) {
	seen, world := make([]bool, s.slots), 0
	for i := range s.of {
		if slot := s.of[i].slot; slot >= 0 && s.of[i].world && !seen[slot] {
			seen[slot] = true
			world++
		}
	}
	tree := s.q.K >= 0 && s.q.K < world
	last := -1
	for i := range m.Pairs {
		p, of := &m.Pairs[i], &s.of[i]
		if of.slot < 0 {
			continue
		}
		robot := robotSide(m, p)
		if !of.world || !tree || engine.IsPoints(&m.Elements[robot]) {
			s.single = append(s.single, int32(i))
			continue
		}
		s.far, s.least = max(s.far, of.max), max(s.least, of.min)
		if robot != last && !contains(s.against, int32(robot)) {
			s.against, last = append(s.against, int32(robot)), robot
		}
	}
}

// robotSide returns the element of a pair that moves against the world.
func robotSide(m *model.Model, p *model.Pair) int {
	if m.Against[p.A] == nil && m.Elements[p.A].Frame == 0 {
		return p.B
	}
	return p.A
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

// OwnPairs returns the pairs that SetOwn may leave to another: of links with each other, in
// the scope. Attached objects are not among them.
func (s *Scope) OwnPairs() []int32 {
	var out []int32
	for _, i := range s.single {
		if of := &s.of[i]; !of.world && !of.attached {
			out = append(out, i)
		}
	}
	return out
}

// SetOwn makes own decide which of OwnPairs are looked at. It must know all of them. It is
// called before the scope is used.
func (s *Scope) SetOwn(own Own) {
	s.own, s.rest, s.farOwn, s.minOwn = own, nil, 0, 0
	for _, i := range s.single {
		of := &s.of[i]
		if of.world || of.attached {
			s.rest = append(s.rest, i)
			continue
		}
		s.farOwn, s.minOwn = max(s.farOwn, of.max), max(s.minOwn, of.min)
	}
}

package model

import (
	"encoding/binary"
	"sync"
)

// derived caches what engines compute from a shape, once for all models that share the shape:
// the robot's links stay the same however often the world changes.
type derived struct {
	mu   sync.Mutex
	made map[any]*once
	few  int // of those that ofFew keeps
}

type once struct {
	make sync.Once
	made any
}

// Derived returns the result of build for the shape: the same for the same key, computed on
// first use and kept as long as the shape. Keys have their own types, like those of a context.
// The result is shared and immutable; it must depend on the shape, in its frame, and on
// nothing else.
func (l *Leaves) Derived(key any, build func() any) any { return l.derived.of(key, build) }

// OfElement returns the result of build for an element: computed once, if it belongs to the robot's links or is a group of these, for the
// models of the robot in all worlds, in which the links have the same padding. Keys have their own types. The result is shared and
// immutable; it must depend on the element and on the tree, and on nothing else.
func (m *Model) OfElement(element int, key any, build func() any) any {
	if !m.ofRobot(element) {
		return build()
	}
	return m.robot.of(keyed{key, m.carried(element)}, build)
}

// OfPair is OfElement for a pair of elements.
func (m *Model) OfPair(q *Pair, build func() any) any {
	if !m.areRobots(q) {
		return build()
	}
	return m.robot.of([2]carried{m.carried(q.A), m.carried(q.B)}, build)
}

// OfGroupPair is OfPair for one of GroupPairs, for the models in which the same pairs of its members are checked.
func (m *Model) OfGroupPair(group int, build func() any) any {
	q := &m.GroupPairs[group]
	if !m.areRobots(q) {
		return build()
	}
	var checked []byte
	for _, i := range m.PairsOf[group] {
		checked = binary.NativeEndian.AppendUint32(checked, uint32(m.Pairs[i].A))
		checked = binary.NativeEndian.AppendUint32(checked, uint32(m.Pairs[i].B))
	}
	return m.robot.ofFew(carriedPairs{[2]carried{m.carried(q.A), m.carried(q.B)}, string(checked)}, mostGroupPairs, build)
}

// mostGroupPairs is of how many pairs of groups what is derived is kept, with the pairs that are checked: those of many allowed
// collision matrices, but not of any number of them.
const mostGroupPairs = 512

// ofRobot reports whether an element belongs to the robot's links or is a group of these: then all models of the robot have it, and a
// group's members have the same indices there.
func (m *Model) ofRobot(element int) bool {
	if element < m.Real {
		return int32(element) < m.First
	}
	for _, i := range m.Elements[element].Members {
		if i >= m.First {
			return false
		}
	}
	return true
}

func (m *Model) areRobots(q *Pair) bool { return m.ofRobot(q.A) && m.ofRobot(q.B) }

// carried identifies an element and what carries it: no frame carries two groups.
type carried struct {
	likeness
	frame int
}

type keyed struct {
	key any
	of  carried
}

type carriedPairs struct {
	groups  [2]carried
	checked string // the pairs of members, by their elements' indices
}

func (m *Model) carried(element int) carried {
	e := &m.Elements[element]
	return carried{e.likeness(), e.Frame}
}

func (d *derived) of(key any, build func() any) any {
	d.mu.Lock()
	if d.made == nil {
		d.made = map[any]*once{}
	}
	o := d.made[key]
	if o == nil {
		o = &once{}
		d.made[key] = o
	}
	d.mu.Unlock()
	o.make.Do(func() { o.made = build() })
	return o.made
}

// ofFew is of for keys of which any number may come: once most are kept, what belongs to others is made each time.
func (d *derived) ofFew(key any, most int, build func() any) any {
	d.mu.Lock()
	kept := d.made[key] != nil
	if !kept && d.few < most {
		d.few, kept = d.few+1, true
	}
	d.mu.Unlock()
	if !kept {
		return build()
	}
	return d.of(key, build)
}

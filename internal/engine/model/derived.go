package model

import (
	"encoding/binary"
	"sync"
)

// derived caches what engines compute once: from a shape for all models that share it, or from a robot's elements, groups
// and pairs for all worlds of the robot, as its links stay the same however often the world changes.
type derived struct {
	mu   sync.Mutex
	made map[any]*once
	few  int // how many of them are of pairs of groups
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

// OfGroupPair is OfPair for one of GroupPairs, for the models in which the same pairs of its members are checked. Once
// mostGroupPairs are kept, it is made each time.
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
	o := m.robot.entry(carriedPairs{[2]carried{m.carried(q.A), m.carried(q.B)}, string(checked)}, &m.robot.few)
	if o == nil {
		return build()
	}
	return o.get(build)
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

func (d *derived) of(key any, build func() any) any { return d.entry(key, nil).get(build) }

// entry returns what belongs to a key. Of those that count, which few counts, there are no more than mostGroupPairs: it returns nil
// for others.
func (d *derived) entry(key any, few *int) *once {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.made[key]
	switch {
	case o != nil:
		return o
	case few != nil && *few == mostGroupPairs:
		return nil
	case few != nil:
		*few++
	}
	if d.made == nil {
		d.made = map[any]*once{}
	}
	o = &once{}
	d.made[key] = o
	return o
}

func (o *once) get(build func() any) any {
	o.make.Do(func() { o.made = build() })
	return o.made
}

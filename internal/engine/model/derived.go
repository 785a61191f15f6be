package model

import "sync"

// derived caches what engines compute from a shape, once for all models that share the shape:
// the robot's links stay the same however often the world changes.
type derived struct {
	mu   sync.Mutex
	made map[any]*once
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

// OfPair returns the result of build for a pair of the robot's: computed once, if both elements belong to links, for the models of
// the robot in all worlds, in which the links have the same padding. The result is shared; it must depend on the two elements
// and on the tree, and on nothing else.
func (m *Model) OfPair(q *Pair, build func() any) any {
	if int32(q.A) >= m.First || int32(q.B) >= m.First {
		return build()
	}
	return m.robot.of([2]carried{m.carried(q.A), m.carried(q.B)}, build)
}

// carried identifies an element and what carries it.
type carried struct {
	likeness
	frame int
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

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
func (l *Leaves) Derived(key any, build func() any) any {
	d := &l.derived
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

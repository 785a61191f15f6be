package model

import "sync"

// derived keeps what engines make of a shape, so that it is made once for all models
// that share the shape: as often as a world changes, the robot's links stay the same.
type derived struct {
	mu   sync.Mutex
	made map[any]*once
}

type once struct {
	make sync.Once
	made any
}

// Derived returns what build makes of the shape: the same for the same key, made when
// first asked for and kept as long as the shape. Keys are of types of their own, as
// those of a context. What is made is shared and does not change; it depends on the
// shape, in its frame, and on nothing else.
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

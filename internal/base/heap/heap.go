// Package heap is a priority queue of values by a number, the smallest first. Unlike
// container/heap it calls no interface methods and allocates only when it grows.
package heap

// Item is a value and its key.
type Item[T any] struct {
	Key   float64
	Value T
}

// Min is a binary heap: the item with the smallest key is on top. The zero value is empty. The
// order of items with equal keys is unspecified but deterministic.
type Min[T any] struct{ items []Item[T] }

// Len returns the number of items.
func (h *Min[T]) Len() int { return len(h.items) }

// Items returns all items, the one on top first and the others in unspecified order. Do not
// modify them.
func (h *Min[T]) Items() []Item[T] { return h.items }

// Top returns the item on top of a heap that is not empty. Its value may be modified, its key
// only by SetTop.
func (h *Min[T]) Top() *Item[T] { return &h.items[0] }

// Reset removes all items and keeps their memory.
func (h *Min[T]) Reset() { h.items = h.items[:0] }

// Build makes a heap of items, which it takes over, in linear time.
func (h *Min[T]) Build(items []Item[T]) {
	h.items = items
	for i := len(items)/2 - 1; i >= 0; i-- {
		h.sink(i, items[i])
	}
}

// Push adds a value.
func (h *Min[T]) Push(key float64, value T) {
	h.items = append(h.items, Item[T]{})
	i := len(h.items) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !(key < h.items[up].Key) {
			break
		}
		h.items[i] = h.items[up]
		i = up
	}
	h.items[i] = Item[T]{key, value}
}

// Pop removes the item on top of a heap that is not empty, and returns it.
func (h *Min[T]) Pop() Item[T] {
	top := h.items[0]
	n := len(h.items) - 1
	last := h.items[n]
	h.items = h.items[:n]
	if n > 0 {
		h.sink(0, last)
	}
	return top
}

// SetTop changes the key of the item on top and moves it to its new position.
func (h *Min[T]) SetTop(key float64) { h.sink(0, Item[T]{key, h.items[0].Value}) }

// sink puts x at position i or below it.
func (h *Min[T]) sink(i int, x Item[T]) {
	for {
		c := 2*i + 1
		if c >= len(h.items) {
			break
		}
		if c+1 < len(h.items) && h.items[c+1].Key < h.items[c].Key {
			c++
		}
		if !(h.items[c].Key < x.Key) {
			break
		}
		h.items[i] = h.items[c]
		i = c
	}
	h.items[i] = x
}

package bisect

import "github.com/firstcontact-ros/firstcontact/internal/base/heap"

// element is an entry of a segment's queue: between a and b a pair still needs to be
// tested.
type element struct {
	priority float64 // the largest is first
	lambda   float64 // bounds the path lengths of both on [a, b]
	a, b     float64 // in the piece's parameter
	atA, atB float64 // lower bounds of the distance at both ends, beyond the clearance
	pair     int32
	x, y     int32 // nodes of both trees; 0 is the root: the whole body
	ends     *ends // of the refined checker
}

// covered reports whether Inequality (1) holds: the pair stays apart between both ends.
// The left side is rounded up when it is made; the sum errs by u.
func (e *element) covered() bool { return e.lambda*(1+4*u) < e.atA+e.atB }

// queue gives out the element with the largest priority first.
type queue struct{ heap.Min[element] }

func (q *queue) push(e element) { q.Push(-e.priority, e) }

func (q *queue) pop() element { return q.Pop().Value }

// earliest returns the least start of an element, 1 if there is none.
func (q *queue) earliest() float64 {
	first := 1.0
	for i := range q.Items() {
		first = min(first, q.Items()[i].Value.a)
	}
	return first
}

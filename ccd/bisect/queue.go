package bisect

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

// queue is a heap of elements, the largest priority first.
type queue struct{ items []element }

func (q *queue) push(e element) {
	q.items = append(q.items, e)
	i := len(q.items) - 1
	for i > 0 {
		up := (i - 1) / 2
		if q.items[up].priority >= q.items[i].priority {
			break
		}
		q.items[up], q.items[i] = q.items[i], q.items[up]
		i = up
	}
}

// pop removes the first element.
func (q *queue) pop() element {
	first := q.items[0]
	n := len(q.items) - 1
	q.items[0] = q.items[n]
	q.items = q.items[:n]
	q.sink(0)
	return first
}

func (q *queue) sink(i int) {
	for {
		c := 2*i + 1
		if c >= len(q.items) {
			return
		}
		if c+1 < len(q.items) && q.items[c+1].priority > q.items[c].priority {
			c++
		}
		if q.items[i].priority >= q.items[c].priority {
			return
		}
		q.items[i], q.items[c] = q.items[c], q.items[i]
		i = c
	}
}

func (q *queue) len() int { return len(q.items) }

// earliest returns the least start of an element, 1 if there is none.
func (q *queue) earliest() float64 {
	first := 1.0
	for i := range q.items {
		first = min(first, q.items[i].a)
	}
	return first
}

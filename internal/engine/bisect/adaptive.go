package bisect

import "math"

// ADAPTIVE-BISECTION (SSL04 II-B, Fig. 2). Lemma 1: where
//
//	lambda_i(a, b) + lambda_j(a, b) < eta_ij(a) + eta_ij(b)                     (1)
//
// lambda bounding path lengths and eta distances from below, bodies i and j touch
// nowhere between a and b: for two points to meet at some time they would have to
// travel at least eta(a) to get there and eta(b) to get away.
//
// Departures. With a clearance d, eta is the distance less d, and (1) proves that they
// stay farther apart than d: points that are d apart at some time were at most d plus
// what both travelled apart at a, and at b. (The paper's section VII lets the path
// lengths be those of bodies grown by d/2 besides; the proof does without.) The
// threshold delta is the query's tolerance: a pair is reported where two points were
// found within it, not where a bound fell below it, so that what is called a collision
// is one to within the tolerance. A bound of 0 at an end is as good as any other.

// insert puts an element into the queue unless Inequality (1) already holds.
func (w *Worker) insert(s *Segment, e element) {
	if e.covered() {
		return
	}
	switch w.order {
	case LikelyFirst:
		e.priority = e.lambda - e.atA - e.atB
	case LongestFirst:
		e.priority = e.b - e.a
	case EarliestFirst:
		e.priority = -e.a
	}
	s.queue.push(e)
	w.stats.MaxQueue = max(w.stats.MaxQueue, s.queue.Len())
	if s.queue.Len() > w.maxQueue {
		s.stuck = "the queue of intervals is full: ask for a larger tolerance or a smaller clearance"
	}
}

// narrowest is the shortest interval that is cut: below it the error of the poses
// decides, not the path.
const narrowest = 0x1p-40

// step takes the first element from the queue of a segment, which is loaded, and cuts
// it (steps 2.1 and 2.2).
func (w *Worker) step(s *Segment) {
	e := s.queue.pop()
	w.stats.Elements++
	if s.hit != nil && e.a >= s.hit.t {
		return // what happens after a contact is not part of the answer
	}
	if s.hit != nil && e.b > s.hit.t {
		part := e
		part.b, part.atB = s.hit.t, 0
		if e.ends != nil {
			part.ends = &ends{a: e.ends.a}
		}
		if part.lambda = w.lambdaPart(s, &part, &e); part.covered() {
			return
		}
		e = part
	}
	if e.b-e.a < narrowest {
		s.stuck = "a pair stays so close that rounding leaves no room for a proof"
		s.queue.push(e)
		return
	}
	w.stats.Bisections++
	if w.Options.Refined {
		w.collisionTest(s, &e)
		return
	}
	w.cut(s, &e)
}

// cut tests an element's pair within its interval and inserts what is left of it.
func (w *Worker) cut(s *Segment, e *element) {
	cuts, n := w.cover(s, e)
	left := *e
	for _, t := range cuts[:n] {
		right := left
		left.b, left.atB, right.a, right.atA = t, 0, t, 0
		if !w.measureEnd(s, &left, t, &left.atB) && w.order != EarliestFirst {
			s.queue.push(*e) // nothing is proved of it
			return
		}
		right.atA = left.atB
		w.insertPart(s, left, e)
		left = right
	}
	w.insertPart(s, left, e)
}

// insertPart inserts a part of the element e.
func (w *Worker) insertPart(s *Segment, part element, e *element) {
	if s.hit != nil && part.a >= s.hit.t {
		return
	}
	part.lambda = w.lambdaPart(s, &part, e)
	w.insert(s, part)
}

// lambdaPart bounds the path lengths on a part of the interval of e. At constant rates
// they are in proportion to its length.
func (w *Worker) lambdaPart(s *Segment, part, e *element) float64 {
	if s.straight {
		return e.lambda * ((part.b - part.a) / (e.b - e.a)) * (1 + 8*u)
	}
	return math.Min(e.lambda, w.lambda(s, part.pair, part.a, part.b))
}

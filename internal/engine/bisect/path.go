package bisect

import "github.com/firstcontact-ros/firstcontact/internal/base/heap"

// Multi-segment paths (SSL04 II-D): a queue for each segment, and one for the path,
// whose entries are the segments that are neither proved nor found to collide, by the
// priority of their first elements.

// testPath tests segments until one is found to collide, which it returns, or all are
// proved, or the clock is out. Segments that are not decided keep their queues.
func (w *Worker) testPath(segments []*Segment) (hit *Segment) {
	var open heap.Min[*Segment] // the most likely to collide first
	if hit, stuck := w.openSegments(segments, &open); hit != nil || stuck {
		return hit
	}
	for open.Len() > 0 && !w.clock.Out() {
		s := open.Top().Value
		if s.queue.Len() == 0 { // it is on the path twice, and was proved as the other
			open.Pop()
			continue
		}
		w.load(s)
		w.step(s)
		switch {
		case s.hit != nil:
			return s
		case s.stuck != "":
			return nil
		case s.queue.Len() == 0:
			open.Pop()
		default:
			open.SetTop(-s.priority())
		}
	}
	return nil
}

// openSegments begins the segments that have not been and queues those that are neither
// proved nor found to collide. It ends at the first that collides, or that is stuck or
// has no time to begin.
func (w *Worker) openSegments(segments []*Segment, open *heap.Min[*Segment]) (hit *Segment, stuck bool) {
	for _, s := range segments {
		if s.hit != nil {
			return s, false
		}
		if s.stuck != "" {
			return nil, true
		}
		if !s.begun {
			w.load(s)
			w.begin(s)
		}
		switch {
		case s.hit != nil:
			return s, false
		case !s.begun || s.stuck != "":
			return nil, true
		case s.queue.Len() > 0:
			open.Push(-s.priority(), s)
		}
	}
	return nil, false
}

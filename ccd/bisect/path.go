package bisect

// Multi-segment paths (SSL04 II-D): a queue for each segment, and one for the path,
// whose entries are the segments that are neither proved nor found to collide, by the
// priority of their first elements.

// testPath tests segments until one is found to collide, which it returns, or all are
// proved, or the clock is out. Segments that are not decided keep their queues.
func (w *Worker) testPath(segments []*Segment) (hit *Segment) {
	var open pathQueue
	for _, s := range segments {
		if s.hit != nil {
			return s
		}
		if s.stuck != "" {
			return nil
		}
		if !s.begun {
			w.load(s)
			w.begin(s)
		}
		switch {
		case s.hit != nil:
			return s
		case !s.begun || s.stuck != "":
			return nil
		case s.queue.len() > 0:
			open.push(s)
		}
	}
	for len(open.segments) > 0 && !w.clock.Out() {
		s := open.segments[0]
		w.load(s)
		w.step(s)
		switch {
		case s.hit != nil:
			return s
		case s.stuck != "":
			return nil
		case s.queue.len() == 0:
			open.pop()
		default:
			open.sink(0)
		}
	}
	return nil
}

// pathQueue is a heap of segments, the most likely to collide first.
type pathQueue struct{ segments []*Segment }

func (q *pathQueue) push(s *Segment) {
	q.segments = append(q.segments, s)
	for i := len(q.segments) - 1; i > 0; {
		up := (i - 1) / 2
		if q.segments[up].priority() >= q.segments[i].priority() {
			return
		}
		q.segments[up], q.segments[i] = q.segments[i], q.segments[up]
		i = up
	}
}

func (q *pathQueue) pop() {
	n := len(q.segments) - 1
	q.segments[0] = q.segments[n]
	q.segments = q.segments[:n]
	q.sink(0)
}

func (q *pathQueue) sink(i int) {
	for {
		c := 2*i + 1
		if c >= len(q.segments) {
			return
		}
		if c+1 < len(q.segments) && q.segments[c+1].priority() > q.segments[c].priority() {
			c++
		}
		if q.segments[i].priority() >= q.segments[c].priority() {
			return
		}
		q.segments[i], q.segments[c] = q.segments[c], q.segments[i]
		i = c
	}
}

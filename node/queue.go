package node

import "github.com/firstcontact-ros/firstcontact/internal/limit"

// queue holds the configurations that wait to be judged, in order. Each but the
// very first ends a motion, and every motion is counted once: by whoever judges
// it, or here, as unjudged.
type queue struct {
	waiting  []*sample
	broken   bool // how the robot comes to the next sample is not known
	begun    bool // there was a sample
	unjudged uint64
}

// push appends a sample. A full queue is emptied first: what waits so long is of
// no use to anybody, and the newest is.
func (q *queue) push(s *sample) {
	if len(q.waiting) == limit.WaitingConfigurations {
		q.drop()
	}
	s.first = q.broken || !q.begun
	if s.first && q.begun {
		q.unjudged++
	}
	q.begun, q.broken = true, false
	q.waiting = append(q.waiting, s)
}

// drop forgets what waits; the chain is then broken.
func (q *queue) drop() {
	for _, s := range q.waiting {
		if !s.first {
			q.unjudged++
		}
	}
	q.waiting, q.broken = nil, true
}

// take returns the samples that wait, up to the next break in the chain.
func (q *queue) take() []*sample {
	n := 0
	for n < len(q.waiting) && (n == 0 || !q.waiting[n].first) {
		n++
	}
	chain := q.waiting[:n:n]
	if q.waiting = q.waiting[n:]; len(q.waiting) == 0 {
		q.waiting = nil
	}
	return chain
}

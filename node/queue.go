package node

import (
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// queue holds the configurations that wait to be judged. Each but the very first
// ends a motion, and every motion is counted once: by whoever judges it, or here,
// as unjudged.
//
// take hands out the newest motion and leaves everything before it as backlog,
// which older hands out newest first. So the newest configuration never waits
// for those before it.
type queue struct {
	waiting  []*sample // received since take, oldest first
	last     *sample   // the newest that was taken
	broken   bool      // how the robot comes to the next sample is not known
	begun    bool      // there was a sample
	unjudged uint64

	backlog []way     // taken and not judged yet, oldest first
	size    int       // samples in the backlog
	lost    time.Time // when the newest of those that nobody judged was received
}

// way is the straight motions through configurations, oldest first; a single
// configuration is a rest.
type way []*sample

func (w way) end() *sample { return w[len(w)-1] }
func (w way) motions() int { return len(w) - 1 }

// push appends a sample. A full queue is emptied first: what waits so long is of
// no use to anybody, and the newest is.
func (q *queue) push(s *sample) {
	q.makeRoom()
	if s.aside != "" {
		q.keep(way{s}) // it is judged alone: no motion leads to it or on from it
		return
	}
	s.first = q.broken || !q.begun
	if s.first && q.begun {
		q.unjudged++
	}
	q.begun, q.broken = true, false
	q.waiting = append(q.waiting, s)
}

func (q *queue) makeRoom() {
	if len(q.waiting)+q.size >= limit.WaitingConfigurations {
		q.drop()
	}
}

// drop forgets what waits; the chain is then broken.
func (q *queue) drop() {
	for _, s := range q.waiting {
		if !s.first {
			q.unjudged++
		}
		q.miss(s)
	}
	for _, w := range q.backlog {
		q.unjudged += uint64(w.motions())
		q.miss(w.end())
	}
	q.waiting, q.backlog, q.size, q.broken = nil, nil, 0, true
}

// miss notes that nobody judges a sample.
func (q *queue) miss(s *sample) {
	if s.received.After(q.lost) {
		q.lost = s.received
	}
}

// take returns the newest motion, or the newest configuration where the way to
// it is not known; nothing where no sample waits. It also tells where the chain of
// motions begins that ends there. What else waited becomes backlog.
func (q *queue) take() (newest way, begin *sample) {
	for len(q.waiting) > 0 {
		n := 1
		for n < len(q.waiting) && !q.waiting[n].first {
			n++
		}
		chain := make(way, 0, n+1)
		if !q.waiting[0].first {
			chain = append(chain, q.last)
		}
		chain = append(chain, q.waiting[:n]...)
		q.waiting, q.last = q.waiting[n:], chain[len(chain)-1]
		if len(q.waiting) > 0 {
			q.keep(chain)
			continue
		}
		cut := max(0, len(chain)-2)
		if cut > 0 {
			q.keep(chain[: cut+1 : cut+1])
		}
		newest, begin = chain[cut:], chain[0]
	}
	q.waiting = nil
	return newest, begin
}

// keep adds to the backlog, in order of receipt.
func (q *queue) keep(w way) {
	at := len(q.backlog)
	for at > 0 && q.backlog[at-1].end().received.After(w.end().received) {
		at--
	}
	q.backlog = slices.Insert(q.backlog, at, w)
	q.size += len(w)
}

// older returns the newest of the backlog, or nothing where there is none.
func (q *queue) older() (w way, ok bool) {
	n := len(q.backlog)
	if n == 0 {
		return nil, false
	}
	w = q.backlog[n-1]
	q.backlog[n-1] = nil
	q.backlog = q.backlog[:n-1]
	q.size -= len(w)
	return w, true
}

// expire gives up what was received before a time and was not judged since.
func (q *queue) expire(before time.Time) {
	n := 0
	for n < len(q.backlog) && q.backlog[n].end().received.Before(before) {
		q.unjudged += uint64(q.backlog[n].motions())
		q.size -= len(q.backlog[n])
		n++
	}
	q.backlog = slices.Delete(q.backlog, 0, n)
}

// open tells how many configurations that were received since a time have not been
// judged. Those that nobody will judge count as one.
func (q *queue) open(since time.Time) (n int) {
	for _, w := range q.backlog {
		n += max(1, w.motions())
	}
	if !q.lost.IsZero() && !q.lost.Before(since) {
		n++
	}
	return n
}

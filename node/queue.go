package node

import (
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// queue holds the configurations that wait to be judged. Each but the very first ends a
// motion, and every motion is counted once: by whoever judges it, or here, as unjudged.
//
// take hands out the newest motion and leaves everything before it as backlog, which older
// hands out newest first. So the newest configuration never waits for those before it.
type queue struct {
	waiting  []*jointstates.Sample // received since take, oldest first
	last     *jointstates.Sample   // the newest sample taken
	broken   bool                  // the motion to the next sample is unknown
	begun    bool                  // a sample has arrived
	unjudged uint64

	backlog []way     // taken and not yet judged, oldest first
	size    int       // samples in the backlog
	lost    time.Time // when the newest sample that is never judged was received
}

// way is a chain of straight motions through configurations, oldest first. A single
// configuration stands for rest.
type way []*jointstates.Sample

func (w way) end() *jointstates.Sample { return w[len(w)-1] }
func (w way) motions() int             { return len(w) - 1 }

// uncounted returns how many of n motions count as judged, or as not judged: none if they are judged
// again.
func (w way) uncounted(n int) int {
	if w.end().Counted {
		return 0
	}
	return n
}

// push appends a sample. A full queue is emptied first: samples that waited so long are of no
// use, and the newest one is.
func (q *queue) push(s *jointstates.Sample) {
	q.makeRoom()
	if s.Aside != "" {
		q.keep(way{s}) // judged alone: no motion leads to it or on from it
		return
	}
	s.First = q.broken || !q.begun
	if s.First && q.begun {
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

// drop discards the waiting samples. The chain is then broken.
func (q *queue) drop() {
	for _, s := range q.waiting {
		if !s.First {
			q.unjudged++
		}
		q.miss(s)
	}
	for _, w := range q.backlog {
		q.unjudged += uint64(w.uncounted(w.motions()))
		q.miss(w.end())
	}
	q.waiting, q.backlog, q.size, q.broken = nil, nil, 0, true
}

// miss records that a sample is never judged.
func (q *queue) miss(s *jointstates.Sample) {
	if s.Received.After(q.lost) {
		q.lost = s.Received
	}
}

// take returns the newest motion, the newest configuration alone if the motion to it is
// unknown, or nothing if no sample waits. It also returns where the chain of motions that ends
// there begins. The other waiting samples become backlog.
func (q *queue) take() (newest way, begin *jointstates.Sample) {
	for len(q.waiting) > 0 {
		n := 1
		for n < len(q.waiting) && !q.waiting[n].First {
			n++
		}
		chain := make(way, 0, n+1)
		if !q.waiting[0].First {
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
	for at > 0 && q.backlog[at-1].end().Received.After(w.end().Received) {
		at--
	}
	q.backlog = slices.Insert(q.backlog, at, w)
	q.size += len(w)
}

// older returns the newest of the backlog, or nothing if it is empty.
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

// expire gives up samples that were received before a time and not judged since.
func (q *queue) expire(before time.Time) {
	n := 0
	for n < len(q.backlog) && q.backlog[n].end().Received.Before(before) {
		q.unjudged += uint64(q.backlog[n].uncounted(q.backlog[n].motions()))
		q.size -= len(q.backlog[n])
		n++
	}
	q.backlog = slices.Delete(q.backlog, 0, n)
}

// open counts the configurations received since a time that have not been judged. Those that
// never will be count as one.
func (q *queue) open(since time.Time) (n int) {
	for _, w := range q.backlog {
		n += max(1, w.motions())
	}
	if !q.lost.IsZero() && !q.lost.Before(since) {
		n++
	}
	return n
}

package ros

import (
	"sync"
	"time"
)

// sampleQueue is a reader's history: bounded, dropping the oldest sample.
type sampleQueue struct {
	depth  int
	mu     sync.Mutex
	filled sync.Cond
	items  []queued
	closed bool
}

type queued struct {
	Sample
	expires time.Time
}

func newSampleQueue(depth int) *sampleQueue {
	q := &sampleQueue{depth: depth}
	q.filled.L = &q.mu
	return q
}

func (q *sampleQueue) push(s queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	if q.depth != KeepAll && len(q.items) >= q.depth {
		q.items = q.items[1:]
	}
	q.items = append(q.items, s)
	q.filled.Signal()
}

// pop waits for a sample that has not expired. It returns false when the queue is closed.
func (q *sampleQueue) pop() (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.items) == 0 && !q.closed {
			q.filled.Wait()
		}
		if q.closed {
			return queued{}, false
		}
		s := q.items[0]
		q.items = q.items[1:]
		if s.expires.IsZero() || time.Now().Before(s.expires) {
			return s, true
		}
	}
}

func (q *sampleQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.filled.Broadcast()
}

//go:build linux

package main

import (
	"math"
	"slices"
	"sync"
	"time"
)

// sample is one joint state as its publisher wrote it. Times are in ns since 1970, on
// the one clock of this machine; 0: not known.
type sample struct {
	publisher     int
	before        int64      // it was not written before
	called, after int64      // the call that wrote it; 0 where the publisher did not live to tell
	stamp         int64      // 0: none
	source        int64      // the source time that DDS gave it, as the witness heard it
	q             [2]float64 // NaN where the joint is not named
	odd           bool       // not a configuration: NaN, a wrong count, too large
}

// oldest is the time from which the sample's age counts, by the latest that can be
// held against the node.
func (s *sample) oldest() int64 {
	at := s.source
	if at == 0 {
		at = s.after
	}
	if at == 0 {
		at = math.MaxInt64 // its publisher was killed: nobody knows when it left
	}
	if s.stamp != 0 {
		at = min(at, s.stamp)
	}
	return at
}

// ledger is everything that all publishers wrote lately.
type ledger struct {
	mu      sync.Mutex
	all     map[int][]*sample      // by publisher, in order of writing
	byMark  [2]map[int64][]*sample // by position
	byStamp map[int64]*sample      // by stamp, or by source time where there is none
	bare    []*sample              // without a stamp, in order
	transit []transit              // of what the witness heard, in order of time
	heard   map[int]int64          // when the witness first heard of a publisher
	written int                    // samples
}

// transit is what the witness measured about one message.
type transit struct {
	at int64 // when it came
	of *sample
}

func newLedger() *ledger {
	l := &ledger{all: map[int][]*sample{}, byStamp: map[int64]*sample{}, heard: map[int]int64{}}
	for j := range l.byMark {
		l.byMark[j] = map[int64][]*sample{}
	}
	return l
}

// intend notes a sample that is about to be written.
func (l *ledger) intend(s *sample) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written++
	l.all[s.publisher] = append(l.all[s.publisher], s)
	if s.odd {
		return
	}
	for j, q := range s.q {
		if !math.IsNaN(q) {
			l.byMark[j][markOf(q)] = append(l.byMark[j][markOf(q)], s)
		}
	}
	if s.stamp != 0 {
		l.byStamp[s.stamp] = s
	} else {
		l.bare = append(l.bare, s)
	}
}

// confirm notes that it was written.
func (l *ledger) confirm(s *sample, called, after int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.called, s.after = called, after
}

// witness notes that a message with these positions came, at now.
func (l *ledger) witness(q [2]float64, source, now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for j := range q {
		if math.IsNaN(q[j]) {
			continue
		}
		found := l.byMark[j][markOf(q[j])]
		for _, s := range slices.Backward(found) {
			if s.source == 0 && s.q[j] == q[j] && s.before <= source {
				s.source = source
				if l.heard[s.publisher] == 0 {
					l.heard[s.publisher] = now
				}
				if s.stamp == 0 {
					l.byStamp[source] = s
				}
				l.transit = append(l.transit, transit{now, s})
				return
			}
		}
		return
	}
}

// resting returns the youngest sample that has this position of a joint and was begun
// before a time: what a state may rest on.
func (l *ledger) resting(j int, q float64, before int64) *sample {
	var best *sample
	for mark := markOf(q) - 1; mark <= markOf(q)+1; mark++ { // rounding
		for _, s := range l.byMark[j][mark] {
			if s.before <= before && (best == nil || s.before > best.before) && math.Abs(s.q[j]-q) < mark2 {
				best = s
			}
		}
	}
	return best
}

// mark2 is the half of a mark: less is the same position.
const mark2 = mark / 2

// stamped returns the sample that a state's stamp names.
func (l *ledger) stamped(at int64) *sample {
	if s := l.byStamp[at]; s != nil {
		return s
	}
	for _, s := range slices.Backward(l.bare) {
		if s.before <= at && (s.after == 0 || at <= s.after) {
			return s
		}
	}
	return nil
}

// slowest tells the longest that messages took around a time: to get their source time,
// and to reach the witness.
func (l *ledger) slowest(at int64, around time.Duration) (stamped, took time.Duration) {
	from, _ := slices.BinarySearchFunc(l.transit, at-int64(around), func(t transit, x int64) int { return int(max(-1, min(1, t.at-x))) })
	for _, t := range l.transit[from:] {
		if t.at > at+int64(around) {
			break
		}
		if t.of.called != 0 {
			stamped, took = max(stamped, time.Duration(t.of.source-t.of.called)), max(took, time.Duration(t.at-t.of.called))
		}
	}
	return stamped, took
}

// forget drops what was written before a time.
func (l *ledger) forget(before int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p, samples := range l.all {
		n := 0
		for n < len(samples) && samples[n].before < before {
			l.unlist(samples[n])
			n++
		}
		l.all[p] = slices.Clone(samples[n:])
	}
	old := func(s *sample) bool { return s.before < before }
	l.bare = slices.DeleteFunc(l.bare, old)
	l.transit = slices.DeleteFunc(l.transit, func(t transit) bool { return t.at < before })
}

func (l *ledger) unlist(s *sample) {
	for j, q := range s.q {
		if math.IsNaN(q) || s.odd {
			continue
		}
		rest := slices.DeleteFunc(l.byMark[j][markOf(q)], func(x *sample) bool { return x == s })
		if len(rest) == 0 {
			delete(l.byMark[j], markOf(q))
		} else {
			l.byMark[j][markOf(q)] = rest
		}
	}
	for _, at := range []int64{s.stamp, s.source} {
		if l.byStamp[at] == s {
			delete(l.byStamp, at)
		}
	}
}

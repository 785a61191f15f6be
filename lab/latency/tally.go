package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// tally counts joint states and the states about them.
type tally struct {
	sent    []question // all that were sent, in the order of their stamps
	next    int        // the first in sent without an answer
	took    []time.Duration
	shared  int // answered by a state about a later one
	skipped int // not sent, because this process slept

	unknown   int    // states that say nothing, while joint states come
	reason    string // of the first of them
	unchecked uint64 // motions not judged, as the newest state counts them
	last      fcmsgs.CollisionState
}

type question struct {
	stamp builtininterfaces.Time
	at    time.Time
}

func (t *tally) asked(stamp builtininterfaces.Time, at time.Time) {
	t.sent = append(t.sent, question{stamp, at})
}

// open is how many have no answer yet.
func (t *tally) open() int { return len(t.sent) - t.next }

// answered takes a state that was received. It answers every joint state with its stamp or an
// older one.
func (t *tally) answered(m *fcmsgs.CollisionState, now time.Time) {
	t.last = *m
	if t.open() == 0 {
		return // said again, after the end
	}
	t.unchecked = m.MotionsUnchecked
	if m.Level == fcmsgs.CollisionStateUnknown {
		if t.unknown++; t.unknown == 1 {
			t.reason = m.Reason
		}
		return
	}
	for ; t.next < len(t.sent); t.next++ {
		q := t.sent[t.next]
		if q.stamp.Time().After(m.Header.Stamp.Time()) {
			return
		}
		t.took = append(t.took, now.Sub(q.at))
		if q.stamp != m.Header.Stamp {
			t.shared++
		}
	}
}

// result is what was measured.
type result struct {
	settings
	*tally
	missed    uint64  // deadlines of ~/state, by this process's count
	lost      uint64  // states lost on the way
	unchecked uint64  // motions not judged
	pause     float64 // s, the longest of the node's collector of garbage
}

// late is how many answers took longer than the period.
func (r *result) late() (n int) {
	for _, d := range r.took {
		if d.Seconds() > 1/r.rate {
			n++
		}
	}
	return n
}

func (r *result) String() string {
	var b strings.Builder
	sorted := slices.Sorted(slices.Values(r.took))
	of := func(part float64) float64 {
		if len(sorted) == 0 {
			return 0
		}
		return 1e3 * sorted[min(int(part*float64(len(sorted))), len(sorted)-1)].Seconds()
	}
	fmt.Fprintf(&b, "%g Hz for %v, %d obstacles, %d processes besides\n", r.rate, r.duration, r.obstacles, r.load)
	fmt.Fprintf(&b, "  joint states %d, answered %d, of them %d with a later one; %d not sent in time by this program\n", len(r.sent), len(r.took), r.shared, r.skipped)
	fmt.Fprintf(&b, "  latency ms: median %.2f, p99 %.2f, p99.9 %.2f, longest %.2f; longer than the period: %d\n", of(0.5), of(0.99), of(0.999), of(1), r.late())
	fmt.Fprintf(&b, "  deadlines missed %d, states lost %d, states UNKNOWN %d, motions not judged %d\n", r.missed, r.lost, r.unknown, r.unchecked)
	fmt.Fprintf(&b, "  longest pause of the node's garbage collector: at most %.3f ms\n", 1e3*r.pause)
	return b.String()
}

// fault is what must not be.
func (r *result) fault() error {
	var errs []error
	if n := r.open(); n > 0 {
		errs = append(errs, fmt.Errorf("%d joint states have no answer", n))
	}
	if r.unknown > 0 {
		errs = append(errs, fmt.Errorf("%d states are UNKNOWN: %s", r.unknown, r.reason))
	}
	if r.unchecked > 0 {
		errs = append(errs, fmt.Errorf("%d motions were not judged", r.unchecked))
	}
	if r.missed > 0 {
		errs = append(errs, fmt.Errorf("%d deadlines were missed", r.missed))
	}
	return errors.Join(errs...)
}

package node

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// numbered samples tell in their first position which they are.
func numberedSample(n int) *jointstates.Sample {
	return &jointstates.Sample{Position: []float64{float64(n)}, Received: epoch.Add(time.Duration(n) * time.Millisecond)}
}

func numberOf(s *jointstates.Sample) int { return int(s.Position[0]) }

// Every motion is counted once: it waits, was taken, or is unjudged. The newest is
// taken first, and the rest newest first.
func TestQueueLosesNoMotion(t *testing.T) {
	race.LeaveOut(t)
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		pushed, aside := 0, 0
		taken := map[int]bool{} // motions, by the number of the sample that ends them
		hand := func(w way) {
			for i, s := range w[1:] {
				if s.First || numberOf(s) != numberOf(w[i])+1 {
					t.Fatalf("a motion goes from %d to %d, first %t", numberOf(w[i]), numberOf(s), s.First)
				}
				if taken[numberOf(s)] {
					t.Fatalf("the motion to %d is taken twice", numberOf(s))
				}
				taken[numberOf(s)] = true
			}
		}
		push := func() {
			q.push(numberedSample(pushed))
			pushed++
		}
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			switch rapid.IntRange(0, 12).Draw(t, "event") {
			case 0:
				q.broken = true
			case 1:
				q.drop()
			case 2:
				for range limit.WaitingConfigurations {
					push()
				}
			case 3, 4:
				waited := len(q.waiting)
				newest, begin := q.take()
				if (len(newest) > 0) != (waited > 0) {
					t.Fatalf("%d waited and %d are taken", waited, len(newest))
				}
				if waited == 0 {
					break
				}
				if numberOf(newest.end()) != pushed-1 || newest.motions() > 1 || newest.motions() == 0 && begin != newest.end() || numberOf(begin) > numberOf(newest[0]) {
					t.Fatalf("taken is %d motions to %d, which began at %d; want one to %d", newest.motions(), numberOf(newest.end()), numberOf(begin), pushed-1)
				}
				hand(newest)
			case 5, 6:
				if older, ok := q.older(); ok {
					for _, w := range q.backlog {
						if w.end().Received.After(older.end().Received) {
							t.Fatalf("%d comes before %d", numberOf(older.end()), numberOf(w.end()))
						}
					}
					if older.end().Aside == "" && rapid.Bool().Draw(t, "again") {
						q.keep(older)
					} else {
						hand(older)
					}
				}
			case 7:
				q.expire(epoch.Add(time.Duration(rapid.IntRange(0, pushed).Draw(t, "before")) * time.Millisecond))
			case 8:
				s := numberedSample(pushed)
				s.Aside = "test"
				q.push(s)
				aside++
			default:
				push()
			}
			checkQueue(t, &q, pushed, len(taken))
		}
	})
}

func checkQueue(t *rapid.T, q *queue, pushed, taken int) {
	waiting, size := 0, 0
	for _, s := range q.waiting {
		if !s.First {
			waiting++
		}
	}
	for _, w := range q.backlog {
		waiting += w.motions()
		size += len(w)
	}
	if motions := max(pushed-1, 0); taken+waiting+int(q.unjudged) != motions {
		t.Fatalf("%d taken, %d waiting and %d unjudged of %d motions", taken, waiting, q.unjudged, motions)
	}
	if size != q.size {
		t.Fatalf("the backlog holds %d samples, and says %d", size, q.size)
	}
	// A chain that is cut in two keeps both ends.
	if n := len(q.waiting) + q.size; n > 2*limit.WaitingConfigurations {
		t.Fatalf("%d samples wait", n)
	}
}

func TestQueueKeepsTheNewest(t *testing.T) {
	var q queue
	for i := range limit.WaitingConfigurations {
		q.push(numberedSample(i))
	}
	newest := numberedSample(limit.WaitingConfigurations)
	q.push(newest)
	if chain, _ := q.take(); len(chain) != 1 || chain[0] != newest || !newest.First {
		t.Errorf("after an overflow %d samples wait", len(chain))
	}
	if q.unjudged != limit.WaitingConfigurations {
		t.Errorf("%d motions unjudged, want %d", q.unjudged, limit.WaitingConfigurations)
	}
	if n := q.open(newest.Received.Add(-timeout)); n == 0 {
		t.Error("nothing is said to be missing after an overflow")
	}
}

func TestDroppedBacklogIsMissing(t *testing.T) {
	var q queue
	for i := range 3 {
		q.push(numberedSample(i))
	}
	q.take()
	q.drop()
	if q.open(epoch.Add(ms)) != 1 || q.open(epoch.Add(2*ms)) != 0 {
		t.Errorf("%d are open since 1 ms, %d since 2 ms; want the one that was received at 1 ms", q.open(epoch.Add(ms)), q.open(epoch.Add(2*ms)))
	}
}

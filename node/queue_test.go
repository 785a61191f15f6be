package node

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/limit"

	"pgregory.net/rapid"
)

// Every motion is counted once: it waits, was taken, or is unjudged.
func TestQueueLosesNoMotion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		pushed, taken := 0, 0
		var last *sample // that was taken
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				q.broken = true
			case 1:
				q.drop()
			case 2:
				for range limit.WaitingConfigurations {
					q.push(&sample{})
				}
				pushed += limit.WaitingConfigurations
			case 3, 4:
				chain := q.take()
				for i, s := range chain {
					if s.first && i > 0 {
						t.Fatal("a chain goes on across a break")
					}
					if !s.first && i == 0 && last == nil {
						t.Fatal("a chain hangs in the air")
					}
					if !s.first {
						taken++
					}
					last = s
				}
			default:
				q.push(&sample{})
				pushed++
			}
			waiting := 0
			for _, s := range q.waiting {
				if !s.first {
					waiting++
				}
			}
			if motions := max(pushed-1, 0); taken+waiting+int(q.unjudged) != motions {
				t.Fatalf("%d taken, %d waiting and %d unjudged of %d motions", taken, waiting, q.unjudged, motions)
			}
			if len(q.waiting) > limit.WaitingConfigurations {
				t.Fatalf("%d samples wait", len(q.waiting))
			}
		}
	})
}

func TestQueueKeepsTheNewest(t *testing.T) {
	var q queue
	for range limit.WaitingConfigurations {
		q.push(&sample{})
	}
	newest := &sample{}
	q.push(newest)
	if chain := q.take(); len(chain) != 1 || chain[0] != newest || !newest.first {
		t.Errorf("after an overflow %d samples wait", len(chain))
	}
	if q.unjudged != limit.WaitingConfigurations {
		t.Errorf("%d motions unjudged, want %d", q.unjudged, limit.WaitingConfigurations)
	}
}

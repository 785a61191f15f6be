package node

import (
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// pause stops the process for a little longer than goes unnoticed.
func (w *watched) pause() {
	w.heartbeat()
	w.clock += w.limits.pause() + ms
	w.heartbeat()
}

// speaks takes a message of the nth publisher that was written just now.
func (w *watched) speaks(n int, right float64) {
	w.hear(joints(w.clock, both, 0, right), ros.MessageInfo{Writer: guid(n), SourceTime: epoch.Add(w.clock)})
}

// After a pause, or with another model, one publisher's word is not enough where another
// spoke just before: it may be the one that measures the contact.
func TestEveryPublisherIsHeardAfterALoss(t *testing.T) {
	m := railModel(t)
	other := railModel(t)
	for name, lose := range map[string]func(*watched){
		"pause": func(w *watched) { w.pause() },
		"model": func(w *watched) { w.use(other, "") },
	} {
		t.Run(name, func(t *testing.T) {
			speak := func(w *watched) {
				w.speaks(1, hit)
				w.speaks(2, clear_)
				w.look()
			}
			t.Run("heard", func(t *testing.T) {
				w := watch(m)
				speak(w)
				lose(w)
				w.clock += ms
				w.speaks(2, clear_)
				wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "has not been heard since")
				w.clock += ms
				w.speaks(1, hit)
				wantContact(t, w.look(), "touch")
			})
			t.Run("silent", func(t *testing.T) {
				w := watch(m)
				speak(w)
				lose(w)
				for since := time.Duration(0); since <= w.limits.timeout+5*ms; since += 5 * ms {
					w.clock += 5 * ms
					w.speaks(2, clear_)
					want := uint8(levelFree)
					if since+5*ms <= w.limits.timeout {
						want = fcmsgs.CollisionStateUnknown
					}
					wantLevel(t, w.look(), want, "")
				}
			})
			t.Run("alone", func(t *testing.T) {
				w := watch(m)
				w.speaks(2, clear_)
				w.look()
				lose(w)
				w.clock += ms
				w.speaks(2, clear_)
				wantLevel(t, w.look(), levelFree, "")
			})
		})
	}
}

// A publisher that was silent before the loss already is not waited for.
func TestLongSilentPublisherIsNotAwaited(t *testing.T) {
	w := watch(railModel(t))
	w.speaks(1, clear_)
	for range 30 {
		w.clock += 10 * ms
		w.speaks(2, clear_)
		w.look()
	}
	w.pause()
	w.clock += ms
	w.speaks(2, clear_)
	wantLevel(t, w.look(), levelFree, "")
}

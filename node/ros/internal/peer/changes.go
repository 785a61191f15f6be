package peer

import (
	"context"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// changes wakes those who wait for matches.
type changes struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced when matches may have changed
}

func newChanges() *changes { return &changes{changed: make(chan struct{})} }

// announce wakes everybody who waits.
func (c *changes) announce() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
}

// next returns a channel that is closed at the next change.
func (c *changes) next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// finishing is the time between two checks of a match that the library has announced but not
// completed.
const finishing = time.Millisecond

// wait fulfils the contract of ros.Peer.WaitMatches. matches returns the matches now, and
// whether further ones are announced that no change will tell of.
func (c *changes) wait(ctx context.Context, matches func() (now []ros.Match, unfinished bool, err error), ok func([]ros.Match) bool) error {
	for {
		changed := c.next()
		now, unfinished, err := matches()
		if err != nil {
			return err
		}
		if ok(now) {
			return nil
		}
		var again <-chan time.Time
		if unfinished {
			again = time.After(finishing)
		}
		select {
		case <-changed:
		case <-again:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

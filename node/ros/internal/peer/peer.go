// Package peer holds what readers and writers of all transports on DDS have in common: waiting
// for matches, the goroutines of a reader, and its counters.
package peer

import (
	"context"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Changes wakes those who wait for matches. The zero value is not ready; use NewChanges.
type Changes struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced when matches may have changed
}

// NewChanges returns changes that nobody waits for.
func NewChanges() *Changes { return &Changes{changed: make(chan struct{})} }

// Announce wakes everybody who waits.
func (c *Changes) Announce() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
}

// next returns a channel that is closed at the next change.
func (c *Changes) next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// finishing is the time between two checks of a match that the library has announced but not
// completed.
const finishing = time.Millisecond

// Wait fulfils the contract of ros.Peer.WaitMatches. matches returns the matches now, and
// whether further ones are announced that no change will tell of.
func (c *Changes) Wait(ctx context.Context, matches func() (now []ros.Match, unfinished bool, err error), ok func([]ros.Match) bool) error {
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

// Told holds the silence counters that a reader's user was last notified of.
type Told struct {
	mu    sync.Mutex
	stats ros.EndpointStats
}

// Set notes what the user is told.
func (t *Told) Set(stats ros.EndpointStats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats = stats
}

// Differs reports whether the user has not been told of these counters.
func (t *Told) Differs(stats ros.EndpointStats) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return stats.DeadlineMissed != t.stats.DeadlineMissed || stats.Alive != t.stats.Alive || stats.NotAlive != t.stats.NotAlive
}

package peer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// WriteTimeout bounds how long a reliable writer waits for slow readers.
const WriteTimeout = 100 * time.Millisecond

// minMessage is the encapsulation header alone.
const minMessage = 4

// CheckMessage returns an error if a message of this size cannot be sent.
func CheckMessage(size int) error {
	if size < minMessage || size > math.MaxInt32 {
		return fmt.Errorf("a message of %d bytes cannot be sent", size)
	}
	return nil
}

// Check returns an error if no library can make the endpoint.
func Check(o ros.Endpoint) error {
	if o.Topic == "" || o.Type == "" {
		return errors.New("an endpoint needs a topic and a type")
	}
	if o.QoS.HistoryDepth() > math.MaxInt32 {
		return fmt.Errorf("history depth %d does not fit in 32 bits", o.QoS.Depth)
	}
	return o.QoS.Validate()
}

// GUID converts the identity of a library's entity. B is a byte, in Go or in C.
func GUID[B ~uint8](guid [len(ros.GUID{})]B) (g ros.GUID) {
	for i, b := range guid {
		g[i] = byte(b)
	}
	return g
}

// Entity is a reader or writer of a library. An endpoint calls its methods only until Delete.
type Entity interface {
	// Matches returns the matches, and whether further ones are pending.
	Matches() (matches []ros.Match, unfinished bool, err error)
	// Count sets the counters that the library keeps.
	Count(*ros.EndpointStats)
	// Delete is called once, while no other method runs.
	Delete() error
}

// Endpoint holds what readers and writers have in common: it implements ros.Peer. The zero
// value becomes ready with Open.
type Endpoint struct {
	entity   Entity
	guid     ros.GUID
	leave    func() // called before the entity is deleted
	changes  *changes
	delivery *Delivery // nil for writers
	told     told

	// use is held for reading while the entity is used, and for writing when it is deleted.
	use     sync.RWMutex
	deleted bool

	samples, missed, refused atomic.Uint64

	closing sync.Once
	err     error
}

// Open begins the life of an endpoint with its entity. leave is called when it closes, before
// the entity is deleted.
func (e *Endpoint) Open(entity Entity, guid ros.GUID, leave func()) {
	e.entity, e.guid, e.leave, e.changes = entity, guid, leave, newChanges()
}

// Acquire keeps the entity from being deleted until Release. It returns false if the entity
// has been deleted.
func (e *Endpoint) Acquire() bool {
	e.use.RLock()
	if e.deleted {
		e.use.RUnlock()
		return false
	}
	return true
}

// Release ends an Acquire that returned true.
func (e *Endpoint) Release() { e.use.RUnlock() }

// Notice handles what the library reported: data that have arrived, changes of matches, and
// missed deadlines or changes of liveliness.
func (e *Endpoint) Notice(data, matches, silence bool) {
	if data && e.delivery != nil {
		e.delivery.wake()
	}
	if matches {
		e.changes.announce()
	}
	if silence && e.delivery != nil {
		e.delivery.hush()
	}
}

// Wrote counts a sample that a writer has written.
func (e *Endpoint) Wrote() { e.samples.Add(1) }

// GUID returns the identity of the endpoint.
func (e *Endpoint) GUID() ros.GUID { return e.guid }

// Matches implements ros.Peer.
func (e *Endpoint) Matches() []ros.Match {
	matches, _, _ := e.matches()
	return matches
}

func (e *Endpoint) matches() (matches []ros.Match, unfinished bool, err error) {
	if !e.Acquire() {
		return nil, false, ros.ErrClosed
	}
	defer e.Release()
	return e.entity.Matches()
}

// WaitMatches implements ros.Peer.
func (e *Endpoint) WaitMatches(ctx context.Context, ok func([]ros.Match) bool) error {
	return e.changes.wait(ctx, e.matches, ok)
}

// Stats implements ros.Peer.
func (e *Endpoint) Stats() ros.EndpointStats {
	stats := e.counters()
	// A library may report no event for what is read here, as reading resets it.
	if e.delivery != nil && e.told.differs(stats) {
		e.delivery.hush()
	}
	return stats
}

func (e *Endpoint) counters() ros.EndpointStats {
	stats := ros.EndpointStats{Samples: e.samples.Load(), Missed: e.missed.Load(), Refused: e.refused.Load()}
	if e.Acquire() {
		defer e.Release()
		e.entity.Count(&stats)
	}
	return stats
}

// Close implements ros.Peer.
func (e *Endpoint) Close() error {
	e.closing.Do(func() {
		if e.delivery != nil {
			e.delivery.halt()
		}
		e.leave()
		e.use.Lock()
		e.err = e.entity.Delete()
		e.deleted = true
		e.use.Unlock()
		e.changes.announce()
	})
	return e.err
}

//go:build fastdds && cgo

package fastdds

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// writeTimeout bounds how long a reliable writer waits for slow readers.
const writeTimeout = 100 * time.Millisecond

// endpoint holds the common parts of readers and writers.
type endpoint struct {
	participant *participant
	tag         int64
	guid        ros.GUID
	wake        func() // called when data has arrived; readers only
	silence     func() // called after a missed deadline or a change of liveliness; nil if not requested
	told        peer.Told
	settle      func()              // called before the entity is deleted; readers only
	foreign     func(ros.GUID) bool // which matches count; nil: all

	// use is held for reading while the entity is used, and for writing when
	// it is deleted; entity is nil afterwards.
	use    sync.RWMutex
	entity *C.fd_endpoint

	changes *peer.Changes

	samples, missed, refused atomic.Uint64

	closing sync.Once
	err     error
}

// newEndpoint creates the entity with create.
func (p *participant) newEndpoint(o ros.Endpoint, e *endpoint, create func(*C.fd_endpoint_options, C.int64_t, **C.char) *C.fd_endpoint) error {
	if o.Topic == "" || o.Type == "" {
		return errors.New("fastdds: an endpoint needs a topic and a type")
	}
	if err := o.QoS.Validate(); err != nil {
		return err
	}
	if o.QoS.HistoryDepth() > math.MaxInt32 {
		return fmt.Errorf("fastdds: history depth %d does not fit in 32 bits", o.QoS.Depth)
	}
	c, free := cOptions(o)
	defer free()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ros.ErrClosed
	}
	p.tags++
	e.participant, e.tag, e.changes = p, p.tags, peer.NewChanges()
	var failure *C.char
	if e.entity = create(c, C.int64_t(e.tag), &failure); e.entity == nil {
		return fmt.Errorf("fastdds: topic %s of type %s: %w", o.Topic, o.Type, failed(failure))
	}
	e.guid = guidOf(func(guid *C.uchar) { C.fd_endpoint_guid(e.entity, guid) })
	p.endpoints[e.tag] = e
	return nil
}

func cOptions(o ros.Endpoint) (c *C.fd_endpoint_options, free func()) {
	topic, typeName, userData := C.CString(o.Topic), C.CString(o.Type), C.CString(o.UserData)
	c = &C.fd_endpoint_options{
		topic: topic, _type: typeName,
		user_data: userData, user_data_size: C.size_t(len(o.UserData)),
		reliable:        C.bool(o.QoS.Reliability == ros.Reliable),
		transient_local: C.bool(o.QoS.Durability == ros.TransientLocal),
		depth:           C.int32_t(o.QoS.HistoryDepth()),
		lifespan:        C.int64_t(o.QoS.Lifespan),
		deadline:        C.int64_t(o.QoS.Deadline),
		lease:           C.int64_t(o.QoS.Lease),
		max_blocking:    C.int64_t(writeTimeout),
	}
	return c, func() {
		C.free(unsafe.Pointer(topic))
		C.free(unsafe.Pointer(typeName))
		C.free(unsafe.Pointer(userData))
	}
}

// acquire keeps the entity from being deleted until release. It returns false if the entity
// has been deleted.
func (e *endpoint) acquire() bool {
	e.use.RLock()
	if e.entity == nil {
		e.use.RUnlock()
		return false
	}
	return true
}

func (e *endpoint) release() { e.use.RUnlock() }

// notice handles events.
func (e *endpoint) notice(what C.uint32_t) {
	if what&C.FD_DATA != 0 && e.wake != nil {
		e.wake()
	}
	if what&C.FD_MATCHES != 0 {
		e.changes.Announce()
	}
	if what&C.FD_SILENCE != 0 && e.silence != nil {
		e.silence()
	}
}

func (e *endpoint) GUID() ros.GUID { return e.guid }

func (e *endpoint) Matches() []ros.Match {
	matches, _, _ := e.matches()
	return matches
}

func (e *endpoint) matches() (matches []ros.Match, unfinished bool, err error) {
	if !e.acquire() {
		return nil, false, ros.ErrClosed
	}
	defer e.release()
	var count, open C.size_t
	found := C.fd_matches(e.entity, &count, &open)
	err = each(found, count, func(f *C.fd_found) {
		if guid := goGUID(f.guid); e.foreign == nil || e.foreign(guid) {
			matches = append(matches, ros.Match{GUID: guid, UserData: foundUserData(f)})
		}
	})
	return matches, open > 0, err
}

func (e *endpoint) WaitMatches(ctx context.Context, ok func([]ros.Match) bool) error {
	return e.changes.Wait(ctx, e.matches, ok)
}

func (e *endpoint) Stats() ros.EndpointStats {
	stats := e.counters()
	if e.silence != nil && e.told.Differs(stats) {
		e.silence()
	}
	return stats
}

func (e *endpoint) counters() ros.EndpointStats {
	stats := ros.EndpointStats{Samples: e.samples.Load(), Missed: e.missed.Load(), Refused: e.refused.Load()}
	if !e.acquire() {
		return stats
	}
	defer e.release()
	var c C.fd_counters
	C.fd_read_counters(e.entity, &c)
	stats.Lost = uint64(c.lost)
	stats.DeadlineMissed = uint64(c.deadline_missed)
	stats.Alive, stats.NotAlive = int(c.alive), int(c.not_alive)
	if stats.Incompatible = uint64(c.incompatible); stats.Incompatible > 0 {
		stats.IncompatiblePolicy = C.GoString(c.incompatible_policy)
	}
	return stats
}

func (e *endpoint) Close() error {
	e.closing.Do(func() {
		if e.settle != nil {
			e.settle()
		}
		p := e.participant
		p.mu.Lock()
		delete(p.endpoints, e.tag)
		p.mu.Unlock()
		e.use.Lock()
		var failure *C.char
		if C.fd_delete(e.entity, &failure) != 0 {
			e.err = fmt.Errorf("fastdds: %w", failed(failure))
		}
		e.entity = nil
		e.use.Unlock()
		e.changes.Announce()
	})
	return e.err
}

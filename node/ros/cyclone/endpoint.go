//go:build cyclone && cgo

package cyclone

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
	isWriter    bool
	wake        func() // called when data has arrived; readers only
	silence     func() // called after a missed deadline or a change of liveliness; nil if not requested
	told        peer.Told
	settle      func() // called before the entity is deleted; readers only

	// use is held for reading while the entity is used, and for writing when
	// it is deleted; entity is 0 afterwards.
	use     sync.RWMutex
	entity  C.dds_entity_t
	sertype unsafe.Pointer // of samples; lives as long as the entity

	changes *peer.Changes

	samples, missed, refused atomic.Uint64

	closing sync.Once
	err     error
}

// Statuses that the waitset reports.
const (
	readerEvents = C.DDS_DATA_AVAILABLE_STATUS | C.DDS_SUBSCRIPTION_MATCHED_STATUS
	writerEvents = C.DDS_PUBLICATION_MATCHED_STATUS
	// And of readers whose user asks:
	silenceEvents = C.DDS_REQUESTED_DEADLINE_MISSED_STATUS | C.DDS_LIVELINESS_CHANGED_STATUS
)

// newEndpoint creates the entity with make and puts it under the waitset.
func (p *participant) newEndpoint(o ros.Endpoint, e *endpoint, make_ func(*C.fc_endpoint) C.dds_entity_t) error {
	if o.Topic == "" || o.Type == "" {
		return errors.New("cyclone: an endpoint needs a topic and a type")
	}
	if err := o.QoS.Validate(); err != nil {
		return err
	}
	if o.QoS.HistoryDepth() > math.MaxInt32 {
		return fmt.Errorf("cyclone: history depth %d does not fit in 32 bits", o.QoS.Depth)
	}
	c, free := cEndpoint(o)
	defer free()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ros.ErrClosed
	}
	entity := make_(c)
	err := check(entity)
	if err == nil {
		if e.guid, err = guidOf(entity); err != nil {
			C.dds_delete(entity)
		}
	}
	if err != nil {
		return fmt.Errorf("cyclone: topic %s of type %s: %w%s", o.Topic, o.Type, err, e.remedy(err))
	}
	p.tags++
	e.participant, e.tag, e.entity, e.changes = p, p.tags, entity, peer.NewChanges()
	p.endpoints[e.tag] = e
	return nil
}

// remedy says what to do if the enclave's permissions forbid an endpoint.
func (e *endpoint) remedy(err error) string {
	if !errors.Is(err, retcode(C.DDS_RETCODE_NOT_ALLOWED_BY_SECURITY)) {
		return ""
	}
	may := "subscribe"
	if e.isWriter {
		may = "publish"
	}
	return ": the enclave's permissions do not allow to " + may + " it; check that it is the right enclave, or add the topic and sign the permissions again"
}

// attach makes the waitset report the endpoint. It comes last, when everything
// that notice needs is in place.
func (e *endpoint) attach() error {
	events := C.uint32_t(readerEvents)
	if e.isWriter {
		events = writerEvents
	}
	if e.silence != nil {
		events |= silenceEvents
	}
	if err := check(C.fc_attach(e.participant.waitset, e.entity, C.int64_t(e.tag), events)); err != nil {
		e.close()
		return fmt.Errorf("cyclone: waitset: %w", err)
	}
	return nil
}

func cEndpoint(o ros.Endpoint) (c *C.fc_endpoint, free func()) {
	topic, typeName, userData := C.CString(o.Topic), C.CString(o.Type), C.CString(o.UserData)
	c = &C.fc_endpoint{
		topic: topic, _type: typeName,
		user_data: userData, user_data_size: C.uint32_t(len(o.UserData)),
		reliable:        C.bool(o.QoS.Reliability == ros.Reliable),
		transient_local: C.bool(o.QoS.Durability == ros.TransientLocal),
		depth:           C.int32_t(o.QoS.HistoryDepth()),
		lifespan:        C.int64_t(o.QoS.Lifespan),
		deadline:        C.int64_t(o.QoS.Deadline),
		lease:           C.int64_t(o.QoS.Lease),
		max_blocking:    C.int64_t(writeTimeout),
		ignore_local:    C.bool(o.IgnoreLocal),
		max_bytes:       C.uint32_t(o.MaxBytes),
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
	if e.entity == 0 {
		e.use.RUnlock()
		return false
	}
	return true
}

func (e *endpoint) release() { e.use.RUnlock() }

// notice handles the events that the waitset reported. It must reset every status that it
// finds, otherwise the waitset reports it again at once.
func (e *endpoint) notice() {
	if !e.acquire() {
		return
	}
	statuses := C.fc_statuses(e.entity)
	e.release()
	if statuses&C.DDS_DATA_AVAILABLE_STATUS != 0 {
		e.wake()
	}
	if statuses&(C.DDS_SUBSCRIPTION_MATCHED_STATUS|C.DDS_PUBLICATION_MATCHED_STATUS) != 0 {
		e.changes.Announce()
	}
	if statuses&silenceEvents != 0 {
		e.silence()
	}
}

func (e *endpoint) GUID() ros.GUID { return e.guid }

func (e *endpoint) Matches() []ros.Match {
	matches, _, _ := e.matches()
	return matches
}

// matches returns the matches, and whether further ones are pending.
func (e *endpoint) matches() (matches []ros.Match, unfinished bool, err error) {
	if !e.acquire() {
		return nil, false, ros.ErrClosed
	}
	defer e.release()
	var found *C.fc_found
	var count, open C.uint32_t
	err = check(C.fc_matches(e.entity, C.bool(e.isWriter), e.sertype, &found, &count, &open))
	defer C.fc_free_found(found, count)
	if err != nil {
		return nil, false, fmt.Errorf("cyclone: matches: %w", err)
	}
	matches = make([]ros.Match, 0, int(count))
	each(found, count, func(f *C.fc_found) {
		matches = append(matches, ros.Match{GUID: goGUID(f.guid), UserData: foundUserData(f)})
	})
	return matches, open > 0, nil
}

func (e *endpoint) WaitMatches(ctx context.Context, ok func([]ros.Match) bool) error {
	return e.changes.Wait(ctx, e.matches, ok)
}

func (e *endpoint) Stats() ros.EndpointStats {
	stats := e.counters()
	// Reading a status resets it, so the waitset may not report it.
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
	var c C.fc_counters
	if e.isWriter {
		C.fc_writer_counters(e.entity, &c)
	} else {
		C.fc_reader_counters(e.entity, &c)
	}
	stats.Lost = uint64(c.lost)
	stats.DeadlineMissed = uint64(c.deadline_missed)
	stats.Alive, stats.NotAlive = int(c.alive), int(c.not_alive)
	if stats.Incompatible = uint64(c.incompatible); stats.Incompatible > 0 {
		stats.IncompatiblePolicy = policyName(c.incompatible_policy)
	}
	return stats
}

// policyName names the policies in which endpoints of this package can differ from their
// peers.
func policyName(id C.uint32_t) string {
	switch id {
	case C.DDS_RELIABILITY_QOS_POLICY_ID:
		return "reliability"
	case C.DDS_DURABILITY_QOS_POLICY_ID:
		return "durability"
	case C.DDS_DEADLINE_QOS_POLICY_ID:
		return "deadline"
	case C.DDS_LIVELINESS_QOS_POLICY_ID:
		return "liveliness"
	case C.DDS_OWNERSHIP_QOS_POLICY_ID:
		return "ownership"
	case C.DDS_DATA_REPRESENTATION_QOS_POLICY_ID:
		return "data representation"
	}
	return fmt.Sprintf("policy %d", uint32(id))
}

func (e *endpoint) Close() error { return e.close() }

func (e *endpoint) close() error {
	e.closing.Do(func() {
		if e.settle != nil {
			e.settle()
		}
		p := e.participant
		p.mu.Lock()
		delete(p.endpoints, e.tag)
		p.mu.Unlock()
		e.use.Lock()
		e.err = check(C.dds_delete(e.entity)) // detaches it from the waitset
		e.entity = 0
		e.use.Unlock()
		e.changes.Announce()
	})
	return e.err
}

//go:build fastdds && cgo

package fastdds

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// endpoint holds the common parts of readers and writers.
type endpoint struct {
	peer.Endpoint
	entity entity
}

// entity is a reader or writer of Fast DDS.
type entity struct {
	handle  *C.fd_endpoint
	foreign func(ros.GUID) bool // which matches count; nil: all
}

// newEndpoint creates the entity with create.
func (p *participant) newEndpoint(o ros.Endpoint, e *endpoint, create func(*C.fd_endpoint_options, C.int64_t, **C.char) *C.fd_endpoint) error {
	if err := peer.Check(o); err != nil {
		return fmt.Errorf("fastdds: %w", err)
	}
	c, free := cOptions(o)
	defer free()
	return p.endpoints.Add(e, func(tag int64, leave func()) error {
		var failure *C.char
		if e.entity.handle = create(c, C.int64_t(tag), &failure); e.entity.handle == nil {
			return fmt.Errorf("fastdds: topic %s of type %s: %w", o.Topic, o.Type, failed(failure))
		}
		e.Open(&e.entity, guidOf(func(guid *C.uchar) { C.fd_endpoint_guid(e.entity.handle, guid) }), leave)
		return nil
	})
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
		max_blocking:    C.int64_t(peer.WriteTimeout),
	}
	return c, func() {
		C.free(unsafe.Pointer(topic))
		C.free(unsafe.Pointer(typeName))
		C.free(unsafe.Pointer(userData))
	}
}

// notice handles events.
func (e *endpoint) notice(what C.uint32_t) {
	e.Notice(what&C.FD_DATA != 0, what&C.FD_MATCHES != 0, what&C.FD_SILENCE != 0)
}

// Matches implements peer.Entity.
func (e *entity) Matches() (matches []ros.Match, unfinished bool, err error) {
	var count, open C.size_t
	found := C.fd_matches(e.handle, &count, &open)
	err = each(found, count, func(f *C.fd_found) {
		if guid := peer.GUID(f.guid); e.foreign == nil || e.foreign(guid) {
			matches = append(matches, ros.Match{GUID: guid, UserData: foundUserData(f)})
		}
	})
	return matches, open > 0, err
}

// Count implements peer.Entity.
func (e *entity) Count(stats *ros.EndpointStats) {
	var c C.fd_counters
	C.fd_read_counters(e.handle, &c)
	stats.Lost = uint64(c.lost)
	stats.DeadlineMissed = uint64(c.deadline_missed)
	stats.Alive, stats.NotAlive = int(c.alive), int(c.not_alive)
	if stats.Incompatible = uint64(c.incompatible); stats.Incompatible > 0 {
		stats.IncompatiblePolicy = C.GoString(c.incompatible_policy)
	}
}

// Delete implements peer.Entity.
func (e *entity) Delete() error {
	var failure *C.char
	if C.fd_delete(e.handle, &failure) != 0 {
		return fmt.Errorf("fastdds: %w", failed(failure))
	}
	return nil
}

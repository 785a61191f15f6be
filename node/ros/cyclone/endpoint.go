//go:build cyclone && cgo

package cyclone

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// endpoint holds the common parts of readers and writers.
type endpoint struct {
	peer.Endpoint
	entity entity
	tag    int64 // under which the waitset reports it
}

// entity is a reader or writer of Cyclone DDS.
type entity struct {
	handle   C.dds_entity_t
	isWriter bool
	sertype  unsafe.Pointer // of samples; lives as long as the entity
}

// Statuses that the waitset reports.
const (
	readerEvents = C.DDS_DATA_AVAILABLE_STATUS | C.DDS_SUBSCRIPTION_MATCHED_STATUS
	writerEvents = C.DDS_PUBLICATION_MATCHED_STATUS
	// And of readers whose user asks:
	silenceEvents = C.DDS_REQUESTED_DEADLINE_MISSED_STATUS | C.DDS_LIVELINESS_CHANGED_STATUS
)

// newEndpoint creates the entity with create.
func (p *participant) newEndpoint(o ros.Endpoint, e *endpoint, create func(*C.fc_endpoint) C.dds_entity_t) error {
	if err := peer.Check(o); err != nil {
		return fmt.Errorf("cyclone: %w", err)
	}
	c, free := cEndpoint(o)
	defer free()
	return p.endpoints.Add(e, func(tag int64, leave func()) error {
		e.tag, e.entity.handle = tag, create(c)
		err := check(e.entity.handle)
		var guid ros.GUID
		if err == nil {
			if guid, err = guidOf(e.entity.handle); err != nil {
				C.dds_delete(e.entity.handle)
			}
		}
		if err != nil {
			return fmt.Errorf("cyclone: topic %s of type %s: %w%s", o.Topic, o.Type, err, e.entity.remedy(err))
		}
		e.Open(&e.entity, guid, leave)
		return nil
	})
}

// remedy says what to do if the enclave's permissions forbid an endpoint.
func (e *entity) remedy(err error) string {
	if !errors.Is(err, retcode(C.DDS_RETCODE_NOT_ALLOWED_BY_SECURITY)) {
		return ""
	}
	may := "subscribe"
	if e.isWriter {
		may = "publish"
	}
	return ": the enclave's permissions do not allow to " + may + " it; check that it is the right enclave, or add the topic and sign the permissions again"
}

// attach makes the waitset report the endpoint. It comes last, when everything that notice
// needs is in place.
func (p *participant) attach(e *endpoint, events C.uint32_t) error {
	if err := check(C.fc_attach(p.waitset, e.entity.handle, C.int64_t(e.tag), events)); err != nil {
		e.Close()
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
		max_blocking:    C.int64_t(peer.WriteTimeout),
		ignore_local:    C.bool(o.IgnoreLocal),
		max_bytes:       C.uint32_t(o.MaxBytes),
	}
	return c, func() {
		C.free(unsafe.Pointer(topic))
		C.free(unsafe.Pointer(typeName))
		C.free(unsafe.Pointer(userData))
	}
}

// notice handles the events that the waitset reported. It must reset every status that it
// finds, otherwise the waitset reports it again at once.
func (e *endpoint) notice() {
	if !e.Acquire() {
		return
	}
	statuses := C.fc_statuses(e.entity.handle)
	e.Release()
	const matched = C.DDS_SUBSCRIPTION_MATCHED_STATUS | C.DDS_PUBLICATION_MATCHED_STATUS
	e.Notice(statuses&C.DDS_DATA_AVAILABLE_STATUS != 0, statuses&matched != 0, statuses&silenceEvents != 0)
}

// Matches implements peer.Entity.
func (e *entity) Matches() (matches []ros.Match, unfinished bool, err error) {
	var found *C.fc_found
	var count, open C.uint32_t
	err = check(C.fc_matches(e.handle, C.bool(e.isWriter), e.sertype, &found, &count, &open))
	defer C.fc_free_found(found, count)
	if err != nil {
		return nil, false, fmt.Errorf("cyclone: matches: %w", err)
	}
	matches = make([]ros.Match, 0, int(count))
	each(found, count, func(f *C.fc_found) {
		matches = append(matches, ros.Match{GUID: peer.GUID(f.guid), UserData: foundUserData(f)})
	})
	return matches, open > 0, nil
}

// Count implements peer.Entity.
func (e *entity) Count(stats *ros.EndpointStats) {
	var c C.fc_counters
	if e.isWriter {
		C.fc_writer_counters(e.handle, &c)
	} else {
		C.fc_reader_counters(e.handle, &c)
	}
	stats.Lost = uint64(c.lost)
	stats.DeadlineMissed = uint64(c.deadline_missed)
	stats.Alive, stats.NotAlive = int(c.alive), int(c.not_alive)
	if stats.Incompatible = uint64(c.incompatible); stats.Incompatible > 0 {
		stats.IncompatiblePolicy = policyName(c.incompatible_policy)
	}
}

// Delete implements peer.Entity. It also detaches the entity from the waitset.
func (e *entity) Delete() error { return check(C.dds_delete(e.handle)) }

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

//go:build cyclone && cgo

package cyclone

// #cgo pkg-config: CycloneDDS
// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// Available reports whether the transport was built in.
const Available = true

// Transport carries messages over Cyclone DDS. The zero value is ready.
type Transport struct{}

// Name is "cyclone".
func (Transport) Name() string { return "cyclone" }

// Open joins a domain. Participants of one process and domain share its network settings.
// Settings that differ from those of the first participant are an error.
func (Transport) Open(o ros.ParticipantOptions) (ros.Participant, error) {
	silence := listen(o.Log)
	if err := joinDomain(o.Domain, domainConfig(o.Network, withoutSharedMemory())); err != nil {
		silence()
		return nil, err
	}
	p := &participant{domain: o.Domain, silence: silence, dispatched: make(chan struct{})}
	if err := p.create(o); err != nil {
		p.delete()
		if secured(o.Properties) {
			err = fmt.Errorf("%w: check that the keys match and are valid today, and that governance and permissions name this domain; Cyclone DDS has written details to standard error", err)
		}
		return nil, fmt.Errorf("cyclone: participant in domain %d: %w", o.Domain, err)
	}
	go p.dispatch()
	return p, nil
}

// participant owns one waitset. One goroutine waits in it, in C, and wakes the goroutines of
// the readers and those that wait for matches.
type participant struct {
	domain  int
	entity  C.dds_entity_t
	waitset C.dds_entity_t
	stop    C.dds_entity_t // a guard condition
	guid    ros.GUID

	endpoints  peer.Endpoints[*endpoint]
	writers    writers       // used in endpoints.While
	dispatched chan struct{} // closed when dispatch returns

	closing sync.Once
	err     error
	silence func() // of the log
}

// stopTag is what the waitset reports when the guard condition is set.
const stopTag = 0

func (p *participant) create(o ros.ParticipantOptions) error {
	userData := C.CString(o.UserData)
	defer C.free(unsafe.Pointer(userData))
	properties := withPlugins(o.Properties)
	names := slices.Sorted(maps.Keys(properties))
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = properties[name]
	}
	cNames, freeNames := cStrings(names)
	defer freeNames()
	cValues, freeValues := cStrings(values)
	defer freeValues()
	p.entity = C.fc_participant(C.uint32_t(o.Domain), userData, C.uint32_t(len(o.UserData)), C.uint32_t(len(names)), cNames, cValues)
	if err := check(p.entity); err != nil {
		return err
	}
	var err error
	if p.guid, err = guidOf(p.entity); err != nil {
		return err
	}
	p.waitset = C.dds_create_waitset(p.entity)
	if err := check(p.waitset); err != nil {
		return err
	}
	p.stop = C.dds_create_guardcondition(p.entity)
	if err := check(p.stop); err != nil {
		return err
	}
	return check(C.fc_attach(p.waitset, p.stop, stopTag, 0))
}

// plugins are the security plugins of Cyclone DDS.
var plugins = map[string]string{
	"dds.sec.auth.library.path":       "dds_security_auth",
	"dds.sec.auth.library.init":       "init_authentication",
	"dds.sec.auth.library.finalize":   "finalize_authentication",
	"dds.sec.crypto.library.path":     "dds_security_crypto",
	"dds.sec.crypto.library.init":     "init_crypto",
	"dds.sec.crypto.library.finalize": "finalize_crypto",
	"dds.sec.access.library.path":     "dds_security_ac",
	"dds.sec.access.library.init":     "init_access_control",
	"dds.sec.access.library.finalize": "finalize_access_control",
}

// secured reports whether a participant with these properties has keys.
func secured(properties map[string]string) bool {
	return properties["dds.sec.auth.identity_ca"] != ""
}

// withPlugins adds the names of the plugins to the properties of a participant that has keys,
// unless they name others.
func withPlugins(properties map[string]string) map[string]string {
	if !secured(properties) {
		return properties
	}
	all := maps.Clone(plugins)
	maps.Copy(all, properties)
	return all
}

// cStrings copies strings into an array in C memory.
func cStrings(s []string) (array **C.char, free func()) {
	array = (**C.char)(C.calloc(C.size_t(len(s)+1), C.size_t(unsafe.Sizeof(*array))))
	view := unsafe.Slice(array, len(s)+1)
	for i := range s {
		view[i] = C.CString(s[i])
	}
	return array, func() {
		for _, c := range view {
			C.free(unsafe.Pointer(c))
		}
		C.free(unsafe.Pointer(array))
	}
}

func guidOf(entity C.dds_entity_t) (ros.GUID, error) {
	var guid [C.FC_GUID]C.uchar
	if err := check(C.fc_guid(entity, &guid[0])); err != nil {
		return ros.GUID{}, err
	}
	return peer.GUID(guid), nil
}

// dispatch wakes endpoints until the participant closes.
func (p *participant) dispatch() {
	defer close(p.dispatched)
	var tags [C.FC_EVENTS]C.int64_t
	for {
		n := C.fc_wait(p.waitset, &tags[0])
		if n < 0 {
			return
		}
		for _, tag := range tags[:n] {
			if tag == stopTag {
				return
			}
			if e, open := p.endpoints.Find(int64(tag)); open {
				e.notice()
			}
		}
	}
}

func (p *participant) GUID() ros.GUID { return p.guid }

func (p *participant) Discovered() (d ros.Discovered, err error) {
	err = p.endpoints.While(func() error {
		return errors.Join(
			p.discovered(C.FC_PARTICIPANTS, func(f *C.fc_found) {
				d.Participants = append(d.Participants, ros.DiscoveredParticipant{GUID: peer.GUID(f.guid), UserData: foundUserData(f)})
			}),
			p.discovered(C.FC_WRITERS, func(f *C.fc_found) { d.Writers = append(d.Writers, goEndpoint(f)) }),
			p.discovered(C.FC_READERS, func(f *C.fc_found) { d.Readers = append(d.Readers, goEndpoint(f)) }),
		)
	})
	if err != nil {
		return ros.Discovered{}, err
	}
	return d, nil
}

func (p *participant) discovered(kind C.enum_fc_kind, do func(*C.fc_found)) error {
	var found *C.fc_found
	var count C.uint32_t
	err := check(C.fc_discovered(p.entity, kind, &found, &count))
	defer C.fc_free_found(found, count)
	if err != nil {
		return fmt.Errorf("cyclone: discovery: %w", err)
	}
	each(found, count, do)
	return nil
}

func each(found *C.fc_found, count C.uint32_t, do func(*C.fc_found)) {
	view := unsafe.Slice(found, int(count))
	for i := range view {
		do(&view[i])
	}
}

// foundUserData returns the user data that a peer announces, truncated to its bound: it is
// copied for each of a topic's peers at every query.
func foundUserData(f *C.fc_found) string {
	return C.GoStringN((*C.char)(f.user_data), C.int(min(f.user_data_size, limit.UserDataBytes)))
}

func goEndpoint(f *C.fc_found) ros.DiscoveredEndpoint {
	e := ros.DiscoveredEndpoint{
		GUID: peer.GUID(f.guid), Participant: peer.GUID(f.participant), UserData: foundUserData(f),
		QoS: ros.QoS{
			Lifespan: time.Duration(f.lifespan), Deadline: time.Duration(f.deadline),
			Lease: time.Duration(f.lease), Liveliness: ros.Liveliness(f.liveliness), // the kinds have the numbers of DDS
		},
	}
	if f.topic != nil {
		e.Topic = C.GoString(f.topic)
	}
	if f._type != nil {
		e.Type = C.GoString(f._type)
	}
	if !f.reliable {
		e.QoS.Reliability = ros.BestEffort
	}
	if f.transient_local {
		e.QoS.Durability = ros.TransientLocal
	}
	return e
}

// Close deletes the participant's endpoints, then itself, then the domain if
// nothing else in this process uses it.
func (p *participant) Close() error {
	p.closing.Do(func() {
		err := p.endpoints.Close()
		C.dds_set_guardcondition(p.stop, true)
		<-p.dispatched
		p.err = errors.Join(err, p.delete())
	})
	return p.err
}

// delete deletes the entities that create made; all of them belong to the participant.
func (p *participant) delete() error {
	var err error
	if p.entity > 0 {
		err = check(C.dds_delete(p.entity))
	}
	defer p.silence()
	return errors.Join(err, leaveDomain(p.domain))
}

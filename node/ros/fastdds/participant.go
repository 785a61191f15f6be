//go:build fastdds && cgo

package fastdds

// #cgo CXXFLAGS: -std=c++17
// #cgo LDFLAGS: -lfastrtps -lfastcdr
// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// Available reports whether the transport was built in.
const Available = true

// Transport carries messages over Fast DDS. The zero value is ready.
type Transport struct{}

// Name is "fastdds".
func (Transport) Name() string { return "fastdds" }

var setup sync.Once

// Open joins a domain.
func (Transport) Open(o ros.ParticipantOptions) (ros.Participant, error) {
	if len(o.Properties) > 0 {
		return nil, errors.New("fastdds: a secured graph is not supported on Fast DDS, and the node does not start without its keys; build the program with Cyclone DDS and run all nodes with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp")
	}
	setup.Do(func() { C.fd_setup() })
	p := &participant{silence: library.Listen(o.Log), dispatched: make(chan struct{})}
	userData := C.CString(o.UserData)
	defer C.free(unsafe.Pointer(userData))
	network, free := cNetwork(o.Network)
	defer free()
	var failure *C.char
	p.entity = C.fd_open(C.uint32_t(o.Domain), userData, C.size_t(len(o.UserData)), network, &failure)
	if p.entity == nil {
		p.silence()
		return nil, fmt.Errorf("fastdds: participant in domain %d: %w", o.Domain, failed(failure))
	}
	p.guid = guidOf(func(guid *C.uchar) { C.fd_participant_guid(p.entity, guid) })
	go p.dispatch()
	return p, nil
}

// failed returns the error that a call of the bridge left, and frees its text.
func failed(text *C.char) error {
	defer C.free(unsafe.Pointer(text))
	return errors.New(C.GoString(text))
}

// participant owns the goroutine that waits for events, in C.
type participant struct {
	entity *C.fd_participant
	guid   ros.GUID

	endpoints  peer.Endpoints[*endpoint]
	dispatched chan struct{} // closed when dispatch returns

	closing sync.Once
	err     error
	silence func() // of the log
}

func guidOf(read func(*C.uchar)) ros.GUID {
	var guid [C.FD_GUID]C.uchar
	read(&guid[0])
	return peer.GUID(guid)
}

// dispatch wakes endpoints until the participant closes.
func (p *participant) dispatch() {
	defer close(p.dispatched)
	var events [C.FD_EVENTS]C.fd_event
	for {
		n := C.fd_wait(p.entity, &events[0])
		if n == 0 {
			return
		}
		for _, event := range events[:n] {
			if e, open := p.endpoints.Find(int64(event.tag)); open {
				e.notice(event.what)
			}
		}
	}
}

func (p *participant) GUID() ros.GUID { return p.guid }

// Close deletes the participant's endpoints, then itself.
func (p *participant) Close() error {
	p.closing.Do(func() {
		err := p.endpoints.Close()
		C.fd_stop(p.entity)
		<-p.dispatched
		var failure *C.char
		if C.fd_close(p.entity, &failure) != 0 {
			err = errors.Join(err, fmt.Errorf("fastdds: %w", failed(failure)))
		}
		p.silence()
		p.err = err
	})
	return p.err
}

//go:build fastdds && cgo

package fastdds

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"strings"
	"time"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

func (p *participant) Discovered() (d ros.Discovered, err error) {
	err = p.endpoints.While(func() error {
		return errors.Join(
			p.discovered(C.FD_PARTICIPANTS, nil, func(f *C.fd_found) {
				d.Participants = append(d.Participants, ros.DiscoveredParticipant{GUID: peer.GUID(f.guid), UserData: foundUserData(f)})
			}),
			p.discovered(C.FD_WRITERS, nil, func(f *C.fd_found) { d.Writers = append(d.Writers, goEndpoint(f)) }),
			p.discovered(C.FD_READERS, nil, func(f *C.fd_found) { d.Readers = append(d.Readers, goEndpoint(f)) }),
		)
	})
	if err != nil {
		return ros.Discovered{}, err
	}
	return d, nil
}

func (p *participant) WritersOn(topics ...string) (on []ros.DiscoveredEndpoint, err error) {
	err = p.endpoints.While(func() error {
		if len(topics) == 0 {
			return nil
		}
		return p.discovered(C.FD_WRITERS, topics, func(f *C.fd_found) { on = append(on, goEndpoint(f)) })
	})
	return on, err
}

// discovered calls do for what is known, and with topics that are not nil for endpoints on
// these.
func (p *participant) discovered(kind C.enum_fd_kind, topics []string, do func(*C.fd_found)) error {
	var names **C.char
	if topics != nil {
		var free func()
		names, free = cStrings(topics)
		defer free()
	}
	var count C.size_t
	return each(C.fd_discovered(p.entity, kind, names, &count), count, do)
}

// cStrings copies strings into an array in C memory that ends with NULL.
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

// each calls do for what was found, and frees it.
func each(found *C.fd_found, count C.size_t, do func(*C.fd_found)) error {
	if found == nil {
		return errors.New("fastdds: no memory for what is discovered")
	}
	defer C.fd_free_found(found, count)
	view := unsafe.Slice(found, int(count))
	for i := range view {
		do(&view[i])
	}
	return nil
}

// foundUserData returns the user data that a peer announces, truncated to its bound. Peers on
// rmw_fastrtps end those of a participant with a zero byte.
func foundUserData(f *C.fd_found) string {
	return strings.TrimRight(C.GoStringN(f.user_data, C.int(min(f.user_data_size, limit.UserDataBytes))), "\x00")
}

func goEndpoint(f *C.fd_found) ros.DiscoveredEndpoint {
	e := ros.DiscoveredEndpoint{
		GUID: peer.GUID(f.guid), Participant: peer.GUID(f.participant),
		Topic: C.GoString(f.topic), Type: C.GoString(f._type), UserData: foundUserData(f),
		QoS: ros.QoS{
			Lifespan: time.Duration(f.lifespan), Deadline: time.Duration(f.deadline),
			Lease: time.Duration(f.lease), Liveliness: ros.Liveliness(f.liveliness), // the kinds have the numbers of DDS
		},
	}
	if !f.reliable {
		e.QoS.Reliability = ros.BestEffort
	}
	if f.transient_local {
		e.QoS.Durability = ros.TransientLocal
	}
	return e
}

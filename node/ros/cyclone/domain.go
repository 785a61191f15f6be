//go:build cyclone && cgo

package cyclone

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// domain is a DDS domain of this process. libddsc configures a domain once,
// when it is created, so its participants share it and the last one deletes it.
type domain struct {
	handle C.dds_entity_t
	config string
	users  int
}

// domains are all domains of this process, as in libddsc itself.
var domains = struct {
	sync.Mutex
	byID map[int]*domain
}{byID: map[int]*domain{}}

// withoutSharedMemory disables the exchange through shared memory, which the opaque sertype
// does not support. A library built without it does not have the setting.
func withoutSharedMemory() string {
	if !C.fc_has_shared_memory {
		return ""
	}
	return "<CycloneDDS><Domain><SharedMemory><Enable>false</Enable></SharedMemory></Domain></CycloneDDS>"
}

// joinDomain counts one more user of a domain and creates it for the first.
func joinDomain(id int, config string) error {
	domains.Lock()
	defer domains.Unlock()
	if d := domains.byID[id]; d != nil {
		if d.config != config {
			return fmt.Errorf("cyclone: domain %d is already in use in this process with other network settings: %q, now %q", id, d.config, config)
		}
		d.users++
		return nil
	}
	C.fc_bounds(limit.HeadBytes, limit.SmallMessageBytes, limit.WaitingMessageBytes)
	text := C.CString(config)
	defer C.free(unsafe.Pointer(text))
	handle := C.fc_domain(C.uint32_t(id), text)
	if handle < 0 {
		return fmt.Errorf("cyclone: domain %d: %w; either too many processes of it are on this machine (MaxAutoParticipantIndex), or its configuration is wrong: %s", id, retcode(handle), config)
	}
	domains.byID[id] = &domain{handle: handle, config: config, users: 1}
	return nil
}

// leaveDomain counts one user less and deletes the domain after the last.
func leaveDomain(id int) error {
	domains.Lock()
	defer domains.Unlock()
	d := domains.byID[id]
	if d.users--; d.users > 0 {
		return nil
	}
	delete(domains.byID, id)
	return check(C.dds_delete(d.handle))
}

// retcode is an error code of libddsc.
type retcode int32

func (r retcode) Error() string { return C.GoString(C.dds_strretcode(C.dds_return_t(r))) }

func check(rc C.dds_return_t) error {
	if rc < 0 {
		return retcode(rc)
	}
	return nil
}

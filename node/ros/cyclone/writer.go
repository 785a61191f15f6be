//go:build cyclone && cgo

package cyclone

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

type writer struct {
	endpoint

	mu       sync.Mutex
	sequence uint64
}

func (p *participant) NewWriter(o ros.Endpoint) (ros.Writer, error) {
	w := &writer{endpoint: endpoint{entity: entity{isWriter: true}}}
	err := p.newEndpoint(o, &w.endpoint, func(c *C.fc_endpoint) C.dds_entity_t {
		return C.fc_writer(p.entity, c, &w.entity.sertype)
	})
	if err != nil {
		return nil, err
	}
	if err := p.attach(&w.endpoint, writerEvents); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *writer) Write(data []byte) error {
	if err := peer.CheckMessage(len(data)); err != nil {
		return fmt.Errorf("cyclone: %w", err)
	}
	if !w.Acquire() {
		return ros.ErrClosed
	}
	defer w.Release()
	// The lock keeps sequence numbers in the order of writing.
	w.mu.Lock()
	defer w.mu.Unlock()
	err := check(C.fc_write(w.entity.handle, w.entity.sertype, unsafe.Pointer(&data[0]), C.uint32_t(len(data)), C.uint64_t(w.sequence+1)))
	switch {
	case errors.Is(err, retcode(C.DDS_RETCODE_TIMEOUT)):
		return ros.ErrWriteTimeout
	case err != nil:
		return fmt.Errorf("cyclone: write: %w", err)
	}
	w.sequence++
	w.Wrote()
	return nil
}

//go:build fastdds && cgo

package fastdds

// #include "bridge.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

type writer struct {
	endpoint
	mu sync.Mutex // keeps sequence numbers in the order of writing
}

func (p *participant) NewWriter(o ros.Endpoint) (ros.Writer, error) {
	w := &writer{}
	err := p.newEndpoint(o, &w.endpoint, func(c *C.fd_endpoint_options, tag C.int64_t, failure **C.char) *C.fd_endpoint {
		return C.fd_writer(p.entity, c, tag, failure)
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

func (w *writer) Write(data []byte) error {
	_, err := w.write(data, nil)
	return err
}

func (w *writer) WriteRelated(data []byte, related ros.SampleID) (sequence uint64, err error) {
	id := C.fd_identity{sequence: C.uint64_t(related.Sequence)}
	for i, b := range related.Writer {
		id.guid[i] = C.uchar(b)
	}
	return w.write(data, &id)
}

func (w *writer) write(data []byte, related *C.fd_identity) (sequence uint64, err error) {
	if err := peer.CheckMessage(len(data)); err != nil {
		return 0, fmt.Errorf("fastdds: %w", err)
	}
	if !w.Acquire() {
		return 0, ros.ErrClosed
	}
	defer w.Release()
	w.mu.Lock()
	defer w.mu.Unlock()
	n := C.fd_write(w.entity.handle, unsafe.Pointer(&data[0]), C.uint32_t(len(data)), related)
	if n < 0 {
		return 0, ros.ErrWriteTimeout
	}
	w.Wrote()
	return uint64(n), nil
}

//go:build cyclone && cgo

package cyclone

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

type writer struct {
	endpoint

	mu       sync.Mutex
	sequence uint64
}

func (p *participant) NewWriter(o ros.Endpoint) (ros.Writer, error) {
	w := &writer{endpoint: endpoint{isWriter: true}}
	err := p.newEndpoint(o, &w.endpoint, func(c *C.fc_endpoint) C.dds_entity_t {
		return C.fc_writer(p.entity, c, &w.sertype)
	})
	if err != nil {
		return nil, err
	}
	if err := w.attach(); err != nil {
		return nil, err
	}
	return w, nil
}

// minMessage is the encapsulation header alone.
const minMessage = 4

func (w *writer) Write(data []byte) error {
	if len(data) < minMessage || len(data) > math.MaxInt32 {
		return fmt.Errorf("cyclone: a message of %d bytes cannot be sent", len(data))
	}
	if !w.acquire() {
		return ros.ErrClosed
	}
	defer w.release()
	// The lock keeps sequence numbers in the order of writing.
	w.mu.Lock()
	defer w.mu.Unlock()
	err := check(C.fc_write(w.entity, w.sertype, unsafe.Pointer(&data[0]), C.uint32_t(len(data)), C.uint64_t(w.sequence+1)))
	switch {
	case errors.Is(err, retcode(C.DDS_RETCODE_TIMEOUT)):
		return ros.ErrWriteTimeout
	case err != nil:
		return fmt.Errorf("cyclone: write: %w", err)
	}
	w.sequence++
	w.samples.Add(1)
	return nil
}

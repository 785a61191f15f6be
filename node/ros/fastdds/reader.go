//go:build fastdds && cgo

package fastdds

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"time"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

type reader struct {
	endpoint
	delivery *peer.Delivery
	receive  func(ros.Sample)
	admit    func(writer ros.GUID) bool // nil: all
	maxBytes int

	numbers peer.Numbers // used by the reader's goroutine only
}

func (p *participant) NewReader(o ros.Endpoint, receive func(ros.Sample)) (ros.Reader, error) {
	r := &reader{receive: receive, admit: o.Admit, maxBytes: o.MaxBytes, delivery: peer.NewDelivery()}
	r.wake, r.settle = r.delivery.Wake, r.delivery.Halt
	if o.Silence != nil {
		r.silence = r.delivery.Event
	}
	if o.IgnoreLocal {
		r.foreign = func(writer ros.GUID) bool { return !writer.SameParticipant(p.guid) }
	}
	err := p.newEndpoint(o, &r.endpoint, func(c *C.fd_endpoint_options, tag C.int64_t, failure **C.char) *C.fd_endpoint {
		return C.fd_reader(p.entity, c, tag, failure)
	})
	if err != nil {
		return nil, err
	}
	r.delivery.Start(r.takeOne, func() {
		stats := r.counters()
		r.told.Set(stats)
		o.Silence(stats)
	})
	return r, nil
}

// takeOne delivers one sample and reports whether there was one. The entity exists: it is
// deleted after the delivery has ended.
func (r *reader) takeOne() bool {
	var c C.fd_sample
	if C.fd_take(r.entity, C.uint32_t(r.maxBytes), limit.HeadBytes, &c) != 1 {
		return false
	}
	defer C.free(unsafe.Pointer(c.data))
	s := ros.Sample{
		Size: int(c.whole), Writer: goGUID(c.identity.guid), Sequence: uint64(c.identity.sequence),
		Related: ros.SampleID{Writer: goGUID(c.related.guid), Sequence: uint64(c.related.sequence)},
	}
	if !bool(c.valid) || r.foreign != nil && !r.foreign(s.Writer) {
		return true
	}
	if c.source_time > 0 {
		s.SourceTime = time.Unix(0, int64(c.source_time))
	}
	r.missed.Add(r.numbers.Missed(s))
	if r.admit != nil && !r.admit(s.Writer) {
		r.refused.Add(1)
		return true
	}
	s.Data = C.GoBytes(unsafe.Pointer(c.data), C.int(c.size))
	r.samples.Add(1)
	r.receive(s)
	return true
}

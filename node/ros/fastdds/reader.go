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
	maxBytes int
}

func (p *participant) NewReader(o ros.Endpoint, receive func(ros.Sample)) (ros.Reader, error) {
	r := &reader{maxBytes: o.MaxBytes}
	r.delivery = peer.NewDelivery(&r.Endpoint, o, receive)
	if o.IgnoreLocal {
		r.entity.foreign = func(writer ros.GUID) bool { return !writer.SameParticipant(p.guid) }
	}
	err := p.newEndpoint(o, &r.endpoint, func(c *C.fd_endpoint_options, tag C.int64_t, failure **C.char) *C.fd_endpoint {
		return C.fd_reader(p.entity, c, tag, failure)
	})
	if err != nil {
		return nil, err
	}
	r.delivery.Start(r.takeOne)
	return r, nil
}

// takeOne delivers one sample and reports whether there was one.
func (r *reader) takeOne() bool {
	var c C.fd_sample
	if C.fd_take(r.entity.handle, C.uint32_t(r.maxBytes), limit.HeadBytes, &c) != 1 {
		return false
	}
	defer C.free(unsafe.Pointer(c.data))
	s := ros.Sample{
		Size: int(c.whole), Writer: peer.GUID(c.identity.guid), Sequence: uint64(c.identity.sequence),
		Related: ros.SampleID{Writer: peer.GUID(c.related.guid), Sequence: uint64(c.related.sequence)},
	}
	if !bool(c.valid) || r.entity.foreign != nil && !r.entity.foreign(s.Writer) {
		return true
	}
	if c.source_time > 0 {
		s.SourceTime = time.Unix(0, int64(c.source_time))
	}
	if !r.delivery.Admit(s) {
		return true
	}
	s.Data = C.GoBytes(unsafe.Pointer(c.data), C.int(c.size))
	r.delivery.Receive(s)
	return true
}

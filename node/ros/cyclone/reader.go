//go:build cyclone && cgo

package cyclone

// #include "bridge.h"
import "C"

import (
	"encoding/binary"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

type reader struct {
	endpoint
	delivery *peer.Delivery
	receive  func(ros.Sample)
	admit    func(writer ros.GUID) bool // nil: all

	// Used by the reader's goroutine only:
	writers map[uint64]ros.GUID // by publication handle
	numbers peer.Numbers
}

func (p *participant) NewReader(o ros.Endpoint, receive func(ros.Sample)) (ros.Reader, error) {
	r := &reader{receive: receive, admit: o.Admit, delivery: peer.NewDelivery(), writers: map[uint64]ros.GUID{}}
	r.wake, r.settle = r.delivery.Wake, r.delivery.Halt
	if o.Silence != nil {
		r.silence = r.delivery.Event
	}
	err := p.newEndpoint(o, &r.endpoint, func(c *C.fc_endpoint) C.dds_entity_t {
		return C.fc_reader(p.entity, c, &r.sertype)
	})
	if err != nil {
		return nil, err
	}
	r.delivery.Start(r.takeOne, func() {
		stats := r.counters()
		r.told.Set(stats)
		o.Silence(stats)
	})
	if err := r.attach(); err != nil {
		return nil, err
	}
	return r, nil
}

// takeOne delivers one sample and reports whether there was one. The entity exists: it is
// deleted after the delivery has ended.
func (r *reader) takeOne() bool {
	var c C.fc_sample
	if C.fc_take(r.entity, &c) != 1 {
		return false
	}
	if !c.valid {
		C.fc_release(&c)
		return true
	}
	s := r.head(&c)
	r.missed.Add(r.numbers.Missed(s))
	if r.admit != nil && !r.admit(s.Writer) {
		C.fc_release(&c)
		r.refused.Add(1)
		return true
	}
	s.Data = C.GoBytes(c.data, C.int(c.size))
	s.Data[3] &^= paddingBits
	C.fc_release(&c)
	r.samples.Add(1)
	r.receive(s)
	return true
}

// paddingBits of the header's options give the length of the padding after the body. The
// sample holds neither.
const paddingBits = 3

// head returns the metadata of a sample.
func (r *reader) head(c *C.fc_sample) ros.Sample {
	s := ros.Sample{Size: int(c.whole), Writer: r.writer(uint64(c.publication))}
	if c.source_time > 0 {
		s.SourceTime = time.Unix(0, int64(c.source_time))
	}
	// The sequence number was found beside the sample, with the entity id of the writer that
	// it belongs to.
	if c.writer == 0 || uint32(c.writer) == binary.BigEndian.Uint32(s.Writer[12:]) {
		s.Sequence = uint64(c.sequence)
	}
	return s
}

// writer returns the writer of a sample, zero if the writer has already gone.
func (r *reader) writer(publication uint64) ros.GUID {
	if guid, known := r.writers[publication]; known {
		return guid
	}
	var guid [C.FC_GUID]C.uchar
	if !C.fc_publication(r.entity, C.uint64_t(publication), &guid[0]) {
		return ros.GUID{}
	}
	if len(r.writers) >= peer.MaxRemembered {
		clear(r.writers)
	}
	r.writers[publication] = goGUID(guid)
	return goGUID(guid)
}

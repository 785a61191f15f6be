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
	writers  map[uint64]ros.GUID // by publication handle; used by the reader's goroutine only
}

func (p *participant) NewReader(o ros.Endpoint, receive func(ros.Sample)) (ros.Reader, error) {
	r := &reader{writers: map[uint64]ros.GUID{}}
	r.delivery = peer.NewDelivery(&r.Endpoint, o, receive)
	err := p.newEndpoint(o, &r.endpoint, func(c *C.fc_endpoint) C.dds_entity_t {
		return C.fc_reader(p.entity, c, &r.entity.sertype)
	})
	if err != nil {
		return nil, err
	}
	r.delivery.Start(r.takeOne)
	events := C.uint32_t(readerEvents)
	if o.Silence != nil {
		events |= silenceEvents
	}
	if err := p.attach(&r.endpoint, events); err != nil {
		return nil, err
	}
	return r, nil
}

// takeOne delivers one sample and reports whether there was one.
func (r *reader) takeOne() bool {
	var c C.fc_sample
	if C.fc_take(r.entity.handle, &c) != 1 {
		return false
	}
	if !c.valid {
		C.fc_release(&c)
		return true
	}
	s := r.head(&c)
	if !r.delivery.Admit(s) {
		C.fc_release(&c)
		return true
	}
	s.Data = C.GoBytes(c.data, C.int(c.size))
	s.Data[3] &^= paddingBits
	C.fc_release(&c)
	r.delivery.Receive(s)
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
	if !C.fc_publication(r.entity.handle, C.uint64_t(publication), &guid[0]) {
		return ros.GUID{}
	}
	if len(r.writers) >= peer.MaxRemembered {
		clear(r.writers)
	}
	r.writers[publication] = peer.GUID(guid)
	return peer.GUID(guid)
}

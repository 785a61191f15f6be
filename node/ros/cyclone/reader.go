//go:build cyclone && cgo

package cyclone

// #include "bridge.h"
import "C"

import (
	"encoding/binary"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

type reader struct {
	endpoint
	receive func(ros.Sample)
	admit   func(writer ros.GUID) bool // nil: all
	ready   chan struct{}              // holds a token when data may be there
	stop    chan struct{}
	done    chan struct{}
	events  chan struct{} // holds a token when there is a silence event to report
	quiet   chan struct{} // closed after the last call of silence

	// Used by the reader's goroutine only:
	writers map[uint64]ros.GUID // by publication handle
	last    map[ros.GUID]uint64 // sequence numbers
}

func (p *participant) NewReader(o ros.Endpoint, receive func(ros.Sample)) (ros.Reader, error) {
	r := &reader{
		receive: receive,
		admit:   o.Admit,
		ready:   make(chan struct{}, 1),
		stop:    make(chan struct{}),
		done:    make(chan struct{}),
		events:  make(chan struct{}, 1),
		quiet:   make(chan struct{}),
		writers: map[uint64]ros.GUID{},
		last:    map[ros.GUID]uint64{},
	}
	r.wake, r.settle = func() { signal(r.ready) }, r.halt
	if o.Silence != nil {
		r.silence = func() { signal(r.events) }
	}
	err := p.newEndpoint(o, &r.endpoint, func(c *C.fc_endpoint) C.dds_entity_t {
		return C.fc_reader(p.entity, c, &r.sertype)
	})
	if err != nil {
		return nil, err
	}
	go r.run()
	go r.tell(o.Silence)
	if err := r.attach(); err != nil {
		return nil, err
	}
	return r, nil
}

// signal leaves a token in a channel of capacity one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// halt ends the goroutines and waits for them.
func (r *reader) halt() {
	close(r.stop)
	<-r.done
	<-r.quiet
}

// tell calls silence after each event, until the reader is halted.
func (r *reader) tell(silence func(ros.EndpointStats)) {
	defer close(r.quiet)
	for {
		select {
		case <-r.events:
			stats := r.counters()
			r.told.set(stats)
			silence(stats)
		case <-r.stop:
			return
		}
	}
}

// run delivers samples one at a time and leaves the rest in the middleware's history, which
// drops the oldest when it is full.
func (r *reader) run() {
	defer close(r.done)
	for {
		select {
		case <-r.ready:
		case <-r.stop:
			return
		}
		for r.takeOne() {
			select {
			case <-r.stop:
				return
			default:
			}
		}
	}
}

// takeOne delivers one sample and reports whether there was one. The entity exists: it is
// deleted after run has returned.
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
	r.countMissed(s)
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

// maxRemembered bounds the number of former writers that are remembered.
const maxRemembered = 1024

// writer returns the writer of a sample, zero if the writer has already gone.
func (r *reader) writer(publication uint64) ros.GUID {
	if guid, known := r.writers[publication]; known {
		return guid
	}
	var guid [C.FC_GUID]C.uchar
	if !C.fc_publication(r.entity, C.uint64_t(publication), &guid[0]) {
		return ros.GUID{}
	}
	if len(r.writers) >= maxRemembered {
		clear(r.writers)
	}
	r.writers[publication] = goGUID(guid)
	return goGUID(guid)
}

func (r *reader) countMissed(s ros.Sample) {
	if s.Sequence == 0 || s.Writer.IsZero() {
		return
	}
	last, known := r.last[s.Writer]
	if known && s.Sequence > last+1 {
		r.missed.Add(s.Sequence - last - 1)
	}
	if len(r.last) >= maxRemembered {
		clear(r.last)
	}
	r.last[s.Writer] = s.Sequence
}

package ros

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Memory is a Transport inside one process, for tests and for running without DDS.
// Participants of one Memory and one domain discover each other at once.
//
// It fulfils the contract of the Transport interface and the rules of DDS for matching,
// reliability, transient-local durability, keep-last history, lifespan, deadline and
// liveliness. Nothing is lost in transport, so reliable and best effort differ in matching and
// history only. A KeepAll reader never blocks a writer. All participants live in one process,
// so no lease expires: a writer is alive until it is closed. Network and Properties are
// ignored.
type Memory struct {
	relates bool
	mu      sync.Mutex
	domains map[int]*memoryDomain
}

// NewMemory returns a transport whose domains are empty.
func NewMemory() *Memory { return &Memory{domains: map[int]*memoryDomain{}} }

// NewRelatingMemory is NewMemory with writers that are RelatedWriters, so that services have
// the form of rmw_fastrtps.
func NewRelatingMemory() *Memory {
	m := NewMemory()
	m.relates = true
	return m
}

// Name returns "memory".
func (*Memory) Name() string { return "memory" }

// memoryDomain holds the endpoints of a domain. Its lock guards everything in it, including
// the endpoints' matches, histories and counters, except the readers' queues, which have their
// own locks.
type memoryDomain struct {
	mu           sync.Mutex
	count        uint64
	participants map[*memoryParticipant]bool
	writers      []*memoryWriter
	readers      []*memoryReader
}

// Open joins a domain.
func (m *Memory) Open(o ParticipantOptions) (Participant, error) {
	if o.Domain < 0 || o.Domain > maxDomain {
		return nil, fmt.Errorf("memory: domain %d is not in 0 to %d", o.Domain, maxDomain)
	}
	m.mu.Lock()
	d := m.domains[o.Domain]
	if d == nil {
		d = &memoryDomain{participants: map[*memoryParticipant]bool{}}
		m.domains[o.Domain] = d
	}
	m.mu.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	p := &memoryParticipant{domain: d, relates: m.relates, userData: o.UserData}
	d.count++
	binary.BigEndian.PutUint64(p.guid[4:], d.count)
	binary.BigEndian.PutUint32(p.guid[12:], 0x1c1)
	d.participants[p] = true
	return p, nil
}

type memoryParticipant struct {
	domain   *memoryDomain
	relates  bool
	guid     GUID
	userData string
	entities uint32
	closed   bool
}

func (p *memoryParticipant) GUID() GUID { return p.guid }

// newEndpoint makes the common part of readers and writers. The caller holds the domain's
// lock.
func (p *memoryParticipant) newEndpoint(e Endpoint, kind byte) (*memoryEndpoint, error) {
	if p.closed {
		return nil, ErrClosed
	}
	if e.Topic == "" || e.Type == "" {
		return nil, errors.New("memory: an endpoint needs a topic and a type")
	}
	if err := e.QoS.Validate(); err != nil {
		return nil, err
	}
	p.entities++
	m := &memoryEndpoint{Endpoint: e, participant: p, changed: make(chan struct{})}
	m.guid = p.guid
	binary.BigEndian.PutUint32(m.guid[12:], p.entities<<8|uint32(kind))
	return m, nil
}

// The kinds of endpoints, the last byte of their GUIDs.
const (
	writerKind = 3
	readerKind = 4
)

func (p *memoryParticipant) NewWriter(e Endpoint) (Writer, error) {
	d := p.domain
	d.mu.Lock()
	defer d.mu.Unlock()
	m, err := p.newEndpoint(e, writerKind)
	if err != nil {
		return nil, err
	}
	w := &memoryWriter{memoryEndpoint: m}
	w.silence = newSilence(m)
	d.writers = append(d.writers, w)
	for _, r := range d.readers {
		connect(w, r)
	}
	if p.relates {
		return relatingWriter{w}, nil
	}
	return w, nil
}

func (p *memoryParticipant) NewReader(e Endpoint, receive func(Sample)) (Reader, error) {
	d := p.domain
	d.mu.Lock()
	defer d.mu.Unlock()
	m, err := p.newEndpoint(e, readerKind)
	if err != nil {
		return nil, err
	}
	r := &memoryReader{memoryEndpoint: m, queue: newSampleQueue(e.QoS.HistoryDepth()), done: make(chan struct{}), last: map[GUID]uint64{}}
	r.silence = newSilence(m)
	d.readers = append(d.readers, r)
	for _, w := range d.writers {
		connect(w, r)
	}
	go r.run(receive)
	return r, nil
}

func (p *memoryParticipant) Discovered() (Discovered, error) {
	d := p.domain
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.closed {
		return Discovered{}, ErrClosed
	}
	var result Discovered
	for q := range d.participants {
		result.Participants = append(result.Participants, DiscoveredParticipant{GUID: q.guid, UserData: q.userData})
	}
	for _, w := range d.writers {
		result.Writers = append(result.Writers, w.discovered())
	}
	for _, r := range d.readers {
		result.Readers = append(result.Readers, r.discovered())
	}
	return result, nil
}

func (p *memoryParticipant) WritersOn(topics ...string) ([]DiscoveredEndpoint, error) {
	found, err := p.Discovered()
	return slices.DeleteFunc(found.Writers, func(w DiscoveredEndpoint) bool { return !slices.Contains(topics, w.Topic) }), err
}

func (p *memoryParticipant) Close() error {
	d := p.domain
	d.mu.Lock()
	p.closed = true
	delete(d.participants, p)
	var own []closer
	for _, w := range d.writers {
		if w.participant == p {
			own = append(own, w)
		}
	}
	for _, r := range d.readers {
		if r.participant == p {
			own = append(own, r)
		}
	}
	d.mu.Unlock()
	for _, c := range own {
		c.Close()
	}
	return nil
}

// memoryEndpoint is the common part of readers and writers. The domain's lock guards it.
type memoryEndpoint struct {
	Endpoint
	participant *memoryParticipant
	guid        GUID
	matches     []Match
	changed     chan struct{} // closed and replaced when matches change
	closed      bool
	stats       EndpointStats
	silence     *silence
}

func (e *memoryEndpoint) GUID() GUID { return e.guid }

func (e *memoryEndpoint) isReader() bool { return e.guid[15] == readerKind }

func (e *memoryEndpoint) lock() func() {
	mu := &e.participant.domain.mu
	mu.Lock()
	return mu.Unlock
}

func (e *memoryEndpoint) Matches() []Match {
	defer e.lock()()
	return append([]Match(nil), e.matches...)
}

func (e *memoryEndpoint) Stats() EndpointStats {
	defer e.lock()()
	return e.stats
}

func (e *memoryEndpoint) WaitMatches(ctx context.Context, ok func([]Match) bool) error {
	for {
		unlock := e.lock()
		matches, changed, closed := append([]Match(nil), e.matches...), e.changed, e.closed
		unlock()
		switch {
		case closed:
			return ErrClosed
		case ok(matches):
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (e *memoryEndpoint) announceChange() {
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *memoryEndpoint) addMatch(m Match) {
	e.matches = append(e.matches, m)
	e.matchesChanged()
}

func (e *memoryEndpoint) matchesChanged() {
	e.announceChange()
	if e.isReader() {
		e.stats.Alive = len(e.matches)
		e.silence.tell()
	}
}

func (e *memoryEndpoint) removeMatch(id GUID) {
	for i, m := range e.matches {
		if m.GUID == id {
			e.matches = append(e.matches[:i:i], e.matches[i+1:]...)
			e.matchesChanged()
			return
		}
	}
}

func (e *memoryEndpoint) hasMatch(id GUID) bool {
	for _, m := range e.matches {
		if m.GUID == id {
			return true
		}
	}
	return false
}

func (e *memoryEndpoint) discovered() DiscoveredEndpoint {
	return DiscoveredEndpoint{
		GUID: e.guid, Participant: e.participant.guid,
		Topic: e.Topic, Type: e.Type, QoS: e.QoS, UserData: e.UserData,
	}
}

// connect matches a writer and a reader if topic, type and QoS allow it, and hands the
// writer's history to a late reader.
func connect(w *memoryWriter, r *memoryReader) {
	if w.Topic != r.Topic || w.Type != r.Type || r.IgnoreLocal && w.participant == r.participant {
		return
	}
	if policy := incompatible(w.QoS, r.QoS); policy != "" {
		for _, e := range []*memoryEndpoint{w.memoryEndpoint, r.memoryEndpoint} {
			e.stats.Incompatible++
			e.stats.IncompatiblePolicy = policy
		}
		return
	}
	w.addMatch(Match{GUID: r.guid, UserData: r.UserData})
	r.addMatch(Match{GUID: w.guid, UserData: w.UserData})
	if r.QoS.Durability == TransientLocal && r.QoS.Reliability == Reliable {
		for _, s := range w.history {
			r.deliver(w, s)
		}
	}
}

type memoryWriter struct {
	*memoryEndpoint
	history  []Sample
	sequence uint64
}

func (w *memoryWriter) Write(data []byte) error {
	_, err := w.write(data, SampleID{})
	return err
}

// relatingWriter is a memoryWriter of a relating Memory.
type relatingWriter struct{ *memoryWriter }

func (w relatingWriter) WriteRelated(data []byte, related SampleID) (uint64, error) {
	return w.write(data, related)
}

func (w *memoryWriter) write(data []byte, related SampleID) (sequence uint64, err error) {
	defer w.lock()()
	if w.closed {
		return 0, ErrClosed
	}
	w.sequence++
	w.stats.Samples++
	w.silence.broken()
	s := Sample{Data: data, Writer: w.guid, Sequence: w.sequence, SourceTime: time.Now(), Related: related}
	if w.QoS.Durability == TransientLocal {
		w.remember(s)
	}
	for _, r := range w.participant.domain.readers {
		if r.hasMatch(w.guid) {
			r.deliver(w, s)
		}
	}
	return w.sequence, nil
}

func (w *memoryWriter) remember(s Sample) {
	s.Data = append([]byte(nil), s.Data...)
	w.history = append(w.history, s)
	if depth := w.QoS.HistoryDepth(); depth != KeepAll && len(w.history) > depth {
		w.history = append([]Sample(nil), w.history[1:]...)
	}
}

func (w *memoryWriter) Close() error {
	defer w.lock()()
	if w.closed {
		return nil
	}
	w.closed = true
	w.announceChange()
	w.silence.end()
	d := w.participant.domain
	for i, other := range d.writers {
		if other == w {
			d.writers = append(d.writers[:i:i], d.writers[i+1:]...)
			break
		}
	}
	for _, r := range d.readers {
		r.removeMatch(w.guid)
	}
	return nil
}

type memoryReader struct {
	*memoryEndpoint
	queue *sampleQueue
	done  chan struct{}
	last  map[GUID]uint64 // the sequence delivered last, by writer; used by run only
}

// deliver queues a copy of a sample.
func (r *memoryReader) deliver(w *memoryWriter, s Sample) {
	s.Size = len(s.Data)
	if r.MaxBytes > 0 && s.Size > max(r.MaxBytes, limit.HeadBytes) {
		s.Data = s.Data[:limit.HeadBytes]
	}
	s.Data = append([]byte(nil), s.Data...)
	var expires time.Time
	if w.QoS.Lifespan > 0 {
		expires = s.SourceTime.Add(w.QoS.Lifespan)
	}
	r.queue.push(queued{Sample: s, expires: expires})
	r.silence.broken()
}

// run hands samples to the receiver until the queue is closed.
func (r *memoryReader) run(receive func(Sample)) {
	defer close(r.done)
	for {
		s, ok := r.queue.pop()
		if !ok {
			return
		}
		admitted := r.Admit == nil || r.Admit(s.Writer)
		r.count(s.Sample, admitted)
		if admitted {
			receive(s.Sample)
		}
	}
}

func (r *memoryReader) count(s Sample, admitted bool) {
	missed := uint64(0)
	if last, known := r.last[s.Writer]; known {
		missed = s.Sequence - last - 1
	}
	r.last[s.Writer] = s.Sequence
	defer r.lock()()
	r.stats.Missed += missed
	if admitted {
		r.stats.Samples++
	} else {
		r.stats.Refused++
	}
}

func (r *memoryReader) Close() error {
	unlock := r.lock()
	if !r.closed {
		r.closed = true
		r.announceChange()
		r.silence.end()
		d := r.participant.domain
		for i, other := range d.readers {
			if other == r {
				d.readers = append(d.readers[:i:i], d.readers[i+1:]...)
				break
			}
		}
		for _, w := range d.writers {
			w.removeMatch(r.guid)
		}
	}
	unlock()
	r.queue.close()
	<-r.done
	<-r.silence.done
	return nil
}

package ros

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// ReliableWhereOffered adds a reliable reader to a best-effort subscription while there are
// reliable publishers on the topic: what is lost of their messages in transport is sent again.
// The messages of best-effort publishers arrive as before, and each message once. The messages
// after a lost one arrive together when that has been sent again, so the history of the reliable
// reader is at least limit.RepairedSamples deep; what it drops is counted in EndpointStats.Missed.
// Endpoints of the node count the reader for best effort only.
func ReliableWhereOffered() SubscribeOption {
	return func(o *subscribeOptions) { o.reliable = true }
}

// twoReaders is a best-effort reader, and a reliable one on the same topic from when a
// reliable writer is matched. A sample that both get is delivered once, and those of a writer
// in order: of a writer that the reliable reader has had a sample of, it alone delivers.
type twoReaders struct {
	Reader  // for best effort: it matches all writers that the other does
	node    *Node
	offered Endpoint // of the reliable reader
	receive func(Sample)
	stop    context.CancelFunc
	stopped chan struct{}

	mu       sync.Mutex // held while a sample is received: one at a time
	writers  map[GUID]*heardWriter
	missed   uint64
	samples  uint64
	reliable Reader // nil without reliable writers
}

// heardWriter is what is known of a writer.
type heardWriter struct {
	last     uint64 // sequence delivered last
	reliable bool   // the reliable reader has had a sample
}

func (n *Node) openTwo(e Endpoint, receive func(Sample)) (Reader, error) {
	t := &twoReaders{node: n, offered: e, receive: receive, stopped: make(chan struct{}), writers: map[GUID]*heardWriter{}}
	t.offered.QoS.Reliability, t.offered.Silence = Reliable, nil
	// What was sent after a lost sample is delivered when that has been sent again: all at once.
	if e.QoS.Depth != KeepAll {
		t.offered.QoS.Depth = max(e.QoS.HistoryDepth(), limit.RepairedSamples)
	}
	var err error
	if t.Reader, err = n.openReader(e, func(s Sample) { t.take(s, false) }); err != nil {
		return nil, err
	}
	var ctx context.Context
	ctx, t.stop = context.WithCancel(context.Background())
	go t.watch(ctx)
	return t, nil
}

// watch opens the reliable reader when there is a reliable writer.
func (t *twoReaders) watch(ctx context.Context) {
	defer close(t.stopped)
	err := t.WaitMatches(ctx, func(matches []Match) bool { return len(matches) > 0 && t.isOffered() })
	if err != nil {
		return // the subscription is closed
	}
	reader, err := t.node.openReader(t.offered, func(s Sample) { t.take(s, true) })
	if err != nil {
		t.node.log.Warnf("topic %s: what is lost of its messages is not asked for again: %v", t.offered.Topic, err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reliable = reader
}

func (t *twoReaders) isOffered() bool {
	writers, err := t.node.participant.WritersOn(t.offered.Topic)
	return err == nil && slices.ContainsFunc(writers, func(w DiscoveredEndpoint) bool {
		return w.Type == t.offered.Type && incompatible(w.QoS, t.offered.QoS) == ""
	})
}

// maxHeardWriters bounds how many writers are remembered.
const maxHeardWriters = 1024

// take delivers a sample that one of the readers got, unless the other delivers it.
func (t *twoReaders) take(s Sample, reliable bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.writers[s.Writer]
	if w == nil {
		if len(t.writers) >= maxHeardWriters {
			clear(t.writers)
		}
		w = &heardWriter{}
		t.writers[s.Writer] = w
	}
	w.reliable = w.reliable || reliable
	if w.reliable && !reliable {
		return
	}
	if s.Sequence != 0 && !s.Writer.IsZero() {
		if s.Sequence <= w.last {
			return
		}
		if w.last != 0 {
			t.missed += s.Sequence - w.last - 1
		}
		w.last = s.Sequence
	}
	t.samples++
	t.receive(s)
}

// Stats counts what is delivered. The reliable reader does not match writers that the other
// one does, which is as it should be.
func (t *twoReaders) Stats() EndpointStats {
	stats := t.Reader.Stats()
	t.mu.Lock()
	defer t.mu.Unlock()
	stats.Samples, stats.Missed = t.samples, t.missed
	return stats
}

func (t *twoReaders) Close() error {
	t.stop()
	<-t.stopped
	t.mu.Lock()
	reliable := t.reliable
	t.reliable = nil
	t.mu.Unlock()
	if reliable == nil {
		return t.Reader.Close()
	}
	return errors.Join(t.node.closeReader(reliable), t.Reader.Close())
}

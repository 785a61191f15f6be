package peer

import (
	"sync"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Delivery hands the samples of a reader to its receiver, and its counters to who asked about
// silence, on two goroutines.
type Delivery struct {
	reader  *Endpoint
	receive func(ros.Sample)
	admit   func(writer ros.GUID) bool // nil: all
	silence func(ros.EndpointStats)    // nil: nobody asks
	numbers numbers

	ready chan struct{} // holds a token when data may be there
	stop  chan struct{}
	done  chan struct{}
	event chan struct{} // holds a token when there is a silence event to report
	quiet chan struct{} // closed after the last report
}

// NewDelivery makes an endpoint that is not open a reader.
func NewDelivery(reader *Endpoint, o ros.Endpoint, receive func(ros.Sample)) *Delivery {
	reader.delivery = &Delivery{
		reader: reader, receive: receive, admit: o.Admit, silence: o.Silence,
		ready: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		event: make(chan struct{}, 1), quiet: make(chan struct{}),
	}
	return reader.delivery
}

// Start runs the goroutines until the endpoint closes. takeOne delivers one sample of the
// reader's history and reports whether there was one: the rest stays in the history, which
// drops the oldest when it is full. The entity exists while takeOne runs. Start is called once
// after Open, which Close waits for.
func (d *Delivery) Start(takeOne func() bool) {
	go d.run(takeOne)
	go d.tell()
}

// Admit counts the samples of its writer that are missing before one, and reports whether the
// receiver is to get it.
func (d *Delivery) Admit(s ros.Sample) bool {
	d.reader.missed.Add(d.numbers.missed(s))
	if d.admit != nil && !d.admit(s.Writer) {
		d.reader.refused.Add(1)
		return false
	}
	return true
}

// Receive hands a sample to the receiver.
func (d *Delivery) Receive(s ros.Sample) {
	d.reader.samples.Add(1)
	d.receive(s)
}

// wake is called when data have arrived.
func (d *Delivery) wake() { signal(d.ready) }

// hush is called after a missed deadline or a change of liveliness.
func (d *Delivery) hush() {
	if d.silence != nil {
		signal(d.event)
	}
}

// halt ends the goroutines and waits for them.
func (d *Delivery) halt() {
	close(d.stop)
	<-d.done
	<-d.quiet
}

// signal leaves a token in a channel of capacity one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (d *Delivery) tell() {
	defer close(d.quiet)
	for {
		select {
		case <-d.event:
			stats := d.reader.counters()
			d.reader.told.set(stats)
			d.silence(stats)
		case <-d.stop:
			return
		}
	}
}

func (d *Delivery) run(takeOne func() bool) {
	defer close(d.done)
	for {
		select {
		case <-d.ready:
		case <-d.stop:
			return
		}
		for takeOne() {
			select {
			case <-d.stop:
				return
			default:
			}
		}
	}
}

// MaxRemembered bounds the number of former writers that a reader remembers.
const MaxRemembered = 1024

// numbers finds the gaps in the numbers of each writer's samples. The zero value is ready.
type numbers struct{ last map[ros.GUID]uint64 }

// missed returns how many samples of its writer are missing before one: those that were
// numbered and not received.
func (n *numbers) missed(s ros.Sample) (missed uint64) {
	if s.Sequence == 0 || s.Writer.IsZero() {
		return 0
	}
	last, known := n.last[s.Writer]
	if known && s.Sequence > last+1 {
		missed = s.Sequence - last - 1
	}
	if n.last == nil || len(n.last) >= MaxRemembered {
		n.last = map[ros.GUID]uint64{}
	}
	n.last[s.Writer] = s.Sequence
	return missed
}

// told holds the silence counters that a reader's user was last notified of.
type told struct {
	mu    sync.Mutex
	stats ros.EndpointStats
}

func (t *told) set(stats ros.EndpointStats) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats = stats
}

// differs reports whether the user has not been told of these counters.
func (t *told) differs(stats ros.EndpointStats) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return stats.DeadlineMissed != t.stats.DeadlineMissed || stats.Alive != t.stats.Alive || stats.NotAlive != t.stats.NotAlive
}

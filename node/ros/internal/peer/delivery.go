package peer

import "github.com/firstcontact-ros/firstcontact/node/ros"

// Delivery runs the goroutines of a reader: one delivers its samples, the other tells of
// silence.
type Delivery struct {
	ready chan struct{} // holds a token when data may be there
	stop  chan struct{}
	done  chan struct{}
	event chan struct{} // holds a token when there is a silence event to report
	quiet chan struct{} // closed after the last report
}

// NewDelivery returns a delivery that is to be started.
func NewDelivery() *Delivery {
	return &Delivery{
		ready: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		event: make(chan struct{}, 1), quiet: make(chan struct{}),
	}
}

// Start runs the goroutines until Halt. takeOne delivers one sample of the reader's history
// and reports whether there was one: the rest stays in the history, which drops the oldest
// when it is full. report tells of silence.
func (d *Delivery) Start(takeOne func() bool, report func()) {
	go d.run(takeOne)
	go d.tell(report)
}

// Wake is called when data have arrived.
func (d *Delivery) Wake() { signal(d.ready) }

// Event is called after a missed deadline or a change of liveliness.
func (d *Delivery) Event() { signal(d.event) }

// Halt ends the goroutines and waits for them.
func (d *Delivery) Halt() {
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

func (d *Delivery) tell(report func()) {
	defer close(d.quiet)
	for {
		select {
		case <-d.event:
			report()
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

// Numbers finds the gaps in the numbers of each writer's samples. The zero value is ready.
type Numbers struct{ last map[ros.GUID]uint64 }

// Missed returns how many samples of its writer are missing before one: those that were
// numbered and not received.
func (n *Numbers) Missed(s ros.Sample) (missed uint64) {
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

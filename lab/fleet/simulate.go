package main

import "container/heap"

// Fleet is what is simulated: a submitter, a server and workers, far from each other.
type Fleet struct {
	Costs
	Policy
	Workers, Chunks int
	// Seconds one way, from the server.
	Latency, SubmitterLatency float64
}

// Outcome is what a fleet reaches.
type Outcome struct {
	Seconds   float64 // from the first chunk that is offered to the last answer that is kept
	Server    float64 // part of them in which the server was busy
	Submitter float64 // in which the submitter was not waiting for answers
	Workers   float64 // in which a worker computed, on average
	Efficient float64 // seconds of computing in a second of a worker
}

// Simulate plays a batch by discrete events. The server does one thing after the other, in the order in which requests reach it;
// so do the submitter and each worker.
func Simulate(f Fleet) Outcome {
	s := &simulation{Fleet: f}
	for w := range f.Workers {
		s.idle = append(s.idle, w)
	}
	s.started = make([]bool, f.Workers)
	s.offer()
	for len(s.events) > 0 && s.kept < f.Chunks {
		e := heap.Pop(&s.events).(happening)
		s.now = e.at
		e.do()
	}
	end := s.now
	all := end * float64(f.Workers)
	return Outcome{
		Seconds: end, Server: s.busy / end, Submitter: 1 - s.listening/end,
		Workers: s.computed / all, Efficient: float64(f.Chunks) * f.Compute / all,
	}
}

type simulation struct {
	Fleet
	now    float64
	events events
	count  int // of events, so that those of one time keep their order

	free, busy float64 // when the server has nothing to do, and how long it has had

	queue    int   // chunks that wait
	idle     []int // workers that wait for one
	started  []bool
	computed float64 // seconds

	answers   int // that wait in the server
	pull      *pull
	inbox     int  // answers that have reached the submitter
	keeping   bool // it is at one of them
	ended     bool // no more come of this pull
	next      int  // chunk that is offered next
	kept      int
	since     float64 // when the submitter began to wait
	listening float64 // how long it has waited
}

// pull is a request of the submitter for answers.
type pull struct{ left int }

// after does something later.
func (s *simulation) after(seconds float64, do func()) {
	s.count++
	heap.Push(&s.events, happening{s.now + seconds, s.count, do})
}

// serve has the server do something that has reached it.
func (s *simulation) serve(cost float64, then func()) {
	s.free = max(s.free, s.now) + cost
	s.busy += cost
	s.after(s.free-s.now, then)
}

// offer puts as many chunks into the queue as the window allows, and then asks for answers.
func (s *simulation) offer() {
	room := min(s.Window-(s.next-s.kept), s.Chunks-s.next)
	s.offerOne(room)
}

func (s *simulation) offerOne(room int) {
	if room <= 0 {
		s.gather()
		return
	}
	s.next++
	s.after(s.SubmitterLatency, func() {
		s.serve(s.Offer, func() {
			s.queue++
			s.handOut()
			s.after(s.SubmitterLatency+s.Between, func() { s.offerOne(room - 1) })
		})
	})
}

// handOut gives chunks that wait to workers that do.
func (s *simulation) handOut() {
	for s.queue > 0 && len(s.idle) > 0 {
		w := s.idle[0]
		s.idle = s.idle[1:]
		s.queue--
		s.after(s.Latency, func() { s.work(w) })
	}
}

// ask is a request of a worker.
func (s *simulation) ask(cost float64, served, told func()) {
	s.after(s.Latency, func() {
		s.serve(cost, func() {
			served()
			s.after(s.Latency, told)
		})
	})
}

func nothing() {}

// work is a chunk that has reached a worker.
func (s *simulation) work(w int) {
	if !s.started[w] {
		s.started[w] = true
		s.begin(w)
		return
	}
	s.computed += s.Compute
	s.after(s.Compute, func() {
		s.ask(s.Store, s.answered, func() {
			s.after(s.Turn, func() {
				s.ask(s.Ack, nothing, func() { s.after(s.Turn, func() { s.wait(w) }) })
			})
		})
	})
}

// begin fetches what a worker needs for its first chunk.
func (s *simulation) begin(w int) {
	s.after(2*s.Latency*float64(s.StartRounds), func() {
		s.serve(s.StartServer, func() { s.after(s.StartWorker, func() { s.work(w) }) })
	})
}

// wait asks for the next chunk.
func (s *simulation) wait(w int) {
	s.after(s.Latency, func() {
		s.serve(s.Pull, func() {
			s.idle = append(s.idle, w)
			s.handOut()
		})
	})
}

// answered is an answer that has reached the server.
func (s *simulation) answered() {
	s.answers++
	s.send()
}

// gather asks for answers and keeps them, until as many have come as were asked for or the time is over.
func (s *simulation) gather() {
	s.ended = false
	s.since = s.now
	s.after(s.SubmitterLatency, func() {
		s.serve(s.Pull, func() {
			p := &pull{left: s.Batch}
			s.pull = p
			s.after(s.Wait, func() { s.end(p) })
			s.send()
		})
	})
}

// send gives answers that wait to the submitter, if it asks for some.
func (s *simulation) send() {
	for p := s.pull; p != nil && p.left > 0 && s.answers > 0; {
		s.answers--
		p.left--
		s.after(s.SubmitterLatency, func() {
			s.inbox++
			s.keep()
		})
		if p.left == 0 {
			s.end(p)
			return
		}
	}
}

// end ends a request for answers.
func (s *simulation) end(p *pull) {
	if s.pull != p {
		return
	}
	s.pull = nil
	s.after(s.SubmitterLatency, func() {
		s.ended = true
		s.keep()
	})
}

// keep takes the next answer, or offers chunks if no more come.
func (s *simulation) keep() {
	switch {
	case s.keeping:
	case s.inbox > 0:
		s.inbox--
		s.keeping = true
		s.listening += s.now - s.since
		s.after(s.Keep+s.SubmitterLatency, func() {
			s.serve(s.Collect, func() {
				s.after(s.SubmitterLatency, func() {
					s.kept++
					s.keeping = false
					s.since = s.now
					s.keep()
				})
			})
		})
	case s.ended:
		s.listening += s.now - s.since
		s.offer()
	}
}

// happening is something that is done at a time.
type happening struct {
	at     float64
	number int
	do     func()
}

// events are what will happen, as a heap.
type events []happening

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e events) Less(i, k int) bool {
	return e[i].at < e[k].at || e[i].at == e[k].at && e[i].number < e[k].number
}
func (e *events) Push(x any) { *e = append(*e, x.(happening)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// The subjects of the queue, and of what its clients ask the server's interface for.
const (
	workWord = "fc.work."
	doneWord = "fc.done."
	ackWord  = "$JS.ACK."
	nextWord = "$JS.API.CONSUMER.MSG.NEXT."
)

// Costs are what a chunk costs each of the parties, in seconds, without what the network takes.
type Costs struct {
	// The server's, from a request to the answer.
	Offer   float64 // taking a chunk
	Pull    float64 // handing out a chunk that waits
	Store   float64 // taking an answer
	Ack     float64 // taking a chunk from the queue
	Collect float64 // taking an answer from the queue

	Compute float64 // the worker's: from a chunk to its answer
	Turn    float64 // the worker's besides: from what the server says to the next request, twice
	Keep    float64 // the submitter's: from an answer to its confirmation, on disk
	Between float64 // the submitter's: from one chunk that it offers to the next

	// The first chunk of a worker, besides: what the server sends, how often the worker waits for it, what the worker does.
	StartServer, StartWorker float64
	StartRounds              int
}

// Policy is how the submitter goes about it, as seen on its line.
type Policy struct {
	Window int     // chunks that were offered and have no answer
	Batch  int     // answers that it asks for at once
	Wait   float64 // seconds that it waits for them before it offers again
}

// samples are the times of each cost.
type samples struct {
	offer, pull, store, ack, collect, compute, turn, keep, between []float64

	startServer, startWorker []float64
	startRounds              []int
	partBytes                []float64
}

// costs are what a chunk costs by one of mean and median. That of a pull is the median in any case: a pull to which
// there was no chunk took as long as one did not come.
func (s *samples) costs(of func([]float64) float64) Costs {
	return Costs{
		Offer: of(s.offer), Pull: median(s.pull), Store: of(s.store), Ack: of(s.ack), Collect: of(s.collect),
		Compute: of(s.compute), Turn: of(s.turn), Keep: of(s.keep), Between: of(s.between),
		StartServer: of(s.startServer), StartWorker: max(0, of(s.startWorker)-of(s.compute)), StartRounds: median(s.startRounds),
	}
}

func mean(of []float64) float64 {
	sum := 0.0
	for _, x := range of {
		sum += x
	}
	return sum / max(1, float64(len(of)))
}

func median[T float64 | int](of []T) T {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

func since(from, to time.Time) float64 { return to.Sub(from).Seconds() }

// asked finds the answers to requests, by the subjects that they name for them.
type asked map[string]*event

// answer returns the request that an event answers, and nil if it answers none.
func (a asked) answer(e *event) *event {
	if e.up && e.reply != "" {
		a[e.reply] = e
	}
	if e.up {
		return nil
	}
	request := a[e.subject]
	delete(a, e.subject)
	return request
}

// worker adds what the line of a worker tells.
func (s *samples) worker(said []*event) {
	var pulled, taken, told *event // the last pull, chunk, and what the server said last of a chunk
	var first start
	chunks, waiting := 0, asked{}
	for _, e := range said {
		request := waiting.answer(e)
		if chunks == 1 && taken != nil {
			first.see(e, request)
		}
		switch {
		case e.up && strings.HasPrefix(e.subject, nextWord):
			if told != nil {
				s.turn = append(s.turn, since(told.gone, e.come))
			}
			pulled, told = e, nil
		case !e.up && strings.HasPrefix(e.subject, workWord):
			if pulled != nil && chunks > 0 {
				s.pull = append(s.pull, since(pulled.gone, e.come))
			}
			taken = e
			chunks++
		case e.up && strings.HasPrefix(e.subject, doneWord) && taken != nil:
			took := since(taken.gone, e.come)
			if chunks == 1 {
				s.startServer = append(s.startServer, first.server)
				s.startWorker = append(s.startWorker, took-first.server-first.waited)
				s.startRounds = append(s.startRounds, first.rounds)
			} else {
				s.compute = append(s.compute, took)
			}
			s.partBytes = append(s.partBytes, float64(e.size))
			taken = nil
		case request != nil && strings.HasPrefix(request.subject, doneWord):
			s.store = append(s.store, since(request.gone, e.come))
			told = e
		case e.up && strings.HasPrefix(e.subject, ackWord) && e.reply != "" && told != nil:
			s.turn = append(s.turn, since(told.gone, e.come))
		case request != nil && strings.HasPrefix(request.subject, ackWord):
			s.ack = append(s.ack, since(request.gone, e.come))
			told = e
		}
	}
}

// start is what a worker fetches for its first chunk.
type start struct {
	rounds         int
	server, waited float64 // seconds in which the server sent, and in which the network did
	last           *event
}

func (s *start) see(e, request *event) {
	switch {
	case request != nil:
		s.rounds++
		s.server += since(request.gone, e.come)
		s.waited += since(request.come, request.gone) + since(e.come, e.gone)
	case !e.up && s.last != nil && !s.last.up: // one piece of an object after the other
		s.server += since(s.last.come, e.come)
	}
	s.last = e
}

// submitter adds what the line of the submitter tells.
func (s *samples) submitter(said []*event) Policy {
	var p Policy
	var offered, collected *event // what the server said last of a chunk that was offered, of an answer that was kept
	var answers []*event          // that were not confirmed yet
	open, waiting := 0, asked{}
	for _, e := range said {
		request := waiting.answer(e)
		switch {
		case e.up && strings.HasPrefix(e.subject, workWord):
			if offered != nil {
				s.between = append(s.between, since(offered.gone, e.come))
			}
			open++
			p.Window = max(p.Window, open)
		case request != nil && strings.HasPrefix(request.subject, workWord):
			s.offer = append(s.offer, since(request.gone, e.come))
			offered = e
		case e.up && strings.HasPrefix(e.subject, nextWord):
			p.Batch, p.Wait = pullOf(e)
			offered = nil
		case !e.up && strings.HasPrefix(e.subject, doneWord):
			answers = append(answers, e)
		case e.up && strings.HasPrefix(e.subject, ackWord) && len(answers) > 0:
			from := answers[0].gone
			if collected != nil && collected.gone.After(from) {
				from = collected.gone
			}
			s.keep = append(s.keep, since(from, e.come))
			answers = answers[1:]
			open--
		case request != nil && strings.HasPrefix(request.subject, ackWord):
			s.collect = append(s.collect, since(request.gone, e.come))
			collected = e
		}
	}
	return p
}

// pullOf is how many messages a client asks for at once, and how long the server is to wait for them.
func pullOf(e *event) (most int, wait float64) {
	var asks struct {
		Batch   int   `json:"batch"`
		Expires int64 `json:"expires"` // ns
	}
	_ = json.Unmarshal(e.body, &asks) // of a client that the test of the simulation knows
	return asks.Batch, float64(asks.Expires) / 1e9
}

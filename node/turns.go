package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// task is a request that waits for its turn. It is answered once: by the result of work, or by
// refuse.
type task struct {
	client   ros.GUID      // the participant that sent it
	bytes    int           // its size
	patience time.Duration // time from arrival until the answer is due
	work     func(context.Context) (tell func())
	refuse   func(reason string) // answers with a refusal

	came  time.Time
	grant chan struct{} // a token starts its turn
	since time.Time     // start of its turn
	trial bool          // it occupies the last place
	tried bool          // it had a trial and gave way
	stop  context.CancelCauseFunc
}

// late reports whether the answer is overdue.
func (q *task) late(now time.Time) bool { return now.Sub(q.came) > q.patience }

// turns schedules the questions of all clients on one processor; the monitor has another one
// for itself. A client is a participant of the graph, however many writers it has. Each client
// has at most one question in progress. The client that has used the least computing time runs
// next, for one slice; a client that was idle is treated as if it had used as much as the
// client served last. So a client with few questions is answered nearly as fast as if it were
// alone, whatever others send.
//
// At most limit.StartedQuestions are in progress. The last of these places is for a trial of
// one slice: a question that does not finish in it, while others wait for a trial, is stopped
// and restarted when a place is free. So long questions never block short ones.
type turns struct {
	mu      sync.Mutex
	lines   map[ros.GUID]*line
	served  time.Duration // computing time of the line that was served last
	busy    *task         // the task whose turn it is
	started int
	waiting int
	bytes   int             // of tasks that wait or are in progress
	ctx     context.Context // nil before run
	fault   error
	cancel  context.CancelFunc
	ended   chan struct{} // closed when the context has ended and nothing is in progress
	told    sync.WaitGroup
}

// line is a client's queue.
type line struct {
	waiting []*task
	current *task // in progress
	bytes   int
	used    time.Duration // computing time
}

func (l *line) idle() bool { return l.current == nil && len(l.waiting) == 0 }

// slice is how long a turn lasts while others wait. A question that takes less is
// answered without interruption.
const slice = 20 * time.Millisecond

func newTurns() *turns {
	return &turns{lines: map[ros.GUID]*line{}, ended: make(chan struct{})}
}

// errGivesWay is why a question in progress is stopped, to be restarted later.
var errGivesWay = errors.New("others wait")

// add queues a question.
func (t *turns) add(q *task) {
	q.came, q.grant, q.bytes = time.Now(), make(chan struct{}, 1), weight(q.bytes)
	t.mu.Lock()
	refused, why := t.admit(q)
	t.dispatch()
	t.mu.Unlock()
	if refused != nil {
		refused.refuse(why)
	}
}

// room reports, before a question is decoded, whether there is room for it. A small one always
// has room; a large one waits for others to be answered, unless its client holds less than
// another client whose question can be dropped.
func (t *turns) room(client ros.GUID, bytes int) error {
	bytes = weight(bytes)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bytes == 0 || t.bytes+bytes <= limit.WaitingQuestionBytes {
		return nil
	}
	own, most := 0, 0
	for c, l := range t.lines {
		if c == client {
			own = l.bytes
		} else if len(l.waiting) > 0 {
			most = max(most, l.bytes)
		}
	}
	if most > own+bytes {
		return nil
	}
	return fmt.Errorf("a question of %d bytes is not read: %w", bytes, ros.ErrBusy)
}

// weight is how many of the waiting bytes a question counts as. Small questions are
// bounded by their number alone.
func weight(bytes int) int {
	if bytes <= limit.SmallMessageBytes {
		return 0
	}
	return bytes
}

// admit puts a question into its client's line. It returns the question that has no place,
// perhaps a different one, and why: the newest of the client with the most.
func (t *turns) admit(q *task) (refused *task, why string) {
	if t.ctx != nil && t.ctx.Err() != nil {
		return q, stopped
	}
	l := t.lines[q.client]
	if l == nil {
		l = &line{}
		t.lines[q.client] = l
	}
	if len(l.waiting) >= limit.ClientQuestions {
		return q, fmt.Sprintf("%d of your questions wait already: ask again later", len(l.waiting))
	}
	if l.idle() {
		l.used = max(l.used, t.served)
	}
	l.waiting = append(l.waiting, q)
	l.bytes += q.bytes
	t.waiting++
	t.bytes += q.bytes
	switch {
	case t.waiting > limit.WaitingQuestions:
		why = fmt.Sprintf("%d questions wait already: ask again later", limit.WaitingQuestions)
		refused = t.newestOfMost(l, func(l *line) int { return len(l.waiting) })
	case t.bytes > limit.WaitingQuestionBytes && t.bytes > q.bytes && q.bytes > 0:
		why = fmt.Sprintf("questions of %d bytes wait already: ask again later", limit.WaitingQuestionBytes)
		refused = t.newestOfMost(l, func(l *line) int { return l.bytes })
	}
	return refused, why
}

// newestOfMost removes the newest question of the client that has most of something, of own if
// no other has more.
func (t *turns) newestOfMost(own *line, count func(*line) int) *task {
	most := own
	for _, l := range t.lines {
		if len(l.waiting) > 0 && count(l) > count(most) {
			most = l
		}
	}
	last := len(most.waiting) - 1
	q := most.waiting[last]
	t.leave(most, q)
	most.waiting[last] = nil
	most.waiting = most.waiting[:last]
	return q
}

// leave counts a question that no longer waits and is not in progress.
func (t *turns) leave(l *line, q *task) {
	l.bytes -= q.bytes
	t.waiting--
	t.bytes -= q.bytes
}

// run schedules the questions until the context ends, and then refuses those that still wait.
// After an internal fault it returns an error.
func (t *turns) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.mu.Lock()
	t.ctx, t.cancel = ctx, cancel
	t.dispatch()
	t.mu.Unlock()
	context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.dispatch()
		t.end()
	})
	<-t.ended
	t.told.Wait()
	return t.fault
}

// end makes run return when nothing is left to do.
func (t *turns) end() {
	select {
	case <-t.ended:
	default:
		if t.ctx.Err() != nil && t.started == 0 {
			close(t.ended)
		}
	}
}

// dispatch starts the next turn if none is in progress.
func (t *turns) dispatch() {
	if t.ctx == nil {
		return
	}
	t.dismiss()
	if t.busy != nil {
		return
	}
	l := t.next()
	if l == nil {
		clear(t.lines) // all are idle
		t.served = 0
		return
	}
	t.served = max(t.served, l.used)
	if l.current == nil {
		t.start(l)
	}
	t.busy = l.current
	t.busy.grant <- struct{}{}
}

// dismiss refuses the questions that are overdue, and all of them at the end.
func (t *turns) dismiss() {
	now := time.Now()
	over := t.ctx.Err() != nil
	for _, l := range t.lines {
		kept := l.waiting[:0]
		for _, q := range l.waiting {
			switch {
			case over:
				t.refuse(l, q, stopped)
			case q.late(now):
				t.refuse(l, q, fmt.Sprintf("the deadline of %v passed while others were answered", q.patience))
			default:
				kept = append(kept, q)
			}
		}
		clear(l.waiting[len(kept):])
		l.waiting = kept
	}
}

func (t *turns) refuse(l *line, q *task, why string) {
	t.leave(l, q)
	t.say(func() { q.refuse(why) })
}

// say delivers an answer on another goroutine, as the receiver may be slow.
func (t *turns) say(tell func()) {
	t.told.Add(1)
	go func() {
		defer t.told.Done()
		tell()
	}()
}

// next is the line whose turn it is, nil if all are idle: one whose question is late, as that
// ends it, or the one that has used the least time, of several the one that has waited
// longest.
func (t *turns) next() (best *line) {
	now := time.Now()
	for client, l := range t.lines {
		switch {
		case l.idle():
			if l.used <= t.served {
				delete(t.lines, client)
			}
		case l.current != nil && (t.ctx.Err() != nil || l.current.late(now)):
			return l
		case l.current == nil && !t.placeFor(l.waiting[0]):
		case best == nil || l.used < best.used || l.used == best.used && l.first().came.Before(best.first().came):
			best = l
		}
	}
	return best
}

// placeFor reports whether a question can start.
func (t *turns) placeFor(q *task) bool {
	return t.started < limit.StartedQuestions-1 || t.started < limit.StartedQuestions && !q.tried
}

func (l *line) first() *task {
	if l.current != nil {
		return l.current
	}
	return l.waiting[0]
}

// start takes the first question of a line.
func (t *turns) start(l *line) {
	q := l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	l.current = q
	t.waiting--
	t.started++
	q.trial = t.started == limit.StartedQuestions
	ctx, cancel := context.WithDeadline(t.ctx, q.came.Add(q.patience))
	ctx, q.stop = context.WithCancelCause(ctx)
	t.told.Add(1)
	go func() {
		defer t.told.Done()
		defer cancel()
		t.perform(ccd.WithPause(ctx, func() { t.pause(q) }), q)
	}()
}

// perform answers one question, over several turns if necessary.
func (t *turns) perform(ctx context.Context, q *task) {
	<-q.grant
	q.since = time.Now()
	var tell func()
	err := guarded(func() error {
		tell = q.work(ctx)
		return nil
	})
	if err != nil {
		tell = func() { q.refuse("an internal fault of this program: " + ErrInternal.Error()) }
	}
	if t.finish(q, err, context.Cause(ctx) == errGivesWay) {
		tell()
	}
}

// finish ends the turn of a question and reports whether it is answered. One that gave way
// waits again.
func (t *turns) finish(q *task, err error, gaveWay bool) (answered bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.lines[q.client]
	l.used += time.Since(q.since)
	l.current = nil
	t.busy = nil
	t.started--
	if gaveWay && err == nil {
		l.waiting = append([]*task{q}, l.waiting...)
		t.waiting++
	} else {
		answered = true
		l.bytes -= q.bytes
		t.bytes -= q.bytes
	}
	if err != nil {
		t.fault = err
		t.cancel()
	}
	t.dispatch()
	t.end()
	return answered
}

// pause yields to other clients if the slice of this question is over.
func (t *turns) pause(q *task) {
	now := time.Now()
	if now.Sub(q.since) < slice {
		return
	}
	t.mu.Lock()
	if t.givesWay(q) {
		q.tried = true
		q.stop(errGivesWay)
		t.mu.Unlock()
		return // work ends soon, because the context has ended
	}
	t.lines[q.client].used += now.Sub(q.since)
	t.busy = nil
	t.dispatch()
	t.mu.Unlock()
	<-q.grant
	q.since = time.Now()
}

// givesWay reports whether a question has had its trial and others wait for theirs.
func (t *turns) givesWay(q *task) bool {
	if !q.trial || t.started < limit.StartedQuestions {
		return false
	}
	for _, l := range t.lines {
		if l.current == nil && len(l.waiting) > 0 && !l.waiting[0].tried {
			return true
		}
	}
	return false
}

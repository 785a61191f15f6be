package ros

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// logOutput is shared by loggers derived from one another. Its lock is held no longer than it
// takes to queue a line: logging never waits for the writer, which may be a pipe that nobody
// reads.
type logOutput struct {
	w    io.Writer
	name string // logger name for reports of losses
	now  func() time.Time

	mu        sync.Mutex
	sinks     []*func(Record)
	allowed   allowance
	denied    int  // lines beyond the allowance, not reported yet
	telling   bool // a timer will report them
	queue     []Record
	unwritten int           // lines beyond the queue, not reported yet
	idle      chan struct{} // nil: nothing is being written; closed when that is so again
}

func newLogOutput(w io.Writer, name string) *logOutput {
	return &logOutput{w: w, name: name, now: time.Now, allowed: newAllowance()}
}

func (o *logOutput) addSink(f func(Record)) (remove func()) {
	sink := &f
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sinks = append(o.sinks, sink)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.sinks = slices.DeleteFunc(o.sinks, func(s *func(Record)) bool { return s == sink })
	}
}

// take logs a line, at the present time, if the allowance permits it.
func (o *logOutput) take(r Record) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r.Time = o.now()
	if !o.allowed.take(r.Level, len(r.Text)+linePrefix, r.Time) {
		o.deny()
		return
	}
	o.put(r)
}

// linePrefix is the approximate length of a line without its text, in bytes.
const linePrefix = 60

// deny counts a line beyond the allowance, and reports the count within a second.
func (o *logOutput) deny() {
	o.denied++
	if !o.telling {
		o.telling = true
		time.AfterFunc(time.Second, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.tellDenied()
		})
	}
}

func (o *logOutput) tellDenied() {
	o.telling = false
	if o.denied > 0 {
		o.put(o.loss(o.denied, fmt.Sprintf("the log is limited to %d KiB per second", limit.LogBytesPerSecond>>10)))
		o.denied = 0
	}
}

// loss returns the line that reports dropped lines.
func (o *logOutput) loss(lines int, why string) Record {
	return Record{Time: o.now(), Level: LevelWarn, Logger: o.name, Text: fmt.Sprintf("%d log lines were dropped: %s", lines, why)}
}

// put passes a line to the sinks and to the writing goroutine.
func (o *logOutput) put(r Record) {
	for _, sink := range o.sinks {
		(*sink)(r)
	}
	room := roomFor(r.Level)
	if o.unwritten > 0 && len(o.queue)+1 < room {
		o.tellUnwritten()
	}
	if len(o.queue) >= room {
		o.unwritten++
		return
	}
	o.queue = append(o.queue, r)
	if o.idle == nil {
		o.idle = make(chan struct{})
		go o.write()
	}
}

// roomFor returns how many lines may wait when one of the level is queued. There is room
// reserved for errors, and some for warnings, so that a flood of lines of a lower level does
// not suppress them.
func roomFor(level Level) int {
	switch {
	case level >= LevelError:
		return limit.LogLines
	case level >= LevelWarn:
		return limit.LogLines - limit.LogLines/8
	}
	return limit.LogLines - limit.LogLines/4
}

func (o *logOutput) tellUnwritten() {
	o.queue = append(o.queue, o.loss(o.unwritten, "they were not read in time"))
	o.unwritten = 0
}

// write writes until the queue is empty.
func (o *logOutput) write() {
	var line []byte
	for r, ok := o.next(); ok; r, ok = o.next() {
		line = fmt.Appendf(line[:0], "[%s] [%d.%09d] [%s]: %s\n", r.Level, r.Time.Unix(), r.Time.Nanosecond(), r.Logger, r.Text)
		o.w.Write(line) // an error of the log itself cannot be reported
	}
}

// next takes the oldest line; false ends the goroutine.
func (o *logOutput) next() (r Record, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 && o.unwritten > 0 {
		o.tellUnwritten()
	}
	if len(o.queue) == 0 {
		o.queue = nil
		close(o.idle)
		o.idle = nil
		return Record{}, false
	}
	r = o.queue[0]
	o.queue[0] = Record{}
	o.queue = o.queue[1:]
	return r, true
}

func (o *logOutput) flush(patience time.Duration) bool {
	o.mu.Lock()
	o.tellDenied()
	idle := o.idle
	o.mu.Unlock()
	if idle == nil {
		return true
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-idle:
		return true
	case <-timer.C:
		return false
	}
}

// allowance bounds how fast a log grows. Warnings and errors may use the common bucket and
// each a separate one, so that a flood of lines of a lower level does not suppress them.
type allowance struct{ all, warnings, errors bucket }

func newAllowance() allowance {
	return allowance{
		all:      newBucket(1),
		warnings: newBucket(8),
		errors:   newBucket(4),
	}
}

func (a *allowance) take(level Level, bytes int, now time.Time) bool {
	return a.all.take(bytes, now) ||
		level == LevelWarn && a.warnings.take(bytes, now) ||
		level >= LevelError && a.errors.take(bytes, now)
}

// bucket is a token bucket: it fills at a rate per second, up to most.
type bucket struct {
	rate, most, left float64
	at               time.Time
}

// newBucket returns a full bucket with one part in so many of what the log may grow by.
func newBucket(part float64) bucket {
	return bucket{rate: limit.LogBytesPerSecond / part, most: limit.LogBurstBytes / part, left: limit.LogBurstBytes / part}
}

func (b *bucket) take(n int, now time.Time) bool {
	if passed := now.Sub(b.at).Seconds(); !b.at.IsZero() && passed > 0 {
		b.left = min(b.most, b.left+passed*b.rate)
	}
	b.at = now
	if b.left < float64(n) {
		return false
	}
	b.left -= float64(n)
	return true
}

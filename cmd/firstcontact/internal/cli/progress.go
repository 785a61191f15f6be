package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// Patience is how long a user waits for the first word about long work.
const Patience = time.Second

// redraw is how often a line on a terminal is rewritten.
const redraw = 100 * time.Millisecond

func newTicker() *time.Ticker { return time.NewTicker(redraw) }

// firstNotes are the times of the first notes in a log, since the command began; then there is
// one every laterNotes. A log that somebody reads afterwards stays short that way.
var firstNotes = [...]time.Duration{Patience, 5 * time.Second, 15 * time.Second, 30 * time.Second}

const laterNotes = 30 * time.Second

// display shows how far long work has come: on a terminal in one line that is rewritten,
// elsewhere in notes that become rarer.
type display struct {
	w     io.Writer
	width func() int // of the terminal; nil: w is a log
	begin time.Time  // of the command
	last  time.Time  // when a line was last shown
	told  int        // notes that were due
	shown bool       // there is a line on the terminal

	mu    sync.Mutex // of what follows
	tasks []task     // under way, the one told last at the end
}

// task is a piece of work under way.
type task struct {
	progress.Step
	begin time.Time
	from  int64 // Done at that time
}

// maxTasks bounds the tasks that are remembered: one that fails may never tell its end.
const maxTasks = 8

func newDisplay(w io.Writer, width func() int) *display {
	return &display{w: w, width: width, begin: time.Now()}
}

// tell takes a report.
func (d *display) tell(s progress.Step) { d.tellAt(time.Now(), s) }

func (d *display) tellAt(now time.Time, s progress.Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.What == "" {
		if n := len(d.tasks); n > 0 {
			d.tasks = d.tasks[:n-1]
		}
		return
	}
	t := task{s, now, s.Done}
	if i := slices.IndexFunc(d.tasks, func(t task) bool { return t.What == s.What }); i >= 0 {
		t.begin, t.from = d.tasks[i].begin, d.tasks[i].from
		d.tasks = slices.Delete(d.tasks, i, i+1)
	}
	if s.Total > 0 && s.Done >= s.Total {
		return
	}
	if len(d.tasks) == maxTasks {
		d.tasks = slices.Delete(d.tasks, 0, 1)
	}
	d.tasks = append(d.tasks, t)
}

// current returns the task that was told last, if one is under way.
func (d *display) current() (t task, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.tasks) == 0 {
		return t, false
	}
	return d.tasks[len(d.tasks)-1], true
}

// refresh shows the task under way if that is due. The caller guards the terminal.
func (d *display) refresh(now time.Time) {
	t, busy := d.current()
	if d.width == nil {
		if busy && d.noteDue(now) {
			fmt.Fprintf(d.w, "note: %s\n", t.line(now))
		}
		return
	}
	switch {
	case !busy:
		d.clear()
	case now.Sub(d.begin) >= Patience && now.Sub(d.last) >= redraw:
		fmt.Fprintf(d.w, "\r\x1b[K%s", fitting(t.line(now), d.width()))
		d.shown, d.last = true, now
	}
}

// noteDue reports whether it is time for a note. Times that passed while nothing was under
// way count as one.
func (d *display) noteDue(now time.Time) (due bool) {
	for now.Sub(d.begin) >= noteTime(d.told) {
		d.told++
		due = true
	}
	return due
}

// noteTime is when the note of that number is due, counting from 0.
func noteTime(i int) time.Duration {
	if i < len(firstNotes) {
		return firstNotes[i]
	}
	return firstNotes[len(firstNotes)-1] + time.Duration(i-len(firstNotes)+1)*laterNotes
}

// clear removes the line from the terminal.
func (d *display) clear() {
	if d.shown {
		fmt.Fprint(d.w, "\r\x1b[K")
		d.shown = false
	}
}

// line describes a task: what is done, how far it has come, and how long the rest takes, or
// how long it has taken.
func (t *task) line(now time.Time) string {
	took := now.Sub(t.begin)
	out := t.What
	switch {
	case t.Total > 0:
		out += fmt.Sprintf(": %s of %s %s", t.amount(t.Done), t.amount(t.Total), t.unit())
	case t.Done > 0:
		out += fmt.Sprintf(": %s %s", t.amount(t.Done), t.unit())
	}
	if done := t.Done - t.from; t.Total > 0 && done > 0 && took >= Patience {
		left := float64(took) / float64(done) * float64(t.Total-t.Done)
		out += fmt.Sprintf(", about %v left", max(time.Second, time.Duration(min(left, math.MaxInt64/2)).Round(time.Second)))
	} else if took >= Patience {
		out += fmt.Sprintf(", %v so far", took.Truncate(time.Second))
	}
	if t.Note != "" {
		out += "; " + t.Note
	}
	return out
}

// amount formats a number of the task's units.
func (t *task) amount(n int64) string {
	if t.Unit == progress.Bytes {
		return strconv.FormatFloat(float64(n)/1e6, 'f', 0, 64)
	}
	return grouped(n)
}

func (t *task) unit() string {
	if t.Unit == progress.Bytes {
		return "MB"
	}
	return t.Unit
}

// grouped formats a number with commas between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fitting truncates a line to a terminal's width, so that it does not wrap; 0 means unknown.
func fitting(line string, width int) string {
	if runes := []rune(line); width > 1 && len(runes) >= width {
		return string(runes[:width-1])
	}
	return line
}

// MotionsDone tells how many motions are done.
func MotionsDone(ctx context.Context, what string, n, total int) {
	progress.Tell(ctx, progress.Step{What: what, Done: int64(n), Total: int64(total), Unit: "motions"})
}

package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// patience is how long a user waits for the first note about long work, and the time between
// notes.
const patience = time.Second

// redraw is how often a line on a terminal is rewritten.
const redraw = 100 * time.Millisecond

// progress reports how far long work has come: on a terminal in one line that is rewritten,
// elsewhere in occasional notes, or not at all. It is safe for concurrent use.
type progress struct {
	mu          sync.Mutex
	w           io.Writer
	width       func() int    // of the terminal; nil: w is not a terminal
	notes       time.Duration // time between notes without a terminal; 0: no notes
	begin, last time.Time
	shown       bool // there is a line on the terminal
}

// newProgress returns a progress on w, which need not be a terminal. If it is not, notes is
// the time between notes; 0 means no notes.
func newProgress(w io.Writer, notes time.Duration) *progress {
	now := time.Now()
	p := &progress{w: w, notes: notes, begin: now, last: now}
	if file := terminal(w); file != nil {
		p.width = func() int {
			n, _, err := term.GetSize(int(file.Fd()))
			if err != nil {
				return 0
			}
			return n
		}
	}
	return p
}

// terminal returns w if it is a terminal, otherwise nil.
func terminal(w io.Writer) *os.File {
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// show prints line's result if a new report is due.
func (p *progress) show(line func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case p.width != nil && now.Sub(p.begin) >= patience && now.Sub(p.last) >= redraw:
		fmt.Fprintf(p.w, "\r\x1b[K%s", fitting(line(), p.width()))
		p.shown = true
	case p.width == nil && p.notes > 0 && now.Sub(p.last) >= p.notes:
		fmt.Fprintf(p.w, "note: %s\n", line())
	default:
		return
	}
	p.last = now
}

// clear makes room for a line of output. It may be called on a nil progress.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// left estimates the remaining time, from the time that done of total took.
func (p *progress) left(done, total int) time.Duration {
	return time.Duration(float64(time.Since(p.begin)) / float64(done) * float64(total-done)).Round(time.Second)
}

// fitting truncates a line to a terminal's width, so that it does not wrap; 0 means unknown.
func fitting(line string, width int) string {
	if runes := []rune(line); width > 1 && len(runes) >= width {
		return string(runes[:width-1])
	}
	return line
}

package cli

import (
	"context"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// console is where a command writes: results to standard output, notes, errors and progress
// to standard error. Its methods are safe for concurrent use.
type console struct {
	display *display // nil: nobody looks at progress
	quiet   bool     // no notes and no progress

	mu       sync.Mutex // of what follows, and of a terminal's line
	out, err io.Writer
	failed   error // the first failure to write a result
	stopped  chan struct{}
}

// newConsole returns a console on standard output and standard error. Progress appears only
// where errs is a file, such as a terminal or a log.
func newConsole(out, errs io.Writer) *console {
	c := &console{out: out, err: errs}
	if file, ok := errs.(*os.File); ok {
		c.display = newDisplay(file, widthOf(file))
	}
	return c
}

// results is the standard output of the command.
func (c *console) results() io.Writer { return resultWriter{c} }

// notes is the standard error of the command.
func (c *console) notes() io.Writer { return noteWriter{c} }

type resultWriter struct{ c *console }

// Write remembers the first failure, so that a result that was lost never goes unnoticed.
func (w resultWriter) Write(text []byte) (n int, err error) {
	n, err = w.c.write(w.c.out, text)
	if err != nil {
		w.c.mu.Lock()
		defer w.c.mu.Unlock()
		if w.c.failed == nil {
			w.c.failed = err
		}
	}
	return n, err
}

func (w resultWriter) under() io.Writer { return w.c.out }

type noteWriter struct{ c *console }

func (w noteWriter) Write(text []byte) (int, error) { return w.c.write(w.c.err, text) }

func (w noteWriter) under() io.Writer { return w.c.err }

// write makes room on a terminal, and writes. Elsewhere it holds no lock: whoever reads a pipe
// slowly must not stop the work that reports its progress.
func (c *console) write(w io.Writer, text []byte) (int, error) {
	if c.display != nil && c.display.width != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.display.clear()
	}
	return w.Write(text)
}

// lost is the first failure to write a result, nil if there was none.
func (c *console) lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// watch returns a context whose work reports its progress to the console.
func (c *console) watch(ctx context.Context) context.Context {
	if c.display == nil || c.quiet {
		return ctx
	}
	c.stopped = make(chan struct{})
	go c.refresh(c.stopped)
	return progress.With(ctx, tellHost(c.display.tell))
}

// refresh shows progress until stopped is closed.
func (c *console) refresh(stopped <-chan struct{}) {
	tick := newTicker()
	defer tick.Stop()
	for {
		select {
		case <-stopped:
			return
		case now := <-tick.C:
			c.mu.Lock()
			select {
			case <-stopped: // while this goroutine waited
			default:
				c.display.refresh(now)
			}
			c.mu.Unlock()
		}
	}
}

// close ends the progress and clears its line.
func (c *console) close() {
	if c.stopped == nil {
		return
	}
	close(c.stopped)
	if c.display.width != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.display.clear()
	}
}

// terminal returns w, or what it writes to, if that is a terminal, otherwise nil.
func terminal(w io.Writer) *os.File {
	if wrapped, ok := w.(interface{ under() io.Writer }); ok {
		w = wrapped.under()
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// widthOf returns a function that measures a terminal, nil if the file is none.
func widthOf(file *os.File) func() int {
	if terminal(file) == nil {
		return nil
	}
	return func() int {
		n, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return n
	}
}

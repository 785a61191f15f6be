// Package diagnostics assembles what a node publishes on /diagnostics: a list of entries, each
// about one part of the node, filled in anew for every message.
package diagnostics

import (
	"fmt"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/diagnosticmsgs"
)

// Level is a level of diagnostic_msgs/DiagnosticStatus.
type Level = uint8

// The levels, from the best to the worst. Stale means that there is nothing to judge: what
// the entry is about has not come, or is too old.
const (
	OK    Level = diagnosticmsgs.DiagnosticStatusOk
	Warn  Level = diagnosticmsgs.DiagnosticStatusWarn
	Error Level = diagnosticmsgs.DiagnosticStatusError
	Stale Level = diagnosticmsgs.DiagnosticStatusStale
)

// Entry is what is said of one part of the node.
type Entry struct {
	level    Level
	messages []string
	values   []diagnosticmsgs.KeyValue
}

// Raise sets the level and message where the level is worse than what was said before, and adds
// the message where it is the same. An entry of which nothing is said is OK. Error is worse
// than Stale: what is known to be wrong counts for more than what is not known.
func (e *Entry) Raise(level Level, format string, args ...any) {
	text := oneline.Text(fmt.Sprintf(format, args...), limit.TextBytes)
	switch was, is := badness(e.level), badness(level); {
	case is > was:
		e.level, e.messages = level, []string{text}
	case is == was:
		e.messages = append(e.messages, text)
	}
}

func badness(level Level) int {
	switch level {
	case OK:
		return 0
	case Warn:
		return 1
	case Stale:
		return 2
	}
	return 3
}

// Value adds a value under a key.
func (e *Entry) Value(key string, value any) {
	text := oneline.Text(fmt.Sprint(value), limit.TextBytes)
	e.values = append(e.values, diagnosticmsgs.KeyValue{Key: key, Value: text})
}

// Board holds the entries. Its methods are safe for concurrent use.
type Board struct {
	name     string
	hardware func() string

	mu    sync.Mutex
	parts []part
}

type part struct {
	name string
	fill func(*Entry)
}

// NewBoard returns a board without entries. The name, that of the node, begins the name of
// each status; hardware returns the id of the hardware, such as the robot's name, or "".
func NewBoard(name string, hardware func() string) *Board {
	return &Board{name: name, hardware: hardware}
}

// Add adds an entry. fill is called for every message, from one goroutine, and must not block.
func (b *Board) Add(name string, fill func(*Entry)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.parts = append(b.parts, part{name, fill})
}

// Statuses fills in all entries, in the order in which they were added.
func (b *Board) Statuses() (all []diagnosticmsgs.DiagnosticStatus) {
	b.mu.Lock()
	parts := b.parts
	b.mu.Unlock()
	hardware := b.hardware()
	for _, p := range parts {
		var e Entry
		p.fill(&e)
		if len(e.messages) == 0 {
			e.messages = []string{"ok"}
		}
		all = append(all, diagnosticmsgs.DiagnosticStatus{
			Level: e.level, Name: b.name + ": " + p.name, HardwareID: hardware,
			Message: strings.Join(e.messages, "; "), Values: e.values,
		})
	}
	return all
}

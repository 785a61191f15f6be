package peer

import (
	"slices"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// MaxLogged is the maximum length of a line of a library's log in bytes.
const MaxLogged = 1000

// Log passes the lines of a library's log to the user of the newest participant that is still
// open.
type Log struct {
	Library string // begins every line

	mu        sync.Mutex
	listeners []*func(ros.Level, string)
}

// Listen passes lines to f until the returned function is called. f must neither block nor
// call the library.
func (l *Log) Listen(f func(ros.Level, string)) (end func()) {
	if f == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners = append(l.listeners, &f)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.listeners = slices.DeleteFunc(l.listeners, func(g *func(ros.Level, string)) bool { return g == &f })
	}
}

// Line passes on a line, an error or a warning if the library says so.
func (l *Log) Line(failed, warned bool, text string) {
	text = strings.TrimSpace(text[:min(len(text), MaxLogged)])
	if text == "" {
		return
	}
	level := ros.LevelInfo
	switch {
	case failed:
		level = ros.LevelError
	case warned:
		level = ros.LevelWarn
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.listeners); n > 0 {
		(*l.listeners[n-1])(level, l.Library+": "+text)
	}
}

package ros

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// Level is the severity of a log line, with the numbers of rcl_interfaces/Log.
type Level uint8

// Levels. The zero value means unset: the default, Info, applies.
const (
	LevelUnset Level = 0
	LevelDebug Level = 10
	LevelInfo  Level = 20
	LevelWarn  Level = 30
	LevelError Level = 40
	LevelFatal Level = 50
)

func (l Level) String() string {
	switch l {
	case LevelUnset:
		return "UNSET"
	case LevelDebug:
		return "DEBUG"
	case LevelInfo:
		return "INFO"
	case LevelWarn:
		return "WARN"
	case LevelError:
		return "ERROR"
	case LevelFatal:
		return "FATAL"
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// ParseLevel reads a level in any case: debug, info, warn, error, fatal, unset.
func ParseLevel(s string) (Level, error) {
	for _, l := range []Level{LevelUnset, LevelDebug, LevelInfo, LevelWarn, LevelError, LevelFatal} {
		if strings.EqualFold(s, l.String()) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("log level %q is none of debug, info, warn, error, fatal, unset", s)
}

// LogLevels are the levels that the command line sets.
type LogLevels struct {
	Default Level
	// ByName holds the levels of single loggers. A logger without one takes that of its
	// nearest ancestor ("cell" is the parent of "cell.arm").
	ByName map[string]Level
}

// Of returns the level of a logger.
func (l LogLevels) Of(name string) Level {
	for n := name; n != ""; {
		if level := l.ByName[n]; level != LevelUnset {
			return level
		}
		dot := strings.LastIndexByte(n, '.')
		if dot < 0 {
			break
		}
		n = n[:dot]
	}
	if l.Default != LevelUnset {
		return l.Default
	}
	return LevelInfo
}

// Record is one log line. Its text is one line of printable characters of bounded length.
type Record struct {
	Time   time.Time
	Level  Level
	Logger string
	Text   string
	At     Place
}

// Logger writes lines as ROS nodes do: "[INFO] [sec.nanosec] [name]: text". It is safe for
// concurrent use. A nil Logger discards all lines.
//
// Logging never waits for the writer. Lines wait in a bounded queue for a goroutine that
// writes them. Lines beyond the queue, or beyond the maximum number of bytes per second, are
// dropped, and their number is logged. Flush waits for the queue to drain.
//
// One call writes one line: unprintable characters are escaped, and a line longer than
// limit.LogLineBytes is truncated with a mark.
type Logger struct {
	name  string
	level Level
	out   *logOutput
}

// NewLogger returns a logger that writes lines of at least the given level to
// w; a nil w is standard error.
func NewLogger(w io.Writer, name string, level Level) *Logger {
	if w == nil {
		w = os.Stderr
	}
	if level == LevelUnset {
		level = LevelInfo
	}
	return &Logger{name: name, level: level, out: newLogOutput(w, name)}
}

// Name returns the logger's name.
func (l *Logger) Name() string {
	if l == nil {
		return ""
	}
	return l.name
}

// Named returns a logger with another name and level, and the same output and sinks.
func (l *Logger) Named(name string, level Level) *Logger {
	if l == nil {
		return nil
	}
	if level == LevelUnset {
		level = l.level
	}
	return &Logger{name: name, level: level, out: l.out}
}

// AddSink calls f with every record of the logger, one at a time; /rosout uses it. f must
// neither log nor block. The returned function removes the sink; when it returns, f is not
// running.
func (l *Logger) AddSink(f func(Record)) (remove func()) {
	if l == nil {
		return func() {}
	}
	return l.out.addSink(f)
}

// Flush waits until everything logged so far is written, for at most patience, and reports
// whether it is.
func (l *Logger) Flush(patience time.Duration) bool { return l == nil || l.out.flush(patience) }

// Enabled reports whether lines of that level are written.
func (l *Logger) Enabled(level Level) bool { return l != nil && level >= l.level }

// Debugf writes a line of level Debug.
func (l *Logger) Debugf(format string, args ...any) { l.logf(LevelDebug, format, args...) }

// Infof writes a line of level Info.
func (l *Logger) Infof(format string, args ...any) { l.logf(LevelInfo, format, args...) }

// Warnf writes a line of level Warn.
func (l *Logger) Warnf(format string, args ...any) { l.logf(LevelWarn, format, args...) }

// Errorf writes a line of level Error.
func (l *Logger) Errorf(format string, args ...any) { l.logf(LevelError, format, args...) }

// Fatalf writes a line of level Fatal. It does not end the program.
func (l *Logger) Fatalf(format string, args ...any) { l.logf(LevelFatal, format, args...) }

// Log writes a note at its level.
func (l *Logger) Log(n Note) { l.logf(n.Level, "%s", n.Text) }

func (l *Logger) logf(level Level, format string, args ...any) {
	if l.Enabled(level) {
		l.out.take(Record{Level: level, Logger: l.name, Text: oneline.Text(fmt.Sprintf(format, args...), limit.LogLineBytes), At: caller()})
	}
}

// LogName shortens and escapes a name or id from outside, for use inside a line of the log or
// of a message.
func LogName(s string) string { return oneline.Name(s, limit.LogNameBytes) }

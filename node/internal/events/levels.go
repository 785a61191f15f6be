package events

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Hold is how long a better level, or another pair or reason at the same level, must last
// before it is logged. A worse level is logged at once. So a level that flickers is one line.
const Hold = 500 * time.Millisecond

// Levels logs changes of the state's level. The zero value is ready to use, from one goroutine.
type Levels struct {
	shown  shown
	seen   [worst + 1]time.Time // when a level of each rank was last published
	lines  bucket
	alarms bucket // of COLLISION, which no flicker of other levels may keep from the log
	behind bool   // the shown level is not in the log
	missed int    // changes that are not in the log
}

// shown is the level that the log tells, with its pair or reason.
type shown struct {
	level uint8
	what  string
	since time.Time // of the level
	seen  time.Time // when a state with this level and pair or reason was last published
}

// Note takes a published state at a time of the monotonic clock, and returns the line to log,
// or false if there is none.
func (l *Levels) Note(s *fcmsgs.CollisionState, now time.Time) (ros.Note, bool) {
	at := shown{s.Level, subject(s), now, now}
	l.seen[rank(s.Level)] = now
	if l.shown.since.IsZero() { // the first state
		l.lines, l.alarms = bucket{most: 10, period: 2 * time.Second}, bucket{most: 5, period: time.Second}
		return l.show(at, s, now)
	}
	same := at.level == l.shown.level && at.what == l.shown.what
	if same {
		l.shown.seen = now
	}
	lasts := rank(s.Level) == l.worstLately(now)
	switch {
	case rank(s.Level) > rank(l.shown.level), rank(s.Level) < rank(l.shown.level) && lasts:
		return l.show(at, s, now)
	case rank(s.Level) == rank(l.shown.level) && !same && now.Sub(l.shown.seen) >= Hold:
		return l.show(at, s, now)
	case same && l.behind:
		return l.say(s, now, "")
	}
	return ros.Note{}, false
}

// worstLately is the rank of the worst level that was published within Hold.
func (l *Levels) worstLately(now time.Time) int {
	for r := worst; r > 0; r-- {
		if !l.seen[r].IsZero() && now.Sub(l.seen[r]) < Hold {
			return r
		}
	}
	return 0
}

// subject is what a line about a state is about: the pair, or the reason without its numbers.
func subject(s *fcmsgs.CollisionState) string {
	switch s.Level {
	case fcmsgs.CollisionStateFree:
		return ""
	case fcmsgs.CollisionStateUnknown:
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, s.Reason)
	}
	return s.Pair.A.Name + "\x00" + s.Pair.B.Name
}

// show makes a level the shown one, and returns its line.
func (l *Levels) show(at shown, s *fcmsgs.CollisionState, now time.Time) (ros.Note, bool) {
	before := l.shown
	at.since = now
	after, first := "", before.since.IsZero()
	switch {
	case first:
	case before.level == at.level: // with another pair or reason
		at.since = before.since
	default:
		after = fmt.Sprintf(" (after %.1f s of %s)", now.Sub(before.since).Seconds(), LevelName(before.level))
	}
	l.shown = at
	note, ok := l.say(s, now, after)
	if !ok {
		l.behind = true
		l.missed++
	}
	if first && s.Level == fcmsgs.CollisionStateUnknown {
		note.Level = ros.LevelInfo // nothing is wrong: nothing has come yet
	}
	return note, ok
}

// say returns the line about a state if one is allowed now.
func (l *Levels) say(s *fcmsgs.CollisionState, now time.Time, after string) (ros.Note, bool) {
	alarm := rank(s.Level) > rank(fcmsgs.CollisionStateUnknown)
	if !l.lines.take(now) && !(alarm && l.alarms.take(now)) {
		return ros.Note{}, false
	}
	text := fmt.Sprintf("%s: %s%s", LevelName(s.Level), s.Reason, after)
	if l.missed > 0 {
		text += fmt.Sprintf("; %d changes before are not in the log", l.missed)
	}
	l.behind, l.missed = false, 0
	return ros.Note{Level: severity(s.Level), Text: text}, true
}

package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// script runs states through Levels. Each word is a level's first letter (C for COLLISION),
// perhaps a number that stands for its pair or reason, and how long it lasts, in states of
// 10 ms: "F:100 S1:3".
func script(l *Levels, start time.Time, words string) (lines []string, end time.Time) {
	levels := map[byte]uint8{'U': fcmsgs.CollisionStateUnknown, 'F': fcmsgs.CollisionStateFree, 'W': fcmsgs.CollisionStateWarn, 'S': fcmsgs.CollisionStateStop, 'C': fcmsgs.CollisionStateCollision}
	now := start
	for _, word := range strings.Fields(words) {
		what, count, _ := strings.Cut(word, ":")
		n := 1
		fmt.Sscan(count, &n)
		s := &fcmsgs.CollisionState{Level: levels[what[0]], Reason: strings.Repeat("x", 1+len(what)-1)}
		s.Pair.A.Name = what[1:]
		if s.Level == fcmsgs.CollisionStateUnknown && len(what) > 1 {
			s.Reason = "why " + strings.Repeat("a", int(what[1]-'0'))
		}
		for range n {
			if note, ok := l.Note(s, now); ok {
				lines = append(lines, fmt.Sprintf("%.2f %s %s", now.Sub(start).Seconds(), note.Level, note.Text))
			}
			now = now.Add(10 * time.Millisecond)
		}
	}
	return lines, now
}

func TestChangesOfLevelAreLogged(t *testing.T) {
	for _, c := range []struct {
		name, words string
		want        []string
	}{
		{"the start", "U1:100 F:100", []string{"0.00 INFO UNKNOWN: why a", "1.49 INFO FREE: x (after 1.5 s of UNKNOWN)"}},
		{"worse at once, better when it lasts", "F:10 S1:10 F:100", []string{"0.00 INFO FREE: x", "0.10 ERROR STOP: xx (after 0.1 s of FREE)", "0.69 INFO FREE: x (after 0.6 s of STOP)"}},
		{"step by step", "W1:1 S1:1 C1:1", []string{"0.00 WARN WARN: xx", "0.01 ERROR STOP: xx (after 0.0 s of WARN)", "0.02 ERROR COLLISION: xx (after 0.0 s of STOP)"}},
		{"another reason on the way", "U1:1 U2:1 F:100", []string{"0.00 INFO UNKNOWN: why a", "0.51 INFO FREE: x (after 0.5 s of UNKNOWN)"}},
		{"a flicker between better levels", "S1:1 " + strings.Repeat("W1:1 F:1 ", 100) + "F:60", []string{"0.00 ERROR STOP: xx", "0.51 WARN WARN: xx (after 0.5 s of STOP)", "2.49 INFO FREE: x (after 2.0 s of WARN)"}},
		{"a flicker is one line", "F:1 " + strings.Repeat("W1:1 F:1 ", 500), []string{"0.00 INFO FREE: x", "0.01 WARN WARN: xx (after 0.0 s of FREE)"}},
		{"input missing and back", "F:100 U1:100 F:60", []string{"0.00 INFO FREE: x", "1.00 WARN UNKNOWN: why a (after 1.0 s of FREE)", "2.49 INFO FREE: x (after 1.5 s of UNKNOWN)"}},
		{"another pair", "S1:10 S2:100", []string{"0.00 ERROR STOP: xx", "0.59 ERROR STOP: xx"}},
		{"two pairs in turn", "S1:1 " + strings.Repeat("S2:1 S1:1 ", 500), []string{"0.00 ERROR STOP: xx"}},
		{"another reason", "U1:10 U2:100", []string{"0.00 INFO UNKNOWN: why a", "0.59 WARN UNKNOWN: why aa"}},
		{"better by two, but not for long", "S1:10 F:20 W1:80", []string{"0.00 ERROR STOP: xx", "0.59 WARN WARN: xx (after 0.6 s of STOP)"}},
		{"unknown during a contact is not better", "C1:1 U1:49 C1:10", []string{"0.00 ERROR COLLISION: xx"}},
	} {
		lines, _ := script(&Levels{}, time.Unix(1000, 0), c.words)
		if d := cmp.Diff(c.want, lines); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// The numbers in a reason, such as an age, are no other reason.
func TestNumbersAreNoOtherReason(t *testing.T) {
	var l Levels
	n := 0
	for i := range 1000 {
		s := &fcmsgs.CollisionState{Reason: fmt.Sprintf("the joint state is %d.%03d s old", i, i)}
		if _, ok := l.Note(s, time.Unix(1000, int64(i)*1e7)); ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
}

func TestSlowFlickerDoesNotFloodTheLog(t *testing.T) {
	var l Levels
	lines, end := script(&l, time.Unix(1000, 0), "F:1 "+strings.Repeat("S1:60 F:60 ", 500)) // 10 minutes
	if n := len(lines); n < 200 || n > 310+10 {
		t.Errorf("%d lines in 10 minutes", n)
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "changes before are not in the log") {
		t.Errorf("the last line is %q", last)
	}
	// A contact is logged even so, and the last level in the end.
	lines, end = script(&l, end, "C1:1")
	if len(lines) != 1 || !strings.Contains(lines[0], "COLLISION") {
		t.Errorf("of a contact the log has %q", lines)
	}
	if lines, _ = script(&l, end, "F:500"); len(lines) != 1 || !strings.Contains(lines[0], "FREE") {
		t.Errorf("after it the log has %q", lines)
	}
}

// However the levels alternate, the last line tells the level in the end.
func TestLogEndsWithTheLevelThatLasts(t *testing.T) {
	var l Levels
	_, end := script(&l, time.Unix(1000, 0), strings.Repeat("S1:60 F:60 U1:3 W1:70 ", 200))
	lines, _ := script(&l, end, "S2:1000")
	if len(lines) == 0 || !strings.Contains(lines[len(lines)-1], "STOP: xx") {
		t.Errorf("the log ends with %q", lines)
	}
}

func TestVerdictsAreLoggedAtTheirLevel(t *testing.T) {
	var v Verdicts
	for status, want := range map[uint8]ros.Note{
		fcmsgs.VerdictFree:      {Level: ros.LevelInfo, Text: "FREE: goal 7: text"},
		fcmsgs.VerdictContact:   {Level: ros.LevelWarn, Text: "CONTACT: goal 7: text"},
		fcmsgs.VerdictClearance: {Level: ros.LevelWarn, Text: "CLEARANCE: goal 7: text"},
		fcmsgs.VerdictUndecided: {Level: ros.LevelWarn, Text: "UNDECIDED: goal 7: text"},
		fcmsgs.VerdictInvalid:   {Level: ros.LevelWarn, Text: "INVALID: goal 7: text"},
		99:                      {Level: ros.LevelWarn, Text: "STATUS 99: goal 7: text"},
	} {
		if got, ok := v.Note(&fcmsgs.Verdict{Status: status, ID: "goal 7", Message: "text"}, time.Unix(1000, 0)); !ok || got != want {
			t.Errorf("status %d: %v, %v", status, got, ok)
		}
	}
	// A flood of one status leaves room for others.
	lines, now := 0, time.Unix(2000, 0)
	for range 5000 { // in 5 s
		if _, ok := v.Note(&fcmsgs.Verdict{Status: fcmsgs.VerdictInvalid}, now); ok {
			lines++
		}
		now = now.Add(time.Millisecond)
	}
	if lines < 20 || lines > 26 {
		t.Errorf("%d lines of a flood", lines)
	}
	if note, ok := v.Note(&fcmsgs.Verdict{Status: fcmsgs.VerdictContact}, now); !ok || strings.Contains(note.Text, "before") {
		t.Errorf("in a flood of others: %v, %v", note, ok)
	}
	if note, ok := v.Note(&fcmsgs.Verdict{Status: fcmsgs.VerdictInvalid}, now.Add(2*time.Second)); !ok || !strings.Contains(note.Text, "INVALID before are not in the log") {
		t.Errorf("after it: %v, %v", note, ok)
	}
}

func TestWordsOfLevels(t *testing.T) {
	if got := LevelName(77); got != "LEVEL 77" {
		t.Error(got)
	}
	if rank(77) < rank(fcmsgs.CollisionStateCollision) || severity(77) != ros.LevelError {
		t.Error("an unknown level is not the worst")
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
)

// folds is a recording of the elbow, as ros2 topic echo --csv prints it, every 20 ms from a
// position on to another, with a pause of a second in the middle.
func folds(to float64, pause bool) string {
	var b strings.Builder
	for i := range 51 {
		at := 1_700_000_000_000 + int64(i)*20
		if pause && i > 25 {
			at += 1000
		}
		fmt.Fprintf(&b, "%d,%d,base,shoulder,elbow,0.0,%g,,\n", at/1000, at%1000*1_000_000, to*float64(i)/50)
	}
	return b.String()
}

// What a recording does not measure keeps it from being free, and a verdict says what it
// assumes between the samples.
func TestRecordings(t *testing.T) {
	robot := folding(t, metre)
	for _, tc := range []struct {
		name, in string
		args     []string
		want     int
		says     []string
	}{
		{"free", folds(1, false), nil, exitFree, []string{"FREE", "rests on: between-samples: the motion was measured; between samples, up to 0.02 s apart"}},
		{"contact", folds(3.1, false), nil, exitContact, []string{"CONTACT self", "the contact lies between samples at 0.", "straight lines"}},
		{"a pause", folds(1, true), nil, exitUndecided, []string{"proved free until 0.500000 s", "accept recording-gap:shoulder"}},
		{"a pause accepted", folds(1, true), []string{"--accept", "recording-gap"}, exitFree, []string{"accepted: recording-gap elbow"}},
		{"a pause relied on", folds(1, true), []string{"--max-gap", "1.1"}, exitFree, []string{"up to 1.02 s apart"}},
		{"a joint alone", folds(1, false), []string{"--joints", "elbow"}, exitFree, []string{"FREE", "shoulder"}},
		{"a table with a hole", "time,elbow,wrist\n0,0,0\n0.5,,1\n1,1,1\n", nil, exitBadInput, []string{"column elbow is empty", "--recording"}},
		{"a table that was measured", "time,elbow,wrist\n0,0,0\n0.5,,1\n1,1,1\n", []string{"--recording"}, exitFree, []string{"FREE", "between-samples"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := command(t, tc.in, append([]string{"check", "-q", "--robot", robot, "-"}, tc.args...)...)
			for _, want := range tc.says {
				if code != tc.want || !strings.Contains(out+errs, want) {
					t.Errorf("exit status %d, want %d and %q\n%s%s", code, tc.want, want, out, errs)
				}
			}
		})
	}
}

package node

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

// What an operator reads on a day with everything: the log is silent while nothing changes.
func TestLogTellsLevelsAndVerdicts(t *testing.T) {
	t.Parallel()
	g := inMemory()
	log := &lines{}
	g.log = log
	r := g.newRobot(t, railArgs(t)...)
	says := func(words string) {
		t.Helper()
		for deadline := time.Now().Add(patience); !regexp.MustCompile(words).MatchString(log.String()); time.Sleep(10 * ms) {
			if time.Now().After(deadline) {
				t.Fatalf("the log does not say %s:\n%s", words, log)
			}
		}
	}
	r.rest()
	says(`\[INFO\] .*: FREE: `)
	r.play(func() *sensormsgs.JointState { return carts2(0, -0.795) })
	says(`\[ERROR\] .*: STOP: left and right are (at most )?0\.005.* m apart.*\(after .* s of FREE\)`)
	r.hush()
	// The last measurements may grow old while a state is judged: then that is told first.
	says(`\[WARN\] .*: UNKNOWN: .*\(after .* s of STOP\)`)
	says(`(?s)STOP: left.*UNKNOWN: [^\n]*left_x`)
	r.rest()
	says(`(?s)STOP: left.*UNKNOWN: [^\n]*left_x.*\[INFO\] .*: FREE: .*\(after .* s of UNKNOWN\)`)
	for id, goal := range map[string][]float64{"good": {0.5, 1}, "bad": {1, 0}} {
		r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: goal}))
		r.waitVerdict(id)
	}
	says(`\[INFO\] .*: FREE: good: proved free`)
	says(`\[WARN\] .*: CONTACT: bad: left and right touch at`)
	text := log.String()
	states := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "]: FREE: the closest") || strings.Contains(line, ": UNKNOWN: ") || strings.Contains(line, ": STOP: ") {
			states++
		}
	}
	if states > 12 { // of some hundreds that were published
		t.Errorf("%d lines tell the state", states)
	}
	if t.Failed() {
		t.Log(text)
	}
}

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
	g := inMemory()
	log := &lines{}
	g.log = log
	r := g.newRobot(t, railArgs(t)...)
	r.rest()
	_, next := r.waitLevel(0, levelFree, "")
	time.Sleep(700 * ms)
	r.play(func() *sensormsgs.JointState { return carts2(0, -0.795) })
	_, next = r.waitLevel(next, fcmsgs.CollisionStateStop, "")
	r.hush()
	_, next = r.waitLevel(next, fcmsgs.CollisionStateUnknown, "")
	r.rest()
	r.waitLevel(next, levelFree, "")
	time.Sleep(700 * ms)
	for id, goal := range map[string][]float64{"good": {0.5, 1}, "bad": {1, 0}} {
		r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: goal}))
		r.waitVerdict(id)
	}
	time.Sleep(50 * ms)
	text := log.String()
	for _, want := range []string{
		`\[INFO\] .*: UNKNOWN: `,
		`\[INFO\] .*: FREE: .*(after .* s of UNKNOWN)`,
		`\[ERROR\] .*: STOP: left and right are (at most )?0\.005.* m apart.*(after .* s of FREE)`,
		`\[WARN\] .*: UNKNOWN: .*left_x`,
		`\[INFO\] .*: FREE: .*(after .* s of UNKNOWN)`,
		`\[INFO\] .*: FREE: good: proved free`,
		`\[WARN\] .*: CONTACT: bad: left and right touch at`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("the log does not say %s", want)
		}
	}
	states := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "]: FREE: the closest") || strings.Contains(line, ": UNKNOWN: ") || strings.Contains(line, ": STOP: ") {
			states++
		}
	}
	if states > 8 { // of some 200 that were published
		t.Errorf("%d lines tell the state", states)
	}
	if t.Failed() {
		t.Log(text)
	}
}

package node

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// passing returns a passage of a cart that begins now, as the node has proved it.
func (a *twoArms) passing(joint string, seconds, to float64, beside ...*passage) *passage {
	a.Helper()
	way, err := motion.Between([]string{joint}, []float64{0}, []float64{to}, seconds)
	if err != nil {
		a.Fatal(err)
	}
	way.KeepTurns = true
	q := &question{plan: &jtc.Plan{Start: a.under.now(), Motion: way}, stamp: time.Unix(0, 0), controller: controller{handover: 50 * ms}}
	q.forward = &forwarding{beside: beside}
	q.judged.model, _ = a.under.loader.current()
	q.judged.way = way
	return a.under.newPassage(q, []string{joint}, 0.05)
}

// A verdict on what goes on beside a stop is awaited again if its wait was interrupted: by a second
// word of the same stop, for one.
func TestCourseJudgesAgainAfterAnInterruption(t *testing.T) {
	a := newTwoArms(t, "-p", "lookahead.deceleration:=20.0")
	right := a.passing("right_x", 10, 1.2)
	left := a.passing("left_x", 10, 1, right)
	course := left.course.Load()
	course.late.Store(true)
	right.Break()
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	m, _ := a.under.loader.current()
	if err := course.step(interrupted, m); err == nil {
		t.Fatal("an interrupted look finds everything in order")
	}
	if err := course.step(context.Background(), m); err == nil || !strings.Contains(err.Error(), "CONTACT: left and right ") {
		t.Errorf("the next look finds %v", err)
	}
}

// A controller that pauses goes on later: its trajectory is over when the robot is at its end.
func TestPassageIsOverAtItsEnd(t *testing.T) {
	a := newTwoArms(t)
	short, far := a.passing("right_x", 0.01, 0.01), a.passing("right_x", 0.01, 1)
	for end := time.Now().Add(patience); !short.Over(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a robot at the end of its motion is said to be on its way")
		}
	}
	if far.Over() {
		t.Error("a robot that has not moved is said to be at the end of its motion")
	}
}

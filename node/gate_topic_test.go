package node

import (
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// onTheTopic has the right cart execute a trajectory from the topic.
func (a *twoArms) onTheTopic(points ...[]float64) {
	a.Helper()
	topic := advertise[trajectorymsgs.JointTrajectory](a.robot, "right_checked/joint_trajectory")
	way := path("right_x", points...)
	way.Header.Stamp = builtininterfaces.Time{}
	a.publish(topic.Publish(way))
	for end := time.Now().Add(patience); a.right.Taken() == 0; time.Sleep(ms) {
		if time.Now().After(end) {
			a.Fatal("the trajectory does not reach the controller")
		}
	}
	time.Sleep(200 * ms)
}

// stands waits until the right cart is held, and holds that it is not thrown back or forward.
func (a *twoArms) stands(speed float64) {
	a.Helper()
	for end := time.Now().Add(patience); a.right.Taken() == 1; time.Sleep(ms) {
		if time.Now().After(end) {
			a.Fatal("the cart is not stopped")
		}
	}
	before := a.right.At()["right_x"]
	time.Sleep(100 * ms)
	at := a.right.At()["right_x"]
	time.Sleep(100 * ms)
	if now := a.right.At()["right_x"]; now != at {
		a.Errorf("the cart moves on, from %g to %g", at, now)
	}
	if off := at - before; off > 0.5*speed || off < -0.5*speed {
		a.Errorf("the cart was at %g when it was stopped, and is held at %g", before, at)
	}
}

// The joint states end, and the trajectory is to end. The cart is held where the trajectory has
// taken it meanwhile, and what is proved later is proved with the cart there.
func TestTopicIsHeldWithoutMeasurements(t *testing.T) {
	a := newTwoArms(t, "-p", "joint_state_timeout:=1.0")
	a.onTheTopic([]float64{4, 0.8}, []float64{6, -0.7})
	a.right.Mute(true)
	a.stands(0.2)
	a.right.Mute(false)
	a.waitLevel(0, levelFree, "")
	a.wants(a.begins(a.leftUser, action.NewID(), leftTo(0.5, 0.2)), action.Succeeded, "")
	a.apart(0.5)
}

func TestTopicIsHeldByANodeThatBecomesInactive(t *testing.T) {
	a := newTwoArms(t)
	a.onTheTopic([]float64{20, 1.5})
	a.under.loader.enter(stage{inactive, true})
	a.stands(0.075)
}

func TestTopicIsHeldWhenTheModelChanges(t *testing.T) {
	a := newTwoArms(t)
	a.onTheTopic([]float64{20, 1.5})
	a.under.monitor.use(nil, "another robot is being loaded")
	a.stands(0.075)
}

// A node that ends withholds its model and closes the gate at the same time.
func TestTopicIsHeldWhenTheNodeEnds(t *testing.T) {
	a := newTwoArms(t)
	a.onTheTopic([]float64{20, 1.5})
	a.under.loader.enter(stage{finalized, false})
	a.under.loader.forget()
	if err := a.under.closeGate(); err != nil {
		t.Error(err)
	}
	a.stands(0.075)
}

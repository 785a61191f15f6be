package gate

import (
	"context"
	"errors"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Judge decides which trajectories are forwarded.
type Judge interface {
	// Ask judges a trajectory. It does not block. told is called once, soon after the deadline
	// of the Gate at the latest, and does not block.
	Ask(q Question, told func(Verdict))
}

// Question is a trajectory that is to be forwarded.
type Question struct {
	ID         string   // for messages to the user
	Controller string   // its absolute name
	Client     ros.GUID // the participant that sent the trajectory
	Bytes      int      // of the message
	Broken     error    // not nil if the message could not be read: refuse it
	Goal       *controlmsgs.FollowJointTrajectoryGoal
	Running    Plan          // what the controller executes now; nil if nothing
	Beside     []Plan        // what the other controllers execute now
	Came       time.Time     // when it came
	Time       time.Duration // for the verdict
	// Late is how much time passed at the last attempt between the question and the moment at
	// which the trajectory should have been forwarded; 0 at the first attempt. Meanwhile a
	// robot that moves has moved on.
	Late time.Duration
}

// Verdict is the answer.
type Verdict struct {
	Plan   Plan   // nil unless the trajectory is proved free
	Reason string // why there is no Plan
}

// Plan is a trajectory that is proved free. Its methods are safe for concurrent use.
type Plan interface {
	// Ready returns nil if the proof holds for a trajectory that is forwarded now, and
	// otherwise why it must be judged again.
	Ready() error
	// Begin tells that the controller has just taken the trajectory over.
	Begin()
	// Break tells that the controller is being stopped, or has ended the trajectory before its
	// time: plans that were proved free beside this one must be judged again, by their Watch.
	Break()
	// Over reports whether the controller should have executed it by now, and the robot is where it
	// ends.
	Over() bool
	// Watch judges the rest of the trajectory, from the present state of the robot and together
	// with what other controllers execute. It returns nil if the controller may go on, an error
	// that wraps that of ctx if it was interrupted, and otherwise why the controller must stop.
	Watch(ctx context.Context) error
	// Stop judges how the robot comes to stand if it brakes now. It returns whether that is proved
	// free, and the result in words. It ends soon after ctx at the latest.
	Stop(ctx context.Context) (free bool, result string)
	// Hold returns a trajectory that stops the robot where it is, or nil if that is not known now.
	// Then it is called again until it is known.
	Hold() *trajectorymsgs.JointTrajectory
}

// ErrDeviation is wrapped by errors of Watch about a robot that is not where the trajectory is.
var ErrDeviation = errors.New("the robot deviates from the trajectory")

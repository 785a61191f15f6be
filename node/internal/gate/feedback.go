package gate

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// rawFeedback is the feedback of a controller as it came: later versions of control_msgs add
// fields to it, and the gate has no use for any. In both messages it begins at the same
// offset, so the bytes need no other alignment.
type rawFeedback struct{ data []byte }

// The types of the action, with feedback that is passed on as it is.
type (
	goalMessage = controlmsgs.FollowJointTrajectoryGoal
	result      = controlmsgs.FollowJointTrajectoryResult
	server      = action.Server[goalMessage, result, rawFeedback, *goalMessage, *result, *rawFeedback]
	client      = action.Client[goalMessage, result, rawFeedback, *goalMessage, *result, *rawFeedback]
	serverGoal  = action.Goal[result, rawFeedback]
)

// ROSType tells the name and the hash of the type.
func (*rawFeedback) ROSType() cdr.TypeInfo {
	return (*controlmsgs.FollowJointTrajectoryFeedback)(nil).ROSType()
}

// ROSAction tells the action that the type is part of.
func (*rawFeedback) ROSAction() cdr.ActionInfo { return controlmsgs.FollowJointTrajectoryAction() }

// MarshalCDR writes the bytes.
func (f *rawFeedback) MarshalCDR(w *cdr.Writer) { w.Uint8s(f.data) }

// UnmarshalCDR takes the rest of the message.
func (f *rawFeedback) UnmarshalCDR(r *cdr.Reader) error {
	if r.BigEndian() {
		return errors.New("feedback in big-endian byte order is not passed on")
	}
	f.data = make([]byte, r.Remaining())
	r.Uint8s(f.data)
	return r.Err()
}

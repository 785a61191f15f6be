package action

import (
	"crypto/rand"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/uniqueidentifiermsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// ID identifies a goal. Clients choose it at random.
type ID [16]byte

// NewID returns a random id, a UUID of version 4.
func NewID() (id ID) {
	rand.Read(id[:]) // never fails
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// String returns the usual form of a UUID.
func (id ID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// IsZero reports whether the id is unset.
func (id ID) IsZero() bool { return id == ID{} }

func (id ID) message() uniqueidentifiermsgs.UUID { return uniqueidentifiermsgs.UUID{UUID: id} }

// Status is the state of a goal.
type Status int8

// The states of a goal. The last three are final. Unknown is that of a goal that the server
// does not know, or no longer.
const (
	Unknown   = Status(actionmsgs.GoalStatusStatusUnknown)
	Accepted  = Status(actionmsgs.GoalStatusStatusAccepted)
	Executing = Status(actionmsgs.GoalStatusStatusExecuting)
	Canceling = Status(actionmsgs.GoalStatusStatusCanceling)
	Succeeded = Status(actionmsgs.GoalStatusStatusSucceeded)
	Canceled  = Status(actionmsgs.GoalStatusStatusCanceled)
	Aborted   = Status(actionmsgs.GoalStatusStatusAborted)
)

// Final reports whether a goal in this state has its result.
func (s Status) Final() bool { return s == Succeeded || s == Canceled || s == Aborted }

func (s Status) String() string {
	names := [...]string{"UNKNOWN", "ACCEPTED", "EXECUTING", "CANCELING", "SUCCEEDED", "CANCELED", "ABORTED"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int8(s))
	}
	return names[s]
}

// The quality of service of an action's topics. That of its services is ros.ServiceQoS.
var (
	FeedbackQoS = ros.QoS{Depth: 10}
	StatusQoS   = ros.QoS{Durability: ros.TransientLocal, Depth: 1}
)

// Part is the constraint that *T is the goal, the result or the feedback of an action.
type Part[T any] interface {
	*T
	cdr.Message
	ROSAction() cdr.ActionInfo
}

// infoOf returns the action that a message is part of.
func infoOf[T any, PT Part[T]]() cdr.ActionInfo { return PT(nil).ROSAction() }

// The messages that ROS derives from an action's goal, result and feedback.
type (
	sendRequest[G any, PG Part[G]] struct {
		ID   ID
		Goal G
	}
	sendResponse[G any, PG Part[G]] struct {
		Accepted bool
		Stamp    builtininterfaces.Time
	}
	resultRequest[R any, PR Part[R]]  struct{ ID ID }
	resultResponse[R any, PR Part[R]] struct {
		Status Status
		Result R
	}
	feedbackMessage[F any, PF Part[F]] struct {
		ID       ID
		Feedback F
	}
)

func (*sendRequest[G, PG]) ROSType() cdr.TypeInfo     { return infoOf[G, PG]().SendGoal.Request }
func (*sendResponse[G, PG]) ROSType() cdr.TypeInfo    { return infoOf[G, PG]().SendGoal.Response }
func (*resultRequest[R, PR]) ROSType() cdr.TypeInfo   { return infoOf[R, PR]().GetResult.Request }
func (*resultResponse[R, PR]) ROSType() cdr.TypeInfo  { return infoOf[R, PR]().GetResult.Response }
func (*feedbackMessage[F, PF]) ROSType() cdr.TypeInfo { return infoOf[F, PF]().Feedback }

func (m *sendRequest[G, PG]) MarshalCDR(w *cdr.Writer) {
	w.Uint8s(m.ID[:])
	PG(&m.Goal).MarshalCDR(w)
}

func (m *sendRequest[G, PG]) UnmarshalCDR(r *cdr.Reader) error {
	r.Uint8s(m.ID[:])
	return PG(&m.Goal).UnmarshalCDR(r)
}

func (m *sendResponse[G, PG]) MarshalCDR(w *cdr.Writer) {
	w.Bool(m.Accepted)
	m.Stamp.MarshalCDR(w)
}

func (m *sendResponse[G, PG]) UnmarshalCDR(r *cdr.Reader) error {
	m.Accepted = r.Bool()
	return m.Stamp.UnmarshalCDR(r)
}

func (m *resultRequest[R, PR]) MarshalCDR(w *cdr.Writer) { w.Uint8s(m.ID[:]) }

func (m *resultRequest[R, PR]) UnmarshalCDR(r *cdr.Reader) error {
	r.Uint8s(m.ID[:])
	return r.Err()
}

func (m *resultResponse[R, PR]) MarshalCDR(w *cdr.Writer) {
	w.Int8(int8(m.Status))
	PR(&m.Result).MarshalCDR(w)
}

func (m *resultResponse[R, PR]) UnmarshalCDR(r *cdr.Reader) error {
	m.Status = Status(r.Int8())
	return PR(&m.Result).UnmarshalCDR(r)
}

func (m *feedbackMessage[F, PF]) MarshalCDR(w *cdr.Writer) {
	w.Uint8s(m.ID[:])
	PF(&m.Feedback).MarshalCDR(w)
}

func (m *feedbackMessage[F, PF]) UnmarshalCDR(r *cdr.Reader) error {
	r.Uint8s(m.ID[:])
	return PF(&m.Feedback).UnmarshalCDR(r)
}

// The names of an action's services and topics.
type names struct{ action string }

func namesOf(n *ros.Node, action string) (names, error) {
	absolute, err := n.ResolveService(action)
	return names{absolute}, err
}

func (n names) of(part string) string { return n.action + "/_action/" + part }

package node

import (
	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// Answer is a verdict of the checker outside the node.
type Answer struct {
	ID      string // of the motion
	Checker *ccd.Checker
	Motion  *motion.Motion
	Joined  motion.Interpolation
	Query   motion.Query
	Verdict *motion.Verdict
	Touch   *motion.Verdict // of CheckMargin
}

// Message is the answer as the node would publish it, but for the fields of the model that only a
// node has.
func (a *Answer) Message() *fcmsgs.Verdict {
	robot := a.Checker.Robot()
	m := &model{checker: a.Checker, frame: robot.Links[robot.Root].Name, assumed: uint32(len(a.Checker.Pairs().Assumed))}
	return m.answer(&question{id: a.ID, query: a.Query, joined: a.Joined}, a.Motion, a.Verdict, a.Touch)
}

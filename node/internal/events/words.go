package events

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// LevelName returns the word for a level of firstcontact_msgs/CollisionState.
func LevelName(level uint8) string {
	switch level {
	case fcmsgs.CollisionStateUnknown:
		return "UNKNOWN"
	case fcmsgs.CollisionStateFree:
		return "FREE"
	case fcmsgs.CollisionStateWarn:
		return "WARN"
	case fcmsgs.CollisionStateStop:
		return "STOP"
	case fcmsgs.CollisionStateCollision:
		return "COLLISION"
	}
	return fmt.Sprintf("LEVEL %d", level)
}

// StatusName returns the word for a status of firstcontact_msgs/Verdict.
func StatusName(status uint8) string {
	switch status {
	case fcmsgs.VerdictUndecided:
		return "UNDECIDED"
	case fcmsgs.VerdictFree:
		return "FREE"
	case fcmsgs.VerdictContact:
		return "CONTACT"
	case fcmsgs.VerdictClearance:
		return "CLEARANCE"
	case fcmsgs.VerdictInvalid:
		return "INVALID"
	}
	return fmt.Sprintf("STATUS %d", status)
}

// rank orders levels as the node does where several count: the worst last. A level that this
// program does not know is the worst.
func rank(level uint8) int {
	switch level {
	case fcmsgs.CollisionStateFree:
		return 0
	case fcmsgs.CollisionStateWarn:
		return 1
	case fcmsgs.CollisionStateStop:
		return 2
	case fcmsgs.CollisionStateUnknown:
		return 3
	}
	return worst
}

// worst is the rank of COLLISION.
const worst = 4

// severity is the level of the log of a line about a level of the state.
func severity(level uint8) ros.Level {
	switch level {
	case fcmsgs.CollisionStateFree:
		return ros.LevelInfo
	case fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateUnknown:
		return ros.LevelWarn
	}
	return ros.LevelError
}

package frames

import (
	"fmt"
	"time"
)

// Kind tells why there is no transform.
type Kind uint8

// The kinds of error.
const (
	Unknown       Kind = iota // nobody speaks of the frame
	Disconnected              // both frames are known, and nothing connects them
	Future                    // the stamp is later than the last sample: waiting may help
	Past                      // the stamp is earlier than the first sample that is kept
	Gap                       // the samples around the stamp are too far apart
	Contradiction             // publishers contradict each other, or one itself
	Loop                      // a frame is in itself
	Unmeasured                // the joints have not been measured
)

// Error says why there is no transform at a stamp.
type Error struct {
	Kind   Kind
	Frame  string        // that cannot be placed; "" stands for the robot's joints
	By     time.Duration // how far the stamp is from the samples, or how far these are apart
	Detail string
}

// Error says what is wrong, and what to do about it.
func (e *Error) Error() string {
	what, sample := "frame "+e.Frame+" is", "transform"
	if e.Frame == "" {
		what, sample = "the joints' positions are", "measurement"
	}
	switch e.Kind {
	case Unknown:
		return fmt.Sprintf("nobody says where frame %s is%s: publish it on tf or tf_static", e.Frame, e.Detail)
	case Future:
		return fmt.Sprintf("%s not known yet: the stamp is %v later than the last %s, and nothing is extrapolated", what, e.By, sample)
	case Past:
		return fmt.Sprintf("%s not known any more: the stamp is %v earlier than the first %s that is kept, and nothing is extrapolated", what, e.By, sample)
	case Gap:
		return fmt.Sprintf("%s not known near the stamp: the %ss around it are %v apart", what, sample, e.By)
	case Contradiction:
		return fmt.Sprintf("frame %s: %s", e.Frame, e.Detail)
	case Loop:
		return fmt.Sprintf("the transforms form a loop: %s", e.Detail)
	default:
		return e.Detail
	}
}

// rival reports whether a publisher without an answer may yet contradict another's: it has
// spoken shortly before the stamp.
func (e *Error) rival(maxGap int64) bool {
	switch e.Kind {
	case Future:
		return int64(e.By) <= maxGap
	case Past:
		return false
	default:
		return true
	}
}

// beside words the error of a publisher where another one has an answer.
func (e *Error) beside(by *track) *Error {
	if by.static {
		return &Error{Kind: Contradiction, Detail: "it is published on tf and on tf_static: let one publisher speak of it"}
	}
	if e.Kind == Future {
		return &Error{Kind: Future, By: e.By, Detail: e.Detail}
	}
	return e
}

// worse returns the error that matters more: one that is no extrapolation, else the nearer.
func worse(a, b *Error) *Error {
	extrapolation := func(e *Error) bool { return e.Kind == Future || e.Kind == Past }
	switch {
	case a == nil:
		return b
	case extrapolation(a) != extrapolation(b):
		if extrapolation(a) {
			return b
		}
		return a
	case extrapolation(a) && a.Kind != b.Kind:
		if a.Kind == Future { // waiting may help
			return a
		}
		return b
	case b.By < a.By:
		return b
	}
	return a
}

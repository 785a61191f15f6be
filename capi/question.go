package main

// #include "include/firstcontact.h"
import "C"

import (
	"fmt"
	"math"
	"time"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// line is a straight line in joint space, or a rest, from time 0 to 1, whose memory is used
// again and again. Nobody else has it while a check uses it.
type line struct {
	motion  motion.Motion
	numbers []float64 // one after the other: the control points of each joint
}

// newLine makes a line of so many control points for each joint.
func newLine(joints []string, points int) *line {
	l := &line{numbers: make([]float64, points*len(joints))}
	rows := make([][]float64, len(joints))
	for i := range rows {
		rows[i] = l.numbers[points*i : points*(i+1) : points*(i+1)]
	}
	l.motion = motion.Motion{Joints: joints, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: rows}}}
	return l
}

// between makes it the line between two configurations.
func (l *line) between(from, to []float64) {
	for i, x := range from {
		l.numbers[2*i], l.numbers[2*i+1] = x, to[i]
	}
}

// lot is what a batch of lines needs, whose memory is used again.
type lot struct {
	lines   []*line
	motions []*motion.Motion
	answers []ccd.Answer
}

// of makes it the lines between n pairs of configurations.
func (l *lot) of(c *checker, segments []float64, n int, keepTurns bool) []*motion.Motion {
	size := len(c.joints)
	for len(l.lines) < n {
		next := newLine(c.joints, 2)
		l.lines, l.motions = append(l.lines, next), append(l.motions, &next.motion)
	}
	for i := range n {
		at := segments[2*size*i : 2*size*(i+1)]
		l.lines[i].between(at[:size], at[size:])
		l.motions[i].KeepTurns = keepTurns
	}
	return l.motions[:n]
}

// configuration returns the caller's n numbers at an address.
func (c *checker) configuration(what string, at *C.double, n C.size_t) ([]float64, error) {
	return c.configurations(what, at, 1, n)
}

func (c *checker) configurations(what string, at *C.double, count, n C.size_t) ([]float64, error) {
	if n != C.size_t(len(c.joints)) {
		return nil, errMisuse(fmt.Sprintf("a configuration of %d numbers: the checker's have %d", uint64(n), len(c.joints)))
	}
	if at == nil {
		return nil, errMisuse(what + " is NULL")
	}
	if count > most/n {
		return nil, errMisuse(fmt.Sprintf("%s has %d configurations, which is too many", what, uint64(count)))
	}
	return floats(at, int(count*n)), nil
}

// keepsTurns reports whether continuous joints move through every value between.
func keepsTurns(q *C.fc_query) bool { return q != nil && q.keep_turns != 0 }

// readQuery makes a query of the caller's; nil is the default one.
func readQuery(q *C.fc_query) (motion.Query, error) {
	if q == nil {
		return motion.Query{}, nil
	}
	if err := sized("fc_query", q.size, unsafe.Sizeof(*q)); err != nil {
		return motion.Query{}, err
	}
	out := motion.Query{
		NoSelf: q.no_self != 0, NoWorld: q.no_world != 0,
		Clearance: float64(q.clearance), Tolerance: float64(q.tolerance),
		TimeTolerance: float64(q.time_tolerance), ClearanceTolerance: float64(q.clearance_tolerance),
	}
	switch q.question {
	case C.FC_FIRST_CONTACT:
		out.Question = motion.FirstContact
	case C.FC_IS_FREE:
		out.Question = motion.IsFree
	case C.FC_MIN_CLEARANCE:
		out.Question = motion.MinClearance
	default:
		return motion.Query{}, errMisuse(fmt.Sprintf("there is no question %d: give one of the enum fc_question", int32(q.question)))
	}
	var err error
	out.Budget, err = budget(q)
	return out, err
}

// longest budget (s) that a time.Duration holds.
const longest = float64(math.MaxInt64/int64(time.Second)) - 1

func budget(q *C.fc_query) (time.Duration, error) {
	seconds := float64(q.budget)
	switch {
	case seconds == 0:
		return 0, nil
	case !(seconds > 0 && seconds < longest):
		return 0, errMisuse(fmt.Sprintf("a budget of %g s: give a positive number of seconds, or 0 for none", seconds))
	}
	return max(1, time.Duration(seconds*float64(time.Second))), nil
}

package motion

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// noteStart adds a gap if the first waypoint is later than time zero: the robot's motion until
// then is not covered.
func (m *Motion) noteStart() {
	start := m.Pieces[0].Start
	if start <= 0 {
		return
	}
	m.Gaps = append(m.Gaps, premise.Premise{
		Kind: premise.Start, Value: start,
		Detail: fmt.Sprintf("the first point is at %.6g s, and the motion to it is not checked, because the robot's position before is unknown", start),
		Remedy: giveStart,
	})
}

// The remedies of the gaps before a first waypoint and at it tell these from others of their kind, which may be about the
// whole motion, such as a joint that is not where it was commanded.
const (
	giveStart  = "give the state that the robot starts from"
	beginThere = "begin the trajectory at the robot's position, or give its first point a later time"
)

// WithoutStart returns m without the gaps before its first waypoint and at it, for recorded rows: a
// recording begins with its first row.
func (m *Motion) WithoutStart() *Motion {
	out := *m
	out.Gaps = nil
	for _, g := range m.Gaps {
		if g.Kind != premise.Start || g.Remedy != giveStart && g.Remedy != beginThere {
			out.Gaps = append(out.Gaps, g)
		}
	}
	return &out
}

// StepGap is the gap of a trajectory whose first point, at time 0, has a joint away from the
// robot's position: a controller jumps there.
func StepGap(joint string, at, first float64) premise.Premise {
	return premise.Premise{
		Kind: premise.Start, Names: []string{joint},
		Detail: fmt.Sprintf("joint %s is at %g but the first point, at time 0, has it at %g: the step between is not checked", joint, at, first),
		Remedy: beginThere,
	}
}

// rootStep in m or rad is what printing leaves between two poses that are meant to be the same:
// a quaternion of six digits is within 1e-6 of the one that is meant, so that its axes are
// within 2e-6, and two of them within 4e-6 of each other.
const rootStep = 5e-6

// RootStepGap is the StepGap of the multi-DOF joint that moves the root link; found is false
// where the root link is at the pose of the first point.
func RootStepGap(joint string, at, first geom.Pose) (gap premise.Premise, found bool) {
	by := poseGap(at, first)
	if by <= rootStep {
		return premise.Premise{}, false
	}
	return premise.Premise{
		Kind: premise.Start, Names: []string{joint},
		Detail: fmt.Sprintf("joint %s has the root link at (%g, %g, %g) before the motion, but the first point, at time 0, has it at (%g, %g, %g), or turned: the step between, of %.6g, is not checked", joint, at.P.X, at.P.Y, at.P.Z, first.P.X, first.P.Y, first.P.Z, by),
		Remedy: beginThere,
	}, true
}

// reversed returns the gaps of a motion that runs backwards: what a recording leaves open
// may then come first.
func reversed(gaps []premise.Premise) []premise.Premise {
	out := slices.Clone(gaps)
	for i := range out {
		if out[i].Kind == premise.RecordingGap {
			out[i].Value = 0
		}
	}
	return out
}

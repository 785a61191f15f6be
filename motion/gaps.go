package motion

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/premise"
)

// noteStart adds a gap where the first waypoint is later than time zero: what the
// robot does until then is not part of the motion.
func (m *Motion) noteStart() {
	start := m.Pieces[0].Start
	if start <= 0 {
		return
	}
	m.Gaps = append(m.Gaps, premise.Premise{
		Kind: premise.Start, Value: start,
		Detail: fmt.Sprintf("the first point is at %.6g s, and the way to it is not checked, as nothing is known of where the robot is before", start),
		Remedy: "give the state that the robot starts from",
	})
}

// WithoutStart returns m without the gap before its first waypoint, for rows that
// were recorded: a recording begins with its first row.
func (m *Motion) WithoutStart() *Motion {
	out := *m
	out.Gaps = nil
	for _, g := range m.Gaps {
		if g.Kind != premise.Start {
			out.Gaps = append(out.Gaps, g)
		}
	}
	return &out
}

// StepGap is the gap of a trajectory whose first point, at time 0, has a joint
// elsewhere than the robot: a controller jumps there.
func StepGap(joint string, at, first float64) premise.Premise {
	return premise.Premise{
		Kind: premise.Start, Names: []string{joint},
		Detail: fmt.Sprintf("joint %s stands at %g but the first point, at time 0, has it at %g: the step between is not checked", joint, at, first),
		Remedy: "let the trajectory begin where the robot is, or give its first point a later time",
	}
}

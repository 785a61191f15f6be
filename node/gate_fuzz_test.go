package node

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
)

// FuzzGoal makes motions of arbitrary goals. What is no error is a motion that can be judged.
func FuzzGoal(f *testing.F) {
	stamped := goalOf(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0.5})
	stamped.Trajectory.Header.Stamp.Sec = 1
	stamped.Trajectory.Points[1].Velocities = []float64{1, -1}
	stamped.PathTolerance = []controlmsgs.JointTolerance{{Name: "left_x", Position: 0.1}, {Name: "right_x", Position: -1}}
	for _, m := range []*gatetest.Goal{{}, goalOf("left_x", []float64{1, 0.5}), goalOf(bothCarts, []float64{1, 0, math.NaN()}), stamped, drive(1, 0, 1), onlyDriving(drive(1, 0, 1))} {
		f.Add(cdr.Marshal(m), true)
	}
	ask := defaults(config.Defaults())
	f.Fuzz(func(t *testing.T, data []byte, known bool) {
		m := new(gatetest.Goal)
		if err := (cdr.Bounds{String: 64, Elements: 256}).Unmarshal(data, m); err != nil {
			return
		}
		w := &gate.Question{Goal: m, Time: time.Second}
		fuzzGoal(t, ask.aboutGoal(w, 0), m, known)
		if drives(m) {
			fuzzGoal(t, ask.aboutDriving(w, 0), m, known)
		}
	})
}

// fuzzGoal makes the motion of a goal.
func fuzzGoal(t *testing.T, q *question, m *gatetest.Goal, known bool) {
	t.Helper()
	q.prepare(nil, nil)
	measured := map[string]float64{}
	if known {
		measured["left_x"], measured["right_x"] = 0, 0
	}
	way, err := q.way(context.Background(), measured)
	if err != nil {
		return
	}
	if err := way.Validate(); err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	for joint, width := range q.query.Tube {
		if !(width >= 0) {
			t.Fatalf("%+v: the tube of joint %s is %g", m, joint, width)
		}
	}
}

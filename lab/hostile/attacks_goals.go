//go:build linux

package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

type (
	goalMessage = controlmsgs.FollowJointTrajectoryGoal
	goalResult  = controlmsgs.FollowJointTrajectoryResult
	goalNews    = controlmsgs.FollowJointTrajectoryFeedback
	goalClient  = action.Client[goalMessage, goalResult, goalNews, *goalMessage, *goalResult, *goalNews]
)

// gated is the controller that the node stands in front of.
const gated = "rails"

func goalAttacks() []*attack {
	still := &order{Rate: 100, Path: "free"}
	return []*attack{
		{
			name: "thousand-goals", about: "1,000 goals for the gate at once, of a third each free, colliding and odd, again and again; a controller that takes all", short: true,
			parameters: []string{"gate.controllers:=[" + gated + "]"}, robot: still, doubtful: true, act: controller,
			flood: func(f *flood) error { return floodGoals(f, 1000, false) },
		},
		{
			name: "cancel-storm", about: "100 goals at once, of few ids; as fast as they can be written, requests to cancel them, all, or unknown ones, and for their results",
			parameters: []string{"gate.controllers:=[" + gated + "]"}, robot: still, doubtful: true, act: controller,
			flood: func(f *flood) error { return floodGoals(f, 100, true) },
		},
	}
}

// controller takes what the gate sends on, until the attack ends. In none of it may a carriage
// reach its post.
func controller(ctx context.Context, f *field) error {
	var took, colliding atomic.Int64
	server, err := action.NewServer[goalMessage, goalResult, goalNews](f.me, gated+"/follow_joint_trajectory", action.ServerOptions{},
		func(g *action.Goal[goalResult, goalNews], m *goalMessage) {
			took.Add(1)
			if collides(&m.Trajectory) {
				colliding.Add(1)
			}
			g.Accept()
			g.Execute()
			time.AfterFunc(20*time.Millisecond, func() { g.Succeed(&goalResult{}) })
		})
	if err != nil {
		return err
	}
	<-ctx.Done()
	go server.Close()
	f.note("the controller took %d goals", took.Load())
	if n := colliding.Load(); n > 0 {
		return fmt.Errorf("the controller got %d goals that collide", n)
	}
	return nil
}

// collides tells whether a point of a trajectory is in contact, or none.
func collides(t *trajectorymsgs.JointTrajectory) bool {
	for _, p := range t.Points {
		for _, q := range p.Positions {
			if !(q < contactAt) {
				return true
			}
		}
	}
	return false
}

// goalOf is a goal from where the robot is: free, colliding, or odd.
func (f *flood) goalOf(kind int) *goalMessage {
	to := 0.5
	if kind == 1 {
		to = 1.2
	}
	m := &goalMessage{Trajectory: trajectorymsgs.JointTrajectory{JointNames: []string{"a", "b"}}}
	for i, q := range []float64{0.2, to} {
		m.Trajectory.Points = append(m.Trajectory.Points, trajectorymsgs.JointTrajectoryPoint{
			Positions: []float64{q, 0.1}, TimeFromStart: builtininterfaces.DurationOf(time.Duration(i+1) * time.Second),
		})
	}
	if kind == 2 {
		f.spoilGoal(m)
	}
	return m
}

func (f *flood) spoilGoal(m *goalMessage) {
	t := &m.Trajectory
	last := &t.Points[len(t.Points)-1]
	switch f.dice.IntN(12) {
	case 0:
		last.Positions[0] = []float64{math.NaN(), math.Inf(1), 1e300, math.MaxFloat64}[f.dice.IntN(4)]
	case 1:
		last.Velocities = []float64{f.number(), f.number()}
	case 2:
		last.Accelerations = []float64{f.number(), f.number()}
	case 3:
		last.TimeFromStart = []builtininterfaces.Duration{{}, {Sec: math.MinInt32}, {Sec: math.MaxInt32}, {Nanosec: math.MaxUint32}}[f.dice.IntN(4)]
	case 4:
		t.JointNames = []string{"a", "a"}
	case 5:
		t.JointNames = []string{"a", strings.Repeat("j", 60_000)}
	case 6:
		t.JointNames = []string{"\n" + forgery + "\x1b[2J", "b"}
	case 7:
		t.Points = nil
	case 8:
		t.Header.Stamp = []builtininterfaces.Time{{Sec: math.MaxInt32}, {Sec: math.MinInt32}, {Nanosec: math.MaxUint32}, {Sec: 1}}[f.dice.IntN(4)]
	case 9:
		m.PathTolerance = []controlmsgs.JointTolerance{{Name: "a", Position: f.number(), Velocity: f.number()}, {Name: "a"}, {Name: "nowhere", Position: -1}}
	case 10:
		m.GoalTimeTolerance = builtininterfaces.Duration{Sec: math.MinInt32, Nanosec: math.MaxUint32}
		m.GoalTolerance = []controlmsgs.JointTolerance{{Name: "b", Position: f.number()}}
	default:
		last.Positions = last.Positions[:1]
	}
}

// floodGoals sends goals at once, again and again, and where it is a storm cancels them.
func floodGoals(f *flood, goals int, storm bool) error {
	const clients = 4
	var answered, accepted, cancels, results atomic.Int64
	err := inParallel(clients, func(int) error {
		c, err := action.NewClient[goalMessage, goalResult](f.node, gated+"_checked/follow_joint_trajectory", action.ClientOptions[goalNews]{})
		if err != nil {
			return err
		}
		for f.ctx.Err() == nil {
			ctx, cancel := context.WithTimeout(f.ctx, 3*time.Second)
			if c.Wait(ctx) != nil {
				cancel()
				continue
			}
			var few [5]action.ID
			for i := range few {
				few[i] = action.NewID()
			}
			messages := make([]*goalMessage, goals/clients) // f.dice is not for several goroutines
			f.mu.Lock()
			for i := range messages {
				messages[i] = f.goalOf(i % 3)
			}
			f.mu.Unlock()
			_ = inParallel(len(messages), func(i int) error {
				id := action.NewID()
				if storm {
					id = few[i%len(few)]
				}
				if ok, _, err := c.Send(ctx, id, messages[i]); err == nil {
					answered.Add(1)
					if ok {
						accepted.Add(1)
					}
				}
				if storm {
					cancelAll(ctx, c, id, i, &cancels, &results)
				}
				return nil
			})
			cancel()
		}
		return nil
	})
	f.tell("%d goals answered, %d of them accepted; %d answers to requests to cancel, %d results", answered.Load(), accepted.Load(), cancels.Load(), results.Load())
	return err
}

func cancelAll(ctx context.Context, c *goalClient, id action.ID, i int, cancels, results *atomic.Int64) {
	var r *actionmsgs.CancelGoalResponse
	var err error
	switch i % 4 {
	case 0:
		r, err = c.Cancel(ctx, id)
	case 1:
		r, err = c.CancelGoals(ctx, action.ID{}, time.Time{})
	case 2:
		r, err = c.Cancel(ctx, action.NewID())
	default:
		r, err = c.CancelGoals(ctx, id, time.Now().Add(time.Hour))
	}
	if err == nil && r != nil {
		cancels.Add(1)
	}
	if i%8 == 0 {
		if _, _, err := c.Result(ctx, id); err == nil {
			results.Add(1)
		}
	}
}

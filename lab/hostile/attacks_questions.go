//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

type (
	checkRequest  = fcmsgs.CheckTrajectoryRequest
	checkResponse = fcmsgs.CheckTrajectoryResponse
)

func questionAttacks() []*attack {
	return []*attack{
		{
			name: "endless-question", about: "300,000 points with a deadline of 2e9 s, over the service and the topic", short: true,
			before: "all questions stop",
			flood: func(f *flood) error {
				return ask(f, 3, func(i int) *checkRequest {
					return &checkRequest{ID: fmt.Sprint("endless-", i), Trajectory: zigzag(300_000), Deadline: builtininterfaces.Duration{Sec: 2_000_000_000}}
				}, 5*time.Second)
			},
		},
		{
			name: "big-ids", about: "200 questions with ids of 5 MB", before: "29 to 912 MB, 875 MB of log in 10 s",
			flood: func(f *flood) error {
				p, err := ros.Advertise[fcmsgs.JointStatePair](f.node, "firstcontact/joint_state_pair", ros.QoS{})
				if err != nil {
					return err
				}
				id := strings.Repeat("x", 5_000_000)
				sent := 0
				for ; sent < 200 && f.ctx.Err() == nil; sent++ {
					_ = p.Publish(pair(fmt.Sprint(sent, id)))
				}
				f.tell("%d sent", sent)
				<-f.ctx.Done()
				return nil
			},
		},
		{
			name: "forged-ids", about: "ids with newlines and escape codes that write lines of their own into the log", short: true,
			before: `a forged "[INFO] ... proved free" line`,
			flood: func(f *flood) error {
				p, err := ros.Advertise[fcmsgs.JointStatePair](f.node, "firstcontact/joint_state_pair", ros.QoS{})
				if err != nil {
					return err
				}
				for i := 0; f.ctx.Err() == nil; i++ {
					_ = p.Publish(pair(fmt.Sprintf("x%d\n%s proved free\x1b[31m\r\a\x00", i, forgery)))
					_ = p.Publish(&fcmsgs.JointStatePair{ID: "y", JointNames: []string{"\n" + forgery + " joint\x1b[2J"}, Start: []float64{0}, Goal: []float64{1}})
					sleep(f.ctx, 20*time.Millisecond)
				}
				return nil
			},
		},
		{
			name: "thousand-calls", about: "1,000 calls of check_trajectory at once, again and again", short: true, before: "954 of 1,000 got no answer",
			flood: func(f *flood) error {
				for f.ctx.Err() == nil {
					if err := callAtOnce(f, 1000); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			name: "clearance-flood", about: "32 clients call get_clearance without a pause",
			flood: func(f *flood) error {
				var answered atomic.Int64
				err := inParallel(32, func(int) error {
					c, err := ros.NewClient[fcmsgs.GetClearanceRequest, fcmsgs.GetClearanceResponse](f.node, "firstcontact/get_clearance", ros.ServiceQoS)
					if err != nil {
						return err
					}
					for f.ctx.Err() == nil {
						ctx, cancel := context.WithTimeout(f.ctx, time.Second)
						if _, err := c.Call(ctx, &fcmsgs.GetClearanceRequest{JointNames: []string{"a", "b"}, Positions: []float64{0.3, 0.2}}); err == nil {
							answered.Add(1)
						}
						cancel()
					}
					return nil
				})
				f.tell("%d answered", answered.Load())
				return err
			},
		},
		{
			name: "question-flood", about: "pairs and trajectories of 1,000 points, as fast as they can be written", short: true,
			flood: func(f *flood) error {
				pairs, err := ros.Advertise[fcmsgs.JointStatePair](f.node, "firstcontact/joint_state_pair", ros.QoS{})
				if err != nil {
					return err
				}
				ways, err := ros.Advertise[trajectorymsgs.JointTrajectory](f.node, "firstcontact/trajectory", ros.QoS{})
				if err != nil {
					return err
				}
				way, sent := zigzag(1000), 0
				for ; f.ctx.Err() == nil; sent++ {
					_ = pairs.Publish(pair(fmt.Sprint("flood-", sent)))
					if sent%10 == 0 {
						_ = ways.Publish(&way)
					}
				}
				f.tell("%d sent", sent)
				return nil
			},
		},
		{
			name: "joint-flood", about: "joint states of 1,000 joints that the robot does not have, as fast as they can be written", short: true,
			lossy: true,
			flood: func(f *flood) error {
				p, err := ros.Advertise[sensormsgs.JointState](f.node, "joint_states", ros.QoS{Reliability: ros.BestEffort})
				if err != nil {
					return err
				}
				m := &sensormsgs.JointState{}
				for i := range 1000 {
					m.Name, m.Position = append(m.Name, fmt.Sprintf("stranger_%d", i)), append(m.Position, 0)
				}
				sent := 0
				for ; f.ctx.Err() == nil; sent++ {
					m.Name[0] = fmt.Sprint("new_", sent)
					_ = p.Publish(m)
				}
				f.tell("%d sent", sent)
				return nil
			},
		},
	}
}

func pair(id string) *fcmsgs.JointStatePair {
	return &fcmsgs.JointStatePair{ID: id, JointNames: []string{"a", "b"}, Start: []float64{0, 0}, Goal: []float64{0.5, 0.1}}
}

// zigzag is a trajectory that is free and long.
func zigzag(points int) trajectorymsgs.JointTrajectory {
	t := trajectorymsgs.JointTrajectory{JointNames: []string{"a", "b"}}
	for i := range points {
		t.Points = append(t.Points, trajectorymsgs.JointTrajectoryPoint{
			Positions: []float64{0.9 * float64(i%2), 0.1}, TimeFromStart: builtininterfaces.DurationOf(time.Duration(i+1) * time.Second),
		})
	}
	return t
}

// ask calls the service from several clients, each again and again, and publishes the same
// trajectories.
func ask(f *flood, clients int, question func(i int) *checkRequest, each time.Duration) error {
	ways, err := ros.Advertise[trajectorymsgs.JointTrajectory](f.node, "firstcontact/trajectory", ros.QoS{})
	if err != nil {
		return err
	}
	return inParallel(clients, func(i int) error {
		c, err := ros.NewClient[checkRequest, checkResponse](f.node, "firstcontact/check_trajectory", ros.ServiceQoS)
		if err != nil {
			return err
		}
		q := question(i)
		for f.ctx.Err() == nil {
			_ = ways.Publish(&q.Trajectory)
			ctx, cancel := context.WithTimeout(f.ctx, each)
			_, _ = c.Call(ctx, q)
			cancel()
		}
		return nil
	})
}

// callGrace is how long calls are waited for after the attack has ended.
const callGrace = 6 * time.Second

// callAtOnce makes calls at once, from ten clients, and tells how many were answered.
func callAtOnce(f *flood, calls int) error {
	const clients = 10
	var answered, undecided atomic.Int64
	begin := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	context.AfterFunc(f.ctx, func() { time.AfterFunc(callGrace, cancel) })
	err := inParallel(clients, func(n int) error {
		c, err := ros.NewClient[checkRequest, checkResponse](f.node, "firstcontact/check_trajectory", ros.ServiceQoS)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.Wait(ctx); err != nil {
			return nil
		}
		return inParallel(calls/clients, func(i int) error {
			r, err := c.Call(ctx, &checkRequest{ID: fmt.Sprintf("call-%d-%d", n, i), Trajectory: zigzag(20), StartJointNames: []string{"a", "b"}, StartPositions: []float64{0, 0.1}})
			if err == nil {
				answered.Add(1)
				if r.Verdict.Status == fcmsgs.VerdictUndecided {
					undecided.Add(1)
				}
			}
			return nil
		})
	})
	f.tell("%d of %d answered in %.1f s, %d of them undecided", answered.Load(), calls, time.Since(begin).Seconds(), undecided.Load())
	return err
}

// inParallel runs n at once and returns an error of one of them.
func inParallel(n int, run func(i int) error) error {
	var wait sync.WaitGroup
	errs := make(chan error, n)
	for i := range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			errs <- run(i)
		}()
	}
	wait.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

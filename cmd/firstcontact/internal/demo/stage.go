package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// stage is the demo's side of the ROS graph.
type stage struct {
	log        *journal
	joints     *ros.Publisher[sensormsgs.JointState]
	pairs      *ros.Publisher[fcmsgs.JointStatePair]
	trajectory *ros.Publisher[trajectorymsgs.JointTrajectory]
	service    *ros.Client[fcmsgs.CheckTrajectoryRequest, fcmsgs.CheckTrajectoryResponse]
	states     *ros.Subscription
	verdicts   *ros.Subscription
}

// rate of the joint states, in Hz: that of the recorded motion's rows.
const rate = 60

func setStage(n *ros.Node, log *journal) (s *stage, err error) {
	s = &stage{log: log}
	reliable := ros.QoS{Depth: 10}
	if s.joints, err = ros.Advertise[sensormsgs.JointState](n, "joint_states", reliable); err != nil {
		return nil, err
	}
	if s.pairs, err = ros.Advertise[fcmsgs.JointStatePair](n, "firstcontact/joint_state_pair", reliable); err != nil {
		return nil, err
	}
	if s.trajectory, err = ros.Advertise[trajectorymsgs.JointTrajectory](n, "firstcontact/trajectory", reliable); err != nil {
		return nil, err
	}
	if s.service, err = ros.NewClient[fcmsgs.CheckTrajectoryRequest, fcmsgs.CheckTrajectoryResponse](n, "firstcontact/check_trajectory", ros.ServiceQoS); err != nil {
		return nil, err
	}
	if s.states, err = ros.Subscribe(n, "firstcontact/state", ros.QoS{Depth: 100}, func(m *fcmsgs.CollisionState, _ ros.MessageInfo) { log.state(m) }); err != nil {
		return nil, err
	}
	s.verdicts, err = ros.Subscribe(n, "firstcontact/verdict", ros.QoS{Depth: 100}, func(m *fcmsgs.Verdict, _ ros.MessageInfo) { log.verdict(m) })
	return s, err
}

// waitForNode waits until the node and this process have discovered each other.
func (s *stage) waitForNode(ctx context.Context, peer *nodeProcess) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ready := make(chan error, 1)
	go func() {
		err := s.joints.WaitSubscribers(ctx, 1)
		for _, wait := range []func(context.Context, int) error{s.pairs.WaitSubscribers, s.trajectory.WaitSubscribers, s.states.WaitPublishers, s.verdicts.WaitPublishers} {
			err = errors.Join(err, wait(ctx, 1))
		}
		ready <- errors.Join(err, s.service.Wait(ctx), s.log.waitForModel(ctx))
	}()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ready:
			if err != nil {
				err = errors.Join(fmt.Errorf("the node cannot be reached over DDS: %w", err), peer.died())
			}
			return err
		case <-look.C:
			if err := peer.died(); err != nil {
				return err
			}
		}
	}
}

// play sends the recorded motion in real time, with the questions in between. The humanoid
// stays in its first row until the node follows.
func (s *stage) play(ctx context.Context, script *script) error {
	follow, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err := pace(follow, func(int) (bool, error) {
		return !s.log.followed(), s.send(script, 0)
	})
	if err != nil {
		return fmt.Errorf("the node does not follow the joint states: %w", err)
	}
	asked := make(chan error, 1)
	go func() { asked <- s.ask(ctx, script) }()
	s.log.starts(time.Now())
	rows := script.rows()
	err = pace(ctx, func(i int) (bool, error) {
		return i+1 < rows, s.send(script, float64(i)/rate)
	})
	return errors.Join(err, <-asked)
}

// pace calls send, with the number of the call, at the rate of the joint states as long as it
// returns true. After a pause of this process the calls do not come in a burst, because no
// robot would send one.
func pace(ctx context.Context, send func(i int) (more bool, err error)) error {
	const period = time.Second / rate
	next := time.Now()
	for i := 0; ; i++ {
		if err := sleepUntil(ctx, next); err != nil {
			return err
		}
		if more, err := send(i); err != nil || !more {
			return err
		}
		next = next.Add(period)
		if soon := time.Now().Add(period * 3 / 4); next.Before(soon) {
			next = soon
		}
	}
}

// send publishes the joints' positions at time t of the recorded motion.
func (s *stage) send(script *script, t float64) error {
	m := &sensormsgs.JointState{Name: script.wave.Joints, Position: script.wave.At(t)}
	m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
	s.log.played(m.Header.Stamp, t)
	return s.joints.Publish(m)
}

// ask sends the questions, one every second, and the last trajectory once more to the service.
func (s *stage) ask(ctx context.Context, script *script) error {
	next := time.Now().Add(time.Second)
	for _, q := range script.questions {
		if err := sleepUntil(ctx, next); err != nil {
			return err
		}
		next = next.Add(time.Second)
		if err := s.put(script, &q); err != nil {
			return err
		}
	}
	if err := sleepUntil(ctx, next); err != nil {
		return err
	}
	return s.call(ctx, script, &script.questions[len(script.questions)-1])
}

// put sends a question on the topic of its kind.
func (s *stage) put(script *script, q *asked) error {
	stamp := builtininterfaces.TimeOf(time.Now())
	if q.pair {
		joints, points, times := script.whole(q.motion)
		m := &fcmsgs.JointStatePair{ID: q.id, JointNames: joints, Start: points[0], Goal: points[1]}
		m.Header.Stamp = stamp
		m.Duration = builtininterfaces.DurationOf(time.Duration(times[1] * float64(time.Second)))
		s.log.asks(q.id, q.id)
		return s.pairs.Publish(m)
	}
	m := script.trajectory(q.motion)
	m.Header.Stamp = stamp
	// A trajectory has no name: the answer gives topic and stamp.
	s.log.asks(fmt.Sprintf("%s@%d.%09d", s.trajectory.Topic(), stamp.Sec, stamp.Nanosec), q.id)
	return s.trajectory.Publish(m)
}

func (s *stage) call(ctx context.Context, script *script, q *asked) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	const id = "by service"
	s.log.asks(id, q.id)
	r := &fcmsgs.CheckTrajectoryRequest{ID: id, Trajectory: *script.trajectory(q.motion), MinClearance: true}
	answer, err := s.service.Call(ctx, r)
	if err != nil {
		return err
	}
	s.log.served(&answer.Verdict)
	return nil
}

func (s *script) trajectory(m *motion.Motion) *trajectorymsgs.JointTrajectory {
	joints, points, times := s.whole(m)
	out := &trajectorymsgs.JointTrajectory{JointNames: joints}
	for i := range points {
		out.Points = append(out.Points, trajectorymsgs.JointTrajectoryPoint{
			Positions: points[i], TimeFromStart: builtininterfaces.DurationOf(time.Duration(times[i] * float64(time.Second))),
		})
	}
	return out
}

func sleepUntil(ctx context.Context, t time.Time) error {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

//go:build linux

package main

import (
	"math"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// observer subscribes to what the node says, as others do, and to the joint states, as the
// node does.
type observer struct {
	judge *judge

	mu      sync.Mutex
	loaded  chan struct{} // closed when the node has a model
	known   chan struct{} // closed when it knows where the robot is
	walled  chan struct{} // closed when a state says that the wall is touched
	begin   time.Time     // of what is counted
	last    time.Time     // when a state came
	states  int
	gap     time.Duration // the largest between two states, without pauses of the node
	paused  time.Duration // since the last state
	verdict func(*fcmsgs.Verdict)
}

func observe(n *ros.Node, j *judge, verdict func(*fcmsgs.Verdict)) (*observer, error) {
	o := &observer{judge: j, loaded: make(chan struct{}), known: make(chan struct{}), walled: make(chan struct{}), verdict: verdict}
	qos := ros.QoS{Depth: 10_000}
	_, err := ros.Subscribe(n, "joint_states", ros.QoS{Reliability: ros.BestEffort, Depth: 10_000}, func(m *sensormsgs.JointState, info ros.MessageInfo) {
		now := time.Now().UnixNano()
		q := [2]float64{math.NaN(), math.NaN()}
		for i, name := range m.Name {
			if i < len(m.Position) && len(name) == 1 && (name[0] == 'a' || name[0] == 'b') {
				q[name[0]-'a'] = m.Position[i]
			}
		}
		j.ledger.witness(q, info.SourceTime.UnixNano(), now)
	}, ros.ReuseMessage())
	if err != nil {
		return nil, err
	}
	if _, err := ros.Subscribe(n, "firstcontact/verdict", qos, func(v *fcmsgs.Verdict, _ ros.MessageInfo) { o.verdict(v) }); err != nil {
		return nil, err
	}
	_, err = ros.Subscribe(n, "firstcontact/state", qos, func(m *fcmsgs.CollisionState, info ros.MessageInfo) { o.state(m, info, time.Now()) })
	return o, err
}

func (o *observer) state(m *fcmsgs.CollisionState, info ros.MessageInfo, now time.Time) {
	c := &claim{received: now.UnixNano(), published: info.SourceTime.UnixNano(), level: m.Level, joint: -1, reason: m.Reason}
	if m.Header.Stamp.Sec != 0 || m.Header.Stamp.Nanosec != 0 {
		c.stamp = m.Header.Stamp.Time().UnixNano()
	}
	for _, side := range []struct {
		name string
		x    float64
	}{{m.Pair.A.Name, m.PointA.X}, {m.Pair.B.Name, m.PointB.X}} {
		if j := joint(side.name); j >= 0 {
			c.joint, c.q = j, side.x-reach
		}
	}
	o.judge.hear(c)
	o.mu.Lock()
	defer o.mu.Unlock()
	if m.ModelHash != "" {
		closeOnce(o.loaded)
	}
	if m.Level != fcmsgs.CollisionStateUnknown {
		closeOnce(o.known)
	}
	if m.Level == fcmsgs.CollisionStateCollision && (m.Pair.A.Name == wallName || m.Pair.B.Name == wallName) {
		closeOnce(o.walled)
	}
	o.note(now)
}

// note counts a state. The caller holds the lock.
func (o *observer) note(now time.Time) {
	if o.begin.IsZero() {
		return
	}
	o.gap = max(o.gap, now.Sub(o.last)-o.paused)
	o.states, o.last, o.paused = o.states+1, now, 0
}

// start begins to count.
func (o *observer) start() {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	o.begin, o.last, o.states, o.gap, o.paused = now, now, 0, 0, 0
}

// rest tells that the node was stopped for a time, which counts in no gap.
func (o *observer) rest(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.paused += d
}

// stop ends the counting.
func (o *observer) stop() (states int, gap time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gap = max(o.gap, time.Since(o.last)-o.paused)
	o.begin = time.Time{}
	return o.states, o.gap
}

func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

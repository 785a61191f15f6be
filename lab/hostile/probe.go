//go:build linux

package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// A normal question is asked at this interval, by turns over the service and over the topic
// of pairs, with this deadline. It is in time when it is answered, and decided, within it.
const (
	askEvery    = 500 * time.Millisecond
	askDeadline = 500 * time.Millisecond
	askAllowed  = 400 * time.Millisecond // what the request gives the node of it
)

// probe asks normal questions and notes how they are answered.
type probe struct {
	client *ros.Client[fcmsgs.CheckTrajectoryRequest, fcmsgs.CheckTrajectoryResponse]
	pairs  *ros.Publisher[fcmsgs.JointStatePair]
	wait   sync.WaitGroup

	mu        sync.Mutex
	open      map[string]time.Time // pairs that wait
	asked     int
	inTime    int
	wrong     int // said what is not so
	slowest   time.Duration
	undecided int
	touched   bool // the wall of the live world is touched: nothing may be free
}

func newProbe(n *ros.Node) (*probe, error) {
	p := &probe{open: map[string]time.Time{}}
	var err error
	if p.pairs, err = ros.Advertise[fcmsgs.JointStatePair](n, "firstcontact/joint_state_pair", ros.QoS{}); err != nil {
		return nil, err
	}
	p.client, err = ros.NewClient[fcmsgs.CheckTrajectoryRequest, fcmsgs.CheckTrajectoryResponse](n, "firstcontact/check_trajectory", ros.ServiceQoS)
	return p, err
}

// run asks until the context ends, and waits for what is open then.
func (p *probe) run(ctx context.Context) {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for i := 0; ; i++ {
		if i%2 == 0 {
			p.wait.Add(1)
			go p.call(i)
		} else {
			p.publish(i)
		}
		select {
		case <-ctx.Done():
			p.wait.Wait()
			for wait := time.Now().Add(askDeadline); p.waiting() && time.Now().Before(wait); {
				time.Sleep(10 * time.Millisecond)
			}
			return
		case <-tick.C:
		}
	}
}

func (p *probe) call(i int) {
	defer p.wait.Done()
	ctx, cancel := context.WithTimeout(context.Background(), 4*askDeadline)
	defer cancel()
	if p.client.Wait(ctx) != nil {
		p.answer(4*askDeadline, fcmsgs.VerdictUndecided)
		return
	}
	point := func(t time.Duration, a float64) trajectorymsgs.JointTrajectoryPoint {
		return trajectorymsgs.JointTrajectoryPoint{Positions: []float64{a, 0.1}, TimeFromStart: builtininterfaces.DurationOf(t)}
	}
	begin := time.Now()
	reply, err := p.client.Call(ctx, &fcmsgs.CheckTrajectoryRequest{
		ID: fmt.Sprintf("probe-%d", i), StartJointNames: []string{"a", "b"}, StartPositions: []float64{0, 0.1},
		Trajectory: trajectorymsgs.JointTrajectory{JointNames: []string{"a", "b"}, Points: []trajectorymsgs.JointTrajectoryPoint{point(0, 0), point(time.Second, 0.5), point(2*time.Second, 0)}},
		Deadline:   builtininterfaces.DurationOf(askAllowed),
	})
	status := fcmsgs.VerdictUndecided
	if err == nil {
		status = reply.Verdict.Status
	}
	p.answer(time.Since(begin), status)
}

func (p *probe) publish(i int) {
	id := fmt.Sprintf("probe-%d", i)
	p.mu.Lock()
	p.open[id] = time.Now()
	p.asked++
	p.mu.Unlock()
	_ = p.pairs.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"a", "b"}, Start: []float64{0, 0.1}, Goal: []float64{0.5, 0.1}})
}

// wall notes that the wall of the live world is touched from now on.
func (p *probe) wall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.touched = true
}

// waiting tells whether a question from the topic has no answer yet.
func (p *probe) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open) > 0
}

// hear takes a verdict from the topic.
func (p *probe) hear(v *fcmsgs.Verdict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at, ok := p.open[v.ID]; ok {
		delete(p.open, v.ID)
		p.note(time.Since(at), v.Status)
	}
}

func (p *probe) answer(took time.Duration, status uint8) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	p.note(took, status)
}

func (p *probe) note(took time.Duration, status uint8) {
	p.slowest = max(p.slowest, took)
	right := fcmsgs.VerdictFree
	if p.touched {
		right = fcmsgs.VerdictContact
	}
	switch {
	case status == fcmsgs.VerdictUndecided:
		p.undecided++
	case status != right:
		p.wrong++
	case took <= askDeadline:
		p.inTime++
	}
}

package gate

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/actionmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// Of a controller C, the gate offers C_checked.
const (
	checkedSuffix   = "_checked"
	actionName      = "/follow_joint_trajectory"
	topicName       = "/joint_trajectory"
	sendGoalService = "/_action/send_goal" // of an action
)

// controller is what the gate knows of one controller.
type controller struct {
	gate   *Gate
	name   string // absolute
	server *server
	client *client
	topic  *ros.Subscription
	out    *ros.Publisher[trajectorymsgs.JointTrajectory]

	mu      sync.Mutex
	count   uint64 // trajectories in order of arrival
	newest  uint64 // of them, the newest that was forwarded
	running *run   // what the controller executes, as far as the gate forwarded it
	sending bool   // a goal is sent to the controller, which has not answered
	ending  *run   // ended before its time meanwhile
	runs    map[action.ID]*run
	ended   map[action.ID]bool      // goals that the controller has ended; a bounded number
	foreign map[action.ID]bool      // goals that the controller executes and the gate does not follow
	unsure  map[action.ID]bool      // goals that it may still execute, and is asked to cancel
	lost    map[action.ID]*dispatch // goals that are not followed any more and whose end is not known; a bounded number
	totals  ControllerReport
}

func newController(g *Gate, name string) (_ *controller, err error) {
	c := &controller{
		gate: g, runs: map[action.ID]*run{}, ended: map[action.ID]bool{}, foreign: map[action.ID]bool{}, unsure: map[action.ID]bool{}, lost: map[action.ID]*dispatch{},
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	if c.name, err = g.Node.ResolveService(name); err != nil {
		return nil, err
	}
	c.totals.Name = c.name
	if c.client, err = action.NewClient[goalMessage, result](g.Node, name+actionName, action.ClientOptions[rawFeedback]{Feedback: c.passFeedback, Status: c.hearStatus}); err != nil {
		return nil, err
	}
	if c.out, err = ros.Advertise[trajectorymsgs.JointTrajectory](g.Node, name+topicName, ros.QoS{}); err != nil {
		return nil, err
	}
	if c.topic, err = ros.Subscribe(g.Node, name+checkedSuffix+topicName, ros.QoS{Depth: limit.ServiceHistory}, c.hearTrajectory, c.topicOptions()...); err != nil {
		return nil, err
	}
	c.server, err = action.NewServer[goalMessage, result, rawFeedback](g.Node, name+checkedSuffix+actionName, action.ServerOptions{Bounds: g.Bounds, Refused: c.rejected}, c.take)
	return c, err
}

func (c *controller) topicOptions() []ros.SubscribeOption {
	options := []ros.SubscribeOption{ros.BrokenToo()}
	if c.gate.Bounds.Bytes > 0 {
		options = append(options, ros.Within(c.gate.Bounds))
	}
	if c.gate.Rate != (ros.Rate{}) {
		options = append(options, ros.AtMost(c.gate.Rate))
	}
	return options
}

// close withdraws what was made. Closing what is nil is left out: construction may have failed.
func (c *controller) close() (err error) {
	if c.server != nil {
		err = errors.Join(err, c.server.Close())
	}
	if c.topic != nil {
		err = errors.Join(err, c.topic.Close())
	}
	if c.client != nil {
		err = errors.Join(err, c.client.Close())
	}
	if c.out != nil {
		err = errors.Join(err, c.out.Close())
	}
	return err
}

// rejected tells the judge of a goal that could not be taken, so that it publishes a verdict.
func (c *controller) rejected(from ros.GUID, id action.ID, why error) {
	c.countUp(&c.totals.Refused)
	c.gate.log.Warnf("gate of %s: goal %s of participant %s is rejected: %v", c.name, id, from, why)
	c.gate.Judge.Ask(Question{ID: id.String(), Controller: c.name, Client: from, Broken: why}, func(Verdict) {})
}

// take accepts a goal and asks about it.
func (c *controller) take(g *serverGoal, m *goalMessage) {
	g.Accept()
	r := c.newRun(Question{ID: g.ID().String(), Controller: c.name, Client: g.Client(), Bytes: g.Bytes(), Goal: m})
	r.goal, r.id = g, g.ID()
	if !c.gate.beginAfter(r.ask, r.serve) {
		r.refuse(errStopped.Error())
	}
}

// hearTrajectory asks about a trajectory from the topic.
func (c *controller) hearTrajectory(m *trajectorymsgs.JointTrajectory, info ros.MessageInfo) {
	id := fmt.Sprintf("%s@%d.%09d", info.Topic, m.Header.Stamp.Sec, m.Header.Stamp.Nanosec)
	r := c.newRun(Question{ID: id, Controller: c.name, Client: info.Writer.Participant(), Bytes: info.Bytes, Broken: info.Err, Goal: &goalMessage{Trajectory: *m}})
	r.id = action.NewID()
	c.gate.beginAfter(r.ask, r.serve)
}

func (c *controller) newRun(q Question) *run {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	return &run{controller: c, number: c.count, question: q, came: time.Now(), replaced: make(chan struct{}), nudged: make(chan struct{}, 1)}
}

// passFeedback passes the controller's feedback on to the client of the gate.
func (c *controller) passFeedback(id action.ID, f *rawFeedback) {
	c.mu.Lock()
	r := c.runs[id]
	c.mu.Unlock()
	if r != nil && r.goal != nil {
		r.goal.Feedback(f)
	}
}

// hearStatus finds goals that the controller executes and the gate does not follow. It calls off
// those that it has sent.
func (c *controller) hearStatus(m *actionmsgs.GoalStatusArray) {
	for _, d := range c.notFollowed(m) {
		c.gate.begin(func() { d.callOff() })
	}
}

// notFollowed notes which goals the controller executes and the gate does not follow, and returns
// those of them that the gate has sent.
func (c *controller) notFollowed(m *actionmsgs.GoalStatusArray) (own []*dispatch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.foreign = map[action.ID]bool{}
	for _, s := range m.StatusList {
		id := action.ID(s.GoalInfo.GoalID.UUID)
		status := action.Status(s.Status)
		if status.Final() {
			delete(c.unsure, id)
			delete(c.lost, id)
		}
		if status.Final() || status == action.Unknown || c.runs[id] != nil || c.ended[id] || len(c.foreign) >= limit.ActionGoals {
			continue
		}
		if d := c.lost[id]; d != nil {
			c.unsure[id] = true
			own = append(own, d)
			continue
		}
		c.foreign[id] = true
		c.gate.bypasses.goal(c.gate.log, c.name, id)
	}
	return own
}

func (c *controller) countUp(total *uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*total++
}

func (c *controller) report() ControllerReport {
	present := c.client.Available()
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.totals
	r.Executing, r.Present = c.executing(), present
	return r
}

// present returns what the controller executes, as far as the gate forwarded it, or nil.
func (c *controller) present() *run {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}

// breakOff notes that the controller is being stopped while it executes r, or has ended it before
// its time, and has what the other controllers execute judged again at once.
func (c *controller) breakOff(r *run) {
	r.plan.Break()
	for _, other := range c.gate.all() {
		if running := other.present(); running != nil {
			running.nudge()
		}
	}
}

// endedEarly is breakOff for a trajectory that the controller has ended. If it ended it because it
// is just taking over another one, that one's proof counts.
func (c *controller) endedEarly(r *run) {
	c.mu.Lock()
	replacing := c.sending
	if replacing {
		c.ending = r
	}
	c.mu.Unlock()
	if !replacing {
		c.breakOff(r)
	}
}

// nudge has the trajectory judged again at once.
func (r *run) nudge() {
	select {
	case r.nudged <- struct{}{}:
	default:
	}
}

// executing reports whether the controller executes a trajectory, as far as the gate knows. The
// caller holds mu.
func (c *controller) executing() bool {
	return c.running != nil || len(c.foreign)+len(c.unsure) > 0
}

// Package gatetest has a stand-in for a trajectory controller and its robot, for tests.
package gatetest

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// The types of the action.
type (
	Goal     = controlmsgs.FollowJointTrajectoryGoal
	Result   = controlmsgs.FollowJointTrajectoryResult
	Feedback = controlmsgs.FollowJointTrajectoryFeedback
	goal     = action.Goal[Result, Feedback]
	// Client is a user of a controller, or of a gate.
	Client = action.Client[Goal, Result, Feedback, *Goal, *Result, *Feedback]
)

// NewClient returns a user of the action of a controller or a gate.
func NewClient(n *ros.Node, controller string, o action.ClientOptions[Feedback]) (*Client, error) {
	return action.NewClient[Goal, Result, Feedback](n, controller+"/follow_joint_trajectory", o)
}

// Options of a Controller.
type Options struct {
	Name string
	// At is where the joints are at first.
	At map[string]float64
	// Period is the time between two joint states; 0 means 10 ms.
	Period time.Duration
	// Took, if not nil, is told of every trajectory that the controller executes.
	Took func(id action.ID, t *trajectorymsgs.JointTrajectory)
	// Rejects, if not nil, decides which goals the controller rejects.
	Rejects func(id action.ID) bool
	// Hesitates, if not nil, returns when the controller decides whether it accepts a goal; nil
	// means at once.
	Hesitates func(id action.ID) <-chan struct{}
	// Refuses, if not nil, decides which requests to cancel a goal it refuses.
	Refuses func(id action.ID) bool
	// Now is the robot's time; nil means that of the system. While it stands still there are no
	// joint states.
	Now func() time.Time
	// Skew, if not nil, is added to the stamps of joint states.
	Skew func() time.Duration
	// Stray, if not nil, is added to the position of every joint that moves.
	Stray func() float64
}

// Controller executes trajectories as a joint_trajectory_controller does, on joints that are
// always where they should be, and publishes joint_states. A trajectory replaces the one
// before.
type Controller struct {
	Options
	close []func() error
	done  chan struct{}
	ended sync.WaitGroup

	mu     sync.Mutex
	at     map[string]float64
	speed  map[string]float64
	way    *motion.Motion
	begun  time.Time
	active *goal // nil for a trajectory from the topic
	taken  int
	mute   bool

	stubborn bool
}

// New starts a controller.
func New(n *ros.Node, o Options) (*Controller, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Period == 0 {
		o.Period = 10 * time.Millisecond
	}
	if o.Skew == nil {
		o.Skew = func() time.Duration { return 0 }
	}
	c := &Controller{Options: o, done: make(chan struct{}), at: maps.Clone(o.At), speed: map[string]float64{}}
	states, err := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{})
	if err != nil {
		return nil, err
	}
	server, err := action.NewServer[Goal, Result, Feedback](n, o.Name+"/follow_joint_trajectory", c.serverOptions(), c.take)
	if err != nil {
		return nil, err
	}
	topic, err := ros.Subscribe(n, o.Name+"/joint_trajectory", ros.QoS{}, func(t *trajectorymsgs.JointTrajectory, _ ros.MessageInfo) {
		c.start(nil, t)
	})
	if err != nil {
		return nil, err
	}
	c.close = []func() error{server.Close, topic.Close, states.Close}
	c.ended.Add(1)
	go func() {
		defer c.ended.Done()
		c.run(states)
	}()
	return c, nil
}

// Close ends the controller. What it executes stays unfinished.
func (c *Controller) Close() (err error) {
	close(c.done)
	c.ended.Wait()
	for _, end := range c.close {
		err = errors.Join(err, end())
	}
	return err
}

// Taken returns how many trajectories the controller took over.
func (c *Controller) Taken() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.taken
}

// Executing reports whether the controller executes a goal.
func (c *Controller) Executing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.active != nil
}

// Mute ends or resumes joint_states.
func (c *Controller) Mute(mute bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mute = mute
}

// Stubborn makes the controller go on with goals that are being canceled, or no more.
func (c *Controller) Stubborn(stubborn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stubborn = stubborn
}

// At returns where the joints are.
func (c *Controller) At() map[string]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.at)
}

// Course returns what the controller executes, and since when; nil if nothing.
func (c *Controller) Course() (way *motion.Motion, begun time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.way, c.begun
}

func (c *Controller) serverOptions() (o action.ServerOptions) {
	if c.Refuses != nil {
		o.Cancel = func(id action.ID) bool { return !c.Refuses(id) }
	}
	return o
}

func (c *Controller) take(g *goal, m *Goal) {
	if c.Hesitates != nil {
		if until := c.Hesitates(g.ID()); until != nil {
			go func() {
				<-until
				c.decide(g, m)
			}()
			return
		}
	}
	c.decide(g, m)
}

func (c *Controller) decide(g *goal, m *Goal) {
	if c.Rejects != nil && c.Rejects(g.ID()) {
		g.Reject()
		return
	}
	g.Accept()
	if err := c.start(g, &m.Trajectory); err != nil {
		g.Abort(&Result{ErrorCode: controlmsgs.FollowJointTrajectoryResultInvalidGoal, ErrorString: err.Error()})
		return
	}
	g.Execute()
}

// start executes a trajectory from now on.
func (c *Controller) start(g *goal, t *trajectorymsgs.JointTrajectory) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	way, err := c.wayOf(t)
	if err != nil {
		return err
	}
	if c.active != nil {
		c.active.Abort(&Result{ErrorCode: controlmsgs.FollowJointTrajectoryResultInvalidGoal, ErrorString: "replaced by a new goal"})
	}
	c.way, c.begun, c.active = way, c.Now(), g
	c.taken++
	if c.Took != nil {
		var id action.ID
		if g != nil {
			id = g.ID()
		}
		c.Took(id, t)
	}
	return nil
}

func (c *Controller) wayOf(t *trajectorymsgs.JointTrajectory) (*motion.Motion, error) {
	var points []motion.Waypoint
	for _, p := range t.Points {
		points = append(points, motion.Waypoint{Time: p.TimeFromStart.Seconds(), Positions: p.Positions, Velocities: p.Velocities, Accelerations: p.Accelerations})
	}
	if len(points) == 0 {
		return nil, errors.New("no points")
	}
	if points[0].Time > 0 {
		from := make([]float64, len(t.JointNames))
		for i, name := range t.JointNames {
			from[i] = c.at[name]
		}
		points = slices.Insert(points, 0, motion.LeadIn(from, points[0]))
	}
	if len(points) == 1 {
		last := points[0]
		last.Time += 0.001
		points = append(points, last)
	}
	return motion.JTC.Through(t.JointNames, points)
}

// run moves the joints and publishes where they are.
func (c *Controller) run(states *ros.Publisher[sensormsgs.JointState]) {
	tick := time.NewTicker(c.Period)
	defer tick.Stop()
	var last time.Time
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
			now := c.Now()
			c.move(now)
			if m := c.state(now); m != nil && !now.Equal(last) {
				states.Publish(m)
			}
			last = now
		}
	}
}

// move advances the trajectory.
func (c *Controller) move(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.speed)
	if c.way == nil {
		return
	}
	if c.active != nil {
		if c.canceling() {
			c.active.Canceled(&Result{})
			c.way, c.active = nil, nil
			return
		}
		c.active.Feedback(&Feedback{JointNames: c.way.Joints})
	}
	t := min(now.Sub(c.begun).Seconds(), c.way.Duration())
	off := 0.0
	if c.Stray != nil {
		off = c.Stray()
	}
	const dt = 1e-4
	soon := c.way.At(min(t+dt, c.way.Duration()))
	for i, x := range c.way.At(max(t, 0)) {
		c.at[c.way.Joints[i]], c.speed[c.way.Joints[i]] = x+off, (soon[i]-x)/dt
	}
	if t == c.way.Duration() {
		if c.active != nil {
			c.active.Succeed(&Result{})
		}
		c.way, c.active = nil, nil
	}
}

// canceling reports whether the active goal is to be canceled.
func (c *Controller) canceling() bool {
	select {
	case <-c.active.Canceling():
		return !c.stubborn
	default:
		return false
	}
}

// state returns where the joints are, nil while it is muted.
func (c *Controller) state(now time.Time) *sensormsgs.JointState {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mute {
		return nil
	}
	s := &sensormsgs.JointState{}
	s.Header.Stamp = builtininterfaces.TimeOf(now.Add(c.Skew()))
	for _, name := range slices.Sorted(maps.Keys(c.at)) {
		s.Name, s.Position, s.Velocity = append(s.Name, name), append(s.Position, c.at[name]), append(s.Velocity, c.speed[name])
	}
	return s
}

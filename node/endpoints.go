package node

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// The quality of service of the node's own topics, except those of the state.
var (
	verdictQoS = ros.QoS{Durability: ros.TransientLocal, Depth: 10}
	// Every question must be answered: a flood from one publisher must not displace those of
	// others before they are read.
	questionQoS = ros.QoS{Depth: limit.ServiceHistory}
	// Messages beyond the rate are dropped unread. To refuse a question takes longer than to
	// write one, and meanwhile a flood displaces the questions of others.
	questionRate = ros.Rate{Burst: limit.QuestionsAtOnce, PerSecond: limit.QuestionsPerSecond}
	// A dropped joint state is a measurement that is never judged. The depth bridges a stop of
	// the process of some 100 ms even at 1 kHz.
	jointStateQoS = ros.QoS{Reliability: ros.BestEffort, Depth: 100}
)

// stateLease is the liveliness lease. The middleware renews it independently of the monitor,
// so a loaded machine keeps it; subscribers notice a silent monitor by the deadline of three
// periods.
const stateLease = 500 * time.Millisecond

// stateQoS is the quality of service of ~/state and of its stamped companions. A late
// subscriber receives the last state unless it is older than the lifespan: by then it would be
// UNKNOWN, because its joint states would be stale.
func (l limits) stateQoS() ros.QoS {
	deadline := l.silence() + l.silence()/3
	return ros.QoS{
		Durability: ros.TransientLocal, Depth: 1,
		Deadline: deadline, Lifespan: max(deadline, l.timeout), Lease: stateLease,
	}
}

// newestQoS is that of the plain topics. Their messages carry no stamp, so a late subscriber
// receives none.
func (l limits) newestQoS() ros.QoS {
	q := l.stateQoS()
	q.Durability = ros.Volatile
	return q
}

// jointStateBounds are those of joint states.
var jointStateBounds = ros.Bounds{Bytes: limit.MessageBytes, Fields: cdr.Bounds{String: limit.NameBytes, Elements: limit.MessageJoints}}

// questionBounds are those of questions. The longest list is that of a trajectory's points.
func (n *Node) questionBounds() ros.Bounds {
	return ros.Bounds{
		Bytes: limit.MessageBytes, Fields: cdr.Bounds{String: limit.NameBytes, Elements: limit.TrajectoryPoints},
		Admit: n.validator.turns.room,
	}
}

// publishers are the node's publishers.
type publishers struct {
	states  *voice
	verdict *ros.Publisher[fcmsgs.Verdict]
}

func (n *Node) advertise() (err error) {
	if n.out.states, err = n.advertiseStates(); err != nil {
		return err
	}
	n.out.verdict, err = ros.Advertise[fcmsgs.Verdict](n.ros, "~/verdict", verdictQoS)
	return err
}

func (n *Node) publishState(s *fcmsgs.CollisionState) {
	n.describe(s)
	n.out.states.say(s)
	n.reportState(s)
	n.drawings.see(s)
	n.web.see(s)
}

// describe fills in the fields of a state that describe the node.
func (n *Node) describe(s *fcmsgs.CollisionState) {
	s.Reason = oneline.Text(s.Reason, limit.TextBytes)
	s.Secured, s.Impostors = n.ros.Secured(), n.impostors.Load()
	n.loader.describe(s)
}

// advertiseStates advertises ~/state and the topics that summarize it.
func (n *Node) advertiseStates() (*voice, error) {
	l := limitsOf(n.values)
	a := advertiser{node: n.ros}
	onTopic(&a, "~/state", l.stateQoS(), func(s *fcmsgs.CollisionState) *fcmsgs.CollisionState { return s })
	onTopic(&a, "~/collision_free", l.newestQoS(), func(s *fcmsgs.CollisionState) *stdmsgs.Bool {
		return &stdmsgs.Bool{Data: isFree(s)}
	})
	onTopic(&a, "~/min_distance", l.newestQoS(), func(s *fcmsgs.CollisionState) *stdmsgs.Float64 {
		return &stdmsgs.Float64{Data: s.DistanceLower}
	})
	onTopic(&a, "~/collision_free_stamped", l.stateQoS(), func(s *fcmsgs.CollisionState) *fcmsgs.CollisionFree {
		return &fcmsgs.CollisionFree{Header: s.Header, CollisionFree: isFree(s)}
	})
	onTopic(&a, "~/min_distance_stamped", l.stateQoS(), func(s *fcmsgs.CollisionState) *fcmsgs.MinDistance {
		return &fcmsgs.MinDistance{Header: s.Header, MinDistance: s.DistanceLower, Upper: s.DistanceUpper, Stopped: s.Stopped, BeyondMax: s.BeyondMax}
	})
	if n.values.Bool("speed_scaling") {
		onTopic(&a, "~/speed_scaling", l.newestQoS(), func(s *fcmsgs.CollisionState) *stdmsgs.Float64 {
			return &stdmsgs.Float64{Data: s.SpeedScaling}
		})
	}
	return newVoice(n.warn, n.mustNotPanic, a.topics...), a.err
}

// advertiser collects the topics that states go to, and the first error.
type advertiser struct {
	node   *ros.Node
	topics []*topic
	err    error
}

// onTopic advertises a topic of messages that are derived from each state.
func onTopic[T any, PT interface {
	*T
	cdr.Message
}](a *advertiser, name string, qos ros.QoS, of func(*fcmsgs.CollisionState) *T) {
	if a.err != nil {
		return
	}
	pub, err := ros.Advertise[T, PT](a.node, name, qos)
	if err != nil {
		a.err = err
		return
	}
	a.topics = append(a.topics, newTopic(pub.Topic(), func(s *fcmsgs.CollisionState) error { return pub.Publish(of(s)) }))
}

func (n *Node) publishVerdict(v *fcmsgs.Verdict) {
	n.reportVerdict(v)
	n.warn(n.out.verdict.Publish(v))
	n.web.judged(v)
}

// warn logs what could not be published, at most once a second: states are frequent.
func (n *Node) warn(err error) {
	now := time.Now().UnixNano()
	last := n.warned.Load()
	if err != nil && now-last > int64(time.Second) && n.warned.CompareAndSwap(last, now) {
		n.ros.Logger().Warnf("%v", err)
	}
}

// listen subscribes a topic. A panic of take ends the node.
func listen[T any, PT interface {
	*T
	cdr.Message
}](n *Node, topic string, qos ros.QoS, take func(*T), options ...ros.SubscribeOption) (*ros.Subscription, error) {
	return ros.Subscribe[T, PT](n.ros, topic, qos, func(m *T, _ ros.MessageInfo) {
		n.mustNotPanic(func() { take(m) })
	}, options...)
}

// hearQuestions subscribes a topic of questions. A panic ends the node.
func hearQuestions[T any, PT interface {
	*T
	cdr.Message
}](n *Node, topic string, about func(*T) *question) (*ros.Subscription, error) {
	return ros.Subscribe[T, PT](n.ros, topic, questionQoS, func(m *T, info ros.MessageInfo) {
		n.mustNotPanic(func() {
			q := about(m)
			n.validator.ask(q, asker{
				client: info.Writer.Participant(), bytes: info.Bytes, broken: info.Err,
				told: func(*fcmsgs.Verdict) { q.turn.lose() }, // if it was not looked at
			})
		})
	}, ros.Within(n.questionBounds()), ros.BrokenToo(), ros.AtMost(questionRate))
}

// mustNotPanic ends the node when a callback panics.
func (n *Node) mustNotPanic(callback func()) {
	err := guarded(func() error {
		callback()
		return nil
	})
	if err != nil {
		select {
		case n.faults <- err:
		default: // one is enough
		}
	}
}

func (n *Node) subscribe() (err error) {
	// hear retains nothing of the message.
	n.states, err = ros.Subscribe(n.ros, "joint_states", jointStateQoS, func(m *sensormsgs.JointState, info ros.MessageInfo) {
		n.mustNotPanic(func() { n.monitor.hear(m, info) })
	}, ros.ReliableWhereOffered(), ros.ReuseMessage(), ros.Within(jointStateBounds), ros.Tapped())
	if err != nil {
		return err
	}
	_, err = hearQuestions(n, "~/joint_state_pair", func(m *fcmsgs.JointStatePair) *question { return n.ask().aboutPair(m) })
	if err != nil {
		return err
	}
	for _, topic := range n.trajectoryTopics() {
		name, err := n.ros.ResolveTopic(topic)
		if err != nil {
			return fmt.Errorf("parameter trajectory.topics: %w", err)
		}
		executes := &succession{}
		if topic != "~/trajectory" {
			n.successions = append(n.successions, executes)
		}
		_, err = hearQuestions(n, topic, func(m *trajectorymsgs.JointTrajectory) *question {
			q := n.ask().aboutTrajectory(name, m)
			if topic != "~/trajectory" {
				timeline := n.monitor.timeline()
				at, now := n.monitor.jointState()
				q.follow(executes, at, now, timeline)
			}
			return q
		})
		if err != nil {
			return err
		}
	}
	if err := n.hearPlans("display_planned_path"); err != nil {
		return err
	}
	_, err = ros.ServeEach(n.ros, "~/check_trajectory", ros.ServiceQoS, n.checkTrajectory, ros.RequestsWithin(n.questionBounds()))
	if err != nil {
		return err
	}
	_, err = ros.ServeEach(n.ros, "~/get_clearance", ros.ServiceQoS, n.getClearance, ros.RequestsWithin(n.questionBounds()))
	if err != nil {
		return err
	}
	_, err = ros.ServeEach(n.ros, "~/check_state_validity", ros.ServiceQoS, n.checkStateValidity, ros.RequestsWithin(n.questionBounds()))
	if err != nil {
		return err
	}
	return n.subscribeDescription()
}

func (n *Node) trajectoryTopics() []string {
	topics := []string{"~/trajectory"}
	for _, controller := range n.values.Strings("trajectory.topics") {
		topics = append(topics, controller+"/joint_trajectory")
	}
	return topics
}

// checkTrajectory answers the service.
func (n *Node) checkTrajectory(r *fcmsgs.CheckTrajectoryRequest, info ros.RequestInfo, reply func(*fcmsgs.CheckTrajectoryResponse)) {
	n.mustNotPanic(func() {
		n.validator.ask(n.ask().aboutRequest(r), asker{
			client: info.Client, bytes: info.Bytes, broken: info.Err,
			told: func(a *fcmsgs.Verdict) { reply(&fcmsgs.CheckTrajectoryResponse{Verdict: *a}) },
		})
	})
}

// subscribeDescription listens for the texts that the parameters do not give.
func (n *Node) subscribeDescription() error {
	d := &n.loader.desc
	semantic := n.values.Bool("model.semantic_topic")
	for topic, source := range map[string]*source{
		"robot_description":          &d.urdf,
		"robot_description_semantic": &d.srdf,
	} {
		if source.given() || source == &d.srdf && !semantic {
			continue
		}
		if _, err := listen(n, topic, ros.LatchedQoS, n.loader.listen(topic, &source.text), ros.Within(ros.DescriptionBounds)); err != nil {
			return err
		}
	}
	return nil
}

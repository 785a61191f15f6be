package node

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// patience is how long something that must happen may take on a busy machine.
const patience = 60 * time.Second

// keptFresh is how long the joints' positions count, unless the node is told otherwise.
const keptFresh = time.Second

// graph is a ROS graph to test in: over memory in this process, or over DDS with
// every node in a process of its own.
type graph struct {
	transport ros.Transport
	env       ros.Environment
	variables []string // env as other processes get it
	// startNode starts the node under test with --ros-args; it ends with the test.
	startNode func(t *testing.T, g *graph, args []string)
	log       io.Writer // of nodes in this process; nil discards it
	// startPublisher starts another process that publishes joint states; kill
	// ends it without a word.
	startPublisher func(t *testing.T, g *graph, namespace string) (kill func())
	footprint      func() (footprint, error) // of the process of the node that was started last
	silence        time.Duration             // how long the publisher is silent in the test of silence
}

// inMemory is a graph without processes and network.
func inMemory() *graph {
	return &graph{
		transport:      ros.NewMemory(),
		variables:      nil, // there are no other processes
		startNode:      startHere,
		startPublisher: publishHere,
		footprint:      footprintHere,
		silence:        time.Second,
	}
}

func startHere(t *testing.T, g *graph, args []string) { startNodeHere(t, g, args) }

func startNodeHere(t *testing.T, g *graph, args []string) *Node {
	parsed, err := ros.ParseArgs(append([]string{"--ros-args"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	log := quiet()
	if g.log != nil {
		log = ros.NewLogger(g.log, "firstcontact", ros.LevelInfo)
	}
	n, err := New(g.transport, Options{Args: parsed, Env: g.env, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		if err := n.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return n
}

// quiet is a log that nobody reads.
func quiet() *ros.Logger { return ros.NewLogger(io.Discard, "firstcontact", ros.LevelInfo) }

// lines holds what a log or a process writes.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *lines) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *lines) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func publishHere(t *testing.T, g *graph, namespace string) (kill func()) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- publishAtRest(ctx, g, namespace) }()
	return func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// publishAtRest publishes joint states of the carts at rest until the context
// ends.
func publishAtRest(ctx context.Context, g *graph, namespace string) error {
	n, err := ros.NewNode(g.transport, ros.Options{Name: "driver", Namespace: namespace, Env: g.env, Logger: quiet()})
	if err != nil {
		return err
	}
	defer n.Close()
	pub, err := ros.Advertise[sensormsgs.JointState](n, "joint_states", ros.QoS{})
	if err != nil {
		return err
	}
	return stream(ctx, pub, func() *sensormsgs.JointState { return carts2(0, 0) })
}

const streamPeriod = time.Second / 60

// stream publishes at 60 Hz what next returns, where that is not nil.
func stream(ctx context.Context, pub *ros.Publisher[sensormsgs.JointState], next func() *sensormsgs.JointState) error {
	tick := time.NewTicker(streamPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if m := next(); m != nil {
				if err := pub.Publish(m); err != nil {
					return err
				}
			}
		}
	}
}

// stamped gives a joint state the present time, and a shift.
func stamped(m *sensormsgs.JointState, shift time.Duration) *sensormsgs.JointState {
	m.Header.Stamp = builtininterfaces.TimeOf(time.Now().Add(shift))
	return m
}

// carts2 is a joint state of both carts.
func carts2(left, right float64) *sensormsgs.JointState {
	return stamped(&sensormsgs.JointState{Name: []string{"left_x", "right_x"}, Position: []float64{left, right}}, 0)
}

// robot is what a test has at hand beside the node under test: it plays the
// robot's driver and hears what the node says.
type robot struct {
	*testing.T
	graph     *graph
	namespace string
	node      *ros.Node
	joints    *ros.Publisher[sensormsgs.JointState]
	pair      *ros.Publisher[fcmsgs.JointStatePair]
	path      *ros.Publisher[trajectorymsgs.JointTrajectory]
	states    *inbox[fcmsgs.CollisionState]
	verdicts  *inbox[fcmsgs.Verdict]
	free      *inbox[stdmsgs.Bool]
	distance  *inbox[stdmsgs.Float64]

	playing atomic.Pointer[func() *sensormsgs.JointState]

	ending sync.Mutex // guards the context that soon returned last
	ends   context.Context
	endsAt time.Time
}

var namespaces atomic.Int64

// newRobot starts the node under test with further --ros-args, and waits until it
// and the test have found each other.
func (g *graph) newRobot(t *testing.T, args ...string) *robot {
	t.Helper()
	r := &robot{T: t, graph: g, namespace: fmt.Sprintf("/robot%d", namespaces.Add(1))}
	g.startNode(t, g, append([]string{"-r", "__ns:=" + r.namespace}, args...))
	var err error
	r.node, err = ros.NewNode(g.transport, ros.Options{Name: "robot", Namespace: r.namespace, Env: g.env, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.node.Close() })
	latched := ros.QoS{Durability: ros.TransientLocal, Depth: 1000}
	r.states = collect[fcmsgs.CollisionState](r, "firstcontact/state", latched)
	r.verdicts = collect[fcmsgs.Verdict](r, "firstcontact/verdict", latched)
	r.free = collect[stdmsgs.Bool](r, "firstcontact/collision_free", ros.QoS{Depth: 1000})
	r.distance = collect[stdmsgs.Float64](r, "firstcontact/min_distance", ros.QoS{Depth: 1000})
	r.joints = advertise[sensormsgs.JointState](r, "joint_states")
	r.pair = advertise[fcmsgs.JointStatePair](r, "firstcontact/joint_state_pair")
	r.path = advertise[trajectorymsgs.JointTrajectory](r, "firstcontact/trajectory")
	return r
}

// railArgs are the --ros-args for the carts and their wall. Joint states count for longer than by default: what is
// not about silence must not depend on how busy the machine is.
func railArgs(t *testing.T, more ...string) []string {
	t.Helper()
	dir := t.TempDir()
	urdf, scene := filepath.Join(dir, "carts.urdf"), filepath.Join(dir, "wall.yaml")
	write(t, urdf, railURDF)
	write(t, scene, railScene)
	return append([]string{"-p", "robot_description_file:=" + urdf, "-p", "scene:=" + scene, "-p", fmt.Sprintf("joint_state_timeout:=%.1f", keptFresh.Seconds())}, more...)
}

func advertise[T any, PT interface {
	*T
	cdr.Message
}](r *robot, topic string) *ros.Publisher[T] {
	r.Helper()
	pub, err := ros.Advertise[T, PT](r.node, topic, ros.QoS{})
	if err != nil {
		r.Fatal(err)
	}
	if err := pub.WaitSubscribers(r.soon(), 1); err != nil {
		r.Fatalf("%s: nobody listens: %v", topic, err)
	}
	return pub
}

// soon is a context that ends with the test's patience, or somewhat later.
func (r *robot) soon() context.Context {
	r.ending.Lock()
	defer r.ending.Unlock()
	if r.ends == nil || time.Until(r.endsAt) < patience {
		var cancel context.CancelFunc
		r.endsAt = time.Now().Add(patience + patience/2)
		r.ends, cancel = context.WithDeadline(context.Background(), r.endsAt)
		r.Cleanup(cancel)
	}
	return r.ends
}

// play makes the driver publish at 60 Hz what next returns; nil is silence.
func (r *robot) play(next func() *sensormsgs.JointState) {
	if r.playing.Swap(&next) != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := stream(ctx, r.joints, func() *sensormsgs.JointState { return (*r.playing.Load())() })
		if err != nil {
			r.Error(err)
		}
	}()
	r.Cleanup(func() {
		stop()
		<-done
	})
}

// rest makes the driver publish the carts at rest.
func (r *robot) rest() { r.play(func() *sensormsgs.JointState { return carts2(0, 0) }) }

// hush makes the driver silent.
func (r *robot) hush() { r.play(func() *sensormsgs.JointState { return nil }) }

// inbox holds everything that was received on a topic.
type inbox[T any] struct {
	r       *robot
	topic   string
	mu      sync.Mutex
	items   []*T
	gone    int // how many were forgotten, before those in items
	changed chan struct{}
}

func collect[T any, PT interface {
	*T
	cdr.Message
}](r *robot, topic string, qos ros.QoS) *inbox[T] {
	r.Helper()
	b := &inbox[T]{r: r, topic: topic, changed: make(chan struct{})}
	_, err := ros.Subscribe[T, PT](r.node, topic, qos, func(m *T, _ ros.MessageInfo) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.items = append(b.items, m)
		close(b.changed)
		b.changed = make(chan struct{})
	})
	if err != nil {
		r.Fatal(err)
	}
	return b
}

// count is how many messages there have been.
func (b *inbox[T]) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gone + len(b.items)
}

// forget frees all messages but the last.
func (b *inbox[T]) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := max(len(b.items)-1, 0)
	b.items, b.gone = slices.Clone(b.items[n:]), b.gone+n
}

// wait returns the first message, counted from the given one, that will do, and
// the number of the one after it.
func (b *inbox[T]) wait(from int, what string, ok func(*T) bool) (m *T, next int) {
	b.r.Helper()
	deadline := time.After(patience)
	var last *T
	for i := from; ; {
		b.mu.Lock()
		changed := b.changed
		for i = max(i, b.gone); i < b.gone+len(b.items); i++ {
			if last = b.items[i-b.gone]; ok(last) {
				b.mu.Unlock()
				return last, i + 1
			}
		}
		b.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			b.r.Fatalf("%s: no message %s after %v; the last of %d is %+v", b.topic, what, patience, b.count(), last)
		}
	}
}

// waitLevel waits for a state of a level whose reason holds the words, from now
// on or from the given state on.
func (r *robot) waitLevel(from int, level uint8, words string) (s *fcmsgs.CollisionState, next int) {
	r.Helper()
	return r.states.wait(from, fmt.Sprintf("of level %d because %q", level, words), func(s *fcmsgs.CollisionState) bool {
		return s.Level == level && strings.Contains(s.Reason, words)
	})
}

// waitModel waits until there is a model.
func (r *robot) waitModel() {
	r.Helper()
	r.states.wait(0, "with a model", func(s *fcmsgs.CollisionState) bool { return s.ModelHash != "" })
}

// waitVerdict waits for the verdict with an id.
func (r *robot) waitVerdict(id string) *fcmsgs.Verdict {
	r.Helper()
	v, _ := r.verdicts.wait(0, "with id "+id, func(v *fcmsgs.Verdict) bool { return v.ID == id })
	return v
}

// heldUnknown checks that nothing was called free between two states.
func (r *robot) heldUnknown(from, to int) {
	r.Helper()
	r.states.mu.Lock()
	defer r.states.mu.Unlock()
	for _, s := range r.states.items[from:to] {
		if s.Level != fcmsgs.CollisionStateUnknown || !math.IsNaN(s.DistanceLower) || !math.IsNaN(s.DistanceUpper) || s.TimeToContact != 0 {
			r.Errorf("between two unknown states there is one of level %d: %s", s.Level, s.Reason)
		}
	}
}

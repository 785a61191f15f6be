package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/node/internal/clouds"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/internal/frames"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// points makes obstacles of the point clouds of topics. A cloud waits until the frames of its
// stamp are known, and until the world in use contains the one before.
type points struct {
	options clouds.Options
	feeds   []*pointFeed
	wake    chan struct{}
	current func() (*model, string)
	place   func(*model) *frames.Resolver
	put     func(layer, func(swapped))
	now     func() (now time.Time, fault string) // the node's time, and why it is not known
	warn    func(format string, args ...any)

	busy atomic.Bool // a layer has been put and is not in use yet

	// Used by run only.
	root string // the root link of the robot that the clouds were seen by
	body struct {
		of *scene.Snapshot
		by *urdf.Robot
		is *clouds.Body
	}
}

// pointFeed is one topic.
type pointFeed struct {
	mu      sync.Mutex
	newest  *clouds.Message // not looked at yet
	waiting *clouds.Message // its frames are not known yet; used by run only
	clouds  clouds.Feed
	shown   clouds.Shown
	changed bool          // shown is not in the world
	cost    time.Duration // of reading the newest cloud

	told time.Time // when a fault was logged

	heard *ros.Subscription // nil in tests without a graph
}

// pointsTick is how often the points look for clouds that are stale, and whether the frames of
// one that waits are known.
const pointsTick = 20 * time.Millisecond

// hearPoints subscribes the topics of the parameter points.topics.
func (n *Node) hearPoints() error {
	topics := n.values.Strings("points.topics")
	if len(topics) == 0 {
		return nil
	}
	if err := n.hearFrames(); err != nil {
		return err
	}
	p := &points{
		options: clouds.Options{Voxel: n.values.Double("points.voxel"), Range: n.values.Double("points.range"), Margin: n.values.Double("points.margin")},
		wake:    make(chan struct{}, 1), current: n.loader.current, place: n.resolver, now: n.monitor.reading, warn: n.ros.Logger().Warnf,
		put: func(l layer, done func(swapped)) { n.worlds.put(fromPointClouds, l, done) },
	}
	rate := ros.Rate{Burst: 1, PerSecond: n.values.Double("points.rate"), Quiet: true}
	for _, topic := range topics {
		f, err := p.add(n.ros, topic, n.values.Double("points.decay"), n.values.Double("points.timeout"))
		if err != nil {
			return err
		}
		// A node's own callbacks never work on a cloud: a slow one would lose the next.
		f.heard, err = ros.Subscribe(n.ros, topic, pointsQoS, func(m *clouds.Message, _ ros.MessageInfo) {
			n.mustNotPanic(func() { f.hear(m, p.wake) })
		}, ros.Within(pointsBounds), ros.AtMost(rate))
		if err != nil {
			return fmt.Errorf("parameter points.topics: %w", err)
		}
	}
	n.points = p
	n.diagnosis.Add("point clouds", p.entry)
	p.show()
	return nil
}

var (
	pointsQoS    = ros.QoS{Reliability: ros.BestEffort, Depth: 1}
	pointsBounds = ros.Bounds{Bytes: limit.CloudBytes, Fields: cdr.Bounds{String: limit.NameBytes, Elements: limit.CloudBytes}}
)

// add adds a topic; its obstacle has the topic's full name.
func (p *points) add(n *ros.Node, topic string, decay, timeout float64) (*pointFeed, error) {
	name, err := n.ResolveTopic(topic)
	if err != nil {
		return nil, fmt.Errorf("parameter points.topics: %w", err)
	}
	if slices.ContainsFunc(p.feeds, func(f *pointFeed) bool { return f.clouds.ID == name }) {
		return nil, fmt.Errorf("parameter points.topics names %s twice", name)
	}
	f := &pointFeed{clouds: clouds.Feed{ID: name, Decay: span(decay), Timeout: span(timeout)}, changed: true}
	f.shown = f.clouds.At(time.Time{})
	p.feeds = append(p.feeds, f)
	return f, nil
}

// hear takes a cloud, in place of one that still waits.
func (f *pointFeed) hear(m *clouds.Message, wake chan struct{}) {
	f.mu.Lock()
	f.newest = m
	f.mu.Unlock()
	nudge(wake)
}

// run works until the context ends. Nil has nothing to do.
func (p *points) run(ctx context.Context) error {
	if p == nil {
		return nil
	}
	tick := time.NewTicker(pointsTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case <-p.wake:
		}
		p.step(ctx)
	}
}

// step uses what has come, and looks for what is stale.
func (p *points) step(ctx context.Context) {
	m, _ := p.current()
	p.follow(m)
	for _, f := range p.feeds {
		if _, fault := p.now(); m != nil && fault == "" && !p.busy.Load() {
			p.use(ctx, f, m)
		}
		f.look(p.now())
	}
	if slices.ContainsFunc(p.feeds, func(f *pointFeed) bool { return f.changed }) {
		p.show()
	}
}

// follow forgets all clouds if the robot has another root link: they are in its frame.
func (p *points) follow(m *model) {
	if m == nil || m.frame == p.root {
		return
	}
	p.root = m.frame
	for _, f := range p.feeds {
		f.mu.Lock()
		f.clouds.Forget()
		f.changed = true
		f.mu.Unlock()
	}
}

// next returns the cloud to look at, nil if there is none. One that waits for its frames is not
// given up for a newer one, whose frames are known even later.
func (f *pointFeed) next() *clouds.Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting == nil {
		f.waiting, f.newest = f.newest, nil
	}
	return f.waiting
}

// use reads the next cloud of a topic, once its frames are known.
func (p *points) use(ctx context.Context, f *pointFeed, m *model) {
	message := f.next()
	if message == nil {
		return
	}
	begin := time.Now()
	now, _ := p.now()
	age := now.Sub(message.Header.Stamp.Time())
	scan, err := p.scan(ctx, message, m)
	f.mu.Lock()
	defer f.mu.Unlock()
	var unknown *frames.Error
	switch wait := errors.As(err, &unknown) && unknown.Kind == frames.Future; {
	case ctx.Err() != nil:
		return
	case age > f.clouds.Timeout || age < -f.clouds.Timeout:
		err = fmt.Errorf("its stamp is %.3f s before now, which is beyond points.timeout: %w", age.Seconds(), cmp.Or(err, errStale))
	case err == nil:
		err = f.clouds.Take(scan)
		f.cost, f.changed = time.Since(begin), f.changed || err == nil
	case wait:
		f.clouds.Fail(err)
		return
	}
	f.waiting = nil
	if err != nil {
		f.clouds.Fail(err)
	}
	if err != nil && time.Since(f.told) > time.Second {
		f.told = time.Now()
		p.warn("a point cloud on %s is not used: %v", f.clouds.ID, err)
	}
}

// errStale is what is wrong with a cloud of which nothing else is.
var errStale = errors.New("see the rate and the delay of the sensor, and synchronize the clocks or set use_sim_time")

// scan reads a cloud that a model's robot has seen.
func (p *points) scan(ctx context.Context, message *clouds.Message, m *model) (*clouds.Scan, error) {
	stamp := message.Header.Stamp.Time()
	resolver := p.place(m)
	sensor, err := resolver.Resolve(message.Header.FrameID, stamp)
	if err != nil {
		return nil, err
	}
	links, _, err := resolver.Robot.Poses(stamp)
	if err != nil {
		return nil, err
	}
	body, err := p.bodyOf(m)
	if err != nil {
		return nil, err
	}
	return clouds.NewScan(ctx, &message.PointCloud2, clouds.View{Sensor: sensor.Pose, Links: links, Body: body, Stamp: stamp}, p.options)
}

// bodyOf returns the body of the robot with what it carries.
func (p *points) bodyOf(m *model) (*clouds.Body, error) {
	robot, world := m.checker.Robot(), m.checker.World()
	if p.body.is != nil && p.body.by == robot && sameCargo(p.body.of, world) {
		return p.body.is, nil
	}
	var objects []scene.Object
	if world != nil {
		objects = world.Objects
	}
	var body *clouds.Body
	var err error
	if p.body.is != nil && p.body.by == robot {
		body, err = p.body.is.Carrying(objects)
	} else {
		body, err = clouds.NewBody(robot, objects)
	}
	if err == nil {
		p.body.by, p.body.of, p.body.is = robot, world, body
	}
	return body, err
}

// sameCargo reports whether the robot carries the same in two worlds.
func sameCargo(a, b *scene.Snapshot) bool {
	if a == b {
		return true
	}
	return slices.EqualFunc(cargo(a), cargo(b), func(x, y *scene.Object) bool {
		return x.ID == y.ID && x.AttachedTo == y.AttachedTo && x.PoseWS == y.PoseWS && (x.Shape == y.Shape || x.Shape.Equal(y.Shape))
	})
}

func cargo(s *scene.Snapshot) (attached []*scene.Object) {
	if s == nil {
		return nil
	}
	for i := range s.Objects {
		if s.Objects[i].AttachedTo != "" {
			attached = append(attached, &s.Objects[i])
		}
	}
	return attached
}

// look notes that the feed's clouds have become stale, or are no longer.
func (f *pointFeed) look(now time.Time, fault string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.heard != nil {
		f.clouds.Publishers = len(f.heard.Writers())
	}
	if fault != "" {
		now = time.Time{} // nothing is fresh
	}
	if shown := f.clouds.At(now); f.changed || shown.Fresh != f.shown.Fresh || len(f.shown.Premises) != len(shown.Premises) {
		f.shown, f.changed = shown, true
	}
}

// show puts what all feeds show into the world.
func (p *points) show() {
	var all []clouds.Shown
	for _, f := range p.feeds {
		f.mu.Lock()
		all = append(all, f.shown)
		f.changed = false
		f.mu.Unlock()
	}
	p.busy.Store(true)
	p.put(showing(p.root, all), func(s swapped) {
		if !errors.Is(s.err, errSuperseded) {
			p.busy.Store(false)
			nudge(p.wake)
		}
	})
}

// showing is the layer of what feeds show in the frame of a root link.
func showing(root string, all []clouds.Shown) layer {
	return func(_ context.Context, robot *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
		var objects []scene.Object
		next := *below
		next.Gaps = slices.Clip(below.Gaps)
		for _, s := range all {
			objects = append(objects, s.Objects...)
			next.Gaps = append(next.Gaps, s.Premises...)
		}
		if len(objects) == 0 {
			return &next, nil
		}
		if is := robot.Links[robot.Root].Name; is != root {
			return nil, fmt.Errorf("they were seen from the link %s, and the robot's root link is %s", root, is)
		}
		if !rootsIn(robot, below.Frame) {
			return nil, fmt.Errorf("they are in the frame of the root link %s, and the scene is in %s: give the scene in the root link", root, below.Frame)
		}
		for i := range objects {
			if below.Object(objects[i].ID) >= 0 {
				return nil, fmt.Errorf("the scene has an object %s, as a topic of points.topics is called: give it another name", objects[i].ID)
			}
		}
		return next.With(objects...)
	}
}

// entry is what /diagnostics says.
func (p *points) entry(e *diagnostics.Entry) {
	now, fault := p.now()
	for _, f := range p.feeds {
		f.mu.Lock()
		if fault != "" || !f.clouds.At(now).Fresh {
			e.Raise(diagnostics.Stale, "no point cloud on %s is fresh: states are UNKNOWN", f.clouds.ID)
		}
		e.Value(f.clouds.ID, f.clouds.Summary(now))
		e.Value(f.clouds.ID+": time to read (s)", f.cost.Seconds())
		f.mu.Unlock()
	}
}

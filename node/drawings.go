package node

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/visualizationmsgs"
	"github.com/firstcontact-ros/firstcontact/node/markers"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// drawings publishes markers of states and verdicts, beside the goroutines that judge: the newest
// of each, and only while somebody looks.
type drawings struct {
	publish func(*visualizationmsgs.MarkerArray)
	tell    func(error) // logs what could not be drawn
	looked  func() bool
	model   func() (*model, string)
	period  time.Duration
	spheres int // level of the link trees that is shown; negative: none
	wake    chan struct{}

	mu    sync.Mutex
	state *fcmsgs.CollisionState // not drawn yet; nil if there is none
	way   *judgedWay

	// Used by run only.
	robot    *markers.Robot
	of       *urdf.Robot
	balls    map[string][]ccd.Sphere
	nextBall time.Time
}

// judgedWay is the answer about a motion.
type judgedWay struct {
	model   *model
	motion  *motion.Motion
	verdict fcmsgs.Verdict
}

// markerQoS leaves room for a verdict among the states of a second.
var markerQoS = ros.QoS{Depth: 10}

// advertiseMarkers prepares the topic ~/markers, unless the parameters want none.
func (n *Node) advertiseMarkers() error {
	rate := n.values.Double("markers.rate")
	if rate == 0 {
		return nil
	}
	pub, err := ros.Advertise[visualizationmsgs.MarkerArray](n.ros, "~/markers", markerQoS)
	if err != nil {
		return err
	}
	n.drawings = &drawings{
		publish: func(m *visualizationmsgs.MarkerArray) { n.warn(pub.Publish(m)) },
		tell:    n.warn,
		looked:  func() bool { return n.recording != nil || pub.Subscribers() > 0 },
		model:   func() (*model, string) { return n.loader.current() },
		period:  time.Duration(float64(time.Second) / rate), spheres: int(n.values.Int("markers.spheres")),
		wake: make(chan struct{}, 1),
	}
	return nil
}

// see takes a state. It retains nothing of it.
func (d *drawings) see(s *fcmsgs.CollisionState) {
	if d == nil || !d.looked() {
		return
	}
	kept := *s
	kept.ClosestPairs = slices.Clone(s.ClosestPairs)
	d.mu.Lock()
	d.state = &kept
	d.mu.Unlock()
	nudge(d.wake)
}

// judged takes the answer about a motion, which it does not change.
func (d *drawings) judged(m *model, way *motion.Motion, v *fcmsgs.Verdict) {
	if d == nil || v.Status == fcmsgs.VerdictFree || !d.looked() {
		return
	}
	d.mu.Lock()
	d.way = &judgedWay{m, way, *v}
	d.mu.Unlock()
	nudge(d.wake)
}

// run draws until the context ends.
func (d *drawings) run(ctx context.Context) error {
	if d == nil {
		return nil
	}
	var ready time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-d.wake:
		}
		if !sleepUntil(ctx, ready) {
			return nil
		}
		ready = time.Now().Add(d.period)
		d.mu.Lock()
		state, way := d.state, d.way
		d.state, d.way = nil, nil
		d.mu.Unlock()
		if way != nil {
			d.tell(d.drawWay(way))
		}
		if state != nil {
			d.tell(d.drawState(state))
		}
	}
}

func (d *drawings) drawState(s *fcmsgs.CollisionState) error {
	m, _ := d.model()
	if m == nil {
		return nil
	}
	a := d.artist(m)
	if array := a.State(s); len(array.Markers) > 0 {
		d.publish(array)
	}
	return d.drawSpheres(m, a)
}

// sphereTime is how often the spheres are drawn.
const sphereTime = 2 * time.Second

func (d *drawings) drawSpheres(m *model, a *markers.Artist) error {
	if d.spheres < 0 || time.Now().Before(d.nextBall) {
		return nil
	}
	d.nextBall = time.Now().Add(sphereTime)
	if d.balls == nil {
		d.balls = map[string][]ccd.Sphere{}
		robot := m.checker.Robot()
		for i := range robot.Links {
			l := &robot.Links[i]
			if len(l.Collisions) == 0 {
				continue
			}
			var err error
			if d.balls[l.Name], err = m.checker.LinkSpheres(l.Name, d.spheres); err != nil {
				return err
			}
		}
	}
	d.publish(a.Spheres(d.balls, 2*sphereTime))
	return nil
}

func (d *drawings) drawWay(w *judgedWay) error {
	resolved, err := w.model.checker.Resolve(w.motion)
	if err != nil {
		return err
	}
	array, err := d.artist(w.model).Verdict(&w.verdict, func(t float64) (map[string]geom.Pose, error) {
		return linksAt(w.model.checker, resolved, t)
	})
	if err != nil {
		return err
	}
	d.publish(array)
	return nil
}

// linksAt returns where the links are at a time of a motion, in the frame of the scene.
func linksAt(c *ccd.Checker, m *motion.Motion, t float64) (map[string]geom.Pose, error) {
	positions := map[string]float64{}
	for i, x := range m.At(t) {
		positions[m.Joints[i]] = x
	}
	links, err := c.LinkPoses(positions)
	if err != nil || len(m.Root) == 0 {
		return links, err
	}
	root := m.RootAt(t)
	for name, p := range links {
		links[name] = root.Mul(p)
	}
	return links, nil
}

// artist returns what draws a model. A robot is prepared once, however often its world changes.
func (d *drawings) artist(m *model) *markers.Artist {
	if robot := m.checker.Robot(); d.robot == nil || d.of != robot {
		d.robot, d.of, d.balls = markers.Prepare(robot), robot, nil
	}
	return d.robot.In(m.frame, m.checker.World())
}

package world

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Options of a Listener.
type Options struct {
	// Topics are the topics that are heard, by the names of the parameter.
	Topics []string
	// Changed is told that Layer gives another snapshot now. It must not block.
	Changed func()
	// Frames resolves the frames that neither a robot nor the scene has; nil: there are none.
	Frames func(robot *urdf.Robot) scene.Frames
	// Now is the time by which stamps are, and a number that is another one after each jump of it;
	// nil: the system's time.
	Now func() (now time.Time, timeline uint64)
	// Warnf and Infof log a line; the first is called at most LinesPerSecond times a second.
	Warnf, Infof func(format string, args ...any)
	// Service is the name of the service that Run asks, empty if there is none.
	Service string
}

// The topics that a Listener can hear.
const (
	Monitored = "monitored_planning_scene"
	Planning  = "planning_scene"
	Objects   = "collision_object"
	Attached  = "attached_collision_object"
)

// linesPerSecond bounds the warnings in the log.
const linesPerSecond = 5

// Listener is the planning scene as messages tell it. All methods may be called concurrently.
type Listener struct {
	o      Options
	timing timing

	mu        sync.Mutex
	lives     []*live   // of the robots that asked for a layer last, the newest last
	log       []message // since the last whole scene
	logBytes  int
	full      bool                       // the log holds all messages since the last whole scene, or since the start
	wholeAt   time.Time                  // when a whole scene came last; zero if none has
	meanwhile *meanwhile                 // since the service was called; nil if it is not being called
	need      string                     // why a whole scene is needed; empty if it is not
	missing   map[string]premise.Premise // what the sources lack, by topic
	said      rate
	changes   uint64
	timeline  uint64 // of Options.Now, as it was last
}

// live is the scene around a robot.
type live struct {
	robot *urdf.Robot
	scene *scene.Live
}

// message is a message that was heard: one of the three.
type message struct {
	scene    *scene.PlanningMessage
	object   *scene.ObjectMessage
	attached *scene.AttachMessage
	bytes    int
	received int64  // ns
	timeline uint64 // of received
}

// apply does what a message says. again is set if it is not heard for the first time: the robot
// may have moved since. timeline is the present one.
func (m *message) apply(l *scene.Live, again bool, timeline uint64) {
	received := m.received
	if m.timeline != timeline {
		received = scene.LongAgo
	}
	l.Receive(received, again)
	switch {
	case m.scene != nil:
		l.Scene(m.scene)
	case m.object != nil:
		l.Object(m.object)
	default:
		l.Attached(m.attached)
	}
}

// New returns a Listener that has heard nothing yet.
func New(o Options) *Listener {
	w := &Listener{o: o, timing: usual, full: true, missing: map[string]premise.Premise{}}
	if w.publishesScenes() {
		w.need = "no whole scene has come yet"
	}
	return w
}

// publishesScenes reports whether a whole scene can come on a topic.
func (w *Listener) publishesScenes() bool {
	return slices.Contains(w.o.Topics, Monitored) || slices.Contains(w.o.Topics, Planning)
}

// HearScene takes a PlanningScene from a topic. bytes is its size.
func (w *Listener) HearScene(topic string, m *moveitmsgs.PlanningScene, bytes int) {
	converted, err := sceneOf(topic, m)
	if err != nil {
		w.Lost(topic, err.Error())
		return
	}
	w.hear(message{scene: converted, bytes: bytes})
}

// HearObject takes a CollisionObject from a topic.
func (w *Listener) HearObject(topic string, m *moveitmsgs.CollisionObject, bytes int) {
	converted := objectOf(topic, m)
	w.hear(message{object: &converted, bytes: bytes})
}

// HearAttached takes an AttachedCollisionObject from a topic.
func (w *Listener) HearAttached(topic string, m *moveitmsgs.AttachedCollisionObject, bytes int) {
	converted := attachedOf(topic, m)
	w.hear(message{attached: &converted, bytes: bytes})
}

// Lost says that a message of a topic was lost or could not be read: what the scene is now is not
// known until a whole one comes.
func (w *Listener) Lost(topic, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.need = fmt.Sprintf("a message on %s was lost: %s", topic, why)
	if w.meanwhile != nil {
		w.meanwhile.void = true
	}
	w.warn("%s", w.need)
	w.o.Changed()
}

// hear applies a message.
func (w *Listener) hear(m message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.take(w.dated(m), false)
	w.o.Changed()
}

// dated returns a message that comes now. The caller holds mu.
func (w *Listener) dated(m message) message {
	m.received, m.timeline = w.now()
	return m
}

// now returns the time by which stamps are (ns). What waits for frames since before a jump of it is
// told so. The caller holds mu.
func (w *Listener) now() (at int64, timeline uint64) {
	if w.o.Now == nil {
		return time.Now().UnixNano(), 0
	}
	now, timeline := w.o.Now()
	if timeline != w.timeline {
		w.timeline = timeline
		for _, l := range w.lives {
			l.scene.Lapse()
		}
	}
	if now.Unix() < 0 || now.UnixNano() == 0 { // it is not known yet
		return scene.LongAgo, timeline
	}
	return now.UnixNano(), timeline
}

// take applies a message and keeps it. again is set if it was applied before. The caller holds mu.
func (w *Listener) take(m message, again bool) {
	if m.scene != nil && !m.scene.Diff {
		w.log, w.logBytes, w.full = nil, 0, true
		if w.need != "" || w.wholeAt.IsZero() {
			w.o.Infof("the planning scene is known: %d objects in the world, %d attached ", len(m.scene.World.Objects), len(m.scene.State.Attached))
		}
		w.need, w.wholeAt = "", time.Now()
	}
	w.changes++
	w.meanwhile.add(m)
	w.keep(m)
	for _, l := range w.lives {
		m.apply(l.scene, again, w.timeline)
		for _, line := range l.scene.Warnings() {
			w.warn("%s", line)
		}
	}
}

// keep adds a message to the log, or gives the log up where it would grow too large.
func (w *Listener) keep(m message) {
	if !w.full {
		return
	}
	w.log, w.logBytes = append(w.log, m), w.logBytes+m.bytes
	if len(w.log) > limit.SceneMessages || w.logBytes > limit.SceneLogBytes {
		w.log, w.logBytes, w.full = nil, 0, false
	}
}

// warn logs a line unless there were too many. The caller holds mu.
func (w *Listener) warn(format string, args ...any) {
	if w.said.ok(time.Now(), linesPerSecond) {
		w.o.Warnf(format, args...)
	}
}

// rate counts lines within a second.
type rate struct {
	begin time.Time
	count int
}

func (r *rate) ok(now time.Time, most int) bool {
	if now.Sub(r.begin) >= time.Second {
		*r = rate{begin: now}
	}
	r.count++
	return r.count <= most
}

// Layer puts the scene upon the world below it, in the root link's frame. What is not known of
// it is a gap of the result.
func (w *Listener) Layer(_ context.Context, robot *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.around(robot)
	for _, name := range gapNames {
		l.Close(name)
	}
	for _, gap := range w.missing {
		l.Open(gap)
	}
	if w.need != "" {
		l.Open(w.gap(wholeScene, w.need))
	}
	return l.Over(below)
}

// wholeScene is the name of the gap that only a whole scene closes.
const wholeScene = "scene"

// gapNames are the names of the gaps that this package opens.
var gapNames = []string{wholeScene, Monitored, Planning, Objects, Attached}

func (w *Listener) gap(name, why string) premise.Premise {
	remedy := "have move_group publish its planning scene"
	if w.o.Service != "" {
		remedy += ", or answer the service " + w.o.Service
	}
	return premise.Premise{Kind: premise.SceneSource, Names: []string{name}, Detail: why, Remedy: remedy}
}

// kept is how many robots' scenes are kept up to date: that of the model in use, and that of a
// description that is being loaded.
const kept = 2

// around returns the scene around a robot. The caller holds mu.
func (w *Listener) around(robot *urdf.Robot) *scene.Live {
	for _, l := range w.lives {
		if l.robot == robot {
			return l.scene
		}
	}
	var frames scene.Frames
	if w.o.Frames != nil {
		frames = w.o.Frames(robot)
	}
	l := &live{robot, scene.NewLive(robot, frames)}
	w.lives = append(w.lives, l)
	if len(w.lives) > kept {
		w.lives = slices.Delete(w.lives, 0, 1)
	}
	_, timeline := w.now()
	for i := range w.log {
		w.log[i].apply(l.scene, true, timeline)
	}
	for _, line := range l.scene.Warnings() {
		w.warn("%s", line)
	}
	if !w.full && w.need == "" {
		w.need = "the robot's description has changed since the last whole scene"
	}
	return l.scene
}

package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// history is what states tell of how the model came about. It is immutable.
type history struct {
	changes, refused uint32
	change, warning  string
}

// describe fills in what a state tells of how its model came about.
func (l *loader) describe(s *fcmsgs.CollisionState) {
	now := l.history.Load()
	s.ModelChanges, s.ModelChange = now.changes, now.change
	s.RefusedDescriptions, s.ModelWarning = now.refused, now.warning
}

// update changes the history. mu is held.
func (l *loader) update(change func(*history)) {
	next := *l.history.Load()
	change(&next)
	l.history.Store(&next)
}

// warn says in every state why the model may not be the robot's, "" for no reason. mu is
// held.
func (l *loader) warn(why string) {
	if l.history.Load().warning != why {
		l.update(func(s *history) { s.warning = why })
	}
}

// refusals remembers what was told of descriptions that are refused.
type refusals struct {
	last   string    // text
	told   time.Time // when the log told of one
	silent int       // refused since, which the log does not tell of
}

// refuse records a description that is not used. States count every one; the log names
// each different one, at most one a second. The caller holds mu.
func (l *loader) refuse(topic, text, why string) {
	l.update(func(s *history) {
		s.refused++
		s.warning = "another description on the topic " + topic + " was refused"
	})
	r, now := &l.refused, time.Now()
	if text == r.last {
		return
	}
	if r.last = text; now.Sub(r.told) < limit.RefusalLogSeconds*time.Second && !r.told.IsZero() {
		r.silent++
		return
	}
	more := ""
	if r.silent > 0 {
		more = fmt.Sprintf("; %d others were refused before it", r.silent)
	}
	r.told, r.silent = now, 0
	l.log.Errorf("another description has come on the topic %s (%d bytes, SHA-256 %s) and is refused%s: %s", topic, len(text), sumOf([]byte(text)), more, why)
}

// extent is how much a model checks.
type extent struct {
	links, bodies, obstacles, self, world int
	assumed, proven                       uint32
}

func (m *model) extent() extent {
	robot := m.checker.Robot()
	e := extent{links: len(robot.Links), assumed: m.assumed, proven: m.proven}
	for i := range robot.Links {
		if len(robot.Links[i].Collisions) > 0 {
			e.bodies++
		}
	}
	if world := m.checker.World(); world != nil {
		e.obstacles = len(world.Objects)
	}
	pairs := m.checker.Pairs()
	e.self, e.world = pairs.Self, pairs.World
	return e
}

func (e extent) String() string {
	return fmt.Sprintf("%d links, %d of them with bodies; %d pairs of its own and %d with %d obstacles are checked, %d are assumed to be allowed",
		e.links, e.bodies, e.self, e.world, e.obstacles, e.assumed)
}

// since says in numbers what differs from before.
func (e extent) since(before extent) string {
	var words []string
	say := func(what string, was, is int) {
		if was != is {
			words = append(words, fmt.Sprintf("%s %d before, %d now", what, was, is))
		}
	}
	say("links", before.links, e.links)
	say("bodies", before.bodies, e.bodies)
	say("obstacles", before.obstacles, e.obstacles)
	say("pairs of its own checked", before.self, e.self)
	say("pairs with the world checked", before.world, e.world)
	say("pairs assumed", int(before.assumed), int(e.assumed))
	say("pairs proved", int(before.proven), int(e.proven))
	if len(words) == 0 {
		return fmt.Sprintf("no number, but the shapes, joints or pairs: %d pairs checked before and now", e.self+e.world)
	}
	return strings.Join(words, "; ")
}

// pace keeps the loads of descriptions from topics apart: the pause before each is twice
// that before the one before it, until none has begun for some time.
type pace struct {
	last  time.Time // when a load began
	pause time.Duration
}

const (
	firstPause = 100 * time.Millisecond
	longPause  = limit.LoadPauseSeconds * time.Second
)

// next is when a load may begin.
func (p *pace) next(now time.Time) time.Time {
	if now.Sub(p.last) > 2*longPause {
		p.pause = 0
	}
	return p.last.Add(p.pause)
}

// began notes that a load begins.
func (p *pace) began(now time.Time) {
	p.last, p.pause = now, min(max(2*p.pause, firstPause), longPause)
}

package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// history is what states report about how the model came about. It is immutable.
type history struct {
	changes, refused uint32
	change, warning  string
}

// describe fills in the fields of a state that report how its model came about.
func (l *loader) describe(s *fcmsgs.CollisionState) {
	now := l.history.Load()
	s.ModelChanges, s.ModelChange = now.changes, now.change
	s.RefusedDescriptions, s.ModelWarning = now.refused, now.warning
}

// update changes the history. The caller holds mu.
func (l *loader) update(change func(*history)) {
	next := *l.history.Load()
	change(&next)
	l.history.Store(&next)
}

// warn sets the warning in every state: why the model may not be the robot's. "" clears it.
// The caller holds mu.
func (l *loader) warn(why string) {
	if l.history.Load().warning != why {
		l.update(func(s *history) { s.warning = why })
	}
}

// refusals remembers what was logged about refused descriptions.
type refusals struct {
	last   string    // text
	told   time.Time // when a refusal was logged last
	silent int       // refused since then, not logged
}

// refuse records a description that is not used. States count every one. The log names each
// different one, at most one per second. The caller holds mu.
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
	l.log.Errorf("another description on the topic %s (%d bytes, SHA-256 %s) is refused%s: %s", topic, len(text), sumOf([]byte(text)), more, why)
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
	return fmt.Sprintf("%d links, %d of them with collision geometry; %d self pairs and %d pairs with %d obstacles are checked, %d pairs are assumed to be allowed",
		e.links, e.bodies, e.self, e.world, e.obstacles, e.assumed)
}

// since lists the numbers that differ from an earlier extent.
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
	say("self pairs checked", before.self, e.self)
	say("pairs with the world checked", before.world, e.world)
	say("pairs assumed", int(before.assumed), int(e.assumed))
	say("pairs proved", int(before.proven), int(e.proven))
	if len(words) == 0 {
		return fmt.Sprintf("shapes, joints or pairs, but no number of them: %d pairs checked before and now", e.self+e.world)
	}
	return strings.Join(words, "; ")
}

// pace spaces out loads of descriptions from topics: the pause before each is twice the
// previous one, until no load has begun for some time.
type pace struct {
	last  time.Time // when a load began
	pause time.Duration
}

const (
	firstPause = 100 * time.Millisecond
	longPause  = limit.LoadPauseSeconds * time.Second
)

// next returns when the next load may begin.
func (p *pace) next(now time.Time) time.Time {
	if now.Sub(p.last) > 2*longPause {
		p.pause = 0
	}
	return p.last.Add(p.pause)
}

// began records that a load begins.
func (p *pace) began(now time.Time) {
	p.last, p.pause = now, min(max(2*p.pause, firstPause), longPause)
}

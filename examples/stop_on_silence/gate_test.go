package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func state(level uint8, age time.Duration) *fcmsgs.CollisionState {
	s := &fcmsgs.CollisionState{Level: level}
	s.Header.Stamp = builtininterfaces.TimeOf(time.Now().Add(-age))
	return s
}

// TestGate goes through every reason to stop, each after the robot was allowed
// to move.
func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		event func(*gate)
		open  bool
	}{
		"FREE":               {func(g *gate) { g.hear(state(fcmsgs.CollisionStateFree, 0)) }, true},
		"WARN":               {func(g *gate) { g.hear(state(fcmsgs.CollisionStateWarn, 0)) }, true},
		"STOP":               {func(g *gate) { g.hear(state(fcmsgs.CollisionStateStop, 0)) }, false},
		"COLLISION":          {func(g *gate) { g.hear(state(fcmsgs.CollisionStateCollision, 0)) }, false},
		"UNKNOWN":            {func(g *gate) { g.hear(state(fcmsgs.CollisionStateUnknown, 0)) }, false},
		"a level to come":    {func(g *gate) { g.hear(state(200, 0)) }, false},
		"a message of zeros": {func(g *gate) { g.hear(&fcmsgs.CollisionState{}) }, false},
		"an old FREE":        {func(g *gate) { g.hear(state(fcmsgs.CollisionStateFree, time.Second)) }, false},
		"a FREE to come":     {func(g *gate) { g.hear(state(fcmsgs.CollisionStateFree, -time.Second)) }, false},
		"a missed deadline":  {func(g *gate) { g.silence(ros.EndpointStats{Alive: 1, DeadlineMissed: 1}) }, false},
		"no publisher alive": {func(g *gate) { g.silence(ros.EndpointStats{NotAlive: 1}) }, false},
		"another publisher":  {func(g *gate) { g.silence(ros.EndpointStats{Alive: 2}) }, true},
		"a look at once":     {func(g *gate) { g.tick() }, true},
		"a look after long": {func(g *gate) {
			g.stamp = g.stamp.Add(-time.Second)
			g.tick()
		}, false},
	} {
		var said []bool
		g := &gate{maxAge: maxAge, told: func(open bool, why string) { said = append(said, open) }}
		if g.tick(); len(said) > 0 {
			t.Fatal("it opens by itself")
		}
		g.hear(state(fcmsgs.CollisionStateFree, 0))
		c.event(g)
		want := []bool{true}
		if !c.open {
			want = append(want, false)
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: it says %s", name, fmt.Sprint(said))
		}
	}
}

package gate_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// Goals of several users at random, a third of them colliding and some of them canceled: none
// that collides reaches the controller, and each has one result that fits it. The campaign of
// make gate has ten thousand, a real judge and DDS.
func TestCampaign(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.delay = time.Millisecond })
	var users sync.WaitGroup
	for u := range 6 {
		users.Add(1)
		go func() {
			defer users.Done()
			rng := rand.New(rand.NewPCG(uint64(u), 7))
			for range 40 {
				c.play(t, rng)
			}
		}()
	}
	users.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, took := range c.took {
		if collides(&took) {
			t.Errorf("a colliding trajectory reached the controller: %+v", took)
		}
	}
	r := c.gate.Report().Controllers[0]
	if len(c.took) == 0 || r.Refused < 40 || int(r.Forwarded) != len(c.took) {
		t.Errorf("the controller took %d; report %+v", len(c.took), r)
	}
}

// play sends a goal, perhaps cancels it, and looks at its result.
func (c *cell) play(t *testing.T, rng *rand.Rand) {
	to := rng.Float64() * 1.5
	id := action.NewID()
	g := trajectory(to, 0.005+0.01*rng.Float64())
	accepted, _, err := c.user.Send(c.ctx, id, g)
	if err != nil || !accepted {
		t.Errorf("accepted %v (%v)", accepted, err)
		return
	}
	if rng.IntN(10) == 0 {
		time.AfterFunc(time.Duration(rng.IntN(15))*time.Millisecond, func() { c.user.Cancel(c.ctx, id) })
	}
	status, _, err := c.user.Result(c.ctx, id)
	switch {
	case err != nil || !status.Final():
		t.Errorf("the goal ends as %v (%v)", status, err)
	case status == action.Succeeded && collides(&g.Trajectory):
		t.Error("a colliding goal succeeded")
	}
	again, _, err := c.user.Result(c.ctx, id)
	if err != nil || again != status {
		t.Errorf("the goal ended as %v, and then as %v (%v)", status, again, err)
	}
}

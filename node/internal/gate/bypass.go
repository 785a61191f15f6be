package gate

import (
	"fmt"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// bypasses are ways around the gate.
type bypasses struct {
	mu    sync.Mutex
	told  map[string]bool // that were logged; a bounded number
	seen  []string        // when the graph was last looked at
	goals []string        // goals since then
}

// goal notes a goal that a controller executes and the gate did not forward.
func (b *bypasses) goal(log *ros.Logger, controller string, id action.ID) {
	text := fmt.Sprintf("the controller %s executes the goal %s, which this gate has not forwarded", controller, id)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.goals) < limit.Impostors {
		b.goals = append(b.goals, text)
	}
	b.tell(log, text)
}

// tell logs a bypass once.
func (b *bypasses) tell(log *ros.Logger, text string) {
	if b.told == nil {
		b.told = map[string]bool{}
	}
	if b.told[text] || len(b.told) >= limit.Impostors {
		return
	}
	b.told[text] = true
	log.Errorf("a way around the gate: %s", text)
}

// saw notes what the graph shows now.
func (b *bypasses) saw(log *ros.Logger, texts []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen, b.goals = append(texts, b.goals...), nil
	for _, text := range texts {
		b.tell(log, text)
	}
}

func (b *bypasses) present() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.seen...)
}

// lookForBypasses finds other participants that can send trajectories to a controller.
func (g *Gate) lookForBypasses() {
	var texts []string
	for _, c := range g.all() {
		publishers, err := g.Node.OthersPublishing(c.out.Topic())
		if err != nil {
			return // the node is closing
		}
		for _, p := range publishers {
			texts = append(texts, fmt.Sprintf("participant %s publishes on %s: have it publish on %s", p.GUID, p.Name, c.topic.Topic()))
		}
		clients, err := g.Node.OthersCalling(c.client.Name() + sendGoalService)
		if err != nil {
			return
		}
		for _, p := range clients {
			texts = append(texts, fmt.Sprintf("participant %s is a client of the action %s: have it use %s", p.GUID, c.client.Name(), c.server.Name()))
		}
	}
	g.bypasses.saw(g.log, texts)
}

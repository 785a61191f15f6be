package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// tally is what came of the goals.
type tally struct {
	mu      sync.Mutex
	counts  map[string]int
	ends    map[action.ID]action.Status
	taken   map[action.ID]int
	faults  []string
	explain bool
}

func (t *tally) fault(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fmt.Sprintf(format, args...))
}

func (t *tally) count(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[what]++
}

func (t *tally) took(id action.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken == nil {
		t.taken = map[action.ID]int{}
	}
	if t.taken[id]++; t.taken[id] > 1 {
		t.faults = append(t.faults, fmt.Sprintf("the controller got the goal %s twice", id))
	}
}

// end notes the result of a goal.
func (t *tally) end(id action.ID, g goal, kind string, status action.Status, why string) {
	sort := "free"
	switch {
	case g.collides:
		sort = "colliding"
	case g.open:
		sort = "one of two"
	}
	if kind != "" {
		sort += ", " + kind
	}
	if t.explain && sort == "free" && status != action.Succeeded {
		fmt.Printf("%v: %s\n", status, why)
	}
	t.count("goals")
	t.count(sort + ": " + status.String() + reason(status, why))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ends == nil {
		t.ends = map[action.ID]action.Status{}
	}
	if _, twice := t.ends[id]; twice {
		t.faults = append(t.faults, "a goal has two results")
	}
	t.ends[id] = status
	if g.collides && status == action.Succeeded {
		t.faults = append(t.faults, "a colliding goal has succeeded")
	}
	if status == action.Succeeded && t.taken[id] == 0 {
		t.faults = append(t.faults, "a goal has succeeded that the controller never got")
	}
}

// reason shortens why a goal was aborted.
func reason(status action.Status, why string) string {
	if status != action.Aborted && status != action.Unknown || why == "" {
		return ""
	}
	for _, part := range []string{"CONTACT", "UNDECIDED", "replaced by a new goal", "does not follow", "a later trajectory", "deadline", "deviates", "not measured"} {
		if strings.Contains(why, part) {
			return ", " + part
		}
	}
	return ", " + why
}

func (t *tally) report() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(t.counts)) {
		fmt.Fprintf(&b, "%6d %s\n", t.counts[what], what)
	}
	colliding := 0
	for _, f := range t.faults {
		if strings.Contains(f, "that collides") {
			colliding++
		}
	}
	fmt.Fprintf(&b, "%6d reached the controller, %d of them colliding\n%6d faults\n", len(t.taken), colliding, len(t.faults))
	return b.String()
}

func (t *tally) verdict() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(t.faults[:min(len(t.faults), 20)], "\n"))
}

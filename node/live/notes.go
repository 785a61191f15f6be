package live

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// Notes are bounded, too.
const (
	maxNote  = 200 // bytes
	maxNotes = 8
	maxNames = 3 // that a note lists
)

// notes is a bounded list of remarks.
type notes struct {
	list []string
	left int // those that are too many
}

func (n *notes) add(format string, args ...any) {
	if len(n.list) == maxNotes {
		n.left++
		return
	}
	n.list = append(n.list, oneline.Text(fmt.Sprintf(format, args...), maxNote))
}

// all returns the remarks, in JSON never null.
func (n *notes) all() []string {
	if n.left > 0 {
		n.list = append(n.list, fmt.Sprintf("And %d more remarks.", n.left))
	}
	return append([]string{}, n.list...)
}

// assumed tells of the pairs that are left out unproved.
func (n *notes) assumed(pairs uint32) {
	if pairs > 0 {
		n.add("%d pairs of bodies are left out as allowed to touch, which is assumed.", pairs)
	}
}

// notesOfState tells what makes a state doubtful, and what it rests on.
func notesOfState(m *fcmsgs.CollisionState) []string {
	var n notes
	if m.ModelWarning != "" {
		n.add("The model may not be the robot's: %s", m.ModelWarning)
	}
	if !closestDecides(m) {
		n.add("Another pair than the closest decides the level: pairs may have margins of their own, and a contact on the way to this state counts.")
	}
	if m.Impostors > 0 {
		n.add("%d publishers of other participants send on the node's topics: what is shown may not come from it.", m.Impostors)
	}
	if c := m.JointStateConflicts; len(c) > 0 {
		n.add("More than one publisher sends the same joints: %s", oneline.List(c, maxNames))
	}
	if m.Stopped {
		n.add("The search ended at a pair closer than its range: other pairs may be closer.")
	}
	if j := m.BeyondLimits; len(j) > 0 {
		n.add("%d joints are outside their limits, and judged as measured: %s", len(j), oneline.List(j, maxNames))
	}
	if g := m.AcceptedGaps; len(g) > 0 {
		n.add("%d gaps of the model are accepted: %s", len(g), oneline.List(g, maxNames))
	}
	n.assumed(m.AssumedPairs)
	return n.all()
}

// notesOfVerdict tells what a verdict rests on: first its gaps, and warnings.
func notesOfVerdict(m *fcmsgs.Verdict) []string {
	var n notes
	others := 0
	for i := range m.Premises {
		switch p := &m.Premises[i]; {
		case p.Gap && !p.Accepted:
			n.add("Not covered: %s", p.Detail)
		case p.Accepted:
			n.add("Accepted: %s", p.Detail)
		default:
			others++
		}
	}
	for _, w := range m.Warnings {
		n.add("Warning: %s", w)
	}
	if j := m.BeyondLimits; len(j) > 0 {
		n.add("%d joints leave their limits, and are checked as given: %s", len(j), oneline.List(j, maxNames))
	}
	n.assumed(m.AssumedPairs)
	if others > 0 {
		n.add("It rests on %d other premises, which the message lists.", others)
	}
	return n.all()
}

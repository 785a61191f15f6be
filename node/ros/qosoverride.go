package ros

import (
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// QoSOverridePrefix begins the names of the parameters that replace policies of topics.
const QoSOverridePrefix = "qos_overrides."

// QoSOverride replaces one policy of a subscription. ROS names it by the parameter
// qos_overrides.TOPIC.subscription.POLICY, or subscription_ID with the id of a subscription.
type QoSOverride struct {
	Topic string // absolute
	Parameter

	apply func(*QoS)
	used  bool
}

// ParseQoSOverride reads a parameter whose name begins with QoSOverridePrefix. The error says
// what is wrong with the name or the value.
func ParseQoSOverride(p Parameter) (*QoSOverride, error) {
	fault := func(format string, args ...any) (*QoSOverride, error) {
		return nil, fmt.Errorf("%s: %s", LogName(p.Name), fmt.Sprintf(format, args...))
	}
	rest := strings.TrimPrefix(p.Name, QoSOverridePrefix)
	parts := strings.Split(rest, ".")
	if len(parts) != 3 || !strings.HasPrefix(parts[0], "/") {
		return fault("give %sTOPIC.subscription.POLICY, with the full name of the topic", QoSOverridePrefix)
	}
	switch entity, _, _ := strings.Cut(parts[1], "_"); {
	case entity == "publisher":
		return fault("what the node's publishers offer is fixed, because subscribers rely on it: leave it out")
	case parts[1] != "subscription":
		return fault("give subscription instead of %s; the node's subscriptions have no ids", LogName(parts[1]))
	}
	apply, err := overridePolicy(parts[2], p.Value)
	if err != nil {
		return fault("%v", err)
	}
	return &QoSOverride{Topic: parts[0], Parameter: p, apply: apply}, nil
}

// overridden are the policies that can be replaced. Deadline and liveliness cannot: the node
// supervises its input itself.
var overridden = []string{"depth", "durability", "history", "reliability"}

func overridePolicy(policy string, value any) (func(*QoS), error) {
	switch policy {
	case "depth":
		depth, ok := value.(int64)
		if !ok || depth < 1 || depth > limit.ServiceHistory {
			return nil, fmt.Errorf("it is %v: give a whole number from 1 to %d", value, limit.ServiceHistory)
		}
		return func(q *QoS) { q.Depth = int(depth) }, nil
	case "durability":
		return overrideChoice(value, map[string]func(*QoS){
			"volatile":        func(q *QoS) { q.Durability = Volatile },
			"transient_local": func(q *QoS) { q.Durability = TransientLocal },
		})
	case "history": // keep_all has no bound
		return overrideChoice(value, map[string]func(*QoS){"keep_last": func(*QoS) {}})
	case "reliability":
		return overrideChoice(value, map[string]func(*QoS){
			"reliable":    func(q *QoS) { q.Reliability = Reliable },
			"best_effort": func(q *QoS) { q.Reliability = BestEffort },
		})
	}
	return nil, fmt.Errorf("the policy %s cannot be replaced: give one of %s%s", LogName(policy), strings.Join(overridden, ", "), spelling.Hint(policy, overridden))
}

func overrideChoice(value any, choices map[string]func(*QoS)) (func(*QoS), error) {
	text, _ := value.(string)
	if apply, ok := choices[text]; ok {
		return apply, nil
	}
	var names []string
	for name := range choices {
		names = append(names, name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("it is %v: give %s", value, strings.Join(names, " or "))
}

// OverrideQoS replaces policies of subscriptions that are made later.
func (n *Node) OverrideQoS(overrides []*QoSOverride) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.overrides = append(n.overrides, overrides...)
}

// UnusedQoSOverrides returns the overrides of topics that the node has not subscribed so far.
func (n *Node) UnusedQoSOverrides() (unused []*QoSOverride) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, o := range n.overrides {
		if !o.used {
			unused = append(unused, o)
		}
	}
	return unused
}

// overriddenQoS is the QoS of a subscription of a topic, given by its resolved name.
func (n *Node) overriddenQoS(topic string, qos QoS) QoS {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, o := range n.overrides {
		if o.Topic == topic {
			o.apply(&qos)
			o.used = true
		}
	}
	return qos
}

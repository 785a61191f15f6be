package ros

import (
	"strings"
	"testing"
)

func TestParseQoSOverride(t *testing.T) {
	base := QoS{Reliability: BestEffort, Depth: 100}
	for _, c := range []struct {
		name  string
		value any
		want  QoS
		says  string // why it is refused
	}{
		{"qos_overrides./joint_states.subscription.depth", int64(5), QoS{Reliability: BestEffort, Depth: 5}, ""},
		{"qos_overrides./joint_states.subscription.reliability", "reliable", QoS{Depth: 100}, ""},
		{"qos_overrides./joint_states.subscription.reliability", "best_effort", base, ""},
		{"qos_overrides./joint_states.subscription.durability", "transient_local", QoS{Reliability: BestEffort, Durability: TransientLocal, Depth: 100}, ""},
		{"qos_overrides./joint_states.subscription.durability", "volatile", base, ""},
		{"qos_overrides./joint_states.subscription.history", "keep_last", base, ""},
		{"qos_overrides./joint_states.subscription.history", "keep_all", base, "give keep_last"},
		{"qos_overrides./joint_states.subscription.depth", int64(0), base, "from 1 to 1000"},
		{"qos_overrides./joint_states.subscription.depth", int64(-1), base, "from 1 to 1000"},
		{"qos_overrides./joint_states.subscription.depth", int64(1 << 40), base, "from 1 to 1000"},
		{"qos_overrides./joint_states.subscription.depth", 5.0, base, "a whole number"},
		{"qos_overrides./joint_states.subscription.reliability", "system_default", base, "give best_effort or reliable"},
		{"qos_overrides./joint_states.subscription.reliability", true, base, "it is true: give best_effort or reliable"},
		{"qos_overrides./joint_states.subscription.reliabilty", "reliable", base, "did you mean"},
		{"qos_overrides./joint_states.subscription.deadline", int64(5), base, "the policy deadline cannot be replaced"},
		{"qos_overrides./joint_states.subscription_arm.depth", int64(5), base, "no ids"},
		{"qos_overrides./joint_states.publisher.depth", int64(5), base, "publishers offer is fixed"},
		{"qos_overrides.joint_states.subscription.depth", int64(5), base, "full name of the topic"},
		{"qos_overrides./joint_states.depth", int64(5), base, "TOPIC.subscription.POLICY"},
		{"qos_overrides.", int64(5), base, "TOPIC.subscription.POLICY"},
	} {
		o, err := ParseQoSOverride(Parameter{Name: c.name, Value: c.value})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.name) {
				t.Errorf("%s = %v: %v, want %q", c.name, c.value, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s = %v: %v", c.name, c.value, err)
			continue
		}
		q := base
		if o.apply(&q); q != c.want || o.Topic != "/joint_states" {
			t.Errorf("%s = %v: %+v of %s, want %+v", c.name, c.value, q, o.Topic, c.want)
		}
	}
}

package rosbag

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// kind is what the messages of a type are.
type kind uint8

const (
	noMotion   kind = iota
	jointState      // samples of one motion
	trajectory      // a motion each
	goals           // events of a service that hold goals
)

// kinds are the types that are motions.
var kinds = map[string]kind{
	"sensor_msgs/msg/JointState":                               jointState,
	"trajectory_msgs/msg/JointTrajectory":                      trajectory,
	"moveit_msgs/msg/RobotTrajectory":                          trajectory,
	"moveit_msgs/msg/DisplayTrajectory":                        trajectory,
	"control_msgs/action/FollowJointTrajectory_SendGoal_Event": goals,
}

// lookAtAll is how large the files may be (bytes) that are read as a whole for a list of
// topics with their durations.
const lookAtAll = 1 << 30

// choose returns the topics to read.
func (r *recording) choose(ctx context.Context, names []string) ([]*topic, error) {
	all, err := r.topics(ctx, func(f file) ([]topic, error) { return f.topics(ctx) })
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		return r.named(ctx, all, names)
	}
	var motions []*topic
	for _, t := range all {
		if kinds[t.typ] != noMotion && t.count > 0 {
			motions = append(motions, t)
		}
	}
	switch len(motions) {
	case 1:
		return motions, nil
	case 0:
		return nil, fmt.Errorf("%s: has no topic with a motion: record joint states (%s), or trajectories. It has %s", r.path, "sensor_msgs/msg/JointState", r.list(ctx, all, all))
	}
	return nil, fmt.Errorf("%s: has %d topics with motions: choose one or more by --topic NAME: %s", r.path, len(motions), r.list(ctx, all, motions))
}

// named returns the topics of those names.
func (r *recording) named(ctx context.Context, all []*topic, names []string) ([]*topic, error) {
	var out []*topic
	for _, name := range names {
		var found *topic
		for _, t := range all {
			if t.name != name && t.name != "/"+name || t.count == 0 {
				continue
			}
			if found != nil {
				return nil, fmt.Errorf("%s: topic %s has messages of %s and of %s: split the recording by type", r.path, t.name, found.typ, t.typ)
			}
			found = t
		}
		switch {
		case found == nil:
			return nil, fmt.Errorf("%s: has no messages of a topic %s%s. It has %s", r.path, name, spelling.Hint(name, namesOf(all)), r.list(ctx, all, all))
		case kinds[found.typ] == noMotion:
			return nil, fmt.Errorf("%s: topic %s is of type %s, which is no motion. It has %s", r.path, found.name, found.typ, r.list(ctx, all, all))
		case !slices.Contains(out, found):
			out = append(out, found)
		}
	}
	return out, nil
}

func namesOf(topics []*topic) []string {
	names := make([]string, len(topics))
	for i, t := range topics {
		names[i] = t.name
	}
	return names
}

// list prints topics with types, counts and durations, those with motions first.
func (r *recording) list(ctx context.Context, all, shown []*topic) string {
	if r.small() {
		if timed, err := r.topics(ctx, func(f file) ([]topic, error) { return f.times(ctx) }); err == nil {
			all = timed
		}
	}
	var listed []string
	for _, motions := range []bool{true, false} {
		for _, t := range all {
			wanted := slices.ContainsFunc(shown, func(s *topic) bool { return s.name == t.name && s.typ == t.typ })
			if (kinds[t.typ] != noMotion) == motions && wanted {
				listed = append(listed, t.String())
			}
		}
	}
	const most = 20
	switch n := len(listed); {
	case n == 0:
		return "no messages"
	case n > most:
		listed = append(listed[:most], fmt.Sprintf("and %d others", n-most))
	}
	return strings.Join(listed, "; ")
}

// small reports whether the files can be read as a whole for a message.
func (r *recording) small() bool {
	total := int64(0)
	for _, f := range r.files {
		if info, err := os.Stat(f.name()); err == nil {
			total += info.Size()
		}
	}
	return total <= lookAtAll
}

// String is the topic on one line.
func (t *topic) String() string {
	messages := "messages"
	if t.count == 1 {
		messages = "message"
	}
	s := fmt.Sprintf("%s (%s, %d %s", t.name, t.typ, t.count, messages)
	if t.last > t.first {
		s += fmt.Sprintf(" in %.1f s", float64(t.last-t.first)/1e9)
	}
	return s + ")"
}

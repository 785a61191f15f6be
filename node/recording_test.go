package node

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// What the node heard and said is in the recording, to the last word.
func TestNodeRecords(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shift.mcap")
	var namespace string
	states := 0
	t.Run("node", func(t *testing.T) {
		r := inMemory().newRobot(t, railArgs(t, "-p", "record:="+file)...)
		namespace = r.namespace
		r.waitModel()
		r.rest()
		r.waitLevel(0, fcmsgs.CollisionStateFree, "")
		if err := r.pair.Publish(&fcmsgs.JointStatePair{ID: "way", JointNames: []string{"left_x"}, Start: []float64{0}, Goal: []float64{0.1}}); err != nil {
			t.Fatal(err)
		}
		r.waitVerdict("way")
		r.states.wait(20, "after a motion", func(s *fcmsgs.CollisionState) bool { return s.MotionsChecked > 0 })
		states = r.states.count()
	}) // and the node has ended
	motions, err := rosbag.Load(t.Context(), file, rosbag.Options{})
	if err != nil || len(motions) != 1 || len(motions[0].Motion.Joints) != 2 {
		t.Fatalf("the joint states: %v, %v", err, motions)
	}
	_, err = rosbag.Load(t.Context(), file, rosbag.Options{Topics: []string{"/nothing"}})
	if err == nil {
		t.Fatal("a topic that is not there")
	}
	for topic, least := range map[string]int{"firstcontact/state": states + 1, "firstcontact/verdict": 1, "firstcontact/min_distance": states, "joint_states": 2} {
		count := regexp.MustCompile(regexp.QuoteMeta(fmt.Sprintf("%s/%s", namespace, topic)) + ` \([^;]*?, (\d+) message`).FindStringSubmatch(err.Error())
		if count == nil {
			t.Fatalf("%s is not in the recording: %v", topic, err)
		}
		if n, _ := strconv.Atoi(count[1]); n < least {
			t.Errorf("%d messages of %s, at least %d were published", n, topic, least)
		}
	}
	if !regexp.MustCompile(namespace + "/robot_description").MatchString(err.Error()) {
		t.Errorf("the robot description is missing: %v", err)
	}
}

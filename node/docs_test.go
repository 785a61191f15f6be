package node

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// docs/ros-interface.md lists every topic and service with its type and quality
// of service, and nothing else.
func TestDocumentListsTheEndpoints(t *testing.T) {
	text, err := os.ReadFile("../docs/ros-interface.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) < 3 || !strings.HasPrefix(cells[1], "`") {
			continue
		}
		for _, name := range strings.Split(cells[0], ", ") {
			if len(cells) < 6 {
				cells = []string{cells[0], cells[1], "reliable", "volatile", "1000"} // as services are
			}
			times := []string{"-", "-", "-"}
			if len(cells) == 9 {
				times = cells[5:8]
			}
			reliability := strings.TrimSuffix(cells[2], ", and reliable where the publisher is") // a second reader, which is not there yet
			listed = append(listed, fmt.Sprintln(strings.Trim(name, "`/"), strings.Trim(cells[1], "`"), reliability, cells[3], cells[4], times))
		}
	}
	slices.Sort(listed)
	if there := endpoints(t); !slices.Equal(listed, there) {
		t.Errorf("listed are\n%s\nthere are\n%s", strings.Join(listed, ""), strings.Join(there, ""))
	}
}

// endpoints lists what a node reads, writes and serves.
func endpoints(t *testing.T) (found []string) {
	t.Helper()
	args, err := ros.ParseArgs(strings.Fields("--ros-args -p trajectory.topics:=[CONTROLLER] -p model.semantic_topic:=true -p use_sim_time:=true -p speed_scaling:=true" +
		" -p world.topics:=[monitored_planning_scene,planning_scene,collision_object,attached_collision_object] -p world.service:='' -p points.topics:=[POINTS]"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(ros.NewMemory(), Options{Args: args, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	d, err := n.ros.Participant().Discovered()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(d.Readers, d.Writers...) {
		prefix, name, _ := strings.Cut(e.Topic, "/")
		name = strings.Replace(name, "firstcontact/", "~/", 1)
		kind := strings.NewReplacer("::msg::dds_::", "/", "::srv::dds_::", "/").Replace(strings.TrimSuffix(e.Type, "_"))
		switch prefix {
		case "ros_discovery_info", "rr":
			continue
		case "rq":
			name, kind = strings.TrimSuffix(name, "Request"), strings.TrimSuffix(kind, "_Request")
		}
		found = append(found, fmt.Sprintln(name, kind, e.QoS.Reliability, e.QoS.Durability, e.QoS.HistoryDepth(),
			[]string{inWords(e.QoS.Deadline), inWords(e.QoS.Lifespan), inWords(e.QoS.Lease)}))
	}
	slices.Sort(found)
	return found
}

// inWords is a time as the document writes it.
func inWords(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%g ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%g s", d.Seconds())
}

package node

import (
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/visualizationmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Whoever looks sees the closest pairs of states, the spheres that were asked for, and of a
// motion that touches the robot at that time.
func TestMarkersOverATopic(t *testing.T) {
	t.Parallel()
	r := inMemory().newRobot(t, railArgs(t, "-p", "markers.spheres:=0")...)
	drawn := collect[visualizationmsgs.MarkerArray](r, "firstcontact/markers", ros.QoS{Depth: 1000})
	r.waitModel()
	r.play(func() *sensormsgs.JointState { return carts2(0.5, 0) }) // near the other
	drawn.wait(0, "a state's pairs", holdsMarker("state"))
	drawn.wait(0, "spheres", holdsMarker("spheres"))
	if err := r.pair.Publish(&fcmsgs.JointStatePair{ID: "way", JointNames: []string{"left_x"}, Start: []float64{0}, Goal: []float64{2}}); err != nil {
		t.Fatal(err)
	}
	if v := r.waitVerdict("way"); v.Status != fcmsgs.VerdictContact {
		t.Fatalf("%+v", v)
	}
	array, _ := drawn.wait(0, "the robot at the time of contact", holdsMarker("verdict robot"))
	for _, ns := range []string{"verdict way", "verdict text"} {
		if !holdsMarker(ns)(array) {
			t.Errorf("%s is not drawn", ns)
		}
	}
}

func TestNoMarkersWhereNoneAreWanted(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "markers.rate:=0.0")...)
	var topics []string
	for end := time.Now().Add(patience); !slices.Contains(topics, r.namespace+"/firstcontact/state"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the node is not in the graph: %q", topics)
		}
		g, err := r.node.Graph()
		if err != nil {
			t.Fatal(err)
		}
		topics = nil
		for _, node := range g.Nodes {
			for _, e := range node.Publishers {
				topics = append(topics, e.Name)
			}
		}
	}
	if slices.Contains(topics, r.namespace+"/firstcontact/markers") {
		t.Error("markers are published")
	}
}

func holdsMarker(ns string) func(*visualizationmsgs.MarkerArray) bool {
	return func(a *visualizationmsgs.MarkerArray) bool {
		for _, m := range a.Markers {
			if m.Ns == ns {
				return true
			}
		}
		return false
	}
}

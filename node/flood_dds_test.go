//go:build cyclone && cgo

package node

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// A participant that publishes questions as fast as it can gets answers to as many as the
// limits allow. The others are dropped unread, the log tells it once, and whoever asks a
// question afterwards is answered.
func TestQuestionFloodOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := overDDS()
	var node *process
	g.startNode = func(t *testing.T, g *graph, args []string) { node = g.startNodeProcess(t, args) }
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	n, err := ros.NewNode(g.transport, ros.Options{Name: "flood", Namespace: r.namespace, Env: g.env, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	pairs, err := ros.Advertise[fcmsgs.JointStatePair](n, "firstcontact/joint_state_pair", ros.QoS{})
	if err != nil {
		t.Fatal(err)
	}
	if err := pairs.WaitSubscribers(r.soon(), 1); err != nil {
		t.Fatal(err)
	}
	question := func(id string) *fcmsgs.JointStatePair {
		return &fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: []float64{0, 0}}
	}
	begin, sent := time.Now(), 0
	for ; time.Since(begin) < 2*time.Second; sent++ {
		_ = pairs.Publish(question(fmt.Sprint("flood ", sent))) // a writer that has to wait may give up
	}
	r.publish(r.pair.Publish(question("afterwards")))
	if v := r.waitVerdict("afterwards"); v.Status != fcmsgs.VerdictFree {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
	most := limit.QuestionsAtOnce + int(limit.QuestionsPerSecond*(time.Since(begin).Seconds()+1))
	answered := r.verdicts.count() - 1
	t.Logf("%d questions sent, %d answers came", sent, answered)
	if answered > most {
		t.Errorf("%d answers to a flood of %d questions, want %d at most", answered, sent, most)
	}
	if sent > most && strings.Count(node.log.String(), "dropped unread") != 1 {
		t.Errorf("the log tells %d times of the flood, want once:\n%.2000s", strings.Count(node.log.String(), "dropped unread"), node.log)
	}
}

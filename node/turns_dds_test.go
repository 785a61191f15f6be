//go:build cyclone && cgo

package node

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// Clients that ask long questions, with a deadline of years, keep no other client from an answer.
// (Over DDS only: in one process client and node share the processors.)
func TestLongQuestionsHoldUpNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	r := overDDS().newRobot(t, railArgs(t, "-p", "trajectory.max_deadline:=30.0", "-p", "trajectory.deadline:=30.0")...)
	r.waitModel()
	points := limit.TrajectoryPoints
	if race.Enabled {
		points /= 8
	}
	var wg sync.WaitGroup
	for i := range 3 {
		_, greedy := r.stranger(fmt.Sprint("greedy", i))
		for j := range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				ask := request{ID: fmt.Sprint(i, " ", j), Trajectory: *winding(points), MinClearance: true, Deadline: builtininterfaces.Duration{Sec: 2e9}}
				if _, err := greedy.Call(r.soon(), &ask); err != nil {
					t.Error(err)
				}
			}()
		}
	}
	_, client := r.stranger("modest")
	time.Sleep(300 * ms)
	start := time.Now()
	var slowest time.Duration
	for i := range 5 {
		begin := time.Now()
		answer, err := client.Call(r.soon(), short(fmt.Sprint("short ", i)))
		if err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(begin))
		if v := &answer.Verdict; v.Status != fcmsgs.VerdictFree {
			t.Errorf("status %d after %v: %s", v.Status, time.Since(begin), v.Message)
		}
		time.Sleep(20 * ms)
	}
	wg.Wait()
	all := time.Since(start)
	t.Logf("the slowest answer to a short question took %v, the others' %v", slowest, all)
	if slowest > all/2 && slowest > 3*time.Second {
		t.Error("who asks little waits for who asks much")
	}
}

package node

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// stranger is another participant of the graph, with a client of check_trajectory.
func (r *robot) stranger(name string) (*ros.Node, *ros.Client[request, response]) {
	r.Helper()
	n, err := ros.NewNode(r.graph.transport, ros.Options{Name: name, Namespace: r.namespace, Env: r.graph.env, Logger: quiet()})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { n.Close() })
	client, err := ros.NewClient[request, response](n, "firstcontact/check_trajectory", ros.ServiceQoS)
	if err != nil {
		r.Fatal(err)
	}
	if err := client.Wait(r.soon()); err != nil {
		r.Fatal(err)
	}
	return n, client
}

// short is a question that is answered quickly.
func short(id string) *request {
	return &request{ID: id, Trajectory: *path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 1})}
}

// winding is a trajectory of points along curves.
func winding(points int) *trajectorymsgs.JointTrajectory {
	m := path(bothCarts)
	for i := range points {
		s := float64(i)
		m.Points = append(m.Points, trajectorymsgs.JointTrajectoryPoint{
			TimeFromStart: builtininterfaces.DurationOf(time.Duration(i) * ms),
			Positions:     []float64{0.5 * math.Sin(s/100), 1 + 0.5*math.Cos(s/300)},
			Velocities:    []float64{5 * math.Cos(s/100), -5. / 3 * math.Sin(s/300)},
		})
	}
	return m
}

// A question beyond the bounds is INVALID at once, with as much of its id as it takes to
// find it, whatever it holds besides.
func testQuestionsBeyondBounds(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	_, client := r.stranger("stranger")
	huge := strings.Repeat("i\n", 5<<19)
	long := winding(150_000) // 9.6 MB
	names := make([]string, limit.MessageJoints+1)
	for i := range names {
		names[i] = fmt.Sprint("joint", i)
	}
	for _, c := range []struct {
		name string
		ask  request
		id   string
		says string
	}{
		{"id", request{ID: huge, Trajectory: short("").Trajectory}, huge[:limit.IDBytes], "bound of this reader"},
		{"id of a little too much", request{ID: huge[:limit.IDBytes+1]}, huge[:limit.IDBytes], "a string of 257 bytes"},
		{"joint", request{ID: "a", Trajectory: trajectory{JointNames: []string{huge}}}, "a", "a string of 5242880 bytes"},
		{"interpolation", request{ID: "b", Trajectory: short("").Trajectory, Interpolation: huge}, "b", "a string of 5242880 bytes"},
		{"joints", request{ID: "c", Trajectory: trajectory{JointNames: names, Points: standing().Points}}, "c", "joint_names has 1025 joints: give at most 1024"},
		{"start joints", request{ID: "d", StartJointNames: names, StartPositions: make([]float64, len(names))}, "d", "start_joint_names has 1025 joints"},
		{"tube", request{ID: "e", TubeJoints: names, TubeWidths: make([]float64, len(names))}, "e", "tube_joints has 1025 joints"},
		{"points", request{ID: "f", Trajectory: *winding(limit.TrajectoryPoints + 1)}, "f", "50001 elements"},
		{"bytes", request{ID: "g", Trajectory: *long, Deadline: builtininterfaces.Duration{Sec: 2e9}}, "g", "exceeds a bound of this reader, 8388608 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := time.Now()
			answer, err := client.Call(r.soon(), &c.ask)
			if err != nil {
				t.Fatal(err)
			}
			v := &answer.Verdict
			if v.Status != fcmsgs.VerdictInvalid || v.ID != c.id || !strings.Contains(v.Message, c.says) || len(v.Message) > limit.TextBytes+40 || len(v.TubeJoints) > 0 {
				t.Errorf("status %d, id %.300q: %.300q; want INVALID, %.20q: %q", v.Status, v.ID, v.Message, c.id, c.says)
			}
			t.Logf("answered after %v: %s", time.Since(begin), v.Message)
		})
	}
	pair := &fcmsgs.JointStatePair{ID: huge, JointNames: []string{"left_x"}, Start: []float64{0}, Goal: []float64{0}}
	r.publish(r.pair.Publish(pair))
	if v := r.waitVerdict(huge[:limit.IDBytes]); v.Status != fcmsgs.VerdictInvalid {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
	long.Header.Stamp.Sec = 7
	r.publish(r.path.Publish(long))
	if v := r.waitVerdict(r.namespace + "/firstcontact/trajectory@7.000000000"); v.Status != fcmsgs.VerdictInvalid {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
}

func TestQuestionsBeyondBounds(t *testing.T) {
	t.Parallel()
	testQuestionsBeyondBounds(t, inMemory())
}

// Of a thousand calls at once each gets an answer, from one client or from many.
func testThousandCallsAtOnce(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	calls := 1000
	if race.Enabled {
		calls = 200
	}
	for _, clients := range []int{1, 20} {
		t.Run(fmt.Sprint(clients, " clients"), func(t *testing.T) {
			var all []*ros.Client[request, response]
			for i := range clients {
				_, c := r.stranger(fmt.Sprint("caller", clients, "of", i))
				all = append(all, c)
			}
			var mu sync.Mutex
			var wg sync.WaitGroup
			answers, begin := map[uint8]int{}, time.Now()
			for i := range calls {
				wg.Add(1)
				go func() {
					defer wg.Done()
					answer, err := all[i%clients].Call(r.soon(), short(fmt.Sprint(i)))
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						answers[255]++
						return
					}
					answers[answer.Verdict.Status]++
				}()
			}
			wg.Wait()
			t.Logf("free %d, undecided %d, lost %d in %v", answers[fcmsgs.VerdictFree], answers[fcmsgs.VerdictUndecided], answers[255], time.Since(begin))
			if answers[255] > 0 || answers[fcmsgs.VerdictFree] == 0 {
				t.Errorf("answers by status: %v", answers)
			}
		})
	}
}

func TestThousandCallsAtOnce(t *testing.T) {
	t.Parallel()
	testThousandCallsAtOnce(t, inMemory())
}

package batch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What a batch costs besides its checks, against a program with the library that does nothing else: both take the edges of a roadmap in turns, from
// files to the table and from memory to a count. The median of the turns is what a busy machine disturbs least.
func TestThroughput(t *testing.T) {
	if !switches.Long.Set() {
		t.Skip("long")
	}
	const turns, edges, least = 9, 20_000, 0.85
	robot, err := urdf.Load("../../testdata/humanoid/humanoid.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Subject{Judge: NewJudge(setting.Setting{Checker: c}, motion.Query{}), Options: dataset.Options{Mapping: mapping(t, "units: \"rad, m\"")}}
	joints, nodes := wander(robot, edges+1)
	dir := writeRoadmap(t, joints, nodes)
	var ratios []float64
	leastAlone, leastWhole := time.Hour, time.Hour
	for range turns {
		before := computed(t)
		free := checkAll(t, c, joints, nodes)
		alone := computed(t) - before

		before = computed(t)
		sum := wholeBatch(t, s, dir)
		whole := computed(t) - before
		if sum.Count["free"] != int64(free) || sum.Motions != edges {
			t.Fatalf("%d are free, of the batch %v", free, sum.Count)
		}
		ratios = append(ratios, alone.Seconds()/whole.Seconds())
		leastAlone, leastWhole = min(leastAlone, alone), min(leastWhole, whole)
		t.Logf("%d edges: checks alone %v, batch %v of computing time", edges, alone, whole)
	}
	slices.Sort(ratios)
	t.Logf("the checks' share: median %.3f, from %.3f to %.3f; of the least times %.3f", ratios[turns/2], ratios[0], ratios[turns-1], leastAlone.Seconds()/leastWhole.Seconds())
	if ratios[turns/2] < least {
		t.Error("the batch takes too much besides its checks")
	}
}

// computed is the computing time of this process.
func computed(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// wander returns configurations near each other, within the limits and a tenth of a rad of zero.
func wander(robot *urdf.Robot, n int) (joints []string, nodes [][]float64) {
	var lo, hi []float64
	for i := range robot.Joints {
		if j := &robot.Joints[i]; j.Type == urdf.Revolute && j.Mimic == nil {
			joints, lo, hi = append(joints, j.Name), append(lo, max(-0.1, j.Limit.Lower)), append(hi, min(0.1, j.Limit.Upper))
		}
	}
	dice := chance.New(1, 1)
	for range n {
		row := make([]float64, len(joints))
		for k := range row {
			row[k] = dice.In(lo[k], hi[k])
		}
		nodes = append(nodes, row)
	}
	return joints, nodes
}

// checkAll checks the way from each node to the next, on two goroutines, and counts those that are free.
func checkAll(t *testing.T, c *ccd.Checker, joints []string, nodes [][]float64) int {
	free := make([]int, 2)
	var all sync.WaitGroup
	for w := range free {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := w; i+1 < len(nodes); i += len(free) {
				m, err := motion.Between(joints, nodes[i], nodes[i+1], 1)
				if err == nil {
					var v motion.Verdict
					if v, err = c.Check(context.Background(), m, motion.Query{}); err == nil && v.Status == motion.Free {
						free[w]++
					}
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	all.Wait()
	return free[0] + free[1]
}

// writeRoadmap writes the same ways as a roadmap.
func writeRoadmap(t *testing.T, joints []string, nodes [][]float64) string {
	t.Helper()
	dir := t.TempDir()
	var n, e strings.Builder
	fmt.Fprintln(&n, strings.Join(joints, ","))
	for i, row := range nodes {
		for k, x := range row {
			if k > 0 {
				n.WriteByte(',')
			}
			fmt.Fprint(&n, x)
		}
		n.WriteByte('\n')
		if i > 0 {
			fmt.Fprintf(&e, "%d,%d\n", i-1, i)
		}
	}
	for name, b := range map[string]*strings.Builder{"nodes.csv": &n, "edges.csv": &e} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wholeBatch is a whole batch but for the command: plan, checks, table and summary.
func wholeBatch(t *testing.T, s *Subject, dir string) *Summary {
	t.Helper()
	ctx := context.Background()
	p, err := NewPlan(ctx, s, find(t, dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	st := store(t, t.TempDir(), p)
	if err := Run(ctx, NewChecker(s, p), st, 2); err != nil {
		t.Fatal(err)
	}
	sum := NewSummary(10, 0, nil)
	if err := WriteTable(ctx, st, sum); err != nil {
		t.Fatal(err)
	}
	sum.Finish()
	return sum
}

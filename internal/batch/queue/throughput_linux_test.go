package queue

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A million edges of the humanoid in turns, each time by the library alone with the edges in memory, by a batch in this process, and by
// a batch of two workers at a server, from files to the table. Computing times are compared: others may use the machine, too.
func TestMillionEdges(t *testing.T) {
	if !switches.Long.Set() {
		t.Skip("long")
	}
	const turns, nodes, each, least = 10, 10_000, 10, 0.85
	h := newHumanoid(t, nodes, each)
	server := embed(t, t.TempDir())
	defer server.Stop()
	busy := []*exec.Cmd{start(t, server.URL(token)), start(t, server.URL(token))}
	h.inQueue(t, server) // warm
	var ofBatch, ofQueue, between []float64
	for range turns {
		alone := costs(t, nil, func() { h.alone(t) })
		var want, got []byte
		batched := costs(t, nil, func() { want = h.inProcess(t) })
		queued := costs(t, busy, func() { got = h.inQueue(t, server) })
		if !bytes.Equal(got, want) {
			t.Fatal("the tables differ")
		}
		ofBatch, ofQueue, between = append(ofBatch, alone/batched), append(ofQueue, alone/queued), append(between, batched/queued)
		t.Logf("%d edges: library %.1f s, batch %.1f s, queue %.1f s of computing time", len(h.edges), alone, batched, queued)
	}
	for what, ratios := range map[string][]float64{"a batch by the library": ofBatch, "a queue by the library": ofQueue, "a queue by a batch": between} {
		slices.Sort(ratios)
		t.Logf("throughput of %s: median %.3f, from %.3f to %.3f", what, ratios[turns/2], ratios[0], ratios[turns-1])
		if ratios[turns/2] < least {
			t.Errorf("%s is slower than it should be", what)
		}
	}
}

// costs is the computing time of this process and some others while something is done, in seconds.
func costs(t *testing.T, others []*exec.Cmd, do func()) float64 {
	t.Helper()
	used := func() (sum float64) {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		sum = time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
		for _, cmd := range others {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), ") ")
			for _, field := range strings.Fields(rest)[11:13] { // in user and system mode, in hundredths
				ticks, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				sum += float64(ticks) / 100
			}
		}
		return sum
	}
	before := used()
	do()
	return used() - before
}

// humanoid is a roadmap of the humanoid in testdata.
type humanoid struct {
	job
	checker *ccd.Checker
	joints  []string
	nodes   [][]float64
	edges   [][2]int
}

// newHumanoid has so many nodes, near each other, and edges from each to so many others.
func newHumanoid(t *testing.T, nodes, each int) *humanoid {
	t.Helper()
	robot, err := urdf.Load("../../../testdata/humanoid/humanoid.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := &humanoid{job: job{dir: t.TempDir()}}
	if h.checker, err = ccd.New(robot, nil, ccd.Options{}); err != nil {
		t.Fatal(err)
	}
	dice := chance.New(1, 1)
	h.nodes = make([][]float64, nodes)
	for i := range robot.Joints {
		if j := &robot.Joints[i]; j.Type == urdf.Revolute && j.Mimic == nil {
			h.joints = append(h.joints, j.Name)
			for k := range h.nodes {
				h.nodes[k] = append(h.nodes[k], dice.In(max(-0.1, j.Limit.Lower), min(0.1, j.Limit.Upper)))
			}
		}
	}
	var n, e strings.Builder
	fmt.Fprintln(&n, strings.Join(h.joints, ","))
	for i, row := range h.nodes {
		fmt.Fprintln(&n, strings.Join(strings.Fields(strings.Trim(fmt.Sprint(row), "[]")), ","))
		for k := range each {
			h.edges = append(h.edges, [2]int{i, (i + 1 + k) % nodes})
			fmt.Fprintf(&e, "%d,%d\n", i, (i+1+k)%nodes)
		}
	}
	in := filepath.Join(h.dir, "in")
	if err := os.Mkdir(in, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(in, "nodes.csv"): n.String(), filepath.Join(in, "edges.csv"): e.String(), filepath.Join(h.dir, "map.yaml"): mapText} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := dataset.ReadMapping(context.Background(), filepath.Join(h.dir, "map.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	h.subject = &batch.Subject{Judge: batch.NewJudge(setting.Setting{Checker: h.checker}, motion.Query{}), Options: dataset.Options{Mapping: m}}
	h.spec = &Spec{Program: programOf(), Robot: robot, MappingName: "map.yaml", Mapping: []byte(mapText)}
	if err := h.spec.Seal(h.subject.Judge); err != nil {
		t.Fatal(err)
	}
	return h
}

// alone has the library check the edges, on two goroutines.
func (h *humanoid) alone(t *testing.T) {
	var all sync.WaitGroup
	for w := range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := w; i < len(h.edges); i += 2 {
				m, err := motion.Between(h.joints, h.nodes[h.edges[i][0]], h.nodes[h.edges[i][1]], 1)
				if err == nil {
					_, err = h.checker.Check(context.Background(), m, motion.Query{Workers: 1})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	all.Wait()
}

func (h *humanoid) begin(t *testing.T) (*batch.Store, string) {
	t.Helper()
	ctx := context.Background()
	files, _, err := dataset.Find(ctx, []string{filepath.Join(h.dir, "in")}, "")
	if err != nil {
		t.Fatal(err)
	}
	if h.spec.Plan, err = batch.NewPlan(ctx, h.subject, files, nil); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	return h.open(t, out), out
}

func (h *humanoid) inProcess(t *testing.T) []byte {
	t.Helper()
	s, out := h.begin(t)
	if err := batch.Run(context.Background(), batch.NewChecker(h.subject, h.spec.Plan), s, 2); err != nil {
		t.Fatal(err)
	}
	return table(t, s, out)
}

func (h *humanoid) inQueue(t *testing.T, server *Server) []byte {
	t.Helper()
	s, out := h.begin(t)
	if err := Submit(context.Background(), &Remote{}, h.spec, s, server.Inside(), nats.Token(token)); err != nil {
		t.Fatal(err)
	}
	return table(t, s, out)
}

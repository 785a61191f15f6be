package queue

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const (
	envProgram = "TEST_PROGRAM_OF_WORKER" // what it takes for its own hash
	envWorker  = "TEST_WORKER"            // URL and folder of a worker that a test starts
	envPoison  = "TEST_POISON"            // the chunk that workers die of
	token      = "secret"
	gantry     = `<robot name="gantry"><link name="rail"/><link name="head"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="rail"/><child link="head"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="100"/></joint></robot>`
)

func TestMain(m *testing.M) {
	ackWait, heartbeat, offerAgain = time.Second, time.Second/4, time.Second
	if poison, err := strconv.Atoi(os.Getenv(envPoison)); err == nil {
		atChunk = func(chunk int) {
			if chunk == poison {
				os.Exit(7)
			}
		}
	}
	if to := os.Getenv(envWorker); to != "" {
		url, dir, _ := strings.Cut(to, "\n")
		program := programOf()
		err := Work(context.Background(), &Remote{URL: url}, program, dir, func(line string) { fmt.Fprintln(os.Stderr, line) })
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func programOf() string {
	if p := os.Getenv(envProgram); p != "" {
		return p
	}
	p, err := batch.Program()
	if err != nil {
		panic(err)
	}
	return p
}

// job is a batch of so many edges, in chunks of so many.
type job struct {
	subject *batch.Subject
	spec    *Spec
	want    []byte // the table of one process
}

func newJob(t *testing.T, edges, each int) *job {
	t.Helper()
	dir := t.TempDir()
	var nodes, pairs strings.Builder
	nodes.WriteString("x\n0\n")
	for i := range edges {
		fmt.Fprintf(&nodes, "%g\n", 1.8*float64(i)/float64(edges))
		fmt.Fprintf(&pairs, "0,%d\n", i+1)
	}
	mapped := filepath.Join(dir, "map.yaml")
	for name, text := range map[string]string{"in/nodes.csv": nodes.String(), "in/edges.csv": pairs.String(), "map.yaml": "units: \"rad, m\"", "in2/bad.csv": "x,time\n0,zero\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	robot, err := urdf.Parse([]byte(gantry), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.New("", scene.NewBox("wall", geom.Translation(geom.Vec{X: 1.5}), geom.Vec{X: 1, Y: 1, Z: 1}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[string]bool{"x": true}
	m, err := dataset.ReadMapping(ctx, mapped, lengths)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{subject: &batch.Subject{Judge: batch.NewJudge(setting.Setting{Checker: c, Scene: true}, motion.Query{}), Options: dataset.Options{Mapping: m}}}
	files, _, err := dataset.Find(ctx, []string{filepath.Join(dir, "in"), filepath.Join(dir, "in2")}, "")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := batch.NewPlan(ctx, j.subject, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan.Divide(each)
	j.spec = &Spec{Program: programOf(), Robot: robot, Scene: world, Replace: true, MappingName: "map.yaml", Mapping: []byte("units: \"rad, m\""), Lengths: lengths, Plan: plan}
	if err := j.spec.Seal(j.subject.Judge); err != nil {
		t.Fatal(err)
	}
	here := t.TempDir()
	s := j.open(t, here)
	if err := batch.Run(ctx, batch.NewChecker(j.subject, plan), s, 2); err != nil {
		t.Fatal(err)
	}
	j.want = table(t, s, here)
	return j
}

func (j *job) open(t *testing.T, dir string) *batch.Store {
	t.Helper()
	s, err := batch.OpenStore(context.Background(), dir, j.spec.Plan)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func table(t *testing.T, s *batch.Store, dir string) []byte {
	t.Helper()
	if err := batch.WriteTable(context.Background(), s, batch.NewSummary(1, 0, nil)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, batch.TableName))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// start starts a worker as a process of its own.
func start(t *testing.T, url string, more ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), envWorker+"="+url+"\n"+t.TempDir()), more...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

func kill(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

func embed(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Embed(dir, token)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Workers of other processes make the same table as one process, to the byte, while they are killed, the
// submitter gives up, and the server is stopped and started.
func TestKilledWorkersServersAndSubmitters(t *testing.T) {
	t.Parallel()
	rounds := switches.Long.Times(3, 10)
	j := newJob(t, 5_000*rounds, 100)
	state, out := t.TempDir(), t.TempDir()
	kills := 0
	for round := 0; ; round++ {
		s := j.open(t, out)
		left := s.Left()
		server := embed(t, state)
		workers := []*exec.Cmd{start(t, server.URL(token)), start(t, server.URL(token))}
		limit := time.Duration(300+rand.IntN(600)) * time.Millisecond
		if round >= rounds {
			limit = time.Minute
		}
		ctx, stop := context.WithTimeout(context.Background(), limit)
		go func() {
			time.Sleep(time.Duration(200+rand.IntN(400)) * time.Millisecond)
			_ = workers[0].Process.Kill()
		}()
		err := Submit(ctx, &Remote{}, j.spec, s, server.Inside(), nats.Token(token))
		stop()
		for _, w := range workers { // everything at once
			kill(w)
			kills++
		}
		server.Stop()
		t.Logf("round %d: %d of %d chunks left, then %d: %v", round, left, len(j.spec.Plan.Chunks), j.open(t, out).Left(), err)
		if err == nil {
			break
		}
		if round >= rounds {
			t.Fatal(err)
		}
	}
	s := j.open(t, out)
	if got := table(t, s, out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
	t.Logf("%d processes killed", kills)
}

package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
)

// The variables that tell a process of a test what it is.
const (
	envWorker  = "TEST_WORKER"            // URL and folder
	envServer  = "TEST_SERVER"            // folder, host, port, and for a cluster its name, and the routes
	envSubmit  = "TEST_SUBMIT"            // URL, folder of the job, folder of the results, replicas
	envProgram = "TEST_PROGRAM_OF_WORKER" // what it takes for its own hash
	envPoison  = "TEST_POISON"            // the chunk that workers die of
	envPace    = "TEST_PACE"              // how long workers wait before each chunk, or a file that says so, and may change
	envClock   = "TEST_CLOCK"             // nothing
	envAddress = "TEST_ADDRESS"           // that the process waits for
	token      = "secret"
)

func TestMain(m *testing.M) {
	ackWait, heartbeat, offerAgain, ping, stall = time.Second, time.Second/4, time.Second, time.Second, time.Second
	for _, role := range []struct {
		env string
		be  func([]string) error
	}{{envWorker, beWorker}, {envServer, beServer}, {envSubmit, beSubmitter}, {envClock, beClock}} {
		if words := os.Getenv(role.env); words != "" {
			go endWithParent()
			awaitAddress(os.Getenv(envAddress))
			if err := role.be(strings.Split(words, "\n")); err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", role.env, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// endWithParent ends this process when the one that began it has ended, which holds its standard input open.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(2)
}

// awaitAddress waits until this process's network has an address.
func awaitAddress(address string) {
	for end := time.Now().Add(time.Minute); address != "" && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		up, _ := net.InterfaceAddrs()
		if slices.ContainsFunc(up, func(a net.Addr) bool { return strings.HasPrefix(a.String(), address+"/") }) {
			return
		}
	}
}

func beWorker(words []string) error {
	poison, err := strconv.Atoi(os.Getenv(envPoison))
	poisoned := err == nil
	atChunk = func(chunk int) {
		if poisoned && chunk == poison {
			os.Exit(7)
		}
		for begun := time.Now(); time.Since(begun) < pace(); time.Sleep(5 * time.Millisecond) {
		}
	}
	return Work(context.Background(), &Remote{URL: words[0]}, programOf(), words[1], func(line string) { fmt.Fprintln(os.Stderr, line) })
}

// pace is how long a worker waits before a chunk.
func pace() time.Duration {
	text := os.Getenv(envPace)
	if now, err := os.ReadFile(text); err == nil {
		text = string(now)
	}
	d, _ := time.ParseDuration(text)
	return d
}

func beServer(words []string) error {
	o := options(words[0], token)
	o.Host = words[1]
	var err error
	if o.Port, err = strconv.Atoi(words[2]); err != nil {
		return err
	}
	if len(words) > 3 {
		o.ServerName = words[3]
		o.Cluster = server.ClusterOpts{Name: "test", Host: words[1], Port: o.Port + 1}
		o.Routes = server.RoutesFromStr(words[4])
	}
	if _, err := embedded(o); err != nil {
		return err
	}
	select {}
}

func beSubmitter(words []string) error {
	ctx := progress.With(context.Background(), func(s progress.Step) {
		if s.Note != "" {
			fmt.Fprintf(os.Stderr, "submitter: %s: %s\n", s.What, s.Note)
		}
	})
	j, err := loadJob(words[1])
	if err != nil {
		return err
	}
	if j.spec.Plan, err = batch.ReadPlan(ctx, words[2]); err != nil {
		return err
	}
	if j.spec.Plan == nil {
		return errors.New("no plan")
	}
	s, err := batch.OpenStore(ctx, words[2], j.spec.Plan)
	if err != nil {
		return err
	}
	replicas, err := strconv.Atoi(words[3])
	if err != nil {
		return err
	}
	return Submit(ctx, &Remote{URL: words[0], Replicas: replicas}, j.spec, s)
}

// beClock fails unless the date jumps.
func beClock([]string) error {
	jumps, last := 0, time.Duration(0)
	for begun := time.Now(); time.Since(begun) < 10*clockStep; time.Sleep(time.Millisecond) {
		off := time.Now().Round(0).Sub(begun.Round(0)) - time.Since(begun)
		if (off - last).Abs() > time.Second {
			jumps++
		}
		last = off
	}
	if jumps < 5 {
		return fmt.Errorf("%d jumps", jumps)
	}
	return nil
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

// begin starts this program as something else.
func begin(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	return launch(t, func(*exec.Cmd) {}, env...)
}

func launch(t *testing.T, change func(*exec.Cmd), env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	change(cmd)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

// start starts a worker as a process of its own.
func start(t *testing.T, url string, more ...string) *exec.Cmd {
	t.Helper()
	return begin(t, append(more, envWorker+"="+url+"\n"+t.TempDir())...)
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

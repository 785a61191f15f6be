package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// envHub marks the process whose network is the hub of all others.
const envHub = "TEST_HUB"

// A network of its own for each of three servers that make a cluster, three workers and the submitter, joined by a bridge. Each is cut off for
// a time, among them the server that leads the queue: the others go on meanwhile, and the table is that of one process, to the byte.
func TestPartitions(t *testing.T) {
	if os.Getenv(envHub) != "" {
		partitions(t)
		return
	}
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	for _, tool := range []string{"ip", "bridge", "nsenter"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Duration(switches.Long.Times(4, 4))*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestPartitions$", "-test.v", "-test.timeout=0")
	cmd.Env = append(os.Environ(), envHub+"=1")
	cmd.SysProcAttr = isolated()
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Skip("no network of its own: ", err)
	}
	if err != nil || !bytes.Contains(out, []byte("the batch is done")) {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}

// isolated gives a process a network of its own; whoever is not root is root there.
func isolated() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if id := os.Geteuid(); id != 0 {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{HostID: id, Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	}
	return a
}

// hub is the network that joins all others.
type hub struct {
	t    *testing.T
	wire map[string]string // by member, its end in the hub
	of   map[string]*exec.Cmd
}

func (h *hub) run(words ...string) {
	h.t.Helper()
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		h.t.Fatalf("%q: %v: %s", words, err, out)
	}
}

// join starts a member in a network of its own, with a wire to the hub.
func (h *hub) join(name string, env ...string) {
	h.t.Helper()
	wire := fmt.Sprintf("wire%d", len(h.wire))
	cmd := launch(h.t, isolatedNetwork, append(env, envAddress+"="+addressOf[name])...)
	inside := []string{"nsenter", "-t", fmt.Sprint(cmd.Process.Pid), "-n", "ip"}
	h.run("ip", "link", "add", wire, "type", "veth", "peer", "name", "inside", "netns", fmt.Sprint(cmd.Process.Pid))
	h.run("ip", "link", "set", wire, "master", "hub", "up")
	h.run(append(inside, "link", "set", "lo", "up")...)
	h.run(append(inside, "link", "set", "inside", "up")...)
	h.run(append(inside, "addr", "add", addressOf[name]+"/24", "dev", "inside")...) // at last: the process waits for it
	h.wire[name], h.of[name] = wire, cmd
}

func isolatedNetwork(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
}

// cut has nothing pass between a member and the others, without either of them being told; heal ends that.
func (h *hub) cut(name string) { h.run("bridge", "link", "set", "dev", h.wire[name], "state", "0") }

func (h *hub) heal(name string) { h.run("bridge", "link", "set", "dev", h.wire[name], "state", "3") }

var (
	servers   = []string{"s1", "s2", "s3"}
	workers   = []string{"w1", "w2", "w3"}
	addressOf = map[string]string{"s1": "10.77.0.11", "s2": "10.77.0.12", "s3": "10.77.0.13", "w1": "10.77.0.21", "w2": "10.77.0.22", "w3": "10.77.0.23", "submitter": "10.77.0.31"}
)

// partitions is the test, in the hub.
func partitions(t *testing.T) {
	h := &hub{t: t, wire: map[string]string{}, of: map[string]*exec.Cmd{}}
	h.run("ip", "link", "set", "lo", "up")
	h.run("ip", "link", "add", "hub", "type", "bridge")
	h.run("ip", "addr", "add", "10.77.0.1/24", "dev", "hub")
	h.run("ip", "link", "set", "hub", "up")
	j := newJob(t, 6000*switches.Long.Times(1, 4), 5)
	var urls, routes []string
	for _, name := range servers {
		urls = append(urls, "nats://"+token+"@"+addressOf[name]+":4222")
		routes = append(routes, "nats://"+addressOf[name]+":4223")
	}
	for _, name := range servers {
		h.join(name, fmt.Sprintf("%s=%s\n%s\n4222\n%s\n%s", envServer, t.TempDir(), addressOf[name], name, strings.Join(routes, ",")))
	}
	url := strings.Join(urls, ",")
	js := clusterOf(t, url)
	paced := filepath.Join(t.TempDir(), "pace")
	setPace(t, paced, quick)
	for _, name := range workers {
		h.join(name, envWorker+"="+url+"\n"+t.TempDir(), envPace+"="+paced)
	}
	out := t.TempDir()
	store := j.open(t, out)
	h.join("submitter", fmt.Sprintf("%s=%s\n%s\n%s\n3", envSubmit, url, j.dir, out))
	done := func() int {
		parts, err := filepath.Glob(filepath.Join(out, "parts", "*.part"))
		if err != nil {
			t.Fatal(err)
		}
		return len(parts)
	}
	all := len(store.Plan.Chunks)
	grow := func(what string, by int, limit time.Duration) {
		t.Helper()
		from, begin := done(), time.Now()
		for done() < min(all, from+by) {
			if time.Since(begin) > limit {
				t.Fatalf("%s: %d of %d chunks after %v", what, done()-from, by, limit)
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Logf("%s: %d more of %d chunks in %.1f s", what, by, all, time.Since(begin).Seconds())
	}
	grow("at the start", all/20, time.Minute)
	for range switches.Long.Times(1, 3) {
		for _, name := range []string{leaderOf(t, js), "w1", otherThan(leaderOf(t, js)), "submitter"} {
			began := time.Now()
			h.cut(name)
			if name == "submitter" {
				time.Sleep(5 * ackWait)
			} else {
				grow(name+" is cut off", all/20, time.Minute)
				setPace(t, paced, slow)
				time.Sleep(max(0, 5*ackWait-time.Since(began)))
				setPace(t, paced, quick)
			}
			h.heal(name)
			grow(name+" is back", all/20, time.Minute)
		}
	}
	setPace(t, paced, 0)
	if done() >= all {
		t.Error("it was done before all were cut off: a poor test")
	}
	if err := h.of["submitter"].Wait(); err != nil {
		t.Fatal("submitter: ", err)
	}
	if got := table(t, j.open(t, out), out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
	t.Logf("the batch is done: %d chunks, as in one process to the byte", all)
}

// The pace of the workers while chunks are waited for, and while time is: the batch must not be done before all were cut off.
const (
	quick = 20 * time.Millisecond
	slow  = 100 * time.Millisecond
)

// setPace changes the pace of the workers that follow a file.
func setPace(t *testing.T, file string, pace time.Duration) {
	t.Helper()
	if err := os.WriteFile(file+".new", []byte(pace.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// clusterOf connects to a cluster once it has a leader.
func clusterOf(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		nc, js, err := (&Remote{URL: url}).connect("test")
		if err == nil {
			ctx, stop := context.WithTimeout(context.Background(), time.Second)
			_, err = js.AccountInfo(ctx)
			stop()
			if err == nil {
				t.Cleanup(nc.Close)
				return js
			}
			nc.Close()
		}
		if time.Now().After(end) {
			t.Fatal("no cluster: ", err)
		}
	}
}

// leaderOf is the server that leads the queue of chunks.
func leaderOf(t *testing.T, js jetstream.JetStream) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
		s, err := js.Stream(ctx, workStream)
		stop()
		if err == nil {
			if c := s.CachedInfo().Cluster; c != nil && c.Leader != "" && len(c.Replicas) == len(servers)-1 {
				return c.Leader
			}
		}
		if time.Now().After(end) {
			t.Fatal("no leader: ", err)
		}
	}
}

func otherThan(name string) string {
	if name == servers[0] {
		return servers[1]
	}
	return servers[0]
}

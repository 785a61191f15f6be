package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/firstcontact-ros/firstcontact/internal/batch"
)

// stream returns what a stream of a server holds.
func stream(t *testing.T, s *Server, name string) *jetstream.StreamInfo {
	t.Helper()
	nc, js, err := (&Remote{}).connect("test", s.Inside(), nats.Token(token))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	st, err := js.Stream(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := st.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func (j *job) submit(t *testing.T, s *Server, out string, limit time.Duration) (*batch.Store, error) {
	t.Helper()
	store := j.open(t, out)
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	return store, Submit(ctx, &Remote{}, j.spec, store, s.Inside(), nats.Token(token))
}

// A worker of another version takes nothing: all chunks wait for one of this.
func TestOtherProgramTakesNothing(t *testing.T) {
	t.Parallel()
	j := newJob(t, 50, 10)
	server := embed(t, t.TempDir())
	defer server.Stop()
	start(t, server.URL(token), envProgram+"="+strings.Repeat("0", 64))
	s, err := j.submit(t, server, t.TempDir(), 3*time.Second)
	if err == nil || s.Left() != len(j.spec.Plan.Chunks) {
		t.Errorf("%d of %d chunks left: %v", s.Left(), len(j.spec.Plan.Chunks), err)
	}
	if info := stream(t, server, workStream); info.State.Msgs != uint64(len(j.spec.Plan.Chunks)) || info.State.LastSeq != info.State.Msgs || info.State.Consumers != 1 { // none was taken and offered again
		t.Errorf("%+v", info.State)
	}
}

// A chunk that workers die of is set aside, workers are started again, and all others are checked. Nothing of the
// batch is left in the server.
func TestPoison(t *testing.T) {
	t.Parallel()
	const poison = 2
	j := newJob(t, 60, 10)
	server := embed(t, t.TempDir())
	defer server.Stop()
	ctx, stop := context.WithCancel(context.Background())
	var workers sync.WaitGroup
	var mu sync.Mutex
	ends := 0
	for range 2 {
		home := t.TempDir()
		workers.Add(1)
		go func() {
			defer workers.Done()
			err := Keep(ctx, func(ctx context.Context) *exec.Cmd {
				cmd := exec.CommandContext(ctx, os.Args[0])
				cmd.Env = append(os.Environ(), envWorker+"="+server.URL(token)+"\n"+home, fmt.Sprint(envPoison, "=", poison))
				return cmd
			}, func(string) {
				mu.Lock()
				defer mu.Unlock()
				ends++
			})
			if err != nil {
				t.Error(err)
			}
		}()
	}
	s, err := j.submit(t, server, t.TempDir(), time.Minute)
	stop()
	workers.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if ends == 0 || ends > deliveries-1 {
		t.Errorf("%d workers died, want %d at most", ends, deliveries-1)
	}
	var aside []int64
	err = s.Rows(context.Background(), func(rows []batch.Row) error {
		for i := range rows {
			if rows[i].Status == batch.SetAside {
				aside = append(aside, rows[i].Index)
			}
		}
		return nil
	})
	todo := j.spec.Plan.Chunks[poison]
	if err != nil || len(aside) != todo.Count() || aside[0] != todo.Index {
		t.Errorf("set aside: %v, want those of %+v; %v", aside, todo, err)
	}
	for _, name := range []string{workStream, doneStream} {
		if info := stream(t, server, name); info.State.Msgs != 0 {
			t.Errorf("%s: %+v", name, info.State)
		}
	}
}

// A worker without a disk gives its chunks back and ends. However many do, no chunk is set aside.
func TestTroubleOfWorkers(t *testing.T) {
	t.Parallel()
	j := newJob(t, 60, 10)
	server := embed(t, t.TempDir())
	defer server.Stop()
	full := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(full, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	done := make(chan error, 1)
	out := t.TempDir()
	s := j.open(t, out)
	go func() { done <- Submit(ctx, &Remote{}, j.spec, s, server.Inside(), nats.Token(token)) }()
	for range 3 {
		var mu sync.Mutex
		var told []string
		err := Work(ctx, &Remote{URL: server.URL(token)}, j.spec.Program, full, func(line string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, line)
		})
		if err == nil || !errors.Is(err, syscall.ENOTDIR) || len(told) < patience {
			t.Fatalf("%v, %q", err, told)
		}
	}
	start(t, server.URL(token))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := table(t, s, out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
}

// A worker's copy of a file that is damaged is fetched again, and never read.
func TestDamagedCopies(t *testing.T) {
	t.Parallel()
	j := newJob(t, 60, 10)
	server := embed(t, t.TempDir())
	defer server.Stop()
	home, out := t.TempDir(), t.TempDir()
	sum := j.spec.Plan.Sums[slices.IndexFunc(j.spec.Plan.Sums, func(s string) bool { return s != "" })]
	for name, text := range map[string]string{"in/nodes.csv": "x\n0\n0.1\n", "in/edges.csv": "0,1\n", ".complete": ""} {
		path := filepath.Join(home, sum, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = Work(ctx, &Remote{URL: server.URL(token)}, j.spec.Program, home, func(string) {}) }()
	s, err := j.submit(t, server, out, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := table(t, s, out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
}

// The same motions divided otherwise are another batch to the queue: chunks and answers of the first one do not meet it.
func TestOtherChunksOfTheSameMotions(t *testing.T) {
	t.Parallel()
	j := newJob(t, 60, 10)
	server := embed(t, t.TempDir())
	defer server.Stop()
	if _, err := j.submit(t, server, t.TempDir(), time.Second/2); err == nil { // nobody checks
		t.Fatal("it is done")
	}
	divided := *j.spec.Plan
	j.spec.Plan = &divided
	divided.Divide(3)
	start(t, server.URL(token))
	out := t.TempDir()
	s, err := j.submit(t, server, out, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := table(t, s, out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
}

// A queue that goes away ends the submitter with an error, and is made again by workers.
func TestQueueThatGoesAway(t *testing.T) {
	t.Parallel()
	j := newJob(t, 60, 10)
	server := embed(t, t.TempDir())
	defer server.Stop()
	nc, js, err := (&Remote{}).connect("test", server.Inside(), nats.Token(token))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	go func() {
		for js.DeleteStream(context.Background(), doneStream) != nil && nc.IsConnected() { // until it is there
			time.Sleep(100 * time.Millisecond)
		}
	}()
	begin := time.Now()
	if _, err := j.submit(t, server, t.TempDir(), 20*time.Second); err == nil || time.Since(begin) > 15*time.Second {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
}

// Streams that are there stay as they are, and a full disk is not taken for a message that is there.
func TestStreamsOfOthersStay(t *testing.T) {
	t.Parallel()
	server := embed(t, t.TempDir())
	defer server.Stop()
	nc, js, err := (&Remote{}).connect("test", server.Inside(), nats.Token(token))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	ctx := context.Background()
	_, err = js.CreateStream(ctx, jetstream.StreamConfig{Name: workStream, Subjects: []string{workWord + ".>"}, Retention: jetstream.WorkQueuePolicy, Description: "mine", MaxBytes: 1 << 10, Discard: jetstream.DiscardNew})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Remote{}).prepare(ctx, js); err != nil {
		t.Fatal(err)
	}
	if info := stream(t, server, workStream); info.Config.Description != "mine" {
		t.Errorf("%+v", info.Config)
	}
	if err := publish(ctx, js, workWord+".a", make([]byte, 2<<10)); err == nil {
		t.Error("a message for which there is no room passes for stored")
	}
	for range 2 {
		if err := publish(ctx, js, doneWord+".a", []byte("answer")); err != nil {
			t.Error(err)
		}
	}
}

package queue

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A server that has lost messages which it had handed out numbers later ones as those, and hands them out to nobody: the submitter
// finds them, and the batch goes on.
func TestMessagesThatTheServerTakesForOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := embed(t, dir)
	j := newJob(t, 60, 3)
	worker := start(t, server.URL(token))
	if _, err := j.submit(t, server, t.TempDir(), time.Minute); err != nil {
		t.Fatal(err)
	}
	kill(worker)
	handedOut := stream(t, server, workStream).State.LastSeq
	server.Stop()
	messages := filepath.Join(dir, "jetstream", "$G", "streams", workStream, "msgs")
	if err := os.RemoveAll(messages); err != nil {
		t.Fatal(err)
	}
	server = embed(t, dir)
	defer server.Stop()
	if last := stream(t, server, workStream).State.LastSeq; last >= handedOut {
		t.Fatalf("the server has lost nothing: %d of %d", last, handedOut)
	}
	divided := *j.spec.Plan
	j.spec.Plan = &divided
	divided.Divide(10)
	start(t, server.URL(token))
	out := t.TempDir()
	s, err := j.submit(t, server, out, time.Minute)
	if err != nil {
		t.Fatalf("%d of %d chunks left: %v", s.Left(), len(divided.Chunks), err)
	}
	if got := table(t, s, out); !bytes.Equal(got, j.want) {
		t.Error("the table differs from that of one process")
	}
}

// A network that is down comes up again: nobody ends for that.
func TestNetworkThatIsDownPasses(t *testing.T) {
	for _, why := range []syscall.Errno{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ETIMEDOUT, syscall.ECONNRESET} {
		err := fmt.Errorf("NATS: %w", &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", why)})
		if !passing(err) {
			t.Errorf("%v ends a worker", err)
		}
	}
	if passing(fmt.Errorf("NATS: %w", syscall.EACCES)) {
		t.Error("what is refused passes")
	}
}

package queue

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// fleet is the processes of a batch: a server, two workers and a submitter, each of which is started again when it ends.
type fleet struct {
	t       *testing.T
	job     *job
	url     string
	out     string
	program string              // "": this one
	env     map[string][]string // by name
	running map[string]*exec.Cmd
	stderr  *complaints // nil: that of this process
}

// The members of a fleet.
const (
	aServer    = "server"
	oneWorker  = "worker 1"
	twoWorker  = "worker 2"
	aSubmitter = "submitter"
)

var members = []string{aServer, oneWorker, twoWorker, aSubmitter}

func newFleet(t *testing.T, j *job, more ...string) *fleet {
	port := freePort(t)
	url := fmt.Sprintf("nats://%s@127.0.0.1:%d", token, port)
	f := &fleet{t: t, job: j, url: url, running: map[string]*exec.Cmd{}}
	f.env = map[string][]string{
		aServer:   {fmt.Sprintf("%s=%s\n127.0.0.1\n%d", envServer, t.TempDir(), port)},
		oneWorker: {envWorker + "=" + url + "\n" + t.TempDir()},
		twoWorker: {envWorker + "=" + url + "\n" + t.TempDir()},
	}
	f.another()
	for _, name := range members {
		f.env[name] = append(f.env[name], more...)
	}
	return f
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// another begins the batch anew, in another folder.
func (f *fleet) another() {
	f.out = f.t.TempDir()
	f.job.open(f.t, f.out) // writes the plan
	words := fmt.Sprintf("%s=%s\n%s\n%s\n1", envSubmit, f.url, f.job.dir, f.out)
	f.env[aSubmitter] = append([]string{words}, f.env[aSubmitter][min(1, len(f.env[aSubmitter])):]...)
}

// start starts those that do not run.
func (f *fleet) start() {
	for _, name := range members {
		if f.running[name] == nil {
			f.running[name] = launch(f.t, func(cmd *exec.Cmd) {
				if f.program != "" {
					cmd.Path = f.program
				}
				if f.stderr != nil {
					cmd.Stderr = f.stderr
				}
			}, f.env[name]...)
		}
	}
}

// kill kills a member the hard way.
func (f *fleet) kill(name string) {
	_ = f.running[name].Process.Kill()
	if err := f.running[name].Wait(); !strings.Contains(fmt.Sprint(err), "killed") {
		f.t.Fatalf("the %s has ended by itself: %v", name, err)
	}
	delete(f.running, name)
}

// ended returns the exit status of a member that has ended by itself.
func (f *fleet) ended(name string) (status int, is bool) {
	var s syscall.WaitStatus
	got, err := syscall.Wait4(f.running[name].Process.Pid, &s, syscall.WNOHANG, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return s.ExitStatus(), got != 0
}

// over reports whether the submitter has ended by itself, which it does when all is done. Nobody else does.
func (f *fleet) over() bool {
	for _, name := range members {
		status, is := f.ended(name)
		if is && (name != aSubmitter || status != 0) {
			f.t.Fatalf("the %s has ended by itself: %d", name, status)
		}
		if is {
			delete(f.running, name)
			return true
		}
	}
	return false
}

// compare holds the table to that of one process.
func (f *fleet) compare() {
	f.t.Helper()
	if got := table(f.t, f.job.open(f.t, f.out), f.out); !bytes.Equal(got, f.job.want) {
		f.t.Fatal("the table differs from that of one process")
	}
}

// parts is how many chunks are done, or almost.
func (f *fleet) parts() int {
	f.t.Helper()
	parts, err := os.ReadDir(filepath.Join(f.out, "parts"))
	if err != nil {
		f.t.Fatal(err)
	}
	return len(parts)
}

// middle reports whether some of the batch is done and some is not.
func (f *fleet) middle() bool {
	n := f.parts()
	return n > 0 && n < len(f.job.spec.Plan.Chunks)
}

// await waits until the batch is done.
func (f *fleet) await(limit time.Duration) {
	f.t.Helper()
	for end := time.Now().Add(limit); !f.over(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("not done after %v: %d of %d chunks are left", limit, f.job.open(f.t, f.out).Left(), len(f.job.spec.Plan.Chunks))
		}
	}
	f.compare()
}

// blows are what happens to a fleet, by name. A pause of a worker is longer than the server waits for it.
func (f *fleet) blows() map[string]func() {
	worker := func() string { return members[1+rand.IntN(2)] }
	return map[string]func(){
		"worker":     func() { f.kill(worker()) },
		"server":     func() { f.kill(aServer) },
		"submitter":  func() { f.kill(aSubmitter) },
		"everything": func() { f.killAll() },
		"slow worker": func() {
			p := f.running[worker()].Process
			_ = p.Signal(syscall.SIGSTOP)
			time.Sleep(ackWait + time.Duration(rand.Int64N(int64(ackWait))))
			_ = p.Signal(syscall.SIGCONT)
		},
	}
}

func (f *fleet) killAll() {
	for _, cmd := range f.running {
		_ = cmd.Process.Kill()
	}
	for name := range f.running {
		f.kill(name)
	}
}

// killRest kills those that run still, whether or not they end by themselves meanwhile.
func (f *fleet) killRest() {
	for name, cmd := range f.running {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		delete(f.running, name)
	}
}

// Whatever is killed, and whenever, and whichever worker stands still for longer than the server waits: a batch that goes
// on has the table of one process, to the byte. Batches follow each other until each has happened often enough.
func TestWhateverDies(t *testing.T) {
	t.Parallel()
	each := switches.Long.Times(3, 34)
	f := newFleet(t, newJob(t, 6000, 20), envPace+"=20ms")
	blows := f.blows()
	left := map[string]int{}
	var todo []string
	for name := range blows {
		left[name] = each
		todo = append(todo, name)
	}
	batches, middle := 1, 0
	f.start()
	for len(todo) > 0 {
		time.Sleep(time.Duration(rand.Int64N(int64(1200 * time.Millisecond))))
		if f.over() {
			f.compare()
			f.another()
			batches++
		} else {
			k := rand.IntN(len(todo))
			name := todo[k]
			if f.middle() {
				middle++
			}
			blows[name]()
			if left[name]--; left[name] == 0 {
				todo = append(todo[:k], todo[k+1:]...)
			}
		}
		f.start()
	}
	f.await(3 * time.Minute)
	t.Logf("%d times each: worker, server, submitter, everything killed, a worker paused; %d of %d times in the middle of %d batches of %d chunks", each, middle, each*len(blows), batches, len(f.job.spec.Plan.Chunks))
	if middle < each*len(blows)/2 {
		t.Error("too few were hit in the middle: a poor test")
	}
}

//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is the node that is attacked.
type process struct {
	cmd   *exec.Cmd
	done  chan struct{}
	err   error // after done
	log   *log
	gauge *gauge
}

// startProcess starts a node. It is killed when it uses more memory than the limit, in kB.
func startProcess(g graph, binary string, memory int, args ...string) (*process, error) {
	p := &process{done: make(chan struct{}), log: newLog(), gauge: &gauge{}}
	p.cmd = exec.Command(binary, append([]string{"node", "--ros-args"}, args...)...)
	p.cmd.Env = g.environ()
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stderr = write
	ended, err := startBound(p.cmd)
	write.Close()
	if err != nil {
		return nil, err
	}
	go p.log.read(read)
	go p.gauge.watch(p.cmd.Process, memory, p.done)
	go func() {
		p.err = <-ended
		close(p.done)
	}()
	return p, nil
}

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// ended tells whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// status is its exit status, -1 where a signal ended it.
func (p *process) status() int {
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// stop asks the process to end and tells how long that took; ok is false where it had
// to be killed.
func (p *process) stop(patience time.Duration) (took time.Duration, ok bool) {
	begin := time.Now()
	p.signal(syscall.SIGCONT)
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
		ok = true
	case <-time.After(patience):
		p.signal(syscall.SIGKILL)
		<-p.done
	}
	return time.Since(begin), ok
}

// gauge is what a process uses, sampled.
type gauge struct {
	mu                     sync.Mutex
	rss, peak              int // kB
	threads, files         int
	mostThreads, mostFiles int
	killed                 bool
}

// reading is a gauge at one moment.
type reading struct {
	RSS, Peak, Threads, Files int
}

func (g *gauge) read() reading {
	g.mu.Lock()
	defer g.mu.Unlock()
	return reading{g.rss, g.peak, g.threads, g.files}
}

// most is the largest of each so far, and whether the process was killed for its memory.
func (g *gauge) most() (r reading, killed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return reading{g.rss, g.peak, g.mostThreads, g.mostFiles}, g.killed
}

func (g *gauge) watch(p *os.Process, limit int, done <-chan struct{}) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		g.sample(p.Pid)
		if g.read().RSS > limit {
			g.mu.Lock()
			g.killed = true
			g.mu.Unlock()
			_ = p.Kill()
		}
		select {
		case <-done:
			return
		case <-tick.C:
		}
	}
}

func (g *gauge) sample(pid int) {
	folder := fmt.Sprintf("/proc/%d/", pid)
	status, err := os.ReadFile(folder + "status")
	if err != nil {
		return
	}
	files, _ := os.ReadDir(folder + "fd")
	g.mu.Lock()
	defer g.mu.Unlock()
	for line := range strings.Lines(string(status)) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		n, _ := strconv.Atoi(fields[0])
		switch name {
		case "VmRSS":
			g.rss = n
		case "VmHWM":
			g.peak = max(g.peak, n)
		case "Threads":
			g.threads, g.mostThreads = n, max(g.mostThreads, n)
		}
	}
	g.files, g.mostFiles = len(files), max(g.mostFiles, len(files))
}

// log is what the node writes to standard error.
type log struct {
	mu         sync.Mutex
	open       *sync.Cond
	blocked    bool
	bytes      int
	forged     int // lines that an attack wrote through it
	control    int // bytes of control characters
	goroutines int // that Go has written down
	last       []string
}

// forgery begins the lines that attacks try to write.
const forgery = "[INFO] [forged]"

func newLog() *log {
	l := &log{}
	l.open = sync.NewCond(&l.mu)
	return l
}

// block makes the reader of the log stop reading, until it is told otherwise.
func (l *log) block(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.blocked = on
	l.open.Broadcast()
}

func (l *log) read(from io.Reader) {
	in := bufio.NewReaderSize(from, 1<<16)
	for {
		line, err := in.ReadSlice('\n')
		l.note(line)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (l *log) note(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes += len(line)
	if strings.HasPrefix(string(line), forgery) {
		l.forged++
	}
	if strings.HasPrefix(string(line), "goroutine ") {
		l.goroutines++
	}
	for _, c := range line {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			l.control++
		}
	}
	const most, width = 6, 200
	l.last = append(l.last, strings.TrimSpace(string(line[:min(len(line), width)])))
	l.last = l.last[max(0, len(l.last)-most):]
	for l.blocked {
		l.open.Wait()
	}
}

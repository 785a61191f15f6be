package queue

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// disk is a small one.
type disk struct {
	t  *testing.T
	at string
}

// smallDisk is one of so many kB.
func smallDisk(t *testing.T, kilobytes int) disk {
	t.Helper()
	d := disk{t, t.TempDir()}
	if err := syscall.Mount("tmpfs", d.at, "tmpfs", 0, fmt.Sprintf("size=%dk", kilobytes)); err != nil {
		t.Skip("cannot mount a small disk: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.at, syscall.MNT_DETACH) })
	return d
}

// room is how many bytes are left.
func (d disk) room() int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.at, &s); err != nil {
		d.t.Fatal(err)
	}
	return int64(s.Bavail) * s.Bsize
}

// ballast is what fills a disk.
func (d disk) ballast() string { return filepath.Join(d.at, "ballast") }

// fill leaves so many bytes at most.
func (d disk) fill(left int64) {
	d.t.Helper()
	f, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for over := d.room() - left; over > 0; over = d.room() - left {
		if _, err := f.Write(make([]byte, over)); err != nil && !errors.Is(err, syscall.ENOSPC) {
			d.t.Fatal(err)
		}
	}
}

// clear ends fill.
func (d disk) clear() {
	d.t.Helper()
	if err := os.Remove(d.ballast()); err != nil {
		d.t.Fatal(err)
	}
}

// complaints counts what the members of a fleet say of a full disk.
type complaints struct {
	mu   sync.Mutex
	rest []byte
	n    int
}

// Write takes what a member says, in any pieces, and passes it on.
func (c *complaints) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest = append(c.rest, text...)
	for {
		line, rest, whole := bytes.Cut(c.rest, []byte("\n"))
		if !whole {
			break
		}
		if bytes.Contains(line, []byte(syscall.ENOSPC.Error())) || bytes.Contains(line, []byte("insufficient resources")) {
			c.n++
		}
		c.rest = rest
	}
	return os.Stderr.Write(text)
}

func (c *complaints) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// The disk of the server, or of the submitter, is full again and again: when the batch begins, and then in the middle of it. Each time it stays
// full until members have said so, and all are started anew when there is room. Batches follow each other until that has happened
// often enough. The tables are that of one process, to the byte.
func TestFullDisks(t *testing.T) {
	for name, place := range map[string]func(f *fleet, dir string){
		"server": func(f *fleet, dir string) {
			words := strings.Split(f.env[aServer][0], "\n")
			words[0] = envServer + "=" + filepath.Join(dir, "server")
			f.env[aServer][0] = strings.Join(words, "\n")
		},
		"submitter": func(f *fleet, dir string) {
			_ = os.RemoveAll(filepath.Join(dir, "out"))
			f.out = filepath.Join(dir, "out")
			f.job.open(f.t, f.out)
			f.env[aSubmitter][0] = fmt.Sprintf("%s=%s\n%s\n%s\n1", envSubmit, f.url, f.job.dir, f.out)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := smallDisk(t, 8<<10)
			f := newFleet(t, newJob(t, 6000, 20), envPace+"=10ms")
			f.stderr = &complaints{}
			place(f, d.at)
			d.fill(64 << 10)
			f.suffer(func() {})
			d.clear()
			batches := 1
			for full := 1; full < 5; {
				if !f.advance(len(f.job.spec.Plan.Chunks)/8) && !f.suffer(func() { d.fill(0) }) {
					d.clear()
					full++
					continue
				}
				f.compare()
				f.another()
				place(f, d.at)
				batches++
			}
			for !f.advance(len(f.job.spec.Plan.Chunks)) {
			}
			f.compare()
			t.Logf("full 5 times in %d batches", batches)
		})
	}
}

// advance has the batch go on by so many chunks, and starts whatever ends meanwhile anew. It reports whether the batch is done.
func (f *fleet) advance(chunks int) (done bool) {
	f.t.Helper()
	from := f.parts()
	for end := time.Now().Add(2 * time.Minute); !done && f.parts() < from+chunks; time.Sleep(10 * time.Millisecond) {
		f.start()
		for _, name := range members {
			if status, is := f.ended(name); is {
				delete(f.running, name)
				done = done || name == aSubmitter && status == 0
			}
		}
		if time.Now().After(end) {
			f.t.Fatalf("%d chunks more after two minutes", f.parts()-from)
		}
	}
	return done
}

// suffer has the members of a fleet work with a disk that is kept full until they have said so some times, or the submitter has ended, and
// kills them. It reports whether the batch was done before.
func (f *fleet) suffer(keepFull func()) (done bool) {
	f.t.Helper()
	f.start()
	before := f.stderr.count()
	for end := time.Now().Add(time.Minute); f.stderr.count() < before+5; time.Sleep(10 * time.Millisecond) {
		keepFull()
		if status, ended := f.ended(aSubmitter); ended {
			delete(f.running, aSubmitter)
			f.killRest()
			return status == 0 // it ends with an error for nothing else
		}
		if time.Now().After(end) {
			break
		}
	}
	f.killRest()
	if f.stderr.count() == before {
		f.t.Fatal("nobody says that the disk is full")
	}
	return false
}

// A worker whose disk is full leaves its chunks to the others.
func TestFullDiskOfAWorker(t *testing.T) {
	t.Parallel()
	d := smallDisk(t, 4)
	f := newFleet(t, newJob(t, 6000, 20))
	f.env[oneWorker][0] = envWorker + "=" + f.url + "\n" + filepath.Join(d.at, "worker")
	f.start()
	status := 0
	for end := time.Now().Add(time.Minute); status == 0; time.Sleep(10 * time.Millisecond) {
		if s, is := f.ended(oneWorker); is {
			status = s
		} else if time.Now().After(end) {
			t.Fatal("the worker goes on")
		}
	}
	delete(f.running, oneWorker)
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if status, is := f.ended(aSubmitter); is {
			if status != 0 {
				t.Fatalf("exit status %d", status)
			}
			delete(f.running, aSubmitter)
			break
		}
		if time.Now().After(end) {
			t.Fatal("not done")
		}
	}
	f.compare()
}

package queue

import (
	"fmt"
	"path/filepath"
	"strings"
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

func (d disk) grow(kilobytes int) {
	d.t.Helper()
	if err := syscall.Mount("tmpfs", d.at, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%dk", kilobytes)); err != nil {
		d.t.Fatal(err)
	}
}

// room is how many bytes are left.
func (d disk) room() uint64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.at, &s); err != nil {
		d.t.Fatal(err)
	}
	return s.Bavail * uint64(s.Bsize)
}

// The disk of the server, or of the submitter, is full again and again: each time all are started anew with twice the room.
// The table is that of one process, to the byte.
func TestFullDisks(t *testing.T) {
	for name, place := range map[string]func(f *fleet, dir string){
		"server": func(f *fleet, dir string) {
			words := strings.Split(f.env[aServer][0], "\n")
			words[0] = envServer + "=" + dir
			f.env[aServer][0] = strings.Join(words, "\n")
		},
		"submitter": func(f *fleet, dir string) {
			f.out = filepath.Join(dir, "out")
			f.job.open(f.t, f.out)
			f.env[aSubmitter][0] = fmt.Sprintf("%s=%s\n%s\n%s\n1", envSubmit, f.url, f.job.dir, f.out)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := smallDisk(t, 64)
			f := newFleet(t, newJob(t, 6000, 20))
			place(f, d.at)
			full := 0
			for size := 64; ; size *= 2 {
				d.grow(size)
				if f.try(5 * time.Second) {
					break
				}
				if d.room() < 32<<10 {
					full++
				}
				if size > 64<<10 {
					t.Fatal("it is never done")
				}
			}
			d.grow(64 << 10) // for the table
			f.compare()
			t.Logf("full %d times", full)
			if full < 2 {
				t.Error("too seldom: a poor test")
			}
		})
	}
}

// try starts all, and kills all when the submitter or the server has ended, or nothing has happened for long. It reports whether the batch is
// done.
func (f *fleet) try(limit time.Duration) bool {
	f.start()
	done := false
	for end := time.Now().Add(limit); time.Now().Before(end) && !done; time.Sleep(10 * time.Millisecond) {
		if status, is := f.ended(aSubmitter); is {
			delete(f.running, aSubmitter)
			done = status == 0
			break
		}
	}
	for name, cmd := range f.running {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		delete(f.running, name)
	}
	return done
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

package record

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// notes collects warnings.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) tell(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, format)
}

func (n *notes) all() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.list, "\n")
}

func take(r *Recording, i int) {
	m := &sensormsgs.JointState{Name: []string{"a"}, Position: []float64{float64(i) / 10}}
	m.Header.Stamp.Sec = 1700000000 + int32(i)
	r.Take("/joint_states", m.ROSType(), cdr.Marshal(m))
}

// What is taken before the end is in the file, and a second recording does not overwrite the
// first.
func TestRecordings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "day.mcap")
	for i, name := range []string{"day.mcap", "day_2.mcap", "day_3.mcap"} {
		var told notes
		r, err := Start(file, told.tell)
		if err != nil || filepath.Base(r.Name()) != name {
			t.Fatalf("%v, %s", err, r.Name())
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.Run(ctx) }()
		for k := range 5 + i {
			take(r, k)
		}
		stop()
		if err := <-done; err != nil || told.all() != "" {
			t.Fatalf("%v, %s", err, told.all())
		}
		take(r, 99)
		got, err := rosbag.Load(t.Context(), r.Name(), rosbag.Options{})
		if err != nil || len(got) != 1 || got[0].Motion.Duration() != float64(4+i) {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
	}
}

// A node that is killed leaves what it said until a second before.
func TestKilledRecording(t *testing.T) {
	file := filepath.Join(t.TempDir(), "killed.mcap")
	r, err := Start(file, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	for k := range 4 {
		take(r, k)
	}
	deadline := time.Now().Add(20 * flushEvery)
	for {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(t.TempDir(), "copy.mcap")
		if err := os.WriteFile(copied, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := rosbag.Load(t.Context(), copied, rosbag.Options{})
		if err == nil && len(got) == 1 && got[0].Motion.Duration() == 3 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes: %v, %v", len(data), got, err)
		}
		time.Sleep(flushEvery / 10)
	}
	stop()
	<-done
}

// A disk that does not keep up costs messages, never the node's time, and is told.
func TestSlowDiskIsTold(t *testing.T) {
	var told notes
	r, err := Start(filepath.Join(t.TempDir(), "slow.mcap"), told.tell)
	if err != nil {
		t.Fatal(err)
	}
	m := &sensormsgs.JointState{}
	for range 3 { // nobody writes yet
		r.Take("/big", m.ROSType(), make([]byte, limit.RecordingQueueBytes/2))
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := r.Run(ctx); err != nil || !strings.Contains(told.all(), "are missing") {
		t.Errorf("%v, %q", err, told.all())
	}
}

// A file that cannot be written to ends the recording and not the node.
func TestErrorsEndTheRecording(t *testing.T) {
	var told notes
	r, err := Start(filepath.Join(t.TempDir(), "broken.mcap"), told.tell)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.file.Close(); err != nil {
		t.Fatal(err)
	}
	take(r, 1)
	if err := r.Run(t.Context()); err != nil || !strings.Contains(told.all(), "the recording has ended") {
		t.Errorf("%v, %q", err, told.all())
	}
	if _, err := Start(filepath.Join(t.TempDir(), "no", "folder.mcap"), nil); err == nil {
		t.Error("a folder that is not there")
	}
}

package rosbag

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
)

// What is recorded is read again as a motion, beside other topics.
func TestRecorder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.mcap")
	r, err := Create(file)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1700000000, 0)
	for i := range 101 {
		at := start.Add(time.Duration(i) * 20 * time.Millisecond)
		stamp := builtininterfaces.TimeOf(at)
		state := &sensormsgs.JointState{Header: stdmsgs.Header{Stamp: stamp}, Name: []string{"shoulder", "elbow"}, Position: []float64{0.01 * float64(i), 0}}
		if err := errors.Join(r.Message("/joint_states", state, at), r.Message("/firstcontact/verdict", &fcmsgs.Verdict{ID: "x", Status: fcmsgs.VerdictFree}, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Create(file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second recording there: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := Load(t.Context(), file, Options{})
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %d motions", err, len(got))
	}
	m := got[0].Motion
	if m.Duration() != 2 || math.Abs(m.At(1)[0]-0.5) > 1e-9 {
		t.Errorf("a motion of %g s, at %v after one", m.Duration(), m.At(1))
	}
}

package motionfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// FuzzMotionFile: what is read is a valid motion; the rest is an error.
func FuzzMotionFile(f *testing.F) {
	for _, s := range []string{
		echoed, displayed, walking,
		`{"joint_names": ["a"], "points": [{"positions": [0], "time_from_start": 0}, {"velocities": [1], "accelerations": [2], "time_from_start": 1}]}`,
		"time,a,root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw\n0,1,0,0,1,0,0,0,1\n2,2,4,0,1,0,0,0.6,0.8\n",
		`{"joint_names": ["a"], "points": [{"positions": [0], "velocities": [1], "time_from_start": {"secs": 1, "nsecs": 5}}]}`,
		"time,a,b\n0,1,2\n0.5,3,4\n", "1,2,3\n4,5,6\n", "seg 1 2 3 4 5 6\n",
		`{"joints": ["a"], "sets": {"s": [{"index": 1, "start": [0], "goal": [1], "objects": []}]}}`,
	} {
		f.Add([]byte(s), 0.0)
		f.Add([]byte(s), 60.0)
	}
	f.Fuzz(func(t *testing.T, data []byte, rate float64) {
		for _, opts := range []motionfile.Options{
			{Rate: rate},
			{Interpolation: "linear"},
			{Rate: rate, Joints: []string{"x", "_", "y"}, Start: map[string]float64{"x": 1, "y": 2}},
		} {
			loaded, err := motionfile.Parse("f", data, opts)
			if err != nil {
				if loaded != nil {
					t.Fatalf("an error (%v) with motions", err)
				}
				continue
			}
			if len(loaded) == 0 {
				t.Fatal("no motion and no error")
			}
			for _, l := range loaded {
				if err := l.Motion.Validate(); err != nil {
					t.Fatalf("invalid motion: %v", err)
				}
			}
		}
	})
}

// FuzzRecording: what is read of a recording is a valid motion that says what it assumes;
// the rest is an error.
func FuzzRecording(f *testing.F) {
	for _, file := range []string{"echo.yaml", "echo_flow.yaml", "echo.csv", "plotjuggler.csv", "plotjuggler_array.csv", "goal.yaml"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 600)]) // long texts leave time for few tries
	}
	f.Add([]byte("1,0,,a,b,0,1,,\n2,0,,a,b,3,nan,0,0,\n"))
	f.Add([]byte("{header: {stamp: {secs: 1, nsecs: 2}}, name: [a], position: [.inf]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opts := range []motionfile.Options{
			{},
			{Joints: []string{"shoulder", "elbow"}, MaxGap: 0.5, Continuous: map[string]bool{"shoulder": true, "elbow": false}},
			{Recording: true},
		} {
			loaded, err := motionfile.Parse("f", data, opts)
			if err != nil {
				if loaded != nil {
					t.Fatalf("an error (%v) with motions", err)
				}
				continue
			}
			for _, l := range loaded {
				if err := l.Motion.Validate(); err != nil {
					t.Fatalf("invalid motion: %v", err)
				}
				if l.Measured && l.Motion.Gaps[0].Kind != premise.BetweenSamples {
					t.Fatal("measured, and does not say so")
				}
			}
		}
	})
}

package motionfile_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
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

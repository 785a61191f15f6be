package motionfile_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// shared returns the folder of real data beside the repository, and skips the
// test where there is none.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no real data beside the repository: %v", err)
	}
	return path
}

// 25 clips of motion capture: 40,560 rows of 29 joints at 60 a second.
func TestG1Moves(t *testing.T) {
	dir := shared(t, "scenes", "g1_moves")
	text, err := os.ReadFile(filepath.Join(dir, "format.json"))
	if err != nil {
		t.Fatal(err)
	}
	var format struct {
		FPS     float64
		Columns []string
	}
	if err := json.Unmarshal(text, &format); err != nil {
		t.Fatal(err)
	}
	clips, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, clip := range clips {
		loaded, err := motionfile.Load(clip, motionfile.Options{Joints: format.Columns, Rate: format.FPS})
		if err != nil {
			t.Fatal(err)
		}
		m := loaded[0].Motion
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(m.Root) != len(m.Pieces) {
			t.Errorf("%s: %d of %d pieces move the root", clip, len(m.Root), len(m.Pieces))
		}
		for i, p := range m.Pieces {
			// Who dances stays within a room, on the feet, and turns no faster
			// than some ten turns a second.
			at := m.RootAt(p.Start).P
			if math.Hypot(at.X, at.Y) > 5 || at.Z < 0.2 || at.Z > 1.5 || geom.Norm(m.Root[i].Turn) > 60 {
				t.Fatalf("%s: the pelvis is at %v and turns by %v", clip, at, m.Root[i].Turn)
			}
		}
		n := len(m.Pieces) + 1
		rows += n
		if len(m.Joints) != 29 || m.Joints[0] != "left_hip_pitch_joint" || m.Joints[28] != "right_wrist_yaw_joint" {
			t.Errorf("%s: joints %v", clip, m.Joints)
		}
		if want := float64(n-1) / 60; math.Abs(m.Duration()-want) > 1e-9 {
			t.Errorf("%s: lasts %g s, want %g", clip, m.Duration(), want)
		}
	}
	if len(clips) != 25 || rows != 40560 {
		t.Errorf("%d clips of %d rows, want 25 of 40,560", len(clips), rows)
	}
}

func TestMotionBenchMaker(t *testing.T) {
	for robot, want := range map[string]int{"panda": 600, "ur5": 500, "baxter": 200} {
		loaded, err := motionfile.Load(shared(t, "scenes", "motionbenchmaker", robot+".json"), motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(loaded) != want {
			t.Errorf("%s: %d motions, want %d", robot, len(loaded), want)
		}
		for _, l := range loaded {
			if err := l.Motion.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	}
	one, err := motionfile.Load(shared(t, "scenes", "motionbenchmaker", "panda.json")+"#cage/7", motionfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(one) != 1 || one[0].Start["panda_finger_joint1"] != 0.065 {
		t.Errorf("%d motions, finger at %g", len(one), one[0].Start["panda_finger_joint1"])
	}
}

func TestCorpusSegments(t *testing.T) {
	joints := []string{"1", "2", "3", "4", "5", "6", "7"}
	for file, want := range map[string]int{"panda_shelf.local.segs": 300, "panda_shelf.long.segs": 200, "panda_pipes38k.local.segs": 300, "panda_pipes190k.local.segs": 300} {
		loaded, err := motionfile.Load(shared(t, "peers", "corpus", file), motionfile.Options{Joints: joints})
		if err != nil {
			t.Fatal(err)
		}
		if len(loaded) != want {
			t.Errorf("%s: %d segments, want %d", file, len(loaded), want)
		}
	}
}

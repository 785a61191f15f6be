package plausible_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func loadShared(t *testing.T, file string) *urdf.Robot {
	t.Helper()
	o := urdf.Options{}
	if srdf := strings.TrimSuffix(file, ".urdf") + ".srdf"; exists(srdf) {
		o.SRDF = srdf
	}
	r, err := urdf.Load(file, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// robotFindings are the findings about the shared robots; docs/plausibility.md gives the reason.
var robotFindings = map[string]string{"simple_humanoid.urdf": "link-without-shape"}

// Real robots with their own SRDFs trigger nothing else.
func TestSharedRobots(t *testing.T) {
	race.LeaveOut(t)
	files := sharedFiles(t, "robots/*/*.urdf", 28)
	for _, file := range files {
		name := filepath.Base(file)
		model := plausible.New(loadShared(t, file), nil)
		for _, f := range model.Findings() {
			if f.Name != robotFindings[name] {
				t.Errorf("%s: %s", name, f)
			}
		}
	}
}

// Nor do the planning problems, of which a tenth is tried unless FIRSTCONTACT_LONG is set.
func TestSharedProblems(t *testing.T) {
	race.LeaveOut(t)
	tried := 0
	for _, file := range sharedFiles(t, "scenes/motionbenchmaker/*.json", 3) {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		robot := loadShared(t, "../../shared/robots/"+name+"/"+name+".urdf")
		problems, err := scene.Problems(file)
		if err != nil {
			t.Fatal(err)
		}
		motions, err := motionfile.Load(file, motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		model := plausible.New(robot, nil)
		for i := 0; i < len(problems); i += step() {
			world, err := problems[i].Snapshot()
			if err != nil || motions[i].Motion.ID != problems[i].Name() {
				t.Fatalf("%s, %s: %v", motions[i].Motion.ID, problems[i].Name(), err)
			}
			tried++
			in := model.In(world)
			for _, f := range slices.Concat(in.Findings(), in.Motion(motions[i].Motion), in.State(motions[i].Start)) {
				t.Errorf("%s: %s", problems[i].Name(), f)
			}
		}
	}
	t.Logf("%d problems", tried)
}

// Nor do clips of motion capture.
func TestSharedClips(t *testing.T) {
	files := sharedFiles(t, "scenes/g1_moves/*.csv", 25)
	robot := loadShared(t, "../../shared/robots/g1/g1.urdf")
	joints := strings.Fields("root_x root_y root_z root_qx root_qy root_qz root_qw")
	for i := range robot.Joints {
		if robot.Joints[i].Type == urdf.Revolute {
			joints = append(joints, robot.Joints[i].Name)
		}
	}
	model := plausible.New(robot, nil)
	for i := 0; i < len(files); i += step() {
		motions, err := motionfile.Load(files[i], motionfile.Options{Joints: joints, Rate: 60})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range model.Motion(motions[0].Motion) {
			t.Errorf("%s: %s", filepath.Base(files[i]), f)
		}
	}
}

// sharedFiles lists files below ../shared, and skips the test where there are none.
func sharedFiles(t *testing.T, pattern string, want int) []string {
	t.Helper()
	files, err := filepath.Glob("../../shared/" + pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("../shared is not here")
	}
	if len(files) < want {
		t.Fatalf("%d files %s, want %d", len(files), pattern, want)
	}
	return files
}

// step is 1 where all problems and clips are tried.
func step() int {
	if switches.Long.Set() {
		return 1
	}
	return 10
}

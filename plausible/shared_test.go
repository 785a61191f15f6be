package plausible_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
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

func TestSharedRobots(t *testing.T) {
	files, _ := filepath.Glob("../../shared/robots/*/*.urdf")
	for _, file := range files {
		r := loadShared(t, file)
		for _, f := range plausible.New(r, nil).Findings() {
			t.Errorf("%s: %s", filepath.Base(file), f)
		}
	}
}

func TestSharedProblems(t *testing.T) {
	for _, name := range []string{"panda", "ur5", "baxter"} {
		r := loadShared(t, "../../shared/robots/"+name+"/"+name+".urdf")
		file := "../../shared/scenes/motionbenchmaker/" + name + ".json"
		problems, err := scene.Problems(file)
		if err != nil {
			t.Fatal(err)
		}
		worlds := map[string]*scene.Snapshot{}
		for i := range problems {
			if worlds[problems[i].Name()], err = problems[i].Snapshot(); err != nil {
				t.Fatal(err)
			}
		}
		motions, err := motionfile.Load(file, motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		model := plausible.New(r, nil)
		for i := range motions {
			m := motions[i].Motion
			in := model.In(worlds[m.ID])
			for _, f := range append(in.Findings(), in.Motion(m)...) {
				t.Errorf("%s: %s", m.ID, f)
			}
		}
		t.Log(name, len(motions), len(problems))
	}
}

func TestSharedClips(t *testing.T) {
	r := loadShared(t, "../../shared/robots/g1/g1.urdf")
	joints := strings.Fields("root_x root_y root_z root_qx root_qy root_qz root_qw")
	for i := range r.Joints {
		if r.Joints[i].Type == urdf.Revolute {
			joints = append(joints, r.Joints[i].Name)
		}
	}
	files, _ := filepath.Glob("../../shared/scenes/g1_moves/*.csv")
	model := plausible.New(r, nil)
	for _, file := range files {
		motions, err := motionfile.Load(file, motionfile.Options{Joints: joints, Rate: 60})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range model.Motion(motions[0].Motion) {
			t.Errorf("%s: %s", filepath.Base(file), f)
		}
	}
	t.Log(len(files))
	_ = motion.Free
}

//go:build cyclone

package live

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/browser"
	"github.com/firstcontact-ros/firstcontact/lab/cases"
	"github.com/firstcontact-ros/firstcontact/lab/product"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

const shared = cases.Shared + "/"

// robot is one that a node watches, among what is around it.
type robot struct {
	name, urdf, scene string
	args              []string
	joints            []string
	rows              [][]float64
}

// panda reaches into a shelf.
func panda(t *testing.T) robot {
	t.Helper()
	problem := cases.Problem(5)
	loaded, err := motionfile.Load(problem, motionfile.Options{})
	must(t, err)
	m := loaded[0].Motion
	r := robot{name: "panda", urdf: shared + "robots/panda/panda.urdf", scene: problem, joints: append([]string{"panda_finger_joint1"}, m.Joints...)}
	r.args = []string{"-p", "robot_description_semantic_file:=" + shared + "robots/panda/panda.srdf"}
	for i := range 120 {
		r.rows = append(r.rows, append([]float64{0.03}, m.At(float64(i)/119)...))
	}
	return r
}

// g1 moves its body in an apartment, where it stands still: a node's obstacles are relative to the
// root link, which is therefore one of the apartment.
func g1(t *testing.T) robot {
	t.Helper()
	folder, err := filepath.Abs(shared + "robots/g1")
	must(t, err)
	text, err := os.ReadFile(folder + "/g1.urdf")
	must(t, err)
	place := `<link name="apartment"/><joint name="place" type="fixed"><parent link="apartment"/><child link="pelvis"/><origin xyz="1 0.5 0.8"/></joint></robot>`
	file := filepath.Join(t.TempDir(), "g1.urdf")
	must(t, os.WriteFile(file, []byte(strings.NewReplacer(`filename="meshes/`, `filename="`+folder+`/meshes/`, "</robot>", place).Replace(string(text))), 0o644))
	r := robot{name: "g1", urdf: file, scene: shared + "scenes/iai_apartment/apartment.urdf"}
	var format struct{ Columns []string }
	text, err = os.ReadFile(shared + "scenes/g1_moves/format.json")
	must(t, err)
	must(t, json.Unmarshal(text, &format))
	f, err := os.Open(shared + "scenes/g1_moves/M_Move18.csv")
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must(t, err)
	const root = 7 // columns of the pose of the pelvis
	r.joints = format.Columns[root:]
	for _, line := range rows[:300] {
		var row []float64
		for _, cell := range line[root:] {
			x, err := strconv.ParseFloat(cell, 64)
			must(t, err)
			row = append(row, x)
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// Two robots more, as people have them: their pages show them, on a screen and on a phone.
func TestLiveViewOfRobots(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	if _, err := os.Stat(shared); err != nil {
		t.Skip(err)
	}
	program, err := product.Build()
	must(t, err)
	b, err := browser.Start()
	must(t, err)
	defer b.Close()
	for _, r := range []robot{panda(t), g1(t)} {
		t.Run(r.name, func(t *testing.T) {
			url, _, end := start(t, program, append([]string{
				"node", "--web", ":0", "--ros-args", "-p", "robot_description_file:=" + r.urdf, "-p", "scene:=" + r.scene, "-p", "joint_state_timeout:=2.0",
			}, r.args...)...)
			halt := move(t, r.joints, r.rows)
			defer halt()
			ctx, stop := context.WithTimeout(t.Context(), 4*time.Minute)
			defer stop()
			for _, width := range []int{1200, 390} {
				pageShowsTheRobot(t, ctx, b, fmt.Sprintf("live-%s-%d", r.name, width), url, width, 900)
			}
			halt()
			end()
		})
	}
}

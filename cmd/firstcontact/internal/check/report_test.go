package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// A report has the very objects that --json prints, one for each motion, those that cannot be
// read included.
func TestReportHasTheAnswers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	args := []string{
		"check", "--json", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml", "--clearance", "0.02", "--report", file,
		humanoid + "wave.csv", humanoid + "trajectory_free.yaml", humanoid + "missing.csv",
	}
	status, out, _ := command(t, "", args...)
	if status != cli.ExitBadInput {
		t.Fatalf("exit status %d: %s", status, out)
	}
	p := clitest.ReadReport(t, file)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(p.Motions) != 3 || len(lines) != 4 || p.Program != buildinfo.Version() {
		t.Fatalf("%d motions, %d lines, program %s", len(p.Motions), len(lines), p.Program)
	}
	for i := range p.Motions {
		var want map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &want); err != nil {
			t.Fatal(err)
		}
		if m := &p.Motions[i]; !reflect.DeepEqual(m.Answer, want) || m.Status != want["status"] || m.Headline == "" {
			t.Errorf("%s: the page has\n%v\n--json prints\n%v", m.Name, m.Answer, want)
		}
	}
	wave, free, missing := &p.Motions[0], &p.Motions[1], &p.Motions[2]
	if m := wave.Moments; len(m) != 2 || m[0].Kind != "contact" || m[1].Kind != "clearance" || !(m[1].Time < m[0].Time) || m[0].Witnesses[0].Pair != [2]string{"torso", "right_hand"} {
		t.Errorf("moments of wave.csv: %+v", m)
	}
	if free.Status != "clearance" || len(free.Moments) != 1 || free.Moments[0].Kind != "clearance" {
		t.Errorf("%s: %+v", free.Status, free.Moments)
	}
	if missing.Course != nil || missing.Status != "invalid" || !strings.Contains(missing.Headline, "no such file") {
		t.Errorf("missing.csv: %+v", missing)
	}
	if len(p.Scenes) != 1 || wave.Scene != 0 || len(p.Scenes[0].Objects) < 5 || len(p.Robot.Links) < 20 {
		t.Errorf("%d scenes, %d links", len(p.Scenes), len(p.Robot.Links))
	}
	if wave.Profile == nil || wave.PairsOf != 739 || len(wave.Proved) < 2 || len(wave.Rests) < 31 || len(wave.Warnings) == 0 {
		t.Errorf("wave.csv: %d pairs, proved %q, warnings %q", wave.PairsOf, wave.Proved, wave.Warnings)
	}
}

// The pairs of a report have bounds that the verdict agrees with.
func TestReportBoundsPairs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	status, out, _ := command(t, "", "check", "--json", "--min-clearance", "--robot", humanoid+"humanoid.urdf", "--srdf", humanoid+"humanoid.srdf", "--scene", humanoid+"obstacles.yaml",
		"--report", file, humanoid+"trajectory_free.yaml")
	if status != cli.ExitFree {
		t.Fatal(out)
	}
	var a struct {
		MinClearance struct {
			Lower, Upper float64
			Pair         [2]string
		} `json:"min_clearance"`
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	pairs := clitest.ReadReport(t, file).Motions[0].Pairs
	if len(pairs) < 10 || pairs[0].Pair != a.MinClearance.Pair {
		t.Fatalf("%d pairs, the first %+v", len(pairs), pairs[:1])
	}
	for i, p := range pairs {
		if i > 0 && p.Upper < pairs[i-1].Upper {
			t.Errorf("pair %d is closer than the one before", i)
		}
		if p.Lower == nil {
			continue
		}
		if !(*p.Lower <= p.Upper) || p.Upper-*p.Lower > 1.1e-3 || p.Upper < a.MinClearance.Lower {
			t.Errorf("%v: between %g and %g m, all pairs at least %g m", p.Pair, *p.Lower, p.Upper, a.MinClearance.Lower)
		}
	}
}

// What keeps a report from being written is said before the work, and leaves the verdict.
func TestReportThatCannotBeWritten(t *testing.T) {
	motion := []string{"--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", humanoid + "trajectory_free.yaml"}
	for name, want := range map[string]int{"report.svg": cli.ExitUsage, filepath.Join(t.TempDir(), "none", "report.html"): cli.ExitOutput} {
		if status, _, wrong := command(t, "", append([]string{"check", "--report", name}, motion...)...); status != want || !strings.Contains(wrong, "--report "+name) {
			t.Errorf("%s: exit status %d, want %d: %s", name, status, want, wrong)
		}
	}
}

// Every obstacle is drawn, of whatever kind and however many, and of what is drawn with less than is
// checked the page knows how much there is.
func TestReportDrawsEveryObstacle(t *testing.T) {
	folder := t.TempDir()
	var scene, points strings.Builder
	scene.WriteString("frame: pelvis\nobjects:\n")
	for i := range 1000 {
		fmt.Fprintf(&scene, "  - {id: box_%d, type: box, xyz: [%g, 2, 0], size: [0.01, 0.01, 0.01]}\n", i, float64(i)/50)
	}
	for i := range 20000 {
		fmt.Fprintf(&points, "2 %g %g\n", float64(i%100)/100, float64(i)/10000)
	}
	tree, err := filepath.Abs("../../../../internal/geometry/octomap/testdata/plain.bt")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&scene, "  - {id: scan, type: points, points: scan.xyz, radius: 0.005}\n  - {id: room, type: octree, octree: %s, xyz: [4, 0, 0], unknown_is_occupied: false}\n", tree)
	scene.WriteString("  - {id: stack, type: cells, cells: [[2, 0, 0, 2.1, 0.1, 0.1], [2, 0, 0.1, 2.1, 0.1, 0.3]]}\n")
	for name, text := range map[string]string{"scene.yaml": scene.String(), "scan.xyz": points.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(folder, "report.html")
	status, out, errs := command(t, "", "check", "--robot", humanoid+"humanoid.urdf", "--srdf", humanoid+"humanoid.srdf", "--scene", filepath.Join(folder, "scene.yaml"), "--report", file, humanoid+"trajectory_free.yaml")
	if status != 0 {
		t.Fatalf("exit status %d: %s%s", status, out, errs)
	}
	objects := clitest.ReadReport(t, file).Scenes[0].Objects
	of := map[string]int{}
	for i := range objects {
		o := &objects[i]
		if of[o.Name] = o.Mesh.Of; o.Mesh.Triangles.Count == 0 || o.Mesh.Of < o.Mesh.Triangles.Count/3 {
			t.Errorf("of %s %d triangles of %d are drawn", o.Name, o.Mesh.Triangles.Count/3, o.Mesh.Of)
		}
	}
	if len(objects) != 1003 || of["box_999"] != 12 || of["scan"] != 8*20000 || of["stack"] != 24 || of["room"] < 12 {
		t.Errorf("%d objects; a box of %d triangles, points of %d, cells of %d, an octree of %d", len(objects), of["box_999"], of["scan"], of["stack"], of["room"])
	}
	if info, err := os.Stat(file); err != nil || info.Size() > 2<<20 {
		t.Errorf("the page has %d bytes, %v", info.Size(), err)
	}
}

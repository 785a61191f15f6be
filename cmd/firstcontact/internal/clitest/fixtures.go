package clitest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Folding writes a URDF, and returns its file: an arm of three bars whose third lies on the first where
// the elbow is at 3; bars as long as given, by their size or by a mesh's scale.
func Folding(t *testing.T, size string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("<robot name='folding'>")
	for _, link := range []string{"base", "upper", "fore", "tool"} {
		b.WriteString("<link name='" + link + "'><collision><origin xyz='0.25 0 0'/><geometry><box size='" + size + "'/></geometry></collision></link>")
	}
	joint := func(name, parent, child, axis string) {
		b.WriteString("<joint name='" + name + "' type='revolute'><parent link='" + parent + "'/><child link='" + child +
			"'/><origin xyz='0.5 0 0'/><axis xyz='" + axis + "'/><limit lower='-3.1' upper='3.1' effort='1' velocity='1'/></joint>")
	}
	joint("shoulder", "base", "upper", "0 0 1")
	joint("elbow", "upper", "fore", "0 0 1")
	joint("wrist", "fore", "tool", "1 0 0")
	b.WriteString("</robot>")
	file := filepath.Join(t.TempDir(), "folding.urdf")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Sizes of the bars of Folding, motions of it, and a trajectory with an object that has no shape.
const (
	Metre = "0.4 0.1 0.1"

	WristTurns = "time,wrist\n0,0\n1,1\n"
	Late       = "joint_names: [shoulder, elbow, wrist]\npoints: [{positions: [0, 0, 0], time_from_start: 2}, {positions: [0, 0, 1], time_from_start: 3}]\n"
	Carrying   = "trajectory: [{joint_trajectory: {joint_names: [wrist], points: [{positions: [0], time_from_start: 0}, {positions: [1], time_from_start: 1}]}}]\n" +
		"trajectory_start: {joint_state: {name: [wrist], position: [0]}, attached_collision_objects: [{link_name: tool, object: {id: mug}}]}\n"
)

// ReportPage is what a report holds, as far as these tests look.
type ReportPage struct {
	Program string // and its version
	Robot   struct {
		Links []struct {
			Name string
			Mesh struct{ Of int }
		}
	}
	Scenes []struct {
		Objects []struct {
			Name string
			Mesh struct {
				Of        int
				Triangles struct{ Count int }
			}
		}
	}
	Motions []struct {
		Name, Status, Headline        string
		Proved, Rests, Open, Warnings []string
		Answer                        map[string]any
		Scene                         int
		Course, Profile               *json.RawMessage
		Moments                       []struct {
			Kind      string
			Time      float64
			Witnesses []struct{ Pair [2]string }
		}
		Pairs []struct {
			Pair        [2]string
			Lower       *float64
			Upper, Time float64
		}
		PairsOf int `json:"pairs_of"`
	}
}

// ReadReport reads the data of a report.
func ReadReport(t *testing.T, file string) (p ReportPage) {
	t.Helper()
	text, err := infile.Read(t.Context(), file, limit.DocumentBytes)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), `id="data">`)
	data, _, closed := strings.Cut(rest, "<")
	if !ok || !closed {
		t.Fatalf("%s has no data", file)
	}
	packed, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := infile.ReadAll(t.Context(), file, z, limit.DocumentBytes)
	if err != nil || string(plain[:4]) != "FCV1" {
		t.Fatalf("%q, %v", plain[:4], err)
	}
	if err := json.Unmarshal(plain[8:8+binary.LittleEndian.Uint32(plain[4:])], &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Picture reads a PNG file.
func Picture(t *testing.T, file string) image.Image {
	t.Helper()
	data, err := infile.Read(t.Context(), file, limit.DocumentBytes)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return img
}

package spheres

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// The trees and hulls of the humanoid as text, numbers and picture.
func TestSpheresRangeOfMotion(t *testing.T) {
	race.LeaveOut(t)
	args := []string{"spheres", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--range-of-motion"}
	code, out, errs := command(t, "", args...)
	if code != cli.ExitFree {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"hull of its range of motion", "in use", "head", "pairs of links proved apart", "take spheres by default"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	picture := func() string {
		file := filepath.Join(t.TempDir(), "hulls.svg")
		code, out, errs := command(t, "", append(args, "--json", "--picture", file)...)
		if code != cli.ExitFree {
			t.Fatalf("exit status %d\n%s%s", code, out, errs)
		}
		var doc struct {
			Spheres int `json:"spheres"`
			Hulls   int `json:"hulls"`
			InUse   int `json:"hulls_in_use"`
			Links   []struct {
				Spheres int `json:"spheres"`
				Hull    *struct {
					Radius float64 `json:"radius"`
				} `json:"hull"`
			} `json:"links"`
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		spheres := 0
		for _, l := range doc.Links {
			spheres += l.Spheres
			if l.Hull == nil || !(l.Hull.Radius > 0) {
				t.Errorf("a link without a hull: %+v", l)
			}
		}
		if spheres != doc.Spheres || doc.Hulls < doc.InUse || doc.InUse == 0 {
			t.Errorf("%d spheres of links, %+v", spheres, doc)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	one := picture()
	if one != picture() {
		t.Error("two pictures of one robot differ")
	}
	circles := 0
	d := xml.NewDecoder(strings.NewReader(one))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
			circles++
		}
	}
	if circles < 50 || !strings.Contains(one, "level 1: ") || !strings.Contains(one, "links beyond it") {
		t.Errorf("%d circles", circles)
	}
}

func TestSpheresRangeOfMotionUsage(t *testing.T) {
	for _, args := range [][]string{
		{"--range-of-motion", "--spheres", "4"},
		{"--range-of-motion", "--out", "a.yaml"},
		{"--range-of-motion", "--verify", "a.yaml"},
		{"--srdf", humanoid + "humanoid.srdf"},
	} {
		if code, out, errs := command(t, "", append([]string{"spheres", "--robot", humanoid + "humanoid.urdf"}, args...)...); code != cli.ExitUsage || out != "" {
			t.Errorf("%v: exit status %d\n%s%s", args, code, out, errs)
		}
	}
	code, _, errs := command(t, "", "spheres", "-q", "--robot", humanoid+"humanoid.urdf", "--srdf", "nowhere.srdf", "--range-of-motion")
	if code != cli.ExitBadInput || !strings.Contains(errs, "nowhere.srdf") {
		t.Errorf("exit status %d\n%s", code, errs)
	}
}

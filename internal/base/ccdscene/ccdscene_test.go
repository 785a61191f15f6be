package ccdscene_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/ccdscene"
)

const arm = `# an arm of one joint
ccdscene 1
link base - fixed 0 0 0.1 0 0 0  0 0 1  0 0 0   # the root
link arm base revolute 0 0 0.3 0 0 1.5  0 0 2  -1 1
body arm arm.stl 1 1 -1  0 0 0.2 0 0 0
env wall wall.obj 1 0 0 0 0 0.5
acm base arm
`

func TestParse(t *testing.T) {
	got, err := ccdscene.Parse("arm.scene", []byte(arm))
	if err != nil {
		t.Fatal(err)
	}
	want := &ccdscene.File{
		Links: []ccdscene.Link{
			{Line: 3, Name: "base", Parent: "-", Type: ccdscene.Fixed, XYZ: geom.Vec{Z: 0.1}, Axis: geom.Vec{Z: 1}},
			{Line: 4, Name: "arm", Parent: "base", Type: ccdscene.Revolute, XYZ: geom.Vec{Z: 0.3}, RPY: geom.Vec{Z: 1.5}, Axis: geom.Vec{Z: 2}, Lo: -1, Hi: 1},
		},
		Bodies: []ccdscene.Body{{Line: 5, Link: "arm", Mesh: "arm.stl", Scale: geom.Vec{X: 1, Y: 1, Z: -1}, XYZ: geom.Vec{Z: 0.2}}},
		Env:    []ccdscene.Env{{Line: 6, Name: "wall", Mesh: "wall.obj", XYZ: geom.Vec{X: 1}, RPY: geom.Vec{Z: 0.5}}},
		Allow:  [][2]string{{"base", "arm"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	if !ccdscene.Is([]byte(arm)) || ccdscene.Is([]byte("objects: []")) || ccdscene.AreSegments([]byte(arm)) {
		t.Error("Is or AreSegments is wrong about a scene")
	}
}

func TestParseErrors(t *testing.T) {
	head := "ccdscene 1\nlink base - fixed 0 0 0 0 0 0 0 0 1 0 0\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "# nothing\n", []string{"s: is empty", "ccdscene 1"}},
		{"no header", "link base - fixed\n", []string{"s:1", "must begin", "ccdscene 1"}},
		{"other version", "ccdscene 2\n", []string{"s:1", "ccdscene 1"}},
		{"unknown line", head + "mesh a b\n", []string{"s:3", "\"mesh\""}},
		{"segment", head + "seg 0 1\n", []string{"s:3", "segment"}},
		{"short link", head + "link arm base revolute 0 0\n", []string{"s:3", "3 names and 11 numbers"}},
		{"a number too many", head + "link arm base fixed 0 0 0 0 0 0 0 0 1 0 0 0\n", []string{"s:3", "11 numbers"}},
		{"NaN", head + "link arm base revolute 0 0 nan 0 0 0 0 0 1 0 0\n", []string{"s:3", "link arm", "\"nan\""}},
		{"overflow", head + "env a b 1e999 0 0 0 0 0\n", []string{"s:3", "object a", "finite"}},
		{"no such parent", head + "link arm bse fixed 0 0 0 0 0 0 0 0 1 0 0\n", []string{"link arm", "parent bse"}},
		{"second root", head + "link arm - fixed 0 0 0 0 0 0 0 0 1 0 0\n", []string{"link arm", "base is the root"}},
		{"moving root", "ccdscene 1\nlink base - revolute 0 0 0 0 0 0 0 0 1 0 1\n", []string{"link base", "root is fixed"}},
		{"link twice", head + "link base base fixed 0 0 0 0 0 0 0 0 1 0 0\n", []string{"link base", "twice"}},
		{"type", head + "link arm base continuous 0 0 0 0 0 0 0 0 1 0 0\n", []string{"link arm", "\"continuous\"", "use fixed"}},
		{"axis", head + "link arm base revolute 0 0 0 0 0 0 0 0 0 0 1\n", []string{"link arm", "axis"}},
		{"limits", head + "link arm base revolute 0 0 0 0 0 0 0 0 1 1 -1\n", []string{"link arm", "[1, -1]"}},
		{"body of no link", head + "body arm m.stl 1 1 1 0 0 0 0 0 0\n", []string{"s:3", "link arm"}},
		{"acm of one", head + "acm base\n", []string{"s:3", "acm", "2 names"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ccdscene.Parse("s", []byte(c.text))
			wantError(t, err, c.want)
		})
	}
}

func TestParseSegments(t *testing.T) {
	text := "# two\nseg 1 2 3 4\n\nseg 5 6 7 8\n"
	got, err := ccdscene.ParseSegments("s", []byte(text), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []ccdscene.Segment{
		{Line: 2, From: []float64{1, 2}, To: []float64{3, 4}},
		{Line: 4, From: []float64{5, 6}, To: []float64{7, 8}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	for _, c := range []struct {
		text   string
		joints int
		want   []string
	}{
		{text, 0, []string{"s:", "joints"}},
		{text, 3, []string{"s:2", "4 numbers", "take 6"}},
		{"", 1, []string{"no segments"}},
		{"seg 1 2\nlink a\n", 1, []string{"s:2", "\"link\""}},
		{"seg 1 +Inf\n", 1, []string{"s:1", "+Inf"}},
	} {
		_, err := ccdscene.ParseSegments("s", []byte(c.text), c.joints)
		wantError(t, err, c.want)
	}
}

func wantError(t *testing.T, err error, parts []string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func FuzzCCDScene(f *testing.F) {
	f.Add([]byte(arm))
	f.Add([]byte("seg 1 2 3 4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := ccdscene.Parse("s", data); err == nil {
			for _, l := range s.Links {
				if math.IsNaN(l.Lo + l.XYZ.X) {
					t.Fatalf("a NaN got through: %+v", l)
				}
			}
		}
		if segs, err := ccdscene.ParseSegments("s", data, 2); err == nil && len(segs[0].From)+len(segs[0].To) != 4 {
			t.Fatalf("segment of %d and %d numbers", len(segs[0].From), len(segs[0].To))
		}
	})
}

package check

import (
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// label is a text of a picture, and the box that it takes at least.
type label struct {
	text                     string
	left, right, top, bottom float64
}

// profileSVG is what the tests read of a picture: groups hold symbols only.
type profileSVG struct {
	Texts []struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Anchor string  `xml:"text-anchor,attr"`
		Text   string  `xml:",chardata"`
	} `xml:"text"`
	Paths []struct {
		ID   string `xml:"id,attr"`
		D    string `xml:"d,attr"`
		Fill string `xml:"fill,attr"`
	} `xml:"path"`
	Circles []struct {
		X float64 `xml:"cx,attr"`
		Y float64 `xml:"cy,attr"`
	} `xml:"circle"`
}

func (s *profileSVG) labels() (out []label) {
	const width, height = 6.6, 12 // of a letter, on average and at most
	for _, t := range s.Texts {
		wide := width * float64(len([]rune(t.Text)))
		l := label{t.Text, t.X, t.X + wide, t.Y - height, t.Y + 3}
		switch t.Anchor {
		case "end":
			l.left, l.right = t.X-wide, t.X
		case "middle":
			l.left, l.right = t.X-wide/2, t.X+wide/2
		}
		out = append(out, l)
	}
	return out
}

// drawn checks a motion, and reads the picture of its profile.
func drawn(t *testing.T, args ...string) (answer map[string]any, s *profileSVG) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.svg")
	_, out, errs := command(t, "", humanoidArgs(append(args, "--json", "--profile", file)...)...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err, errs)
	}
	s = new(profileSVG)
	if err := xml.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	return clitest.Objects(t, out)[0], s
}

// Words stand neither in the plot nor over each other, and end on the page.
func TestProfileWordsStandBesideTheCurve(t *testing.T) {
	race.LeaveOut(t)
	free, between := humanoid+"trajectory_free.yaml", humanoid+"trajectory_between.yaml"
	long := filepath.Join(t.TempDir(), strings.Repeat("a_long_name_", 15)+".yaml")
	text, err := os.ReadFile(free)
	if err == nil {
		err = os.WriteFile(long, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{free},
		{between},
		{"--clearance", "0.02", between},
		{"--clearance", "0.02", "--profile-max", "0.05", free},
		{"--clearance", "0.0002", free}, // its line lies on that of contact
		{"--deadline", "1ns", free},
		{long},
	} {
		_, s := drawn(t, args...)
		labels := s.labels()
		if len(labels) < 10 {
			t.Errorf("%v: %d labels", args, len(labels))
		}
		for i, a := range labels {
			if a.right > pictureLeft && a.left < pictureWidth-pictureRight && a.bottom > pictureTop && a.top < pictureHeight-pictureBottom {
				t.Errorf("%v: %q lies in the plot", args, a.text)
			}
			if a.left < 0 || a.right > pictureWidth || a.top < 0 || a.bottom > pictureHeight {
				t.Errorf("%v: %q leaves the page: %+v", args, a.text, a)
			}
			for _, b := range labels[:i] {
				if a.right > b.left && b.right > a.left && a.bottom > b.top+1 && b.bottom > a.top+1 {
					t.Errorf("%v: %q lies over %q", args, a.text, b.text)
				}
			}
		}
	}
}

// The contact is marked at the time that the answer gives, and the lines at their distances.
func TestProfileMarksTheAnswer(t *testing.T) {
	for _, tc := range []struct {
		args   []string
		end    float64 // of the motion
		status string
		says   []string
	}{
		{[]string{"--clearance", "0.02", humanoid + "trajectory_between.yaml"}, 2.1, "contact", []string{
			"Smallest distance during trajectory_between.yaml", "left_hand and post", "first contact", "touching", "contact", "clearance 20.00 mm",
		}},
		{[]string{"--clearance", "0.02", humanoid + "trajectory_free.yaml"}, 8.5, "clearance", []string{"right_hand and handle", "clearance violated"}},
		{[]string{humanoid + "trajectory_free.yaml"}, 8.5, "free", []string{"FREE, closest: ", "contact"}},
	} {
		answer, s := drawn(t, tc.args...)
		if answer["status"] != tc.status {
			t.Fatalf("%v: %v", tc.args, answer["status"])
		}
		var all []string
		for _, l := range s.labels() {
			all = append(all, l.text)
		}
		for _, want := range tc.says {
			if !strings.Contains(strings.Join(all, "\n"), want) {
				t.Errorf("%v: nothing says %q in %q", tc.args, want, all)
			}
		}
		if len(s.Circles) != 1 {
			t.Fatalf("%v: %d marks", tc.args, len(s.Circles))
		}
		toc, ok := answer["toc"].([]any)
		if !ok {
			continue
		}
		c := chart{end: tc.end}
		want := c.x(toc[1].(float64))
		var x float64
		for _, p := range s.Paths {
			if p.ID == "mark" {
				_, _ = fmt.Sscanf(p.D, "M%f", &x)
			}
		}
		if math.Abs(x-want) > 0.01 || math.Abs(s.Circles[0].X-want) > 0.01 {
			t.Errorf("%v: marked at x = %g and %g, the answer is at %g", tc.args, x, s.Circles[0].X, want)
		}
		if tc.status == "contact" {
			if bottom := pictureHeight - pictureBottom; s.Circles[0].Y != bottom {
				t.Errorf("%v: contact is marked at y = %g, 0 is at %g", tc.args, s.Circles[0].Y, bottom)
			}
			touching(t, s, want)
		}
	}
}

// touching fails where the curve touches 0 before the mark, or well after it.
func touching(t *testing.T, s *profileSVG, mark float64) {
	t.Helper()
	first := math.Inf(1)
	for _, p := range s.Paths {
		if p.Fill == colourTouching {
			var x float64
			_, _ = fmt.Sscanf(p.D, "M%f", &x)
			first = math.Min(first, x)
		}
	}
	if !(math.Abs(first-mark) < 3) {
		t.Errorf("touches from x = %g on, and the mark is at %g", first, mark)
	}
}

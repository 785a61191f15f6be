package playground

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/browser"
	"github.com/firstcontact-ros/firstcontact/lab/cases"
)

// robot is what is dropped of a robot, and the same for the command.
type robot struct {
	name    string
	drop    []string
	roles   map[string]string // of files that the page guesses otherwise
	command []string
}

// robots are those of people: three with the humanoid of the examples.
func robots(t *testing.T) []robot {
	t.Helper()
	folder := t.TempDir()
	shared, err := filepath.Abs(cases.Shared)
	must(t, err)
	walk, err := cases.Walk(folder, "walk.csv", 420)
	must(t, err)
	reach, err := cases.Reach(folder, "reach.csv", 1, 1)
	must(t, err)
	panda, shelf := shared+"/robots/panda", shared+"/scenes/motionbenchmaker/moveit_yaml/bookshelf_small_panda/scene0001.yaml"
	g1, apartment := shared+"/robots/g1", shared+"/scenes/iai_apartment"
	humanoid, err := filepath.Abs("../../testdata/humanoid")
	must(t, err)
	return []robot{
		{
			name: "humanoid", drop: []string{humanoid + "/humanoid.urdf", humanoid + "/humanoid.srdf", humanoid + "/humanoid_description", humanoid + "/obstacles.yaml", humanoid + "/wave.csv"},
			command: []string{"--robot", humanoid + "/humanoid.urdf", "--srdf", humanoid + "/humanoid.srdf", "--scene", humanoid + "/obstacles.yaml", humanoid + "/wave.csv"},
		},
		{
			name: "panda", drop: []string{panda, shelf, reach},
			command: []string{"--robot", panda + "/panda.urdf", "--srdf", panda + "/panda.srdf", "--scene", shelf, reach},
		},
		{
			name: "g1", drop: []string{g1 + "/g1.urdf", g1 + "/meshes", apartment, walk},
			roles:   map[string]string{"iai_apartment/apartment.urdf": "scene", "iai_apartment/apartment_hires.urdf": "other"},
			command: []string{"--robot", g1 + "/g1.urdf", "--scene", apartment + "/apartment.urdf", walk},
		},
	}
}

// Robots are dropped as people have them, and checked with the keyboard on a phone's width: the
// answer is the command's, and the report draws it, goes to the start and back to the contact.
func TestDroppedRobots(t *testing.T) {
	program, err := filepath.Abs("../../bin/firstcontact")
	must(t, err)
	for _, path := range []string{program, cases.Shared} {
		if _, err := os.Stat(path); err != nil {
			t.Skip(err)
		}
	}
	for _, r := range robots(t) {
		t.Run(r.name, func(t *testing.T) {
			// The page has one thread. Threads that share a motion search each piece anew, so that the
			// last digits of a witness may differ.
			out, err := exec.Command(program, append([]string{"check", "--quiet", "--jobs", "1"}, r.command...)...).Output()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			want := strings.Split(string(out), "\n")
			if len(want) < 3 || !strings.Contains(want[0], "CONTACT") {
				t.Fatalf("the command answers %q", want)
			}
			ctx, p := open(t, 390, 844)
			dropped(t, ctx, p, r.drop...)
			for file, role := range r.roles {
				choice := fmt.Sprintf("document.querySelector(%q)", fmt.Sprintf("select[aria-label=%q]", "What "+file+" is"))
				must(t, p.Wait(ctx, choice))
				must(t, p.Eval(ctx, fmt.Sprintf("((e) => { e.value = %q; e.dispatchEvent(new Event('change')) })(%s)", role, choice), nil))
			}
			must(t, p.Wait(ctx, "!document.getElementById('check').disabled"))
			must(t, p.Eval(ctx, "document.getElementById('check').focus()", nil))
			must(t, p.Press(ctx, "Enter", 0))
			must(t, p.Wait(ctx, "!document.getElementById('result').hidden"))
			for _, line := range want[:3] { // the verdict, what is proved, the witness
				if got := text(t, ctx, p, "out"); !strings.Contains(got, line) {
					t.Errorf("%q is not in the answer %q", line, got)
				}
			}
			if share := drawn(t, ctx, p, "playground-"+r.name); share < 0.005 {
				t.Errorf("%.2f %% of the picture are bodies", 100*share)
			}
			reportByKeyboard(t, ctx, p, "playground-"+r.name)
		})
	}
}

// reportByKeyboard presses keys in the frame of the report, which no script of the page can look
// into, and compares pictures.
func reportByKeyboard(t *testing.T, ctx context.Context, p *browser.Page, name string) {
	t.Helper()
	must(t, p.Eval(ctx, "document.getElementById('report').focus()", nil))
	after := func(key string) image.Image {
		must(t, p.Press(ctx, key, 0))
		time.Sleep(1500 * time.Millisecond)
		m, err := p.Screenshot(ctx, false)
		must(t, err)
		return m
	}
	contact := after("c")
	start := after("Home")
	keep(t, name+"-start", start)
	again := after("c")
	if n := differing(contact, start); n < 1000 {
		t.Errorf("start and contact differ in %d pixels", n)
	}
	if n := differing(contact, again); n > 100 {
		t.Errorf("back at the contact %d pixels differ", n)
	}
	must(t, p.Press(ctx, "Home", 0))
	must(t, p.Press(ctx, " ", 0)) // plays
	if n := differing(start, after("w")); n < 500 {
		t.Errorf("playing differs from the start in %d pixels", n)
	}
}

// differing counts the pixels that are clearly not the same.
func differing(a, b image.Image) (n int) {
	box := a.Bounds()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0x1800 }
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b1, _ := a.At(x, y).RGBA()
			s, h, b2, _ := b.At(x, y).RGBA()
			if far(r, s) || far(g, h) || far(b1, b2) {
				n++
			}
		}
	}
	return n
}

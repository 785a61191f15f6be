package spheres

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// mixed is a robot with every shape, a link of several, and one without any.
const mixed = "../../../../testdata/spheres/mixed.urdf"

// spheresOf runs the command on mixed and returns the YAML file it wrote.
func spheresOf(t *testing.T, args ...string) (file, out string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "spheres.yaml")
	args = append([]string{"spheres", "-q", "--robot", mixed, "--spheres", "4", "--samples", "500", "--out", file}, args...)
	if !slices.Contains(args, "--strategy") {
		args = append(args, "--strategy", "clusters")
	}
	code, out, errs := command(t, "", args...)
	if code != cli.ExitFree {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	return file, out
}

func changed(t *testing.T, file, old, by string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q", file, old)
	}
	other := filepath.Join(t.TempDir(), "changed.yaml")
	if err := os.WriteFile(other, []byte(strings.Replace(string(data), old, by, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

// What is written is verified; less is refused with a point, and nothing else passes
// for it.
func TestSpheresAreVerified(t *testing.T) {
	file, out := spheresOf(t)
	for _, want := range []string{"mixed: PROVED: all of each link is inside its spheres", "foot", "arm", "tray", "not closed"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table does not say %q:\n%s", want, out)
		}
	}
	set, err := readSpheres(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	arm := set.spheres["arm"][0]
	smaller := changed(t, file, "radius: "+exact(arm.Radius), "radius: "+exact(0.98*arm.Radius))
	foreign := filepath.Join(t.TempDir(), "foreign.yml")
	if err := os.WriteFile(foreign, []byte("robot_cfg: {kinematics: {base_link: foot, collision_spheres: {foot: [{center: [0, 0, 0], radius: 1}], attached_object: [{center: [0, 0, 0], radius: -1}]}}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	padded, _ := spheresOf(t, "--padding", "0.01")
	for _, c := range []struct {
		name string
		args []string
		want int
		says string
	}{
		{"as written", []string{"--verify", file}, cli.ExitFree, "VERIFIED: all of each link is inside the spheres (4 links)"},
		{"one radius less", []string{"--verify", smaller}, cli.ExitContact, "outside all spheres, by"},
		{"one link of it", []string{"--verify", file, "--link", "arm"}, cli.ExitFree, "(1 links)"},
		{"grown, which it is not", []string{"--verify", file, "--padding", "0.01"}, cli.ExitContact, "UNCOVERED"},
		{"grown", []string{"--verify", padded}, cli.ExitFree, "grown by 10.00 mm"},
		{"grown by more", []string{"--verify", padded, "--padding", "0.011"}, cli.ExitContact, "REFUSED: "},
		{"from elsewhere", []string{"--verify", foreign, "--link", "foot"}, cli.ExitFree, "does not say which robot"},
		{"without spheres for some", []string{"--verify", foreign}, cli.ExitContact, "the file has no spheres for it"},
		{"of another robot", []string{"--verify", changed(t, file, "robot_sha256: \"", "robot_sha256: \"0")}, cli.ExitBadInput, "another robot"},
		{"an unknown key", []string{"--verify", changed(t, file, "      radius:", "      diameter:")}, cli.ExitBadInput, "diameter"},
		{"no number", []string{"--verify", changed(t, file, "radius: ", "radius: .nan # ")}, cli.ExitBadInput, "finite"},
		{"two numbers", []string{"--verify", changed(t, file, "center: [", "center: [1, ")}, cli.ExitBadInput, "center has 4 numbers"},
		{"no file", []string{"--verify", "nowhere.yaml"}, cli.ExitBadInput, "nowhere.yaml"},
		{"nothing about spheres", []string{"--verify", "../../../../testdata/humanoid/pairs.yaml"}, cli.ExitBadInput, "pairs.yaml"},
	} {
		code, out, errs := command(t, "", append([]string{"spheres", "--robot", mixed}, c.args...)...)
		if code != c.want || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: exit status %d, want %d, and %q\n%s%s", c.name, code, c.want, c.says, out, errs)
		}
	}
}

func TestSpheresUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"--spheres", "3", "--excess", "0.1"}, cli.ExitUsage, "contradict"},
		{[]string{"--spheres", "-1"}, cli.ExitUsage, "--spheres -1"},
		{[]string{"--excess", "nan"}, cli.ExitUsage, "--excess NaN"},
		{[]string{"--padding", "-1"}, cli.ExitUsage, "--padding"},
		{[]string{"--strategy", "magic"}, cli.ExitUsage, "medial"},
		{[]string{"--out", "a.txt"}, cli.ExitUsage, "a.txt"},
		{[]string{"--verify", "a.yaml", "--out", "b.yaml"}, cli.ExitUsage, "--verify"},
		{[]string{"--total", "2"}, cli.ExitBadInput, "4 links"},
		{[]string{"--link", "nobody"}, cli.ExitBadInput, "nobody"},
		{[]string{"--link", "bare"}, cli.ExitBadInput, "bare"},
		{[]string{"--link", "foot", "--out", "/nonexistent/a.yaml"}, cli.ExitOutput, "nonexistent"},
		{[]string{"extra"}, cli.ExitUsage, "extra"},
		{[]string{"--help"}, cli.ExitFree, "that they contain all of it"},
	} {
		code, out, errs := command(t, "", append([]string{"spheres", "--robot", mixed, "--samples", "0"}, c.args...)...)
		if code != c.want || !strings.Contains(out+errs, c.says) {
			t.Errorf("%v: exit status %d, want %d, and %q\n%s%s", c.args, code, c.want, c.says, out, errs)
		}
	}
	if code, _, errs := command(t, "", "spheres"); code != cli.ExitUsage || !strings.Contains(errs, "--robot is needed") {
		t.Errorf("without a robot: %d %s", code, errs)
	}
}

// The robot with spheres in the place of its shapes is one that the rest reads; what
// is not collision geometry stays as it was.
func TestSpheresAsURDF(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spheres.urdf")
	_, _ = spheresOf(t, "--out", file, "--link", "foot", "--link", "arm")
	with, err := urdf.Load(file, urdf.Options{Packages: map[string]string{"made_here": "../../../../testdata/spheres/made_here"}})
	if err != nil {
		t.Fatal(err)
	}
	was, err := urdf.Load(mixed, urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range was.Links {
		l := &with.Links[i]
		for _, c := range l.Collisions {
			switch spheres := c.Shape.Kind.String() == "sphere"; l.Name {
			case "foot", "arm":
				if !spheres {
					t.Errorf("%s has a %v", l.Name, c.Shape.Kind)
				}
			default:
				if spheres {
					t.Errorf("%s has a sphere", l.Name)
				}
			}
		}
	}
	if len(with.Joints) != len(was.Joints) || with.Joints[1].Limit != was.Joints[1].Limit {
		t.Error("the joints are others")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{"<!-- what the eye sees stays -->", `<color rgba="0.2 0.4 0.6 1"/>`, "<visual>"} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("%s is gone", kept)
		}
	}
	code, out, errs := command(t, "time,turn\n0,0\n1,0.5\n", "check", "-q", "--robot", file, "--package", "made_here=../../../../testdata/spheres/made_here", "--allow", "foot:arm", "--allow", "arm:tray", "--allow", "foot:tray", "--allow", "tip:arm", "--allow", "tip:tray", "-")
	if code != cli.ExitFree {
		t.Errorf("check: exit status %d\n%s%s", code, out, errs)
	}
}

// The same seed writes the same file, however many links are worked on at once.
func TestSpheresAreDeterministic(t *testing.T) {
	strategy := "best"
	if race.Enabled {
		strategy = "clusters"
	}
	a, _ := spheresOf(t, "-j", "1", "--strategy", strategy)
	b, _ := spheresOf(t, "-j", "4", "--strategy", strategy)
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		t.Error("two runs differ")
	}
}

// --excess is kept, --total too, and JSON says what the table says.
func TestSpheresCounts(t *testing.T) {
	race.LeaveOut(t)
	var set Set
	run := func(args ...string) {
		t.Helper()
		code, out, errs := command(t, "", append([]string{"spheres", "-q", "--json", "--robot", mixed, "--samples", "0"}, args...)...)
		if code != cli.ExitFree {
			t.Fatalf("%v: %d %s", args, code, errs)
		}
		set = Set{}
		if err := json.Unmarshal([]byte(out), &set); err != nil {
			t.Fatal(err)
		}
	}
	run("--excess", "0.08", "--strategy", "medial", "--link", "foot", "--link", "tip")
	for _, l := range set.Links {
		if l.Excess[1] > 0.08 || l.Excess[0] > l.Excess[1] || len(l.Spheres) == 0 {
			t.Errorf("%s sticks out by %v with %d spheres", l.Link, l.Excess, len(l.Spheres))
		}
	}
	run("--total", "12", "--strategy", "clusters")
	n := 0
	for _, l := range set.Links {
		n += len(l.Spheres)
	}
	if n > 12 || len(set.Links) != 4 || set.Covers != "solid" || len(set.Digest) != 64 {
		t.Errorf("%d spheres for %d links: %+v", n, len(set.Links), set)
	}
	run("--surface", "--spheres", "2", "--link", "arm")
	if set.Covers != "surface" {
		t.Errorf("it covers the %s", set.Covers)
	}
}

// The picture is well-formed, and shows each link and sphere three times.
func TestSpheresPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spheres.svg")
	yaml, _ := spheresOf(t, "--picture", file)
	set, err := readSpheres(t.Context(), yaml)
	if err != nil {
		t.Fatal(err)
	}
	spheres := 0
	for _, list := range set.spheres {
		spheres += len(list)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	circles, outlines := 0, 0
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			switch e.Name.Local {
			case "circle":
				circles++
			case "path":
				if attribute(e, "fill-rule") != "" {
					outlines++
					if len(attribute(e, "d")) < 10 {
						t.Error("an outline is empty")
					}
				}
			}
		}
	}
	if circles != 3*spheres || outlines != 3*4 {
		t.Errorf("%d circles and %d outlines for %d spheres and 4 links", circles, outlines, spheres)
	}
}

// Padding is never less than asked for, nor radii less than proved.
func TestPaddingRoundsOutward(t *testing.T) {
	for _, r := range []float64{0.1, 1.0 / 3, 1e-9, 12345.678} {
		for _, p := range []float64{0, 0.1, 1e-3, 1e-17} {
			w := padded(r, p)
			if w < r || w-r < p*(1-1e-9)-1e-12*r {
				t.Errorf("%g padded by %g is %g", r, p, w)
			}
			if back := unpadded([]sphere{{Radius: w}}, p)[0].Radius; back < r*(1-1e-15)-p*0x1p-52 || back > r*(1+1e-15)+p*0x1p-52 {
				t.Errorf("%g padded by %g is %g, and back %g", r, p, w, back)
			}
		}
	}
}

// Reading any file ends in spheres or an error; numbers survive.
func FuzzSpheresFile(f *testing.F) {
	f.Add("collision_spheres:\n  a:\n    - center: [0, 1, 2]\n      \"radius\": 0.5\nfirstcontact: {robot_sha256: ab, padding: 0.1}\n")
	f.Add("robot_cfg: {kinematics: {collision_spheres: {}}}")
	f.Add("collision_spheres: {a: [{center: [1, 2], radius: x}]}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSpheres("f", []byte(text))
		if err != nil {
			return
		}
		for _, list := range s.spheres {
			for _, b := range list {
				for _, x := range [...]float64{b.Center[0], b.Center[1], b.Center[2], b.Radius} {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatalf("%q has the number %g", text, x)
					}
				}
			}
		}
	})
}

// Names and numbers are written as YAML 1.1 and 1.2 read them back.
func TestSpheresFileReadsBack(t *testing.T) {
	set := &Set{Robot: "no: robot", Digest: "00", Covers: "solid", Padding: 1e-7}
	for _, name := range []string{"a", "left/arm: 3", "null", "1e5", "ärm", "a-b_c", "\"q\""} {
		set.Links = append(set.Links, coveredLink{Link: name, Spheres: []sphere{{[3]float64{1e-20, -5, 1e21}, 0.1 + 0.2}, {[3]float64{}, 3}}})
	}
	var b bytes.Buffer
	if err := set.writeYAML(&b); err != nil {
		t.Fatal(err)
	}
	got, err := parseSpheres("f", b.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if got.digest != "00" || got.padding != 1e-7 || got.robot != "no: robot" || len(got.links) != len(set.Links) {
		t.Errorf("%+v", got)
	}
	for _, l := range set.Links {
		if list := got.spheres[l.Link]; len(list) != 2 || list[0] != l.Spheres[0] || list[1] != l.Spheres[1] {
			t.Errorf("%s: %v", l.Link, list)
		}
	}
	for x, want := range map[float64]string{1e-5: "1.0e-05", 1e21: "1.0e+21", 3: "3.0", 0.25: "0.25", -1.5e-9: "-1.5e-09"} {
		if got := exact(x); got != want {
			t.Errorf("%g is written %s", x, got)
		}
	}
}

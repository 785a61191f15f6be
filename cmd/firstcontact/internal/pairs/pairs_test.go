package pairs

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const lever = "../../../../testdata/pairs/lever"

func leverArgs(more ...string) []string {
	return append([]string{"pairs", "-q", "--no-cache", "-j", "1", "--robot", lever + ".urdf"}, more...)
}

// What people are told of the lever, word for word but for the figures that the
// search for witnesses picks.
func TestPairsText(t *testing.T) {
	code, out, errs := command(t, "", leverArgs("--srdf", lever+".srdf", "--list", "never,always,sometimes,undecided")...)
	if code != cli.ExitContact || errs != "" {
		t.Errorf("exit status %d, standard error %q", code, errs)
	}
	out = regexp.MustCompile(`[0-9.]+ mm|[0-9.]+ s\n|=-?[0-9.]+`).ReplaceAllString(out, "N\n")
	out = regexp.MustCompile(`N\n(deep| deep|,|\S)`).ReplaceAllString(out, "N$1")
	want := `lever: 6 pairs of links: 3 never, 1 always, 2 sometimes, 0 undecided, N
            1  2  3   . never  # always  x sometimes  ? undecided
   1  base
   2  arm   #
   3  hand  x  x
   4  lamp  .  .  .
sometimes  base, hand  N deep at shoulderN,elbowN

sometimes  arm, hand   N deep at elbowN

always     base, arm  a point of one stays inside the other
never      base, lamp  no joint between
never      arm, lamp   range of motion
never      hand, lamp  range of motion
audit of the SRDF, 2 disabled pairs: 3 faults: 1 hidden, 1 noisy, 1 false reasons; 0 unproven, 2 wasted, 1 of unknown links
hidden: base, hand ("Never"): it is said that they never touch, and they do: N deep at shoulderN,elbowN

noisy: base, arm: it is checked, and the links touch at every configuration: N deep at shoulderN

false reason: hand, lamp ("Always"): it is said that they touch, and they never do
wasted: base, lamp: it is checked, and the links can never touch
wasted: arm, lamp: it is checked, and the links can never touch
unknown link: base, gripper ("Never"): the robot has no link gripper
`
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPairsExitStatuses(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "no", "such", "folder")
	for _, tc := range []struct {
		name string
		args []string
		want int
		says string
	}{
		{"no SRDF, all decided", leverArgs(), cli.ExitFree, "3 never"},
		{"faults", leverArgs("--srdf", lever+".srdf"), cli.ExitContact, "hidden: base, hand"},
		{"undecided", leverArgs("--deadline", "1ns"), cli.ExitUndecided, "the deadline of 1ns passed"},
		{"a pair", leverArgs("--pair", "lamp:hand", "--list", "never"), cli.ExitFree, "never      hand, lamp"},
		{"a clearance", leverArgs("--clearance", "3", "--pair", "lamp:hand"), cli.ExitFree, "no farther apart than 3.000 m"},
		{"no such link", leverArgs("--pair", "lamp:wrist"), cli.ExitBadInput, "no link wrist"},
		{"half a pair", leverArgs("--pair", "lamp"), cli.ExitUsage, "A:B"},
		{"an argument", leverArgs("lamp:hand"), cli.ExitUsage, "--pair A:B"},
		{"no robot", []string{"pairs"}, cli.ExitUsage, "--robot is needed"},
		{"a robot that is not there", []string{"pairs", "--robot", nowhere}, cli.ExitBadInput, nowhere},
		{"disabling what touches sometimes", leverArgs("--disable", "sometimes"), cli.ExitUsage, "must be checked"},
		{"a kind that is none", leverArgs("--list", "rarely"), cli.ExitUsage, "rarely"},
		{"a picture that is none", leverArgs("--picture", "a.png"), cli.ExitUsage, ".svg or .html"},
		{"no budget", leverArgs("--budget", "0"), cli.ExitUsage, "--budget 0"},
		{"a clearance that is none", leverArgs("--clearance", "-1"), cli.ExitUsage, "--clearance -1"},
		{"a picture nowhere", leverArgs("--picture", nowhere+".svg"), cli.ExitOutput, nowhere},
		{"an SRDF nowhere", leverArgs("--write-srdf", nowhere+".srdf"), cli.ExitOutput, nowhere},
		{"an SRDF of some pairs", leverArgs("--write-srdf", "x", "--pair", "lamp:hand"), cli.ExitUsage, "all pairs"},
		{"a file nowhere", leverArgs("--file", nowhere), cli.ExitOutput, nowhere},
		{"help", []string{"pairs", "--help"}, cli.ExitFree, "proofs over all configurations"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := command(t, "", tc.args...)
			if code != tc.want || !strings.Contains(out+errs, tc.says) {
				t.Errorf("exit status %d, want %d and %q\n%s%s", code, tc.want, tc.says, out, errs)
			}
		})
	}
}

// The keys of --json are an interface: scripts depend on them.
func TestPairsJSON(t *testing.T) {
	_, out, _ := command(t, "", leverArgs("--srdf", lever+".srdf", "--json")...)
	var got struct {
		Robot  string
		Counts map[string]int
		Pairs  []struct {
			A, B, Meets string
			Joints      []string
			Witness     map[string]float64
			Confirmed   bool
			Depth       float64
		}
		Audit []struct {
			Kind, A, B, Reason string
			Fault, Confirmed   bool
			Witness            map[string]float64
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"never": 3, "always": 1, "sometimes": 2, "undecided": 0}, got.Counts); diff != "" || got.Robot != "lever" {
		t.Errorf("%s: %s", got.Robot, diff)
	}
	for _, p := range got.Pairs {
		if p.Meets == "sometimes" && (!p.Confirmed || len(p.Witness) != len(p.Joints) || p.Depth <= 0) {
			t.Errorf("%+v", p)
		}
	}
	var kinds []string
	for _, f := range got.Audit {
		kinds = append(kinds, f.Kind)
		if f.Kind == "hidden" && (!f.Fault || !f.Confirmed || f.Witness["elbow"] == 0 || f.Reason != "Never") {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff([]string{"hidden", "noisy", "false reason", "wasted", "wasted", "unknown link"}, kinds); diff != "" {
		t.Error(diff)
	}
}

// The SRDF that is written disables the proved pairs, keeps the rest, and has no faults.
func TestPairsWriteSRDF(t *testing.T) {
	dir := t.TempDir()
	given, err := os.ReadFile(lever + ".srdf")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "proved.srdf")
	if code, _, errs := command(t, "", leverArgs("--srdf", lever+".srdf", "--write-srdf", out)...); code != cli.ExitContact {
		t.Fatalf("exit status %d\n%s", code, errs)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(given), "\n") {
		if kept := strings.Contains(string(text), line); kept == (strings.Contains(line, "disable_") && !strings.Contains(line, "gripper")) {
			t.Errorf("kept %v: %s", kept, line)
		}
	}
	robot, err := urdf.Load(lever+".urdf", urdf.Options{SRDF: out})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range robot.Semantic.Disabled {
		got = append(got, robot.Links[d.A].Name+" "+robot.Links[d.B].Name+" "+d.Reason)
	}
	if diff := cmp.Diff([]string{"base arm Adjacent", "base lamp Never", "arm lamp Never", "hand lamp Never"}, got); diff != "" {
		t.Error(diff)
	}
	code, said, _ := command(t, "", leverArgs("--srdf", out)...)
	if code != cli.ExitFree || !strings.Contains(said, "0 faults") || !strings.Contains(said, "0 wasted") {
		t.Errorf("its own audit: exit status %d\n%s", code, said)
	}
	bare, more := filepath.Join(dir, "bare.srdf"), filepath.Join(dir, "more.srdf")
	command(t, "", leverArgs("--write-srdf", bare, "--disable", "always")...)
	command(t, "", leverArgs("--write-srdf", more, "--disable", "adjacent")...)
	for file, want := range map[string]int{bare: 1, more: 3} {
		robot, err := urdf.Load(lever+".urdf", urdf.Options{SRDF: file})
		if err != nil || len(robot.Semantic.Disabled) != want {
			t.Errorf("%s: %v, %+v", file, err, robot.Semantic)
		}
	}
}

// Decisions are kept when a run is cut short, and not asked for again.
func TestPairsResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lever.pairs")
	args := leverArgs("--file", file)
	f := flags{RobotFlags: input.RobotFlags{FileFlags: input.FileFlags{Robots: []string{lever + ".urdf"}}}, file: file, budget: 1, jobs: 1}
	robot, err := f.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop() // as Ctrl-C once the robot is loaded
	if s, err := f.decide(ctx, cli.Streams{Err: io.Discard}, robot); err != nil || !strings.Contains(s.cut, "interrupted") || s.outcome() != cli.Outcome(cli.ExitUndecided) {
		t.Fatalf("%+v, %v", s, err)
	}
	if code, _, errs := command(t, "", append(args, "--pair", "lamp:hand", "--pair", "base:hand")...); code != cli.ExitFree {
		t.Fatalf("exit status %d\n%s", code, errs)
	}
	r, err := pairfile.Load(file)
	if err != nil || len(r.Pairs) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	// A mark shows whether they are taken from the file.
	for i := range r.Pairs {
		r.Pairs[i].Why = "as the file says"
	}
	if err := pairfile.Save(file, r); err != nil {
		t.Fatal(err)
	}
	code, said, told := command(t, "", append(slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "-q" }), "--list", "never")...)
	if code != cli.ExitFree || !strings.Contains(said, "6 pairs") || !strings.Contains(said, "hand, lamp  as the file says") || !strings.Contains(told, "2 pairs are already decided") {
		t.Errorf("exit status %d\n%s%s", code, said, told)
	}
	if r, err = pairfile.Load(file); err != nil || len(r.Pairs) != 6 {
		t.Errorf("%d pairs are kept, %v", len(r.Pairs), err)
	}
}

// A file that is not this model's, or damaged, is refused and left alone.
func TestPairsStaleFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lever.pairs")
	if code, _, errs := command(t, "", leverArgs("--file", file)...); code != cli.ExitFree {
		t.Fatal(errs)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(lever + ".urdf")
	if err != nil {
		t.Fatal(err)
	}
	wider := filepath.Join(t.TempDir(), "wider.urdf")
	if err := os.WriteFile(wider, bytes.Replace(text, []byte(`lower="0.5"`), []byte(`lower="0.4"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	move := "time,shoulder,elbow\n0,1,0\n1,1.2,0.2\n"
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"pairs", "-q", "--robot", wider, "--file", file}, "joint limits"},
		{leverArgs("--file", file, "--padding", "0.01"), "padded"},
		{leverArgs("--file", file, "--clearance", "0.01"), "clearance"},
		{[]string{"pairs", "-q", "--robot", gantry, "--file", file}, "another robot"},
		{[]string{"check", "-q", "--robot", wider, "--pairs", file, "-"}, "joint limits"},
		{[]string{"check", "-q", "--robot", lever + ".urdf", "--padding", "0.01", "--pairs", file, "-"}, "padded"},
	} {
		code, out, errs := command(t, move, tc.args...)
		if code != cli.ExitBadInput || !strings.Contains(errs, tc.says) || !strings.Contains(errs, file) {
			t.Errorf("%v: exit status %d, want %q\n%s%s", tc.args, code, tc.says, out, errs)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed (%v)", err)
	}
	if err := os.WriteFile(file, before[:len(before)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{leverArgs("--file", file), {"check", "-q", "--robot", lever + ".urdf", "--pairs", file, "-"}} {
		if code, _, errs := command(t, move, args...); code != cli.ExitBadInput || !strings.Contains(errs, "damaged") {
			t.Errorf("%v: exit status %d\n%s", args, code, errs)
		}
	}
}

// check takes its pairs from the file, and checks them where the file does not reach.
func TestCheckByPairs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lever.pairs")
	if code, _, errs := command(t, "", leverArgs("--file", file)...); code != cli.ExitFree {
		t.Fatal(errs)
	}
	for _, tc := range []struct {
		name, motion string
		more         []string
		want         int
		assumed      float64
		proven       float64
	}{
		{"within the limits", "0,1,0\n1,1.2,0.2\n", nil, cli.ExitFree, 1, 3},
		{"onto the base", "0,1.129,0\n1,1.129,-2.644\n", nil, cli.ExitContact, 1, 3},
		{"beyond the limits of the shoulder", "0,1.4,0\n1,1.6,0.1\n", nil, cli.ExitFree, 1, 1},
		{"a clearance", "0,1,0\n1,1.2,0.2\n", []string{"--clearance", "0.001", "--allow", "arm:hand"}, cli.ExitFree, 2, 0},
		{"proved at the start", "0,1,0\n1,1.2,0.2\n", []string{"--acm", "proven"}, cli.ExitFree, 1, 3},
		{"the SRDF's word besides", "0,1.129,0\n1,1.129,-2.644\n", []string{"--acm", "srdf", "--srdf", lever + ".srdf", "--allow", "arm:hand", "--allow", "base:arm"}, cli.ExitFree, 4, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := append([]string{"check", "-q", "--json", "--robot", lever + ".urdf", "-"}, tc.more...)
			if tc.name != "proved at the start" {
				args = append(args, "--pairs", file)
			}
			code, out, errs := command(t, "time,shoulder,elbow\n"+tc.motion, args...)
			var r map[string]any
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatalf("%v\n%s%s", err, out, errs)
			}
			if code != tc.want || r["assumed_pairs"] != tc.assumed || r["proven_pairs"] != tc.proven {
				t.Errorf("exit status %d, %v assumed, %v proved; want %d, %v, %v\n%s", code, r["assumed_pairs"], r["proven_pairs"], tc.want, tc.assumed, tc.proven, out)
			}
		})
	}
	_, _, errs := command(t, "", "distance", "--robot", lever+".urdf", "--pairs", file, "--state", "shoulder=1")
	if !strings.Contains(errs, "3 are proved never to touch") || !strings.Contains(errs, "1 always touch") {
		t.Errorf("the proofs are not told:\n%s", errs)
	}
	for _, args := range [][]string{{"--acm", "wishes"}, {"--acm", "proven", "--acm-budget", "0s"}} {
		if code, _, _ := command(t, "", append([]string{"distance", "--robot", lever + ".urdf"}, args...)...); code != cli.ExitUsage {
			t.Errorf("%v: exit status %d", args, code)
		}
	}
}

// Pictures are well formed and show every pair with what is known of it.
func TestPairsPictures(t *testing.T) {
	dir := t.TempDir()
	svg, page := filepath.Join(dir, "lever.svg"), filepath.Join(dir, "lever.html")
	command(t, "", leverArgs("--srdf", lever+".srdf", "--picture", svg, "--picture", page)...)
	text, err := os.ReadFile(svg)
	if err != nil {
		t.Fatal(err)
	}
	titles := 0
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := tok.(xml.StartElement); ok && s.Name.Local == "title" {
			titles++
		}
	}
	if titles != 6 || !strings.Contains(string(text), "hidden: it is said") || !strings.Contains(string(text), "sometimes 2") {
		t.Errorf("%d pairs in\n%s", titles, text)
	}
	text, err = os.ReadFile(page)
	if err != nil || strings.Count(string(text), "<tr>") != 7 || !strings.Contains(string(text), "<svg") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A second look that does not see a witness says so: a witness that is none is put in.
func TestSecondLookContradicts(t *testing.T) {
	f := flags{RobotFlags: input.RobotFlags{FileFlags: input.FileFlags{Robots: []string{lever + ".urdf"}}, CacheFlags: input.CacheFlags{NoCache: true}}}
	robot, err := f.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := pairproof.None(robot, pairproof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := pairproof.Pair{A: 0, B: 2, LinkA: "base", LinkB: "hand", Meets: pairproof.Sometimes, Joints: []int{0, 1}, Witness: []float64{1, 0}}
	at, err := f.second(&survey{robot: robot}).look(&p, r.Variables)
	if err != nil || at.Confirmed || !strings.Contains(at.words(&p), "NOT confirmed") {
		t.Errorf("%+v, %v", at, err)
	}
	p.Witness = []float64{1.1290001, -2.6440002}
	at, err = f.second(&survey{robot: robot}).look(&p, r.Variables)
	if err != nil || !at.Confirmed || at.Text != "shoulder=1.129,elbow=-2.644" {
		t.Errorf("%+v, %v", at, err)
	}
}

// Links without geometry are part of the joints around them.
func TestNeighbours(t *testing.T) {
	robot, err := urdf.Load("../../../../testdata/humanoid/humanoid.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for pair := range selfcollision.Neighbours(robot) {
		for _, l := range pair {
			if len(robot.Links[l].Collisions) == 0 {
				t.Errorf("%s has no geometry", robot.Links[l].Name)
			}
		}
	}
}

// A robot without joints has pairs too, that always or never touch.
func TestPairsWithoutJoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "still.urdf")
	link := func(name, x string) string {
		return `<link name="` + name + `"><collision><origin xyz="` + x + ` 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>`
	}
	joint := func(child string) string {
		return `<joint name="j` + child + `" type="fixed"><parent link="a"/><child link="` + child + `"/></joint>`
	}
	still := `<robot name="still">` + link("a", "0") + link("b", "0.1") + link("c", "1") + joint("b") + joint("c")
	for name, text := range map[string]string{
		"none":     still + `</robot>`,
		"one more": still + link("d", "0") + `<joint name="jd" type="continuous"><parent link="c"/><child link="d"/></joint></robot>`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		srdf := filepath.Join(t.TempDir(), "still.srdf")
		if err := os.WriteFile(srdf, []byte(`<robot name="still"/>`), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := command(t, "", "pairs", "-q", "--no-cache", "--robot", file, "--srdf", srdf)
		if code != cli.ExitContact || !strings.Contains(out, "noisy: a, b: it is checked, and the links touch at every configuration") || strings.Contains(out, "NOT") {
			t.Errorf("%s: exit status %d\n%s%s", name, code, out, errs)
		}
	}
}

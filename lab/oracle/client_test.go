package oracle

import (
	"errors"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Every wrong line is answered with an error, and the conversation goes on.
func TestWrongLinesAreAnswered(t *testing.T) {
	o := load(t, link("base", `<box size="1 1 1"/>`), link("arm"), joint("a", "revolute", "base", "arm", axisZ),
		link("tool"), joint("f", "fixed", "arm", "tool"), link("thumb"),
		joint("m", "revolute", "arm", "thumb", axisZ, `<mimic joint="a"/>`))
	tests := []struct{ name, line, want string }{
		{"no such command", "dance", "no command"},
		{"no file", "srdf", "missing"},
		{"a file that is not there", "srdf nowhere.srdf", "nowhere.srdf"},
		{"too few values", "pose 1 self", "joint a is missing"},
		{"too many values", "pose 1 self 0 0", "too many words"},
		{"not a number", "pose 1 self nan", "finite"},
		{"half a number", "pose 1 self 1x", "finite"},
		{"infinite", "pose 1 self 1e999", "finite"},
		{"no such scope", "pose 1 all 0", "self, world or both"},
		{"one sample", "segment 1 1 self 0 0", "samples"},
		{"half a sample", "segment 1 2.5 self 0 0", "samples"},
		{"fixed joint", "hold f 1", "is fixed"},
		{"mimic joint", "joints m", "follows a"},
		{"unknown joint", "joints z", "no joint z"},
		{"joint named twice", "joints a a", "twice"},
		{"unknown type", "object o egg 0 0 0 0 0 0 1 1", "egg"},
		{"flat box", "object o box 0 0 0 0 0 0 1 1 0 1", "greater than 0"},
		{"negative radius", "object o sphere 0 0 0 0 0 0 1 -1", "greater than 0"},
		{"no rotation", "object o sphere 0 0 0 0 0 0 0 1", "quaternion"},
		{"a link's name", "object arm sphere 0 0 0 0 0 0 1 1", "already"},
		{"unknown body", "pairnear 1 base nobody 1 0 0 0 0", "nobody"},
		{"no shape", "pairnear 1 base arm 1 0 0 0 0", "no collision shape"},
		{"state without a name", "state a=1 2", "name=value"},
		{"open quote", `disable "a b`, "not closed"},
		{"switch", "solid maybe", "on or off"},
		{"no such robot", "robot nowhere.urdf", "nowhere.urdf"},
	}
	for _, test := range tests {
		if _, err := o.in.Write([]byte(test.line + "\n")); err != nil {
			t.Fatal(err)
		}
		answer, err := o.out.ReadString('\n')
		must(t, err)
		if !strings.HasPrefix(answer, "error ") || !strings.Contains(answer, test.want) {
			t.Errorf("%s: answered %q, want an error with %q", test.name, answer, test.want)
		}
	}
	var wrong *AnswerError
	if err := o.Hold("z", 1); !errors.As(err, &wrong) || !strings.Contains(wrong.Text, "no joint z") || wrong.Line != "hold z 1" {
		t.Errorf("the client says %v", err)
	}
	if got, err := o.Pose(Self, []float64{0}); err != nil || got != nil {
		t.Errorf("afterwards: %v, %v", got, err)
	}
}

func TestWrongRobots(t *testing.T) {
	box := `<box size="1 1 1"/>`
	tests := map[string]string{
		"no XML":             "these are words",
		"two roots":          urdf(link("a", box), link("b", box)),
		"no axis":            urdf(link("a"), link("b"), joint("j", "revolute", "a", "b", `<axis xyz="0 0 0"/>`)),
		"mimics nobody":      urdf(link("a"), link("b"), joint("j", "revolute", "a", "b", axisZ, `<mimic joint="k"/>`)),
		"mimics itself":      urdf(link("a"), link("b"), joint("j", "revolute", "a", "b", axisZ, `<mimic joint="j"/>`)),
		"planar in a slope":  urdf(link("a"), link("b"), joint("j", "planar", "a", "b", axisX)),
		"floating that mims": urdf(link("a"), link("b"), link("c"), joint("k", "revolute", "a", "c", axisZ), joint("j", "floating", "a", "b", `<mimic joint="k"/>`)),
	}
	o := start(t)
	for name, text := range tests {
		if info, err := o.Robot(write(t, t.TempDir(), "robot.urdf", text), ""); err == nil {
			t.Errorf("%s: loaded as %+v", name, info)
		}
	}
	if _, err := o.Pose(Self, nil); err == nil {
		t.Error("a pose without a robot: no error")
	}
}

func TestNamesWithBlanks(t *testing.T) {
	o := load(t, link("the base", `<box size="1 1 1"/>`))
	must(t, o.AddObject(Object{ID: `a "big" one\`, Type: "sphere", Size: []float64{1}}))
	pairs, err := o.Pose(World, nil)
	must(t, err)
	if !slices.Equal(pairs, []Pair{{"the base", `a "big" one\`}}) {
		t.Errorf("got %q", pairs)
	}
	if err := o.Disable("a\nb", "c"); err == nil {
		t.Error("a name with a line break: no error")
	}
}

// A program that is none must end in an error that stays, not in a hang.
func TestBrokenConversation(t *testing.T) {
	for _, program := range []string{"false", "cat"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skip(err)
		}
		o, err := Start(path)
		must(t, err)
		for range 2 {
			var answer *AnswerError
			if _, err := o.Pose(Self, nil); err == nil || errors.As(err, &answer) {
				t.Errorf("%s: got %v", program, err)
			}
		}
		if err := o.Close(); err == nil {
			t.Errorf("%s: Close hides the error", program)
		}
	}
	if _, err := Start("/nonexistent/fcl_oracle"); err == nil {
		t.Error("no binary: no error")
	}
}

func TestNoPairsNoDistance(t *testing.T) {
	o := load(t, link("base", `<box size="1 1 1"/>`))
	if _, ok, err := o.Distance(Both, nil); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	all, err := o.AllPairs(Both, nil)
	if len(all) != 0 || err != nil {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestAllPairsOfLinksWithSeveralPieces(t *testing.T) {
	ball := func(x string) string { return `<origin xyz="` + x + ` 0 0"/><sphere radius="0.1"/>` }
	o := load(t, link("a", ball("0"), ball("1")), link("b", ball("3"), ball("5")), link("c", ball("-4")),
		joint("ab", "prismatic", "a", "b", axisX), joint("ac", "fixed", "a", "c"))
	all, err := o.AllPairs(Self, []float64{0})
	must(t, err)
	want := map[Pair]float64{{"a", "b"}: 1.8, {"a", "c"}: 3.8, {"b", "c"}: 6.8}
	if len(all) != len(want) {
		t.Fatalf("got %v", all)
	}
	for _, one := range all {
		near(t, one.A+one.B, one.Distance, want[one.Pair], 1e-12)
	}
	closest, ok, err := o.Distance(Self, []float64{-1})
	must(t, err)
	if !ok || closest.Pair != (Pair{"a", "b"}) || math.Abs(closest.Distance-0.8) > 1e-12 {
		t.Errorf("closest: %+v", closest)
	}
}

// The pair whose boxes are nearest need not be the nearest: a slanted rod's box
// swallows the ball beside it.
func TestClosestIsNotTheFirstCandidate(t *testing.T) {
	o := load(t, link("rod", `<origin rpy="0 0 0.7853981633974483"/><box size="2 0.02 0.02"/>`))
	ball := func(id string, x, y float64) error {
		return o.AddObject(Object{ID: id, Type: "sphere", Position: [3]float64{x, y}, Size: []float64{0.1}})
	}
	must(t, ball("beside", -0.5, 0.5), ball("ahead", 0.9, 0.9))
	closest, ok, err := o.Distance(World, nil)
	must(t, err)
	if want := 0.9*math.Sqrt2 - 1 - 0.1; !ok || closest.B != "ahead" || math.Abs(closest.Distance-want) > 1e-9 {
		t.Errorf("got %+v, want ahead at %g", closest, want)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a", `b "c"`, `\`)
	f.Add("", " ", "\t")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		want := []string{a, b, c}
		got, err := split(join(want))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q came back as %q, %v", want, got, err)
		}
		if _, err := split(a); err == nil && strings.Count(a, `"`) == 1 && strings.HasPrefix(a, `"`) {
			t.Errorf("%q: an open quote passed", a)
		}
	})
}

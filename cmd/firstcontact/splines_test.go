package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const cart = `<robot name="rail">
  <link name="rail"/>
  <link name="cart"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="buffer"><collision><origin xyz="0.95 0 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="9"/></joint>
  <joint name="end" type="fixed"><parent link="rail"/><child link="buffer"/></joint>
</robot>`

// A controller that is told to be back at once, and how fast to leave and to
// come, swings out by a metre.
func TestSplinesLeaveTheStraightLine(t *testing.T) {
	robot := filepath.Join(t.TempDir(), "rail.urdf")
	if err := os.WriteFile(robot, []byte(cart), 0o600); err != nil {
		t.Fatal(err)
	}
	swing := "{joint_names: [x], points: [{positions: [0], velocities: [4], time_from_start: 0}, {positions: [0], velocities: [-4], time_from_start: 1}]}"
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{nil, exitContact, "cart and buffer"},
		{[]string{"--interpolation", "jtc"}, exitContact, "cart and buffer"},
		{[]string{"--interpolation", "linear"}, exitFree, "carry velocities"},
	} {
		code, out, errs := command(t, swing, append(append([]string{"check", "-q", "--robot", robot}, c.args...), "-")...)
		if code != c.want || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit status %d, want %d:\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}

func TestParseTube(t *testing.T) {
	joints := []string{"a", "b", "c"}
	for _, c := range []struct {
		texts []string
		want  map[string]float64
	}{
		{nil, nil},
		{[]string{"0"}, nil},
		{[]string{"0.1"}, map[string]float64{"a": 0.1, "b": 0.1, "c": 0.1}},
		{[]string{"a=0.1, d=2"}, map[string]float64{"a": 0.1, "d": 2}},
		{[]string{"0.1,b=0", "c=1"}, map[string]float64{"a": 0.1, "b": 0, "c": 1}},
	} {
		tube, err := parseTube(c.texts)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, tube.around(joints)); d != "" {
			t.Errorf("%q: %s", c.texts, d)
		}
	}
	for _, text := range []string{"", "a", "a=", "=1", "-1", "nan", "a=inf", "1,2", "a=1,a=1", "1,"} {
		if _, err := parseTube([]string{text}); err == nil || !strings.Contains(err.Error(), "--tube") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func FuzzParseTube(f *testing.F) {
	for _, s := range []string{"0.1", "a=0.1,b=2", "1,a=0", "=", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tube, err := parseTube([]string{text})
		if err != nil {
			return
		}
		for name, width := range tube.around([]string{"a"}) {
			if !(width >= 0) || name == "" {
				t.Fatalf("%q gives %q a tube of %g", text, name, width)
			}
		}
	})
}

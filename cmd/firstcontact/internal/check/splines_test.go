package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
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
		{nil, cli.ExitContact, "cart and buffer"},
		{[]string{"--interpolation", "jtc"}, cli.ExitContact, "cart and buffer"},
		{[]string{"--interpolation", "linear"}, cli.ExitFree, "carry velocities"},
	} {
		code, out, errs := command(t, swing, append(append([]string{"check", "-q", "--robot", robot}, c.args...), "-")...)
		if code != c.want || !strings.Contains(out, c.says) {
			t.Errorf("%v: exit status %d, want %d:\n%s%s", c.args, code, c.want, out, errs)
		}
	}
}

// The cart rests 15 cm from the buffer.
func TestTubes(t *testing.T) {
	robot := filepath.Join(t.TempDir(), "rail.urdf")
	if err := os.WriteFile(robot, []byte(cart), 0o600); err != nil {
		t.Fatal(err)
	}
	rest := "time,x\n0,0.7\n1,0.7\n"
	for _, c := range []struct {
		tube string
		want int
		says string
	}{
		{"0.149", cli.ExitFree, "within their tube (rad or m): x 0.149"},
		{"x=0.149", cli.ExitFree, "x 0.149"},
		{"0.151", cli.ExitContact, "within their tube"},
		{"0.5,x=0.149", cli.ExitFree, "x 0.149"},
	} {
		code, out, errs := command(t, rest, "check", "-q", "--robot", robot, "--tube", c.tube, "-")
		if code != c.want || !strings.Contains(out, c.says) {
			t.Errorf("--tube %s: exit status %d, want %d:\n%s%s", c.tube, code, c.want, out, errs)
		}
	}
	if _, out, _ := command(t, rest, "check", "-q", "--json", "--robot", robot, "--tube", "0.1", "-"); !strings.Contains(out, `"tube":{"x":0.1}`) {
		t.Errorf("the tube is not in %s", out)
	}
}

// The whole rail drives sideways into a post, which stands still.
func TestRootsThatMove(t *testing.T) {
	dir := t.TempDir()
	robot, scene := filepath.Join(dir, "rail.urdf"), filepath.Join(dir, "post.yaml")
	for path, text := range map[string]string{
		robot: cart,
		scene: "objects: [{id: post, type: box, xyz: [0, 1, 0], size: [0.1, 0.1, 0.1]}]",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	drive := "time,x,root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw\n0,0,0,0,0,0,0,0,1\n1,0,0,%s,0,0,0,0,1\n"
	for way, want := range map[string]int{"0.89": cli.ExitFree, "0.91": cli.ExitContact} {
		code, out, errs := command(t, strings.Replace(drive, "%s", way, 1), "check", "-q", "--robot", robot, "--scene", scene, "-")
		if code != want || want == cli.ExitContact && !strings.Contains(out, "cart and post") {
			t.Errorf("%s m: exit status %d, want %d:\n%s%s", way, code, want, out, errs)
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

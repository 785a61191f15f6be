package oracle

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMimicJointsFollow(t *testing.T) {
	x := `<origin xyz="1 0 0"/>`
	o := load(t, link("l0"), link("l1"), link("l2"), link("l3"),
		joint("third", "revolute", "l2", "l3", axisZ, x, `<mimic joint="second" multiplier="0.5" offset="-0.2"/>`),
		joint("first", "revolute", "l0", "l1", axisZ),
		joint("second", "revolute", "l1", "l2", axisZ, x, `<mimic joint="first" multiplier="-2" offset="0.1"/>`))
	root, joints, err := o.Model()
	must(t, err)
	if root != "l0" || !slices.Equal(joints, []string{"first"}) {
		t.Fatalf("got root %q and joints %q", root, joints)
	}
	const q = 0.3
	second := -2*q + 0.1
	third := 0.5*second - 0.2
	p, r, err := o.LinkPose("l3", []float64{q})
	must(t, err)
	near(t, "x", p[0], math.Cos(q)+math.Cos(q+second), 1e-12)
	near(t, "y", p[1], math.Sin(q)+math.Sin(q+second), 1e-12)
	near(t, "turn", 2*math.Atan2(r[2], r[3]), q+second+third, 1e-12)
}

func TestMimicDefaultsToTheSameValue(t *testing.T) {
	o := load(t, link("l0"), link("l1"), link("l2"),
		joint("a", "prismatic", "l0", "l1", axisX),
		joint("b", "prismatic", "l1", "l2", axisY, `<mimic joint="a"/>`))
	p, _, err := o.LinkPose("l2", []float64{0.25})
	must(t, err)
	if p != [3]float64{0.25, 0.25, 0} {
		t.Errorf("got %v", p)
	}
}

func TestForwardKinematics(t *testing.T) {
	// Roll, then pitch, then yaw about fixed axes; an axis that is not of unit
	// length; a slide along the turned axis.
	o := load(t, link("l0"), link("l1"), link("l2"), link("l3"),
		joint("fixed", "fixed", "l0", "l1", `<origin xyz="1 2 3" rpy="1.5707963267948966 0 1.5707963267948966"/>`),
		joint("slide", "prismatic", "l1", "l2", `<axis xyz="0 0 2"/>`),
		joint("turn", "revolute", "l2", "l3", `<axis xyz="0 3 0"/>`))
	p, r, err := o.LinkPose("l3", []float64{0.5, math.Pi / 2})
	must(t, err)
	// z of l1 is x of the root: roll takes z to -y, yaw takes -y to x.
	for i, want := range []float64{1.5, 2, 3} {
		near(t, "position", p[i], want, 1e-12)
	}
	// R = Rz(90) Rx(90) Ry(90): x goes to -z, -z by roll to y, y by yaw to -x.
	gotX := [3]float64{1 - 2*(r[1]*r[1]+r[2]*r[2]), 2 * (r[0]*r[1] + r[2]*r[3]), 2 * (r[0]*r[2] - r[1]*r[3])}
	for i, want := range []float64{-1, 0, 0} {
		near(t, "x axis", gotX[i], want, 1e-12)
	}
}

func TestJointsOrderAndHold(t *testing.T) {
	o := load(t, link("l0"), link("l1"), link("l2"), link("l3"),
		joint("a", "prismatic", "l0", "l1", axisX),
		joint("b", "prismatic", "l1", "l2", axisY),
		joint("c", "prismatic", "l2", "l3", axisZ))
	must(t, o.Joints("c", "a"), o.Hold("b", 7))
	p, _, err := o.LinkPose("l3", []float64{3, 1})
	must(t, err)
	if p != [3]float64{1, 7, 3} {
		t.Errorf("got %v, want 1 7 3", p)
	}
	must(t, o.ClearHolds())
	p, _, err = o.LinkPose("l3", []float64{3, 1})
	must(t, err)
	if p != [3]float64{1, 0, 3} {
		t.Errorf("after ClearHolds: got %v, want 1 0 3", p)
	}
}

func TestPackagesAndPathsResolve(t *testing.T) {
	o := start(t)
	box := boxMesh(1, 1, 1).stl()
	uses := func(uri string) string { return urdf(link("base", `<mesh filename="`+uri+`"/>`)) }

	beside, elsewhere := t.TempDir(), t.TempDir()
	write(t, beside, "made/meshes/box.stl", box)
	write(t, beside, "meshes/near.stl", box)
	write(t, elsewhere, "other/box.stl", box)
	tests := []struct {
		name, uri, root string
		missing         string // the file the error must name
	}{
		{"package beside the URDF", "package://made/meshes/box.stl", "", ""},
		{"package elsewhere", "package://other/box.stl", elsewhere, ""},
		{"relative", "meshes/near.stl", elsewhere, ""},
		{"absolute", "file://" + filepath.Join(elsewhere, "other/box.stl"), "", ""},
		{"unknown package", "package://other/box.stl", "", filepath.Join(beside, "other/box.stl")},
		{"unknown scheme", "model://other/box.stl", "", "model://other/box.stl"},
	}
	for _, test := range tests {
		info, err := o.Robot(write(t, beside, "robot.urdf", uses(test.uri)), test.root)
		if test.missing == "" {
			if err != nil || info.Triangles != 12 {
				t.Errorf("%s: got %+v, %v", test.name, info, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.missing) || !strings.Contains(err.Error(), "link base") {
			t.Errorf("%s: got error %v, want one that names %s and the link", test.name, err, test.missing)
		}
	}
}

// three is a row of overlapping links a, b, c, every pair of which touches.
func three(t *testing.T) *Oracle {
	side := `<box size="1 1 1"/>`
	return load(t, link("a", side), link("b", side), link("c", side),
		joint("ab", "fixed", "a", "b", `<origin xyz="0.3 0 0"/>`),
		joint("bc", "prismatic", "b", "c", axisX, `<origin xyz="0.3 0 0"/>`))
}

func touchingNow(t *testing.T, o *Oracle, scope Scope) []string {
	t.Helper()
	pairs, err := o.Pose(scope, []float64{0})
	must(t, err)
	var names []string
	for _, p := range pairs {
		names = append(names, p.A+p.B)
	}
	return names
}

func TestPairsAreLeftOut(t *testing.T) {
	o := three(t)
	must(t, o.AddObject(Object{ID: "post", Type: "sphere", Size: []float64{0.05}}))
	steps := []struct {
		name string
		do   func() error
		self []string
	}{
		{"all", func() error { return nil }, []string{"ab", "ac", "bc"}},
		{"one", func() error { return o.Disable("c", "a") }, []string{"ab", "bc"}},
		{"adjacent too", o.Adjacent, nil},
		{"none", o.ClearPairs, []string{"ab", "ac", "bc"}},
		{"touching", func() error { _, err := o.Touching(map[string]float64{"bc": 0.6}); return err }, []string{"ac"}},
	}
	for _, step := range steps {
		must(t, step.do())
		if got := touchingNow(t, o, Self); !slices.Equal(got, step.self) {
			t.Errorf("%s: self pairs %q, want %q", step.name, got, step.self)
		}
	}
	// The post reaches into a and b, not into c.
	if got := touchingNow(t, o, World); !slices.Equal(got, []string{"apost", "bpost"}) {
		t.Errorf("world pairs %q", got)
	}
	must(t, o.Disable("post", "b"))
	if got := touchingNow(t, o, World); !slices.Equal(got, []string{"apost"}) {
		t.Errorf("world pairs less one %q", got)
	}
	must(t, o.ClearObjects())
	if got := touchingNow(t, o, World); got != nil {
		t.Errorf("without objects %q", got)
	}
}

func TestSRDF(t *testing.T) {
	tests := []struct {
		name, body        string
		disabled, unknown int
		self              []string
	}{
		{"disable", `<disable_collisions link1="b" link2="a" reason="x"/><disable_collisions link1="a" link2="b"/>`, 1, 0, []string{"ac", "bc"}},
		{"unknown link", `<disable_collisions link1="a" link2="nowhere"/>`, 0, 1, []string{"ab", "ac", "bc"}},
		{"default off", `<disable_default_collisions link="a"/>`, 2, 0, []string{"bc"}},
		{"default off, one on", `<enable_collisions link1="c" link2="a"/><disable_default_collisions link="a"/>`, 1, 0, []string{"ac", "bc"}},
		{"disable wins over enable", `<disable_collisions link1="a" link2="b"/><enable_collisions link1="a" link2="b"/>`, 1, 0, []string{"ac", "bc"}},
	}
	for _, test := range tests {
		o := three(t)
		disabled, unknown, err := o.SRDF(write(t, t.TempDir(), "r.srdf", `<robot name="made">`+test.body+`</robot>`))
		must(t, err)
		if disabled != test.disabled || unknown != test.unknown {
			t.Errorf("%s: disabled %d, unknown %d", test.name, disabled, unknown)
		}
		if got := touchingNow(t, o, Self); !slices.Equal(got, test.self) {
			t.Errorf("%s: self pairs %q, want %q", test.name, got, test.self)
		}
	}
	o := three(t)
	for _, text := range []string{"", "<robot", "<other/>", `<robot><disable_collisions link1="a"/></robot>`} {
		if _, _, err := o.SRDF(write(t, t.TempDir(), "bad.srdf", text)); err == nil {
			t.Errorf("SRDF %q: no error", text)
		}
	}
}

// A pair that never moves against each other is asked for once and remembered:
// a change of the pairs, the objects or the settings must void what was kept.
func TestRigidPairsAreNotRememberedTooLong(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "shell.stl", boxMesh(1, 1, 1).stl())
	o := start(t)
	_, err := o.Robot(write(t, folder, "robot.urdf", urdf(
		link("a", `<mesh filename="shell.stl"/>`), link("b", `<sphere radius="0.1"/>`), joint("ab", "fixed", "a", "b"))), "")
	must(t, err)
	for _, solid := range []bool{false, true, false} {
		must(t, o.Solid(solid))
		pairs, err := o.Pose(Self, nil)
		must(t, err)
		if (len(pairs) == 1) != solid {
			t.Errorf("solid %v: pairs %v", solid, pairs)
		}
	}
	for _, x := range []float64{0.5, 2, 0.5} {
		must(t, o.ClearObjects(), o.AddObject(Object{ID: "post", Type: "sphere", Position: [3]float64{x}, Size: []float64{0.1}}))
		pairs, err := o.Pose(World, nil)
		must(t, err)
		if (len(pairs) == 1) != (x < 1) {
			t.Errorf("post at %g: pairs %v", x, pairs)
		}
	}
}

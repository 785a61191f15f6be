package ccd

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func TestOnlyPair(t *testing.T) {
	robot := parsed(t, sliders)
	world := worldOf(object("wall", box(0.2, 2, 2), pose(2, 0, 0)), object("floor", box(9, 9, 1), pose(0, 0, 0)))
	all, err := New(robot, world, Options{Allowed: [][2]string{{"a", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		a, b string
		ja   float64
		want motion.Status
	}{
		{"a", "b", 1, motion.Free},
		{"a", "b", 2.5, motion.Contact},
		{"b", "a", 2.5, motion.Contact},
		{"a", "wall", 1, motion.Free},
		{"wall", "a", 1.5, motion.Contact},
		{"a", "d", 2.5, motion.Free},
	} {
		c, err := all.OnlyPair(tc.a, tc.b)
		if err != nil {
			t.Fatal(err)
		}
		v := ask(t, c, straight(t, "ja jb", []float64{tc.ja, 3}, []float64{tc.ja, 3}), motion.Query{})
		if v.Status != tc.want || v.AssumedPairs != 0 {
			t.Errorf("%s and %s at %g: %v, %d assumed", tc.a, tc.b, tc.ja, v.Status, v.AssumedPairs)
		}
	}
	for _, names := range [][2]string{{"a", "base"}, {"x", "a"}, {"wall", "floor"}, {"a", "a"}} {
		if _, err := all.OnlyPair(names[0], names[1]); err == nil {
			t.Errorf("%v is a pair", names)
		}
	}
	if self, world := all.checkedPairs(); self != 5 || world != 8 {
		t.Errorf("the checker it came from now checks %d and %d pairs", self, world)
	}
}

// A checker of one pair that is taken to another world or to other proofs checks all pairs again, and says again that the defaults
// leave out too many of them.
func TestOnlyPairKeepsWhatIsDoubtful(t *testing.T) {
	var text strings.Builder
	text.WriteString(`<robot name="r"><link name="base"/>`)
	for _, name := range []string{"a", "b", "c", "d"} { // all at one place
		fmt.Fprintf(&text, `<link name="%[1]s"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="j%[1]s" type="prismatic"><parent link="base"/><child link="%[1]s"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>`, name)
	}
	text.WriteString(`</robot>`)
	world := worldOf(object("wall", box(1, 1, 1), pose(50, 0, 0)))
	all, err := New(parsed(t, text.String()), world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	one, err := all.OnlyPair("a", "wall")
	if err != nil {
		t.Fatal(err)
	}
	m := straight(t, "ja jb jc jd", []float64{0, 0, 0, 0}, []float64{1, 1, 1, 1})
	if v := ask(t, one, m, motion.Query{}); v.Status != motion.Free {
		t.Errorf("the pair alone: %v, %s", v.Status, v.Reason)
	}
	later, err := one.WithWorld(world)
	if err != nil {
		t.Fatal(err)
	}
	proved, err := one.ProveDefaults(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*Checker{"all": all, "in the world again": later, "with proofs": proved} {
		if v := ask(t, c, m, motion.Query{}); v.Status != motion.Undecided || !strings.Contains(v.Reason, "6 of the 6") {
			t.Errorf("%s: %v, %q", name, v.Status, v.Reason)
		}
	}
}

// A checker of some pairs writes no certificate, which would claim all of them. Taken to another world it checks all
// pairs, and writes one.
func TestNoCertificateOfSomePairs(t *testing.T) {
	robot := parsed(t, sliders)
	robot.Semantic = &urdf.Semantic{Groups: []urdf.Group{{Name: "one", Joints: []string{"ja"}}}}
	all, err := New(robot, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := all.OnlyPair("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	group, err := all.OnlyGroup("one")
	if err != nil {
		t.Fatal(err)
	}
	held, err := pair.WithState(map[string]float64{"jb": 3})
	if err != nil {
		t.Fatal(err)
	}
	again, err := group.WithWorld(nil)
	if err != nil {
		t.Fatal(err)
	}
	everything, err := all.OnlyGroup("")
	if err != nil {
		t.Fatal(err)
	}
	m := straight(t, "ja jb", []float64{1, 3}, []float64{1.1, 3})
	for name, tc := range map[string]struct {
		c     *Checker
		about string
	}{
		"a pair": {pair, "the pair a and b alone"}, "a group": {group, "the group one alone"}, "a pair in a state": {held, "the pair a and b alone"},
		"all": {all, ""}, "in another world": {again, ""}, "no group": {everything, ""},
	} {
		var proof bytes.Buffer
		v, err := tc.c.Certify(context.Background(), m, motion.Query{}, &proof)
		if tc.about == "" {
			if err != nil || v.Status != motion.Free || proof.Len() == 0 {
				t.Errorf("%s: %v, %v, %d bytes", name, v.Status, err, proof.Len())
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tc.about) || v.Status == motion.Free || proof.Len() > 0 {
			t.Errorf("%s: %v, %v, %d bytes", name, v.Status, err, proof.Len())
		}
	}
}

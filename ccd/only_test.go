package ccd

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
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

package ccd

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// A recorded scene gives a padding for every link, mostly 0. It does not take away what is asked for, and may ask for more; the
// option for a link replaces both.
func TestPaddingOfOptionsAndScene(t *testing.T) {
	robot := slider() // a ball of 0.1 m
	const gap = 0.02
	world := worldOf(object("wall", box(0.2, 2, 2), pose(0.2+gap, 0, 0)))
	rest := straight(t, "x", []float64{0}, []float64{0})
	link := robot.Links[len(robot.Links)-1].Name
	for _, tc := range []struct {
		name   string
		opt    Options
		scenes map[string]float64
		want   motion.Status
	}{
		{"none", Options{}, nil, motion.Free},
		{"of all", Options{Padding: 0.05}, nil, motion.Contact},
		{"of all, and none in the scene", Options{Padding: 0.05}, map[string]float64{link: 0}, motion.Contact},
		{"more in the scene", Options{Padding: 0.01}, map[string]float64{link: 0.05}, motion.Contact},
		{"of the link, in place of more in the scene", Options{Padding: 0.05, LinkPadding: map[string]float64{link: 0}}, map[string]float64{link: 0.05}, motion.Free},
	} {
		w := *world
		w.LinkPadding = tc.scenes
		c, err := New(robot, &w, tc.opt)
		if err != nil {
			t.Fatal(err)
		}
		if v := ask(t, c, rest, motion.Query{}); v.Status != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, v.Status, tc.want)
		}
	}
}

// Padding that no link can have is an error, also where the scene pads all links by more, and for a link without shape.
func TestPaddingIsValid(t *testing.T) {
	robot := slider()
	first, last := robot.Links[0].Name, robot.Links[len(robot.Links)-1].Name
	world := worldOf(object("wall", box(0.2, 2, 2), pose(5, 0, 0)))
	padded := *world
	padded.LinkPadding = map[string]float64{first: 0.01, last: 0.01}
	for _, w := range []*scene.Snapshot{nil, world, &padded} {
		for _, p := range []float64{-1e-9, -0.5, math.NaN(), math.Inf(1), math.Inf(-1), 2 * geom.MaxLength} {
			for _, o := range []Options{{Padding: p}, {LinkPadding: map[string]float64{first: p}}, {LinkPadding: map[string]float64{last: p}}} {
				if _, err := New(robot, w, o); err == nil || !strings.Contains(err.Error(), "padding") || !strings.Contains(err.Error(), "zero or more metres") {
					t.Errorf("%+v in %v: %v", o, w != nil, err)
				}
			}
		}
		if _, err := New(robot, w, Options{Padding: 0.1, LinkPadding: map[string]float64{first: 0, last: 0.2}}); err != nil {
			t.Error(err)
		}
	}
}

// Pairs that are proved to touch always touch at the padding of the proof. A scene that pads less does not leave them out without cause.
func TestAlwaysTouchingWithLessPaddingInAScene(t *testing.T) {
	robot := parsed(t, `<robot name="r"><link name="base"/>
<link name="a"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
<joint name="ja" type="prismatic"><parent link="base"/><child link="a"/><limit lower="1" upper="1.1" effort="1" velocity="1"/></joint>
<joint name="jb" type="prismatic"><parent link="base"/><child link="b"/><limit lower="2.2" upper="2.3" effort="1" velocity="1"/></joint>
</robot>`)
	const padding = 0.5
	r, err := pairproof.All(context.Background(), robot, pairproof.Options{Padding: padding})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pairs) != 1 || r.Pairs[0].Meets != pairproof.Always {
		t.Fatalf("%+v, want one pair that touches always", r.Pairs)
	}
	world := worldOf(object("wall", box(1, 1, 1), pose(0, 50, 0)))
	world.LinkPadding = map[string]float64{"a": 0, "b": 0}
	c, err := New(robot, world, Options{Padding: padding, Proofs: &r, OnlyProven: true})
	if err != nil {
		t.Fatal(err)
	}
	one, err := c.OnlyPair("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, one, straight(t, "ja jb", []float64{1, 2.3}, []float64{1, 2.3}), motion.Query{}); v.Status != motion.Contact {
		t.Errorf("a pair that is left out because it touches always: %v", v.Status)
	}
}

package ccd

import (
	"context"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// wrist is an upper arm and a hand, half a metre apart however the wrist between
// them turns, on a base that a finger may reach.
const wrist = `<robot name="wrist">
<link name="arm"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="roll"/>
<link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="finger"><collision><origin xyz="0.35 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="r" type="continuous"><parent link="arm"/><child link="roll"/><axis xyz="1 0 0"/></joint>
<joint name="w" type="revolute"><parent link="roll"/><child link="hand"/><origin xyz="0.21 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="f" type="revolute"><parent link="hand"/><child link="finger"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>`

// What is close at rest and can be proved never to touch is proved at once; links
// that are far, and those that touch somewhere, are not.
func TestProveDefaults(t *testing.T) {
	c, err := New(parsed(t, wrist), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for near, close := range map[float64]bool{0: false, 0.005: false, 0.05: true} {
		with, err := c.ProveDefaults(context.Background(), near)
		if err != nil {
			t.Fatal(err)
		}
		r := with.Pairs().Proofs
		if p := r.Of(0, 2); (p != nil) != close || close && p.Meets != pairproof.Never {
			t.Errorf("closer than %g: arm and hand, 1 cm apart, %+v", near, p)
		}
		if p := r.Of(2, 3); p == nil || p.Meets != pairproof.Never {
			t.Errorf("hand and finger, which are left out by default: %+v", p)
		}
		if p := r.Of(0, 3); p != nil {
			t.Errorf("closer than %g: %s and %s are looked at", near, p.LinkA, p.LinkB)
		}
		if !close {
			continue
		}
		d, proven, err := with.DistanceToContact(context.Background(), nil, motion.DistanceQuery{K: 1})
		all, err2 := with.Distance(context.Background(), nil, motion.DistanceQuery{K: 1})
		if err != nil || err2 != nil || proven != 1 || all.Self.Hi > 0.011 || d.Self.Lo < 0.1 {
			t.Errorf("%d proved, %v to contact, %v in all (%v, %v)", proven, d.Self, all.Self, err, err2)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if s, err := c.ProveDefaults(stopped, 1); err != nil || s.Pairs().Proofs.Count(pairproof.Never) != 0 {
		t.Errorf("stopped: %+v, %v", s.Pairs().Proofs, err)
	}
	if _, err := c.WithProofs(&pairproof.Report{}); err == nil {
		t.Error("proofs of nothing are taken")
	}
}

// A robot that has no pairs but those left out has nothing that is near.
func TestProveDefaultsOfNothing(t *testing.T) {
	one := strings.Replace(wrist, `<origin xyz="0.35 0 0"/>`, "", 1)
	r, err := urdf.ParseSRDF(parsed(t, one), []byte(`<robot name="wrist"><disable_default_collisions link="hand"/><disable_default_collisions link="arm"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	world := worldOf(object("wall", box(0.2, 2, 2), pose(5, 0, 0)))
	c, err := New(r, world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.ProveDefaults(context.Background(), 10); err != nil || len(p.Pairs().Proofs.Pairs) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

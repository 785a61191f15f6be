package ccd

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A group of random joints: what is found of it is what is found of all pairs, less those that
// no joint of the group moves.
func TestOnlyGroup(t *testing.T) {
	found, left := 0, 0
	for seed := range uint64(200) {
		d := dice{chance.New(53, seed)}
		robot := d.robot()
		g := urdf.Group{Name: "g"}
		for i := range robot.Joints {
			if j := &robot.Joints[i]; j.Type != urdf.Fixed && j.Mimic == nil && d.IntN(3) == 0 {
				g.Joints = append(g.Joints, j.Name)
			}
		}
		robot.Semantic = &urdf.Semantic{Groups: []urdf.Group{g}}
		c, err := New(robot, d.world(), anyRobot)
		if err != nil {
			continue // nothing that collides
		}
		only, err := c.OnlyGroup("g")
		if err != nil {
			t.Fatal(err)
		}
		moves := movedBySlowly(robot, g.Joints)
		inGroup := func(p motion.Pair) bool {
			return slices.ContainsFunc([]motion.Body{p.A, p.B}, func(b motion.Body) bool { return moves[b.Name] })
		}
		m := d.motion(c.ActiveJoints())
		query := motion.Query{MaxContacts: 64}
		all, err := c.Check(context.Background(), m, query)
		if err != nil {
			continue
		}
		some, err := only.Check(context.Background(), m, query)
		if err != nil {
			if !strings.Contains(err.Error(), "no pair of bodies") {
				t.Fatal(err)
			}
			if all.Status == motion.Contact && inGroup(all.Contact.Pair) {
				t.Fatalf("seed %d: no pair of the group is left, but %v touch", seed, all.Contact.Pair)
			}
			continue
		}
		// A witness above the clearance, within the tolerance, may be found a little sooner or later: either answer is true.
		contradicts := func(contact, proof motion.Verdict) bool {
			late := proof.TOC.Lo - contact.TOC.Hi
			return late > 1e-6 || late > 0 && contact.Contact.Distance == 0
		}
		switch {
		case some.Status == motion.Contact && !inGroup(some.Contact.Pair):
			t.Fatalf("seed %d: %v is not of the group %v", seed, some.Contact.Pair, g.Joints)
		case some.Status == motion.Contact && (all.Status != motion.Contact || contradicts(some, all)):
			t.Fatalf("seed %d: of the group %v touch at %v, of all %v at %v", seed, some.Contact.Pair, some.TOC, all.Status, all.TOC)
		case all.Status == motion.Contact && inGroup(all.Contact.Pair) && (some.Status != motion.Contact || contradicts(all, some)):
			t.Fatalf("seed %d: of all %v touch at %v, of the group %v at %v", seed, all.Contact.Pair, all.TOC, some.Status, some.TOC)
		case some.Status == motion.Contact:
			found++
		case all.Status == motion.Contact:
			left++
		}
		for _, w := range some.Contacts {
			if !inGroup(w.Pair) {
				t.Fatalf("seed %d: %v is listed", seed, w.Pair)
			}
		}
	}
	if found < 20 || left < 10 {
		t.Errorf("%d contacts of groups, %d of others: too few to tell", found, left)
	}
}

// movedBySlowly walks from each link to the root.
func movedBySlowly(robot *urdf.Robot, joints []string) map[string]bool {
	moves := map[string]bool{}
	for i := range robot.Links {
		for l := i; robot.Links[l].ParentJoint >= 0; {
			j := &robot.Joints[robot.Links[l].ParentJoint]
			name := j.Name
			if j.Mimic != nil {
				name = robot.Joints[j.Mimic.Joint].Name
			}
			if slices.Contains(joints, name) {
				moves[robot.Links[i].Name] = true
			}
			l = j.Parent
		}
	}
	return moves
}

// Objects attached to an arm belong to the arm's group, and so do the links of its hand.
func TestGroupMovesWhatHangsOnIt(t *testing.T) {
	robot, world := twoBalls()
	c := newChecker(t, robot, world)
	touching := map[string]float64{"left": 0, "right": 2} // right is inside of left
	for group, want := range map[string]bool{"one": true, "other": true, "": true} {
		only, err := c.OnlyGroup(group)
		if err != nil {
			t.Fatal(err)
		}
		m, err := motion.Path([]string{"left", "right"}, [][]float64{{touching["left"], touching["right"]}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := only.Check(context.Background(), m, motion.Query{})
		if err != nil || (v.Status == motion.Contact) != want {
			t.Errorf("group %q: %v, %v", group, v.Status, err)
		}
	}
	// The object that left carries is not of the group of right, and does not meet it here.
	post := object("shelf", box(0.2, 0.2, 0.2), geom.Translation(geom.Vec{Y: 1, Z: 0.5}))
	c = newChecker(t, robot, worldOf(post, world.Objects[1]))
	rest, err := motion.Path([]string{"left", "right"}, [][]float64{{0, 0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for group, want := range map[string]motion.Status{"one": motion.Contact, "other": motion.Free} {
		only, err := c.OnlyGroup(group)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := only.Check(context.Background(), rest, motion.Query{}); err != nil || v.Status != want {
			t.Errorf("group %s: %v, %v", group, v.Status, err)
		}
	}
	if _, err := c.OnlyGroup("three"); err == nil {
		t.Error("a group that is not there")
	}
}

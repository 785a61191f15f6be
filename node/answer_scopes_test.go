package node

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// testScopes sends a motion on which the left cart hits the right one at 0.3 s and the wall
// at 0.7 s: the verdict tells both.
func testScopes(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	r.publish(r.pair.Publish(passing("both")))
	v := r.waitVerdict("both")
	if v.Status != fcmsgs.VerdictContact || v.Scope != fcmsgs.VerdictScopeSelf || math.Abs(v.TOCUpper-0.3) > 1e-5 {
		t.Errorf("status %d, scope %d at %g: %s", v.Status, v.Scope, v.TOCUpper, v.Message)
	}
	self, world := &v.SelfVerdict, &v.WorldVerdict
	if !self.Checked || self.Status != fcmsgs.ScopeVerdictContact || math.Abs(self.TOCUpper-0.3) > 1e-5 || between(self.Contact.Pair) != "left and right" || self.Contact.Scope != fcmsgs.ContactScopeSelf {
		t.Errorf("self: %+v", self)
	}
	if !world.Checked || world.Status != fcmsgs.ScopeVerdictContact || math.Abs(world.TOCUpper-0.7) > 1e-5 || world.ProvenUntil > world.TOCUpper ||
		between(world.Contact.Pair) != "left and wall" || math.Abs(world.Contact.PointB.X-2.99) > 1e-6 || world.Contact.FeatureB != "face -x" {
		t.Errorf("world: %+v", world)
	}
	if len(v.Contacts) != 1 || v.MoreContacts || between(v.Contacts[0].Pair) != "left and right" {
		t.Errorf("contacts: %+v, more %v", v.Contacts, v.MoreContacts)
	}
}

func TestScopes(t *testing.T) { testScopes(t, inMemory()) }

// passing is that motion.
func passing(id string) *fcmsgs.JointStatePair {
	return &fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{-0.7675, 0}, Goal: []float64{4.4575, 0}}
}

// The parameters turn both off; a path tolerance leaves the list out, and says nothing of more.
func TestScopesAreAsked(t *testing.T) {
	v, _ := answers(railModel(t))
	off := map[string]any{"trajectory.each_scope": false, "trajectory.max_contacts": int64(0)}
	a := v.answer(context.Background(), defaults(values(t, off)).aboutPair(passing("off")))
	if a.Status != fcmsgs.VerdictContact || a.SelfVerdict.Checked || a.WorldVerdict.Checked || a.Contacts != nil || a.MoreContacts {
		t.Errorf("turned off: %+v", a)
	}
	q := defaults(values(t, nil)).aboutPair(passing("tube"))
	q.query.Tube = map[string]float64{"left_x": 0.01}
	a = v.answer(context.Background(), q)
	if a.Status != fcmsgs.VerdictContact || !a.WorldVerdict.Checked || a.Contacts != nil || a.MoreContacts {
		t.Errorf("with a tube: %+v", a)
	}
	for _, by := range ccd.Methods() {
		a = v.answer(context.Background(), defaults(values(t, map[string]any{"method": by.String()})).aboutPair(passing("by")))
		if a.SelfVerdict.Status != fcmsgs.ScopeVerdictContact || a.WorldVerdict.Status != fcmsgs.ScopeVerdictContact || len(a.Contacts) != 1 {
			t.Errorf("method %s: %+v", by, a)
		}
	}
}

// What a scope's answer says where the motion violates a clearance: CLEARANCE only where
// nothing touches.
func TestScopeWithinTheClearance(t *testing.T) {
	free, undecided := &motion.ScopeVerdict{Status: motion.Free}, &motion.ScopeVerdict{Reason: "out of time"}
	contact := &motion.ScopeVerdict{Status: motion.Contact, TOC: motion.Interval{Lo: 1, Hi: 2}}
	for i, c := range []struct {
		v, touch *motion.ScopeVerdict
		want     uint8
		checked  bool
	}{
		{nil, nil, fcmsgs.ScopeVerdictUndecided, false},
		{nil, contact, fcmsgs.ScopeVerdictUndecided, false},
		{free, nil, fcmsgs.ScopeVerdictFree, true},
		{free, undecided, fcmsgs.ScopeVerdictFree, true},
		{undecided, nil, fcmsgs.ScopeVerdictUndecided, true},
		{undecided, free, fcmsgs.ScopeVerdictUndecided, true},
		{undecided, contact, fcmsgs.ScopeVerdictContact, true},
		{contact, nil, fcmsgs.ScopeVerdictContact, true},
		{contact, free, fcmsgs.ScopeVerdictClearance, true},
		{contact, undecided, fcmsgs.ScopeVerdictUndecided, true},
		{contact, contact, fcmsgs.ScopeVerdictContact, true},
	} {
		if a := scopeVerdict(c.v, c.touch); a.Status != c.want || a.Checked != c.checked {
			t.Errorf("case %d: %+v", i, a)
		}
	}
}

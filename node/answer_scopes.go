package node

import (
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// scopes fills in what the verdict says of each scope. touch is as in answer.
func scopes(a *fcmsgs.Verdict, q *question, v, touch *motion.Verdict) {
	var self, world *motion.ScopeVerdict
	if touch != nil {
		self, world = touch.Self, touch.World
	}
	a.SelfVerdict, a.WorldVerdict = scopeVerdict(v.Self, self), scopeVerdict(v.World, world)
}

// scopeVerdict converts what a verdict says of one scope; touch, if not nil, is that at
// clearance 0.
func scopeVerdict(v, touch *motion.ScopeVerdict) fcmsgs.ScopeVerdict {
	if v == nil {
		return fcmsgs.ScopeVerdict{}
	}
	shown := v
	a := fcmsgs.ScopeVerdict{Checked: true, Status: scopeStatus(v.Status), Message: v.Reason}
	switch {
	case touch == nil || v.Status == motion.Free:
	case touch.Status == motion.Contact:
		shown, a.Status, a.Message = touch, fcmsgs.ScopeVerdictContact, ""
	case v.Status == motion.Contact && touch.Status == motion.Free:
		a.Status = fcmsgs.ScopeVerdictClearance
	case v.Status == motion.Contact:
		a.Status, a.Message = fcmsgs.ScopeVerdictUndecided, "it comes closer than the clearance; whether it touches is undecided: "+touch.Reason
	}
	a.Message = oneline.Text(a.Message, limit.TextBytes)
	a.ProvenUntil = shown.ProvenUntil
	if shown.Status == motion.Contact {
		a.TOCLower, a.TOCUpper, a.SegmentIndex = shown.TOC.Lo, shown.TOC.Hi, uint32(shown.Piece)
		a.Contact = contactOf(&shown.Contact)
	}
	if c := &v.MinClearance; c.Known {
		a.MinClearanceKnown = true
		a.MinClearanceLower, a.MinClearanceUpper = c.Bounds.Lo, c.Bounds.Hi
		a.MinClearanceTime, a.MinClearancePair = c.At.Time, pairOf(c.At.Pair)
	}
	return a
}

func scopeStatus(s motion.Status) uint8 {
	switch s {
	case motion.Free:
		return fcmsgs.ScopeVerdictFree
	case motion.Contact:
		return fcmsgs.ScopeVerdictContact
	}
	return fcmsgs.ScopeVerdictUndecided
}

// listContacts fills in the pairs that touch at the time of contact.
func listContacts(a *fcmsgs.Verdict, v *motion.Verdict) {
	for i := range v.Contacts {
		a.Contacts = append(a.Contacts, contactOf(&v.Contacts[i]))
	}
	a.MoreContacts = v.MoreContacts
}

func contactOf(w *motion.Witness) fcmsgs.Contact {
	pair := pairOf(w.Pair)
	c := fcmsgs.Contact{
		Scope: scopeOf(pair), Pair: pair, Distance: w.Distance,
		PointA: pointOf(w.PointA), PointB: pointOf(w.PointB), Normal: vectorOf(w.Normal),
	}
	if w.Features() != "" {
		c.FeatureA, c.FeatureB = w.FeatureA.String(), w.FeatureB.String()
	}
	return c
}

// late gives the reason of a verdict that came too late, and of its scopes.
func late(v *motion.Verdict, reason string) {
	v.Reason = reason
	for _, s := range [...]*motion.ScopeVerdict{v.Self, v.World} {
		if s != nil && s.Status == motion.Undecided {
			s.Reason = reason
		}
	}
}

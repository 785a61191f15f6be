package node

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// answer turns a verdict into a message. touch is the verdict at clearance 0 if the motion
// violates a positive clearance, otherwise nil.
func (m *model) answer(q *question, way *motion.Motion, v, touch *motion.Verdict) *fcmsgs.Verdict {
	a := m.blank(q)
	a.Duration, a.ProvenUntil = way.Duration(), v.ProvenUntil
	a.OpenMeshes, a.BeyondLimits = v.OpenMeshes, v.BeyondLimits
	a.HeldJoints = append(append(a.HeldJoints, q.held...), v.Held...)
	a.ComputeTime, a.ProvenPairs = v.Compute.Seconds(), uint32(v.ProvenPairs)
	a.Premises = premisesOf(v.Premises)
	switch {
	case touch != nil:
		a.ComputeTime += touch.Compute.Seconds()
		tooClose(a, q, v, touch)
	case v.Status == motion.Free:
		a.Status, a.Message = fcmsgs.VerdictFree, "proved free"
	case v.Status == motion.Contact:
		a.Status = fcmsgs.VerdictContact
		first(a, v)
		listContacts(a, v)
		a.Message = fmt.Sprintf("%s %s at %.6f s", between(a.Pair), q.may("touch"), a.TOCUpper)
	default:
		a.Message = fmt.Sprintf("proved free until %.6f s, undecided after that: %s", v.ProvenUntil, v.Reason)
	}
	a.Warnings = m.warnings(q, way)
	closest(a, v)
	scopes(a, q, v, touch)
	for _, note := range q.notes {
		a.Message += "; " + note
	}
	return a
}

// tooClose fills in the answer for a motion that violates the clearance, with or without
// contact.
func tooClose(a *fcmsgs.Verdict, q *question, v, touch *motion.Verdict) {
	pair := pairOf(v.Contact.Pair)
	closer := fmt.Sprintf("%s %s %g m at %.6f s", between(pair), q.may("come closer than"), a.Clearance, v.TOC.Hi)
	switch touch.Status {
	case motion.Free:
		a.Status = fcmsgs.VerdictClearance
		first(a, v)
		listContacts(a, v)
		a.Message = closer
	case motion.Contact:
		a.Status = fcmsgs.VerdictContact
		first(a, touch)
		listContacts(a, touch)
		a.Message = fmt.Sprintf("%s %s at %.6f s", between(a.Pair), q.may("touch"), a.TOCUpper)
	default:
		a.Message = closer + "; whether anything touches is undecided: " + touch.Reason
	}
}

// may words what two bodies do. With a tube, they do it only for some configuration in it.
func (q *question) may(do string) string {
	if q.tubed() {
		return "may, with the joints within their tube, " + do
	}
	return do
}

// tubed reports whether joints may deviate from the motion.
func (q *question) tubed() bool {
	for _, width := range q.query.Tube {
		if width > 0 {
			return true
		}
	}
	return false
}

// first fills in the first contact, or the first time at which a pair is too close.
func first(a *fcmsgs.Verdict, v *motion.Verdict) {
	at := &v.Contact
	a.TOCLower, a.TOCUpper, a.SegmentIndex = v.TOC.Lo, v.TOC.Hi, uint32(v.Piece)
	a.Pair = pairOf(at.Pair)
	a.Scope = scopeOf(a.Pair)
	a.PointA, a.PointB, a.Normal = pointOf(at.PointA), pointOf(at.PointB), vectorOf(at.Normal)
}

func closest(a *fcmsgs.Verdict, v *motion.Verdict) {
	c := &v.MinClearance
	if !c.Known {
		return
	}
	a.MinClearanceKnown = true
	a.MinClearanceLower, a.MinClearanceUpper = c.Bounds.Lo, c.Bounds.Hi
	a.MinClearanceTime, a.MinClearancePair = c.At.Time, pairOf(c.At.Pair)
	a.MinClearanceStopped, a.MinClearanceBeyond = c.Stopped, c.Beyond
}

// blank returns an answer with the status UNDECIDED and no result.
func (m *model) blank(q *question) *fcmsgs.Verdict {
	a := &fcmsgs.Verdict{ID: q.id, Interpolation: string(q.joined), Method: q.query.Method.Resolve().String(), Clearance: q.query.Clearance}
	a.Header.Stamp = builtininterfaces.TimeOf(q.stamp)
	for _, joint := range slices.Sorted(maps.Keys(q.query.Tube)) {
		a.TubeJoints, a.TubeWidths = append(a.TubeJoints, joint), append(a.TubeWidths, q.query.Tube[joint])
	}
	if m != nil {
		a.Header.FrameID, a.AssumedPairs = m.frame, m.assumed
		a.ModelHash, a.SceneHash, a.SceneVersion = m.hash, m.sceneHash, m.sceneVersion
	}
	return a
}

// invalid answers a question that is malformed.
func (m *model) invalid(q *question, err error) *fcmsgs.Verdict {
	a := m.blank(q)
	a.Status, a.Message = fcmsgs.VerdictInvalid, err.Error()
	return a
}

// undecided answers a question that cannot be decided now.
func (m *model) undecided(q *question, reason string) *fcmsgs.Verdict {
	a := m.blank(q)
	a.Message = reason
	return a
}

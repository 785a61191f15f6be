package motion

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Status is the outcome of a check. The zero value is Undecided: a motion without a proof is
// never free.
type Status uint8

// The outcomes of a check.
const (
	Undecided Status = iota // not decided, for instance within the budget: proved free before ProvenUntil, unknown after it
	Free                    // proved: distance > clearance at every time, for every enabled pair
	Contact                 // a witness at TOC.Hi, and a proof that nothing touches before TOC.Lo
)

var statusNames = [...]string{"undecided", "free", "contact"}

// String returns the status in lower case.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// Interval is a closed interval of times (s) or distances (m).
type Interval struct{ Lo, Hi float64 }

// BodyKind is the kind of a Body.
type BodyKind uint8

// The kinds of body.
const (
	RobotLink BodyKind = iota
	WorldObject
	AttachedObject
)

var bodyKindNames = [...]string{"robot_link", "world_object", "attached"}

// String returns the kind in snake case.
func (k BodyKind) String() string {
	if int(k) < len(bodyKindNames) {
		return bodyKindNames[k]
	}
	return fmt.Sprintf("body(%d)", uint8(k))
}

// Body names one side of a pair.
type Body struct {
	Name string
	Kind BodyKind
}

// Pair is two bodies; World reports whether one of them belongs to the world.
type Pair struct{ A, B Body }

// World reports whether the pair is one of robot and world.
func (p Pair) World() bool { return p.A.Kind == WorldObject || p.B.Kind == WorldObject }

// Witness is two points, one of each body of a pair, in the frame of the scene (the root
// link's, if the root does not move), at one time, and the unit normal from A towards B (zero
// if the bodies overlap so deeply that none is known).
type Witness struct {
	Pair     Pair
	Time     float64 // s from start
	PointA   geom.Vec
	PointB   geom.Vec
	Normal   geom.Vec
	Distance float64 // m; 0 if the bodies overlap

	// FeatureA and FeatureB are the features that the points lie on. A verdict's Contact has
	// them, except in the answer to IsFree; so have its Contacts, and the At of a MinClearance
	// that Stopped. For other witnesses, call Checker.CompleteFeatures.
	FeatureA, FeatureB Feature
}

// Clearance bounds the smallest distance over a motion.
type Clearance struct {
	Known  bool
	Bounds Interval // m: the true minimum lies within, of the pairs that Query.Range does not leave out
	At     Witness  // where the upper bound was found; zero where Beyond

	// Stopped says that a pair came closer than its Min of Query.Range, which At proves,
	// and that the search ended there. The lower bound is 0. Status is Contact where the
	// points of At touch, Free where that had been proved before, else Undecided.
	Stopped bool
	// Beyond says that every pair is proved farther apart than its Max of Query.Range
	// all the time. Bounds are the smallest Max and +Inf.
	Beyond bool
}

// ScopeVerdict is what a Verdict says of one scope: the robot's own pairs, or those with
// the world. Its fields mean what the Verdict's of the same name mean. It is the answer to
// the same Query with NoWorld or NoSelf, except that the proof of the other scope's contact
// may leave TOC.Lo and ProvenUntil closer to the truth.
type ScopeVerdict struct {
	Status       Status
	TOC          Interval // s
	Piece        int
	Contact      Witness
	ProvenUntil  float64 // s
	MinClearance Clearance
	Reason       string // why, where Status is Undecided
}

// Verdict is the answer to a Query.
type Verdict struct {
	Status Status

	// TOC bounds the time of first contact (s from start) if Status is Contact: nothing
	// touches before TOC.Lo, Contact touches at TOC.Hi. For the question IsFree, TOC.Lo is the
	// time up to which the motion had been proved free when the search stopped.
	TOC     Interval
	Piece   int     // index of the piece of the motion that TOC.Hi lies in
	Contact Witness // if Status is Contact

	// ProvenUntil: the motion is free on [0, ProvenUntil).
	ProvenUntil float64

	MinClearance Clearance

	// Self and World are the answers for each scope, if Query.EachScope requests them. One
	// of them repeats the first contact of all pairs. They are nil if they were not
	// requested, and if the scope has no pair to check.
	Self, World *ScopeVerdict

	// Contacts lists the pairs of bodies that touch at TOC.Hi, of both scopes, where
	// Query.MaxContacts asks for them and Status is Contact: those no farther apart than
	// clearance and tolerance, each with its closest points. The first is Contact, the
	// others follow by distance. Pairs that are not listed are proved farther apart
	// there, unless MoreContacts says that the list is cut short or could not be
	// completed. At the limit a pair may be listed that is up to 1e-9 m beyond it.
	Contacts     []Witness
	MoreContacts bool

	// Premises lists the premises of the verdict. It is shared: do not modify it.
	Premises []premise.Premise

	// AssumedPairs counts the pairs of links that were left out as allowed pairs (SRDF, scene,
	// option or default), not by proof.
	AssumedPairs int
	// ProvenPairs counts the pairs of links that were left out because they are proved never
	// to touch anywhere within the motion and its tube.
	ProvenPairs int
	// OpenMeshes names the bodies with a mesh of which some part encloses nothing: that part
	// was checked as a surface, without an inside.
	OpenMeshes []string
	// BeyondLimits names the joints that leave their limits during the motion.
	BeyondLimits []string
	// Held names the joints that the motion does not name, held at the default or the given
	// state.
	Held []string

	// Reason says why Status is Undecided.
	Reason string

	// Compute is the computing time of the check, not counting what else the machine
	// did meanwhile: that of its thread, summed over all Workers. The first 160 proofs,
	// some 50 us, count as they pass on the wall clock, and so does all of it on systems
	// other than Linux.
	Compute time.Duration
	Work    Work
}

// Work counts the steps of a check.
type Work struct {
	Intervals int // intervals of time examined
	Proofs    int // evaluations of a proof rule
	Distances int // closest-point searches
}

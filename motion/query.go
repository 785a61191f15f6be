package motion

import (
	"time"
)

// Question says what a query asks about a motion.
type Question uint8

// The questions.
const (
	FirstContact Question = iota // when and where the first contact occurs and which pair touches, or a proof that none does
	IsFree                       // yes or no: a contact is reported with its witness only
	MinClearance                 // FirstContact, and the smallest distance of a free motion
)

// Query asks about a motion. Its zero value asks for the first contact at
// clearance 0 with the default tolerances and no deadline.
type Query struct {
	Question Question

	// Method is the algorithm that answers. A query that it does not support (with a Tube, for
	// instance) is an error. The default engine computes the distance of MinClearance for
	// every method.
	Method Method
	// Research runs a paper's method otherwise, to study it: "NAME,NAME=VALUE,...", such
	// as "swept=tessellate,no-newton" of Articulate; docs/methods.md lists the settings.
	// No setting changes what a verdict proves. The default method has none.
	Research string

	// Clearance in metres that must be exceeded for Free. Never negative or NaN.
	Clearance float64
	// Tolerance in metres within which a pair counts as touching; 0 means 1e-6.
	Tolerance float64
	// TimeTolerance in seconds of the time of contact; 0 means 1e-6.
	TimeTolerance float64
	// ClearanceTolerance in metres of the answer to MinClearance; 0 means 1e-3.
	ClearanceTolerance float64
	// Range, of MinClearance alone: the distance range interval of each pair over the
	// motion. The first pair found closer than its Min, which need not be the first in
	// time, ends the search (Clearance.Stopped); without one, every pair is proved
	// farther apart than its Min less ClearanceTolerance, or than Clearance where that
	// is more. Pairs that are proved farther apart than their Max all the time are left
	// out; where none is left, so says Clearance.Beyond.
	Range DistanceRanges
	// Budget of computing time; 0 means none. When it is spent the verdict is Undecided, with
	// ProvenUntil. It counts the computing time of the check's thread (Verdict.Compute), not
	// that of other programs; with several Workers it applies to each of them.
	Budget time.Duration
	// Deadline is when the check ends on the wall clock; zero means never. The verdict is
	// then Undecided, with ProvenUntil. A deadline of the context applies as well.
	Deadline time.Time

	// Tube is how far, to either side, a joint may deviate from the motion at any time (rad or
	// m, by joint name): a proof then holds for every motion that stays within it, each joint
	// deviating independently. A mimic joint deviates |multiplier| times as far as the joint
	// that it follows unless it is named itself. Joints that are not named follow the motion
	// exactly. A verdict Contact then says that a pair of the motion itself comes as close as
	// the joints' deviations may move it, in whatever direction: it may touch, but need not.
	// MinClearance is that of the motion itself.
	Tube map[string]float64

	// Workers is how many goroutines share a motion of many pieces; 0 means 1. The verdict's
	// status is the same for any number, as long as no budget or context ends the check, and
	// TOC and MinClearance keep their tolerances. With several workers a first contact is
	// deterministic; the witness of IsFree, and of the smallest distance, may vary.
	Workers int

	// NoSelf and NoWorld leave out self pairs, or pairs with the world.
	NoSelf, NoWorld bool

	// EachScope asks for Verdict.Self and Verdict.World besides. A motion that is free costs
	// no more for it. After a contact of one scope, the search of the other one goes on
	// where the first contact stopped it, within the same Budget. MinClearance is then
	// that of each scope that is free.
	EachScope bool

	// MaxContacts is how many pairs at most Verdict.Contacts lists; 0 asks for no list. The
	// list costs one distance query, which neither Budget nor Verdict.Compute counts. It
	// is of one configuration, so a question with a Tube has none.
	MaxContacts int
}

// The defaults of Query.
const (
	DefaultTolerance          = 1e-6
	DefaultTimeTolerance      = 1e-6
	DefaultClearanceTolerance = 1e-3
)

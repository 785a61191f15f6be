package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/region"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// closest is the state of the branch and bound for the smallest distance.
type closest struct {
	tol   float64 // the answer may be this much too high
	floor float64 // known lower bound
	// need is what everything is to be proved apart by, unless its distance range asks
	// for less; it grows by rise over the interval, as prover.clearance does.
	need, rise float64
	// keep is what a Min asks for at least, where that is not proved yet.
	keep    *keep
	beyond  float64 // by how much more than its Max a pair may be apart and still count
	stopped bool    // best is closer than its Min, and ended the search
	best    engine.PairTouch
	at      float64 // time of best, in the piece's parameter
	piece   int     // of best
	now     int     // the piece being searched

	poseA, poseB geom.Pose // of the elements of best in W, at its time
	onA, onB     geom.Vec  // the points of best, each in its element's frame
	stamp        uint64    // of the robot where best was found
}

// expected is the pair that is likely to be closest.
type expected struct {
	pair  int32
	known bool
}

// overlapSearch looks for a part of an element and an item of the world that touch at the
// current time: it goes down both hierarchies at once, first where boxes overlap
// deepest, and searches the items that it comes to. It proves nothing and
// gives up.
type overlapSearch struct {
	pose  *geom.Pose // of E in W
	turn  geom.Rot   // the absolute values of its rotation
	grow  float64    // how far a touch reaches
	stack []overlap
}

// linkSearch is overlapSearch for two elements: it goes down both hierarchies at once.
type linkSearch struct {
	a, b  *model.Element
	pose  geom.Pose // of b in a
	turn  geom.Rot  // the absolute values of its rotation
	grow  float64   // how far a touch reaches
	stack []nodePair
}

// nodePair is a node of each, whose boxes overlap by depth.
type nodePair struct {
	a, b  int32
	depth float64
}

// overlap is a node of an element's hierarchy and a node or item of the world, whose
// box is given: the boxes overlap by depth.
type overlap struct {
	mine, its    int32
	center, half geom.Vec
	depth        float64
}

// itemSearch looks for a piece of an element that touches an item of the world at the
// current time, where the hull around the element does: a yes needs a witness on the
// shape itself. Boxes and a few slabs lead to it, deepest first, at a fraction of what
// it costs to try and prove each node on the way apart. It is an untrusted search and
// gives up after some effort; what it finds is judged like any two leaves.
type itemSearch struct {
	effort int // what is left; a node costs one

	item  geom.Box // the item's box in E, grown by how far a touch reaches
	slabs [slabsKept]slab
	count int
	stack []nodeDepth

	mine, its volume.Scratch // others hold the worker's
}

// nodeDepth is a node of the element's hierarchy and how deep it is in the item, as far
// as boxes and slabs tell.
type nodeDepth struct {
	node  int32
	depth float64
}

// slab says that lo <= n.x <= hi, in E, for all that may touch the item.
type slab struct {
	n      geom.Vec
	lo, hi float64
}

const (
	slabsKept  = 6 // the most slabs of a search
	leafEffort = 4 // what looking at two shapes costs, in nodes
)

// pendingInterval is an interval of a piece that waits to be searched, with the entries
// arena[first:last] that are not yet proved there.
type pendingInterval struct {
	piece       int32
	lo, hi      float64
	first, last int32
	promised    bool // all of it is worth trying
	stepped     bool // trying its steps at once is of no use
}

// touch is a witness: two points in W of one pair.
type touch struct {
	engine.PairTouch
	atStart bool // at the motion's start, in whichever piece it was found
}

// ranged are the distance ranges of a question, by pair and by element.
type ranged struct {
	on bool // the question has ranges
	// Of the pairs that are asked about:
	hasMin            bool    // one has a Min
	least             float64 // the smallest Min
	smallest, largest float64 // Max

	of       motion.DistanceRanges // that the rest is for
	selected [2]bool               // NoSelf, NoWorld
	made     bool
	pairs    []motion.DistanceRange // of each pair, then of each pair of groups; Max +Inf for no limit
	elements []motion.DistanceRange // of each element with the world
	farthest []float64              // Max of each of the model's pairs

	keep keep // of the question
}

// keep is what a pair must keep apart by, so that it is not closer than its Min: a proof
// needs no more than clearance, and two points that are no more than tolerance beyond
// that are closer than Min, or touch.
type keep struct {
	clearance, tolerance float64 // of the question
	less                 float64 // by how much less than Min a proof may fall short of it
}

const (
	mostTogether   = 256 // entries, between two looks at the clock
	fewestTogether = 4   // pairs: less cost less one by one
)

// many is scratch for trying entries from..end-1 of a front together.
type many struct {
	from, end int
	pairs     [mostTogether][2]int32 // of elements
	of        [mostTogether]uint8    // the entries, from from on
	apart     [mostTogether / 4]uint8
	state     [mostTogether]together
}

// together is what became of an entry.
type together uint8

const (
	alone  together = iota // it was not tried with others
	left                   // it was tried, and is not proved
	parted                 // it is proved
)

// pieces are those of the bound motion that were tried as steps of one proof.
type pieces struct {
	tried  bool   // whether they may be was asked
	usable bool   // they may
	proved []bool // which are proved, of those that were tried
	vain   int    // how many proofs in a row brought little
}

// stepped is scratch for trying all steps of an interval.
type stepped struct {
	lanes  *place.Lanes // nil if the robot has none
	made   bool
	bound  bool // lanes are bound to the loaded piece
	usable bool
	// The intervals that lanes are bent and placed for, by how much paths depart from their chords at most, and
	// the clearance that boxes are grown by.
	bent, placed [2]float64
	bend, grown  float64

	// whole holds, for each step, those that a direction is sought for together with it: where motions
	// share the lanes, the steps of its motion.
	whole [lanes.Steps]uint8

	list []stepsOf // of the interval being tried, behind those of intervals that contain it
	runs []pendingInterval

	hurries  bool // steps may be left undone
	patience int  // how many proofs an element may take before that

	rows      [][2]int32 // of pairs of elements, in the order of entries
	startRows [][2]int32 // those of startGroups
	apart     []uint8    // steps of each that boxes prove
	row       [1][2]int32
	one       [1]uint8

	world stepsAgainst
	parts partsOfSteps
	start [1]distance.Start // of a search for what is closer in one pair
}

// unbind makes the lanes ask anew what they are bent and placed for.
func (p *stepped) unbind() { p.bound, p.bent, p.placed = false, [2]float64{}, [2]float64{} }

// stepsOf is an entry, the steps in which it is to be tried, and those in which it was not
// proved.
type stepsOf struct {
	e            entry
	todo, failed uint8
}

// stepsAgainst is scratch for an element against the world: half-spaces that contain what it
// sweeps, and what is left of the world's tree, the nearest last.
type stepsAgainst struct {
	planes [planesKept]lanes.HalfSpace
	count  int
	near   []nodeSteps
	looked bool // for a witness
}

// regions are the tables of pairs, and scratch.
type regions struct {
	of      []*region.Table // of each pair, then of each pair of groups; nil for none
	known   []bool          // of is set
	scratch region.Scratch
	ranges  [2][lanes.Steps][2]float64 // of each variable of a table, in each step
}

// partsOfSteps is scratch for parts of a pair's elements.
type partsOfSteps struct {
	of      [][]*place.Part // of each element, whole and by node: as lanes take them
	corners int             // of all that are kept
	stack   []stepsOf
	dead    uint8 // steps in which two shapes were not proved apart
}

// nodeSteps is a node or an item of the world's tree, the steps in which it is not proved
// apart, and the square of its box's distance from the element's middle.
type nodeSteps struct {
	node  int32
	steps uint8
	away  float32
}

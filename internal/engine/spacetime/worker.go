package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
)

func (w *Worker) moment() moment { return moment{w.q.Number, w.piece, w.at.C} }

// question is what is asked of a motion; it stays the same until that is answered.
type question struct {
	isSelected  bool             // starts and startGroups are set
	selected    [2]bool          // what they are for: NoSelf, NoWorld
	starts      []distance.Start // each pair, and each element with the world
	startGroups []entry          // the same by groups: what every piece of the motion starts with
	everything  []int32          // in place of a row of Model.Against that leaves nothing out
}

// containment is what it takes to tell what is inside of what at the motion's start.
type containment struct {
	start     *place.Start // the robot there
	solids    engine.Solids
	segments  model.Segments
	usedStart bool // it was asked of two links
}

// fronts are what is not yet proved of the intervals being worked on.
type fronts struct {
	arena   []entry
	waiting []pendingInterval
	many    many
	room    int // how many intervals may wait besides one for each piece
}

// contactSearch is the untrusted search for a witness at one time.
type contactSearch struct {
	itemSearch    itemSearch
	overlapSearch overlapSearch
	linkSearch    linkSearch
	spent         int // its effort for this question
}

// Worker is the scratch of one goroutine: everything a check writes. It grows to
// what the model needs once and then allocates nothing.
type Worker struct {
	// Searcher answers distance queries with the same scratch.
	*distance.Searcher

	prover
	question
	containment
	fronts
	contactSearch
	ranged  ranged
	stepped stepped
	regions regions

	bound    kin.Course
	loaded   int // the piece that the robot is loaded with for this question, from 1; 0 for none
	together [place.MostAtRest]kin.Course
	pieces   pieces
	closest  closest
	expected expected
	member   member
	others   func() bool // askOthers
}

// load makes piece p of the question's motion the one that w looks at.
func (w *Worker) load(b *kin.Course, p int) {
	if w.piece = p; w.loaded == p+1 {
		return
	}
	w.loaded = p + 1
	w.stepped.unbind()
	if !w.at.Load(b, p) && w.q.Reason == "" {
		w.q.Reason = tooLarge
	}
}

// tooLarge is why a question ends before anything is tried to be proved.
const tooLarge = "positions, speeds or lengths are too large to compute with"

// place moves the robot to the time c and bounds what it does on [lo, hi].
func (w *Worker) place(c, lo, hi float64) {
	w.at.Place(c, lo, hi)
	w.q.Work.Intervals++
}

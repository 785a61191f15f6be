package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Worker is the scratch of one goroutine: everything a check writes. It grows to
// what the model needs once and then allocates nothing.
type Worker struct {
	// Searcher answers distance queries with the same scratch.
	*distance.Searcher

	m     *model.Model
	at    *place.Robot     // at the time that is looked at
	start *place.Start     // where containment is asked about
	q     *engine.Question // the clock, and the work done
	bound kin.Course

	piece    int      // of the motion, that is looked at
	recorder Recorder // of the proof, if somebody wants it

	elements []elementMemory
	pairs    []pairMemory
	swept    sweep // the part last looked at against the world

	search      convex.Workspace
	partA       volume.Scratch
	partB       volume.Scratch
	solids      engine.Solids
	arena       []entry          // fronts of the intervals being worked on
	starts      []distance.Start // what is asked about: each pair, and each element with the world
	startGroups []entry          // the same by groups: what every piece of the motion starts with
	segments    model.Segments
	everything  []int32 // in place of a row of Model.Against that leaves nothing out
	waiting     []stretch
	room        int // how many intervals may wait besides one for each piece
	mate        crewmate
	others      func() bool // askOthers
	closest     closest
	hunt        hunt
	dive        dive
	spent       int  // effort of dives for this question
	leaned      bool // what is inside what at the motion's start was asked of two links

	// The question.
	isSelected bool    // starts and startGroups are set
	selected   [2]bool // what they are for: NoSelf, NoWorld
	clearance  float64 // what must be exceeded
	rise       float64 // by how much that grows over the interval; see clearances
	tolerance  float64
}

// elementMemory is what is remembered of an element from one interval to the next.
type elementMemory struct {
	asked uint64 // the question that it belongs to
	// hints are directions that parted it from the world, the last one first.
	hints   [hintsKept]geom.Vec
	dived   moment // when the shape itself was looked into for what touches it
	outside bool   // no mesh of the world has it inside at the motion's start
}

// hintsKept is how many directions an element remembers.
const hintsKept = 3

// pairMemory is what is remembered of a pair from one interval to the next.
type pairMemory struct {
	asked   uint64   // the question that it belongs to
	hint    geom.Vec // the last direction that was tried, in a's frame
	hasHint bool
	outside bool // at the motion's start neither solid contains the other
}

// entry is a pair of nodes not yet proved apart, of both elements' hierarchies or whole;
// where pair is negative, of element ^pair and the world's tree, of which a negative
// node is an item.
type entry struct{ pair, a, b int32 }

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// NewWorker returns scratch for the model.
func NewWorker(m *model.Model) *Worker {
	w := &Worker{m: m, at: place.New(m), start: place.NewStart(m), q: &engine.Question{}, room: mostWaiting}
	w.others = w.askOthers
	w.Searcher = distance.NewAt(w.at, w.q)
	w.elements = make([]elementMemory, len(m.Elements))
	w.pairs = make([]pairMemory, len(m.Pairs)+len(m.GroupPairs))
	w.everything = make([]int32, m.Real-int(m.First))
	return w
}

// Bind ties a motion to the tree as kin.Bind does, where the rows of the joints are
// known (kin.Tree.Rows). It reuses what the worker bound before.
func (w *Worker) Bind(m *motion.Motion, state []float64, rows []int) *kin.Course {
	w.bound.Bind(w.m.Tree, m, state, rows)
	return &w.bound
}

// load makes piece p of the motion the one that w looks at.
func (w *Worker) load(b *kin.Course, p int) {
	w.piece = p
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

// element returns what is remembered of element i.
func (w *Worker) element(i int) *elementMemory {
	p := &w.elements[i]
	if p.asked != w.q.Number {
		p.asked, p.hints, p.outside = w.q.Number, [hintsKept]geom.Vec{}, false
	}
	return p
}

// pair returns what is remembered of pair i.
func (w *Worker) pair(i int32) *pairMemory {
	p := &w.pairs[i]
	if p.asked != w.q.Number { // an answer does not depend on the questions before
		*p = pairMemory{asked: w.q.Number}
	}
	return p
}

// direction returns the hint in W, of length 1.
func (p *pairMemory) direction(at *place.Pair) geom.Vec {
	n, _ := geom.Unit(at.A.Pose.R.Apply(p.hint))
	return n
}

// clearances returns the clearance asked for at c-h and at c+h, where it changes
// linearly over an interval: it is then w.clearance at one end and less by |w.rise| at
// the other, the later one where w.rise is negative.
func (w *Worker) clearances() rules.Line {
	return rules.Line{Before: w.clearance - max(0, w.rise), After: w.clearance - max(0, -w.rise)}
}

// margin is what a pair or an element and an item must be apart by.
func (w *Worker) margin(slack float64) rules.Margin {
	return rules.Margin{Clearance: w.clearance, Slack: slack}
}

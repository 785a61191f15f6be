package spacetime

import (
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Worker is the scratch of one goroutine: everything a check writes. It grows to
// what the model needs once and then allocates nothing.
type Worker struct {
	m     *model.Model
	state *kin.State

	// The motion's start, where containment is asked about.
	startState *kin.State
	startAt    []kin.Around

	bound kin.Course

	// The current piece of the motion.
	curves   []kin.Curve
	curveBuf []float64
	around   []kin.Around

	// The current interval around c, in the piece's parameter; stamp tells which
	// of the lazily computed values below belong to it.
	c, h   float64
	lo, hi float64
	piece  int
	stamp  uint64

	recorder Recorder // of the proof, if somebody wants it

	elements []placedElement
	pairs    []placedPair
	reach    []float64 // backing of placedElement.reach
	radii    []float64 // backing of placedElement.radii
	swept    sweep     // the part last looked at against the world
	near     near      // the search for the smallest distance
	byPair   pairwise  // what is asked pair by pair

	search      convex.Workspace
	partA       part
	partB       part
	solids      engine.Solids
	nodes       []nodePair // stack of the distance query
	quest       quest
	known       []known        // what distance queries remember, by pair
	warmSince   uint64         // the question from which on it is used
	fine        []*convex.Core // tight hulls of elements, made when asked for
	feet        []spot         // stack of nearestOn
	ranking     ranking
	rest        atRest  // of the last configuration that was asked about
	arena       []entry // fronts of the intervals being worked on
	startFronts []entry // what is asked about: each pair, and each element with the world's root
	startGroups []entry // the same by groups: what every piece of the motion starts with
	startPairs  []int32 // the pairs that are checked
	segments    model.Segments
	everything  []int32 // in place of a row of Model.Against that leaves nothing out
	waiting     []stretch
	room        int // how many intervals may wait besides one for each piece
	mate        crewmate
	closest     closest
	hunt        hunt
	dive        dive
	spent       int  // effort of dives for this question
	leaned      bool // what is inside what at the motion's start was asked of two links
	work        motion.Work

	// The question.
	asked     uint64  // counts the questions
	selected  [2]bool // those that startFronts is for: NoSelf, NoWorld
	clearance float64 // what must be exceeded
	rise      float64 // by how much that grows over the interval; see profile_line.go
	tolerance float64
	tubed     bool // joints may stray
	steady    bool // no joint slides, so that the elements' reach is always the same
	reached   bool // it was worked out, without straying
	deadline  time.Time
	done      <-chan struct{}
	pause     func() // nil, or to be called when there is time to
	ticks     int
	reason    string // why the search stopped undecided
}

// placedElement is an element at c.
type placedElement struct {
	stamp  uint64
	pose   geom.Pose // of E in W
	center geom.Vec  // of its ball, in W
	vel    geom.Vec  // of the center, relative to the root
	accel  float64   // relative to the root, all s = 1
	jerk   float64   // likewise
	far    float64   // likewise
	bend   geom.Vec  // the center's acceleration, where bendOf was asked
	bends  bool
	arc    float64 // stands for accel of the center alone, likewise; where that is less
	arced  bool
	tube   float64   // how far its points may stray, likewise
	reach  []float64 // Tree.Reach, valid for the bound motion
	radii  []float64 // State.Radii, valid for the current interval

	rho    float64    // no point of its parts is farther from E's origin
	coarse float64    // a motion well above it is split before anything is tried
	slacks slackTerms // slackOf, valid for the current piece
	slack  float64    // within the current interval

	asked uint64 // the question that hints and outside belong to
	// hints are directions that parted it from the world, the last one first.
	hints   [hintsKept]geom.Vec
	dived   moment // when the shape itself was looked into for what touches it
	outside bool   // no mesh of the world has it inside at the motion's start
}

// hintsKept is how many directions an element remembers.
const hintsKept = 3

// placedPair is a pair at c, and what is remembered of it from one interval to
// the next.
type placedPair struct {
	stamp uint64
	a, b  side
	accel float64 // both sides, all s = 1
	jerk  float64 // likewise
	rated bool    // both sides' rate is known
	far   float64 // both sides' displacement
	slack float64 // of both sides, and what they may stray
	tube  float64

	hint    geom.Vec // the last direction that was tried, in a's frame
	hasHint bool
	asked   uint64 // the question that hint and outside belong to

	outside bool // at the motion's start neither solid contains the other
}

// part is a node of an element's hierarchy as a convex piece; its vertices are
// stored beside it so that making one allocates nothing.
type part struct {
	core     convex.Core
	vertices [3]geom.Vec
	few      [3 * few]geom.Vec // of a node of few triangles
}

// NewWorker returns scratch for the model.
func NewWorker(m *model.Model) *Worker {
	w := &Worker{m: m, state: kin.NewState(m.Tree), startState: kin.NewState(m.Tree), room: mostWaiting}
	n := len(m.Tree.Dofs)
	w.curves = make([]kin.Curve, n)
	w.curveBuf = make([]float64, n*kin.CurveSize(kin.MaxDegree+1))
	w.around, w.startAt = make([]kin.Around, n), make([]kin.Around, n)
	w.elements = make([]placedElement, len(m.Elements))
	w.pairs = make([]placedPair, len(m.Pairs)+len(m.GroupPairs))
	total := 0
	for i := range m.Elements {
		total += len(m.Tree.Chain(m.Elements[i].Frame))
	}
	w.reach, w.radii = make([]float64, total), make([]float64, total)
	w.everything = make([]int32, m.Real-int(m.First))
	scale := 0.0
	for i := range m.Elements {
		scale = max(scale, m.Elements[i].Radius)
	}
	w.steady = true
	for k := range m.Tree.Frames {
		w.steady = w.steady && !m.Tree.Frames[k].Prismatic
	}
	at := 0
	for i := range m.Elements {
		e := &m.Elements[i]
		n := len(m.Tree.Chain(e.Frame))
		// The box of a node may stick out of the element's ball, by less than twice.
		w.elements[i].rho = 2 * (geom.Norm(e.Center) + e.Radius)
		w.elements[i].coarse = max(e.Radius, scale)
		w.elements[i].reach = w.reach[at : at+n : at+n]
		w.elements[i].radii = w.radii[at : at+n : at+n]
		at += n
	}
	return w
}

// place moves the robot to the time c and bounds what it does on [lo, hi].
func (w *Worker) place(c, lo, hi float64) {
	for i := range w.curves {
		w.around[i] = w.curves[i].Around(c, lo, hi)
	}
	w.state.Place(w.around)
	w.c, w.lo, w.hi = c, lo, hi
	w.h = 0
	if hi > lo {
		w.h = math.Nextafter(max(hi-c, c-lo), math.Inf(1))
	}
	w.stamp++
	w.work.Intervals++
}

// still makes c alone the interval that is looked at. Where joints may stray it will
// not do: how far their points do was worked out for the whole interval.
func (w *Worker) still() {
	w.lo, w.hi, w.h = w.c, w.c, 0
	w.stamp++
}

// element returns element i at c.
func (w *Worker) element(i int) *placedElement {
	p := &w.elements[i]
	if p.stamp == w.stamp {
		return p
	}
	p.stamp = w.stamp
	if p.asked != w.asked {
		p.asked, p.hints, p.outside = w.asked, [hintsKept]geom.Vec{}, false
	}
	e := &w.m.Elements[i]
	st := w.state
	st.Ensure(e.Frame)
	p.pose.Compose(&st.PoseWF[e.Frame], &e.PoseFE)
	p.center = p.pose.Apply(e.Center)
	p.vel, p.bend, p.accel, p.jerk, p.far = geom.Vec{}, geom.Vec{}, 0, 0, 0
	p.tube, p.bends, p.arced, p.slack = 0, false, false, p.slacks.within(w.h)
	if w.h > 0 || w.tubed {
		p.vel = st.Twist[e.Frame].At(p.center)
		st.Radii(e.Frame, p.center, e.Radius, p.reach, p.radii)
		p.accel, p.jerk = st.Acceleration(e.Frame, 0, p.radii)
		p.far = st.Displacement(e.Frame, 0, p.radii)
		if w.tubed {
			p.tube = st.Tube(e.Frame, 0, p.radii)
		}
	}
	return p
}

// bendOf works out the acceleration of the centre of element i, which is placed.
func (w *Worker) bendOf(i int) {
	p := &w.elements[i]
	if p.bends {
		return
	}
	p.bends = true
	if f := w.m.Elements[i].Frame; w.h > 0 {
		w.state.EnsureRate(f)
		p.bend = kin.AccelerationAt(&w.state.Twist[f], &w.state.Rate[f], p.center)
	}
}

// arcOf bounds the acceleration of the same centre on the interval.
func (w *Worker) arcOf(i int) float64 {
	w.bendOf(i)
	p := &w.elements[i]
	if !p.arced {
		p.arced = true
		p.arc = min(p.accel, bendOver(geom.Norm(p.bend), p.jerk, w.h))
	}
	return p.arc
}

// pair returns pair i at c.
func (w *Worker) pair(i int32) *placedPair {
	p := &w.pairs[i]
	if p.stamp == w.stamp {
		return p
	}
	p.stamp = w.stamp
	if p.asked != w.asked { // an answer does not depend on the questions before
		p.asked, p.hint, p.hasHint, p.outside = w.asked, geom.Vec{}, false, false
	}
	q := w.pairOf(i)
	p.accel, p.jerk, p.rated, p.far, p.slack, p.tube = 0, 0, false, 0, 0, 0
	w.placeSide(p, &p.a, q, q.A)
	w.placeSide(p, &p.b, q, q.B)
	p.slack += p.tube * (1 + 8*u)
	return p
}

// direction returns the hint in W, of length 1.
func (p *placedPair) direction() geom.Vec {
	n, _ := geom.Unit(p.a.pose.R.Apply(p.hint))
	return n
}

func (w *Worker) placeSide(p *placedPair, s *side, q *model.Pair, element int) {
	e, at := &w.m.Elements[element], w.element(element)
	s.pose = at.pose
	w.state.Ensure(q.Base)
	s.vel = w.state.Twist[e.Frame].Sub(w.state.Twist[q.Base])
	p.slack += at.slack
	switch {
	case w.h == 0 && !w.tubed:
	case q.Parting == 0:
		p.accel += at.accel
		p.jerk += at.jerk
		p.far += at.far
		p.tube += at.tube
	default:
		if w.tubed {
			p.tube += w.state.Tube(e.Frame, q.Parting, at.radii)
		}
		accel, jerk := w.state.Acceleration(e.Frame, q.Parting, at.radii)
		p.accel += accel
		p.jerk += jerk
		p.far += w.state.Displacement(e.Frame, q.Parting, at.radii)
	}
}

// rate works out how the velocities of a pair's sides change.
func (w *Worker) rate(i int32, p *placedPair) {
	if p.rated {
		return
	}
	p.rated = true
	q := w.pairOf(i)
	p.a.rate = w.state.RateRelative(w.m.Elements[q.A].Frame, q.Base)
	p.b.rate = w.state.RateRelative(w.m.Elements[q.B].Frame, q.Base)
}

// bendAlong is accelAlong for short intervals, where it is less.
func (w *Worker) bendAlong(i int32, p *placedPair, n geom.Vec) float64 {
	w.rate(i, p)
	return bendOver(bendAlong(n, &p.a)+bendAlong(r3.Scale(-1, n), &p.b), p.jerk, w.h)
}

// accelAlong bounds both sides' acceleration along n.
func (w *Worker) accelAlong(i int32, n geom.Vec) float64 {
	if w.h == 0 {
		return 0
	}
	q := w.pairOf(i)
	fa, fb := w.m.Elements[q.A].Frame, w.m.Elements[q.B].Frame
	return w.state.AccelerationAlong(fa, q.Parting, w.elements[q.A].radii, n) +
		w.state.AccelerationAlong(fb, q.Parting, w.elements[q.B].radii, n)
}

// ticksPerLook is how many proofs pass between looks at the clock: some 5 us.
const ticksPerLook = 16

// out reports whether the budget is spent or the caller has gone, and notes why.
func (w *Worker) out() bool {
	if w.reason != "" {
		return true
	}
	if w.ticks++; w.ticks%ticksPerLook != 0 {
		return false
	}
	return w.look()
}

func (w *Worker) look() bool {
	if w.pause != nil {
		w.pause()
	}
	select {
	case <-w.done:
		w.reason = "cancelled"
		return true
	default:
	}
	if !w.deadline.IsZero() && time.Now().After(w.deadline) {
		w.reason = "the budget of computing time is spent"
		return true
	}
	return w.mate.crew != nil && w.askOthers()
}

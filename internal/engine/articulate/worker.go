package articulate

import (
	"context"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Worker is the scratch of one goroutine.
type Worker struct {
	// Options may be changed between checks.
	Options Options
	// Culler is stage 2's test against the world; NewWorker sets the one of this package.
	Culler       Culler
	tessellating *TessellationCuller // where Options.Tessellate asked for it

	p      *Prepared
	m      *model.Model
	mover  *Mover
	course *kin.Course
	clock  engine.Clock
	solids engine.Solids
	search convex.Workspace
	stats  Stats

	culling

	// The question.
	clearance, tolerance float64
	anyTouch             bool // a contact at any time will do
	pairs                []int32

	// The piece, and the interval at hand.
	piece         int
	threshold     float64 // of an interval that is decided, in the piece's parameter
	stamp         uint64
	span, instant lens
	found         found
	contacts      []found
	proved        float64 // until when nothing touches, where the search stopped
	sideOf        map[[2]int]*side
	pairSides     [][2]*side
	used          []*side // those with features in the equations at hand

	// What the OBB trees left.
	active       []activePair
	items        []equation // those of the interval, and behind them those still active in parts of it
	gaps         []gap
	leafA, leafB leafCore // at hand
	leaves       []leafPair
	stack        []boxPair

	balls     []geom.Vec // where the motion starts, per element
	relatives []Relative // of the pair of OBB trees at hand, part by part
	inside    activePair // that touches where the motion starts, one in the other
	begun     Relative   // the same where the piece begins, if hasBegun
	hasBegun  bool
}

// activePair is a pair of elements between which equations may be active.
type activePair struct {
	pair   int32 // of the model
	a, b   *side
	margin float64 // between pieces without their radii that must be exceeded
}

// NewWorker returns scratch for checks of the prepared model.
func (p *Prepared) NewWorker() *Worker {
	mover := NewMover(p.model.Tree)
	w := &Worker{
		p: p, m: p.model, mover: mover, sideOf: map[[2]int]*side{}, pairSides: make([][2]*side, len(p.model.Pairs)),
		Culler: NewHullCuller(p.links), culling: newCulling(p.links, mover, len(p.model.Pairs)),
	}
	w.wanted, w.hit = w.wants, w.hits
	return w
}

// Stats returns the counters of the last check.
func (w *Worker) Stats() Stats { return w.stats }

// Check answers q, a query that the engine supports (Abilities.Lack), about the bound motion. It fills what
// the engine knows of the verdict; names of held joints, assumed pairs and the like are
// the caller's.
//
// Free rests on boxes, swept volumes, boxes of OBB trees and equations that show every
// enabled pair apart on each piece of the motion, and on no body being inside another
// where it starts; Contact on a witness and on the proof up to TOC.Lo. Of a query that
// the method cannot answer the verdict is Undecided and says why.
func (w *Worker) Check(ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
	clock := w.now()
	v := motion.Verdict{Status: motion.Undecided}
	w.stats, w.contacts = Stats{}, w.contacts[:0]
	if err := (Engine{}).Abilities().Lack(motion.Articulate, &q); err != nil {
		v.Reason = err.Error()
		return v
	}
	w.course = c
	w.clock.Begin(ctx, &q)
	w.clearance = q.Clearance
	w.tolerance = engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	w.anyTouch = q.Question == motion.IsFree
	w.pairs = engine.AppendPairs(w.pairs[:0], w.m, &q)
	w.stats.Pairs = len(w.pairs)
	w.follow(&q, &v)
	v.Compute = w.clock.End()
	w.spend(&w.stats.Total, clock)
	v.Work = motion.Work{Intervals: w.stats.Intervals, Proofs: w.stats.BoxTests + w.stats.Evaluations + w.stats.GapTests, Distances: w.stats.Distances}
	return v
}

// follow checks the pieces in their order.
func (w *Worker) follow(q *motion.Query, v *motion.Verdict) {
	pieces := w.course.Motion.Pieces
	for i := w.course.From.Piece; i < len(pieces); i++ {
		w.load(i, q)
		o := proven
		if i == w.course.From.Piece {
			o = w.outside()
		}
		if o == proven {
			o = w.run(w.course.Begin(i), 1, w.pairs)
		}
		switch o {
		case proven:
		case touched:
			w.report(i, v)
			return
		default: // nothing but a proof lets the next piece be looked at
			v.ProvenUntil, v.Reason = engine.TimeBelow(pieces[i].Start, pieces[i].End, w.proved), w.clock.Reason
			return
		}
	}
	v.Status, v.ProvenUntil = motion.Free, pieces[len(pieces)-1].End
}

// load makes a piece the one at hand.
func (w *Worker) load(piece int, q *motion.Query) {
	p := &w.course.Motion.Pieces[piece]
	w.piece = piece
	// The threshold leaves a little for rounding the ends to seconds.
	w.threshold = engine.OrDefault(q.TimeTolerance, motion.DefaultTimeTolerance) / (p.End - p.Start) * 0.999
	w.mover.Load(w.course, piece)
	w.sweeper.Load()
	w.stamp++
}

// outside shows that no body starts inside another, which surfaces alone do not tell.
func (w *Worker) outside() outcome {
	w.proved = 0
	w.placeBalls()
	for _, i := range w.pairs {
		p := &w.m.Pairs[i]
		ea, eb := &w.m.Elements[p.A], &w.m.Elements[p.B]
		if !engine.Encloses(ea) && !engine.Encloses(eb) || w.ballsApart(p.A, p.B) {
			continue
		}
		a, b := w.sidesOf(i)
		poseA, poseB := w.poseW(a, 0), w.poseW(b, 0)
		inside, at, ok := w.solids.Inside(a.part.element, &poseA, b.part.element, &poseB)
		switch {
		case !ok:
			w.clock.Reason = "cannot tell whether one mesh lies inside the other"
			return stopped
		case inside:
			w.inside = activePair{pair: i, a: a, b: b}
			w.found = found{pair: &w.inside, touch: engine.Touch{A: at, B: at}}
			w.contacts = append(w.contacts[:0], w.found)
			return touched
		}
		if w.clock.Out() {
			return stopped
		}
	}
	return proven
}

// placeBalls places the balls around all elements where the motion starts.
func (w *Worker) placeBalls() {
	w.balls = w.balls[:0]
	for i := range w.p.parts {
		e := &w.m.Elements[i]
		frame := middlePose(w.mover.PoseWF(e.Frame, 0, 0))
		w.balls = append(w.balls, frame.Mul(e.PoseFE).Apply(e.Center))
	}
}

// ballsApart reports that the balls around two elements are apart where the motion
// starts, by more than rounding can be.
func (w *Worker) ballsApart(a, b int) bool {
	x, y := w.balls[a], w.balls[b]
	d := geom.Norm(r3.Sub(y, x))
	return d > (w.m.Elements[a].Radius+w.m.Elements[b].Radius)*(1+1e-9)+1e-9*(1+geom.Norm(x)+geom.Norm(y))
}

// sideFor returns an element as seen from a frame.
func (w *Worker) sideFor(element, base int) *side {
	key := [2]int{element, base}
	s := w.sideOf[key]
	if s == nil {
		s = &side{part: &w.p.parts[element], frame: w.m.Elements[element].Frame, base: base}
		w.sideOf[key] = s
	}
	return s
}

// sidesOf returns both elements of a pair as seen from where their chains part.
func (w *Worker) sidesOf(pair int32) (a, b *side) {
	s := &w.pairSides[pair]
	if s[0] == nil {
		p := &w.m.Pairs[pair]
		s[0], s[1] = w.sideFor(p.A, p.Base), w.sideFor(p.B, p.Base)
	}
	return s[0], s[1]
}

// report turns what was found into a Contact.
func (w *Worker) report(piece int, v *motion.Verdict) {
	p := &w.course.Motion.Pieces[piece]
	f := &w.found
	v.Status, v.Piece = motion.Contact, piece
	v.ProvenUntil = engine.TimeBelow(p.Start, p.End, f.proven)
	v.TOC = motion.Interval{Lo: v.ProvenUntil, Hi: engine.TimeAbove(p.Start, p.End, f.at)}
	v.Contact = w.witness(f)
}

func (w *Worker) witness(f *found) motion.Witness {
	p := &w.course.Motion.Pieces[w.piece]
	at := engine.TimeAbove(p.Start, p.End, f.at)
	return engine.Witness(w.m, &w.m.Pairs[f.pair.pair], &f.touch, at, w.poseW(f.pair.a, f.at), w.poseW(f.pair.b, f.at))
}

// Contacts returns where the last check found the motion to touch, if its verdict was
// Contact: every pair of triangles or other pieces within clearance and tolerance at
// TOC.Hi that it had to look at by then, the verdict's own among them (section 5.2.3
// reports all valid roots). Of a question IsFree it is that one alone.
func (w *Worker) Contacts() []motion.Witness {
	out := make([]motion.Witness, 0, len(w.contacts))
	for i := range w.contacts {
		out = append(out, w.witness(&w.contacts[i]))
	}
	return out
}

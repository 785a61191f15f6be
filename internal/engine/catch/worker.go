package catch

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Worker is the scratch of one goroutine. It grows to what the model needs once and
// then allocates nothing.
type Worker struct {
	Options Options

	p     *Prepared
	m     *model.Model
	stats Stats

	// The current piece of the motion and the interval [c, c+h] of it.
	curves  []kin.Curve
	buf     []float64
	around  []kin.Around
	state   *kin.State
	taylor  *TaylorBVH
	c, h    float64
	lo, hi  float64 // an interval that holds it, for Taylor models
	stamp   uint64
	timeTol float64 // as a part of the piece
	first   bool    // the piece is the first that is searched
	from    float64 // where on the piece the search begins: before, all is proved apart

	elements []placed
	pcls     []pcl
	heap     []int32 // of pcls, the one proved for the shortest time at the top
	boxes    []geom.Box
	nodes    []pairOfNodes
	stepper  stepper

	// The question.
	clock                engine.Clock
	asked                []int32 // pairs
	clearance, tolerance float64
	control              float64 // Options.NoControl
	anyTouch             bool    // a yes or no will do
	noSelf, noWorld      bool

	// The answer: where the piece is touched first, as far as is known.
	hit    bool
	touch  touch
	solids engine.Solids
}

// placed is an element on the interval.
type placed struct {
	stamp  uint64
	pose   geom.Pose // of E in W at c
	center geom.Vec  // of its ball, in W
	radii  []float64 // kin.State.Radii
	reach  []float64 // kin.Tree.Reach, for the motion
	slack  float64   // slackOf, for the piece
	loose  float64   // looseOf
	box    geom.Box  // around it all along the piece
}

// stand moves the robot to the time c of the piece and bounds what it does on [c, c+h],
// h being about as long as wanted, if wanted is not 0, and c+h no later than until.
func (w *Worker) stand(c, wanted, until float64) (h float64) {
	lo, hi := cell(c, wanted)
	h = min(hi, until) - c
	if w.c != c || w.h != h || w.lo != lo || w.hi != hi {
		w.standAround(c, c, c+h)
		w.c, w.h, w.lo, w.hi = c, h, lo, hi
	}
	return h
}

// cell returns an interval of the piece around c of which at least half the length wanted
// lies after c. Its length is a power of two and its ends are multiples of half of that,
// so that pairs that have come about as far share their Taylor models.
func cell(c, wanted float64) (lo, hi float64) {
	if wanted < 0x1p-40 {
		return c, min(1, c+wanted)
	}
	_, e := math.Frexp(wanted)
	l := math.Ldexp(1, min(0, e)) // in [wanted, 2 wanted]
	lo = min(math.Floor(c/(l/2))*(l/2), 1-l)
	return lo, lo + l
}

// standAround places the robot at c and bounds what it does from lo to hi, or a little
// longer, as hi may be a rounded sum.
func (w *Worker) standAround(c, lo, hi float64) {
	hi = min(1, hi*(1+4*u))
	for i := range w.curves {
		w.curves[i].SetAround(&w.around[i], c, lo, max(c, hi))
	}
	w.state.Place(w.around)
	w.c, w.h = c, math.NaN()
	w.stamp++
}

// place returns element i on the interval.
func (w *Worker) place(i int) *placed {
	p := &w.elements[i]
	if p.stamp == w.stamp {
		return p
	}
	p.stamp = w.stamp
	e := &w.m.Elements[i]
	w.state.Ensure(e.Frame)
	p.pose.Compose(&w.state.PoseWF[e.Frame], &e.PoseFE)
	p.center = p.pose.Apply(e.Center)
	w.state.Radii(e.Frame, p.center, e.Radius, p.reach, p.radii)
	return p
}

// radiiOf writes the local radii of the part of an element that is in a volume.
func (w *Worker) radiiOf(s *side, v volume) []float64 {
	if v == whole {
		return s.at.radii
	}
	center, radius := ballOf(s.e, v)
	radii := s.radii[:len(s.at.radii)]
	w.state.Radii(s.e.Frame, s.at.pose.Apply(center), radius, s.at.reach, radii)
	return radii
}

// load makes a piece of the motion the one that is looked at.
func (w *Worker) load(b *kin.Course, piece int) {
	w.state.Root = b.Root(piece)
	b.Load(piece, w.curves, w.buf)
	for i := range w.curves {
		w.curves[i].SetAround(&w.around[i], 0.5, 0, 1)
	}
	w.state.Bound(w.around)
	w.taylor.Load(b, piece)
	w.c, w.h = math.NaN(), math.NaN()
	for i := range w.elements {
		w.elements[i].slack = slackOf(w.state, &w.m.Elements[i])
		w.elements[i].loose = looseOf(&w.m.Elements[i])
	}
}

// reachFor prepares the elements' reach for a motion.
func (w *Worker) reachFor(b *kin.Course) {
	for i := range w.elements {
		e := &w.m.Elements[i]
		// The ball's centre in F; its rounding is covered by the inflated radius.
		w.m.Tree.Reach(e.Frame, e.PoseFE.Apply(e.Center), e.Radius*(1+1e-12)+1e-12, b.JointMaxAbs, w.elements[i].reach)
	}
}

// slackOf bounds by how much gaps may be wrong for one side: the error of its points'
// places anywhere on the piece, and of what is computed with them outside of package
// convex, which accounts for its own.
//
// A point is placed in W with an error of ErrP + ErrR |p|, p its coordinates in F,
// |p| <= |P_FE| + rho, and it is no farther than X = Far + |p| from W's origin;
// composing with the element's own pose errs like one more joint: 160u |p| and 16u X.
// That pose itself errs by the element's ErrP and ErrR. Placing the centre of a ball,
// and the difference of two, is wrong by 16u X. A direction that is taken to the frame
// where the chains part, whose rotation errs by no more than ErrR, is off by that and
// 16u: along it a point at X is elsewhere by so many times X.
func slackOf(st *kin.State, e *model.Element) float64 {
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	p := geom.Norm(e.PoseFE.P) + rho
	x := st.Far[e.Frame] + p
	return st.ErrP[e.Frame] + (st.ErrR[e.Frame]+160*u)*p + e.ErrP + e.ErrR*rho + (st.ErrR[e.Frame]+64*u)*x
}

// looseOf bounds how far from their places in F the element's points are, and the
// centre of a ball around some of them: by its pose's own error, and by placing them.
func looseOf(e *model.Element) float64 {
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	return e.ErrP + e.ErrR*rho + 32*u*(geom.Norm(e.PoseFE.P)+rho)
}

// found takes note of a witness if it is the earliest.
func (w *Worker) found(t *touch) {
	if !w.hit || t.time < w.touch.time {
		w.hit, w.touch = true, *t
	}
}

// Stats returns the counters of the last check.
func (w *Worker) Stats() Stats { return w.stats }

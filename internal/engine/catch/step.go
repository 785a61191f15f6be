package catch

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// ZRLK07, section 3.4, equation 4: how far a pair may advance without collision.
//
// Departure. The paper takes the closest distance d of two links, the direction n of
// their closest points and a bound mu of how fast the links move along n, and advances
// by d/mu. That is sound for convex links alone: where a link is not convex, n parts the
// closest points and little else. An L whose foot slides along a wall does not move
// along n at all, and is let through the next wall. So every pair of volumes that is
// between the links, down to the hierarchies' leaves, has a direction and a bound of its
// own, and the step is the smallest of all. A pair of volumes is opened only while its
// own step is smaller than the smallest one of leaves found so far.
//
// Proof. Let n be a unit direction, fixed in the body where the chains of both links
// part, and g the gap of two volumes along n at c, by which the parts of the links in
// them are apart. Until t, a point of either moves along n by no more than (t - c)
// times its bound, as long as t is within the interval [c, c+h] that the bound holds
// for. So until c + min(h, (g - clearance)/mu), mu the sum of both bounds, all points of
// one part are more than clearance away from those of the other.

// touch is two points of a pair of elements close enough for a witness, in W.
type touch struct {
	pair     int32
	time     float64 // of the piece
	distance float64
	a, b     geom.Vec
	normal   geom.Vec // from a to b
}

// side is one link of the pair that is being advanced.
type side struct {
	e      *model.Element
	hulls  *hullTree
	at     *placed
	from   int     // the joints of its chain that the other link's has too
	base   int     // the frame after them
	speed  float64 // of any of its points in any direction, on the interval
	volume piece
	radii  []float64 // scratch: of a volume
}

// volumes is a pair of volumes, of either side.
type volumes struct{ a, b volume }

// stepper finds the step of one pair at one time.
type stepper struct {
	w      *Worker
	pair   int32
	a, b   side
	margin float64 // clearance and what rounding takes off the gap
	hulls  bool    // the hulls alone are asked about

	best    float64 // the smallest step so far
	bar     float64 // the smallest of volumes that do not open
	closest volumes // those
	has     bool    // there are such
	gap     float64 // of the hulls, where they alone are asked about
	stack   []volumes
	search  convex.Workspace
	touched bool
	touch   touch
}

// start takes a pair of elements, which the worker has placed for the interval.
func (s *stepper) start(w *Worker, pair int32, hulls bool) {
	q := &w.m.Pairs[pair]
	s.w, s.pair, s.hulls, s.touched, s.search.Dir = w, pair, hulls, false, geom.Vec{}
	s.a.set(w, q, q.A)
	s.b.set(w, q, q.B)
	s.margin = w.clearance + s.a.at.slack + s.b.at.slack
}

func (s *side) set(w *Worker, q *model.Pair, element int) {
	s.e, s.at, s.from, s.base = &w.m.Elements[element], w.place(element), q.Parting, q.Base
	s.hulls = w.p.hulls[element]
	s.speed = w.speed(s.e.Frame, q.Parting, s.at.radii)
}

// step returns for how long after c the pair stays apart for certain, at most limit.
// known, if not nil, is a pair of leaves that may be the ones that end it. If the pair
// touches at c, s.touched is set.
func (s *stepper) step(limit float64, known *volumes) float64 {
	s.best, s.bar, s.has, s.gap = limit, limit, false, math.Inf(1)
	if known != nil && !opens(s.a.e, known.a) && !opens(s.b.e, known.b) {
		s.look(*known)
	}
	s.stack = append(s.stack[:0], volumes{whole, whole})
	for len(s.stack) > 0 && !s.touched && s.best > 0 {
		v := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if s.look(v) {
			s.open(v)
		}
	}
	if s.touched {
		return 0
	}
	return s.best
}

// worthModels is how much shorter than its interval a step of hulls must be for Taylor
// models to be asked: they cost as much as some steps of hulls, where sums of norms do.
// Shapes cost more than either.
const worthModels = 1. / 8

// look notes the step of two volumes if it is smaller than the best, and reports
// whether smaller volumes may tell better.
func (s *stepper) look(v volumes) (worthOpening bool) {
	s.w.stats.VolumePairs++
	canOpen := !s.hulls && (opens(s.a.e, v.a) || opens(s.b.e, v.b))
	enough := s.bar // a step that needs no closer look
	if canOpen && s.has {
		enough *= s.w.control
	}
	if step := s.balls(v, enough); step >= enough {
		s.best = min(s.best, step)
		return false
	}
	a, b := coreOf(s.a.e, s.a.hulls, v.a, &s.a.volume), coreOf(s.b.e, s.b.hulls, v.b, &s.b.volume)
	// A gap that no speed of theirs can use up before that.
	far := s.margin + enough*(s.a.speed+s.b.speed)*(1+8*u)
	s.w.stats.Distances++
	r := convex.Bounded(a, &s.a.at.pose, b, &s.b.at.pose, far, &s.search)
	step := s.stepOf(r.Lower-s.margin, r.Normal)
	if step < enough && !(s.hulls && step > worthModels*enough) {
		step = math.Max(step, s.closer(v, &r))
	}
	if step >= enough {
		s.best = min(s.best, step)
		return false
	}
	if canOpen {
		return true
	}
	s.settle(v, &r, step)
	return false
}

// settle notes what two volumes that are not opened come to.
func (s *stepper) settle(v volumes, r *convex.Result, step float64) {
	s.w.stats.LeafPairs++
	if s.hulls {
		s.gap = r.Lower - s.margin
	} else if s.touches(r) {
		return
	}
	s.best = min(s.best, step)
	if step < s.bar {
		s.bar, s.closest, s.has = step, v, true
	}
}

// touches reports whether two points of leaves are near enough for a witness, whose
// place may be off by what rounding takes off gaps, and keeps them.
func (s *stepper) touches(r *convex.Result) bool {
	if !(r.Distance+s.a.at.slack+s.b.at.slack <= s.w.clearance+s.w.tolerance) {
		return false
	}
	s.touched = true
	s.touch = touch{pair: s.pair, time: s.w.c, distance: r.Distance, a: r.PointA, b: r.PointB, normal: r.Normal}
	return true
}

// balls returns the step by the balls around two volumes, negative where they overlap,
// or enough if it is no less.
func (s *stepper) balls(v volumes, enough float64) float64 {
	x, radii := s.between(v)
	d := geom.Norm(x)
	gap := d*(1-8*u) - radii*(1+8*u) - s.margin
	if !(gap > 0 && gap <= math.MaxFloat64) { // a length whose square overflowed says nothing
		return -1
	}
	if gap*(1-8*u) >= enough*(s.a.speed+s.b.speed) {
		return enough
	}
	return s.stepOf(gap, r3.Scale(1/d, x))
}

// between returns the way from the centre of one volume's ball to the other's, in W,
// and the sum of their radii.
func (s *stepper) between(v volumes) (x geom.Vec, radii float64) {
	ca, ra := ballOf(s.a.e, v.a)
	cb, rb := ballOf(s.b.e, v.b)
	return r3.Sub(s.b.at.pose.Apply(cb), s.a.at.pose.Apply(ca)), ra + rb
}

// stepOf returns for how long a gap along n, margin taken off, outlasts both sides'
// motion.
func (s *stepper) stepOf(gap float64, n geom.Vec) float64 {
	if !(gap > 0) {
		return -1
	}
	mu := s.a.speed + s.b.speed
	if !s.w.Options.NoDirections {
		mu = s.along(n, s.a.at.radii, s.b.at.radii)
	}
	return Step(gap, mu, 0, s.w.h)
}

func (s *stepper) along(n geom.Vec, radiiA, radiiB []float64) float64 {
	return s.w.speedAlong(s.a.e.Frame, s.a.from, radiiA, n) + s.w.speedAlong(s.b.e.Frame, s.b.from, radiiB, n)
}

// closer returns the step of two volumes by Taylor models of how fast they come closer,
// which may be not at all (motionbound.go); or by sums of norms for the volumes alone, as
// near the axes of its joints a link is slower than where it ends.
func (s *stepper) closer(v volumes, r *convex.Result) float64 {
	gap, w := r.Lower-s.margin, s.w
	switch {
	case !(gap > 0), w.Options.SumsOfNorms && w.Options.NoDirections:
		return -1
	case w.Options.SumsOfNorms:
		return Step(gap, s.along(r.Normal, w.radiiOf(&s.a, v.a), w.radiiOf(&s.b, v.b)), 0, w.h)
	}
	a := s.a.approach(w, v.a, r.Normal)
	b := s.b.approach(w, v.b, r3.Scale(-1, r.Normal))
	return Step(gap, a+b, 0, w.h)
}

// approach bounds how fast the part of the link that is in a volume moves along n, a
// direction of W in the body where the chains part.
func (s *side) approach(w *Worker, v volume, n geom.Vec) float64 {
	if s.e.Frame == s.base {
		return 0
	}
	if s.base != 0 {
		n, _ = geom.Unit(w.state.PoseWF[s.base].R.ApplyInv(n))
	}
	center, radius := ballOf(s.e, v)
	center, radius = s.e.PoseFE.Apply(center), radius+s.at.loose
	if w.Options.NoDirections {
		return w.taylor.Length(s.base, s.e.Frame, center, radius, w.lo, w.hi)
	}
	return w.taylor.Approach(s.base, s.e.Frame, center, radius, n, w.lo, w.hi)
}

// open puts what is in the volumes on the stack, the closest last: in the larger of
// the two, or the one that opens.
func (s *stepper) open(v volumes) {
	_, ra := ballOf(s.a.e, v.a)
	_, rb := ballOf(s.b.e, v.b)
	if opens(s.a.e, v.a) && (ra >= rb || !opens(s.b.e, v.b)) {
		first, n := inside(s.a.e, v.a)
		for i := range n {
			s.stack = append(s.stack, volumes{first + i, v.b})
		}
	} else {
		first, n := inside(s.b.e, v.b)
		for i := range n {
			s.stack = append(s.stack, volumes{v.a, first + i})
		}
	}
	if n := len(s.stack); n >= 2 && s.apart(s.stack[n-1]) > s.apart(s.stack[n-2]) {
		s.stack[n-1], s.stack[n-2] = s.stack[n-2], s.stack[n-1]
	}
}

// apart is how far apart the balls of two volumes are, roughly.
func (s *stepper) apart(v volumes) float64 {
	x, radii := s.between(v)
	return geom.Norm(x) - radii
}

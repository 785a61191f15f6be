package place

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
)

// Pair is a pair of elements at C, seen in the body at which their chains part.
type Pair struct {
	stamp uint64
	A, B  rules.Side // the caller of a rule sets their cores
	Accel float64    // bounds of both sides' acceleration, all s = 1,
	Jerk  float64    // jerk
	Far   float64    // and displacement
	Slack float64    // of both sides, including deviations within tubes
	Tube  float64    // deviation of the joints' tubes

	rated bool // both sides' rate is computed
}

// IsGroup reports whether a pair is one of groups, which are numbered after the model's pairs.
func (r *Robot) IsGroup(pair int32) bool { return int(pair) >= len(r.M.Pairs) }

// PairOf returns a pair of elements or of groups.
func (r *Robot) PairOf(pair int32) *model.Pair {
	if n := len(r.M.Pairs); int(pair) >= n {
		return &r.M.GroupPairs[int(pair)-n]
	}
	return &r.M.Pairs[pair]
}

// pairPage is the memory of consecutive pairs. Most pairs with the world are found apart before
// anything of them is computed, and there are very many.
type pairPage [pagePairs]Pair

const pagePairs = 16

// Pair returns pair i, placed at C.
func (r *Robot) Pair(i int32) *Pair {
	page := r.pairs[i/pagePairs]
	if page == nil {
		page = &pairPage{}
		r.pairs[i/pagePairs] = page
	}
	p := &page[i%pagePairs]
	if p.stamp != r.stamp {
		r.placePair(i, p)
	}
	return p
}

func (r *Robot) placePair(i int32, p *Pair) {
	p.stamp = r.stamp
	q := r.PairOf(i)
	p.Accel, p.Jerk, p.rated, p.Far, p.Slack, p.Tube = 0, 0, false, 0, 0, 0
	r.placeSide(p, &p.A, q, q.A)
	r.placeSide(p, &p.B, q, q.B)
	p.Slack += p.Tube * (1 + 8*u)
}

func (r *Robot) placeSide(p *Pair, s *rules.Side, q *model.Pair, element int) {
	e, at := &r.M.Elements[element], r.Element(element)
	s.Pose = at.Pose
	r.State.Ensure(q.Base)
	s.Vel = r.State.Twist[e.Frame].Sub(r.State.Twist[q.Base])
	p.Slack += at.Slack
	switch {
	case r.Span == 0 && !r.Tubed:
	case q.Parting == 0:
		p.Accel += at.Accel
		p.Jerk += at.Jerk
		p.Far += at.Far
		p.Tube += at.Tube
	default:
		if r.Tubed {
			p.Tube += r.State.Tube(e.Frame, q.Parting, at.Radii)
		}
		accel, jerk := r.State.Acceleration(e.Frame, q.Parting, at.Radii)
		p.Accel += accel
		p.Jerk += jerk
		p.Far += r.State.Displacement(e.Frame, q.Parting, at.Radii)
	}
}

// ensureRate computes the rate of change of the velocities of a pair's sides.
func (r *Robot) ensureRate(i int32, p *Pair) {
	if p.rated {
		return
	}
	p.rated = true
	q := r.PairOf(i)
	p.A.Rate = r.State.RateRelative(r.M.Elements[q.A].Frame, q.Base)
	p.B.Rate = r.State.RateRelative(r.M.Elements[q.B].Frame, q.Base)
}

// PairAccelAlong bounds both sides' acceleration along n.
func (r *Robot) PairAccelAlong(i int32, n geom.Vec) float64 {
	if r.Span == 0 {
		return 0
	}
	q := r.PairOf(i)
	fa, fb := r.M.Elements[q.A].Frame, r.M.Elements[q.B].Frame
	return r.State.AccelerationAlong(fa, q.Parting, r.elements[q.A].Radii, n) +
		r.State.AccelerationAlong(fb, q.Parting, r.elements[q.B].Radii, n)
}

// PairBendAlong is like PairAccelAlong for short intervals, where it is smaller. The pair's
// cores must be set.
func (r *Robot) PairBendAlong(i int32, p *Pair, n geom.Vec) float64 {
	r.ensureRate(i, p)
	return rules.BendOver(rules.BendAlong(n, &p.A)+rules.BendAlong(r3.Scale(-1, n), &p.B), p.Jerk, r.Span)
}

// PointsAccel bounds the acceleration of the difference of two points of a pair, in W
// at C.
func (r *Robot) PointsAccel(i int32, p *Pair, a, b geom.Vec) float64 {
	r.ensureRate(i, p)
	bend := r3.Sub(kin.AccelerationAt(&p.A.Vel, &p.A.Rate, a), kin.AccelerationAt(&p.B.Vel, &p.B.Rate, b))
	return rules.BendOver(geom.Norm(bend), p.Jerk, r.Span)
}

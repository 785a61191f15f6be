package place

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
)

// Load selects piece p of a motion for placing the robot. It reports false if numbers are too
// large for any proof.
func (r *Robot) Load(b *kin.Course, p int) (ok bool) {
	r.atRest = false
	if b.MovesRoot() {
		r.State.Root, r.rooted = b.Root(p), true
	} else {
		r.standRoot()
	}
	b.Load(p, r.curves, r.curveBuf)
	r.rests, r.aroundPiece = !r.Tubed, true
	for i := range r.curves {
		r.curves[i].SetAround(&r.around[i], 0.5, 0, 1)
		r.rests = r.rests && r.around[i].Omega == 0
	}
	return r.bound(r.around)
}

// standRoot makes the root link stand still.
func (r *Robot) standRoot() {
	if r.rooted {
		r.State.Root, r.rooted = kin.StillRoot(), false
	}
}

// bounded is what State's errors and the elements' slacks are bounds for.
type bounded struct {
	known  bool
	ranges []kin.Around // of the variables, as rounded gives them
	rooted bool         // the root link moves, as root says
	root   kin.Root
}

// bound bounds State's errors and the elements' slacks for joints within ranges, unless they are as before: most pieces
// of most motions share them. It reports false if numbers are too large for any proof.
func (r *Robot) bound(ranges []kin.Around) (ok bool) {
	was := &r.bounded
	same := was.known && !r.Tubed && was.rooted == r.rooted && (!r.rooted || was.root == r.State.Root)
	for i := range ranges {
		same = setRounded(&was.ranges[i], &ranges[i], r.least[i]) && same
	}
	if same {
		return true
	}
	was.root, was.rooted = r.State.Root, r.rooted
	r.bounds++
	r.State.Bound(was.ranges)
	ok = r.slacken()
	was.known = ok && !r.Tubed
	return ok
}

// setRounded sets ranges and rates to such as hold where those of a variable do: each rounded up to a power of two, and no smaller
// than is usual. Nothing but errors is bounded by them, so that bounds for many motions are good for each; they depend on no earlier
// motion. It reports whether they were the same.
func setRounded(to, a *kin.Around, least float64) (same bool) {
	most, speed, speedErr := roundUp(a.MaxAbs, least), roundUp(a.Omega, 8), roundUp(a.QDErr, 0x1p-44)
	var accel, accelErr float64
	if a.Alpha != 0 || a.QDDErr != 0 {
		accel, accelErr = roundUp(a.Alpha, 64), roundUp(a.QDDErr, 0x1p-40)
	}
	same = to.MaxAbs == most && to.Omega == speed && to.QDErr == speedErr && to.Alpha == accel && to.QDDErr == accelErr
	to.MaxAbs, to.Omega, to.QDErr, to.Alpha, to.QDDErr = most, speed, speedErr, accel, accelErr
	return same
}

// roundUp returns the least power of two that is x or more, least or more. What is no number stays so, as does an infinity.
func roundUp(x, least float64) float64 {
	switch {
	case x <= least:
		return least
	case !(x <= math.MaxFloat64):
		return x
	}
	const fraction = 1<<52 - 1
	if bits := math.Float64bits(x); bits&fraction != 0 {
		return math.Float64frombits((bits | fraction) + 1)
	}
	return x
}

// slacken computes the errors that the rules must allow for on the piece.
func (r *Robot) slacken() (ok bool) {
	ok = true
	for i := range r.elements {
		p := &r.elements[i]
		if e := &r.M.Elements[i]; e.Frame != 0 || p.slacks.Place == 0 { // it is constant for static elements
			p.slacks = rules.SlackOf(r.State, e, p.rho)
		}
		ok = ok && p.slacks.Within(1) <= math.MaxFloat64
	}
	return ok
}

// Stray sets how far each joint may deviate from the motion, by its name; nil means not at
// all.
func (r *Robot) Stray(tube map[string]float64) {
	if tube == nil && !r.Tubed {
		return
	}
	r.Tubed = tube != nil
	for k := range r.M.Tree.Frames {
		r.State.SetStray(k, tube[r.M.Tree.Frames[k].Joint])
	}
}

// ReachFor prepares the elements' reach for motions.
func (r *Robot) ReachFor(courses ...*kin.Course) {
	if r.reached && r.steady && !r.Tubed {
		return // no prismatic joint: it is constant
	}
	r.reached = !r.Tubed
	limit := func(k int) (most float64) {
		for _, b := range courses {
			most = max(most, b.JointMaxAbs(k))
		}
		return (most + r.State.Stray[k]) * (1 + 8*u)
	}
	for i := range r.M.Elements {
		e := &r.M.Elements[i]
		if e.Frame == 0 {
			continue
		}
		// The ball's centre in F; its rounding is covered by the inflated radius.
		center := e.PoseFE.Move(e.Center)
		r.M.Tree.Reach(e.Frame, center, e.Radius*(1+1e-12)+1e-12, limit, r.elements[i].reach)
	}
}

// Rest places the robot at a configuration, one position per variable of the tree. Unless
// warm, earlier configurations have no effect on the bounds. It reports false if numbers are
// too large to compute with.
func (r *Robot) Rest(state []float64, warm bool) (ok bool) {
	if !warm {
		clear(r.maxAbs)
	}
	fits := warm && r.atRest && len(r.maxAbs) == len(state)
	if len(r.maxAbs) != len(state) {
		r.maxAbs = make([]float64, len(state))
	}
	r.atRest, r.aroundPiece, ok = true, false, true
	r.standRoot()
	for d, q := range state {
		if x := math.Abs(q); !(x <= r.maxAbs[d]) {
			r.maxAbs[d], fits = max(4, 1.25*x), false
		}
		r.around[d] = kin.Around{Q: q, MaxAbs: r.maxAbs[d]}
	}
	if !fits {
		r.bounded.known = false
		r.bounds++
		r.State.Bound(r.around)
		if ok = r.slacken(); !ok {
			r.maxAbs = r.maxAbs[:0] // so that they do not affect the next configuration
		}
	}
	r.State.Place(r.around)
	r.C, r.Lo, r.Hi, r.H, r.Span = 0, 0, 0, 0, 0
	r.stamp++
	return ok
}

// Start is the robot at the motion's start, where containment is decided. Few motions ask for it.
type Start struct {
	m     *model.Model
	of    *kin.Course // what is to be set, nil if it is
	state *kin.State
	at    []kin.Around
}

// NewStart returns the start of a motion that is to be set.
func NewStart(m *model.Model) *Start {
	return &Start{m: m, state: kin.NewState(m.Tree), at: make([]kin.Around, len(m.Tree.Dofs))}
}

// Set places the robot where a motion starts, which must stay bound as long as poses are asked for.
func (s *Start) Set(b *kin.Course) { s.of = b }

func (s *Start) set(b *kin.Course) {
	b.Start(s.at)
	s.state.Root = b.Root(0)
	s.state.Place(s.at)
	s.of = nil
}

// SetHere places the robot at its pose at C.
func (s *Start) SetHere(r *Robot) {
	for d := range s.at {
		s.at[d] = kin.Around{Q: r.around[d].Q}
	}
	s.state.Root = r.State.Root
	s.state.Place(s.at)
	s.of = nil
}

// Pose returns the pose of an element.
func (s *Start) Pose(element int) geom.Pose {
	if s.of != nil {
		s.set(s.of)
	}
	e := &s.m.Elements[element]
	s.state.Ensure(e.Frame)
	return s.state.PoseWF[e.Frame].Mul(e.PoseFE)
}

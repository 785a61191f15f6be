// Package place places a robot at one time of its motion, with bounds of its motion on an
// interval around that time: the pose of each element of the model, the speed of its points,
// their displacement. The proof rules compare these numbers pair by pair. At a single
// configuration there are only poses, for distance queries.
package place

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// Robot is the robot at the time C of a piece of its motion, with bounds on [Lo, Hi]. It is
// scratch memory of one goroutine: elements and pairs are placed on demand. It allocates only
// for pairs that were never asked for before.
type Robot struct {
	M     *model.Model
	State *kin.State

	// The interval [Lo, Hi] around C, in the piece's parameter; H >= |t - C| on it.
	C, H, Lo, Hi float64
	// Span is H for the rules: 0 where no joint moves on the interval, as then all that is
	// proved of C holds on it.
	Span  float64
	Tubed bool // joints may deviate (tubes)

	stamp    uint64 // of the interval, and of what was worked out for it
	elements []Element
	balls    []rules.Ball // of elements
	pairs    []*pairPage
	reach    []float64 // backing of Element.reach
	radii    []float64 // backing of Element.Radii
	steady   bool      // no prismatic joint, so that the elements' reach is constant
	reached  bool      // it was computed, without deviations

	bounds uint64 // counts what State was bound for
	rooted bool   // the root link moves: State.Root is that of a motion

	// The current piece of the motion.
	rests       bool // no joint moves or deviates
	aroundPiece bool // around is of the whole piece
	around      []kin.Around
	curves      []kin.Curve
	curveBuf    []float64

	bounded bounded
	least   []float64 // of each variable: the least range that errors are bounded for

	// At rest: bounds that hold while no variable is larger than maxAbs.
	atRest bool // State is bound to them
	maxAbs []float64
}

// Element is an element at C.
type Element struct {
	stamp  uint64
	Pose   geom.Pose // of E in W
	Center geom.Vec  // of its ball, in W
	Vel    geom.Vec  // of the center, relative to the root
	Accel  float64   // bound of its points' acceleration, relative to the root, all s = 1
	Jerk   float64   // likewise of the jerk
	Far    float64   // likewise of the displacement
	Bend   geom.Vec  // the center's acceleration, once Robot.EnsureBend was called
	Tube   float64   // how far its points may deviate, relative to the root
	Slack  float64   // error of its positions and velocities within the interval
	Radii  []float64 // State.Radii, valid for the current interval
	// Coarse (m): a larger displacement is split before any proof is tried.
	Coarse float64

	reach  []float64 // Tree.Reach, valid for the bound motion
	bends  bool      // Bend is known
	arc    float64   // bounds the center's acceleration, if that is less than Accel
	arced  bool
	rho    float64     // bounds the distance of its parts' points from E's origin
	slacks rules.Slack // valid for the current piece
}

// New returns a robot that is not placed yet.
func New(m *model.Model) *Robot {
	r := &Robot{M: m, State: kin.NewState(m.Tree), steady: true}
	n := len(m.Tree.Dofs)
	r.curves, r.around = make([]kin.Curve, n), make([]kin.Around, n)
	r.curveBuf = make([]float64, n*kin.CurveSize(kin.MaxDegree+1))
	r.elements, r.balls = make([]Element, len(m.Elements)), make([]rules.Ball, len(m.Elements))
	r.pairs = make([]*pairPage, (len(m.Pairs)+len(m.GroupPairs)+pagePairs-1)/pagePairs)
	r.bounded.ranges, r.least = make([]kin.Around, n), make([]float64, n)
	for d := range r.least {
		r.least[d] = 4
	}
	for k := range m.Tree.Frames {
		if f := &m.Tree.Frames[k]; k > 0 && f.Prismatic {
			r.steady, r.least[f.Dof] = false, 1./4
		}
	}
	total, scale := 0, 0.0
	for i := range m.Elements {
		total += len(m.Tree.Chain(m.Elements[i].Frame))
		scale = max(scale, m.Elements[i].Radius)
	}
	r.reach, r.radii = make([]float64, total), make([]float64, total)
	at := 0
	for i := range m.Elements {
		e, p := &m.Elements[i], &r.elements[i]
		n := len(m.Tree.Chain(e.Frame))
		// The box of a node may stick out of the element's ball, by less than twice.
		p.rho = 2 * (geom.Norm(e.Center) + e.Radius)
		p.Coarse = max(e.Radius, scale)
		p.reach, p.Radii = r.reach[at:at+n:at+n], r.radii[at:at+n:at+n]
		at += n
	}
	return r
}

// Place moves the robot to the time c and bounds its motion on [lo, hi].
func (r *Robot) Place(c, lo, hi float64) {
	moves := false
	r.aroundPiece = false
	for i := range r.curves {
		r.curves[i].SetAround(&r.around[i], c, lo, hi)
		moves = moves || r.around[i].Omega != 0
	}
	r.State.Place(r.around)
	r.C, r.Lo, r.Hi, r.H, r.Span = c, lo, hi, 0, 0
	if hi > lo {
		r.H = math.Nextafter(max(hi-c, c-lo), math.Inf(1))
	}
	if moves {
		r.Span = r.H
	}
	r.stamp++
}

// Still reduces the interval to C. It does not apply with tubes, whose deviations were
// computed for the whole interval.
func (r *Robot) Still() {
	r.Lo, r.Hi, r.H, r.Span = r.C, r.C, 0, 0
	r.stamp++
}

// Renew invalidates all placed elements and pairs.
func (r *Robot) Renew() { r.stamp++ }

// Stamp identifies the interval: it changes with each change of the interval.
func (r *Robot) Stamp() uint64 { return r.stamp }

// Element returns element i, placed at C.
func (r *Robot) Element(i int) *Element {
	p := &r.elements[i]
	if p.stamp != r.stamp {
		r.place(i, p)
	}
	return p
}

func (r *Robot) place(i int, p *Element) {
	p.stamp = r.stamp
	e, st := &r.M.Elements[i], r.State
	st.Ensure(e.Frame)
	p.Pose.Compose(&st.PoseWF[e.Frame], &e.PoseFE)
	p.Center = p.Pose.Move(e.Center)
	p.Vel, p.Bend, p.Accel, p.Jerk, p.Far = geom.Vec{}, geom.Vec{}, 0, 0, 0
	p.Tube, p.bends, p.arced, p.Slack = 0, false, false, p.slacks.Within(r.Span)
	if r.Span > 0 || r.Tubed {
		p.Vel = st.Twist[e.Frame].At(p.Center)
		st.Radii(e.Frame, p.Center, e.Radius, p.reach, p.Radii)
		p.Accel, p.Jerk = st.Acceleration(e.Frame, 0, p.Radii)
		p.Far = st.Displacement(e.Frame, 0, p.Radii)
		if r.Tubed {
			p.Tube = st.Tube(e.Frame, 0, p.Radii)
		}
	}
	r.balls[i] = rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})
}

// BallsParted proves pairs of elements, seen in W, more than a clearance apart on the interval,
// as far as the balls around them tell. Both elements of each pair are placed; see
// rules.BallsParted.
func (r *Robot) BallsParted(pairs [][2]int32, clearance float64, apart []uint8) {
	rules.BallsParted(r.balls, pairs, clearance, r.Span, apart)
}

// EnsureBend computes the acceleration of the centre of element i, which is placed.
func (r *Robot) EnsureBend(i int) {
	p := &r.elements[i]
	if p.bends {
		return
	}
	p.bends = true
	if f := r.M.Elements[i].Frame; r.Span > 0 {
		r.State.EnsureRate(f)
		p.Bend = kin.AccelerationAt(&r.State.Twist[f], &r.State.Rate[f], p.Center)
	}
}

// CenterAccel returns what stands for A where the centre of element i departs from its
// straight line by at most A tau²/2 on the interval: Accel or, where that is less, what
// rules.BendOver makes of the acceleration at C. The acceleration itself may exceed it.
func (r *Robot) CenterAccel(i int) float64 {
	r.EnsureBend(i)
	p := &r.elements[i]
	if !p.arced {
		p.arced = true
		p.arc = min(p.Accel, rules.BendOver(geom.Norm(p.Bend), p.Jerk, r.Span))
	}
	return p.arc
}

// AccelAlong bounds the acceleration of element i along n.
func (r *Robot) AccelAlong(i int, n geom.Vec) float64 {
	if r.Span == 0 {
		return 0
	}
	return r.State.AccelerationAlong(r.M.Elements[i].Frame, 0, r.elements[i].Radii, n)
}

// SlackAtRest is the error of element i's position.
func (r *Robot) SlackAtRest(i int) float64 { return r.elements[i].slacks.Within(0) }

// LargestSlack bounds the error of the distance of two elements due to their positions.
func (r *Robot) LargestSlack() float64 {
	most := 0.0
	for i := range r.elements[:r.M.Real] {
		most = max(most, r.elements[i].slacks.Within(0))
	}
	return 2*most + r.M.World.Err
}

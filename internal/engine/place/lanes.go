package place

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
)

// Lanes is a robot at eight times of an interval at once, the ends among them. In the steps
// between them a point departs from its chord by at most its acceleration times the square of
// a step, by 8; so what holds at both ends of a step by that margin holds in between.
//
// Frames are turned about their origins so that their joints have the z axis.
type Lanes struct {
	r      *Robot
	frames []laneFrame
	shapes []laneShape // of elements

	Times [lanes.Times]float64 // of the piece's parameter
	width float64              // of a step, at most

	joints []lanes.Joint
	turns  []lanes.Turn
	poses  []lanes.Pose
	boxes  []lanes.Box   // of the elements that move
	swept  []lanes.Sweep // likewise
	around []bvh.Box32   // likewise, of all steps
	row    []int32       // an element's place among these, -1 for none
	of     []int32       // and back

	errs []laneErr // per frame, on the piece
}

// laneFrame is what does not change of a frame.
type laneFrame struct {
	turn   geom.Rot // from the turned frame to the frame
	length float64  // of its pose in the parent's
	depth  float64  // how many joints are before it
}

// laneShape is what does not change of an element: corners in the turned frame, whose hull
// contains it if it is grown by radius.
type laneShape struct {
	corners [][3]float32
	radius  float64
	rho     float64 // bounds the distance from the frame's origin of corners and of the box
	radii   []float64
	// On the interval:
	Bend  float64 // how far a point departs from its chord in a step
	Slack float64 // error of its corners' positions
}

// laneErr bounds the errors of a frame's float32 pose, of its turn and of its origin, which is
// within far of the root's; own is the part of pos that is due to float32.
type laneErr struct{ rot, pos, own, far float64 }

// v is the largest relative error of a float32 operation.
const v = 0x1p-24

// NewLanes returns lanes of the robot, nil where they cannot be used: a root link that moves.
func NewLanes(r *Robot) *Lanes {
	t := r.M.Tree
	l := &Lanes{r: r, frames: make([]laneFrame, len(t.Frames)), errs: make([]laneErr, len(t.Frames))}
	n := len(t.Frames) - 1
	l.joints, l.turns, l.poses = make([]lanes.Joint, n), make([]lanes.Turn, n), make([]lanes.Pose, n+1)
	l.poses[0] = lanes.Still()
	l.frames[0].turn = geom.IdentityPose().R
	for k := 1; k <= n; k++ {
		if t.OfRoot(k) {
			return nil
		}
		l.addJoint(k, &t.Frames[k])
	}
	l.shapes, l.row = make([]laneShape, len(r.M.Elements)), make([]int32, len(r.M.Elements))
	for i := range r.M.Elements {
		l.addShape(i, &r.M.Elements[i])
	}
	l.swept, l.around = make([]lanes.Sweep, len(l.boxes)), make([]bvh.Box32, len(l.boxes))
	return l
}

func (l *Lanes) addJoint(k int, f *kin.Frame) {
	parent, own := &l.frames[f.Parent], &l.frames[k]
	own.turn, own.length, own.depth = toZ(f.Axis), geom.Norm(f.PosePF.P), parent.depth+1
	rot, at := parent.turn.Inv().Mul(f.PosePF.R).Mul(own.turn), parent.turn.ApplyInv(f.PosePF.P)
	j := &l.joints[k-1]
	j.Parent = int32(f.Parent)
	j.Fixed = [12]float32{
		float32(rot.XX), float32(rot.XY), float32(rot.XZ),
		float32(rot.YX), float32(rot.YY), float32(rot.YZ),
		float32(rot.ZX), float32(rot.ZY), float32(rot.ZZ),
		float32(at.X), float32(at.Y), float32(at.Z),
	}
}

// toZ returns a rotation that takes the z axis to the unit vector n; where that is an axis of
// coordinates, it exchanges axes.
func toZ(n geom.Vec) geom.Rot {
	other := geom.Vec{X: 1}
	switch {
	case n.X == 0 && n.Y == 0:
		other = geom.Vec{X: 1}
	case n.X == 0 && n.Z == 0:
		other = geom.Vec{Z: 1}
	case n.Y == 0 && n.Z == 0:
		other = geom.Vec{Y: 1}
	case math.Abs(n.X) > 0.7:
		other = geom.Vec{Y: 1}
	}
	y, _ := geom.Unit(r3.Cross(n, other))
	x := r3.Cross(y, n)
	return geom.Rot{XX: x.X, XY: y.X, XZ: n.X, YX: x.Y, YY: y.Y, YZ: n.Y, ZX: x.Z, ZY: y.Z, ZZ: n.Z}
}

func (l *Lanes) addShape(i int, e *model.Element) {
	points, radius := e.Outline()
	s := &l.shapes[i]
	s.radius = radius
	box := geom.EmptyBox()
	for _, p := range points {
		at := l.frames[e.Frame].turn.ApplyInv(p)
		box = box.Extend(at)
		s.corners = append(s.corners, [3]float32{float32(at.X), float32(at.Y), float32(at.Z)})
		s.rho = max(s.rho, geom.Norm(at))
	}
	c, h := box.Center(), box.Half()
	s.rho = max(s.rho, geom.Norm(c)+geom.Norm(h)) * (1 + 1e-9)
	l.row[i] = -1
	if e.Members == nil && l.r.M.Bodies[e.Body].Link < 0 {
		return // the world's
	}
	l.row[i] = int32(len(l.boxes))
	l.of = append(l.of, int32(i))
	s.radii = make([]float64, len(l.r.M.Tree.Chain(e.Frame)))
	l.boxes = append(l.boxes, lanes.Box{
		Center: [3]float32{float32(c.X), float32(c.Y), float32(c.Z)},
		Half:   [3]float32{float32(h.X), float32(h.Y), float32(h.Z)},
		Frame:  int32(e.Frame),
	})
}

// Bound starts a piece of a motion. It reports false if numbers are too large for float32.
func (l *Lanes) Bound() bool {
	st, t := l.r.State, l.r.M.Tree
	for k := 1; k < len(t.Frames); k++ {
		f, own := &t.Frames[k], &l.frames[k]
		e, up := &l.errs[k], &l.errs[f.Parent]
		rot := rotPerLane * own.depth
		e.own = up.own + (rot-rotPerLane)*own.length + 16*v*(st.Far[f.Parent]+own.length)
		if f.Prismatic {
			q := math.Abs(f.Mult)*l.r.around[f.Dof].MaxAbs + math.Abs(f.Offset)
			e.own += (rot + 32*v) * q
		}
		e.rot, e.pos, e.far = rot+2*st.ErrR[k], e.own+2*st.ErrP[k], st.Far[k]
		if !(e.far < farthestLane && e.pos < farthestLane) {
			return false
		}
	}
	return true
}

// rotPerLane is what a joint adds to the error of a turn, besides what State allows for.
const rotPerLane = 40 * v

// farthestLane (m) keeps all sums and squares within float32.
const farthestLane = 1e9

// Place bounds the robot's motion on [lo, hi] of the piece, and reports how far any of its points may
// depart from its chord in a step.
func (l *Lanes) Bends(lo, hi float64) float64 {
	l.width = (hi - lo) / lanes.Steps * (1 + 1e-9)
	r := l.r
	for i := range r.curves {
		r.around[i] = r.curves[i].Around(lo+(hi-lo)/2, lo, hi)
	}
	r.State.SetRates(r.around)
	most := 0.0
	for i := range l.boxes {
		el := int(l.of[i])
		s, frame := &l.shapes[el], r.M.Elements[el].Frame
		radii := r.elements[el].reach
		if !r.steady {
			for j, k := range r.M.Tree.Chain(frame) {
				s.radii[j] = radii[j]
				if r.M.Tree.Frames[k].Prismatic {
					s.radii[j] = 1
				}
			}
			radii = s.radii
		}
		accel, _ := r.State.Acceleration(frame, 0, radii)
		s.Bend = l.bent(accel)
		most = max(most, s.Bend)
	}
	return most
}

// bent is how far a point with that acceleration departs from its chord.
func (l *Lanes) bent(accel float64) float64 { return accel * l.width * l.width / 8 * (1 + 1e-9) }

// Place places the robot on the interval of Bends.
func (l *Lanes) Place(lo, hi, clearance float64) {
	for i := range l.Times {
		l.Times[i] = lo + (hi-lo)*float64(i)/lanes.Steps
	}
	l.Times[lanes.Steps] = hi
	l.turnJoints()
	lanes.Place(l.poses, l.joints, l.turns)
	for i := range l.boxes {
		el := int(l.of[i])
		s, k := &l.shapes[el], &l.errs[l.r.M.Elements[el].Frame]
		s.Slack = k.pos + k.rot*s.rho + 32*v*(k.far+s.rho)
		l.boxes[i].Grow = up32(s.Bend + s.Slack + s.radius + clearance + l.r.M.World.Err)
	}
	lanes.SweepBoxes(l.poses, l.boxes, l.swept)
	for i := range l.swept {
		l.around[i] = hull(&l.swept[i])
	}
}

// hull returns the box around all steps.
func hull(s *lanes.Sweep) (b bvh.Box32) {
	for i := range 3 {
		lo, hi := s.Lo[i][0], s.Hi[i][0]
		for k := 1; k < lanes.Steps; k++ {
			lo, hi = min(lo, s.Lo[i][k]), max(hi, s.Hi[i][k])
		}
		b.Lo[i], b.Hi[i] = lo, hi
	}
	return b
}

// BoxesApart returns the steps in which the boxes of two elements are apart.
func (l *Lanes) BoxesApart(a, b int) (steps uint8) {
	i, j := l.row[a], l.row[b]
	if i < 0 || j < 0 {
		return 0
	}
	if !l.around[i].Meets(&l.around[j]) {
		return lanes.All
	}
	x, y := &l.swept[i], &l.swept[j]
	for k := range lanes.Steps {
		for i := range 3 {
			if x.Lo[i][k] > y.Hi[i][k] || x.Hi[i][k] < y.Lo[i][k] {
				steps |= 1 << k
			}
		}
	}
	return steps
}

// up32 rounds up.
func up32(x float64) float32 { return float32(x * (1 + 0x1p-20)) }

// turnJoints computes the joints' cosines and sines at the times.
func (l *Lanes) turnJoints() {
	t := l.r.M.Tree
	for k := 1; k < len(t.Frames); k++ {
		f := &t.Frames[k]
		c, out := &l.r.curves[f.Dof], &l.turns[k-1]
		if f.Prismatic {
			var q [lanes.Times]float64
			c.Sample(l.Times[:], q[:])
			for i, x := range q {
				out.Cos[i], out.Sin[i], out.Slide[i] = 1, 0, float32(f.Mult*x+f.Offset)
			}
			continue
		}
		if c.Line() {
			var q [2]float64
			c.Sample([]float64{l.Times[0], l.Times[lanes.Steps]}, q[:])
			turnEvenly(f.Mult*q[0]+f.Offset, f.Mult*(q[1]-q[0])/lanes.Steps, out)
			continue
		}
		var q [lanes.Times]float64
		c.Sample(l.Times[:], q[:])
		for i, x := range q {
			sin, cos := math.Sincos(f.Mult*x + f.Offset)
			out.Cos[i], out.Sin[i] = float32(cos), float32(sin)
		}
	}
}

// turnEvenly computes cosine and sine of q, q + by, q + 2 by and so on.
func turnEvenly(q, by float64, out *lanes.Turn) {
	s0, c0 := math.Sincos(q)
	if by == 0 {
		for i := range out.Cos {
			out.Cos[i], out.Sin[i] = float32(c0), float32(s0)
		}
		return
	}
	s1, c1 := math.Sincos(by)
	c2, s2 := c1*c1-s1*s1, 2*c1*s1
	c4, s4 := c2*c2-s2*s2, 2*c2*s2
	set := func(i int, c, s float64) {
		out.Cos[i], out.Sin[i] = float32(c), float32(s)
		c, s = c*c4-s*s4, s*c4+c*s4
		out.Cos[i+4], out.Sin[i+4] = float32(c), float32(s)
	}
	set(0, c0, s0)
	set(1, c0*c1-s0*s1, s0*c1+c0*s1)
	c, s := c0*c2-s0*s2, s0*c2+c0*s2
	set(2, c, s)
	set(3, c*c1-s*s1, s*c1+c*s1)
}

// Sweep returns what a moving element sweeps, with clearance, errors and the world's errors.
func (l *Lanes) Sweep(element int) *lanes.Sweep { return &l.swept[l.row[element]] }

// Pose returns about the pose of an element at one of the times, and the middle of its box.
func (l *Lanes) Pose(element, time int) geom.Pose {
	e := &l.r.M.Elements[element]
	p, turn := &l.poses[e.Frame], &l.frames[e.Frame].turn
	at := func(i int) float64 { return float64(p.R[i][time]) }
	r := geom.Rot{XX: at(0), XY: at(1), XZ: at(2), YX: at(3), YY: at(4), YZ: at(5), ZX: at(6), ZY: at(7), ZZ: at(8)}
	pose := geom.Pose{R: r.Mul(turn.Inv()), P: geom.Vec{X: float64(p.P[0][time]), Y: float64(p.P[1][time]), Z: float64(p.P[2][time])}}
	return pose.Mul(e.PoseFE)
}

// Middle returns about the middle of an element's box in a step.
func (l *Lanes) Middle(element, step int) geom.Vec {
	if l.row[element] < 0 {
		e := &l.r.M.Elements[element]
		return e.PoseFE.Apply(e.Center)
	}
	s := l.Sweep(element)
	at := func(i int) float64 { return (float64(s.Lo[i][step]) + float64(s.Hi[i][step])) / 2 }
	return geom.Vec{X: at(0), Y: at(1), Z: at(2)}
}

// Plane is a half-space for each step that holds what an element sweeps: n.x <= Reach[step].
// All of the margin is in it, the clearance included.
type Plane struct {
	N     geom.Vec // of float32 numbers
	Reach lanes.Row64
}

// PlaneOf computes the half-spaces along about n.
func (l *Lanes) PlaneOf(element int, n geom.Vec, clearance float64, p *Plane) {
	n32 := short(n)
	p.N = geom.Vec{X: float64(n32[0]), Y: float64(n32[1]), Z: float64(n32[2])}
	e, s := &l.r.M.Elements[element], &l.shapes[element]
	var dir lanes.Point
	for i := range dir {
		for k := range dir[i] {
			dir[i][k] = n32[i]
		}
	}
	var h lanes.Row
	l.poses[e.Frame].Support(s.corners, &dir, &h)
	need := (s.radius + s.Bend + s.Slack + clearance + l.r.M.World.Err) * (1 + 0x1p-20)
	for k := range lanes.Steps {
		p.Reach[k] = float64(max(h[k], h[k+1])) + need
	}
	p.Reach[lanes.Steps] = math.Inf(1)
}

// Beyond returns the steps in which what has n.x >= least all over it is beyond the plane.
func (p *Plane) Beyond(least float64) (steps uint8) {
	for k := range lanes.Steps {
		if least > p.Reach[k] {
			steps |= 1 << k
		}
	}
	return steps
}

// Parted returns the steps in which a pair is apart along about n, a direction of W at one of
// the times that is then fixed in the body where the chains of both part.
func (l *Lanes) Parted(q *model.Pair, n geom.Vec, time int, clearance float64) (steps uint8) {
	base := &l.poses[q.Base]
	col := func(j int) float64 {
		return float64(base.R[j][time])*n.X + float64(base.R[3+j][time])*n.Y + float64(base.R[6+j][time])*n.Z
	}
	fixed, ok := geom.Unit(geom.Vec{X: col(0), Y: col(1), Z: col(2)})
	if !ok {
		return 0
	}
	own := short(fixed)
	var along, back lanes.Point
	base.Direct(&own, &along)
	for i := range along {
		for k := range along[i] {
			back[i][k] = -along[i][k]
		}
	}
	ea, eb := &l.r.M.Elements[q.A], &l.r.M.Elements[q.B]
	a, b := &l.shapes[q.A], &l.shapes[q.B]
	var ha, hb lanes.Row
	l.poses[ea.Frame].Support(a.corners, &along, &ha)
	l.poses[eb.Frame].Support(b.corners, &back, &hb)
	far := l.errs[ea.Frame].far + a.rho + l.errs[eb.Frame].far + b.rho
	rot := l.errs[q.Base].rot
	need := (clearance + a.radius + b.radius + l.slackOf(q.A) + l.slackOf(q.B) +
		l.Bend(q.A, q.Parting) + l.Bend(q.B, q.Parting) + (rot+32*v)*far) * (1 + 0x1p-20 + rot)
	var gap [lanes.Times]float64
	for k := range gap {
		gap[k] = -(float64(ha[k]) + float64(hb[k]))
	}
	for k := range lanes.Steps {
		if min(gap[k], gap[k+1]) > need {
			steps |= 1 << k
		}
	}
	return steps
}

// short returns a unit vector in float32, no longer than 1.
func short(n geom.Vec) [3]float32 {
	const k = 1 - 0x1p-22
	return [3]float32{float32(k * n.X), float32(k * n.Y), float32(k * n.Z)}
}

func (l *Lanes) slackOf(element int) float64 {
	s := &l.shapes[element]
	if l.row[element] < 0 {
		return 32 * v * s.rho
	}
	return s.Slack
}

// Bend returns how far a point of an element departs from its chord in a step, seen from the body after the first
// joints of its chain.
func (l *Lanes) Bend(element, from int) float64 {
	e := &l.r.M.Elements[element]
	if e.Frame == 0 {
		return 0
	}
	s := &l.shapes[element]
	if from == 0 {
		return s.Bend
	}
	radii := l.r.elements[element].reach
	if !l.r.steady {
		radii = s.radii
	}
	accel, _ := l.r.State.Acceleration(e.Frame, from, radii)
	return l.bent(accel)
}

package place

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Lanes is a robot at eight times of an interval at once, the ends among them, in float32 and
// in vector instructions.
//
// Between two of these times, a step, a point departs from its chord by at most an eighth of
// the square of the step times the size of its acceleration: the error of linear interpolation.
// So what holds for the robot at both ends of a step by that margin holds during the step, if
// it is convex: that points are inside a box, or beyond a plane.
//
// Frames are turned about their origins so that every joint has the z axis.
type Lanes struct {
	r      *Robot
	frames []laneFrame
	mounts []laneMount // of elements
	moving []int32     // the robot's elements, in the order of shapes, boxes and swept
	row    []int32     // an element's place among these, -1 for one of the world's
	shapes []laneShape

	reached  bool    // the shapes' reach is set
	bounds   uint64  // of what Robot.bounds counts, errs are made of
	fits     bool    // numbers are not too large for float32
	worldErr float64 // of an inner product with a point of the world, in float32

	// Of the piece and of the interval:
	errs  []laneErr  // of frames
	bends []laneBend // of frames
	turning
	bows  []float64 // of variables
	width float64   // of a step, at least
	still bool      // no joint moves
	apart pairBend  // of the pair that was asked for last

	fans, placed uint64 // how often the normals of a fan were set, and the robot was placed

	Times [lanes.Times]float64
	// Less is by how much less than the clearance everything is to be apart at each of the times.
	Less [lanes.Times]float64

	ends   lanes.Ends // of steps
	times  placing
	shared shared

	joints []lanes.Joint
	turns  []lanes.Turn
	poses  []lanes.Pose
	boxes  []lanes.Box
	swept  []lanes.Sweep
}

// laneFrame is what stays the same of a frame.
type laneFrame struct {
	turn   geom.Rot // from the turned frame to the frame
	length float64  // of the way from the parent's origin where the joint is at 0
	depth  float64  // the number of joints up to this one
}

// laneMount is where an element is in its frame.
type laneMount struct {
	chain []int32   // joints from the root to it
	own   geom.Pose // in the turned frame
}

// laneShape is an element of the robot.
type laneShape struct {
	Part
	middle geom.Vec  // of the corners
	reach  []float64 // Element.reach, 1 for a prismatic joint
	slack  float64   // error of the position of a corner
}

// turning is by how much elements depart from their chords. Each element of the robot has a lane, by its row.
type turning struct {
	reach  []lanes.Row // for each eight elements, those of each frame's joint
	factor []float32   // of frames: what a joint's reach is multiplied by
	bend   []lanes.Row // how far a point departs from its chord in a step, seen from the root
	fixed  []float64   // of each element: what its box grows by but for the bend and the clearance
}

// NewLanes returns lanes of the robot, nil for a tree whose root link moves.
func NewLanes(r *Robot) *Lanes {
	t := r.M.Tree
	n := len(t.Frames)
	l := &Lanes{
		r: r, frames: make([]laneFrame, n), errs: make([]laneErr, n), bends: make([]laneBend, n), bows: make([]float64, len(t.Dofs)),
		joints: make([]lanes.Joint, n-1), turns: make([]lanes.Turn, n-1), poses: make([]lanes.Pose, n),
		mounts: make([]laneMount, len(r.M.Elements)), row: make([]int32, len(r.M.Elements)),
	}
	l.poses[0], l.frames[0].turn = lanes.Still(), geom.IdentityPose().R
	for k := 1; k < n; k++ {
		if t.OfRoot(k) {
			return nil
		}
		l.addJoint(k, &t.Frames[k])
	}
	for i := range r.M.Elements {
		l.addShape(i, &r.M.Elements[i])
	}
	l.worldErr = 8 * v * r.M.World.Far()
	l.swept = make([]lanes.Sweep, len(l.boxes))
	eights := (len(l.boxes) + lanes.Times - 1) / lanes.Times
	l.turning = turning{make([]lanes.Row, eights*(n-1)), make([]float32, n-1), make([]lanes.Row, eights), make([]float64, len(l.boxes))}
	return l
}

func (l *Lanes) addJoint(k int, f *kin.Frame) {
	parent, own := &l.frames[f.Parent], &l.frames[k]
	own.turn, own.length, own.depth = toZ(f.Axis), geom.Norm(f.PosePF.P), parent.depth+1
	r, p := parent.turn.Inv().Mul(f.PosePF.R).Mul(own.turn), parent.turn.TurnBack(f.PosePF.P)
	l.joints[k-1] = lanes.Joint{Parent: int32(f.Parent), Fixed: [12]float32{
		float32(r.XX), float32(r.XY), float32(r.XZ),
		float32(r.YX), float32(r.YY), float32(r.YZ),
		float32(r.ZX), float32(r.ZY), float32(r.ZZ),
		float32(p.X), float32(p.Y), float32(p.Z),
	}}
}

// toZ returns a rotation that takes the z axis to the unit vector n. Where n is an axis of
// coordinates it only exchanges axes, so that boxes stay aligned with the element.
func toZ(n geom.Vec) geom.Rot {
	other := geom.Vec{X: 1}
	switch {
	case n.Y == 0 && n.Z == 0 || math.Abs(n.X) > 0.7 && n.Z != 0:
		other = geom.Vec{Y: 1}
	case n.X == 0 && n.Z == 0 || math.Abs(n.X) > 0.7:
		other = geom.Vec{Z: 1}
	}
	y, _ := geom.Unit(r3.Cross(n, other))
	x := r3.Cross(y, n)
	return geom.Rot{XX: x.X, XY: y.X, XZ: n.X, YX: x.Y, YY: y.Y, YZ: n.Y, ZX: x.Z, ZY: y.Z, ZZ: n.Z}
}

// outline is what stays the same of an element in all worlds.
type outline struct {
	part   Part
	middle geom.Vec
	box    lanes.Box
}

type outlineKey struct{}

func (l *Lanes) addShape(i int, e *model.Element) {
	chain := l.r.M.Tree.Chain(e.Frame)
	l.mounts[i] = laneMount{chain, geom.Pose{R: l.frames[e.Frame].turn.Inv()}.Mul(e.PoseFE)}
	if l.row[i] = -1; e.Members == nil && l.r.M.Bodies[e.Body].Link < 0 {
		return
	}
	o := l.r.M.OfElement(i, outlineKey{}, func() any { return l.outlineOf(i, e) }).(*outline)
	l.row[i], l.moving = int32(len(l.moving)), append(l.moving, int32(i))
	l.shapes = append(l.shapes, laneShape{Part: o.part, middle: o.middle, reach: make([]float64, len(chain))})
	l.boxes = append(l.boxes, o.box)
}

func (l *Lanes) outlineOf(i int, e *model.Element) *outline {
	points, radius := e.Outline()
	o := &outline{part: l.NewPart(i, points, radius)}
	box := geom.EmptyBox()
	for _, p := range points {
		at := l.frames[e.Frame].turn.TurnBack(p)
		box = box.Extend(at)
		o.middle = r3.Add(o.middle, r3.Scale(1/float64(len(points)), at))
	}
	c, h := box.Center(), box.Half()
	o.part.rho = max(o.part.rho, geom.Norm(c)+geom.Norm(h)) * (1 + 1e-9)
	o.box = lanes.Box{
		Center: [3]float32{float32(c.X), float32(c.Y), float32(c.Z)},
		Half:   [3]float32{float32(h.X), float32(h.Y), float32(h.Z)},
		Frame:  int32(e.Frame),
	}
	return o
}

// Move places the robot at Times, after Bend.
func (l *Lanes) Move() {
	for k := range l.turns {
		f := &l.r.M.Tree.Frames[k+1]
		c := &l.r.curves[f.Dof]
		if from, to := c.Ends(l.Times[0], l.Times[lanes.Steps]); !c.Line() || !setLine(f, from, to, &l.turns[k]) {
			var q [lanes.Times]float64
			c.Sample(l.Times[:], q[:])
			setJoint(f, &q, &l.turns[k])
		}
	}
	l.placed++
	lanes.Place(l.poses, l.joints, l.turns)
}

// place places the robot where its joints are.
func (l *Lanes) place(clearance float64) {
	l.placed++
	lanes.Place(l.poses, l.joints, l.turns)
	l.Grow(clearance)
}

// Grow computes what the boxes sweep, clearance included.
func (l *Lanes) Grow(clearance float64) {
	more := clearance + l.r.M.World.Err
	for i := range l.boxes {
		l.boxes[i].Grow = above32(l.fixed[i] + l.bendAt(i) + more)
	}
	lanes.SweepBoxes(l.poses, l.boxes, &l.ends, l.swept)
}

// above32 returns a float32 that is larger than x, which is zero or more, by more than what its
// sum with two others may be rounded off.
func above32(x float64) float32 { return float32(x * (1 + 0x1p-20)) }

// setLine sets where a joint is that turns evenly, for its variable's first and last position. It reports false for others.
func setLine(f *kin.Frame, first, last float64, to *lanes.Turn) bool {
	from, until := f.Mult*first+f.Offset, f.Mult*last+f.Offset
	if f.Prismatic || !(math.Abs(from) <= lanes.MaxAngle && math.Abs(until) <= lanes.MaxAngle) {
		return false
	}
	by := (until - from) * (1. / lanes.Steps)
	to.Angle = lanes.Row{
		float32(from), float32(from + by), float32(from + 2*by), float32(from + 3*by),
		float32(from + 4*by), float32(from + 5*by), float32(from + 6*by), float32(until),
	}
	return true
}

// setJoint sets where a joint is, for positions of its variable.
func setJoint(f *kin.Frame, q *[lanes.Times]float64, to *lanes.Turn) {
	if f.Prismatic {
		for i := range q {
			to.Slide[i] = float32(f.Mult*q[i] + f.Offset)
		}
		return
	}
	for i := range q {
		angle := f.Mult*q[i] + f.Offset
		if !(math.Abs(angle) <= lanes.MaxAngle) {
			angle = lessTurns(angle)
		}
		to.Angle[i] = float32(angle)
	}
}

// lessTurns subtracts whole turns from an angle, which leaves half of one at most, with an error of less than 4u of the angle.
func lessTurns(angle float64) float64 {
	const turn = 2 * math.Pi // with an error of u/3
	if math.Abs(angle) > 1e6 {
		return math.Remainder(angle, turn)
	}
	return angle - turn*math.RoundToEven(angle/turn)
}

// Sweep returns the boxes that an element of the robot sweeps, larger by the clearance and by all
// errors, the world's among them.
func (l *Lanes) Sweep(element int) *lanes.Sweep { return &l.swept[l.row[element]] }

// Apart computes, for each pair of the robot's elements by their rows, the steps in which boxes around them are
// apart.
func (l *Lanes) Apart(rows [][2]int32, steps []uint8) { lanes.Apart(l.swept, rows, steps) }

// Row returns the row of an element of the robot; false for one of the world.
func (l *Lanes) Row(element int) (row int32, ok bool) { return l.row[element], l.row[element] >= 0 }

// Pose returns about the pose of an element at one of the times.
func (l *Lanes) Pose(element, time int) (pose geom.Pose) {
	p := &l.poses[l.r.M.Elements[element].Frame]
	at := func(i int) float64 { return float64(p.R[i][time]) }
	var frame geom.Pose
	frame.R.XX, frame.R.XY, frame.R.XZ = at(0), at(1), at(2)
	frame.R.YX, frame.R.YY, frame.R.YZ = at(3), at(4), at(5)
	frame.R.ZX, frame.R.ZY, frame.R.ZZ = at(6), at(7), at(8)
	frame.P.X, frame.P.Y, frame.P.Z = float64(p.P[0][time]), float64(p.P[1][time]), float64(p.P[2][time])
	pose.Compose(&frame, &l.mounts[element].own)
	return pose
}

// PointOf returns a point of the hull of an element of the robot at one of the times, and by how much it errs.
func (l *Lanes) PointOf(element, time int) (at geom.Vec, err float64) {
	s := l.shape(element)
	p, m := &l.poses[l.r.M.Elements[element].Frame], &s.middle
	along := func(i int) float64 {
		return float64(p.R[3*i][time])*m.X + float64(p.R[3*i+1][time])*m.Y + float64(p.R[3*i+2][time])*m.Z + float64(p.P[i][time])
	}
	return geom.Vec{X: along(0), Y: along(1), Z: along(2)}, s.slack
}

// shape returns an element of the robot. It panics for one of the world.
func (l *Lanes) shape(element int) *laneShape { return &l.shapes[l.row[element]] }

// Middle returns about the middle of an element in a step.
func (l *Lanes) Middle(element, step int) geom.Vec {
	if l.row[element] < 0 {
		e := &l.r.M.Elements[element]
		return e.PoseFE.Move(e.Center)
	}
	s := l.Sweep(element)
	return geom.Vec{
		X: (float64(s.Lo[0][step]) + float64(s.Hi[0][step])) / 2,
		Y: (float64(s.Lo[1][step]) + float64(s.Hi[1][step])) / 2,
		Z: (float64(s.Lo[2][step]) + float64(s.Hi[2][step])) / 2,
	}
}

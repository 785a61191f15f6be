package enginetest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The judge of verdicts places every link by itself: from the robot's joints, with
// package twin and no code of package kin. It measures all convex pieces of one
// body against all of the other, with no hierarchy.

// judge reports what a verdict says that is not so.
func (c *Case) judge(q *motion.Query, v *motion.Verdict) (wrong []string) {
	first := c.Motion.Pieces[0].Start
	if until := v.ProvenUntil; until > first {
		const samples = 12
		for k := range samples {
			at := first + (until-first)*(float64(k)+0.5)/samples
			if pair, d := c.nearest(at, q); d <= q.Clearance-1e-9 || d == 0 {
				wrong = append(wrong, fmt.Sprintf("%v, proven until %g, but at %g pair %d is %g m apart (clearance %g)", v.Status, v.ProvenUntil, at, pair, d, q.Clearance))
				break
			}
		}
	}
	if v.Status == motion.Contact {
		wrong = append(wrong, c.judgeWitness(q, &v.Contact)...)
	}
	return wrong
}

// judgeWitness holds a witness against the place of both bodies at its time.
func (c *Case) judgeWitness(q *motion.Query, w *motion.Witness) (wrong []string) {
	const rounding = 1e-8
	most := q.Clearance + engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	if d := geom.Norm(r3.Sub(w.PointB, w.PointA)); math.Abs(d-w.Distance) > rounding || d > most+rounding {
		wrong = append(wrong, fmt.Sprintf("the witness is %g m apart, its points are %g m", w.Distance, d))
	}
	least := math.Inf(1)
	for i := range c.Model.Pairs {
		p := &c.Model.Pairs[i]
		if c.Model.Named(p) != w.Pair {
			continue
		}
		poseA, poseB := c.elementAt(p.A, w.Time), c.elementAt(p.B, w.Time)
		if c.inside(p, poseA, poseB) {
			least = 0
			continue
		}
		if c.reaches(p.A, poseA, w.PointA) > rounding || c.reaches(p.B, poseB, w.PointB) > rounding {
			continue // another element of the body
		}
		least = math.Min(least, c.apart(p, poseA, poseB, most+1))
	}
	if !(least <= most+rounding) {
		wrong = append(wrong, fmt.Sprintf("%s and %s are said to be %g m apart at %g; they are %g m, or the points are not theirs", w.Pair.A.Name, w.Pair.B.Name, w.Distance, w.Time, least))
	}
	return wrong
}

// nearest returns the closest pair that the question is about at a time, and its
// distance: 0 if one body is inside the other, +Inf if it is farther than matters.
func (c *Case) nearest(at float64, q *motion.Query) (pair int, distance float64) {
	poses := make([]geom.Pose, c.Model.Real)
	for i := range poses {
		poses[i] = c.elementAt(i, at)
	}
	pair, distance = -1, math.Inf(1)
	for i := range c.Model.Pairs {
		p := &c.Model.Pairs[i]
		if p.World && q.NoWorld || !p.World && q.NoSelf {
			continue
		}
		d := c.apart(p, poses[p.A], poses[p.B], q.Clearance+0.01)
		if d > 0 && c.inside(p, poses[p.A], poses[p.B]) {
			d = 0
		}
		if d < distance {
			pair, distance = i, d
		}
	}
	return pair, distance
}

// apart is the distance of two elements, +Inf if it is more than limit.
func (c *Case) apart(p *model.Pair, poseA, poseB geom.Pose, limit float64) float64 {
	a, b := &c.Model.Elements[p.A], &c.Model.Elements[p.B]
	if between(poseA.Apply(a.Center), poseB.Apply(b.Center))-a.Radius-b.Radius > limit+1e-6 {
		return math.Inf(1)
	}
	best := math.Inf(1)
	bs := c.piecesOf(p.B)
	for _, x := range c.piecesOf(p.A) {
		at := poseA.Apply(x.center)
		for k := range bs {
			y := &bs[k]
			if between(at, poseB.Apply(y.center))-x.radius-y.radius > math.Min(limit, best) {
				continue
			}
			best = math.Min(best, convex.Distance(&x.core, &poseA, &y.core, &poseB, nil).Distance)
		}
	}
	return best
}

// reaches is how far a point of W is from an element; 0 for one inside of it.
func (c *Case) reaches(element int, pose geom.Pose, x geom.Vec) float64 {
	point, at := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}}, geom.Translation(x)
	best := math.Inf(1)
	for _, y := range c.piecesOf(element) {
		best = math.Min(best, convex.Distance(&y.core, &pose, &point, &at, nil).Distance)
	}
	return best
}

// inside tells whether one element of a pair is inside the other, surfaces aside.
func (c *Case) inside(p *model.Pair, poseA, poseB geom.Pose) bool {
	a, b := &c.Model.Elements[p.A], &c.Model.Elements[p.B]
	if !engine.Encloses(a) && !engine.Encloses(b) || a.Exact && b.Exact {
		return false
	}
	var s engine.Solids
	in, _, ok := s.Inside(a, &poseA, b, &poseB)
	return in && ok
}

func between(a, b geom.Vec) float64 { return geom.Norm(r3.Sub(b, a)) }

// piece is a convex part of an element, in the element's frame, in a ball.
type piece struct {
	core   convex.Core
	center geom.Vec
	radius float64
}

func (c *Case) piecesOf(element int) []piece {
	if c.pieces == nil {
		c.pieces = make([][]piece, c.Model.Real)
	}
	if c.pieces[element] == nil {
		e := &c.Model.Elements[element]
		for _, core := range Pieces(e) {
			p := piece{core: core, center: e.Center, radius: e.Radius}
			if e.Leaves != nil && len(core.Vertices) > 0 {
				p.center, p.radius = core.Vertices[0], core.Radius
				for _, v := range core.Vertices {
					p.radius = math.Max(p.radius, core.Radius+between(v, p.center))
				}
			}
			c.pieces[element] = append(c.pieces[element], p)
		}
	}
	return c.pieces[element]
}

// Pieces cuts an element into what it is made of: one convex piece, or triangles, balls
// or cells. Padding is part of them.
func Pieces(e *model.Element) (out []convex.Core) {
	l := e.Leaves
	if l == nil {
		return []convex.Core{e.Core}
	}
	grown := l.Radius + e.Padding
	switch {
	case l.Mesh != nil:
		v := l.Mesh.Vertices
		for _, t := range l.Mesh.Triangles {
			out = append(out, convex.Core{Kind: convex.Triangle, Radius: grown, Vertices: []geom.Vec{v[t[0]], v[t[1]], v[t[2]]}})
		}
	case l.Cells != nil:
		for _, cell := range l.Cells {
			core := convex.BoxOf(cell)
			core.Radius += grown
			out = append(out, core)
		}
	default:
		for _, p := range l.Points {
			out = append(out, convex.Core{Kind: convex.Point, Radius: grown, Vertices: []geom.Vec{p}})
		}
	}
	return out
}

// elementAt is the pose in W of an element at a time (s) of the motion.
func (c *Case) elementAt(element int, at float64) geom.Pose {
	body := &c.Model.Bodies[c.Model.Elements[element].Body]
	if body.Kind == motion.RobotLink {
		for nth, k := range body.Elements {
			if k == element {
				return c.LinkAt(body.Link, at).Mul(c.Robot.Links[body.Link].Collisions[nth].PoseLS)
			}
		}
	}
	o := &c.World.Objects[c.World.Object(body.Name)]
	if body.Link < 0 {
		return o.PoseWS
	}
	return c.LinkAt(body.Link, at).Mul(o.PoseWS) // attached
}

// LinkAt is the pose in W of a link at a time (s) of the motion.
func (c *Case) LinkAt(link int, at float64) geom.Pose {
	pose := geom.IdentityPose()
	for link != c.Robot.Root {
		i := c.Robot.Links[link].ParentJoint
		j := &c.Robot.Joints[i]
		pose, link = j.PosePC.Mul(c.jointAt(i, at)).Mul(pose), j.Parent
	}
	if len(c.Motion.Root) == 0 {
		return pose
	}
	return c.Motion.RootAt(at).Mul(pose)
}

// jointAt is how far joint i has moved its link at a time.
func (c *Case) jointAt(i int, at float64) geom.Pose {
	j := &c.Robot.Joints[i]
	switch j.Type {
	case urdf.Revolute, urdf.Continuous:
		return geom.Pose{R: twin.Turn(j.Axis, c.position(i, "", at))}
	case urdf.Prismatic:
		return geom.Translation(r3.Scale(c.position(i, "", at), j.Axis))
	case urdf.Planar: // about z, as URDF and MoveIt read alike
		return geom.Pose{R: twin.Turn(j.Axis, c.position(i, "/theta", at)), P: geom.Vec{X: c.position(i, "/x", at), Y: c.position(i, "/y", at)}}
	}
	return geom.IdentityPose()
}

// position is that of a variable of joint i at a time (s).
func (c *Case) position(i int, suffix string, at float64) float64 {
	j := &c.Robot.Joints[i]
	if j.Mimic != nil {
		return j.Mimic.Multiplier*c.position(j.Mimic.Joint, "", at) + j.Mimic.Offset
	}
	for row, name := range c.Motion.Joints {
		if name != j.Name+suffix {
			continue
		}
		return c.along(row, j.Type == urdf.Continuous && !c.Motion.KeepTurns && !c.followed(i), at)
	}
	return c.State[j.Name+suffix]
}

// followed reports whether another joint mimics joint i. By random multipliers it tells
// how many turns joint i makes, so that none are taken off (docs/motions.md).
func (c *Case) followed(i int) bool {
	return slices.ContainsFunc(c.Robot.Joints, func(j urdf.Joint) bool { return j.Mimic != nil && j.Mimic.Joint == i })
}

// along is the position that a row of the motion gives at a time (s). Where the joint
// goes the short way, straight pieces go to the nearest of the positions that differ by
// whole turns, and the next piece begins there.
func (c *Case) along(row int, shortWay bool, at float64) float64 {
	here, turns := c.Motion.PieceAt(at), 0.0
	for k := range here {
		if ctrl := c.Motion.Pieces[k].Ctrl[row]; shortWay && len(ctrl) == 2 {
			turns += math.Remainder(ctrl[1]-ctrl[0], 2*math.Pi) - (ctrl[1] - ctrl[0])
		}
	}
	p := &c.Motion.Pieces[here]
	ctrl, s := p.Ctrl[row], math.Min(math.Max((at-p.Start)/(p.End-p.Start), 0), 1)
	if shortWay && len(ctrl) == 2 {
		return turns + ctrl[0] + s*math.Remainder(ctrl[1]-ctrl[0], 2*math.Pi)
	}
	return turns + twin.Bernstein(ctrl, s)
}

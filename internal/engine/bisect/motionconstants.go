package bisect

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Motion constants (SSL04 IV-C, Figs. 7 and 8). COMPUTE-SPHERE carries a ball around a
// link inward, from joint to joint. At a revolute joint it becomes the ball about the
// centre's foot on the axis, which holds the old one however the joint turns: its
// radius is the constant r_k^i, the largest distance of the link's points from the axis
// for any position of the joints beyond. At a prismatic one it becomes the ball around
// what it sweeps over the joint's range; there the constant is 1.
//
// Departures. The range of a prismatic joint is that of the motion, not that between
// its limits: it is smaller, and a motion may leave its limits. What the joints' poses
// err by is added to the radius. For the joint that moves the link itself the paper
// takes the vertices' distances from the axis; so do we, where the shape has vertices.

// sphere is a ball in a frame of the tree.
type sphere struct {
	center geom.Vec
	radius float64
}

// ranges tells what the joints' positions are during a motion, and where a moving
// root link is.
type ranges struct {
	lo, hi []float64 // per variable
	course *kin.Course
}

// of returns the range of the joint that moves frame k.
func (r *ranges) of(f *kin.Frame) (lo, hi float64) {
	lo, hi = f.Mult*r.lo[f.Dof]+f.Offset, f.Mult*r.hi[f.Dof]+f.Offset
	if lo > hi {
		lo, hi = hi, lo
	}
	return lo, hi
}

// set notes the ranges of a motion, from its control points.
func (r *ranges) set(tree *kin.Tree, c *kin.Course) {
	n := len(tree.Dofs)
	if len(r.lo) != n {
		r.lo, r.hi = make([]float64, n), make([]float64, n)
	}
	for d := range n {
		r.lo[d], r.hi[d] = rangeOf(c, d)
	}
	r.course = c
}

// rangeOf returns the range of a variable during a motion.
func rangeOf(c *kin.Course, d int) (lo, hi float64) {
	var ctrl [kin.MaxDegree + 1]float64
	lo, hi = math.Inf(1), math.Inf(-1)
	for piece := range c.Pieces() {
		for _, q := range c.AppendCtrl(ctrl[:0], d, piece) {
			lo, hi = math.Min(lo, q), math.Max(hi, q)
		}
	}
	return lo, hi
}

// stay reports whether the constants of the motion that the ranges were set for are
// those of c too: no root moves, and every joint that slides has the same range. So it
// is for all edges of an arm whose fingers are held.
func (r *ranges) stay(tree *kin.Tree, c *kin.Course) bool {
	for k := 1; k < len(tree.Frames); k++ {
		if tree.OfRoot(k) {
			return false
		}
		if f := &tree.Frames[k]; f.Prismatic {
			if lo, hi := rangeOf(c, f.Dof); lo != r.lo[f.Dof] || hi != r.hi[f.Dof] {
				return false
			}
		}
	}
	return true
}

// computeSphere is COMPUTE-SPHERE for frame f: it carries the ball s, in that frame,
// inward over the joints of its chain down to number from, writes into constants, by
// place in the chain, what it finds for each, and returns the ball in the frame of the
// body after that many joints.
//
// Each step errs by at most 64u of the lengths in it, and by what the joint's numbers
// err; both are added to the radius.
func computeSphere(tree *kin.Tree, f, from int, s sphere, r *ranges, constants []float64) sphere {
	chain := tree.Chain(f)
	for i := len(chain) - 1; i >= from; i-- {
		k := int(chain[i])
		joint := &tree.Frames[k]
		lo, hi := 0.0, 0.0 // a turn has no say in where the ball is
		if joint.Prismatic {
			lo, hi = r.of(joint)
		}
		errR, errP := tree.PlacingErr(k, math.Max(math.Abs(lo), math.Abs(hi)))
		switch {
		case joint.Prismatic:
			constants[i] = 1
			s.center = r3.Add(s.center, r3.Scale(lo+(hi-lo)/2, joint.Axis))
			s.radius += (hi - lo) / 2
		case tree.OfRoot(k): // its axis and its place change from piece to piece
			s.radius += geom.Norm(s.center)
			s.center = geom.Vec{}
			constants[i] = s.radius * inflate
		default:
			foot := r3.Scale(r3.Dot(s.center, joint.Axis), joint.Axis)
			s.radius += geom.Norm(r3.Sub(s.center, foot))
			constants[i] = (s.radius + 64*u*geom.Norm(s.center)) * inflate
			s.center = foot
		}
		if tree.OfRoot(k) && !joint.Prismatic {
			s.radius += r.course.JointMaxAbs(k) // of the frame that keeps the link's place
		}
		size := geom.Norm(s.center) + geom.Norm(joint.PosePF.P) + math.Max(math.Abs(lo), math.Abs(hi))
		s.center = joint.PosePF.Apply(s.center)
		s.radius = (s.radius + errP + (errR+64*u)*(size+s.radius)) * inflate
	}
	return s
}

// inflate covers the roundings of sums of products of numbers that are zero or more:
// at most 256 joints, less than 2^12 of them.
const inflate = 1 + 0x1p-40

// ballOf returns the ball around an element in its frame F.
func ballOf(e *model.Element) sphere {
	return inFrame(e, sphere{e.Center, e.Radius})
}

// inFrame takes a ball of E to the frame F that the element is fixed in.
func inFrame(e *model.Element, s sphere) sphere {
	size := geom.Norm(e.PoseFE.P) + geom.Norm(s.center) + s.radius
	return sphere{
		center: e.PoseFE.Apply(s.center),
		radius: (s.radius + e.ErrP + e.ErrR*(geom.Norm(s.center)+s.radius) + 64*u*size) * inflate,
	}
}

// lastLever returns the largest distance of the element's points from the axis of the
// revolute joint that moves it, -1 where it has no such joint or no vertices.
func (p *Prepared) lastLever(e *model.Element, o *object) float64 {
	vs := corners(e)
	if e.Frame == 0 || len(vs) == 0 || p.m.Tree.OfRoot(e.Frame) || p.m.Tree.Frames[e.Frame].Prismatic {
		return -1
	}
	axis, far := p.m.Tree.Frames[e.Frame].Axis, 0.0
	for _, v := range vs {
		x := e.PoseFE.Apply(v)
		far = math.Max(far, geom.Norm(r3.Cross(x, axis)))
	}
	size := geom.Norm(e.PoseFE.P) + o.rho
	errR, _ := p.m.Tree.PlacingErr(e.Frame, 0)
	return (far + o.grown + e.ErrP + e.ErrR*o.rho + (errR+64*u)*size) * inflate
}

// constantsOf works out the motion constants of an element for a motion.
func (p *Prepared) constantsOf(element int, r *ranges, constants []float64) {
	e := &p.m.Elements[element]
	computeSphere(p.m.Tree, e.Frame, 0, ballOf(e), r, constants)
	if n := len(constants); n > 0 && p.objects[element].last >= 0 {
		constants[n-1] = math.Min(constants[n-1], p.objects[element].last)
	}
}

package catch

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

// ZRLK07, section 4, Preprocess, and section 5.2: an oriented bounding box of each link,
// and its corners' motion.
//
// Departures: the box has a radius, so that of a ball or a capsule nothing but its core is
// boxed; and the Taylor vectors of the eight corners are made of those of the centre and
// three half axes, which they are sums of: the result is the same as that of eight
// products with the Taylor matrix, for half the work.

// OBB is an oriented box around an element: the points Center + a Axes[0] + b Axes[1] + c
// Axes[2] of frame Frame for a, b, c in [-1, 1]. Every point of the element, its padding
// included, is within Radius of one of them.
type OBB struct {
	Frame  int
	Center geom.Vec
	Axes   [3]geom.Vec // half of the sides
	Radius float64
}

// LinkBoxes is the boxes of a model's elements. Immutable.
type LinkBoxes []OBB

// NewLinkBoxes boxes every element of the model.
func NewLinkBoxes(m *model.Model) LinkBoxes {
	boxes := make(LinkBoxes, len(m.Elements))
	for i := range boxes {
		boxes[i] = boxOfElement(&m.Elements[i])
	}
	return boxes
}

// boxOfElement puts the box of the element's core in the element's frame F.
//
// That errs by what the element's pose does and by composing with it, 16u of the sizes,
// for the centre and for each axis.
func boxOfElement(e *model.Element) OBB {
	o := boxOfCore(&e.Core)
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	far := geom.Norm(e.PoseFE.P) + rho
	o.Frame = e.Frame
	o.Center = e.PoseFE.Apply(o.Center)
	for i := range o.Axes {
		o.Axes[i] = e.PoseFE.R.Apply(o.Axes[i])
	}
	o.Radius = (o.Radius + e.ErrP + e.ErrR*rho + 256*roundoff*far) * (1 + 8*roundoff)
	return o
}

// boxOfCore returns a box around a convex piece, in its own frame.
func boxOfCore(c *convex.Core) OBB {
	switch c.Kind {
	case convex.Point:
		return OBB{Center: c.Vertices[0], Radius: c.Radius}
	case convex.Segment:
		a, b := c.Vertices[0], c.Vertices[1]
		o := OBB{Center: r3.Scale(0.5, r3.Add(a, b)), Axes: [3]geom.Vec{r3.Scale(0.5, r3.Sub(b, a))}, Radius: c.Radius}
		o.Radius += 8 * roundoff * (geom.Norm(a) + geom.Norm(b))
		return o
	case convex.Box:
		return straight(c.Center, c.Half, c.Radius)
	case convex.Cylinder, convex.Cone:
		return straight(geom.Vec{}, geom.Vec{X: c.CoreRadius, Y: c.CoreRadius, Z: c.HalfLength}, c.Radius)
	}
	best := along(c, geom.Identity())
	if r, ok := principal(c.Vertices); ok {
		if turned := along(c, r); turned.size() < best.size() {
			best = turned
		}
	}
	return best
}

// straight is the box along the axes.
func straight(center, half geom.Vec, radius float64) OBB {
	return OBB{Center: center, Axes: [3]geom.Vec{{X: half.X}, {Y: half.Y}, {Z: half.Z}}, Radius: radius}
}

// size is what boxes are chosen by: the sum of the products of two sides, as a box may
// be flat.
func (o *OBB) size() float64 {
	x, y, z := geom.Norm(o.Axes[0]), geom.Norm(o.Axes[1]), geom.Norm(o.Axes[2])
	return x*y + y*z + z*x
}

// along boxes the vertices along the columns of a rotation that errs by no more than
// skew. What a vertex x has along the columns makes up x but for 3 skew |x| and roundings:
// 64u |x| with those of the middles.
func along(c *convex.Core, r geom.Rot) OBB {
	lo, hi := geom.EmptyBox().Min, geom.EmptyBox().Max
	far := 0.0
	for _, v := range c.Vertices {
		x := r.ApplyInv(v)
		lo = geom.Vec{X: math.Min(lo.X, x.X), Y: math.Min(lo.Y, x.Y), Z: math.Min(lo.Z, x.Z)}
		hi = geom.Vec{X: math.Max(hi.X, x.X), Y: math.Max(hi.Y, x.Y), Z: math.Max(hi.Z, x.Z)}
		far = math.Max(far, geom.Norm(v))
	}
	half := r3.Scale(0.5, r3.Sub(hi, lo))
	return OBB{
		Center: r.Apply(r3.Scale(0.5, r3.Add(lo, hi))),
		Axes: [3]geom.Vec{
			r3.Scale(half.X, geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX}),
			r3.Scale(half.Y, geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY}),
			r3.Scale(half.Z, geom.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ}),
		},
		Radius: c.Radius + (3*skew+64*roundoff)*far,
	}
}

// skew bounds how far the rotations of principal are off one, entry by entry of the
// product with the transpose.
const skew = 1e-14

// principal returns the rotation to the principal axes of points (OBBs of Gottschalk et
// al. 1996); ok is false where there is none to be found.
func principal(points []geom.Vec) (r geom.Rot, ok bool) {
	var mean geom.Vec
	for _, p := range points {
		mean = r3.Add(mean, r3.Scale(1/float64(len(points)), p))
	}
	sum := mat.NewSymDense(3, nil)
	for _, p := range points {
		d := r3.Sub(p, mean)
		x := [3]float64{d.X, d.Y, d.Z}
		for i := range 3 {
			for j := i; j < 3; j++ {
				sum.SetSym(i, j, sum.At(i, j)+x[i]*x[j])
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sum, true) {
		return geom.Rot{}, false
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	x := geom.Vec{X: v.At(0, 0), Y: v.At(1, 0), Z: v.At(2, 0)}
	y := geom.Vec{X: v.At(0, 1), Y: v.At(1, 1), Z: v.At(2, 1)}
	z := r3.Cross(x, y)
	r = geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
	for _, off := range [6]float64{r3.Dot(x, x) - 1, r3.Dot(y, y) - 1, r3.Dot(z, z) - 1, r3.Dot(x, y), r3.Dot(y, z), r3.Dot(z, x)} {
		if !(math.Abs(off) <= skew/2) {
			return geom.Rot{}, false
		}
	}
	return r, true
}

// bound boxes the corners' paths: the AABB around eight AABBs (Figure 4). A link is the
// hull of its corners at every time, and so inside.
func (o *OBB) bound(p *taylor.Pose) interval.Vec {
	return interval.Vec{
		X: o.boundRow(&p.R[0], &p.P.X), Y: o.boundRow(&p.R[1], &p.P.Y), Z: o.boundRow(&p.R[2], &p.P.Z),
	}
}

// boundRow bounds one coordinate: of the centre plus or less the half axes.
func (o *OBB) boundRow(r *taylor.Vec, at *taylor.Model) interval.I {
	var half [3]taylor.Model
	n := 0
	for _, axis := range o.Axes {
		if axis != (geom.Vec{}) {
			half[n] = r.Dot(axis)
			n++
		}
	}
	center := r.Dot(o.Center)
	center = center.Add(at)
	return center.BoundSums(half[:n])
}

// boundPlain is bound by intervals.
func (o *OBB) boundPlain(p *interval.Pose) interval.Vec {
	corners := [8]interval.Vec{interval.OfVec(o.Center)}
	n := 1
	for _, axis := range o.Axes {
		d := interval.OfVec(axis)
		for i := range n {
			c := corners[i]
			corners[i], corners[n+i] = c.Add(d), c.Sub(d)
		}
		n *= 2
	}
	v := p.Apply(corners[0])
	for _, c := range corners[1:] {
		v = v.Hull(p.Apply(c))
	}
	return v
}

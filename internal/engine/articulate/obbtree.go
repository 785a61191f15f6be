package articulate

// OBB trees: RKLM04, section 5.1, after Gottschalk, Lin and Manocha's OBB-Tree (1996),
// which the paper builds on: boxes along the principal directions of what they hold,
// split across the longest side at the mean.
//
// Departures. The covariance is that of the triangles' surface, not of their convex
// hull's: it is as insensitive to how finely a part is meshed, and needs no hull for
// each node. Where a box along the element's own axes has less surface it is taken
// instead: principal directions of a cube are whatever rounding makes of them. Leaves
// may also hold a point, an octree cell, or a whole convex element.

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// OBB is an oriented bounding box in the frame of an element: the points Center +
// Axes x with x within Half of 0 in each coordinate. Its axes are the columns of Axes,
// orthonormal to rounding; Half is rounded outward, so that what the box was made
// around is also in the box with the exactly orthonormal axes nearest to Axes.
type OBB struct {
	Center geom.Vec
	Axes   geom.Rot
	Half   geom.Vec
}

// OBBNode is a node of an OBBTree.
type OBBNode struct {
	OBB
	Left  int32 // the left child, the right one follows it; negative: a leaf
	First int32 // the node's pieces are Order[First : First+Count]
	Count int32
}

// OBBTree is a static hierarchy over the pieces of one element, one piece in each
// leaf. Every box holds the pieces below it, without their radius; a child's box may
// stick out of its parent's. The root is Nodes[0]. Immutable.
type OBBTree struct {
	Nodes []OBBNode
	Order []int32
}

// OBBTreeOf returns the tree over the leaves of an element, or, of an element that is
// its convex piece, the tree of that piece alone.
func OBBTreeOf(e *model.Element) *OBBTree {
	if e.Leaves == nil || e.Exact {
		return &OBBTree{Nodes: []OBBNode{{OBB: boxOfCore(&e.Core), Left: -1, Count: 1}}, Order: []int32{0}}
	}
	b := obbBuilder{}
	switch l := e.Leaves; {
	case l.Mesh != nil:
		b.stride = 3
		for _, t := range l.Mesh.Triangles {
			b.corners = append(b.corners, l.Mesh.Vertices[t[0]], l.Mesh.Vertices[t[1]], l.Mesh.Vertices[t[2]])
		}
	case l.Cells != nil:
		b.stride = 8
		for _, c := range l.Cells {
			b.corners = append(b.corners, cornersOf(c)...)
		}
	default:
		b.stride, b.corners = 1, l.Points
	}
	return b.build()
}

// boxOfCore returns a box around a convex piece's core.
func boxOfCore(c *convex.Core) OBB {
	switch c.Kind {
	case convex.Box:
		return OBB{Center: c.Center, Axes: geom.Identity(), Half: c.Half}
	case convex.Cylinder, convex.Cone:
		return OBB{Axes: geom.Identity(), Half: geom.Vec{X: c.CoreRadius, Y: c.CoreRadius, Z: c.HalfLength}}
	}
	b := obbBuilder{stride: 1, corners: c.Vertices}
	b.begin()
	return b.fit(b.order)
}

func cornersOf(b geom.Box) []geom.Vec {
	var out []geom.Vec
	for k := range 8 {
		p := b.Min
		if k&1 != 0 {
			p.X = b.Max.X
		}
		if k&2 != 0 {
			p.Y = b.Max.Y
		}
		if k&4 != 0 {
			p.Z = b.Max.Z
		}
		out = append(out, p)
	}
	return out
}

// obbBuilder builds a tree over pieces of stride corners each.
type obbBuilder struct {
	corners []geom.Vec
	stride  int

	centers []geom.Vec // of the pieces
	order   []int32
	nodes   []OBBNode
}

func (b *obbBuilder) begin() {
	n := len(b.corners) / b.stride
	b.centers, b.order = make([]geom.Vec, n), make([]int32, n)
	for i := range n {
		b.order[i] = int32(i)
		for _, p := range b.piece(int32(i)) {
			b.centers[i] = r3.Add(b.centers[i], p)
		}
		b.centers[i] = r3.Scale(1/float64(b.stride), b.centers[i])
	}
}

func (b *obbBuilder) piece(i int32) []geom.Vec {
	return b.corners[int(i)*b.stride : (int(i)+1)*b.stride]
}

func (b *obbBuilder) build() *OBBTree {
	b.begin()
	if len(b.order) == 0 {
		return &OBBTree{}
	}
	b.nodes = make([]OBBNode, 1, 2*len(b.order))
	type job struct{ node, first, count int32 }
	todo := []job{{0, 0, int32(len(b.order))}}
	for len(todo) > 0 {
		j := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		pieces := b.order[j.first : j.first+j.count]
		box := b.fit(pieces)
		b.nodes[j.node] = OBBNode{OBB: box, Left: -1, First: j.first, Count: j.count}
		if j.count == 1 {
			continue
		}
		k := int32(b.split(pieces, &box))
		left := int32(len(b.nodes))
		b.nodes[j.node].Left = left
		b.nodes = append(b.nodes, OBBNode{}, OBBNode{})
		todo = append(todo, job{left, j.first, k}, job{left + 1, j.first + k, j.count - k})
	}
	return &OBBTree{Nodes: b.nodes, Order: b.order}
}

// split orders the pieces so that the first k are on one side of the mean of their
// centres along the longest axis of the box on which they differ; half of them where
// they do on none.
func (b *obbBuilder) split(pieces []int32, box *OBB) (k int) {
	axes := [3]geom.Vec{column(&box.Axes, 0), column(&box.Axes, 1), column(&box.Axes, 2)}
	size := [3]float64{box.Half.X, box.Half.Y, box.Half.Z}
	sort.Slice(axes[:], func(i, j int) bool { return size[i] > size[j] })
	sort.Slice(size[:], func(i, j int) bool { return size[i] > size[j] })
	for _, axis := range axes {
		mean := 0.0
		for _, i := range pieces {
			mean += r3.Dot(axis, b.centers[i])
		}
		mean /= float64(len(pieces))
		k = 0
		for at, i := range pieces {
			if r3.Dot(axis, b.centers[i]) < mean {
				pieces[at], pieces[k] = pieces[k], pieces[at]
				k++
			}
		}
		if least := len(pieces) / 16; k > least && k < len(pieces)-least {
			return k
		}
	}
	axis := axes[0]
	sort.SliceStable(pieces, func(i, j int) bool {
		return r3.Dot(axis, b.centers[pieces[i]]) < r3.Dot(axis, b.centers[pieces[j]])
	})
	return len(pieces) / 2
}

// fit returns a box around pieces: the one of less surface of that along their
// principal directions and that along the element's axes.
func (b *obbBuilder) fit(pieces []int32) OBB {
	box := b.along(pieces, geom.Identity())
	if axes, ok := b.principal(pieces); ok {
		if other := b.along(pieces, axes); other.surface() < box.surface() {
			return other
		}
	}
	return box
}

func (o *OBB) surface() float64 { return o.Half.X*o.Half.Y + o.Half.Y*o.Half.Z + o.Half.Z*o.Half.X }

// column returns axis i of a matrix.
func column(r *geom.Rot, i int) geom.Vec {
	switch i {
	case 0:
		return geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX}
	case 1:
		return geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY}
	}
	return geom.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ}
}

func rotOf(x, y, z geom.Vec) geom.Rot {
	return geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
}

// along returns the box with the given axes, which are orthonormal to a few roundings.
func (b *obbBuilder) along(pieces []int32, axes geom.Rot) OBB {
	box := geom.EmptyBox()
	for _, i := range pieces {
		for _, p := range b.piece(i) {
			box = box.Extend(axes.ApplyInv(p))
		}
	}
	o := OBB{Axes: axes, Center: axes.Apply(box.Center())}
	far := 0.0
	for _, i := range pieces {
		for _, p := range b.piece(i) {
			x := axes.ApplyInv(r3.Sub(p, o.Center))
			o.Half.X = max(o.Half.X, math.Abs(x.X))
			o.Half.Y = max(o.Half.Y, math.Abs(x.Y))
			o.Half.Z = max(o.Half.Z, math.Abs(x.Z))
			far = max(far, math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z))
		}
	}
	// A coordinate errs by the difference (1), three products and two sums (3) of
	// numbers below far + |Center|, and by the axes' being unit and orthogonal to 8u
	// only: below 24u in all, u = 2^-53.
	slack := 0x1p-48 * (far + math.Abs(o.Center.X) + math.Abs(o.Center.Y) + math.Abs(o.Center.Z))
	o.Half = r3.Add(o.Half, geom.Vec{X: slack, Y: slack, Z: slack})
	return o
}

// principal returns the principal directions of the pieces' surface, each piece
// weighted by its area; of points and cells, which have corners alone, by corners. It
// fails where there is but one point.
func (b *obbBuilder) principal(pieces []int32) (geom.Rot, bool) {
	cov, ok := b.covariance(pieces)
	if !ok {
		return geom.Rot{}, false
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return geom.Rot{}, false
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	at := func(i int) geom.Vec { return geom.Vec{X: v.At(0, i), Y: v.At(1, i), Z: v.At(2, i)} }
	// Gram and Schmidt, so that no property of the solver's vectors is relied on.
	x, okX := geom.Unit(at(2))
	y, okY := geom.Unit(r3.Sub(at(1), r3.Scale(r3.Dot(x, at(1)), x)))
	if !okX || !okY {
		return geom.Rot{}, false
	}
	z, okZ := geom.Unit(r3.Cross(x, y))
	y, okY = geom.Unit(r3.Cross(z, x))
	return rotOf(x, y, z), okZ && okY
}

// covariance sums, for a triangle p q r of area a and centre c, the integral of x x^T
// over it, a/12 (9 c c^T + p p^T + q q^T + r r^T), about the mean of all.
func (b *obbBuilder) covariance(pieces []int32) (*mat.SymDense, bool) {
	total, mean := 0.0, geom.Vec{}
	for _, i := range pieces {
		a := b.weight(i)
		total, mean = total+a, r3.Add(mean, r3.Scale(a, b.centers[i]))
	}
	if !(total > 0) {
		return nil, false
	}
	mean = r3.Scale(1/total, mean)
	var s [6]float64
	add := func(k float64, x geom.Vec) {
		x = r3.Sub(x, mean)
		s[0] += k * x.X * x.X
		s[1] += k * x.X * x.Y
		s[2] += k * x.X * x.Z
		s[3] += k * x.Y * x.Y
		s[4] += k * x.Y * x.Z
		s[5] += k * x.Z * x.Z
	}
	for _, i := range pieces {
		a := b.weight(i)
		for _, p := range b.piece(i) {
			add(a/12, p)
		}
		if b.stride == 3 {
			add(9*a/12, b.centers[i])
		}
	}
	for _, x := range s {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, false
		}
	}
	return mat.NewSymDense(3, []float64{s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]}), true
}

// weight is a triangle's area, with a little for those that have none.
func (b *obbBuilder) weight(i int32) float64 {
	if b.stride != 3 {
		return 1
	}
	p := b.piece(i)
	e, f := r3.Sub(p[1], p[0]), r3.Sub(p[2], p[0])
	return geom.Norm(r3.Cross(e, f))/2 + 1e-9*(r3.Norm2(e)+r3.Norm2(f)) + 0x1p-200
}

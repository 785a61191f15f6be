package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// What closestKernel finds, row by row.
const (
	wayAt    = 0
	squareAt = pointSize
	gapAt    = squareAt + rowSize
	ofAt     = gapAt + rowSize
	sAt      = ofAt + rowSize
	tAt      = sAt + rowSize
)

// What is kept of a corner: where it is, seen from the origin of the first pose, and the edge from it to the next one.
const (
	edgeAt      = pointSize
	edgeSquare  = edgeAt + pointSize
	byEdge      = edgeSquare + rowSize // 1 by its square
	cornerKept  = byEdge + rowSize
	triangleTop = 3 * cornerKept
)

// What is kept of a plane.
const (
	vAt       = 0 // the way to the third corner; that to the second is an edge
	uuAt      = pointSize
	uvAt      = uuAt + rowSize
	vvAt      = uvAt + rowSize
	byArea    = vvAt + rowSize
	planeKept = byArea + rowSize
)

// notLess is a comparison that a NaN passes.
const notLess = U8(0x15)

// constants are numbers in each lane.
type constants struct{ one, tiny Mem }

func closest() {
	TEXT("closestKernel", 0, "func(pa *float32, a *float32, pb *float32, b *float32, out *float32)")
	c := constants{one, number("tiny", 1e-30)}
	a := AllocLocal(2*triangleTop + planeKept + rowSize)
	plane := a.Offset(triangleTop)
	of := plane.Offset(planeKept) // which of the points are looked at
	b := of.Offset(rowSize)
	out := Mem{Base: argument("out")}

	pa, pb := Mem{Base: argument("pa")}, Mem{Base: argument("pb")}
	corners(pa, Mem{Base: argument("a")}, a, nil)
	way := difference(pb.Offset(positions), pa.Offset(positions))
	corners(pb, Mem{Base: argument("b")}, b, way[:])
	edgesOf(a, c)
	edgesOf(b, c)

	zero := YMM()
	VXORPS(zero, zero, zero)
	VMOVUPS(zero, of)
	for _, at := range [...]int{wayAt, wayAt + rowSize, wayAt + 2*rowSize, ofAt, sAt, tAt} {
		VMOVUPS(zero, out.Offset(at))
	}
	VMOVUPS(load(eight("far", same(math.Float32bits(float32(math.Inf(1)))))), out.Offset(squareAt))

	edgeByEdge(a, b, of, out, c)
	planeOf(b, plane, c)
	cornerByPlane("a", a, b, plane, of, out, c, true)
	planeOf(a, plane, c)
	cornerByPlane("b", b, a, plane, of, out, c, false)
	gap(a, b, out)
	end()
}

// corners places the corners of a triangle, seen from the pose's origin, or from where the way leads to that.
func corners(pose, triangle, to Mem, way []VecVirtual) {
	for i := range 3 {
		var r [3]VecVirtual
		for j := range r {
			r[j] = load(row(pose, 0, 3*i+j))
		}
		for k := range 3 {
			at := dot(r, func(j int) Op { return broadcast(triangle.Offset(cornerSize*k + 4*j)) })
			if way != nil {
				VADDPS(way[i], at, at)
			}
			VMOVUPS(at, row(to, k*cornerKept, i))
		}
	}
}

// edgesOf computes the edges of a triangle.
func edgesOf(t Mem, c constants) {
	for k := range 3 {
		edge := difference(t.Offset((k+1)%3*cornerKept), t.Offset(k*cornerKept))
		keep(edge, t.Offset(k*cornerKept+edgeAt))
		square, by := dot(edge, ops(edge)), load(c.one)
		VDIVPS(square, by, by)
		VMOVUPS(square, t.Offset(k*cornerKept+edgeSquare))
		VMOVUPS(by, t.Offset(k*cornerKept+byEdge))
	}
}

func edgeByEdge(a, b, of, out Mem, c constants) {
	one, other, left, more := GP64(), GP64(), GP64(), GP64()
	LEAQ(a, one)
	MOVQ(U32(3), left)
	Label("edge_a")
	LEAQ(b, other)
	MOVQ(U32(3), more)
	Label("edge_b")
	at, to := Mem{Base: one}, Mem{Base: other}
	d, e := vector(at.Offset(edgeAt)), vector(to.Offset(edgeAt))
	r := difference(to, at)
	de, dr, er := dot(d, ops(e)), dot(d, ops(r)), dot(e, ops(r))
	dd, ee := at.Offset(edgeSquare), to.Offset(edgeSquare)
	area, s, t, less := load(dd), YMM(), YMM(), YMM()
	VMULPS(ee, area, area)
	VMULPS(de, de, less)
	VSUBPS(less, area, area)
	VMAXPS(c.tiny, area, area)
	VMULPS(ee, dr, s)
	VMULPS(er, de, less)
	VSUBPS(less, s, s)
	VDIVPS(area, s, s)
	limit(s, c)
	VMULPS(de, s, t)
	VSUBPS(er, t, t)
	VMULPS(to.Offset(byEdge), t, t)
	limit(t, c)
	VMULPS(de, t, s)
	VADDPS(dr, s, s)
	VMULPS(at.Offset(byEdge), s, s)
	limit(s, c)
	for i := range r {
		VMULPS(t, e[i], e[i])
		VADDPS(e[i], r[i], r[i])
		VMULPS(s, d[i], d[i])
		VSUBPS(d[i], r[i], r[i])
	}
	offer(r, s, t, of, out, nil)
	count(of, c)
	ADDQ(U32(cornerKept), other)
	DECQ(more)
	JNZ(LabelRef("edge_b"))
	ADDQ(U32(cornerKept), one)
	DECQ(left)
	JNZ(LabelRef("edge_a"))
}

// planeOf computes what is kept of a triangle's plane.
func planeOf(t, plane Mem, c constants) {
	v := difference(t.Offset(2*cornerKept), t)
	keep(v, plane.Offset(vAt))
	u := vector(t.Offset(edgeAt))
	uu, uv, vv := dot(u, ops(u)), dot(u, ops(v)), dot(v, ops(v))
	VMOVUPS(uu, plane.Offset(uuAt))
	VMOVUPS(uv, plane.Offset(uvAt))
	VMOVUPS(vv, plane.Offset(vvAt))
	VMULPS(vv, uu, uu)
	VMULPS(uv, uv, uv)
	VSUBPS(uv, uu, uu)
	VMAXPS(c.tiny, uu, uu)
	by := load(c.one)
	VDIVPS(uu, by, by)
	VMOVUPS(by, plane.Offset(byArea))
}

// cornerByPlane looks at the corners of a triangle and the plane of another one; the way is from the first of both if
// from says so.
func cornerByPlane(name string, corners, t, plane, of, out Mem, c constants, from bool) {
	corner, left := GP64(), GP64()
	LEAQ(corners, corner)
	MOVQ(U32(3), left)
	Label("corner_" + name)
	w := difference(Mem{Base: corner}, t)
	u, v := row(t, edgeAt, 0), plane.Offset(vAt)
	wu := dot(w, func(i int) Op { return row(u, 0, i) })
	wv := dot(w, func(i int) Op { return row(v, 0, i) })
	weight := func(square Mem, own, other VecVirtual) VecVirtual {
		x, less := YMM(), YMM()
		VMULPS(square, own, x)
		VMULPS(plane.Offset(uvAt), other, less)
		VSUBPS(less, x, x)
		VMULPS(plane.Offset(byArea), x, x)
		return x
	}
	s, t2 := weight(plane.Offset(vvAt), wu, wv), weight(plane.Offset(uuAt), wv, wu)
	inside, rest := YMM(), load(c.one)
	VMINPS(t2, s, inside)
	VSUBPS(s, rest, rest)
	VSUBPS(t2, rest, rest)
	VMINPS(rest, inside, inside)
	var way [3]VecVirtual
	for i := range way {
		on, more := YMM(), YMM()
		VMULPS(row(u, 0, i), s, on)
		VMULPS(row(v, 0, i), t2, more)
		VADDPS(more, on, on)
		way[i] = YMM()
		if from {
			VSUBPS(w[i], on, way[i])
		} else {
			VSUBPS(on, w[i], way[i])
		}
	}
	offer(way, s, t2, of, out, inside)
	count(of, c)
	ADDQ(U32(cornerKept), corner)
	DECQ(left)
	JNZ(LabelRef("corner_" + name))
}

// offer takes what is closer, where inside, if there is such, has no sign.
func offer(way [3]VecVirtual, s, t VecVirtual, of, out Mem, inside VecVirtual) {
	square, worse := dot(way, ops(way)), YMM()
	VCMPPS(notLess, out.Offset(squareAt), square, worse)
	if inside != nil {
		VORPS(inside, worse, worse) // a lane is chosen by its sign
	}
	take := func(x VecVirtual, at int) {
		VBLENDVPS(worse, out.Offset(at), x, x)
		VMOVUPS(x, out.Offset(at))
	}
	for i := range way {
		take(way[i], wayAt+rowSize*i)
	}
	take(square, squareAt)
	take(s, sAt)
	take(t, tAt)
	take(load(of), ofAt)
}

// gap computes how far the triangles are apart along what was found.
func gap(a, b, out Mem) {
	var way [3]VecVirtual
	for _, i := range [...]int{1, 2, 0} { // into other registers than those that they were in last
		way[i] = load(row(out, wayAt, i))
	}
	along := func(t Mem, k int) VecVirtual {
		return dot(way, func(i int) Op { return row(t, k*cornerKept, i) })
	}
	far, near := along(a, 0), along(b, 0)
	for k := 1; k < 3; k++ {
		VMAXPS(along(a, k), far, far)
		VMINPS(along(b, k), near, near)
	}
	VSUBPS(far, near, near)
	VMOVUPS(near, out.Offset(gapAt))
}

// limit makes x 0 where it is less or a NaN, and 1 where it is more.
func limit(x VecVirtual, c constants) {
	zero := YMM()
	VXORPS(zero, zero, zero)
	VMAXPS(zero, x, x)
	VMINPS(c.one, x, x)
}

// count is for the next points.
func count(of Mem, c constants) {
	next := load(of)
	VADDPS(c.one, next, next)
	VMOVUPS(next, of)
}

func vector(from Mem) (v [3]VecVirtual) {
	for i := range v {
		v[i] = load(row(from, 0, i))
	}
	return v
}

func difference(a, b Mem) (v [3]VecVirtual) {
	for i := range v {
		v[i] = load(row(a, 0, i))
		VSUBPS(row(b, 0, i), v[i], v[i])
	}
	return v
}

func keep(v [3]VecVirtual, to Mem) {
	for i := range v {
		VMOVUPS(v[i], row(to, 0, i))
	}
}

// ops are the numbers of a vector as dot takes them.
func ops(v [3]VecVirtual) func(i int) Op { return func(i int) Op { return v[i] } }

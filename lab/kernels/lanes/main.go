// Command lanes writes the vector kernels of internal/engine/lanes. Their twins there, in Go,
// say what they compute: here are the same operations in the same order, each of which rounds.
//
//	go run -C lab ./kernels/lanes -out ../internal/engine/lanes/lanes_amd64.s
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The sizes and places of what is in memory.
const (
	rowSize   = 32
	pointSize = 3 * rowSize
	positions = 9 * rowSize // in a pose, behind its rotation row by row
	poseSize  = positions + pointSize

	jointSize = 64
	fixedAt   = 36 // the position of what is fixed, behind its rotation row by row
	parentAt  = 48
	turnSize  = 2 * rowSize
	slideAt   = rowSize // behind the angle

	boxSize   = 32
	halfAt    = 12 // behind the centre
	frameAt   = 24
	growAt    = 28
	sweepSize = 2 * pointSize

	cornerSize = 12
	pairSize   = 8

	halfSpaceSize = 48
	reachAt       = 16
)

// Comparisons that a NaN fails, without an exception.
const (
	greater = U8(0x1e)
	less    = U8(0x11)
)

// steps has a bit for each step, and none for the last time.
const steps = U32(0x7f)

var (
	size Mem // all bits of a number but its sign
	sign Mem // the other one
	one  Mem
)

func main() {
	size, sign, one = eight("size", same(1<<31-1)), eight("sign", same(1<<31)), number("one", 1)
	place()
	sweep()
	missed()
	direct()
	support()
	between()
	sums()
	apart()
	beyond()
	beside()
	closest()
	Generate()
}

func place() {
	TEXT("placeKernel", NOSPLIT, "func(poses *float32, joints *float32, turns *float32, n int)")
	poses, joint, turn, left := argument("poses"), argument("joints"), argument("turns"), argument("n")
	out := GP64()
	MOVQ(poses, out)
	locals := AllocLocal(2 * rowSize)
	sin, cos := locals, locals.Offset(rowSize)

	Label("joint")
	ADDQ(U32(poseSize), out)
	sincos(Mem{Base: turn}, sin, cos)
	parent := Mem{Base: element(poses, Mem{Base: joint, Disp: parentAt}, poseSize)}
	pose := Mem{Base: out}
	var columns [3][3]VecVirtual // of what is fixed: they stay for all rows
	for i := range 3 {
		for j := range columns {
			columns[j][i] = broadcast(Mem{Base: joint, Disp: 4 * (3*i + j)})
		}
	}
	slide := Mem{Base: turn, Disp: slideAt}
	for i := range 3 {
		var r [3]VecVirtual
		for j := range r {
			r[j] = load(row(parent, 0, 3*i+j))
		}
		along := func(j int) Op { return r[j] }
		z := dot(columns[2], along)
		VMOVUPS(z, row(pose, 2*rowSize, 3*i))
		p := dot(r, func(j int) Op { return broadcast(Mem{Base: joint, Disp: fixedAt + 4*j}) })
		VADDPS(row(parent, positions, i), p, p)
		VMULPS(slide, z, z)
		VADDPS(z, p, p)
		VMOVUPS(p, row(pose, positions, i))
		rotate(dot(columns[0], along), dot(columns[1], along), cos, sin, row(pose, 0, 3*i))
	}
	ADDQ(U8(jointSize), joint)
	ADDQ(U8(turnSize), turn)
	DECQ(left)
	JNZ(LabelRef("joint"))
	end()
}

// sincos stores sine and cosine of angles.
func sincos(angle, sin, cos Mem) {
	perQuarter, nearest := number("per_quarter", 2/math.Pi), number("nearest", 3<<22)
	quarter, rest := number("quarter", 0x1.921fbp0), number("quarter_rest", math.Pi/2-0x1.921fbp0)
	x, m, n, part := load(angle), YMM(), YMM(), YMM()
	VMULPS(perQuarter, x, m)
	VADDPS(nearest, m, m)
	VSUBPS(nearest, m, n)
	VMULPS(quarter, n, part)
	VSUBPS(part, x, x)
	VMULPS(rest, n, part)
	VSUBPS(part, x, x)
	y := YMM()
	VMULPS(x, x, y)
	s := series(y, number("sin9", 1./362880), number("sin7", -1./5040), number("sin5", 1./120), number("sin3", -1./6))
	VMULPS(y, s, s)
	VMULPS(x, s, s)
	VADDPS(x, s, s)
	c := series(y, number("cos8", 1./40320), number("cos6", -1./720), number("cos4", 1./24), number("cos2", -1./2), one)

	odd, opposite := YMM(), YMM()
	VPSLLD(U8(31), m, odd)
	VPSLLD(U8(30), m, opposite)
	VANDPS(sign, opposite, opposite) // the highest bit alone
	chosen := YMM()
	VBLENDVPS(odd, c, s, chosen)
	VXORPS(opposite, chosen, chosen)
	VMOVUPS(chosen, sin)
	VBLENDVPS(odd, s, c, chosen)
	VXORPS(odd, opposite, opposite)
	VXORPS(opposite, chosen, chosen)
	VMOVUPS(chosen, cos)
}

// series is the sum of powers of y with factors, that of the highest first.
func series(y VecVirtual, factors ...Mem) VecVirtual {
	sum := YMM()
	VMULPS(factors[0], y, sum)
	VADDPS(factors[1], sum, sum)
	for _, f := range factors[2:] {
		VMULPS(y, sum, sum)
		VADDPS(f, sum, sum)
	}
	return sum
}

// rotate stores the first two numbers of a row of a rotation, of which x and y are those before
// it turns about its third axis; it loses x and y.
func rotate(x, y VecVirtual, cos, sin, at Mem) {
	first, more := YMM(), YMM()
	VMULPS(cos, x, first)
	VMULPS(sin, y, more)
	VADDPS(more, first, first)
	VMOVUPS(first, at)
	VMULPS(cos, y, y)
	VMULPS(sin, x, x)
	VSUBPS(x, y, y)
	VMOVUPS(y, at.Offset(rowSize))
}

func sweep() {
	TEXT("sweepKernel", NOSPLIT, "func(poses *float32, boxes *float32, n int, ends *int32, out *float32)")
	poses, box, left, out := argument("poses"), argument("boxes"), argument("n"), argument("out")
	ends, size := load(Mem{Base: argument("ends")}), load(size)

	Label("box")
	pose := Mem{Base: element(poses, Mem{Base: box, Disp: frameAt}, poseSize)}
	var center, half [3]VecVirtual
	for j := range 3 {
		center[j] = broadcast(Mem{Base: box, Disp: 4 * j})
		half[j] = broadcast(Mem{Base: box, Disp: halfAt + 4*j})
	}
	grow := broadcast(Mem{Base: box, Disp: growAt})
	for i := range 3 {
		var r [3]VecVirtual
		for j := range r {
			r[j] = load(row(pose, 0, 3*i+j))
		}
		at := dot(center, func(j int) Op { return r[j] })
		VADDPS(row(pose, positions, i), at, at)
		for j := range r {
			VANDPS(size, r[j], r[j]) // without its sign
		}
		reach := dot(half, func(j int) Op { return r[j] })
		VADDPS(grow, reach, reach)
		lo, hi, other := YMM(), YMM(), YMM()
		VSUBPS(reach, at, lo)
		VADDPS(reach, at, hi)
		VPERMPS(lo, ends, other)
		VMINPS(other, lo, lo)
		VMOVUPS(lo, row(Mem{Base: out}, 0, i))
		VPERMPS(hi, ends, other)
		VMAXPS(other, hi, hi)
		VMOVUPS(hi, row(Mem{Base: out}, pointSize, i))
	}
	ADDQ(U8(boxSize), box)
	ADDQ(U32(sweepSize), out)
	DECQ(left)
	JNZ(LabelRef("box"))
	end()
}

func missed() {
	TEXT("missedKernel", NOSPLIT, "func(s *float32, lo *float32, hi *float32, of uint32, out *uint8)")
	s, lo, hi, out := argument("s"), argument("lo"), argument("hi"), argument("out")
	of := GP32()
	MOVL(parameter("of"), of)
	var below, above [3]VecVirtual // of the sweep
	for a := range 3 {
		below[a] = load(row(Mem{Base: s}, 0, a))
		above[a] = load(row(Mem{Base: s}, pointSize, a))
	}

	Label("next")
	i, rest := GP64(), GP32()
	BSFL(of, i.As32())
	LEAL(Mem{Base: of, Disp: -1}, rest)
	var along [3]VecVirtual // whether the sweep misses the box along an axis
	for a := range along {
		from := broadcast(Mem{Base: lo, Index: i, Scale: 4, Disp: rowSize * a})
		to := broadcast(Mem{Base: hi, Index: i, Scale: 4, Disp: rowSize * a})
		along[a] = apartAlong(from, to, below[a], above[a])
	}
	storeAny(along, Mem{Base: out, Index: i, Scale: 1})
	ANDL(rest, of) // without its lowest bit
	JNZ(LabelRef("next"))
	end()
}

// apartAlong returns whether what is from lo to hi does not meet what is from below to above; it
// loses lo and hi.
func apartAlong(lo, hi VecVirtual, below, above Op) VecVirtual {
	VCMPPS(greater, above, lo, lo)
	VCMPPS(less, below, hi, hi)
	VORPS(hi, lo, lo)
	return lo
}

// storeAny stores the set of steps in which boxes are apart along any axis; it loses the first.
func storeAny(along [3]VecVirtual, at Mem) {
	VORPS(along[1], along[0], along[0])
	VORPS(along[2], along[0], along[0])
	bits := GP32()
	VMOVMSKPS(along[0], bits)
	ANDL(steps, bits)
	MOVB(bits.As8(), at)
}

func direct() {
	TEXT("directKernel", NOSPLIT, "func(p *float32, n *float32, out *float32)")
	p, n, out := argument("p"), argument("n"), argument("out")
	var v [3]VecVirtual
	for j := range v {
		v[j] = broadcast(Mem{Base: n, Disp: 4 * j})
	}
	for i := range v {
		turned := dot(v, func(j int) Op { return row(Mem{Base: p}, 0, 3*i+j) })
		VMOVUPS(turned, row(Mem{Base: out}, 0, i))
	}
	end()
}

func support() {
	TEXT("supportKernel", NOSPLIT, "func(p *float32, corners *float32, count int, n *float32, out *float32)")
	dir := vector(Mem{Base: argument("n")}) // in the root's frame
	far := farthest("", "p", "corners", "count", dir)
	VMOVUPS(far, Mem{Base: argument("out")})
	end()
}

func between() {
	TEXT("gapKernel", NOSPLIT, "func(pa *float32, a *float32, countA int, pb *float32, b *float32, countB int, n *float32, out *float32)")
	dir := vector(Mem{Base: argument("n")})
	far, sign := farthest("_a", "pa", "a", "countA", dir), load(sign)
	VXORPS(sign, far, far)
	for i := range dir {
		VXORPS(sign, dir[i], dir[i])
	}
	VSUBPS(farthest("_b", "pb", "b", "countB", dir), far, far)
	VMOVUPS(far, Mem{Base: argument("out")})
	end()
}

// farthest returns how far a hull of corners reaches along a direction.
func farthest(name, p, corners, count string, dir [3]VecVirtual) VecVirtual {
	pose, corner, left := Mem{Base: argument(p)}, argument(corners), argument(count)
	var along [3]VecVirtual // in the frame of the pose
	for j := range along {
		along[j] = dot(dir, func(i int) Op { return row(pose, 0, 3*i+j) })
	}
	origin := dot(dir, func(i int) Op { return row(pose, positions, i) })
	far := load(eight("endless"+name, same(math.Float32bits(float32(math.Inf(-1))))))

	// The chain of maxima has one link for two corners: it is never what takes longest.
	SUBQ(U8(2), left)
	JL(LabelRef("last" + name))
	Label("two" + name)
	one, two := cornerAlong(corner, 0, along), cornerAlong(corner, cornerSize, along)
	VMAXPS(two, one, one)
	VMAXPS(one, far, far)
	ADDQ(U8(2*cornerSize), corner)
	SUBQ(U8(2), left)
	JGE(LabelRef("two" + name))

	Label("last" + name)
	CMPQ(left, I8(-1))
	JNE(LabelRef("sum" + name))
	VMAXPS(cornerAlong(corner, 0, along), far, far) // of an odd number

	Label("sum" + name)
	VADDPS(origin, far, far)
	return far
}

func sums() {
	TEXT("sumsKernel", NOSPLIT, "func(rows *float32, factors *float32, n int, out *float32, count int)")
	rows, factors, n, out, left := argument("rows"), argument("factors"), argument("n"), argument("out"), argument("count")

	Label("sum")
	sum := YMM()
	VXORPS(sum, sum, sum)
	factor, more := GP64(), GP64()
	MOVQ(factors, factor)
	MOVQ(n, more)

	Label("row")
	x := broadcast(Mem{Base: factor})
	VMULPS(Mem{Base: rows}, x, x)
	VADDPS(x, sum, sum)
	ADDQ(U8(rowSize), rows)
	ADDQ(U8(4), factor)
	DECQ(more)
	JNZ(LabelRef("row"))
	VMOVUPS(sum, Mem{Base: out})
	ADDQ(U8(rowSize), out)
	DECQ(left)
	JNZ(LabelRef("sum"))
	end()
}

func apart() {
	TEXT("apartKernel", NOSPLIT, "func(swept *float32, pairs *int32, n int, steps *uint8)")
	swept, pair, left, out := argument("swept"), argument("pairs"), argument("n"), argument("steps")

	Label("pair")
	a := Mem{Base: element(swept, Mem{Base: pair}, sweepSize)}
	b := Mem{Base: element(swept, Mem{Base: pair, Disp: 4}, sweepSize)}
	var along [3]VecVirtual
	for x := range along {
		along[x] = apartAlong(load(row(a, 0, x)), load(row(a, pointSize, x)), row(b, 0, x), row(b, pointSize, x))
	}
	storeAny(along, Mem{Base: out})
	ADDQ(U8(pairSize), pair)
	INCQ(out)
	DECQ(left)
	JNZ(LabelRef("pair"))
	end()
}

func beyond() {
	TEXT("beyondKernel", NOSPLIT, "func(half *float32, n int, lo *float32, hi *float32, out *uint8)")
	half, left, lo, hi, out := argument("half"), argument("n"), argument("lo"), argument("hi"), argument("out")
	nearest := AllocLocal(rowSize)
	var from, to [3]VecVirtual
	for a := range from {
		from[a], to[a] = load(row(Mem{Base: lo}, 0, a)), load(row(Mem{Base: hi}, 0, a))
	}

	Label("half")
	var along [3]VecVirtual // the least of each box along an axis
	for a := range along {
		n, other := broadcast(Mem{Base: half, Disp: 4 * a}), YMM()
		along[a] = YMM()
		VMULPS(from[a], n, along[a])
		VMULPS(to[a], n, other)
		VMINPS(other, along[a], along[a])
	}
	VADDPS(along[1], along[0], along[0])
	VADDPS(along[2], along[0], along[0])
	VMOVUPS(along[0], nearest)
	reach := load(Mem{Base: half, Disp: reachAt})
	for i := range 8 {
		least, bits := broadcast(nearest.Offset(4*i)), GP32()
		VCMPPS(greater, reach, least, least)
		VMOVMSKPS(least, bits)
		ANDL(steps, bits)
		ORB(bits.As8(), Mem{Base: out, Disp: i})
	}
	ADDQ(U8(halfSpaceSize), half)
	DECQ(left)
	JNZ(LabelRef("half"))
	end()
}

func beside() {
	TEXT("besideKernel", NOSPLIT, "func(base *float32, own *float32, p *float32, box *float32, ends *int32, grow float32) uint8")
	b, own, p, box := argument("base"), argument("own"), argument("p"), argument("box")
	base, pose := Mem{Base: b}, Mem{Base: p}
	ends, size := load(Mem{Base: argument("ends")}), load(size)
	var way [3]VecVirtual // from origin to origin
	for i := range way {
		way[i] = load(row(pose, positions, i))
		VSUBPS(row(base, positions, i), way[i], way[i])
	}
	found := YMM()
	VXORPS(found, found, found)
	for j := range 3 {
		var axis, turned [3]VecVirtual // of the base, in the root's frame and in that of the box
		for i := range axis {
			axis[i] = load(row(base, 0, 3*i+j))
		}
		for l := range turned {
			turned[l] = dot(axis, func(i int) Op { return row(pose, 0, 3*i+l) })
		}
		at := dot(turned, func(l int) Op { return broadcast(Mem{Base: box, Disp: 4 * l}) })
		VADDPS(dot(axis, func(i int) Op { return way[i] }), at, at)
		VSUBPS(broadcast(Mem{Base: own, Disp: 4 * j}), at, at)
		for l := range turned {
			VANDPS(size, turned[l], turned[l]) // without its sign
		}
		reach := dot(turned, func(l int) Op { return broadcast(Mem{Base: box, Disp: halfAt + 4*l}) })
		VADDPS(broadcast(Mem{Base: own, Disp: halfAt + 4*j}), reach, reach)
		VADDPS(broadcast(parameter("grow")), reach, reach)
		lo, hi, other, zero := YMM(), YMM(), YMM(), YMM()
		VSUBPS(reach, at, lo)
		VADDPS(reach, at, hi)
		VPERMPS(lo, ends, other)
		VMINPS(other, lo, lo)
		VPERMPS(hi, ends, other)
		VMAXPS(other, hi, hi)
		VXORPS(zero, zero, zero)
		VORPS(apartAlong(lo, hi, zero, zero), found, found)
	}
	bits := GP32()
	VMOVMSKPS(found, bits)
	ANDL(steps, bits)
	Store(bits.As8(), ReturnIndex(0))
	end()
}

// cornerAlong returns how far a corner is along a direction.
func cornerAlong(corner Register, at int, along [3]VecVirtual) VecVirtual {
	return dot(along, func(j int) Op { return broadcast(Mem{Base: corner, Disp: at + 4*j}) })
}

// dot returns the product of two vectors, summed from the left; numbers of b are looked at
// when it is their turn.
func dot(a [3]VecVirtual, b func(j int) Op) VecVirtual {
	sum, more := YMM(), YMM()
	VMULPS(b(0), a[0], sum)
	VMULPS(b(1), a[1], more)
	VADDPS(more, sum, sum)
	VMULPS(b(2), a[2], more)
	VADDPS(more, sum, sum)
	return sum
}

// row is row i of those from a place on.
func row(base Mem, at, i int) Mem { return base.Offset(at + rowSize*i) }

func load(from Mem) VecVirtual {
	r := YMM()
	VMOVUPS(from, r)
	return r
}

func broadcast(from Mem) VecVirtual {
	r := YMM()
	VBROADCASTSS(from, r)
	return r
}

// element returns the address of one of many, whose index is in memory.
func element(base Register, index Mem, size uint32) Register {
	r := GP64()
	MOVLQSX(index, r)
	IMUL3Q(U32(size), r, r)
	ADDQ(base, r)
	return r
}

// eight declares the bits of a row.
func eight(name string, bits [8]uint32) Mem {
	g := GLOBL(name, RODATA|NOPTR)
	for i, b := range bits {
		DATA(4*i, U32(b))
	}
	return g
}

// same is eight times the same bits.
func same(bits uint32) (row [8]uint32) {
	for i := range row {
		row[i] = bits
	}
	return row
}

// number declares a row of one number.
func number(name string, x float32) Mem { return eight(name, same(math.Float32bits(x))) }

// argument loads a parameter of 64 bits.
func argument(name string) Register { return Load(Param(name), GP64()) }

func parameter(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

func end() {
	VZEROUPPER()
	RET()
}

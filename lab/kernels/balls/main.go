// Command balls writes the vector kernel of internal/engine/rules that compares many pairs
// of balls. Its twin there, in Go, says what it computes.
//
//	go run -C lab ./kernels/balls -out ../internal/engine/rules/balls_amd64.s
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A ball is eight numbers: its centre and what displacement asks for, then its velocity and
// what the bend of its path asks for.
const (
	ballShift = 6 // it has 1 << 6 bytes
	pathAt    = 32
)

// Comparisons that a NaN fails, without an exception.
const (
	greater     = U8(0x1e)
	lessOrEqual = U8(0x12)
)

// kernel is what stays the same from four pairs to the next.
type kernel struct {
	balls, pairs Register

	sign Mem // of the second ball's last number, so that a difference adds it
	huge Mem // the largest number
	tiny Mem

	clearance VecVirtual
	ahead     VecVirtual // h
	back      VecVirtual // -h
}

func main() {
	TEXT("ballsAVX", NOSPLIT, "func(balls *float64, pairs *int32, fours int, clearance, h float64, apart *uint8)")
	k := kernel{balls: Load(Param("balls"), GP64()), pairs: Load(Param("pairs"), GP64())}
	left, out := Load(Param("fours"), GP64()), Load(Param("apart"), GP64())
	moves := k.constants()

	Label("four")
	x, need := k.differences(0)
	far := k.beyond(dot(x, x), need)
	bits := GP32()
	VMOVMSKPD(far, bits)
	CMPL(bits, U8(15))
	JE(LabelRef("store"))
	TESTQ(moves, moves)
	JZ(LabelRef("store"))

	v, bent := k.differences(pathAt)
	speed := dot(v, v)
	at := k.nearest(x, v, speed)
	along := k.beyond(dot(at, at), bent)
	VCMPPD(lessOrEqual, k.huge, speed, speed)
	VANDPD(speed, along, along)
	VORPD(far, along, along)
	VMOVMSKPD(along, bits)

	Label("store")
	MOVB(bits.As8(), Mem{Base: out})
	ADDQ(U8(32), k.pairs)
	INCQ(out)
	DECQ(left)
	JNZ(LabelRef("four"))
	VZEROUPPER()
	RET()
	Generate()
}

// constants loads what stays the same, and returns a number that is zero where h is.
func (k *kernel) constants() Register {
	k.sign = fourTimes("sign", 0, 1<<63)
	k.huge = fourTimes("huge", math.Float64bits(math.MaxFloat64), math.Float64bits(math.MaxFloat64))
	k.tiny = fourTimes("tiny", math.Float64bits(0x1p-1022), math.Float64bits(0x1p-1022))
	k.clearance, k.ahead, k.back = YMM(), YMM(), YMM()
	VBROADCASTSD(parameter("clearance"), k.clearance)
	VBROADCASTSD(parameter("h"), k.ahead)
	VXORPD(k.back, k.back, k.back)
	VSUBPD(k.ahead, k.back, k.back)
	moves := GP64()
	MOVQ(parameter("h"), moves)
	ADDQ(moves, moves) // without its sign
	return moves
}

// fourTimes declares two numbers, twice.
func fourTimes(name string, even, odd uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 2 {
		DATA(16*i, U64(even))
		DATA(16*i+8, U64(odd))
	}
	return m
}

func parameter(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// differences returns, for four pairs, the differences of three numbers from at on, and the
// sum of the fourth and the clearance.
func (k *kernel) differences(at int) (d [3]VecVirtual, sum VecVirtual) {
	a := k.offsets(0)
	xy02, xy13 := k.two(a, 0, at), k.two(a, 1, at)
	zr02, zr13 := k.two(a, 0, at+16), k.two(a, 1, at+16)
	b := k.offsets(1)
	VSUBPD(k.two(b, 0, at), xy02, xy02)
	VSUBPD(k.two(b, 1, at), xy13, xy13)
	for i, zr := range []VecVirtual{zr02, zr13} {
		other := k.two(b, i, at+16)
		VXORPD(k.sign, other, other)
		VSUBPD(other, zr, zr)
	}
	d, sum = [3]VecVirtual{YMM(), YMM(), YMM()}, YMM()
	VUNPCKLPD(xy13, xy02, d[0])
	VUNPCKHPD(xy13, xy02, d[1])
	VUNPCKLPD(zr13, zr02, d[2])
	VUNPCKHPD(zr13, zr02, sum)
	VADDPD(k.clearance, sum, sum)
	return d, sum
}

// offsets loads the offsets of one ball of each of four pairs.
func (k *kernel) offsets(side int) (of [4]Register) {
	for i := range of {
		r := GP64()
		MOVLQSX(Mem{Base: k.pairs, Disp: 8*i + 4*side}, r)
		SHLQ(U8(ballShift), r)
		of[i] = r
	}
	return of
}

// two loads two numbers of a ball of pair i and two of pair i+2.
func (k *kernel) two(of [4]Register, i, at int) VecVirtual {
	r := YMM()
	VBROADCASTF128(Mem{Base: k.balls, Index: of[i], Scale: 1, Disp: at}, r)
	VINSERTF128(U8(1), Mem{Base: k.balls, Index: of[i+2], Scale: 1, Disp: at}, r, r)
	return r
}

// dot returns the products of vectors.
func dot(a, b [3]VecVirtual) VecVirtual {
	sum, more := YMM(), YMM()
	VMULPD(b[0], a[0], sum)
	VMULPD(b[1], a[1], more)
	VADDPD(more, sum, sum)
	VMULPD(b[2], a[2], more)
	VADDPD(more, sum, sum)
	return sum
}

// beyond compares squares of lengths with lengths; it loses the lengths.
func (k *kernel) beyond(squares, lengths VecVirtual) VecVirtual {
	is, finite := YMM(), YMM()
	VMULPD(lengths, lengths, lengths)
	VCMPPD(greater, lengths, squares, is)
	VCMPPD(lessOrEqual, k.huge, squares, finite)
	VANDPD(finite, is, is)
	return is
}

// nearest returns the vectors x - s v nearest to zero, s from -h to h. A minimum and a
// maximum are their second operand, in Go's order the first, where that is a NaN.
func (k *kernel) nearest(x, v [3]VecVirtual, speed VecVirtual) (at [3]VecVirtual) {
	s, most := dot(x, v), YMM()
	VADDPD(k.tiny, speed, most)
	VDIVPD(most, s, s)
	VMINPD(s, k.ahead, s)
	VMAXPD(s, k.back, s)
	for i := range at {
		at[i] = YMM()
		VMULPD(v[i], s, at[i])
		VSUBPD(at[i], x[i], at[i])
	}
	return at
}

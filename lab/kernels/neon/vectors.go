package main

import (
	"regexp"
	"strconv"
	"strings"
)

// The kernels of AVX2 use at most fifteen of its sixteen registers: two of these here are free for operands in memory
// and for masks.
const (
	free = 30
	mask = 31
)

var register = regexp.MustCompile(`^Y(\d+)$`)

// half is the register of one half of a vector: 0 or 1.
func half(y string, h int) int {
	m := register.FindStringSubmatch(y)
	if m == nil {
		fail("%s is no vector", y)
	}
	n, _ := strconv.Atoi(m[1])
	if n = 2*n + h; n >= free {
		fail("%s has no registers here", y)
	}
	return n
}

// word writes an instruction that Go's assembler does not know, of four numbers each: d is its result.
func (w *writer) word(code uint32, name string, d, n, m int) {
	w.put("WORD $%#08x // %s V%d.4S, V%d.4S, V%d.4S", code|uint32(m)<<16|uint32(n)<<5|uint32(d), name, d, n, m)
}

const (
	greater = 0x6ea0e400 // n > m, which a NaN is not
	negate  = 0x6e205800 // of all bits
	below   = 0x4ea0a800 // the sign of n in all bits
	addMul  = 0x4ea09400 // of integers
	shiftUp = 0x4f205400 // by the bits from 16 on
	narrow  = 0x0e612800 // to 16 bits, into the lower half
	narrow2 = 0x4e612800
)

// operand returns the register of half of an operand, which it loads if that is in memory.
func (w *writer) operand(o string, h int) int {
	if register.MatchString(o) {
		return half(o, h)
	}
	w.put("FMOVQ %s, F%d", w.memory(o, 16*h), free)
	return free
}

// each is an operation on numbers of the same lane.
func each(code uint32, name string) func(w *writer, o []string) {
	return func(w *writer, o []string) {
		for h := range 2 {
			m := w.operand(o[0], h)
			w.word(code, name, half(o[2], h), half(o[1], h), m)
		}
	}
}

// choose is the larger or the smaller of two numbers as AVX has it: the first operand where they are equal, or where
// one is a NaN.
func (w *writer) choose(o []string, larger bool) {
	for h := range 2 {
		b, a, d := w.operand(o[0], h), half(o[1], h), half(o[2], h)
		if larger {
			w.word(greater, "FCMGT", mask, a, b)
		} else {
			w.word(greater, "FCMGT", mask, b, a)
		}
		w.pick(mask, a, b, d)
	}
}

// pick makes d the first of two where the mask is set, else the second.
func (w *writer) pick(mask, a, b, d int) {
	switch d {
	case b:
		w.put("VBIT V%d.B16, V%d.B16, V%d.B16", mask, a, d)
	case a:
		w.put("VBIF V%d.B16, V%d.B16, V%d.B16", mask, b, d)
	default:
		w.put("VORR V%d.B16, V%d.B16, V%d.B16", a, a, d)
		w.put("VBIF V%d.B16, V%d.B16, V%d.B16", mask, b, d)
	}
}

func (w *writer) compare(o []string) {
	for h := range 2 {
		b, a, d := w.operand(o[1], h), half(o[2], h), half(o[3], h)
		switch o[0] {
		case "$0x1e": // greater
			w.word(greater, "FCMGT", d, a, b)
		case "$0x11": // less
			w.word(greater, "FCMGT", d, b, a)
		case "$0x15": // not less
			w.word(greater, "FCMGT", d, b, a)
			w.word(negate, "NOT", d, d, 0)
		default:
			fail("unknown comparison %s", o[0])
		}
	}
}

// blend is the first operand of two where a number's sign is set.
func (w *writer) blend(o []string) {
	for h := range 2 {
		b, a, d := w.operand(o[1], h), half(o[2], h), half(o[3], h)
		w.word(below, "CMLT0", mask, half(o[0], h), 0)
		w.pick(mask, b, a, d)
	}
}

// shift moves the bits of each number up.
func (w *writer) shift(o []string) {
	by, err := strconv.ParseUint(strings.TrimPrefix(o[0], "$"), 0, 5)
	if err != nil {
		fail("unknown shift by %s", o[0])
	}
	for h := range 2 {
		d, n := half(o[2], h), half(o[1], h)
		w.put("WORD $%#08x // SHL V%d.4S, V%d.4S, #%d", shiftUp|uint32(by)<<16|uint32(n)<<5|uint32(d), d, n, by)
	}
}

// laneNumbers finds the registers of a kernel that permute reads as numbers of lanes.
func laneNumbers(kernel string) map[string]bool {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`VPERMPS +Y\d+, (Y\d+),`).FindAllStringSubmatch(kernel, -1) {
		found[m[1]] = true
	}
	return found
}

func (w *writer) permute(o []string) {
	for h := range 2 {
		w.put("VTBL V%d.B16, [V%d.B16, V%d.B16], V%d.B16", half(o[1], h), half(o[0], 0), half(o[0], 1), half(o[2], h))
	}
}

// bytesOfLanes makes numbers of lanes those of their bytes, as permute needs them.
func (w *writer) bytesOfLanes(y string) {
	w.put("FMOVQ %s, F%d", w.memory("four<>+0(SB)", 0), free)
	for h := range 2 {
		w.put("FMOVQ %s, F%d", w.memory("bytes<>+0(SB)", 0), mask)
		w.word(addMul, "MLA", mask, half(y, h), free)
		w.put("VORR V%d.B16, V%d.B16, V%d.B16", mask, mask, half(y, h))
	}
}

// signs sets a bit for each number that has its sign set.
func (w *writer) signs(o []string) {
	w.word(below, "CMLT0", free, half(o[0], 0), 0)
	w.word(below, "CMLT0", mask, half(o[0], 1), 0)
	w.word(narrow, "XTN", free, free, 0)
	w.word(narrow2, "XTN2", free, mask, 0)
	w.put("FMOVQ %s, F%d", w.memory("bits<>+0(SB)", 0), mask)
	w.put("VAND V%d.B16, V%d.B16, V%d.B16", mask, free, free)
	w.put("VADDV V%d.H8, V%d", free, free)
	w.put("VMOV V%d.H[0], %s", free, general(o[1]))
}

// near is how far behind an address pairs may be loaded and stored.
const near = 1008

func (w *writer) move(o []string) {
	if register.MatchString(o[0]) {
		w.store(o[0], o[1])
		return
	}
	w.load(o[0], o[1])
	if w.lanes[o[1]] {
		w.bytesOfLanes(o[1])
	}
}

func (w *writer) load(from, y string) {
	lo, hi := half(y, 0), half(y, 1)
	if at, offset := w.place(from); offset <= near {
		w.put("FLDPQ %d(%s), (F%d, F%d)", offset, at, lo, hi)
	} else {
		w.put("FMOVQ %d(%s), F%d", offset, at, lo)
		w.put("FMOVQ %d(%s), F%d", offset+16, at, hi)
	}
}

func (w *writer) store(y, to string) {
	lo, hi := half(y, 0), half(y, 1)
	if at, offset := w.place(to); offset <= near {
		w.put("FSTPQ (F%d, F%d), %d(%s)", lo, hi, offset, at)
	} else {
		w.put("FMOVQ F%d, %d(%s)", lo, offset, at)
		w.put("FMOVQ F%d, %d(%s)", hi, offset+16, at)
	}
}

func (w *writer) broadcast(o []string) {
	lo, hi := half(o[1], 0), half(o[1], 1)
	w.put("FMOVS %s, F%d", w.memory(o[0], 0), lo)
	w.put("VDUP V%d.S[0], V%d.S4", lo, hi)
	w.put("VDUP V%d.S[0], V%d.S4", lo, lo)
}

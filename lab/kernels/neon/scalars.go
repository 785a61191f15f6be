package main

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
)

// Registers of numbers and addresses that the kernels of AVX2 have no equivalent of.
const (
	address = "R8"
	number  = "R9"
	frame   = "R10" // where a kernel's own memory begins
)

// generals are the registers of numbers and addresses, those of bytes among them.
var generals = map[string]string{
	"AX": "R0", "CX": "R1", "DX": "R2", "BX": "R3", "SI": "R4", "DI": "R5", "R8": "R6",
	"AL": "R0", "DL": "R2",
	"SP": frame,
}

func general(r string) string {
	if generals[r] == "" {
		fail("unknown register %s", r)
	}
	return generals[r]
}

var (
	parameter = regexp.MustCompile(`^\w+\+\d+\(FP\)$`)
	symbol    = regexp.MustCompile(`^\w+<>\+0\(SB\)$`)
	indirect  = regexp.MustCompile(`^(-?\d*)\((\w+)\)(?:\((\w+)\*(\d)\))?$`)
)

// place returns where an operand in memory is: behind which register, and how far.
func (w *writer) place(o string) (base string, offset int) {
	if symbol.MatchString(o) {
		w.put("MOVD $%s, %s", o, address)
		return address, 0
	}
	m := indirect.FindStringSubmatch(o)
	if m == nil {
		fail("unknown place %s", o)
	}
	base = general(m[2])
	if m[1] != "" {
		offset, _ = strconv.Atoi(m[1])
	}
	if m[3] != "" {
		scale, _ := strconv.Atoi(m[4])
		w.put("ADD %s<<%d, %s, %s", general(m[3]), bits.TrailingZeros(uint(scale)), base, address)
		base = address
	}
	return base, offset
}

// memory is an operand in memory, or what is some bytes behind it.
func (w *writer) memory(o string, behind int) string {
	if parameter.MatchString(o) {
		return o
	}
	base, offset := w.place(o)
	return fmt.Sprintf("%d(%s)", offset+behind, base)
}

// scalars are the instructions on addresses, counts and sets. Where a jump follows they set the same flags.
var scalars = map[string]func(w *writer, o []string){
	"ADDQ":    two("ADD"),
	"SUBQ":    two("SUBS"),
	"ANDL":    two("ANDSW"),
	"INCQ":    func(w *writer, o []string) { w.put("ADD $1, %s", general(o[0])) },
	"DECQ":    func(w *writer, o []string) { w.put("SUBS $1, %s", general(o[0])) },
	"CMPQ":    func(w *writer, o []string) { w.put("CMP %s, %s", value(o[1]), general(o[0])) },
	"MOVQ":    func(w *writer, o []string) { w.put("MOVD %s, %s", value(o[0]), general(o[1])) },
	"MOVL":    func(w *writer, o []string) { w.put("MOVWU %s, %s", o[0], general(o[1])) },
	"MOVLQSX": func(w *writer, o []string) { w.put("MOVW %s, %s", w.memory(o[0], 0), general(o[1])) },
	"MOVB":    func(w *writer, o []string) { w.put("MOVB %s, %s", general(o[0]), w.memory(o[1], 0)) },
	"ORB": func(w *writer, o []string) {
		at := w.memory(o[1], 0)
		w.put("MOVBU %s, %s", at, number)
		w.put("ORRW %s, %s", general(o[0]), number)
		w.put("MOVB %s, %s", number, at)
	},
	"IMUL3Q": func(w *writer, o []string) {
		w.put("MOVD %s, %s", o[0], number)
		w.put("MUL %s, %s, %s", number, general(o[1]), general(o[2]))
	},
	"LEAQ": func(w *writer, o []string) {
		base, offset := w.place(o[0])
		w.put("ADD $%d, %s, %s", offset, base, general(o[1]))
	},
	"LEAL": func(w *writer, o []string) {
		base, offset := w.place(o[0])
		w.put("ADDW $%d, %s, %s", offset, base, general(o[1]))
	},
	"BSFL": func(w *writer, o []string) {
		w.put("RBITW %s, %s", general(o[0]), general(o[1]))
		w.put("CLZW %s, %s", general(o[1]), general(o[1]))
	},
	"JNZ": jump("BNE"),
	"JNE": jump("BNE"),
	"JL":  jump("BLT"),
	"JGE": jump("BGE"),
	"RET": func(w *writer, o []string) { w.put("RET") },
}

func two(name string) func(w *writer, o []string) {
	return func(w *writer, o []string) { w.put("%s %s, %s", name, value(o[0]), general(o[1])) }
}

func jump(name string) func(w *writer, o []string) {
	return func(w *writer, o []string) { w.put("%s %s", name, o[0]) }
}

// value is a number, a parameter or a register.
func value(o string) string {
	if o[0] == '$' || parameter.MatchString(o) {
		return o
	}
	return general(o)
}

package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Writer appends values in CDR, little endian. Use Reset before the first value.
// An error, where a length exceeds its bound, is kept: see Err.
type Writer struct {
	buf  []byte
	body int // where the body starts in buf; alignment counts from here
	err  error
}

// Reset starts an encoding after the bytes of dst, writing its header.
func (w *Writer) Reset(dst []byte) {
	w.buf = append(dst, 0, plainLittleEndian, 0, 0)
	w.body = len(w.buf)
	w.err = nil
}

// Bytes returns what was given to Reset followed by the encoding so far.
func (w *Writer) Bytes() []byte { return w.buf }

// Err returns the first bound that was exceeded, or nil.
func (w *Writer) Err() error { return w.err }

// Every value is padded with zeros to its alignment.
var padding [8]byte

func (w *Writer) align(size int) {
	if over := (len(w.buf) - w.body) & (size - 1); over != 0 {
		w.buf = append(w.buf, padding[:size-over]...)
	}
}

// Bool writes one byte, 0 or 1.
func (w *Writer) Bool(v bool) {
	if v {
		w.buf = append(w.buf, 1)
	} else {
		w.buf = append(w.buf, 0)
	}
}

// Uint8 writes one byte.
func (w *Writer) Uint8(v uint8) { w.buf = append(w.buf, v) }

// Uint16 writes two bytes, aligned to 2.
func (w *Writer) Uint16(v uint16) {
	w.align(2)
	w.buf = binary.LittleEndian.AppendUint16(w.buf, v)
}

// Uint32 writes four bytes, aligned to 4.
func (w *Writer) Uint32(v uint32) {
	w.align(4)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
}

// Uint64 writes eight bytes, aligned to 8.
func (w *Writer) Uint64(v uint64) {
	w.align(8)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, v)
}

// Int8 writes one byte.
func (w *Writer) Int8(v int8) { w.Uint8(uint8(v)) }

// Int16 writes two bytes, aligned to 2.
func (w *Writer) Int16(v int16) { w.Uint16(uint16(v)) }

// Int32 writes four bytes, aligned to 4.
func (w *Writer) Int32(v int32) { w.Uint32(uint32(v)) }

// Int64 writes eight bytes, aligned to 8.
func (w *Writer) Int64(v int64) { w.Uint64(uint64(v)) }

// Float32 writes four bytes, aligned to 4.
func (w *Writer) Float32(v float32) { w.Uint32(math.Float32bits(v)) }

// Float64 writes eight bytes, aligned to 8.
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

// String writes the length of s with its closing NUL, s, and the NUL.
func (w *Writer) String(s string) {
	w.length(len(s)+1, math.MaxUint32)
	w.buf = append(w.buf, s...)
	w.buf = append(w.buf, 0)
}

// BoundedString writes s as String does; more than limit bytes are an error.
func (w *Writer) BoundedString(s string, limit int) {
	if len(s) > limit {
		w.fail("a string of %d bytes exceeds its bound of %d", len(s), limit)
	}
	w.String(s)
}

// Len writes the length of a sequence. Its elements follow.
func (w *Writer) Len(n int) { w.length(n, math.MaxUint32) }

// BoundedLen writes the length of a sequence; more than limit is an error.
func (w *Writer) BoundedLen(n, limit int) { w.length(n, limit) }

func (w *Writer) length(n, limit int) {
	if n > limit {
		w.fail("a sequence of %d elements exceeds its bound of %d", n, limit)
	}
	w.Uint32(uint32(n))
}

// Uint8s writes the elements of an array, or of a sequence after its length.
func (w *Writer) Uint8s(v []uint8) { w.buf = append(w.buf, v...) }

// Float64s writes the elements of an array, or of a sequence after its length.
func (w *Writer) Float64s(v []float64) {
	for _, x := range v {
		w.Float64(x)
	}
}

func (w *Writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

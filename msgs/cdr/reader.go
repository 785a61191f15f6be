package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Reader takes values from an encoding in CDR of either byte order. Use Reset
// before the first value. The first error is kept; from then on every value is
// zero and every sequence empty, so that callers need look only once, at Err.
type Reader struct {
	body []byte // what follows the header; alignment counts from its start
	pos  int
	big  bool
	err  error

	bounds Bounds
	head   bool // strings are cut, at their bound and where the body ends
}

// Reset starts reading data, header first. Representations other than plain CDR
// (parameter lists, XCDR2) are an error: no ROS 2 middleware sends them for
// messages.
func (r *Reader) Reset(data []byte) error {
	*r = Reader{}
	if len(data) < headerSize {
		r.err = fmt.Errorf("%d bytes are too short for the encapsulation header of %d", len(data), headerSize)
		return r.err
	}
	if data[0] != 0 || data[1] > plainLittleEndian {
		r.err = fmt.Errorf("representation 0x%02x%02x is not plain CDR (0x0000 or 0x0001)", data[0], data[1])
		return r.err
	}
	r.big = data[1] == plainBigEndian
	r.body = data[headerSize:]
	return nil
}

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// BigEndian reports the byte order of the encoding.
func (r *Reader) BigEndian() bool { return r.big }

// Remaining is the number of bytes not yet taken.
func (r *Reader) Remaining() int { return len(r.body) - r.pos }

// Close returns the first error, or ErrTrailing where more bytes remain than
// padding explains.
func (r *Reader) Close() error {
	if r.err == nil && r.Remaining() > maxTrailing {
		r.err = fmt.Errorf("%d %w", r.Remaining(), ErrTrailing)
	}
	return r.err
}

// take returns the next size bytes at a multiple of align, or nil after an
// error.
func (r *Reader) take(size, align int) []byte {
	if r.err != nil {
		return nil
	}
	start := (r.pos + align - 1) &^ (align - 1)
	if start > len(r.body) || size > len(r.body)-start {
		r.fail("%d bytes are wanted", size)
		return nil
	}
	r.pos = start + size
	return r.body[start:r.pos]
}

// Bool reads one byte, which must be 0 or 1.
func (r *Reader) Bool() bool {
	v := r.Uint8()
	if v > 1 {
		r.fail("%d is not a boolean", v)
		return false
	}
	return v == 1
}

// Uint8 reads one byte.
func (r *Reader) Uint8() uint8 {
	b := r.take(1, 1)
	if b == nil {
		return 0
	}
	return b[0]
}

// Uint16 reads two bytes, aligned to 2.
func (r *Reader) Uint16() uint16 {
	b := r.take(2, 2)
	switch {
	case b == nil:
		return 0
	case r.big:
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// Uint32 reads four bytes, aligned to 4.
func (r *Reader) Uint32() uint32 {
	b := r.take(4, 4)
	switch {
	case b == nil:
		return 0
	case r.big:
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// Uint64 reads eight bytes, aligned to 8.
func (r *Reader) Uint64() uint64 {
	b := r.take(8, 8)
	switch {
	case b == nil:
		return 0
	case r.big:
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// Int8 reads one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Int16 reads two bytes, aligned to 2.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Int32 reads four bytes, aligned to 4.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Int64 reads eight bytes, aligned to 8.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 reads four bytes, aligned to 4. A NaN is a value like any other.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads eight bytes, aligned to 8. A NaN is a value like any other.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// String reads a string into *s and leaves *s alone where it already holds those
// bytes, which saves the allocation. The closing NUL must be there; a length of
// 0, which some senders write for the empty string, is accepted.
func (r *Reader) String(s *string) { r.BoundedString(s, math.MaxInt) }

// BoundedString reads a string as String does; more than limit bytes are an
// error.
func (r *Reader) BoundedString(s *string, limit int) {
	if r.head {
		r.headString(s)
		return
	}
	n := r.length(1)
	b := r.take(n, 1)
	if len(b) > 0 {
		if b[n-1] != 0 {
			r.fail("a string of %d bytes lacks its closing NUL", n)
			return
		}
		b = b[:n-1]
	}
	if len(b) > limit {
		r.fail("a string of %d bytes exceeds its bound of %d", len(b), limit)
		return
	}
	if r.bounds.String > 0 && len(b) > r.bounds.String {
		r.exceed("string", "bytes", len(b), r.bounds.String)
		return
	}
	if *s != string(b) {
		*s = string(b)
	}
}

// headString reads what there is of a string, up to its bound.
func (r *Reader) headString(s *string) {
	n := int(r.Uint32())
	b := r.take(min(n, r.Remaining()), 1)
	if len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	if len(b) < n-1 && r.err == nil {
		r.fail("a string of %d bytes is cut short", n)
	}
	if r.bounds.String > 0 && len(b) > r.bounds.String {
		b = b[:r.bounds.String]
	}
	*s = string(b)
}

// exceed notes that the message has more of something than this reader takes.
func (r *Reader) exceed(what, unit string, n, limit int) {
	if r.err == nil {
		r.err = fmt.Errorf("a %s of %d %s at byte %d of the body exceeds %w, %d %s", what, n, unit, r.pos, ErrBound, limit, unit)
	}
}

// length reads the length of a string or sequence whose elements take at least
// size bytes each, and refuses one that cannot be there.
func (r *Reader) length(size int) int {
	n := r.Uint32()
	if r.err == nil && uint64(n)*uint64(size) > uint64(r.Remaining()) {
		r.fail("%d elements of at least %d bytes are declared", n, size)
		return 0
	}
	return int(n)
}

// Seq reads the length of a sequence and returns s with that length, for the
// caller to read the elements into. Elements that s held keep their contents and
// capacity for reuse. Each element takes at least size bytes (size >= 1);
// nothing is allocated for a length that the remaining bytes cannot hold. After
// an error the result is empty.
func Seq[T any](r *Reader, s []T, size int) []T {
	return BoundedSeq(r, s, size, math.MaxInt)
}

// BoundedSeq reads as Seq does; more than limit elements are an error.
func BoundedSeq[T any](r *Reader, s []T, size, limit int) []T {
	n := r.length(size)
	if n > limit {
		r.fail("a sequence of %d elements exceeds its bound of %d", n, limit)
		n = 0
	}
	if r.bounds.Elements > 0 && n > r.bounds.Elements {
		r.exceed("sequence", "elements", n, r.bounds.Elements)
		n = 0
	}
	if grow := n - cap(s); grow > 0 {
		s = append(s[:cap(s)], make([]T, grow)...)
	}
	return s[:n]
}

// Uint8s reads the elements of an array, or of a sequence after its length.
func (r *Reader) Uint8s(dst []uint8) {
	copy(dst, r.take(len(dst), 1))
}

// Float64s reads the elements of an array, or of a sequence after its length.
func (r *Reader) Float64s(dst []float64) {
	for i := range dst {
		dst[i] = r.Float64()
	}
}

// fail keeps the first error, with the place in the body where it arose.
func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		args = append(args, r.pos, r.Remaining())
		r.err = fmt.Errorf(format+" at byte %d of the body, where %d remain", args...)
	}
}

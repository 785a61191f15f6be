package mcap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// source is a stream of records whose place and checksum are known.
type source struct {
	ctx  context.Context
	r    *bufio.Reader
	at   int64 // bytes taken
	size int64 // of the whole stream; negative: unknown
	crc  uint32
}

// bufferBytes are read from the file at once.
const bufferBytes = 1 << 18

func newSource(ctx context.Context, r io.Reader, size int64) *source {
	return &source{ctx: ctx, r: bufio.NewReaderSize(r, bufferBytes), size: size}
}

// Read implements io.Reader; the context ends it.
func (s *source) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(b)
	s.at += int64(n)
	s.crc = crc32.Update(s.crc, crc32.IEEETable, b[:n])
	return n, err
}

// left is how many bytes there are still, where that is known.
func (s *source) left() (n int64, known bool) { return s.size - s.at, s.size >= 0 }

// discard reads over n bytes.
func discard(r io.Reader, n uint64) error {
	if n > 1<<62 {
		return fmt.Errorf("a length of %d bytes", n)
	}
	got, err := io.CopyN(io.Discard, r, int64(n))
	if errors.Is(err, io.EOF) && got < int64(n) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// content reads the content of a record into buf, which grows as bytes arrive, at most to
// the given bound.
func content(r io.Reader, buf []byte, h head, most uint64) ([]byte, error) {
	if h.length > most {
		return buf, fmt.Errorf("a record of kind 0x%02x has %d bytes, more than the limit of %d", h.op, h.length, most)
	}
	buf = buf[:0]
	for n := int(h.length); len(buf) < n; {
		step := min(n-len(buf), max(bufferBytes, len(buf)))
		start := len(buf)
		if cap(buf)-start < step {
			buf = append(buf, make([]byte, step)...)
		}
		buf = buf[:start+step]
		if _, err := io.ReadFull(r, buf[start:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return buf, err
		}
	}
	return buf, nil
}

package infile

import (
	"context"
	"fmt"
	"io"
)

// ReadAll reads an open stream, such as standard input, to its end: at most the given number
// of bytes, until the context ends. If the context ends first, a goroutine keeps the stream.
// Errors use name for the stream.
func ReadAll(ctx context.Context, name string, r io.Reader, most int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, most+1))
		done <- result{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", name, ctx.Err())
	case got := <-done:
		if got.err != nil {
			return nil, fmt.Errorf("%s: %w", name, got.err)
		}
		if int64(len(got.data)) > most {
			return nil, fmt.Errorf("%s: has more than %d bytes, the limit: give a smaller input", name, most)
		}
		return got.data, nil
	}
}

// Size returns the size of a regular file when it was opened. A pipe has none, which is an
// error.
func (f *File) Size() (int64, error) {
	if f.pipe {
		return 0, fmt.Errorf("%s: is a pipe, but has to be read from its end too: write a file first and name that", f.path)
	}
	return f.size, nil
}

// ReadAt implements io.ReaderAt for a regular file, up to the size that it had when it was
// opened. It neither moves where Read goes on nor counts against the limit.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	if _, err := f.Size(); err != nil {
		return 0, err
	}
	if err := f.ctx.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", f.path, err)
	}
	if off < 0 || off >= f.size {
		return 0, io.EOF
	}
	short := int64(len(b)) > f.size-off
	if short {
		b = b[:f.size-off]
	}
	n, err := f.f.ReadAt(b, off)
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

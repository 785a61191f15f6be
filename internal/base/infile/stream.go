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

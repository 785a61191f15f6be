package certificate

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

// Open opens a certificate for reading. It recognizes compressed files by their content.
func Open(path string) (io.ReadCloser, error) { return OpenContext(context.Background(), path) }

// OpenContext is like Open. Reading fails with an error that wraps ctx's error once ctx is
// done.
func OpenContext(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := infile.Open(ctx, path, limit.CertificateBytes)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	r := bufio.NewReaderSize(f, 1<<16)
	if head, _ := r.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return opened{r, f}, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("certificate %s: %w", path, err), f.Close())
	}
	return opened{z, f}, nil
}

type opened struct {
	io.Reader
	io.Closer
}

// Create writes a file by calling write, compressed if its name ends in .gz. The file appears
// under its name only after write has succeeded and every byte is written: a certificate is
// never incomplete.
func Create(path string, write func(io.Writer) error) error {
	err := outfile.Write(path, func(w io.Writer) error { return compressed(w, strings.HasSuffix(path, ".gz"), write) })
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return fmt.Errorf("certificate: %w", err)
	}
	return err
}

func compressed(w io.Writer, compress bool, write func(io.Writer) error) error {
	if !compress {
		return write(w)
	}
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

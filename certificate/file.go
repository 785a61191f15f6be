package certificate

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Open opens a certificate to be read; what is compressed is told by its content.
func Open(path string) (io.ReadCloser, error) { return OpenContext(context.Background(), path) }

// OpenContext is Open; reading fails with an error that wraps ctx's once ctx is done.
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

// Create writes a file by calling write; one whose name ends in .gz is compressed.
// The file appears under its name only when write has succeeded and every byte
// is written: a certificate is there whole or not at all.
func Create(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close() // closed already where that was the error
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := compressed(f, strings.HasSuffix(path, ".gz"), write); err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	return nil
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

// Package infile reads input files: every file that a user, a parameter or a description names
// is opened here.
//
// A file is a regular file or a pipe. Devices, folders and sockets are refused before they are
// opened. The caller bounds the number of bytes that are read, however the file grows, and a
// silent pipe is given up after a time. The context ends every wait, and carries reports of how
// much has been read (package progress).
package infile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// patience limits the time spent waiting for a pipe.
type patience struct {
	writer  time.Duration // for a process to open a named pipe for writing
	silence time.Duration // for the next byte
	whole   time.Duration // for all of it
}

var defaultPatience = patience{
	writer:  limit.PipeWriterSeconds * time.Second,
	silence: limit.PipeSilenceSeconds * time.Second,
	whole:   limit.PipeSeconds * time.Second,
}

// Read returns the content of the file at path, of at most the given number of bytes. Errors
// name the path, what it is and the remedy; if there is no file they wrap fs.ErrNotExist.
func Read(ctx context.Context, path string, most int64) ([]byte, error) {
	return read(ctx, path, most, defaultPatience)
}

func read(ctx context.Context, path string, most int64, p patience) ([]byte, error) {
	f, err := open(ctx, path, most, p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.all()
}

// ReadOwn is like Read for a regular file that this program has written. It is refused if
// check, which gets the open file's info, fails.
func ReadOwn(ctx context.Context, path string, most int64, check func(fs.FileInfo) error) ([]byte, error) {
	f, err := open(ctx, path, most, patience{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.f.Stat()
	if err != nil {
		return nil, err
	}
	if f.pipe {
		return nil, fmt.Errorf("%s: is a pipe", path)
	}
	if err := check(info); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f.all()
}

// chunk is how much is read at once, so that progress is told and the context looked at.
const chunk = 16 << 20

// all reads to the end.
func (f *File) all() ([]byte, error) {
	data := make([]byte, 0, f.size+1) // one more byte detects the end of the file
	for {
		n, err := f.Read(data[len(data):min(cap(data), len(data)+chunk)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, make([]byte, max(4096, len(data)/2))...)[:len(data)]
		}
	}
}

// File is an open input file.
type File struct {
	f       *os.File
	ctx     context.Context
	stop    func() bool // unregisters the context's callback
	path    string
	what    string // for progress
	size    int64  // of a regular file when it was opened, at most the limit
	most    int64
	left    int64 // bytes that may still be read
	pipe    bool
	named   bool // a named pipe: a writer may come later
	started bool // a byte has arrived
	begin   time.Time
	patience
}

// Open opens the file at path, of which at most the given number of bytes may be read. Use
// Read for the whole content.
func Open(ctx context.Context, path string, most int64) (*File, error) {
	return open(ctx, path, most, defaultPatience)
}

func open(ctx context.Context, path string, most int64, p patience) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	info, err := os.Stat(path) // first, because opening some devices has effects
	if err != nil {
		var of *fs.PathError
		if errors.As(err, &of) {
			of.Op = "open"
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w%s", err, neighbour(path))
		}
		return nil, err
	}
	if err := readable(path, info.Mode()); err != nil {
		return nil, err
	}
	// Without O_NONBLOCK, opening a pipe waits for a writer.
	o, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	f := &File{f: o, ctx: ctx, path: path, what: "reading " + path, most: most, left: most, begin: time.Now(), patience: p}
	if err := f.look(); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	f.stop = context.AfterFunc(ctx, func() { _ = o.SetReadDeadline(time.Unix(1, 0)) })
	return f, nil
}

// look checks the opened file: another one may have replaced it.
func (f *File) look() error {
	info, err := f.f.Stat()
	if err != nil {
		return err
	}
	if err := readable(f.path, info.Mode()); err != nil {
		return err
	}
	if f.pipe = info.Mode()&fs.ModeNamedPipe != 0; f.pipe {
		f.named = !anonymous(f.path)
		return nil
	}
	if info.Size() > f.most {
		return tooLarge(f.path, info.Size(), f.most)
	}
	f.size = info.Size()
	return nil
}

// readable refuses everything except regular files and pipes.
func readable(path string, mode fs.FileMode) error {
	what := "neither a file nor a pipe"
	switch {
	case mode.IsRegular(), mode&fs.ModeNamedPipe != 0:
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s: is a folder: name a file in it", path)
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return fmt.Errorf("%s: is %s, which is not supported: name a regular file or a pipe", path, what)
}

// anonymous reports whether a path such as /dev/stdin or /dev/fd/63 refers to a pipe between
// processes. Such a pipe has had a writer: without one it has ended.
func anonymous(path string) bool {
	for range 8 { // /dev/stdin, /proc/self/fd/0, pipe:[123]
		to, err := os.Readlink(path)
		if err != nil {
			return false
		}
		if strings.HasPrefix(to, "pipe:[") {
			return true
		}
		if path = to; !strings.HasPrefix(path, "/") {
			return false
		}
	}
	return false
}

func tooLarge(path string, size, most int64) error {
	return fmt.Errorf("%s: has %d bytes, more than the limit of %d: name the right file, or a smaller one", path, size, most)
}

// Close closes the file.
func (f *File) Close() error {
	f.stop()
	return f.f.Close()
}

// Read reads on. It returns an error that names the path if the file is larger than the limit,
// the pipe is silent for too long or the context ends.
func (f *File) Read(b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	if int64(len(b)) > f.left+1 {
		b = b[:f.left+1]
	}
	if f.pipe {
		n, err = f.readPipe(b)
	} else if err = f.ctx.Err(); err == nil {
		n, err = f.f.Read(b)
	} else {
		err = fmt.Errorf("%s: %w", f.path, err)
	}
	if int64(n) > f.left {
		return 0, fmt.Errorf("%s: has more than %d bytes, the limit: name the right file, or a smaller one", f.path, f.most)
	}
	f.left -= int64(n)
	progress.Tell(f.ctx, progress.Step{What: f.what, Done: f.most - f.left, Total: f.size, Unit: progress.Bytes})
	return n, err
}

// readPipe waits for bytes while there may be some.
func (f *File) readPipe(b []byte) (int, error) {
	last := time.Now()
	for {
		deadline := last.Add(f.silence)
		if end := f.begin.Add(f.whole); end.Before(deadline) {
			deadline = end
		}
		_ = f.f.SetReadDeadline(deadline) // if pipes do not support it, reads do not block
		if err := f.ctx.Err(); err != nil {
			return 0, fmt.Errorf("%s: %w", f.path, err)
		}
		n, err := f.f.Read(b)
		now := time.Now()
		switch {
		case n > 0:
			f.started = true
			return n, nil
		case f.ctx.Err() != nil:
			return 0, fmt.Errorf("%s: %w", f.path, f.ctx.Err())
		case errors.Is(err, io.EOF) && (f.started || !f.named):
			return 0, io.EOF
		case errors.Is(err, io.EOF) && now.Sub(f.begin) > f.writer:
			return 0, fmt.Errorf("%s: is a pipe without a writer for %v: start the program that writes to it, or name a file", f.path, f.writer)
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.EAGAIN) && now.After(deadline):
			return 0, f.silent(now)
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, syscall.EAGAIN):
			return 0, err
		}
		select {
		case <-f.ctx.Done():
		case <-time.After(pause):
		}
	}
}

// pause is the time between two checks for a pipe's writer.
const pause = 5 * time.Millisecond

func (f *File) silent(now time.Time) error {
	if now.Sub(f.begin) >= f.whole {
		return fmt.Errorf("%s: is a pipe that has not ended within %v: write a file first and name that", f.path, f.whole)
	}
	return fmt.Errorf("%s: is a pipe that has been silent for %v: write a file first and name that", f.path, f.silence)
}

// maxNeighbours bounds how many names of a folder are compared with that of a file that is not
// there.
const maxNeighbours = 4096

// neighbour suggests the file beside path that was probably meant.
func neighbour(path string) string {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxNeighbours) // as many as there are
	slices.Sort(names)
	return spelling.Hint(filepath.Base(path), names)
}

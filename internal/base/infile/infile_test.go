package infile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// short is the patience of the tests.
var short = patience{writer: 50 * time.Millisecond, silence: 150 * time.Millisecond, whole: 400 * time.Millisecond}

func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, content := range []string{"", "a: 1", strings.Repeat("x", 100_000)} {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		most := int64(len(content))
		if got, err := Read(context.Background(), path, most); string(got) != content || err != nil {
			t.Errorf("%d bytes: read %d, %v", most, len(got), err)
		}
		if _, err := Read(context.Background(), path, most-1); most > 0 && (err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "limit")) {
			t.Errorf("more than %d bytes: %v", most-1, err)
		}
	}
	if _, err := Read(context.Background(), filepath.Join(dir, "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A file whose size says nothing, such as those of /proc, is bounded by what is read.
func TestReadWithoutSize(t *testing.T) {
	const path = "/proc/self/maps"
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Skip("no such file here")
	}
	if got, err := Read(context.Background(), path, 1<<20); err != nil || len(got) == 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := Read(context.Background(), path, 10); err == nil || !strings.Contains(err.Error(), "more than 10 bytes") {
		t.Errorf("beyond the limit: %v", err)
	}
}

// Files that never end, and what is no file, are refused at once.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]string{
		"/dev/zero": "a device", "/dev/null": "a device", "/dev/random": "a device",
		dir: "a folder", socket: "a socket",
	} {
		begin := time.Now()
		_, err := Read(context.Background(), path, 1<<30)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%s took %v", path, took)
		}
	}
}

func TestPipe(t *testing.T) {
	path := fifo(t)
	text := strings.Repeat("text ", 50_000) // more than a pipe holds
	go func() {
		time.Sleep(20 * time.Millisecond) // the reader is there first
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		for part := range strings.SplitSeq(text, "t") {
			if _, err := io.WriteString(w, "t"+part); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	got, err := Read(context.Background(), path, 1<<20)
	if want := "t" + text; err != nil || string(got) != want {
		t.Errorf("read %d bytes of %d, %v", len(got), len(want), err)
	}
}

// A pipe between processes that has ended without a byte is empty, at once.
func TestAnonymousPipe(t *testing.T) {
	for _, content := range []string{"", "text"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("/dev/fd", itoa(r.Fd()))
		if _, err := os.Stat(path); err != nil {
			t.Skip(err)
		}
		_, _ = io.WriteString(w, content)
		w.Close()
		begin := time.Now()
		got, err := read(context.Background(), path, 1<<20, patience{time.Minute, time.Minute, time.Minute})
		if string(got) != content || err != nil || time.Since(begin) > 5*time.Second {
			t.Errorf("%q, %v after %v; want %q", got, err, time.Since(begin), content)
		}
		r.Close()
	}
}

func itoa(n uintptr) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// However a pipe behaves, reading from it ends in time and in size. Each case leaves a
// busy machine no other reason to end.
func TestPipeThatDoesNotEnd(t *testing.T) {
	const never = time.Minute
	for name, c := range map[string]struct {
		write          func(w *os.File)
		want           string
		silence, whole time.Duration
	}{
		"silent": {func(*os.File) {}, "silent for", short.silence, never},
		"drips": {func(w *os.File) {
			for {
				if _, err := w.Write([]byte{'x'}); err != nil {
					return
				}
				time.Sleep(short.silence / 4)
			}
		}, "has not ended", never, short.whole},
		"floods": {func(w *os.File) {
			for b := make([]byte, 1<<16); ; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}, "more than 1048576 bytes", never, never},
	} {
		t.Run(name, func(t *testing.T) {
			path := fifo(t)
			w, err := os.OpenFile(path, os.O_RDWR, 0) // does not wait for a reader
			if err != nil {
				t.Fatal(err)
			}
			go c.write(w)
			defer w.Close()
			begin := time.Now()
			_, err = read(context.Background(), path, 1<<20, patience{short.writer, c.silence, c.whole})
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if took := time.Since(begin); took > min(c.silence, c.whole)+2*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	t.Run("no writer", func(t *testing.T) {
		begin := time.Now()
		if _, err := read(context.Background(), fifo(t), 1<<20, short); err == nil || !strings.Contains(err.Error(), "without a writer") {
			t.Errorf("%v", err)
		}
		if took := time.Since(begin); took > short.writer+2*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// The end of the context ends the wait for a pipe, and reading at all.
func TestContext(t *testing.T) {
	silent := fifo(t)
	w, err := os.OpenFile(silent, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, bytes.Repeat([]byte("x"), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{silent, fifo(t), file} {
		ctx, stop := context.WithCancel(context.Background())
		if path == file {
			stop()
		}
		time.AfterFunc(50*time.Millisecond, stop)
		begin := time.Now()
		_, err := Read(ctx, path, 1<<20)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%s: it took %v to stop", path, took)
		}
	}
}

func TestReadAll(t *testing.T) {
	ctx := context.Background()
	if got, err := ReadAll(ctx, "standard input", strings.NewReader("abc"), 3); string(got) != "abc" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := ReadAll(ctx, "standard input", strings.NewReader("abcd"), 3); err == nil || !strings.Contains(err.Error(), "standard input: has more than 3 bytes") {
		t.Error(err)
	}
	r, w := io.Pipe()
	defer w.Close()
	ctx, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if _, err := ReadAll(ctx, "standard input", r, 3); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// A large file is read in pieces, and each is told.
func TestReadingIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, make([]byte, 3*chunk/2), 0o600); err != nil {
		t.Fatal(err)
	}
	var told []progress.Step
	ctx := progress.With(t.Context(), func(s progress.Step) { told = append(told, s) })
	if _, err := Read(ctx, path, 2*chunk); err != nil {
		t.Fatal(err)
	}
	if len(told) < 2 || told[0] != (progress.Step{What: "reading " + path, Done: chunk, Total: 3 * chunk / 2, Unit: progress.Bytes}) {
		t.Errorf("%v", told)
	}
	if last := told[len(told)-1]; last.Done != last.Total {
		t.Errorf("ends with %v", last)
	}
}

// ReadAt stays within the file as it was opened; a pipe has no places.
func TestReadAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	f, err := Open(ctx, path, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := f.Size(); n != 10 || err != nil {
		t.Errorf("size %d, %v", n, err)
	}
	for _, c := range []struct {
		off  int64
		want string
		end  bool
	}{{0, "0123", false}, {6, "6789", false}, {8, "89", true}, {10, "", true}, {-1, "", true}} {
		b := make([]byte, 4)
		n, err := f.ReadAt(b, c.off)
		if string(b[:n]) != c.want || errors.Is(err, io.EOF) != c.end {
			t.Errorf("at %d: %q, %v", c.off, b[:n], err)
		}
	}
	stop()
	if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context's end: %v", err)
	}
	w, err := os.OpenFile(fifo(t), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p, err := Open(context.Background(), w.Name(), 10)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Size(); err == nil || !strings.Contains(err.Error(), "is a pipe") {
		t.Errorf("a pipe: %v", err)
	}
}

func TestCutSelector(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "a#b.json")
	if err := os.WriteFile(whole, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"a.json":         {"a.json", ""},
		"a.json#box/3":   {"a.json", "box/3"},
		"a#b.json#box":   {"a#b.json", "box"},
		"a.json#":        {"a.json", ""},
		whole:            {whole, ""},
		whole + "#box/3": {whole, "box/3"},
	} {
		if file, selector := CutSelector(name); file != want[0] || selector != want[1] {
			t.Errorf("%s: file %s, selector %s", name, file, selector)
		}
	}
}

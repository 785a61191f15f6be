package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// alone fails where anything but the named files is in a folder.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(names) {
		t.Errorf("%v in the folder, want %v (%v)", entries, names, err)
	}
}

func TestFilesAreWhole(t *testing.T) {
	for name, write := range map[string]func(string, func(io.Writer) error) error{"Write": Write, "WriteCache": WriteCache} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x")
			if err := write(path, Text([]byte("old"))); err != nil || content(t, path) != "old" {
				t.Fatal(err)
			}
			broken := errors.New("broken")
			err := write(path, func(w io.Writer) error {
				_, _ = w.Write([]byte("half"))
				if content(t, path) != "old" {
					t.Error("a reader sees a part")
				}
				return broken
			})
			if !errors.Is(err, broken) || content(t, path) != "old" {
				t.Errorf("%v; left %q", err, content(t, path))
			}
			if err := write(path, Text([]byte("new"))); err != nil || content(t, path) != "new" {
				t.Fatal(err)
			}
			alone(t, dir, "x")
			nowhere := filepath.Join(dir, "none", "x")
			if err := write(nowhere, Text(nil)); err == nil || !strings.Contains(err.Error(), nowhere) {
				t.Errorf("a folder that is not there: %v", err)
			}
		})
	}
}

func TestPermissionsAndLinks(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "x"), filepath.Join(dir, "link")
	perm := func(path string) os.FileMode {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if err := Write(path, Text(nil)); err != nil || perm(path) != 0o644 {
		t.Error(err, perm(path))
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("x", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, Text([]byte("through"))); err != nil || content(t, path) != "through" || perm(path) != 0o600 || perm(link)&os.ModeSymlink == 0 {
		t.Errorf("%v: %q, %v, %v", err, content(t, path), perm(path), perm(link))
	}
	if err := WriteCache(link, Text([]byte("own"))); err != nil || content(t, path) != "through" || perm(link) != 0o600 {
		t.Errorf("%v: %q, %v", err, content(t, path), perm(link))
	}
	if err := Write(os.DevNull, Text([]byte("gone"))); err != nil || perm(os.DevNull).IsRegular() {
		t.Errorf("%s: %v", os.DevNull, err)
	}
}

// Check says what Write would, and changes nothing.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := Check(path); err != nil {
		t.Error(err)
	}
	alone(t, dir)
	if err := Write(path, Text([]byte("old"))); err != nil {
		t.Fatal(err)
	}
	if err := Check(path); err != nil || content(t, path) != "old" {
		t.Error(err)
	}
	if err := Check(os.DevNull); err != nil {
		t.Error(err)
	}
	alone(t, dir, "x")
	for _, bad := range []string{dir, filepath.Join(dir, "none", "x"), filepath.Join(path, "x")} {
		if err := Check(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Every reason comes with its remedy, names the path that was asked for and stays what it was.
func TestTroubleHasARemedy(t *testing.T) {
	dir := t.TempDir()
	path, none := filepath.Join(dir, "x"), filepath.Join(dir, "none", "x")
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{none, syscall.ENOENT, "the folder " + filepath.Dir(none) + " does not exist: create it, or name another"},
		{path, syscall.ENOENT, "the system lets nobody make files in the folder " + dir + ": name another"},
		{path, syscall.EACCES, "get the right to write it and in the folder " + dir + ", or name another"},
		{path, syscall.EROFS, "name a folder on a disk that can be written"},
		{path, syscall.ENOSPC, "free some, or name a folder on another disk"},
		{path, syscall.EDQUOT, "free some, or name a folder on another disk"},
		{path, syscall.ENAMETOOLONG, "give a shorter name"},
		{path, syscall.EISDIR, "it is a folder: name a file in it"},
		{path, syscall.ENOTDIR, "it is a file and no folder: name another folder"},
		{path, syscall.EIO, "cannot be written: " + syscall.EIO.Error() + ": name another file"},
	} {
		for _, temporary := range []string{"", "y"} {
			err := named(c.path, temporary, &fs.PathError{Op: "write", Path: "y", Err: c.err})
			if got := err.Error(); !strings.HasPrefix(got, "write "+c.path+": ") || !strings.HasSuffix(got, c.want) || !errors.Is(err, c.err) {
				t.Errorf("%v: %q, want %q", c.err, got, c.want)
			}
		}
	}
}

// Each way to write tells the same.
func TestTroubleIsToldEverywhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := Write(file, Text(nil)); err != nil {
		t.Fatal(err)
	}
	want := file + " is a file and no folder: name another folder"
	within := filepath.Join(file, "x")
	_, created := Create(within)
	for name, err := range map[string]error{
		"Write": Write(within, Text(nil)), "WriteCache": WriteCache(within, Text(nil)), "Check": Check(within), "Create": created,
		"Folder": Folder(filepath.Join(within, "y")),
	} {
		if err == nil || !strings.Contains(err.Error(), "is a file and no folder: name another folder") || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := Create(file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
	if err := Folder(filepath.Dir(file)); err != nil {
		t.Errorf("a folder that is there: %v", err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		err := Write("/dev/full", func(w io.Writer) error { _, err := w.Write([]byte("x")); return err })
		if err == nil || !strings.Contains(err.Error(), "/dev/full") || !strings.Contains(err.Error(), "free some") {
			t.Errorf("a full device: %v", err)
		}
	}
}

// Package outfile writes files so that readers see the old content or the new one, never a
// part.
package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write calls write with a new file beside path and moves that file to path after every byte
// is on the disk. If anything fails, path is unchanged. A new file gets the permissions 0644,
// an existing one keeps its own; links are followed. An existing path that is not a file, such
// as /dev/stdout, is written to directly.
func Write(path string, write func(io.Writer) error) error {
	perm := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return direct(path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		perm = info.Mode().Perm()
	}
	return replace(path, perm, true, write)
}

// WriteCache is like Write for files that can be computed again: it does not wait for the
// disk, so a crash of the machine may leave a truncated file. Only its owner can access the
// file, and a link at path is replaced, not followed.
func WriteCache(path string, write func(io.Writer) error) error {
	return replace(path, 0o600, false, write)
}

// Check returns the error that Write would have about the path, as far as one can tell before
// there is anything to write. It leaves nothing behind.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return explained("open", path, errFolder)
		}
		if !info.Mode().IsRegular() {
			return nil // opening a pipe or a device may have effects
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return named(path, "", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Create makes a new file for a writer that goes on for long, and fails where there is one: what
// was written is not overwritten.
func Create(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	return f, named(path, path, err)
}

// Folder makes a folder and those that it is in, unless they are there.
func Folder(path string) error {
	err := os.MkdirAll(path, 0o755)
	var at *fs.PathError
	if errors.As(err, &at) {
		return explained(at.Op, at.Path, at.Err)
	}
	return err
}

func direct(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return named(path, path, err)
	}
	if err := write(f); err != nil {
		return errors.Join(named(path, path, err), f.Close())
	}
	return named(path, path, f.Close())
}

func replace(path string, perm fs.FileMode, sync bool, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return named(path, "", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close() // already closed if that was the error
			err = errors.Join(named(path, f.Name(), err), os.Remove(f.Name()))
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// named turns an error about the temporary file, however deep, into one about path, with the remedy.
// An empty name means that the temporary file could not be created.
func named(path, temporary string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && (temporary == "" || at.Path == temporary) {
		return explained(at.Op, path, at.Err)
	}
	var moved *os.LinkError
	if errors.As(err, &moved) && moved.Old == temporary {
		return explained(moved.Op, path, moved.Err)
	}
	return err
}

// Text returns a function that writes text, as an argument of Write.
func Text(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

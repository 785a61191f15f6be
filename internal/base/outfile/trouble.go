package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// trouble is why a file cannot be written, with the remedy.
type trouble struct {
	text string
	err  error
}

func (t *trouble) Error() string { return t.text }
func (t *trouble) Unwrap() error { return t.err }

// explained adds the remedy to the error of an operation on a path.
func explained(op, path string, err error) error {
	return &fs.PathError{Op: op, Path: path, Err: &trouble{words(path, err), err}}
}

func words(path string, err error) string {
	dir := filepath.Dir(path)
	because := func(remedy string) string { return fmt.Sprintf("cannot be written: %v: %s", err, remedy) }
	switch file := notFolder(dir); {
	case file != "":
		return fmt.Sprintf("%s is a file and no folder: name another folder", file)
	case errors.Is(err, syscall.ENOTDIR):
		return "it is a file and no folder: name another folder"
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return fmt.Sprintf("the folder %s does not exist: create it, or name another", dir)
		}
		return fmt.Sprintf("the system lets nobody make files in the folder %s: name another", dir)
	case errors.Is(err, errFolder), errors.Is(err, syscall.EISDIR):
		return "it is a folder: name a file in it"
	case errors.Is(err, fs.ErrPermission):
		return because(fmt.Sprintf("get the right to write it and in the folder %s, or name another", dir))
	case errors.Is(err, syscall.EROFS):
		return because("name a folder on a disk that can be written")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return because("free some, or name a folder on another disk")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return because("give a shorter name")
	}
	return because("name another file")
}

// errFolder is that a path to write is a folder.
var errFolder = errors.New("is a folder")

// notFolder returns the file that stands where a folder should, or "".
func notFolder(dir string) string {
	for {
		info, err := os.Stat(dir)
		switch up := filepath.Dir(dir); {
		case err == nil && info.IsDir(), err != nil && up == dir:
			return ""
		case err == nil:
			return dir
		default:
			dir = up
		}
	}
}

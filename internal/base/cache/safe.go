package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// safeFolder returns the path of a folder without links, if only this user and the system's
// can change its contents: it and every folder above it belongs to one of them, and others
// cannot write to it. A parent folder in which users cannot modify each other's files, such as
// /tmp, is accepted.
func safeFolder(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	if err := safe(dir); err != nil {
		return "", err
	}
	for above := filepath.Dir(dir); ; above = filepath.Dir(above) {
		info, err := os.Stat(above)
		if err != nil {
			return "", err
		}
		if err := mine(info); err != nil && !(info.Mode()&fs.ModeSticky != 0 && errors.Is(err, errOpen)) {
			return "", fmt.Errorf("the folder %s above it %w", above, err)
		}
		if above == filepath.Dir(above) {
			return dir, nil
		}
	}
}

// safe fails if others can change the contents of a folder.
func safe(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder: remove it", dir)
	}
	if err := mine(info); err != nil {
		return fmt.Errorf("the folder %s %w", dir, err)
	}
	return nil
}

var errOpen = errors.New("can be written to by other users: run chmod go-w on it, remove its contents, or name another folder")

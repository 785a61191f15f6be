package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

// output is a file to write, and the flag that names it. The path may be empty.
type output struct{ flag, path string }

// outputs returns the files of a flag that may be repeated.
func outputs(flag string, paths []string) (files []output) {
	for _, path := range paths {
		files = append(files, output{flag, path})
	}
	return files
}

// writable fails if one of the files cannot be written, or if two have the same name: before
// work that might be long and then lost.
func writable(files ...output) error {
	seen := map[string]string{}
	for _, o := range files {
		if o.path == "" {
			continue
		}
		clean := filepath.Clean(o.path)
		if flag, twice := seen[clean]; twice && regular(o.path) {
			return outputError{fmt.Errorf("--%s %s: --%s names the same file: give each its own", o.flag, o.path, flag)}
		}
		seen[clean] = o.flag
		if err := outfile.Check(o.path); err != nil {
			return o.failed(err)
		}
	}
	return nil
}

// failed turns the failure to write the file into an outputError that names the flag. Other
// errors stay as they are.
func (o output) failed(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	if to, _ := filepath.EvalSymlinks(o.path); at.Path != o.path && at.Path != to {
		return err
	}
	return outputError{fmt.Errorf("--%s %s: %w", o.flag, o.path, at.Err)}
}

// ends fails if the file's name has none of the endings that say what to write. A path such as
// /dev/stdout needs none.
func (o output) ends(remedy string, endings ...string) error {
	if o.path == "" || !regular(o.path) || slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(o.path, e) }) {
		return nil
	}
	return fmt.Errorf("--%s %s: name a file that ends in %s", o.flag, o.path, remedy)
}

// regular reports whether a path is, or will be, that of a regular file.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular() || info.IsDir()
}

// create writes a file completely or not at all.
func create(o output, write func(io.Writer) error) error {
	err := o.failed(outfile.Write(o.path, write))
	var lost outputError
	if err == nil || errors.As(err, &lost) {
		return err
	}
	return fmt.Errorf("%s: %w", o.path, err)
}

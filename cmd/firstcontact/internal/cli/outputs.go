package cli

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

// Output is a file to write, and the flag that names it. The path may be empty.
type Output struct{ Flag, Path string }

// Outputs returns the files of a flag that may be repeated.
func Outputs(flag string, paths []string) (files []Output) {
	for _, path := range paths {
		files = append(files, Output{flag, path})
	}
	return files
}

// Input is a file that is read, and what names it: a flag, or MOTION. The path may be one that no file has.
type Input struct{ What, Path string }

// Writable fails if one of the files cannot be written, if two have the same name, or if one is an
// input: before work that might be long and then lost, and before what was given is.
func Writable(inputs []Input, files ...Output) error {
	seen := map[string]string{}
	for _, o := range files {
		if o.Path == "" {
			continue
		}
		clean := filepath.Clean(o.Path)
		if flag, twice := seen[clean]; twice && Regular(o.Path) {
			return OutputError{fmt.Errorf("--%s %s: --%s names the same file: give each its own", o.Flag, o.Path, flag)}
		}
		seen[clean] = o.Flag
		if err := o.spares(inputs); err != nil {
			return err
		}
		if err := outfile.Check(o.Path); err != nil {
			return o.Failed(err)
		}
	}
	return nil
}

// spares fails if the file is one of the inputs, by whatever name or link.
func (o Output) spares(inputs []Input) error {
	written, err := os.Stat(o.Path)
	if err != nil || !written.Mode().IsRegular() {
		return nil // it does not exist, or keeps nothing
	}
	for _, in := range inputs {
		if read, err := os.Stat(in.Path); err == nil && os.SameFile(read, written) {
			return UsageError{fmt.Errorf("--%s %s: %s is the same file, which it would overwrite: name another", o.Flag, o.Path, in.What)}
		}
	}
	return nil
}

// Failed turns the failure to write the file into an OutputError that names the flag. Other
// errors stay as they are.
func (o Output) Failed(err error) error {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	if to, _ := filepath.EvalSymlinks(o.Path); at.Path != o.Path && at.Path != to {
		return err
	}
	return OutputError{fmt.Errorf("--%s %s: %w", o.Flag, o.Path, at.Err)}
}

// Ends fails if the file's name has none of the endings that say what to write. A path such as
// /dev/stdout needs none.
func (o Output) Ends(remedy string, endings ...string) error {
	if o.Path == "" || !Regular(o.Path) || slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(o.Path, e) }) {
		return nil
	}
	return fmt.Errorf("--%s %s: name a file that ends in %s", o.Flag, o.Path, remedy)
}

// Regular reports whether a path is, or will be, that of a regular file.
func Regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular() || info.IsDir()
}

// Create writes a file completely or not at all.
func Create(o Output, write func(io.Writer) error) error {
	err := o.Failed(outfile.Write(o.Path, write))
	var lost OutputError
	if err == nil || errors.As(err, &lost) {
		return err
	}
	return fmt.Errorf("%s: %w", o.Path, err)
}

// Command gen writes the Go packages of ROS messages from their definitions:
//
//	go run ./msgs/gen          from the repository's root
//	go generate ./msgs         the same
//
// It reads the project's own definitions in ros/firstcontact_msgs, the standard ones in
// msgs/std/PACKAGE, and in msgs/humble/PACKAGE those that differ in ROS 2 Humble. Below
// msgs it writes one Go package for each ROS package, one file for each definition, and
// the list of all types; generated files that no longer have a definition are removed.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func main() {
	dir := flag.String("dir", "", "the repository (default: found from the working directory)")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	if dir == "" {
		found, err := findDir()
		if err != nil {
			return err
		}
		dir = found
	}
	files, err := generate(os.DirFS(dir))
	if err != nil {
		return err
	}
	return write(filepath.Join(dir, goRoot), files)
}

// findDir returns the repository's root, from there or from the folder msgs.
func findDir() (string, error) {
	for _, dir := range []string{".", ".."} {
		if _, err := os.Stat(filepath.Join(dir, standardDir, "std_msgs")); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("the folder %s of definitions is not here: run from the repository's root, or give -dir", standardDir)
}

// write makes dir hold exactly the generated files that are given.
func write(dir string, files map[string][]byte) error {
	old, err := generatedFiles(os.DirFS(dir))
	if err != nil {
		return err
	}
	for name := range old {
		if _, ok := files[name]; !ok {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	for name, data := range files {
		if bytes.Equal(old[name], data) {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generatedFiles returns the files below dir that this program wrote.
func generatedFiles(dir fs.FS) (map[string][]byte, error) {
	start, _, _ := strings.Cut(marker, "%")
	files := map[string][]byte{}
	err := fs.WalkDir(dir, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" {
			return err
		}
		data, err := fs.ReadFile(dir, name)
		if err == nil && bytes.HasPrefix(data, []byte(start)) {
			files[name] = data
		}
		return err
	})
	return files, err
}

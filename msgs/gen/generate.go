package main

import (
	"fmt"
	"go/format"
	"io/fs"
	"path"
	"strings"

	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
)

// ownPackage is the ROS package of the project's own messages, and ownDir the folder of
// their definitions, which a ROS workspace builds as they are.
const (
	ownPackage = "firstcontact_msgs"
	ownDir     = "ros/" + ownPackage
)

// The Go packages lie below goRoot, beside the standard definitions (standardDir) and
// those that differ in ROS 2 Humble (variantDir of goRoot).
const (
	goRoot      = "msgs"
	standardDir = goRoot + "/std"
	variantDir  = "humble"
)

// testPackage has fields of every kind, for tests alone: its definitions and its
// Go code lie in testDir of goRoot.
const (
	testPackage = "every_kind"
	testDir     = "internal/everykind"
)

// pkg is one ROS package and the Go package that is made of it.
type pkg struct {
	ros     string
	dir     string // of the definitions
	variant string // "" or variantDir
	refs    []rosidl.Ref
}

// goDir is the Go package's folder, and the end of its import path.
func (p pkg) goDir() string {
	if p.ros == testPackage {
		return testDir
	}
	return path.Join(packageName(p.ros), p.variant)
}

func (p pkg) goName() string { return path.Base(p.goDir()) }

// generate reads the definitions below dir, the repository, and returns the files to
// write, by their path below goRoot.
func generate(dir fs.FS) (map[string][]byte, error) {
	standard, err := subfolders(dir, standardDir)
	if err != nil {
		return nil, err
	}
	base := append(standard, pkg{ros: ownPackage, dir: ownDir})
	test := []pkg{{ros: testPackage, dir: path.Join(goRoot, testDir)}}
	files := map[string][]byte{}
	set := rosidl.NewSet()
	for _, packages := range [][]pkg{base, test} {
		if err := load(set, dir, packages); err != nil {
			return nil, err
		}
	}
	for _, packages := range [][]pkg{base, test} {
		if err := emitAll(set, packages, files); err != nil {
			return nil, err
		}
	}
	variants, err := subfolders(dir, path.Join(goRoot, variantDir))
	if err != nil {
		return nil, err
	}
	all := base
	for i := range variants {
		variants[i].variant = variantDir
		overlay := rosidl.NewSet() // the standard definitions with this package's in their place
		if err := load(overlay, dir, base); err != nil {
			return nil, err
		}
		if err := load(overlay, dir, variants[i:i+1]); err != nil {
			return nil, err
		}
		if err := emitAll(overlay, variants[i:i+1], files); err != nil {
			return nil, err
		}
		all = append(all, variants[i])
	}
	files["types.go"], err = emitTypes(set, all)
	return files, err
}

// subfolders lists the ROS packages below parent.
func subfolders(dir fs.FS, parent string) ([]pkg, error) {
	entries, err := fs.ReadDir(dir, parent)
	if err != nil {
		return nil, err
	}
	var packages []pkg
	for _, e := range entries {
		if e.IsDir() {
			packages = append(packages, pkg{ros: e.Name(), dir: path.Join(parent, e.Name())})
		}
	}
	return packages, nil
}

// load adds the definitions of the packages and notes their names.
func load(set *rosidl.Set, dir fs.FS, packages []pkg) error {
	for i := range packages {
		sub, err := fs.Sub(dir, packages[i].dir)
		if err != nil {
			return err
		}
		if packages[i].refs, err = set.LoadPackage(packages[i].ros, sub); err != nil {
			return err
		}
	}
	return nil
}

func emitAll(set *rosidl.Set, packages []pkg, files map[string][]byte) error {
	if err := set.Check(); err != nil {
		return err
	}
	for _, p := range packages {
		files[path.Join(p.goDir(), "doc.go")] = emitDoc(p)
		for _, ref := range p.refs {
			data, err := emitFile(set, p, ref)
			if err != nil {
				return fmt.Errorf("%s: %w", ref, err)
			}
			files[path.Join(p.goDir(), fileName(ref))] = data
		}
	}
	return nil
}

func emitDoc(p pkg) []byte {
	of := ""
	if p.variant != "" {
		of = ", in the form of ROS 2 Humble"
	}
	return fmt.Appendf(nil, marker+"// Package %s holds the messages of the ROS package %s%s.\npackage %s\n",
		p.ros, p.goName(), p.ros, of, p.goName())
}

// emitTypes returns the list of every message.
func emitTypes(set *rosidl.Set, packages []pkg) ([]byte, error) {
	var imports, list strings.Builder
	fmt.Fprintf(&imports, "%q\n", module+"cdr")
	for _, p := range packages {
		alias := strings.ReplaceAll(p.goDir(), "/", "")
		if alias != p.goName() {
			imports.WriteString(alias + " ")
		}
		fmt.Fprintf(&imports, "%q\n", module+p.goDir())
		for _, ref := range p.refs {
			for _, part := range goTypes(set, ref) {
				fmt.Fprintf(&list, "new(%s.%s),\n", alias, typeName(part))
			}
		}
	}
	return format.Source(fmt.Appendf(nil, marker+`package msgs

import (
%s)

// All returns a new, zero value of every message there is, those of ROS 2 Humble
// last.
func All() []cdr.Message {
return []cdr.Message{
%s}
}
`, "all definitions", imports.String(), list.String()))
}

// goTypes lists the messages of a definition that have a Go type. What ROS derives from an
// action has none: it wraps the goal, the result or the feedback.
func goTypes(set *rosidl.Set, ref rosidl.Ref) []rosidl.Ref {
	if srv, ok := set.Services[ref]; ok {
		return []rosidl.Ref{srv.Request.Ref, srv.Response.Ref}
	}
	if a, ok := set.Actions[ref]; ok {
		return []rosidl.Ref{a.Goal.Ref, a.Result.Ref, a.Feedback.Ref}
	}
	return []rosidl.Ref{ref}
}

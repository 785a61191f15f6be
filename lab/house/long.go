package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"io"
	"slices"
)

// sized is something with a length.
type sized struct {
	size int
	name string
}

// writeLongest prints the top longest functions, files and parameter lists of the
// product, tests apart.
func (s *source) writeLongest(w io.Writer, top int) {
	var functions, files, parameters []sized
	for _, f := range s.files {
		if f.lab || f.test {
			continue
		}
		files = append(files, sized{f.lines, f.path})
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				name := f.path + ": " + nameOf(fn)
				functions = append(functions, sized{s.lines(fn), name})
				parameters = append(parameters, sized{fn.Type.Params.NumFields(), name})
			}
		}
	}
	writeTop(w, "functions, in lines", functions, top)
	writeTop(w, "files, in lines", files, top)
	writeTop(w, "parameter lists", parameters, top)
}

// nameOf returns a function's name, with its type where it is a method.
func nameOf(fn *ast.FuncDecl) string {
	if receiver := receiverOf(fn); receiver != "" {
		return receiver + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// lines counts the lines of a function from the word func to its closing brace.
func (s *source) lines(fn *ast.FuncDecl) int {
	return s.set.Position(fn.End()).Line - s.set.Position(fn.Pos()).Line + 1
}

func writeTop(w io.Writer, what string, all []sized, top int) {
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(b.size, a.size) })
	median := 0
	if len(all) > 0 {
		median = all[len(all)/2].size
	}
	fmt.Fprintf(w, "\nLongest %s (%d, median %d)\n", what, len(all), median)
	for _, x := range all[:min(top, len(all))] {
		fmt.Fprintf(w, "  %5d  %s\n", x.size, x.name)
	}
}

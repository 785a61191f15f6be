// Command reads lists the tests that read a folder beside the repository, so that those alone
// can be run where it is there. A test counts if its code names the folder as ../NAME, or if
// what it mentions does so: functions, methods, variables and constants of its package, by
// their names alone, so rather one too many than one too few.
//
// Usage: go run ./.ci/reads NAME PACKAGE...
//
// It prints the packages with such tests on one line, and a pattern for go test -run on the next.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: reads NAME PACKAGE...")
		os.Exit(2)
	}
	packages, pattern, err := list(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "reads:", err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(packages, " "))
	fmt.Println(pattern)
}

// list returns those of the folders whose tests read ../name, and the pattern of these tests.
func list(name string, folders []string) (packages []string, pattern string, err error) {
	names := map[string]bool{}
	for _, folder := range folders {
		decls, err := declarations(folder)
		if err != nil {
			return nil, "", err
		}
		found := tests(decls, name)
		if len(found) > 0 {
			packages = append(packages, folder)
		}
		for _, test := range found {
			names[test] = true
		}
	}
	if len(packages) == 0 {
		return nil, "", fmt.Errorf("no test reads ../%s", name)
	}
	return packages, "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$", nil
}

// declaration is a function, method, variable, constant or type of a package.
type declaration struct {
	name   string
	isTest bool
	node   ast.Node
}

// declarations returns those of all files in a folder, whatever their build tags.
func declarations(folder string) ([]declaration, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: no Go files (%v)", folder, err)
	}
	var all []declaration
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range parsed.Decls {
			all = append(all, of(d, strings.HasSuffix(file, "_test.go"))...)
		}
	}
	return all, nil
}

var entry = regexp.MustCompile(`^(Test|Fuzz|Example)([^a-z]|$)`)

func of(d ast.Decl, inTest bool) (all []declaration) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []declaration{{d.Name.Name, inTest && d.Recv == nil && entry.MatchString(d.Name.Name), d}}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					all = append(all, declaration{name.Name, false, spec})
				}
			case *ast.TypeSpec:
				all = append(all, declaration{spec.Name.Name, false, spec})
			}
		}
	}
	return all
}

// tests returns the tests that name the folder, or mention what does, at whatever remove.
func tests(decls []declaration, folder string) []string {
	reading := map[string]bool{} // names of declarations
	for grown := true; grown; {
		grown = false
		for _, d := range decls {
			if !reading[d.name] && (namesFolder(d.node, folder) || mentions(d, reading)) {
				reading[d.name], grown = true, true
			}
		}
	}
	var found []string
	for _, d := range decls {
		if d.isTest && reading[d.name] {
			found = append(found, d.name)
		}
	}
	return found
}

func mentions(d declaration, names map[string]bool) (yes bool) {
	ast.Inspect(d.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] {
			yes = true
		}
		return !yes
	})
	return yes
}

// namesFolder looks for ../NAME in a string, and for "..", "NAME" as elements of a path.
func namesFolder(node ast.Node, folder string) (yes bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			yes = yes || strings.Contains(text(n), "../"+folder)
		case *ast.CallExpr:
			yes = yes || elements(n.Args, folder)
		case *ast.CompositeLit:
			yes = yes || elements(n.Elts, folder)
		}
		return !yes
	})
	return yes
}

func elements(list []ast.Expr, folder string) bool {
	for i := 1; i < len(list); i++ {
		if text(list[i-1]) == ".." && strings.HasPrefix(text(list[i])+"/", folder+"/") {
			return true
		}
	}
	return false
}

// text is the value of a string literal, "" of anything else.
func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if s, err := strconv.Unquote(lit.Value); err == nil {
			return s
		}
	}
	return ""
}

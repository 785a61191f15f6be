// Command reads lists the tests that read a folder beside the repository, or call certain functions, so
// that those alone can be run where that makes a difference. A test counts if its code names
// the folder or a function, or if what it mentions does so: functions, methods, variables and constants
// of its package, by their names alone, so rather one too many than one too few.
//
// Usage: go run ./.ci/reads ../FOLDER|PACKAGE.FUNCTION,... PACKAGE...
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
		fmt.Fprintln(os.Stderr, "usage: reads ../FOLDER|PACKAGE.FUNCTION,... PACKAGE...")
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

// list returns those of the folders whose tests read or call what is wanted, and the pattern of these
// tests.
func list(wanted string, folders []string) (packages []string, pattern string, err error) {
	touches := calls(strings.Split(wanted, ","))
	if folder, ok := strings.CutPrefix(wanted, "../"); ok {
		touches = namesFolder(folder)
	}
	names := map[string]bool{}
	for _, folder := range folders {
		decls, err := declarations(folder)
		if err != nil {
			return nil, "", err
		}
		found := tests(decls, touches)
		if len(found) > 0 {
			packages = append(packages, folder)
		}
		for _, test := range found {
			names[test] = true
		}
	}
	if len(packages) == 0 {
		return nil, "", fmt.Errorf("no test reads or calls %s", wanted)
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

// tests returns the tests that touch it, or mention what does, at whatever remove.
func tests(decls []declaration, touches func(ast.Node) bool) []string {
	reading := map[string]bool{} // names of declarations
	for grown := true; grown; {
		grown = false
		for _, d := range decls {
			if !reading[d.name] && (within(d.node, touches) || mentions(d, reading)) {
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

func mentions(d declaration, names map[string]bool) bool {
	return within(d.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && names[id.Name]
	})
}

func within(node ast.Node, is func(ast.Node) bool) (yes bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		yes = yes || n != nil && is(n)
		return !yes
	})
	return yes
}

// namesFolder looks for ../FOLDER in a string, and for "..", "FOLDER" as elements of a path.
func namesFolder(folder string) func(ast.Node) bool {
	return func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			return strings.Contains(text(n), "../"+folder)
		case *ast.CallExpr:
			return elements(n.Args, folder)
		case *ast.CompositeLit:
			return elements(n.Elts, folder)
		}
		return false
	}
}

// calls looks for functions of other packages.
func calls(functions []string) func(ast.Node) bool {
	return func(n ast.Node) bool {
		f, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		of, ok := f.X.(*ast.Ident)
		return ok && slices.Contains(functions, of.Name+"."+f.Sel.Name)
	}
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

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// entry is a change that no generic operator makes: it drops or weakens one
// condition of a proof. It is found by the function that it is made in and by the
// syntax that it replaces, so that only an edit of that very code breaks it.
type entry struct {
	name string // what is changed, and to what
	drop string // the condition or term that is gone
	dir  string // the package, from the module's root
	fn   string // "Type.Method" or "function"
	// old is an expression, a statement or consecutive statements of the function,
	// once in it; its layout does not matter. new replaces it.
	old, new string
	// tests are the tests that must fail, separated by spaces, in the package of the
	// function, or in judge.
	tests, judge string
}

func (e *entry) judged() string {
	if e.judge != "" {
		return e.judge
	}
	return e.dir
}

// find returns the entry as a mutant.
func (e *entry) find(m *module) (*mutant, error) {
	p := m.loaded[e.dir]
	if p == nil || p.files == nil {
		return nil, fmt.Errorf("%s: package %s is not loaded", e.name, e.dir)
	}
	want, isExpr, err := parsePattern(e.old)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	var found []*mutant
	known := false
	for _, f := range p.files {
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || funcName(fn) != e.fn {
				continue
			}
			known = true
			for _, r := range matches(fn.Body, want, isExpr) {
				found = append(found, &mutant{
					pkg: p, file: f, fn: e.fn, op: semantic, line: f.fset.PositionFor(r.pos, false).Line,
					from: f.offset(r.pos), to: f.offset(r.end), with: e.new,
				})
			}
		}
	}
	switch {
	case !known:
		return nil, fmt.Errorf("%s: %s has no function %s", e.name, e.dir, e.fn)
	case len(found) != 1:
		return nil, fmt.Errorf("%s: %s: %s has %d places like %s, want 1", e.name, e.dir, e.fn, len(found), e.old)
	}
	return found[0], nil
}

// parsePattern writes an expression or statements as write does.
func parsePattern(src string) (want []string, isExpr bool, err error) {
	if x, err := parser.ParseExpr(src); err == nil {
		return []string{write(x)}, true, nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func f() {\n"+src+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil, false, err
	}
	for _, s := range f.Decls[0].(*ast.FuncDecl).Body.List {
		want = append(want, write(s))
	}
	return want, false, nil
}

var space = regexp.MustCompile(`\s+`)

// write prints a node in one line, without comments.
func write(n ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), n); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(space.ReplaceAllString(b.String(), " "))
}

type span struct{ pos, end token.Pos }

// matches returns where the pattern occurs below n.
func matches(n ast.Node, want []string, isExpr bool) []span {
	var found []span
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Expr:
			if isExpr && write(n) == want[0] {
				found = append(found, span{n.Pos(), n.End()})
			}
		case *ast.BlockStmt:
			if !isExpr {
				found = append(found, runs(n.List, want)...)
			}
		case *ast.CaseClause:
			if !isExpr {
				found = append(found, runs(n.Body, want)...)
			}
		}
		return true
	})
	return found
}

// runs returns where the statements occur one after another.
func runs(list []ast.Stmt, want []string) []span {
	var found []span
next:
	for i := 0; i+len(want) <= len(list); i++ {
		for j, w := range want {
			if write(list[i+j]) != w {
				continue next
			}
		}
		found = append(found, span{list[i].Pos(), list[i+len(want)-1].End()})
	}
	return found
}

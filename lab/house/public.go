package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"slices"
)

// exports counts the exported identifiers of a package.
type exports struct {
	types, aliases   int // aliases are counted as types, too
	funcs, values    int
	methods, structs int // of exported types; fields of exported structs
}

// total is what go doc -all lists by a name of its own: fields are not.
func (e exports) total() int { return e.types + e.funcs + e.values + e.methods }

func (e exports) plus(o exports) exports {
	return exports{
		e.types + o.types, e.aliases + o.aliases, e.funcs + o.funcs,
		e.values + o.values, e.methods + o.methods, e.structs + o.structs,
	}
}

// public returns the exports of each package of the product that others can import.
func (s *source) public() map[string]exports {
	found := map[string]exports{}
	for _, f := range s.files {
		if f.lab || f.test || f.syntax.Name.Name == "main" || isInternal(f.folder()) {
			continue
		}
		e := found[f.folder()]
		for _, decl := range f.syntax.Decls {
			e = e.plus(exportsOf(decl))
		}
		found[f.folder()] = e
	}
	return found
}

func exportsOf(decl ast.Decl) (e exports) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		switch receiver := receiverOf(decl); {
		case !decl.Name.IsExported():
		case receiver == "":
			e.funcs++
		case ast.IsExported(receiver):
			e.methods++
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			e = e.plus(exportsOfSpec(spec))
		}
	}
	return e
}

func exportsOfSpec(spec ast.Spec) (e exports) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() {
				e.values++
			}
		}
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return e
		}
		e.types++
		if spec.Assign != token.NoPos {
			e.aliases++
		}
		switch t := spec.Type.(type) {
		case *ast.InterfaceType:
			e.methods += exportedNames(t.Methods)
		case *ast.StructType:
			e.structs += exportedNames(t.Fields)
		}
	}
	return e
}

// exportedNames counts the exported names of fields; an embedded type has none.
func exportedNames(fields *ast.FieldList) int {
	n := 0
	for _, field := range fields.List {
		for _, name := range field.Names {
			if name.IsExported() {
				n++
			}
		}
	}
	return n
}

// receiverOf returns the name of the type that a method belongs to, "" for a function.
func receiverOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	t := decl.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// writePublic prints the exported identifiers, package by package.
func (s *source) writePublic(w io.Writer) {
	found := s.public()
	var sum exports
	fmt.Fprintf(w, "\nExported by %2d packages     total  types  aliases  funcs  values  methods  (fields)\n", len(found))
	row := func(name string, e exports) {
		fmt.Fprintf(w, "  %-24s %6d %6d %8d %6d %7d %8d %9d\n", name, e.total(), e.types, e.aliases, e.funcs, e.values, e.methods, e.structs)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if e := found[name]; e != (exports{}) {
			row(name, e)
			sum = sum.plus(e)
		}
	}
	row("all", sum)
}

package limit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Each constant stands in the table: a bound that nobody can read about is none.
func TestTableListsEveryConstant(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "limit.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed, constants := map[string]bool{}, 0
	for _, d := range file.Decls {
		if v, ok := d.(*ast.GenDecl); ok && v.Tok == token.VAR {
			ast.Inspect(v, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					listed[id.Name] = true
				}
				return true
			})
		}
	}
	for _, d := range file.Decls {
		v, ok := d.(*ast.GenDecl)
		if !ok || v.Tok != token.CONST {
			continue
		}
		for _, s := range v.Specs {
			for _, name := range s.(*ast.ValueSpec).Names {
				if !name.IsExported() {
					continue
				}
				if constants++; !listed[name.Name] {
					t.Errorf("%s is not in Table", name.Name)
				}
			}
		}
	}
	if constants == 0 {
		t.Error("no constant was found")
	}
}

func TestTableIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Table {
		if l.Group == "" || l.Of == "" || l.Beyond == "" || l.Value <= 0 {
			t.Errorf("%+v: something is missing", l)
		}
		if seen[l.Of] {
			t.Errorf("%s is listed twice", l.Of)
		}
		seen[l.Of] = true
	}
}

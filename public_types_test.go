package firstcontact_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestPublicPackagesMentionNoInternalType: what an exported identifier is made of can be
// named, built and read by those who import the package.
func TestPublicPackagesMentionNoInternalType(t *testing.T) {
	world := loadExports(t)
	checked := 0
	for _, path := range slices.Sorted(maps.Keys(world.exports)) {
		inside, ours := strings.CutPrefix(path, module)
		if !ours || isInternal(path) || matches("cmd/...", inside) || matches("examples/...", inside) {
			continue
		}
		p, err := world.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name() == "main" {
			continue
		}
		checked++
		for _, v := range internalTypes(p) {
			t.Error(v)
		}
	}
	if checked < 20 {
		t.Errorf("only %d public packages were found", checked)
	}
}

// The walk finds internal types wherever a declaration may mention them, and nothing else.
func TestInternalTypesAreFound(t *testing.T) {
	hidden := types.NewPackage(module+"internal/hidden", "hidden")
	secret := types.NewNamed(types.NewTypeName(token.NoPos, hidden, "Secret", nil), types.NewStruct(nil, nil), nil)
	p := types.NewPackage(module+"open", "open")
	field := func(name string, of types.Type, embedded bool) *types.Struct {
		return types.NewStruct([]*types.Var{types.NewField(token.NoPos, p, name, of, embedded)}, nil)
	}
	function := func(of types.Type) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, p, "x", of)), nil, false)
	}
	method := types.NewNamed(types.NewTypeName(token.NoPos, p, "Method", nil), types.NewStruct(nil, nil), nil)
	method.AddMethod(types.NewFunc(token.NoPos, p, "Get", function(types.NewPointer(secret))))
	quiet := types.NewNamed(types.NewTypeName(token.NoPos, p, "Quiet", nil), types.NewStruct(nil, nil), nil)
	quiet.AddMethod(types.NewFunc(token.NoPos, p, "get", function(secret)))
	for name, c := range map[string]struct {
		object types.Object
		found  bool
	}{
		"alias":            {types.NewTypeName(token.NoPos, p, "X", secret), true},
		"variable":         {types.NewVar(token.NoPos, p, "X", types.NewMap(types.Typ[types.Int], types.NewSlice(secret))), true},
		"function":         {types.NewFunc(token.NoPos, p, "X", function(types.NewPointer(secret))), true},
		"field":            {types.NewVar(token.NoPos, p, "X", field("F", secret, false)), true},
		"embedded":         {types.NewVar(token.NoPos, p, "X", field("secret", secret, true)), true},
		"unexported field": {types.NewVar(token.NoPos, p, "X", field("f", secret, false)), false},
		"method":           {method.Obj(), true},
		"private method":   {quiet.Obj(), false},
		"other type":       {types.NewVar(token.NoPos, p, "X", method), false},
		"unexported":       {types.NewVar(token.NoPos, p, "x", secret), false},
	} {
		q := types.NewPackage(module+"open", "open")
		q.Scope().Insert(c.object)
		if got := internalTypes(q); (len(got) > 0) != c.found {
			t.Errorf("%s: found %v, want some: %v", name, got, c.found)
		}
	}
}

// internalTypes lists the exported identifiers of a package that mention types of internal
// packages of this module.
func internalTypes(p *types.Package) []string {
	var found []string
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		v := mentions{seen: map[types.Type]bool{}, found: map[string]bool{}}
		if _, ok := object.(*types.TypeName); ok {
			v.declared = object.Type()
		}
		v.visit(object.Type())
		for _, hidden := range slices.Sorted(maps.Keys(v.found)) {
			found = append(found, fmt.Sprintf("%s.%s mentions %s, which nobody outside can name", strings.TrimPrefix(p.Path(), module), name, strings.TrimPrefix(hidden, module)))
		}
	}
	return found
}

// mentions walks the declaration of an identifier as far as its user sees it. Other
// exported types that it names have declarations of their own.
type mentions struct {
	declared types.Type // the type that is looked at; of other objects no named type is
	seen     map[types.Type]bool
	found    map[string]bool
}

func (m *mentions) visit(t types.Type) {
	if m.seen[t] {
		return
	}
	m.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		m.visit(t.Rhs())
	case *types.Named:
		m.named(t)
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				m.visit(f.Type())
			}
		}
	case *types.Signature:
		m.visit(t.Params())
		m.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			m.visit(v.Type())
		}
	case *types.Interface:
		for f := range t.Methods() {
			if f.Exported() {
				m.visit(f.Type())
			}
		}
	case *types.Map:
		m.visit(t.Key())
		m.visit(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		m.visit(t.Elem())
	}
}

func (m *mentions) named(t *types.Named) {
	for a := range t.TypeArgs().Types() {
		m.visit(a)
	}
	p := t.Obj().Pkg()
	if p == nil || !strings.HasPrefix(p.Path(), module) {
		return
	}
	if isInternal(p.Path()) {
		m.found[p.Path()+"."+t.Obj().Name()] = true
		return
	}
	if t.Obj().Exported() && t != m.declared {
		return
	}
	m.visit(t.Underlying())
	for f := range t.Methods() {
		if f.Exported() {
			m.visit(f.Type())
		}
	}
}

// isInternal reports whether a package is one of this module's internal ones.
func isInternal(path string) bool {
	return strings.HasPrefix(path, module) && slices.Contains(strings.Split(path, "/"), "internal")
}

// exported imports packages from what the compiler exports of them.
type exported struct {
	types.Importer
	exports map[string]string // files by import path
}

func loadExports(t *testing.T) exported {
	t.Helper()
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(list)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			files[path] = file
		}
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	return exported{importer.ForCompiler(token.NewFileSet(), "gc", lookup), files}
}

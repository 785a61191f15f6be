package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/invopop/jsonschema"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/bench"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/distance"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/doctor"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/pairs"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/spheres"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verify"
)

var rewrite = flag.Bool("write", false, "write the JSON Schemas and docs/json.md")

// object is one kind of object that --json prints.
type object struct {
	name  string
	value any
	when  string // which command prints it
}

var allObjects = []object{
	{"check", verdict.Result{}, "`check --json`, for each motion"},
	{"check-totals", verdict.Summary{}, "`check --json`, behind the objects of several motions"},
	{"distance", distance.Result{}, "`distance --json`; with `--groups` a list of them"},
	{"pairs", pairs.Result{}, "`pairs --json`"},
	{"spheres", spheres.Set{}, "`spheres --json`, and `--out FILE.json`"},
	{"spheres-verify", spheres.Verified{}, "`spheres --verify FILE --json`"},
	{"spheres-range-of-motion", spheres.RangeOfMotion{}, "`spheres --range-of-motion --json`"},
	{"verify", verify.Result{}, "`verify --json`"},
	{"bench", bench.Result{}, "`bench --json`, for each method"},
	{"bench-segment", bench.Segment{}, "`bench --json --dump`, for each method and segment"},
	{"version", versionReport{}, "`version --json`"},
	{"doctor", doctor.Report{}, "`doctor --json`"},
	{"failure", answer.Failure{}, "any command with `--json` whose input is bad, with exit status 4"},
}

// comments are the comments of types ("check.Result") and of their fields ("check.Result.Motion").
type comments map[string]string

// of returns the comment of a type, or of a field unless its name is empty.
func (c comments) of(t reflect.Type, field string) string {
	name := path.Base(t.PkgPath()) + "." + t.Name()
	if field != "" {
		name += "." + field
	}
	return c[name]
}

// readComments reads the comments of the packages whose types --json prints.
func readComments(t *testing.T) comments {
	t.Helper()
	out := comments{}
	for _, dir := range []string{".", "internal/*", "../../premise", "../../node/selftest"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			out.add(f)
		}
	}
	return out
}

// add adds the comments of a file.
func (c comments) add(f *ast.File) {
	of := f.Name.Name + "."
	if of == "main." {
		of = "firstcontact."
	}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.TypeSpec)
			doc := spec.Doc
			if doc == nil {
				doc = decl.Doc
			}
			c[of+spec.Name.Name] = sentence(spec.Name.Name, doc.Text(), true)
			structure, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range structure.Fields.List {
				for _, name := range field.Names {
					text := field.Doc.Text()
					if text == "" {
						text = field.Comment.Text()
					}
					c[of+spec.Name.Name+"."+name.Name] = sentence(name.Name, text, unicode.IsLower([]rune(name.Name)[0]))
				}
			}
		}
	}
}

// sentence turns "name is what" into "What.", and if it may do something, "name does" into "Does."
func sentence(name, text string, does bool) string {
	text = strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ".")
	for _, prefix := range []string{name + " is ", name + " says that ", name + " says ", name + " "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok && (prefix != name+" " || does) {
			text = rest
			break
		}
	}
	switch {
	case text == "":
		return ""
	case unit.MatchString(text):
		return text + "."
	}
	r := []rune(text)
	r[0] = unicode.ToUpper(r[0])
	return string(r) + "."
}

// unit is the unit that a comment begins with.
var unit = regexp.MustCompile(`^(m|m3|s|us|rad or m)(, by \w+)?: `)

// kindNames are the names of types in schemas, if they differ from those in Go.
var kindNames = map[string]string{
	"pairResult": "pairDistance", "ScopeResult": "scope", "pairJSON": "pair", "findingJSON": "finding", "findings": "examinedFile", "known": "knownPremise", "Beyond": "jointBeyond", "Premise": "premise", "Answer": "testAnswer",
}

// schemaOf makes the schema of an object. A strict one allows no other keys.
func schemaOf(c comments, o object, strict bool) *jsonschema.Schema {
	r := jsonschema.Reflector{
		ExpandedStruct: true, Anonymous: true, AllowAdditionalProperties: !strict,
		LookupComment: c.of,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
				return &jsonschema.Schema{Type: "string"}
			}
			return nil
		},
		Namer: func(t reflect.Type) string {
			if name := kindNames[t.Name()]; name != "" {
				return name
			}
			first := min(1, len(t.Name())) // an unnamed type has none
			return strings.ToLower(t.Name()[:first]) + t.Name()[first:]
		},
	}
	s := r.Reflect(o.value)
	s.ID = jsonschema.ID("urn:" + strings.ReplaceAll(answer.SchemaName(o.name), "/", ":"))
	s.Title = answer.SchemaName(o.name)
	head, _ := s.Properties.Get("schema")
	head.Const = answer.SchemaName(o.name)
	describeNull(s)
	for _, d := range s.Definitions {
		describeNull(d)
	}
	return s
}

// describeNull gives the description of what may be null to the key itself.
func describeNull(s *jsonschema.Schema) {
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if v := p.Value; len(v.OneOf) == 2 {
			v.Description, v.OneOf[0].Description = v.OneOf[0].Description, ""
		}
	}
}

// The files in schema are what the types say.
func TestSchemasAreCurrent(t *testing.T) {
	c := readComments(t)
	var names []string
	for _, o := range allObjects {
		names = append(names, o.name)
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(schemaOf(c, o, false)); err != nil {
			t.Fatal(err)
		}
		file := schemaFile(o.name)
		if *rewrite {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, b.Bytes()) {
			t.Errorf("%s is not current: go generate ./cmd/firstcontact (%v)", file, err)
		}
	}
	slices.Sort(names)
	if got := schemaNames(); !*rewrite && !slices.Equal(got, names) {
		t.Errorf("the schemas are %v, the objects %v", got, names)
	}
}

// firstcontact schema prints them.
func TestSchemaCommand(t *testing.T) {
	code, out, errs := command(t, "", "schema")
	if code != cli.ExitFree || errs != "" || len(strings.Fields(out)) != len(allObjects) {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	code, out, errs = command(t, "", "schema", "check")
	if code != cli.ExitFree || errs != "" || !strings.Contains(out, `"const": "firstcontact/check/1"`) {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	for _, args := range [][]string{{"chek"}, {"../schema/check"}, {"check", "pairs"}} {
		if code, out, _ := command(t, "", append([]string{"schema"}, args...)...); code != cli.ExitUsage || out != "" {
			t.Errorf("%v: exit status %d, %s", args, code, out)
		}
	}
}

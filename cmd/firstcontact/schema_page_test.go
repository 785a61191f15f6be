package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
)

const aboutJSON = `# JSON

` + "`--json`" + ` prints one object on each line: of ` + "`check`" + ` one for each motion, in the order of the motions, also where a motion cannot be read, and behind several
an object of totals, which has no ` + "`motion`" + `. Every object has
` + "`schema`" + `, its kind and version, such as ` + "`firstcontact/check/1`" + `. Within a version keys may be added; a key that vanishes or changes its meaning makes a new version.
` + "`firstcontact schema NAME`" + ` prints the JSON Schema (draft 2020-12); the files are in ` + "`cmd/firstcontact/schema`" + `, and a test holds every command's output against them.

    firstcontact check --robot arm.urdf --json *.csv | jq -r 'select(.motion and .status != "free") | [.motion, .status, .message // .toc[1]] | @tsv'

Lengths are in metres, angles in radians, times in seconds. Points are in the frame of the scene, or of the root link if the scene names none. A key that is not marked
"always" is absent where it has nothing to say. The exit status follows from ` + "`status`" + ` ([command.md](command.md#exit-statuses)). An error in the command line (status 64) gives no object.

Generated from the types in ` + "`cmd/firstcontact`" + ` by ` + "`go generate ./cmd/firstcontact`" + `: do not edit.
`

// page writes docs/json.md.
type page struct {
	strings.Builder
	kinds map[string]*jsonschema.Schema // types that objects share
}

// inTable makes text fit for a cell of a table.
func inTable(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// table writes the keys of a type.
func (p *page) table(s *jsonschema.Schema) {
	fmt.Fprint(p, "| key | value | |\n|---|---|---|\n")
	for key := s.Properties.Oldest(); key != nil; key = key.Next() {
		always := ""
		if slices.Contains(s.Required, key.Key) {
			always = "always. "
		}
		text := key.Value.Description
		if key.Key == "schema" {
			text = "" // the page begins with it
		}
		fmt.Fprintf(p, "| `%s` | %s | %s |\n", key.Key, inTable(kindOf(key.Value)), strings.TrimSpace(always+inTable(text)))
	}
}

// kindOf says what a value is.
func kindOf(s *jsonschema.Schema) string {
	name, isRef := strings.CutPrefix(s.Ref, "#/$defs/")
	switch {
	case isRef:
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	case len(s.OneOf) == 2:
		return kindOf(s.OneOf[0]) + " or null"
	case s.Const != nil:
		return fmt.Sprintf("`%v`", s.Const)
	case len(s.Enum) > 0:
		var words []string
		for _, w := range s.Enum {
			words = append(words, fmt.Sprintf("`%v`", w))
		}
		return strings.Join(words, ", ")
	case s.Type == "array" && s.MinItems != nil:
		return fmt.Sprintf("%d of: %s", *s.MinItems, kindOf(s.Items))
	case s.Type == "array":
		return "list of: " + kindOf(s.Items)
	case s.Type == "object" && s.AdditionalProperties != nil:
		return "by name: " + kindOf(s.AdditionalProperties)
	}
	return s.Type
}

// docs/json.md is what the types say, and says something of each key.
func TestSchemaPageIsCurrent(t *testing.T) {
	const file = "../../docs/json.md"
	c := readComments(t)
	p := page{kinds: map[string]*jsonschema.Schema{}}
	p.WriteString(aboutJSON)
	for _, o := range allObjects {
		s := schemaOf(c, o, false)
		fmt.Fprintf(&p, "\n## %s\n\n%s: %s.\n\n", o.name, strings.TrimSuffix(s.Description, "."), o.when)
		p.table(s)
		undescribed(t, o.name, s)
		for name, d := range s.Definitions {
			p.kinds[name] = d
			undescribed(t, name, d)
		}
	}
	p.WriteString("\n## Values\n\nWhat several objects have.\n")
	for _, name := range slices.Sorted(maps.Keys(p.kinds)) {
		fmt.Fprintf(&p, "\n### %s\n\n%s\n\n", name, p.kinds[name].Description)
		p.table(p.kinds[name])
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(p.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != p.String() {
		t.Errorf("docs/json.md is not current: go generate ./cmd/firstcontact (%v)", err)
	}
}

// undescribed reports the keys without a description.
func undescribed(t *testing.T, name string, s *jsonschema.Schema) {
	t.Helper()
	if s.Description == "" {
		t.Errorf("%s has no description", name)
	}
	for key := s.Properties.Oldest(); key != nil; key = key.Next() {
		if key.Value.Description == "" {
			t.Errorf("%s.%s has no description: write a comment", name, key.Key)
		}
	}
}

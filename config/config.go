// Package config holds the list of the node's parameters, parameters.yaml, and validates the
// values that a user gives. The ROS parameter file and the reference in docs are generated
// from it.
package config

//go:generate go run ./gen

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Type is the type of a parameter as ROS names it.
type Type string

// The types of parameters.
const (
	String      Type = "string"       // string
	Bool        Type = "bool"         // bool
	Integer     Type = "integer"      // int64
	Double      Type = "double"       // float64; an integer is accepted too
	StringArray Type = "string_array" // []string
)

// Parameter describes one parameter or, if its name is a pattern, one for every link or joint.
type Parameter struct {
	Name     string   `yaml:"name"`
	Type     Type     `yaml:"type"`
	Default  any      `yaml:"default"` // of the Go type of Type; nil for a pattern
	Min      *float64 `yaml:"min"`     // inclusive; nil means none
	Max      *float64 `yaml:"max"`
	Unit     string   `yaml:"unit"`   // empty if it has none
	OneOf    []string `yaml:"one_of"` // the values a string may have; none means any
	NotBelow string   `yaml:"not_below"`
	NotAbove string   `yaml:"not_above"`
	NotWith  string   `yaml:"not_with"`  // a string that must be empty if this one is not
	ReadOnly bool     `yaml:"read_only"` // a change needs a restart
	Because  string   `yaml:"because"`   // why it is read-only, after "because"; "" for the usual reason
	Weakens  Change   `yaml:"weakens"`   // the changes that make answers less strict
	Meaning  string   `yaml:"meaning"`
}

// Change is a kind of change of a value.
type Change string

// The kinds of changes. The zero value is none.
const (
	Decrease Change = "decrease"
	Increase Change = "increase"
	AnyOther Change = "any" // to any other value
)

// Why returns why a read-only parameter cannot change while the node runs.
func (p Parameter) Why() string {
	if p.Because != "" {
		return p.Because
	}
	return "it is read when the node starts"
}

// Group is a section of the list.
type Group struct {
	Title      string      `yaml:"title"`
	About      string      `yaml:"about"`
	Parameters []Parameter `yaml:"parameters"`
}

//go:embed parameters.yaml
var source []byte

// groups panics if parameters.yaml is invalid, which a test excludes.
var groups = sync.OnceValue(func() []Group {
	gs, err := parse(source)
	if err != nil {
		panic(err)
	}
	return gs
})

// Groups returns the list in its order.
func Groups() []Group { return slices.Clone(groups()) }

// table holds the parameters for look-ups, which questions and nodes make by the hundred.
type table struct {
	all      []Parameter          // in their order
	plain    map[string]Parameter // by name
	patterns []Parameter
}

var parameters = sync.OnceValue(func() table {
	t := table{plain: map[string]Parameter{}}
	for _, g := range groups() {
		t.all = append(t.all, g.Parameters...)
	}
	for _, p := range t.all {
		if p.Pattern() {
			t.patterns = append(t.patterns, p)
		} else {
			t.plain[p.Name] = p
		}
	}
	return t
})

// Parameters returns the parameters of all groups in their order, patterns
// included.
func Parameters() []Parameter { return slices.Clone(parameters().all) }

// Lookup returns the parameter of that name. A name that matches a pattern (padding.left_hand)
// gives the pattern's parameter with that name.
func Lookup(name string) (Parameter, bool) {
	if p, ok := parameters().plain[name]; ok {
		return p, true // takes precedence over patterns
	}
	var found Parameter
	for _, p := range parameters().patterns {
		if p.Name != name && len(name) > len(p.stem()) && strings.HasPrefix(name, p.stem()) {
			found = p
			found.Name = name
		}
	}
	return found, found.Name != ""
}

// Pattern reports whether the name stands for one parameter per link or joint.
func (p Parameter) Pattern() bool {
	return strings.HasSuffix(p.Name, "<link>") || strings.HasSuffix(p.Name, "<joint>")
}

// stem is the fixed part of a pattern's name.
func (p Parameter) stem() string { return stem(p.Name) }

func stem(pattern string) string {
	fixed, _, _ := strings.Cut(pattern, "<")
	return fixed
}

// Range describes the range of a number or the choices of a string, or returns "" if
// everything is allowed.
func (p Parameter) Range() string {
	var words []string
	switch {
	case p.Min != nil && p.Max != nil:
		words = append(words, fmt.Sprintf("[%g, %g]", *p.Min, *p.Max))
	case p.Min != nil:
		words = append(words, fmt.Sprintf("at least %g", *p.Min))
	case p.Max != nil:
		words = append(words, fmt.Sprintf("at most %g", *p.Max))
	}
	if len(p.OneOf) > 0 {
		words = append(words, strings.Join(p.OneOf, " | "))
	}
	if p.NotBelow != "" {
		words = append(words, "not below "+p.NotBelow)
	}
	if p.NotAbove != "" {
		words = append(words, "not above "+p.NotAbove)
	}
	if p.NotWith != "" {
		words = append(words, "not with "+p.NotWith)
	}
	return strings.Join(words, ", ")
}

// parse reads a list of parameters and refuses contradictory ones.
func parse(text []byte) ([]Group, error) {
	var list struct {
		Groups []Group `yaml:"groups"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("parameters.yaml: %w", err)
	}
	types := map[string]Type{}
	for _, g := range list.Groups {
		for i := range g.Parameters {
			p := &g.Parameters[i]
			if types[p.Name] != "" {
				return nil, fmt.Errorf("parameters.yaml: %s is listed twice", p.Name)
			}
			if err := p.settle(); err != nil {
				return nil, fmt.Errorf("parameters.yaml: %w", err)
			}
			types[p.Name] = p.Type
		}
	}
	for _, g := range list.Groups {
		for _, p := range g.Parameters {
			if err := p.refers(types); err != nil {
				return nil, fmt.Errorf("parameters.yaml: %w", err)
			}
		}
	}
	return list.Groups, nil
}

// settle checks the entry and converts its default to its type.
func (p *Parameter) settle() error {
	switch {
	case p.Name == "" || p.Meaning == "":
		return fmt.Errorf("parameter %q lacks a name or a meaning", p.Name)
	case !slices.Contains([]Type{String, Bool, Integer, Double, StringArray}, p.Type):
		return fmt.Errorf("%s has the unknown type %q", p.Name, p.Type)
	case p.ReadOnly && p.Weakens != "" || !p.ReadOnly && p.Because != "":
		return fmt.Errorf("%s: because is of a read-only parameter, weakens of another", p.Name)
	case !slices.Contains([]Change{"", Decrease, Increase, AnyOther}, p.Weakens):
		return fmt.Errorf("%s weakens by the unknown change %q", p.Name, p.Weakens)
	case p.Pattern():
		if p.Default != nil {
			return fmt.Errorf("%s is a pattern and has a default", p.Name)
		}
		return nil
	}
	value, err := p.accept(p.Default)
	if err != nil {
		return fmt.Errorf("default: %w", err)
	}
	p.Default = value
	return nil
}

// refers checks that the other parameters that it names exist and are comparable.
func (p *Parameter) refers(types map[string]Type) error {
	for _, other := range []string{p.NotBelow, p.NotAbove} {
		if other != "" && (p.Type != Double || types[other] != Double) {
			return fmt.Errorf("%s is compared with %s: both must be double", p.Name, other)
		}
	}
	if p.NotWith != "" && (p.Type != String || types[p.NotWith] != String) {
		return fmt.Errorf("%s excludes %s: both must be string", p.Name, p.NotWith)
	}
	return nil
}

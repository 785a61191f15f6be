package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Values holds a value for every parameter, each of its type and within its range. It is
// immutable. Its getters panic for an unknown name or another type, which is a programming
// error.
type Values struct{ byName map[string]any }

// Defaults returns the default values.
func Defaults() Values {
	byName := map[string]any{}
	for _, p := range Parameters() {
		if !p.Pattern() {
			byName[p.Name] = p.Default
		}
	}
	return Values{byName}
}

// Validate returns the defaults, replaced by the given values. The error names every parameter
// that is unknown, of the wrong type, out of its range or in conflict with another, and the
// remedy.
//
// Values are of the Go type of the parameter's Type. An integer of any size is accepted as a
// double; a string array may be a []any of strings, or a struct without fields, which is
// package ros's empty list.
func Validate(given map[string]any) (Values, error) { return Defaults().merge(given, false) }

// Check returns what is wrong with a value of the parameter of that name by itself, as Validate
// says it.
func Check(name string, value any) error {
	p, ok := Lookup(name)
	if !ok {
		return Unknown(name)
	}
	_, err := p.accept(value)
	return err
}

// With returns v with the changes applied while the node runs. It is like Validate, but
// refuses changes of read-only parameters.
func (v Values) With(changes map[string]any) (Values, error) { return v.merge(changes, true) }

func (v Values) merge(given map[string]any, running bool) (Values, error) {
	merged := Values{maps.Clone(v.byName)}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, ok := Lookup(name)
		if !ok {
			errs = append(errs, Unknown(name))
			continue
		}
		value, err := p.accept(given[name])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if old, had := v.byName[name]; running && p.ReadOnly && !(had && equal(old, value)) {
			errs = append(errs, fmt.Errorf("%s cannot change while the node runs, because %s: give it at start", name, p.Why()))
			continue
		}
		merged.byName[name] = value
	}
	if len(errs) == 0 {
		errs = merged.contradictions()
	}
	if len(errs) > 0 {
		return Values{}, errors.Join(errs...)
	}
	return merged, nil
}

func equal(a, b any) bool {
	if x, ok := a.([]string); ok {
		y, ok := b.([]string)
		return ok && slices.Equal(x, y)
	}
	return a == b
}

// Weakened lists the parameters whose values in v make answers less strict than those in before
// do, in the order of the list.
func (v Values) Weakened(before Values) (names []string) {
	for _, p := range Parameters() {
		if p.Weakens == "" || p.Pattern() || equal(v.byName[p.Name], before.byName[p.Name]) {
			continue
		}
		now, _ := asDouble(v.byName[p.Name])
		then, _ := asDouble(before.byName[p.Name])
		if p.Weakens == AnyOther || p.Weakens == Decrease && now < then || p.Weakens == Increase && now > then {
			names = append(names, p.Name)
		}
	}
	return names
}

// contradictions lists the conflicts between parameters.
func (v Values) contradictions() []error {
	var errs []error
	for _, p := range Parameters() {
		if o := p.NotBelow; o != "" && v.Double(p.Name) < v.Double(o) {
			errs = append(errs, fmt.Errorf("%s is %g, below %s, which is %g: raise the first or lower the second",
				p.Name, v.Double(p.Name), o, v.Double(o)))
		}
		if o := p.NotAbove; o != "" && v.Double(p.Name) > v.Double(o) {
			errs = append(errs, fmt.Errorf("%s is %g, above %s, which is %g: lower the first or raise the second",
				p.Name, v.Double(p.Name), o, v.Double(o)))
		}
		if o := p.NotWith; o != "" && v.String(p.Name) != "" && v.String(o) != "" {
			errs = append(errs, fmt.Errorf("%s and %s are both given: leave one of them empty", p.Name, o))
		}
	}
	return errs
}

// Bool returns the value of a bool.
func (v Values) Bool(name string) bool { return get[bool](v, name) }

// Int returns the value of an integer.
func (v Values) Int(name string) int64 { return get[int64](v, name) }

// Double returns the value of a double.
func (v Values) Double(name string) float64 { return get[float64](v, name) }

// String returns the value of a string.
func (v Values) String(name string) string { return get[string](v, name) }

// Strings returns the value of a string array.
func (v Values) Strings(name string) []string { return slices.Clone(get[[]string](v, name)) }

func get[T any](v Values, name string) T {
	value, ok := v.byName[name].(T)
	if !ok {
		panic(fmt.Sprintf("config: no parameter %s of type %T", name, value))
	}
	return value
}

// Each returns the values given for a pattern of doubles, by link or joint:
// Each("padding.<link>") contains left_hand for padding.left_hand.
func (v Values) Each(pattern string) map[string]float64 {
	values := map[string]float64{}
	for name, value := range v.byName {
		p, _ := Lookup(name)
		if p.Default == nil && strings.HasPrefix(name, stem(pattern)) {
			values[strings.TrimPrefix(name, stem(pattern))] = value.(float64)
		}
	}
	return values
}

// All returns every value by name, including those of patterns. Do not modify a string array
// in it.
func (v Values) All() map[string]any { return maps.Clone(v.byName) }

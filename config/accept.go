package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// accept converts a value to the parameter's type and checks its range.
func (p Parameter) accept(value any) (any, error) {
	switch p.Type {
	case String:
		s, ok := value.(string)
		if !ok {
			return nil, p.wrongType(value)
		}
		return s, p.checkChoice(s)
	case Bool:
		b, ok := value.(bool)
		if !ok {
			return nil, p.wrongType(value)
		}
		return b, nil
	case Integer:
		i, ok := asInteger(value)
		if !ok {
			return nil, p.wrongType(value)
		}
		return i, p.checkRange(float64(i))
	case Double:
		x, ok := asDouble(value)
		if !ok {
			return nil, p.wrongType(value)
		}
		return x, p.checkRange(x)
	case StringArray:
		list, ok := asStrings(value)
		if !ok {
			return nil, p.wrongType(value)
		}
		if slices.Contains(list, "") {
			return nil, fmt.Errorf("%s holds an empty name: leave it out", p.Name)
		}
		return list, nil
	}
	return nil, fmt.Errorf("%s has the unknown type %q", p.Name, p.Type)
}

func (p Parameter) wrongType(value any) error {
	example := map[Type]string{
		String: "text", Bool: "true or false", Integer: "a whole number, such as 5",
		Double: "a number, such as 0.5", StringArray: "a list of texts, such as [left_arm]",
	}
	return fmt.Errorf("%s is %s: it must be of type %s: give %s", p.Name, show(value), p.Type, example[p.Type])
}

func show(value any) string {
	s := fmt.Sprintf("%v (%T)", value, value)
	if len(s) > 80 { // a robot description is long
		s = strings.ToValidUTF8(s[:77], "") + "..."
	}
	return s
}

func (p Parameter) checkRange(x float64) error {
	unit := p.Unit
	if unit != "" {
		unit = " " + unit
	}
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Errorf("%s is %g: give a finite number%s", p.Name, x, within(p))
	case p.Min != nil && x < *p.Min:
		return fmt.Errorf("%s is %g%s: give %g or more%s", p.Name, x, unit, *p.Min, within(p))
	case p.Max != nil && x > *p.Max:
		return fmt.Errorf("%s is %g%s: give %g or less%s", p.Name, x, unit, *p.Max, within(p))
	}
	return nil
}

func within(p Parameter) string {
	if p.Min == nil || p.Max == nil {
		return ""
	}
	if p.Unit == "" {
		return fmt.Sprintf(", its range is [%g, %g]", *p.Min, *p.Max)
	}
	return fmt.Sprintf(", its range is [%g, %g] %s", *p.Min, *p.Max, p.Unit)
}

func (p Parameter) checkChoice(s string) error {
	if len(p.OneOf) == 0 || slices.Contains(p.OneOf, s) {
		return nil
	}
	return fmt.Errorf("%s is %q: give one of %s", p.Name, s, strings.Join(p.OneOf, ", "))
}

func asInteger(value any) (int64, bool) {
	switch x := value.(type) {
	case int:
		return int64(x), true
	case int32:
		return int64(x), true
	case int64:
		return x, true
	}
	return 0, false
}

func asDouble(value any) (float64, bool) {
	if i, ok := asInteger(value); ok {
		return float64(i), true
	}
	x, ok := value.(float64)
	return x, ok
}

func asStrings(value any) ([]string, bool) {
	switch list := value.(type) {
	case []string:
		return slices.Clone(list), true
	case []any:
		out := []string{}
		for _, x := range list {
			s, ok := x.(string)
			if !ok {
				return nil, false
			}
			out = append(out, s)
		}
		return out, true
	}
	// ROS cannot tell the type of an empty list; package ros represents it by a struct without
	// fields.
	kind := reflect.TypeOf(value)
	return []string{}, kind != nil && kind.Kind() == reflect.Struct && kind.NumField() == 0
}

// Unknown returns the error about an unknown name, with the name that was probably meant.
func Unknown(name string) error {
	if best := Near(name); best != "" {
		return fmt.Errorf("there is no parameter %s: did you mean %s?", name, best)
	}
	return fmt.Errorf("there is no parameter %s: leave it out; docs/parameters.md lists all", name)
}

// Near returns the parameter that was probably meant by an unknown name, or "".
func Near(name string) string {
	var known []string
	for _, p := range Parameters() {
		if !p.Pattern() {
			known = append(known, p.Name)
		}
	}
	return spelling.Closest(name, known)
}

// Edits returns how many letters must change to turn one name into the other.
func Edits(a, b string) int { return spelling.Distance(a, b) }

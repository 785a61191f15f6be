package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Value is a mapping, a list or a scalar of a document, with its position.
type Value struct {
	file  string
	what  string // its owner, for messages: "object table"
	lines int    // of the file before the text that was parsed
	node  node
}

// with returns a value of the same document.
func (v Value) with(n node) Value {
	v.node = n
	return v
}

// Of returns v with messages that name its owner.
func (v Value) Of(what string) Value {
	v.what = what
	return v
}

// Errorf returns an error that begins with v's file, line and owner.
func (v Value) Errorf(format string, args ...any) error {
	where := fmt.Sprintf("%s:%d: ", v.file, v.lines+v.node.line())
	if v.what != "" {
		where += v.what + ": "
	}
	return fmt.Errorf(where+"%w", fmt.Errorf(format, args...))
}

// IsMap reports whether v is a mapping; IsList whether it is a list.
func (v Value) IsMap() bool  { return v.node.is(yaml.MappingNode) }
func (v Value) IsList() bool { return v.node.is(yaml.SequenceNode) }

// Keys returns the keys of a mapping in the order of the file.
func (v Value) Keys() []string {
	var keys []string
	if v.IsMap() {
		for k := range v.node.pairs {
			keys = append(keys, k.text())
		}
	}
	return keys
}

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool {
	return v.node.isScalar(intTag) || v.node.isScalar(floatTag)
}

// kind describes v, for messages.
func (v Value) kind() string {
	switch {
	case v.IsMap():
		return "a mapping"
	case v.IsList():
		return "a list"
	}
	switch v.node.tag() {
	case nullTag:
		return "nothing"
	case strTag:
		return strconv.Quote(clip(v.node.text()))
	}
	return clip(v.node.text())
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// List returns the items of a list; name is v's key, for messages.
func (v Value) List(name string) ([]Value, error) {
	if !v.IsList() {
		return nil, v.Errorf("%s is %s: give a list", name, v.kind())
	}
	if err := v.whole(name); err != nil {
		return nil, err
	}
	items := make([]Value, 0, v.node.size())
	for n := range v.node.kids {
		items = append(items, v.with(n))
	}
	return items, nil
}

// whole refuses a list that ros2 topic echo has truncated, which it marks by '...'.
func (v Value) whole(name string) error {
	var last node
	for n := range v.node.kids {
		last = n
	}
	if last.exists() && last.is(yaml.ScalarNode) && last.text() == "..." {
		return v.Errorf("%s was truncated with '...': record it with ros2 topic echo --full-length", name)
	}
	return nil
}

// Str returns a scalar as text. A number or boolean is returned as written: an id of 5 is "5".
func (v Value) Str(name string) (string, error) {
	if !v.node.is(yaml.ScalarNode) || v.node.isScalar(nullTag) {
		return "", v.Errorf("%s is %s: give a name", name, v.kind())
	}
	return v.node.text(), nil
}

// Strs returns a list of texts.
func (v Value) Strs(name string) ([]string, error) {
	items, err := v.List(name)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i, item := range items {
		if out[i], err = item.Str(fmt.Sprintf("%s[%d]", name, i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Bool returns true or false.
func (v Value) Bool(name string) (bool, error) {
	if v.node.isScalar(boolTag) {
		if b, err := strconv.ParseBool(strings.ToLower(v.node.text())); err == nil {
			return b, nil
		}
	}
	return false, v.Errorf("%s is %s: give true or false", name, v.kind())
}

// Float returns a finite number.
func (v Value) Float(name string) (float64, error) {
	if !v.IsNumber() {
		return 0, v.Errorf("%s is %s: give a number", name, v.kind())
	}
	if s := v.node.text(); isDecimal(s) {
		if x, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(x, 0) {
			return x, nil
		}
	}
	return 0, v.Errorf("%s is %s: give a finite decimal number", name, v.kind())
}

// isDecimal excludes numbers on which readers disagree: 010, 0x10 and 1_000.
func isDecimal(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	octal := len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
	return !octal && strings.Trim(s, "+-.0123456789eE") == ""
}

// Int returns a whole number of magnitude at most 2^53.
func (v Value) Int(name string) (int, error) {
	x, err := v.Float(name)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, v.Errorf("%s is %s: give a whole number", name, v.kind())
	}
	return int(x), nil
}

// Floats returns a list of n finite numbers, or of any length if n < 0.
func (v Value) Floats(name string, n int) ([]float64, error) {
	if !v.IsList() {
		return nil, v.Errorf("%s is %s: give a list of numbers", name, v.kind())
	}
	if err := v.whole(name); err != nil {
		return nil, err
	}
	size := v.node.size()
	if n >= 0 && size != n {
		return nil, v.Errorf("%s has %d numbers: give %d", name, size, n)
	}
	out := make([]float64, 0, size)
	for c := range v.node.kids {
		x, err := v.with(c).Float(name)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// Measured returns a list of numbers of any length, in which a number that is not finite
// (.nan, .inf) or null becomes NaN: it was not measured.
func (v Value) Measured(name string) ([]float64, error) {
	items, err := v.List(name)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(items))
	for i, c := range items {
		if c.unmeasured() {
			out[i] = math.NaN()
		} else if out[i], err = c.Float(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unmeasured reports whether v is null or a number that is not finite.
func (v Value) unmeasured() bool {
	if !v.node.is(yaml.ScalarNode) {
		return false
	}
	tag := v.node.tag()
	return tag == nullTag || tag == floatTag && notFinite[strings.ToLower(strings.TrimLeft(v.node.text(), "+-"))]
}

var notFinite = map[string]bool{".nan": true, ".inf": true}

// Coordinates returns the numbers of [1, 2, 3] or of {x: 1, y: 2, z: 3}, whose
// keys are given in the order of the list.
func (v Value) Coordinates(name string, keys ...string) ([]float64, error) {
	if !v.IsMap() {
		return v.Floats(name, len(keys))
	}
	f, err := v.Fields(name, keys...)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(keys))
	for i, k := range keys {
		c, err := f.Need(name, k)
		if err != nil {
			return nil, err
		}
		if out[i], err = c.Float(name + "." + k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

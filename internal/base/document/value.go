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
	node  *yaml.Node
}

// with returns a value of the same document.
func (v Value) with(n *yaml.Node) Value {
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
	where := fmt.Sprintf("%s:%d: ", v.file, v.lines+v.node.Line)
	if v.what != "" {
		where += v.what + ": "
	}
	return fmt.Errorf(where+"%w", fmt.Errorf(format, args...))
}

// IsMap reports whether v is a mapping; IsList whether it is a list.
func (v Value) IsMap() bool  { return v.node.Kind == yaml.MappingNode }
func (v Value) IsList() bool { return v.node.Kind == yaml.SequenceNode }

// Keys returns the keys of a mapping in the order of the file.
func (v Value) Keys() []string {
	var keys []string
	for i := 0; v.IsMap() && i < len(v.node.Content); i += 2 {
		keys = append(keys, v.node.Content[i].Value)
	}
	return keys
}

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool {
	return v.node.Kind == yaml.ScalarNode && (v.node.Tag == intTag || v.node.Tag == floatTag)
}

// kind describes v, for messages.
func (v Value) kind() string {
	switch {
	case v.IsMap():
		return "a mapping"
	case v.IsList():
		return "a list"
	case v.node.Tag == nullTag:
		return "nothing"
	case v.node.Tag == strTag:
		return strconv.Quote(clip(v.node.Value))
	}
	return clip(v.node.Value)
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
	items := make([]Value, len(v.node.Content))
	for i, n := range v.node.Content {
		items[i] = v.with(n)
	}
	return items, nil
}

// whole refuses a list that ros2 topic echo has truncated, which it marks by '...'.
func (v Value) whole(name string) error {
	if n := len(v.node.Content); n > 0 && v.node.Content[n-1].Kind == yaml.ScalarNode && v.node.Content[n-1].Value == "..." {
		return v.Errorf("%s was truncated with '...': record it with ros2 topic echo --full-length", name)
	}
	return nil
}

// Str returns a scalar as text. A number or boolean is returned as written: an id of 5 is "5".
func (v Value) Str(name string) (string, error) {
	if v.node.Kind != yaml.ScalarNode || v.node.Tag == nullTag {
		return "", v.Errorf("%s is %s: give a name", name, v.kind())
	}
	return v.node.Value, nil
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
	if v.node.Kind == yaml.ScalarNode && v.node.Tag == boolTag {
		if b, err := strconv.ParseBool(strings.ToLower(v.node.Value)); err == nil {
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
	if s := v.node.Value; isDecimal(s) {
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
	if n >= 0 && len(v.node.Content) != n {
		return nil, v.Errorf("%s has %d numbers: give %d", name, len(v.node.Content), n)
	}
	out := make([]float64, len(v.node.Content))
	for i, c := range v.node.Content {
		x, err := v.with(c).Float(name)
		if err != nil {
			return nil, err
		}
		out[i] = x
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
		if c.node.Tag == nullTag || c.node.Tag == floatTag && notFinite[strings.ToLower(strings.TrimLeft(c.node.Value, "+-"))] {
			out[i] = math.NaN()
		} else if out[i], err = c.Float(name); err != nil {
			return nil, err
		}
	}
	return out, nil
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

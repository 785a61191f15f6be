package ros

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Parameter is one value that a command line or a file sets for nodes.
type Parameter struct {
	// Node is the pattern of the nodes: "/ns/node", or with wildcards, of which "*" stands for
	// one part between slashes and "**" for any number.
	Node string
	// Name is the parameter's name; names of nested maps are joined by dots.
	Name string
	// Value is a bool, int64, float64, string, a slice of one of these, or
	// EmptyArray.
	Value any
	// Source says where the value was set, for messages.
	Source string
}

// EmptyArray is the value "[]", whose element type is unknown.
type EmptyArray struct{}

// ForMany reports whether the parameter stands in a file below a key with a wildcard, as those
// of a bring-up do: it may be meant for other nodes.
func (p Parameter) ForMany() bool {
	return p.Source != commandLine && strings.Contains(p.Node, "*")
}

// AppliesTo reports whether the parameter applies to a node, given by its fully qualified
// name.
func (p Parameter) AppliesTo(node string) bool {
	return matchNode(strings.Split(p.Node, "/")[1:], strings.Split(node, "/")[1:])
}

// matchNode reports whether the parts of a name fit those of a pattern, in
// time proportional to the product of their numbers.
func matchNode(pattern, node []string) bool {
	// fits[j] reports whether the pattern read so far matches node[:j].
	fits := make([]bool, len(node)+1)
	fits[0] = true
	for _, part := range pattern {
		next := make([]bool, len(fits))
		for j := range fits {
			switch {
			case part == "**":
				next[j] = fits[j] || j > 0 && next[j-1]
			case j > 0 && (part == "*" || part == node[j-1]):
				next[j] = fits[j-1]
			}
		}
		fits = next
	}
	return fits[len(node)]
}

// absolute makes a key of a parameter file absolute: "node" is "/node".
func absolute(key string) string {
	if strings.HasPrefix(key, "/") {
		return key
	}
	return "/" + key
}

// parametersKey separates a node's name from its values.
const parametersKey = "ros__parameters"

// maxNesting protects the stack from a hostile parameter file.
const maxNesting = 64

// ParseParameters reads a ROS parameter file. Within one file the more specific key takes
// precedence: other wildcards over "/**", and a full name over these. source names the file in
// errors and in Parameter.Source.
func ParseParameters(data []byte, source string) ([]Parameter, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: a parameter file must hold a single YAML document", source)
	}
	f := fileReader{source: source}
	if err := f.nodes(document.Content[0], "", 0); err != nil {
		return nil, err
	}
	slices.SortStableFunc(f.params, func(a, b Parameter) int { return specificity(a.Node) - specificity(b.Node) })
	return f.params, nil
}

func specificity(node string) int {
	switch {
	case node == "/**":
		return 0
	case strings.Contains(node, "*"):
		return 1
	}
	return 2
}

type fileReader struct {
	source string
	params []Parameter
}

func (f *fileReader) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", f.source, n.Line, fmt.Errorf(format, args...))
}

// nodes walks the keys above ros__parameters. key is the node name read so far.
func (f *fileReader) nodes(n *yaml.Node, key string, depth int) error {
	if isNull(n) && depth == 0 {
		return nil // only comments
	}
	return f.each(n, depth, func(k string, v *yaml.Node) error {
		if k != parametersKey {
			return f.nodes(v, strings.TrimSuffix(key, "/")+absolute(k), depth+1)
		}
		if key == "" {
			return f.errorf(v, "%s has no node name above it; put it under \"/**:\" to apply it to every node", parametersKey)
		}
		if isNull(v) {
			return nil
		}
		return f.values(v, key, "", depth+1)
	})
}

// values walks the maps below ros__parameters.
func (f *fileReader) values(n *yaml.Node, node, prefix string, depth int) error {
	return f.each(n, depth, func(k string, v *yaml.Node) error {
		if v.Kind == yaml.MappingNode {
			return f.values(v, node, prefix+k+".", depth+1)
		}
		value, err := parameterValue(v)
		if err != nil {
			return f.errorf(v, "parameter %q: %w", prefix+k, err)
		}
		f.params = append(f.params, Parameter{
			Node: node, Name: prefix + k, Value: value,
			Source: fmt.Sprintf("%s:%d", f.source, v.Line),
		})
		return nil
	})
}

// each calls do for the entries of a map, whose keys must be distinct scalars.
func (f *fileReader) each(n *yaml.Node, depth int, do func(string, *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return f.errorf(n, "expected a map: node names, then %s, then parameters", parametersKey)
	}
	if depth > maxNesting {
		return f.errorf(n, "maps are nested more than %d deep", maxNesting)
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || key.Value == "":
			return f.errorf(key, "a key must be a plain name")
		case seen[key.Value]:
			return f.errorf(key, "duplicate key %q", key.Value)
		}
		seen[key.Value] = true
		if err := do(key.Value, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// parseParameterValue reads the right-hand side of -p name:=value.
func parseParameterValue(text string) (any, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, errNoValue
	}
	return parameterValue(document.Content[0])
}

var errNoValue = errors.New("there is no value; write '' for the empty string")

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && (n.Value == "" || n.Value == "~" || n.Value == "null")
}

func parameterValue(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return scalarValue(n)
	case yaml.SequenceNode:
		return arrayValue(n)
	case yaml.AliasNode:
		return nil, errors.New("aliases (*name) are not supported in parameters")
	}
	return nil, errors.New("expected a value or a list")
}

// arrayValue reads a list, whose elements must be of one type.
func arrayValue(n *yaml.Node) (any, error) {
	if len(n.Content) == 0 {
		return EmptyArray{}, nil
	}
	elements := make([]any, len(n.Content))
	for i, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("element %d is not a plain value", i)
		}
		value, err := scalarValue(c)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		elements[i] = value
	}
	switch elements[0].(type) {
	case bool:
		return typedArray[bool](elements)
	case int64:
		return typedArray[int64](elements)
	case float64:
		return typedArray[float64](elements)
	}
	return typedArray[string](elements)
}

func typedArray[T any](elements []any) (any, error) {
	typed := make([]T, len(elements))
	for i, e := range elements {
		value, ok := e.(T)
		if !ok {
			return nil, fmt.Errorf("element %d is of type %T, the first one of type %T; ROS lists hold one type (write 1.0 for a real number)", i, e, elements[0])
		}
		typed[i] = value
	}
	return typed, nil
}

// Words that rcl's parameter reader takes for booleans unless they are quoted.
var (
	trueWords  = []string{"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}
	falseWords = []string{"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}
)

// scalarValue gives a plain value its type as rcl does: a string if quoted, otherwise the
// first that fits of boolean, integer (decimal, 0x…, 0… octal), real and string.
func scalarValue(n *yaml.Node) (any, error) {
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != "!!str" {
		return nil, fmt.Errorf("the tag %s is not supported in parameters", n.Tag)
	}
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	if n.Style&quoted != 0 {
		return n.Value, nil
	}
	switch {
	case isNull(n):
		return nil, errNoValue
	case slices.Contains(trueWords, n.Value):
		return true, nil
	case slices.Contains(falseWords, n.Value):
		return false, nil
	}
	return numberOrString(n.Value)
}

func numberOrString(s string) (any, error) {
	if isCInteger(s) {
		i, err := strconv.ParseInt(s, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%s does not fit in 64 bits; write it with a decimal point for a real number, or in quotes for a string", s)
		}
		return i, nil
	}
	if strings.ContainsRune(s, '_') {
		return s, nil
	}
	real, err := strconv.ParseFloat(yamlReal(s), 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && math.IsInf(real, 0):
		return nil, fmt.Errorf("%s is outside the range of real numbers", s)
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return s, nil
	}
	return real, nil
}

// isCInteger reports whether all of s is an integer as C's strtol reads it with base 0.
func isCInteger(s string) bool {
	digits, base := strings.TrimLeft(s, "+-"), "0123456789"
	if len(s)-len(digits) > 1 {
		return false
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits, base = hex, "0123456789abcdef"
	} else if len(digits) > 1 && digits[0] == '0' {
		base = "01234567"
	}
	return digits != "" && strings.Trim(digits, base) == ""
}

// yamlReal turns YAML's .nan and .inf into the spelling of C and Go.
func yamlReal(s string) string {
	sign := s[:len(s)-len(strings.TrimLeft(s, "+-"))]
	rest := s[len(sign):]
	switch strings.ToLower(rest) {
	case ".nan", ".inf":
		return sign + rest[1:]
	}
	return s
}

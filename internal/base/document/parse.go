// Package document reads YAML and JSON into values with their positions, so that errors name
// the file, the line and the remedy. Nothing is skipped silently: an unknown key, a repeated
// key and a number that is not finite are errors.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"gopkg.in/yaml.v3"
)

// Parse reads the documents of a YAML stream (separated by ---) or of a JSON text, which its
// first characters identify; name is the file's name for messages. Empty documents are left
// out.
func Parse(name string, data []byte) ([]Value, error) { return ParseAt(name, 0, data) }

// ParseAt is Parse for a part of a text, which begins after so many lines of it.
func ParseAt(name string, lines int, data []byte) ([]Value, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // a byte order mark
	if n := countValues(data); n > limit.DocumentValues {
		return nil, fmt.Errorf("%s: holds up to %d values, more than %d: put large meshes and point clouds into separate files", name, n, limit.DocumentValues)
	}
	read := parseYAML
	if isJSON(data) {
		read = parseJSON
	}
	roots, err := read(data)
	at := name
	if lines > 0 {
		at = fmt.Sprintf("%s: after line %d", name, lines)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	var docs []Value
	for _, r := range roots {
		if !r.isScalar(nullTag) {
			docs = append(docs, Value{file: name, lines: lines, node: r})
		}
	}
	return docs, nil
}

// countValues returns an upper bound: one of these characters separates any two values.
func countValues(data []byte) int {
	n := 1
	for _, c := range data {
		n += int(separates[c])
	}
	return n
}

var separates = [256]uint8{',': 1, ':': 1, '\n': 1, '\r': 1, '[': 1, '{': 1, '-': 1}

// isJSON reports whether the text begins as JSON does. A YAML flow mapping begins with the
// same bracket, but its first word is rarely quoted.
func isJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for range 2 {
		if _, err := dec.Token(); err != nil {
			return false
		}
	}
	return true
}

func parseYAML(data []byte) (roots []node, err error) {
	// yaml.v3 returns errors for bad input, but a panic of its scanner on hostile bytes must
	// not end the program.
	defer func() {
		if r := recover(); r != nil {
			roots, err = nil, fmt.Errorf("not YAML: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return roots, nil
		} else if err != nil {
			return nil, fmt.Errorf("not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if len(doc.Content) == 1 {
			if err := resolve(doc.Content[0]); err != nil {
				return nil, err
			}
			roots = append(roots, node{yaml: doc.Content[0]})
		}
	}
}

// The tags by which yaml.v3 distinguishes scalars.
const (
	nullTag  = "!!null"
	boolTag  = "!!bool"
	strTag   = "!!str"
	intTag   = "!!int"
	floatTag = "!!float"
)

// resolve replaces aliases by their values and refuses documents that are too deep, contain
// themselves, or exceed limit.DocumentValues with expanded aliases.
func resolve(root *yaml.Node) error {
	r := resolver{size: map[*yaml.Node]int{}}
	n, err := r.visit(root, 0)
	if err == nil && n > limit.DocumentValues {
		err = fmt.Errorf("line %d: holds more than %d values with its aliases expanded", root.Line, limit.DocumentValues)
	}
	return err
}

type resolver struct{ size map[*yaml.Node]int } // 0 while a node is being visited

func (r *resolver) visit(n *yaml.Node, depth int) (int, error) {
	if depth > limit.DocumentDepth {
		return 0, fmt.Errorf("line %d: nested deeper than %d levels", n.Line, limit.DocumentDepth)
	}
	if len(n.Content) == 0 {
		return 1, nil
	}
	if size, seen := r.size[n]; seen {
		if size == 0 {
			return 0, fmt.Errorf("line %d: contains itself by an alias", n.Line)
		}
		return size, nil
	}
	r.size[n] = 0
	total := 1
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			c = c.Alias
			n.Content[i] = c
		}
		size, err := r.visit(c, depth+1)
		if err != nil {
			return 0, err
		}
		total = min(total+size, limit.DocumentValues+1)
	}
	r.size[n] = total
	return total, nil
}

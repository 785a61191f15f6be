// Package document reads YAML and JSON into values that know where they stand,
// so that an error names the file, the line and what to do about it. Nothing is
// skipped in silence: an unknown key, a key given twice and a number that is not
// finite are errors.
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

// Parse reads the documents of a YAML stream (separated by ---) or of a JSON
// text, which is told by its first character; name is the file's name for
// messages. Empty documents are left out.
func Parse(name string, data []byte) ([]Value, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // a byte order mark
	if n := countValues(data); n > limit.DocumentValues {
		return nil, fmt.Errorf("%s: holds up to %d values, more than %d: keep large meshes and point clouds in files of their own", name, n, limit.DocumentValues)
	}
	var roots []*yaml.Node
	var err error
	if isJSON(data) {
		roots, err = parseJSON(data)
	} else {
		roots, err = parseYAML(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var docs []Value
	for _, r := range roots {
		if err := resolve(r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if r.Tag != nullTag {
			docs = append(docs, Value{file: name, node: r})
		}
	}
	return docs, nil
}

// countValues returns an upper bound: two values are always parted by one of
// these characters.
func countValues(data []byte) int {
	n := 1
	for _, c := range data {
		switch c {
		case ',', ':', '\n', '\r', '[', '{', '-':
			n++
		}
	}
	return n
}

// isJSON reports whether the text begins as JSON does. A YAML flow mapping opens
// with the same bracket, but its first word is hardly quoted.
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

func parseYAML(data []byte) (roots []*yaml.Node, err error) {
	// yaml.v3 answers bad input with an error, but a panic of its scanner on
	// hostile bytes must not become one of the robot's.
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
			roots = append(roots, doc.Content[0])
		}
	}
}

// resolve replaces aliases by what they stand for and refuses documents that
// are too deep, contain themselves, or grow beyond limit.DocumentValues when the aliases
// are written out.
func resolve(root *yaml.Node) error {
	r := resolver{size: map[*yaml.Node]int{}}
	n, err := r.visit(root, 0)
	if err == nil && n > limit.DocumentValues {
		err = fmt.Errorf("line %d: holds more than %d values once its aliases are written out", root.Line, limit.DocumentValues)
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

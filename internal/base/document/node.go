package document

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// node is a value of a YAML or of a JSON text. The zero node is none.
type node struct {
	yaml *yaml.Node
	json *jsonText
	at   int32 // in json's marks
}

func (n node) exists() bool { return n.yaml != nil || n.json != nil }

func (n node) is(kind yaml.Kind) bool {
	if n.json == nil {
		return n.yaml.Kind == kind
	}
	switch n.json.data[n.json.marks[n.at].begin] {
	case '{':
		return kind == yaml.MappingNode
	case '[':
		return kind == yaml.SequenceNode
	}
	return kind == yaml.ScalarNode
}

// tag returns the tag of a scalar; text returns it as it means.
func (n node) tag() string {
	if n.json == nil {
		return n.yaml.Tag
	}
	return n.json.tag(n.at)
}

func (n node) text() string {
	if n.json == nil {
		return n.yaml.Value
	}
	return n.json.text(n.at)
}

// isScalar reports whether n is a scalar with the tag.
func (n node) isScalar(tag string) bool { return n.is(yaml.ScalarNode) && n.tag() == tag }

// line returns the line in which n begins.
func (n node) line() int {
	if n.json == nil {
		return n.yaml.Line
	}
	return 1 + bytes.Count(n.json.data[:n.json.marks[n.at].begin], newline)
}

// kids yields the items of a list, or the keys and values of a mapping in turn.
func (n node) kids(yield func(node) bool) {
	if n.json == nil {
		for _, c := range n.yaml.Content {
			if !yield(node{yaml: c}) {
				return
			}
		}
		return
	}
	for at := n.at + 1; at < n.json.marks[n.at].next; at = n.json.marks[at].next {
		if !yield(node{json: n.json, at: at}) {
			return
		}
	}
}

// size returns the number of kids.
func (n node) size() int {
	if n.json == nil {
		return len(n.yaml.Content)
	}
	size := 0
	for range n.kids {
		size++
	}
	return size
}

// pairs yields the keys and values of a mapping.
func (n node) pairs(yield func(key, value node) bool) {
	var key node
	for c := range n.kids {
		if !key.exists() {
			key = c
			continue
		}
		if !yield(key, c) {
			return
		}
		key = node{}
	}
}

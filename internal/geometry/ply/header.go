package ply

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// number is a type of PLY.
type number uint8

const (
	none number = iota
	int8Type
	uint8Type
	int16Type
	uint16Type
	int32Type
	uint32Type
	float32Type
	float64Type
)

var numberNames = map[string]number{
	"char": int8Type, "uchar": uint8Type, "short": int16Type, "ushort": uint16Type,
	"int": int32Type, "uint": uint32Type, "float": float32Type, "double": float64Type,
	"int8": int8Type, "uint8": uint8Type, "int16": int16Type, "uint16": uint16Type,
	"int32": int32Type, "uint32": uint32Type, "float32": float32Type, "float64": float64Type,
}

var numberBytes = [...]int{0, 1, 1, 2, 2, 4, 4, 4, 8}

func (n number) size() int   { return numberBytes[n] }
func (n number) whole() bool { return n != float32Type && n != float64Type }
func (n number) String() string {
	return [...]string{"none", "char", "uchar", "short", "ushort", "int", "uint", "float", "double"}[n]
}

// property is a number, or a list of numbers, of each row of an element.
type property struct {
	name  string
	list  bool
	count number // type of a list's length
	of    number
}

// element is a table of the file.
type element struct {
	name       string
	count      int
	properties []property
}

// find returns the index of the first property with one of the names, or -1.
func (e *element) find(names ...string) int {
	return slices.IndexFunc(e.properties, func(p property) bool { return slices.Contains(names, p.name) })
}

// smallest is the least number of bytes that a row takes, at least 1.
func (e *element) smallest(least func(number) int64) int64 {
	n := int64(0)
	for _, p := range e.properties {
		if p.list {
			n += least(p.count)
		} else {
			n += least(p.of)
		}
	}
	return max(n, 1)
}

type header struct {
	text     bool
	order    binary.ByteOrder
	elements []element
}

// The header of a sane file is far smaller.
const (
	maxHeader     = 1 << 20
	maxProperties = 1000
)

// readHeader returns the header and what follows it.
func readHeader(data []byte) (*header, []byte, error) {
	end := "\n"
	if i := bytes.IndexAny(data[:min(len(data), maxHeader)], "\r\n"); i >= 0 && data[i] == '\r' {
		end = "\r"
		if i+1 < len(data) && data[i+1] == '\n' {
			end = "\r\n"
		}
	}
	h := &header{}
	for line, format := 1, false; ; line++ {
		i := bytes.Index(data[:min(len(data), maxHeader)], []byte(end))
		if i < 0 {
			return nil, nil, errors.New("no end_header: truncated or damaged; export or copy it again")
		}
		words := strings.Fields(string(data[:i]))
		data = data[i+len(end):]
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "end_header":
			if !format {
				return nil, nil, errors.New("no line \"format\": export or copy it again")
			}
			return h, data, nil
		case "format":
			format = true
		}
		if err := h.line(words); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

func (h *header) line(words []string) error {
	switch words[0] {
	case "ply", "comment", "obj_info":
		return nil
	case "format":
		return h.format(words)
	case "element":
		return h.element(words)
	case "property":
		return h.property(words)
	}
	return fmt.Errorf("%.40q is no statement of a PLY header: damaged; export or copy it again", words[0])
}

func (h *header) format(words []string) error {
	if len(words) != 3 || words[2] != "1.0" {
		return fmt.Errorf("%.80q: give format ascii, binary_little_endian or binary_big_endian, and 1.0", strings.Join(words, " "))
	}
	switch words[1] {
	case "ascii":
		h.text = true
	case "binary_little_endian":
		h.order = binary.LittleEndian
	case "binary_big_endian":
		h.order = binary.BigEndian
	default:
		return fmt.Errorf("format %.40q: there are ascii, binary_little_endian and binary_big_endian", words[1])
	}
	return nil
}

func (h *header) element(words []string) error {
	if len(words) != 3 {
		return fmt.Errorf("%.80q: give element, a name and a count", strings.Join(words, " "))
	}
	n, err := strconv.ParseInt(words[2], 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("element %.40q: the count %.40q is no whole number of 31 bits", words[1], words[2])
	}
	for i := range h.elements {
		if h.elements[i].name == words[1] {
			return fmt.Errorf("a second element %.40q: rename one", words[1])
		}
	}
	if len(h.elements) >= maxProperties {
		return fmt.Errorf("more than %d elements", maxProperties)
	}
	h.elements = append(h.elements, element{name: words[1], count: int(n)})
	return nil
}

func (h *header) property(words []string) error {
	if len(h.elements) == 0 {
		return errors.New("a property before the first element: export or copy it again")
	}
	e := &h.elements[len(h.elements)-1]
	p := property{name: words[len(words)-1]}
	switch {
	case len(words) == 3:
		p.of = numberNames[words[1]]
	case len(words) == 5 && words[1] == "list":
		p.list, p.count, p.of = true, numberNames[words[2]], numberNames[words[3]]
		if !p.count.whole() {
			p.count = none
		}
	}
	if p.of == none || p.list && p.count == none {
		return fmt.Errorf("%.80q of element %.40q is not understood: give property TYPE NAME, or property list TYPE TYPE NAME", strings.Join(words, " "), e.name)
	}
	if e.find(p.name) >= 0 {
		return fmt.Errorf("element %.40q has the property %.40q twice: rename one", e.name, p.name)
	}
	if len(e.properties) >= maxProperties {
		return fmt.Errorf("element %.40q has more than %d properties", e.name, maxProperties)
	}
	e.properties = append(e.properties, p)
	return nil
}

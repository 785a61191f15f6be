package rosidl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The rules for names are those of rosidl: lower case with single underscores
// for packages and fields, CamelCase for messages, upper case for constants.
var (
	fieldName    = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	messageName  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	constantName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
)

const (
	maxFile  = 1 << 20 // bytes of a definition
	maxArray = 1 << 16 // elements of a fixed array, which a Go value holds inline
	maxBound = 1<<31 - 1
)

// ParseMessage reads the text of a .msg file.
func ParseMessage(ref Ref, text string) (*Message, error) {
	parts, err := parse(ref, text, "")
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

// ParseService reads the text of a .srv file: a request, a line of three
// hyphens, a response.
func ParseService(ref Ref, text string) (*Service, error) {
	parts, err := parse(ref, text, "_Request", "_Response")
	if err != nil {
		return nil, err
	}
	s := &Service{Ref: ref, Doc: parts[0].Doc, Request: parts[0], Response: parts[1]}
	s.Request.Doc = nil
	return s, nil
}

// parse reads the sections of a definition, one per suffix of its name.
func parse(ref Ref, text string, suffixes ...string) ([]*Message, error) {
	if err := checkRef(ref); err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: %d bytes are more than any definition needs (limit %d)", ref, len(text), maxFile)
	}
	sections := []*section{newSection(ref, suffixes[0])}
	for i, line := range strings.Split(text, "\n") {
		s := sections[len(sections)-1]
		if strings.TrimSpace(line) == "---" {
			if len(sections) == len(suffixes) {
				return nil, fmt.Errorf("%s:%d: one section too many: expected %d", ref, i+1, len(suffixes))
			}
			s.end()
			sections = append(sections, newSection(ref, suffixes[len(sections)]))
			continue
		}
		if err := s.line(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", ref, i+1, err)
		}
	}
	if len(sections) < len(suffixes) {
		return nil, fmt.Errorf("%s: %d sections of %d: separate them by a line ---", ref, len(sections), len(suffixes))
	}
	messages := make([]*Message, len(sections))
	for i, s := range sections {
		s.end()
		messages[i] = s.message
	}
	return messages, nil
}

func checkRef(ref Ref) error {
	switch {
	case !fieldName.MatchString(ref.Package):
		return fmt.Errorf("%s: package name %q is not lower case with single underscores", ref, ref.Package)
	case !messageName.MatchString(ref.Name):
		return fmt.Errorf("%s: name %q is not CamelCase", ref, ref.Name)
	}
	return nil
}

// section gathers one message, line by line.
type section struct {
	message *Message
	pending []string // comment lines that wait for what they describe
	started bool     // a field or constant was seen: comments are no longer the message's
	names   map[string]bool
}

func newSection(ref Ref, suffix string) *section {
	m := &Message{Ref: Ref{ref.Package, ref.Kind, ref.Name + suffix}}
	return &section{message: m, names: map[string]bool{}}
}

// end closes a block of comments: the first one describes the message.
func (s *section) end() {
	if !s.started && s.message.Doc == nil {
		s.message.Doc = s.pending
	}
	s.pending = nil
}

func (s *section) line(line string) error {
	code, comment, commented := strings.Cut(line, "#")
	code, comment = strings.TrimSpace(code), strings.TrimSpace(comment)
	switch {
	case code == "" && commented:
		s.pending = append(s.pending, comment)
		return nil
	case code == "":
		s.end()
		return nil
	case strings.HasPrefix(code, "@"):
		return fmt.Errorf("annotation %q is not supported", code)
	}
	if !s.started && s.message.Doc == nil {
		s.end()
	}
	s.started = true
	doc := s.pending
	s.pending = nil
	if comment != "" {
		doc = append(doc, comment)
	}
	return s.member(code, doc)
}

// member reads "type name", "type name default" or "type NAME=value".
func (s *section) member(code string, doc []string) error {
	head, rest, _ := strings.Cut(strings.ReplaceAll(code, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return fmt.Errorf("%q has a type but no name", code)
	}
	typ, err := parseType(s.message.Package, head)
	if err != nil {
		return err
	}
	if name, value, ok := strings.Cut(rest, "="); ok {
		return s.constant(typ, strings.TrimSpace(name), strings.TrimSpace(value), doc)
	}
	name, value, _ := strings.Cut(rest, " ")
	return s.field(typ, name, strings.TrimSpace(value), doc)
}

func (s *section) constant(typ Type, name, text string, doc []string) error {
	switch {
	case !constantName.MatchString(name):
		return fmt.Errorf("constant %q is not in upper case with single underscores", name)
	case typ.Primitive == None || typ.Collection != Single || typ.StringBound != 0:
		return fmt.Errorf("constant %s: only plain primitive types can be constant", name)
	case s.names[name]:
		return fmt.Errorf("%s is defined twice", name)
	}
	v, err := parseValue(typ, text)
	if err != nil {
		return fmt.Errorf("constant %s: %w", name, err)
	}
	s.names[name] = true
	s.message.Constants = append(s.message.Constants, Constant{name, typ, v, doc})
	return nil
}

func (s *section) field(typ Type, name, text string, doc []string) error {
	switch {
	case !fieldName.MatchString(name):
		return fmt.Errorf("field %q is not in lower case with single underscores", name)
	case s.names[name]:
		return fmt.Errorf("%s is defined twice", name)
	}
	f := Field{Name: name, Type: typ, Doc: doc}
	if text != "" {
		v, err := parseDefault(typ, text)
		if err != nil {
			return fmt.Errorf("field %s: %w", name, err)
		}
		f.Default = v
	}
	s.names[name] = true
	s.message.Fields = append(s.message.Fields, f)
	return nil
}

// parseType reads a type as a definition of package pkg writes it.
func parseType(pkg, text string) (Type, error) {
	base, typ, err := parseCollection(text)
	if err != nil {
		return Type{}, err
	}
	if name, bound, ok := strings.Cut(base, "<="); ok {
		if name != "string" {
			return Type{}, fmt.Errorf("type %q: only strings and sequences have a bound", text)
		}
		if typ.StringBound, err = parseCount(bound, maxBound); err != nil {
			return Type{}, fmt.Errorf("type %q: %w", text, err)
		}
		base = name
	}
	if p, ok := primitives[base]; ok {
		typ.Primitive = p
		return typ, nil
	}
	switch base {
	case "wstring":
		return Type{}, fmt.Errorf("type %q: wide strings are encoded differently by every DDS vendor; use string", text)
	case "time", "duration":
		return Type{}, fmt.Errorf("type %q: use builtin_interfaces/Time or builtin_interfaces/Duration", text)
	}
	name := base
	if p, n, ok := strings.Cut(base, "/"); ok {
		pkg, name = p, strings.TrimPrefix(n, "msg/")
	}
	typ.Nested = Ref{pkg, "msg", name}
	if err := checkRef(typ.Nested); err != nil {
		return Type{}, fmt.Errorf("type %q: %w", text, err)
	}
	return typ, nil
}

// parseCollection splits off [], [n] or [<=n].
func parseCollection(text string) (base string, typ Type, err error) {
	base, inner, ok := strings.Cut(text, "[")
	if !ok {
		return text, typ, nil
	}
	inner, ok = strings.CutSuffix(inner, "]")
	if !ok {
		return "", typ, fmt.Errorf("type %q: [ without ]", text)
	}
	bound, bounded := strings.CutPrefix(inner, "<=")
	switch {
	case bounded:
		typ.Collection = BoundedSequence
		typ.Len, err = parseCount(bound, maxBound)
	case inner == "":
		typ.Collection = Sequence
	default:
		typ.Collection = Array
		typ.Len, err = parseCount(inner, maxArray)
	}
	if err != nil {
		err = fmt.Errorf("type %q: %w", text, err)
	}
	return base, typ, err
}

func parseCount(text string, limit int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 || n > uint64(limit) {
		return 0, fmt.Errorf("size %q is not a number from 1 to %d", text, limit)
	}
	return int(n), nil
}

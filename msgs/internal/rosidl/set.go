package rosidl

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Set holds definitions that refer to one another.
type Set struct {
	Messages map[Ref]*Message // those of services and actions included
	Services map[Ref]*Service // those of actions included
	Actions  map[Ref]*Action
	minSize  map[Ref]int
}

// NewSet returns an empty Set.
func NewSet() *Set {
	return &Set{Messages: map[Ref]*Message{}, Services: map[Ref]*Service{}, Actions: map[Ref]*Action{}, minSize: map[Ref]int{}}
}

// LoadPackage adds the definitions of one ROS package: the files msg/*.msg,
// srv/*.srv and action/*.action of dir. It returns their names in order.
func (s *Set) LoadPackage(pkg string, dir fs.FS) ([]Ref, error) {
	var refs []Ref
	for _, pattern := range []string{"msg/*.msg", "srv/*.srv", "action/*.action"} {
		files, err := fs.Glob(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := fs.ReadFile(dir, file)
			if err != nil {
				return nil, err
			}
			kind, base := path.Split(file)
			ref := Ref{pkg, strings.TrimSuffix(kind, "/"), strings.TrimSuffix(base, path.Ext(base))}
			if err := s.Add(ref, string(text)); err != nil {
				return nil, err
			}
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, Ref.Compare)
	return refs, nil
}

// Add parses and adds one definition, of a message, a service or an action by ref.Kind. A
// name that is there already is replaced.
func (s *Set) Add(ref Ref, text string) error {
	switch ref.Kind {
	case "srv":
		srv, err := ParseService(ref, text)
		if err != nil {
			return err
		}
		s.addService(srv)
	case "action":
		a, err := ParseAction(ref, text)
		if err != nil {
			return err
		}
		s.addAction(a)
	default:
		m, err := ParseMessage(ref, text)
		if err != nil {
			return err
		}
		s.Messages[ref] = m
	}
	return nil
}

// Check reports the first field whose type is missing or contains itself. The
// other methods want a Set that passed.
func (s *Set) Check() error {
	for _, ref := range slices.SortedFunc(maps.Keys(s.Messages), Ref.Compare) {
		if _, err := s.measure(ref, nil); err != nil {
			return err
		}
	}
	return nil
}

// MinSize is the smallest number of bytes that a value of the type can take on
// the wire, alignment left aside.
func (s *Set) MinSize(t Type) int {
	size := t.Primitive.Size()
	if t.Primitive == None {
		size = s.minSize[t.Nested]
	}
	switch t.Collection {
	case Array:
		return t.Len * size
	case Sequence, BoundedSequence:
		return Uint32.Size()
	}
	return size
}

// measure fills minSize for ref and what it contains; trail holds the messages
// that are being measured.
func (s *Set) measure(ref Ref, trail []Ref) (int, error) {
	if size, ok := s.minSize[ref]; ok {
		return size, nil
	}
	if slices.Contains(trail, ref) {
		return 0, fmt.Errorf("%s contains itself", ref)
	}
	m, ok := s.Messages[ref]
	if !ok {
		return 0, fmt.Errorf("%s: no definition of %s, which it uses", trail[len(trail)-1], ref)
	}
	size := 0
	for _, f := range m.Fields {
		if f.Type.Primitive == None {
			if _, err := s.measure(f.Type.Nested, append(slices.Clone(trail), ref)); err != nil {
				return 0, err
			}
		}
		size += s.MinSize(f.Type)
	}
	s.minSize[ref] = max(size, 1) // the empty message is one byte
	return s.minSize[ref], nil
}

// HasDefaults reports whether a fresh value of the message differs from zero.
func (s *Set) HasDefaults(ref Ref) bool {
	return slices.ContainsFunc(s.Messages[ref].Fields, s.FieldHasDefault)
}

// FieldHasDefault reports whether a fresh value of the field differs from zero.
func (s *Set) FieldHasDefault(f Field) bool {
	nested := f.Type.Primitive == None && f.Type.Collection <= Array
	return f.Default != nil || nested && s.HasDefaults(f.Type.Nested)
}

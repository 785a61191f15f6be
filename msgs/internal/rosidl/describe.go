package rosidl

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The type hash of REP-2011: SHA-256 of a JSON text that describes the type and
// every type it contains, with fixed order, spacing and numbers. Defaults,
// constants and comments are not part of it.

// hashPrefix names the standard and its version.
const hashPrefix = "RIHS01_"

// emptyField stands in for the members of an empty message.
var emptyField = Field{Name: "structure_needs_at_least_one_member", Type: Type{Primitive: Uint8}}

// typeIDs are the numbers of type_description_interfaces/msg/FieldType.
var typeIDs = [...]int{
	None: 1, Int8: 2, Uint8: 3, Int16: 4, Uint16: 5, Int32: 6, Uint32: 7,
	Int64: 8, Uint64: 9, Float32: 10, Float64: 11, Bool: 15, Byte: 16, String: 17,
}

const (
	boundedString   = 21
	collectionShift = 48 // between a type, its arrays, bounded sequences and sequences
)

// TypeID returns the number that REP-2011 gives a type.
func TypeID(t Type) int {
	id := typeIDs[t.Primitive]
	if t.StringBound > 0 {
		id = boundedString
	}
	return id + collectionShift*int(t.Collection)
}

// MessageHash returns the type hash of a message. It fails where the message or
// one that it contains is not in the Set.
func (s *Set) MessageHash(ref Ref) (string, error) {
	m, ok := s.Messages[ref]
	if !ok {
		return "", fmt.Errorf("no definition of %s", ref)
	}
	return hashOf(s.closure(m, nil))
}

// ServiceHash returns the type hash of a service, which covers its request, its
// response and the event message that ROS derives from the two. It fails where
// service_msgs/msg/ServiceEventInfo is not in the Set.
func (s *Set) ServiceHash(ref Ref) (string, error) { return hashOf(s.service(ref)) }

// ActionHash returns the type hash of an action, which covers all that ROS derives from it.
// It fails where service_msgs/msg/ServiceEventInfo or unique_identifier_msgs/msg/UUID is not
// in the Set.
func (s *Set) ActionHash(ref Ref) (string, error) { return hashOf(s.action(ref)) }

// Described returns what describes a message, a service or an action and is hashed: first the
// type itself, then each message that it contains at any depth, by name. Some are derived by
// ROS and not in the Set.
func (s *Set) Described(ref Ref) ([]*Message, error) {
	if _, ok := s.Services[ref]; ok {
		return s.service(ref)
	}
	if _, ok := s.Actions[ref]; ok {
		return s.action(ref)
	}
	m, ok := s.Messages[ref]
	if !ok {
		return nil, fmt.Errorf("no definition of %s", ref)
	}
	return s.closure(m, nil)
}

func (s *Set) service(ref Ref) ([]*Message, error) {
	srv, ok := s.Services[ref]
	if !ok {
		return nil, fmt.Errorf("no definition of %s", ref)
	}
	return s.closure(serviceDescription(srv))
}

func (s *Set) action(ref Ref) ([]*Message, error) {
	a, ok := s.Actions[ref]
	if !ok {
		return nil, fmt.Errorf("no definition of %s", ref)
	}
	send, sendEvent := serviceDescription(a.SendGoal)
	get, getEvent := serviceDescription(a.GetResult)
	whole := &Message{Ref: a.Ref, Fields: []Field{
		holding("goal", a.Goal), holding("result", a.Result), holding("feedback", a.Feedback),
		holding("send_goal_service", send), holding("get_result_service", get),
		holding("feedback_message", a.FeedbackMessage),
	}}
	return s.closure(whole, append(append(sendEvent, getEvent...), send, get))
}

// serviceDescription returns the messages that ROS derives from a service: one
// that holds its three parts, and the event.
func serviceDescription(srv *Service) (*Message, []*Message) {
	event := &Message{Ref: Ref{srv.Package, srv.Kind, srv.Name + "_Event"}, Fields: []Field{
		{Name: "info", Type: Type{Nested: Ref{"service_msgs", "msg", "ServiceEventInfo"}}},
		{Name: "request", Type: Type{Nested: srv.Request.Ref, Collection: BoundedSequence, Len: 1}},
		{Name: "response", Type: Type{Nested: srv.Response.Ref, Collection: BoundedSequence, Len: 1}},
	}}
	whole := &Message{Ref: srv.Ref, Fields: []Field{
		{Name: "request_message", Type: Type{Nested: srv.Request.Ref}},
		{Name: "response_message", Type: Type{Nested: srv.Response.Ref}},
		{Name: "event_message", Type: Type{Nested: event.Ref}},
	}}
	return whole, []*Message{event}
}

// closure returns m and, by name, each message that it contains. further are messages beside
// those of the Set.
func (s *Set) closure(m *Message, further []*Message) ([]*Message, error) {
	used := map[Ref]*Message{}
	if err := s.collect(m, further, used); err != nil {
		return nil, err
	}
	all := []*Message{m}
	for _, ref := range slices.SortedFunc(maps.Keys(used), Ref.Compare) {
		all = append(all, used[ref])
	}
	return all, nil
}

func hashOf(described []*Message, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return Hash(described), nil
}

// Hash returns the type hash of what Described returns.
func Hash(described []*Message) string {
	sum := sha256.Sum256([]byte(description(described)))
	return hashPrefix + hex.EncodeToString(sum[:])
}

// description returns the text that is hashed.
func description(described []*Message) string {
	var b strings.Builder
	b.WriteString(`{"type_description": `)
	describe(&b, described[0])
	b.WriteString(`, "referenced_type_descriptions": [`)
	for i, m := range described[1:] {
		separate(&b, i)
		describe(&b, m)
	}
	b.WriteString("]}")
	return b.String()
}

// collect adds to used every message that m contains at any depth.
func (s *Set) collect(m *Message, further []*Message, used map[Ref]*Message) error {
	for _, f := range m.Fields {
		ref := f.Type.Nested
		if f.Type.Primitive != None || used[ref] != nil {
			continue
		}
		nested := s.Messages[ref]
		for _, other := range further {
			if other.Ref == ref {
				nested = other
			}
		}
		if nested == nil {
			return fmt.Errorf("%s: no definition of %s, which it uses", m.Ref, ref)
		}
		used[ref] = nested
		if err := s.collect(nested, further, used); err != nil {
			return err
		}
	}
	return nil
}

// Described returns the fields that describe the message: an empty one has a stand-in.
func (m *Message) Described() []Field {
	if len(m.Fields) == 0 {
		return []Field{emptyField}
	}
	return m.Fields
}

func describe(b *strings.Builder, m *Message) {
	fmt.Fprintf(b, `{"type_name": "%s", "fields": [`, m.Ref)
	for i, f := range m.Described() {
		separate(b, i)
		nested := ""
		if f.Type.Primitive == None {
			nested = f.Type.Nested.String()
		}
		fmt.Fprintf(b, `{"name": "%s", "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": "%s"}}`,
			f.Name, TypeID(f.Type), f.Type.Len, f.Type.StringBound, nested)
	}
	b.WriteString("]}")
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

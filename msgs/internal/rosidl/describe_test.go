package rosidl

import "testing"

// The text that is hashed, set down once in full from REP-2011's rules: the
// numbers of the types are those of type_description_interfaces/msg/FieldType.
func TestDescription(t *testing.T) {
	s := NewSet()
	for ref, text := range map[Ref]string{
		{"b_pkg", "msg", "Outer"}: "int8 A=1\na_pkg/Inner[<=2] inners\nstring<=5[3] names ['x', 'y', 'z']\nbyte[] raw",
		{"a_pkg", "msg", "Inner"}: "float64 x 1\nEmpty e",
		{"a_pkg", "msg", "Empty"}: "",
	} {
		if err := s.Add(ref, text); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"type_description": {"type_name": "b_pkg/msg/Outer", "fields": [` +
		`{"name": "inners", "type": {"type_id": 97, "capacity": 2, "string_capacity": 0, "nested_type_name": "a_pkg/msg/Inner"}}, ` +
		`{"name": "names", "type": {"type_id": 69, "capacity": 3, "string_capacity": 5, "nested_type_name": ""}}, ` +
		`{"name": "raw", "type": {"type_id": 160, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, ` +
		`"referenced_type_descriptions": [` +
		`{"type_name": "a_pkg/msg/Empty", "fields": [` +
		`{"name": "structure_needs_at_least_one_member", "type": {"type_id": 3, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, ` +
		`{"type_name": "a_pkg/msg/Inner", "fields": [` +
		`{"name": "x", "type": {"type_id": 11, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}, ` +
		`{"name": "e", "type": {"type_id": 1, "capacity": 0, "string_capacity": 0, "nested_type_name": "a_pkg/msg/Empty"}}]}]}`
	described, err := s.Described(Ref{"b_pkg", "msg", "Outer"})
	if err != nil {
		t.Fatal(err)
	}
	if got := description(described); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHashOfTheUnknownIsAnError(t *testing.T) {
	s := NewSet()
	if _, err := s.MessageHash(testRef); err == nil {
		t.Error("a message that is not there has a hash")
	}
	if err := s.Add(testRef, "Missing m"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.MessageHash(testRef); err == nil {
		t.Error("a message with a field that is not there has a hash")
	}
	ref := Ref{"my_pkg", "srv", "Ask"}
	if _, err := s.ServiceHash(ref); err == nil {
		t.Error("a service that is not there has a hash")
	}
	if err := s.Add(ref, "---"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ServiceHash(ref); err == nil {
		t.Error("a service has a hash without service_msgs/msg/ServiceEventInfo")
	}
}

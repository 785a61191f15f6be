package msgs_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// A reader's bounds are errors before anything is allocated, and the head of a message
// that breaks them tells who sent it.
func TestReadersBounds(t *testing.T) {
	b := cdr.Bounds{String: 10, Elements: 3}
	long := strings.Repeat("i", 5<<20)
	for _, c := range []struct {
		name   string
		ask    fcmsgs.JointStatePair
		breaks bool
		id     string // in the head
	}{
		{"within", fcmsgs.JointStatePair{ID: "1234567890", JointNames: []string{"a", "b", "c"}, Start: []float64{1, 2, 3}}, false, "1234567890"},
		{"a long id", fcmsgs.JointStatePair{ID: long}, true, long[:10]},
		{"many names", fcmsgs.JointStatePair{ID: "x", JointNames: make([]string, 4)}, true, "x"},
		{"many numbers", fcmsgs.JointStatePair{ID: "x", Goal: make([]float64, 4)}, true, "x"},
		{"a long name", fcmsgs.JointStatePair{ID: "x", JointNames: []string{"a", long}}, true, "x"},
	} {
		data := cdr.Marshal(&c.ask)
		var m fcmsgs.JointStatePair
		if err := b.Unmarshal(data, &m); errors.Is(err, cdr.ErrBound) != c.breaks || err != nil && !c.breaks {
			t.Errorf("%s: %v", c.name, err)
		} else if err != nil && len(err.Error()) > 300 {
			t.Errorf("%s: an error of %d bytes", c.name, len(err.Error()))
		}
		for _, size := range []int{len(data), min(len(data), 100)} {
			var head fcmsgs.JointStatePair
			b.Head(data[:size], &head)
			if head.ID != c.id {
				t.Errorf("%s: the head of %d bytes has the id %q, want %q", c.name, size, head.ID, c.id)
			}
		}
	}
	request := fcmsgs.CheckTrajectoryRequest{ID: long}
	data, err := cdr.AppendService(nil, cdr.RequestID{Client: 7, Sequence: 9}, &request)
	if err != nil {
		t.Fatal(err)
	}
	var head fcmsgs.CheckTrajectoryRequest
	if id, err := b.HeadService(data[:200], &head); err != nil || id != (cdr.RequestID{Client: 7, Sequence: 9}) || head.ID != long[:10] {
		t.Errorf("%+v, %v, id %q", id, err, head.ID)
	}
	if _, err := b.HeadService(data[:19], new(fcmsgs.CheckTrajectoryRequest)); err == nil {
		t.Error("a request without an id has a head")
	}
}

// FuzzBounds: what decodes within bounds decodes without them to the same, and keeps
// them; its head is the whole of it.
func FuzzBounds(f *testing.F) {
	all := allMessages()
	for i, m := range all {
		f.Add(uint8(i), uint8(200), uint8(100), cdr.Marshal(m))
	}
	f.Fuzz(func(t *testing.T, which, text, elements uint8, data []byte) {
		b := cdr.Bounds{String: 1 + int(text), Elements: 1 + int(elements)}
		m := fresh(all[int(which)%len(all)])
		err := b.Unmarshal(data, m)
		head := fresh(m)
		b.Head(data, head)
		checkHeld(t, head, data)
		checkHeld(t, m, data)
		if err != nil {
			return
		}
		if !within(reflect.ValueOf(m).Elem(), b) {
			t.Fatalf("%+v breaks %+v", m, b)
		}
		free := fresh(m)
		if err := cdr.Unmarshal(data, free); err != nil {
			t.Fatalf("without bounds: %v", err)
		}
		if one, two, three := cdr.Marshal(m), cdr.Marshal(free), cdr.Marshal(head); string(one) != string(two) || string(one) != string(three) {
			t.Fatalf("%x within bounds, %x without, %x the head", one, two, three)
		}
	})
}

// within reports whether the strings and slices of v keep the bounds, at any depth.
func within(v reflect.Value, b cdr.Bounds) bool {
	switch v.Kind() {
	case reflect.String:
		return v.Len() <= b.String
	case reflect.Struct:
		for i := range v.NumField() {
			if !within(v.Field(i), b) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Len() > b.Elements {
			return false
		}
		for i := range v.Len() {
			if !within(v.Index(i), b) {
				return false
			}
		}
	}
	return true
}

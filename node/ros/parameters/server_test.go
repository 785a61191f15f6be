package parameters

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
)

// fixture is a server of a few parameters, of which those of arm can change, and its events.
type fixture struct {
	*Server
	values map[string]any
	events []*rclinterfaces.ParameterEvent
}

func newFixture() *fixture {
	f := &fixture{values: map[string]any{
		"rate": 100.0, "arm.speed": 1.0, "arm.joints": []string{"a"}, "arm.left.name": "left", "count": int64(3), "on": true,
	}}
	types := map[string]uint8{
		"rate": rclinterfaces.ParameterTypeParameterDouble, "arm.speed": rclinterfaces.ParameterTypeParameterDouble,
		"arm.joints": rclinterfaces.ParameterTypeParameterStringArray, "arm.left.name": rclinterfaces.ParameterTypeParameterString,
		"count": rclinterfaces.ParameterTypeParameterInteger, "on": rclinterfaces.ParameterTypeParameterBool,
	}
	var declared []Parameter
	for name, value := range f.values {
		declared = append(declared, Parameter{Value: value, Descriptor: rclinterfaces.ParameterDescriptor{
			Name: name, Type: types[name], Description: "about " + name, ReadOnly: !strings.HasPrefix(name, "arm."),
		}})
	}
	f.Server = NewServer(Options{
		Node: "/cell/n", Declared: declared, Change: f.change,
		Now:  func() builtininterfaces.Time { return builtininterfaces.Time{Sec: 7} },
		Tell: func(e *rclinterfaces.ParameterEvent) { f.events = append(f.events, e) },
	})
	return f
}

func (f *fixture) change(changes map[string]any) (map[string]any, error) {
	after := maps.Clone(f.values)
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		value := changes[name]
		if _, empty := value.(Empty); empty {
			value = []string{}
		}
		switch old, known := f.values[name]; {
		case !known:
			errs = append(errs, fmt.Errorf("there is no parameter %s", name))
		case !strings.HasPrefix(name, "arm."):
			errs = append(errs, fmt.Errorf("%s cannot change", name))
		case fmt.Sprintf("%T", old) != fmt.Sprintf("%T", value):
			errs = append(errs, fmt.Errorf("%s is of another type", name))
		}
		after[name] = value
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	f.values = after
	return after, nil
}

func TestList(t *testing.T) {
	f := newFixture()
	for _, c := range []struct {
		prefixes        []string
		depth           uint64
		names, prefixed string
	}{
		{nil, 0, "arm.joints arm.left.name arm.speed count on rate", "arm arm.left"},
		{nil, 1, "count on rate", ""},
		{nil, 2, "arm.joints arm.speed count on rate", "arm"},
		{[]string{"arm"}, 0, "arm.joints arm.left.name arm.speed", "arm arm.left"},
		{[]string{"arm"}, 1, "arm.joints arm.speed", "arm"},
		{[]string{"arm.left", "rate"}, 0, "arm.left.name rate", "arm.left"},
		{[]string{"ar", ""}, 0, "", ""},
	} {
		a := f.List(&rclinterfaces.ListParametersRequest{Prefixes: c.prefixes, Depth: c.depth})
		if got := strings.Join(a.Result.Names, " "); got != c.names {
			t.Errorf("%v, depth %d: %s, want %s", c.prefixes, c.depth, got, c.names)
		}
		if got := strings.Join(a.Result.Prefixes, " "); got != c.prefixed {
			t.Errorf("%v, depth %d: prefixes %s, want %s", c.prefixes, c.depth, got, c.prefixed)
		}
	}
}

func TestGetTypesAndDescribe(t *testing.T) {
	f := newFixture()
	names := []string{"on", "nothing", "arm.joints", "count", "rate", "arm.left.name"}
	values := f.Get(&rclinterfaces.GetParametersRequest{Names: names}).Values
	types := f.Types(&rclinterfaces.GetParameterTypesRequest{Names: names}).Types
	about := f.Describe(&rclinterfaces.DescribeParametersRequest{Names: names}).Descriptors
	if len(values) != len(names) || len(types) != len(names) || len(about) != len(names) {
		t.Fatalf("%d values, %d types, %d descriptors for %d names", len(values), len(types), len(about), len(names))
	}
	for i, name := range names {
		if values[i].Type != types[i] || about[i].Type != types[i] || about[i].Name != name {
			t.Errorf("%s: value of type %d, type %d, descriptor %+v", name, values[i].Type, types[i], about[i])
		}
		if declared := name != "nothing"; (types[i] != rclinterfaces.ParameterTypeParameterNotSet) != declared || (about[i].Description == "about "+name) != declared {
			t.Errorf("%s: type %d, %+v", name, types[i], about[i])
		}
	}
	if !values[0].BoolValue || values[2].StringArrayValue[0] != "a" || values[3].IntegerValue != 3 || values[4].DoubleValue != 100 || values[5].StringValue != "left" {
		t.Errorf("%+v", values)
	}
}

// A request must not make an answer of any size.
func TestGetIsBounded(t *testing.T) {
	s := NewServer(Options{Declared: []Parameter{{Descriptor: rclinterfaces.ParameterDescriptor{Name: "text"}, Value: strings.Repeat("x", 1<<20)}}})
	names := slices.Repeat([]string{"text"}, 1000)
	if a := s.Get(&rclinterfaces.GetParametersRequest{Names: names}); len(a.Values) != 0 {
		t.Errorf("%d values", len(a.Values))
	}
	if a := s.Get(&rclinterfaces.GetParametersRequest{Names: names[:1]}); len(a.Values) != 1 || len(a.Values[0].StringValue) != 1<<20 {
		t.Error("a single long text is not told")
	}
}

func parameter(name string, value any) rclinterfaces.Parameter {
	return rclinterfaces.Parameter{Name: name, Value: valueOf(value)}
}

// Each change of set_parameters stands on its own, and what changes is told once.
func TestSet(t *testing.T) {
	f := newFixture()
	a := f.Set(&rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{
		parameter("arm.speed", 2.0), parameter("rate", 5.0), parameter("nothing", 1.0), parameter("arm.speed", "fast"),
		parameter("arm.speed", 2.0), parameter("arm.joints", nil), parameter("arm.joints", []bool{}),
		{Name: "arm.speed", Value: rclinterfaces.ParameterValue{Type: 77}},
	}})
	wants := []string{"", "rate cannot change", "no parameter nothing", "another type", "", "cannot be deleted", "", "unknown type 77"}
	if len(a.Results) != len(wants) {
		t.Fatalf("%d results", len(a.Results))
	}
	for i, want := range wants {
		if r := a.Results[i]; r.Successful != (want == "") || !strings.Contains(r.Reason, want) || r.Successful && r.Reason != "" {
			t.Errorf("%d: %+v, want %q", i, r, want)
		}
	}
	if len(f.events) != 2 {
		t.Fatalf("%d events, want those of the speed and of the joints", len(f.events))
	}
	e := f.events[0]
	if e.Node != "/cell/n" || e.Stamp.Sec != 7 || len(e.ChangedParameters) != 1 || e.ChangedParameters[0].Name != "arm.speed" ||
		e.ChangedParameters[0].Value.DoubleValue != 2 || len(e.NewParameters)+len(e.DeletedParameters) != 0 {
		t.Errorf("%+v", e)
	}
	got := f.Get(&rclinterfaces.GetParametersRequest{Names: []string{"arm.speed", "arm.joints"}}).Values
	if got[0].DoubleValue != 2 || got[1].Type != rclinterfaces.ParameterTypeParameterStringArray || len(got[1].StringArrayValue) != 0 {
		t.Errorf("afterwards %+v", got)
	}
}

func TestSetAtomically(t *testing.T) {
	f := newFixture()
	for name, c := range map[string]struct {
		changes []rclinterfaces.Parameter
		says    string
	}{
		"one of them refused": {[]rclinterfaces.Parameter{parameter("arm.speed", 3.0), parameter("rate", 5.0)}, "rate cannot change"},
		"named twice":         {[]rclinterfaces.Parameter{parameter("arm.speed", 3.0), parameter("arm.speed", 4.0)}, "twice"},
	} {
		r := f.SetAtomically(&rclinterfaces.SetParametersAtomicallyRequest{Parameters: c.changes}).Result
		if r.Successful || !strings.Contains(r.Reason, c.says) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if f.values["arm.speed"] != 1.0 || len(f.events) != 0 {
		t.Errorf("a refused change is applied: %v, %d events", f.values["arm.speed"], len(f.events))
	}
	r := f.SetAtomically(&rclinterfaces.SetParametersAtomicallyRequest{Parameters: []rclinterfaces.Parameter{
		parameter("arm.speed", 3.0), parameter("arm.left.name", "l"),
	}}).Result
	if !r.Successful || f.values["arm.speed"] != 3.0 || len(f.events) != 1 || len(f.events[0].ChangedParameters) != 2 {
		t.Errorf("%+v, %v, %d events", r, f.values, len(f.events))
	}
}

func TestIntroduce(t *testing.T) {
	f := newFixture()
	f.Introduce()
	if len(f.events) != 1 || len(f.events[0].NewParameters) != 6 || len(f.events[0].ChangedParameters) != 0 {
		t.Errorf("%+v", f.events)
	}
}

// Whatever is asked, each change has a result, and only declared parameters change.
func FuzzSet(f *testing.F) {
	for _, r := range []rclinterfaces.SetParametersRequest{
		{}, {Parameters: []rclinterfaces.Parameter{parameter("arm.speed", 2.0)}}, {Parameters: []rclinterfaces.Parameter{parameter("x", []string{"", "y"}), parameter("on", false)}},
	} {
		f.Add(cdr.Marshal(&r))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r rclinterfaces.SetParametersRequest
		if requestBounds.Fields.Unmarshal(data, &r) != nil {
			return
		}
		fix := newFixture()
		if a := fix.Set(&r); len(a.Results) != len(r.Parameters) {
			t.Errorf("%d results for %d changes", len(a.Results), len(r.Parameters))
		}
		fix.SetAtomically(&rclinterfaces.SetParametersAtomicallyRequest{Parameters: r.Parameters})
		if len(fix.values) != 6 || fix.values["rate"] != 100.0 {
			t.Errorf("parameters are %v", fix.values)
		}
	})
}

package rosidl

import (
	"strings"
	"testing"
)

var actionRef = Ref{"my_pkg", "action", "Turn"}

func TestActionSections(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"bool a\n---\nbool b", "2 sections of 3"},
		{"---\n---\n---", "one section too many"},
		{"---\nbool\n---", ":2: "},
	} {
		if _, err := ParseAction(actionRef, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	a, err := ParseAction(actionRef, "# Turns.\nfloat64 angle\n---\nbool done\nint8 code\n---\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Goal.Fields) != 1 || len(a.Result.Fields) != 2 || len(a.Feedback.Fields) != 0 || a.Doc[0] != "Turns." || a.Goal.Doc != nil {
		t.Errorf("parsed as %+v", a)
	}
}

// What ROS derives from an action is in the set with it, by the names that it has on the wire.
func TestActionDerivesItsServices(t *testing.T) {
	s := NewSet()
	for ref, text := range map[Ref]string{
		actionRef: "float64 angle\n---\nbool done\n---\n",
		{"unique_identifier_msgs", "msg", "UUID"}: "uint8[16] uuid",
		{"builtin_interfaces", "msg", "Time"}:     "int32 sec\nuint32 nanosec",
	} {
		if err := s.Add(ref, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	for name, fields := range map[string]string{
		"Turn_SendGoal_Request": "goal_id goal", "Turn_SendGoal_Response": "accepted stamp",
		"Turn_GetResult_Request": "goal_id", "Turn_GetResult_Response": "status result",
		"Turn_FeedbackMessage": "goal_id feedback", "Turn_Goal": "angle", "Turn_Result": "done", "Turn_Feedback": "",
	} {
		var got []string
		m := s.Messages[Ref{"my_pkg", "action", name}]
		if m == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		for _, f := range m.Fields {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != fields {
			t.Errorf("%s has the fields %q, want %q", name, got, fields)
		}
	}
	if _, err := s.ActionHash(actionRef); err == nil {
		t.Error("an action has a hash without service_msgs/msg/ServiceEventInfo")
	}
	if _, err := s.ActionHash(testRef); err == nil {
		t.Error("an action that is not there has a hash")
	}
}

func FuzzParseAction(f *testing.F) {
	for _, text := range []string{"", "---\n---", "bool a\n---\nint8 A=1\n---\nother_msgs/Thing[] b", "---\n---\n---"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAction(actionRef, text)
		if err != nil {
			return
		}
		again, err := ParseAction(actionRef, printed(a.Goal)+"---\n"+printed(a.Result)+"---\n"+printed(a.Feedback))
		if err != nil {
			t.Fatalf("%q prints to what does not parse: %v", text, err)
		}
		same(t, a.Goal, again.Goal)
		same(t, a.Result, again.Result)
		same(t, a.Feedback, again.Feedback)
	})
}

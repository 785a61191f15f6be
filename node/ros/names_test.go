package ros

import (
	"strings"
	"testing"
)

func TestNodeNamesAndNamespaces(t *testing.T) {
	long := strings.Repeat("n", 256)
	tests := []struct {
		check func(string) error
		name  string
		ok    bool
	}{
		{CheckNodeName, "firstcontact", true},
		{CheckNodeName, "_hidden_2", true},
		{CheckNodeName, long[:255], true},
		{CheckNodeName, long, false},
		{CheckNodeName, "", false},
		{CheckNodeName, "2arms", false},
		{CheckNodeName, "a/b", false},
		{CheckNodeName, "a-b", false},
		{CheckNodeName, "a b", false},
		{CheckNodeName, "ü", false},
		{CheckNamespace, "/", true},
		{CheckNamespace, "/cell", true},
		{CheckNamespace, "/cell/left_2", true},
		{CheckNamespace, "", false},
		{CheckNamespace, "cell", false},
		{CheckNamespace, "/cell/", false},
		{CheckNamespace, "//cell", false},
		{CheckNamespace, "/cell/2", false},
		{CheckNamespace, "/cell/~", false},
		{CheckNamespace, "/" + long, false},
	}
	for _, test := range tests {
		if err := test.check(test.name); (err == nil) != test.ok {
			t.Errorf("%q: %v", test.name, err)
		}
	}
}

func TestNamesResolve(t *testing.T) {
	rules := []Remap{
		{From: "scan", To: "front/scan"},
		{From: "/cell/odom", To: "/odom"},
		{From: "~/state", To: "status"},
		{Node: "other", From: "cloud", To: "never"},
		{Node: "arm", From: "cloud", To: "~/cloud"},
		{From: "cloud", To: "second"},
		{From: "rostopic://toggle", To: "topic_only"},
		{From: "rosservice://reset", To: "service_only"},
		{From: "__ns", To: "/elsewhere"},
	}
	arm := names{node: "arm", namespace: "/cell", rules: rules}
	root := names{node: "arm", namespace: "/"}
	tests := []struct {
		names  names
		name   string
		scheme string
		want   string // empty: an error
	}{
		{root, "x", topicScheme, "/x"},
		{root, "~/x", topicScheme, "/arm/x"},
		{root, "~", topicScheme, "/arm"},
		{arm, "x", topicScheme, "/cell/x"},
		{arm, "x/y", topicScheme, "/cell/x/y"},
		{arm, "/x", topicScheme, "/x"},
		{arm, "~/x", topicScheme, "/cell/arm/x"},
		{arm, "{node}/x", topicScheme, "/cell/arm/x"},
		{arm, "{ns}/x", topicScheme, "/cell/x"},
		{arm, "{namespace}/{node}", topicScheme, "/cell/arm"},
		{arm, "scan", topicScheme, "/cell/front/scan"},
		{arm, "scan", serviceScheme, "/cell/front/scan"},
		{arm, "/cell/scan", topicScheme, "/cell/front/scan"},
		{arm, "/scan", topicScheme, "/scan"},
		{arm, "odom", topicScheme, "/odom"},
		{arm, "~/state", topicScheme, "/cell/status"},
		{arm, "cloud", topicScheme, "/cell/arm/cloud"},
		{arm, "toggle", topicScheme, "/cell/topic_only"},
		{arm, "toggle", serviceScheme, "/cell/toggle"},
		{arm, "reset", topicScheme, "/cell/reset"},
		{arm, "reset", serviceScheme, "/cell/service_only"},
		{arm, "", topicScheme, ""},
		{arm, "x/", topicScheme, ""},
		{arm, "x//y", topicScheme, ""},
		{arm, "~x", topicScheme, ""},
		{arm, "x/~", topicScheme, ""},
		{arm, "9x", topicScheme, ""},
		{arm, "x/9", topicScheme, ""},
		{arm, "{robot}/x", topicScheme, ""},
		{arm, "{node", topicScheme, ""},
		{arm, "a}b", topicScheme, ""},
		{arm, "x y", topicScheme, ""},
		{arm, strings.Repeat("x", 248), topicScheme, ""},
	}
	for _, test := range tests {
		got, err := test.names.resolve(test.name, test.scheme)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s%s in %s: %q, %v; want %q", test.scheme, test.name, test.names.fullName(), got, err, test.want)
		}
	}
}

func TestRulesRenameTheNode(t *testing.T) {
	tests := []struct {
		rules []Remap
		want  string // empty: an error
	}{
		{nil, "/cell/arm"},
		{[]Remap{{From: "__node", To: "left"}}, "/cell/left"},
		{[]Remap{{From: "__name", To: "left"}, {From: "__node", To: "right"}}, "/cell/left"},
		{[]Remap{{From: "__ns", To: "/hall"}}, "/hall/arm"},
		{[]Remap{{From: "__ns", To: "/"}}, "/arm"},
		{[]Remap{{Node: "arm", From: "__node", To: "left"}}, "/cell/left"},
		{[]Remap{{Node: "other", From: "__node", To: "left"}}, "/cell/arm"},
		// The rule for the namespace asks for the new name, as in rcl.
		{[]Remap{{From: "__node", To: "left"}, {Node: "left", From: "__ns", To: "/hall"}}, "/hall/left"},
		{[]Remap{{From: "__node", To: "left"}, {Node: "arm", From: "__ns", To: "/hall"}}, "/cell/left"},
		{[]Remap{{From: "__node", To: "9"}}, ""},
	}
	for _, test := range tests {
		n, err := newNames("arm", "cell", test.rules)
		if (err == nil) != (test.want != "") || err == nil && n.fullName() != test.want {
			t.Errorf("%v: %s, %v; want %s", test.rules, n.fullName(), err, test.want)
		}
	}
}

func TestParseRemap(t *testing.T) {
	tests := []struct {
		text string
		want Remap
		ok   bool
	}{
		{"a:=b", Remap{From: "a", To: "b"}, true},
		{"/a:=~/b", Remap{From: "/a", To: "~/b"}, true},
		{"node:a:=b", Remap{Node: "node", From: "a", To: "b"}, true},
		{"rostopic://a:=b", Remap{From: "rostopic://a", To: "b"}, true},
		{"node:rosservice:///a:=/b", Remap{Node: "node", From: "rosservice:///a", To: "/b"}, true},
		{"__node:=n", Remap{From: "__node", To: "n"}, true},
		{"__ns:=/n", Remap{From: "__ns", To: "/n"}, true},
		{"node:__ns:=/n", Remap{Node: "node", From: "__ns", To: "/n"}, true},
		{text: "a=b"},
		{text: "a:="},
		{text: ":=b"},
		{text: ":a:=b"},
		{text: "no de:a:=b"},
		{text: "a b:=c"},
		{text: "a:=b:=c"},
		{text: "__node:=a/b"},
		{text: "__ns:=n"},
		{text: "__node:="},
	}
	for _, test := range tests {
		got, err := ParseRemap(test.text)
		if (err == nil) != test.ok || test.ok && got != test.want {
			t.Errorf("%q: %+v, %v", test.text, got, err)
		}
		if err != nil && !strings.Contains(err.Error(), test.text) {
			t.Errorf("%q: the error does not show it: %v", test.text, err)
		}
	}
}

func TestDDSNames(t *testing.T) {
	tests := []struct {
		dds  string
		role role
		name string
	}{
		{topicToDDS("/a/b"), roleTopic, "/a/b"},
		{requestToDDS("/a/b"), roleRequest, "/a/b"},
		{replyToDDS("/a/b"), roleReply, "/a/b"},
		{"rt/joint_states", roleTopic, "/joint_states"},
		{"rq/toggleRequest", roleRequest, "/toggle"},
		{"rr/toggleReply", roleReply, "/toggle"},
		{"rq/toggle", roleOther, "rq/toggle"},
		{"rq/Request", roleOther, "rq/Request"},
		{"ros_discovery_info", roleOther, "ros_discovery_info"},
		{"rt", roleOther, "rt"},
		{"", roleOther, ""},
	}
	for _, test := range tests {
		if r, name := fromDDS(test.dds); r != test.role || name != test.name {
			t.Errorf("%q is %v %q", test.dds, r, name)
		}
	}
	types := map[string]string{
		"sensor_msgs::msg::dds_::JointState_": "sensor_msgs/msg/JointState",
		"a::srv::dds_::B_Request_":            "a/srv/B_Request",
		"Plain":                               "Plain",
		"a::b::c::D_":                         "a::b::c::D_",
		"":                                    "",
	}
	for dds, want := range types {
		if got := typeFromDDS(dds); got != want {
			t.Errorf("%q is %q, not %q", dds, got, want)
		}
	}
}

package rosidl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testRef = Ref{"my_pkg", "msg", "Thing"}

func TestTypes(t *testing.T) {
	other := Ref{"other_msgs", "msg", "Point2D"}
	cases := []struct {
		text string
		want Type
	}{
		{"bool", Type{Primitive: Bool}},
		{"char", Type{Primitive: Uint8}},
		{"byte[]", Type{Primitive: Byte, Collection: Sequence}},
		{"float64[36]", Type{Primitive: Float64, Collection: Array, Len: 36}},
		{"int8[<=4]", Type{Primitive: Int8, Collection: BoundedSequence, Len: 4}},
		{"string<=256", Type{Primitive: String, StringBound: 256}},
		{"string<=2[<=3]", Type{Primitive: String, StringBound: 2, Collection: BoundedSequence, Len: 3}},
		{"Point2D", Type{Nested: Ref{"my_pkg", "msg", "Point2D"}}},
		{"other_msgs/Point2D[]", Type{Nested: other, Collection: Sequence}},
		{"other_msgs/msg/Point2D", Type{Nested: other}},
	}
	for _, c := range cases {
		got, err := parseType("my_pkg", c.text)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v (%v), want %+v", c.text, got, err, c.want)
		}
	}
}

func TestBadDefinitionsNameTheLineAndTheRemedy(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"no name", "bool", `:1: "bool" has a type but no name`},
		{"later line", "bool ok\n\nbool", ":3: "},
		{"camel case field", "bool aB", "lower case"},
		{"double underscore", "bool a__b", "lower case"},
		{"last underscore", "bool a_", "lower case"},
		{"lower case constant", "bool a=true", "upper case"},
		{"bad type name", "thing a", "CamelCase"},
		{"bad package", "My/Thing a", "lower case"},
		{"action's part", "my_pkg/action/Thing a", "CamelCase"},
		{"twice", "bool a\nint8 a", "a is defined twice"},
		{"constant twice", "int8 A=1\nint8 A=1", "A is defined twice"},
		{"wide string", "wstring a", "use string"},
		{"ROS 1 time", "time a", "use builtin_interfaces/Time"},
		{"annotation", "@key\nbool a", "annotation"},
		{"open bracket", "bool[ a", "[ without ]"},
		{"empty array", "bool[0] a", "from 1 to 65536"},
		{"huge array", "bool[4000000000] a", "from 1 to 65536"},
		{"negative array", "bool[-1] a", "from 1 to 65536"},
		{"two dimensions", "bool[2][3] a", "from 1 to 65536"},
		{"bounded number", "int8<=3 a", "only strings and sequences"},
		{"bound of nothing", "string<= a", `size ""`},
		{"nested constant", "Other A=1", "only plain primitive types"},
		{"list constant", "int8[] A=[1]", "only plain primitive types"},
		{"nested default", "Other a 1", "cannot have a default"},
		{"uint8 too big", "uint8 A=256", "8 bits without sign"},
		{"uint8 negative", "uint8 A=-1", "8 bits without sign"},
		{"int8 too small", "int8 a -129", "8 bits"},
		{"not a number", "float64 a one", "finite number"},
		{"NaN", "float64 a nan", "finite number"},
		{"float32 too big", "float32 a 1e39", "32 bits"},
		{"bad bool", "bool a yes", "not a boolean"},
		{"list without brackets", "int8[] a 1, 2", "not in brackets"},
		{"wrong number", "int8[2] a [1]", "1 elements where the type says 2"},
		{"too many", "int8[<=2] a [1, 2, 3]", "3 elements where the type says 2"},
		{"bad element", "int8[] a [1, x]", "whole number"},
		{"empty element", "int8[] a [1,]", "whole number"},
		{"open quote", `string a "x`, "quotes"},
		{"inner quote", `string a "x"y"`, "quotes"},
		{"escaped end", `string a "x\"`, "quotes"},
		{"hash in quotes", `string a "x#y"`, "starts a comment"},
		{"open quote in a list", `string[] a ["x]`, "open quote"},
		{"long string", `string<=2 a "xyz"`, "bound of 2"},
		{"section in a message", "bool a\n---\nbool b", "one section too many"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseMessage(testRef, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), testRef.String()) {
				t.Errorf("error %v, want one of %s with %q", err, testRef, c.want)
			}
		})
	}
}

func TestServiceSections(t *testing.T) {
	ref := Ref{"my_pkg", "srv", "Ask"}
	for _, c := range []struct{ text, want string }{
		{"bool a", "1 sections of 2"},
		{"---\n---", "one section too many"},
	} {
		if _, err := ParseService(ref, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	s, err := ParseService(ref, "# What it is for.\nbool a\n  ---  \nbool a\n")
	if err != nil {
		t.Fatal(err)
	}
	if s.Request.Name != "Ask_Request" || s.Response.Name != "Ask_Response" || len(s.Request.Fields) != 1 || len(s.Response.Fields) != 1 {
		t.Errorf("parsed as %+v and %+v", s.Request, s.Response)
	}
	if diff := cmp.Diff([]string{"What it is for."}, s.Doc); diff != "" || s.Request.Doc != nil {
		t.Errorf("comment of the service (-want +got)\n%s", diff)
	}
}

func TestCommentsGoToWhatTheyDescribe(t *testing.T) {
	m, err := ParseMessage(testRef, `# The message,
# in two lines.

# Above A.
int8 A=1  # beside A

# Belongs to nothing.

int8 a
# Above b.
int8 b # beside b
`)
	if err != nil {
		t.Fatal(err)
	}
	want := &Message{
		Ref:       testRef,
		Doc:       []string{"The message,", "in two lines."},
		Constants: []Constant{{"A", Type{Primitive: Int8}, int64(1), []string{"Above A.", "beside A"}}},
		Fields: []Field{
			{Name: "a", Type: Type{Primitive: Int8}},
			{Name: "b", Type: Type{Primitive: Int8}, Doc: []string{"Above b.", "beside b"}},
		},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSetReportsWhatIsMissing(t *testing.T) {
	cases := []struct {
		name string
		defs map[string]string
		want string
	}{
		{"missing", map[string]string{"Outer": "Inner a"}, "my_pkg/msg/Outer: no definition of my_pkg/msg/Inner"},
		{"itself", map[string]string{"Outer": "Outer[] a"}, "my_pkg/msg/Outer contains itself"},
		{"a ring", map[string]string{"Outer": "Inner a", "Inner": "Outer[<=1] b"}, "contains itself"},
		{"a diamond", map[string]string{"Outer": "Left a\nRight b", "Left": "Inner a", "Right": "Inner a", "Inner": ""}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := NewSet()
			for name, text := range c.defs {
				if err := s.Add(Ref{"my_pkg", "msg", name}, text); err != nil {
					t.Fatal(err)
				}
			}
			err := s.Check()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestMinSize(t *testing.T) {
	s := NewSet()
	for name, text := range map[string]string{
		"Empty": "", "Odd": "uint8 a\nuint16 b", "Lists": "string[] a\nstring b\nfloat64[<=3] c", "Arrays": "Odd[4] a\nstring[2] b\nEmpty[3] c",
	} {
		if err := s.Add(Ref{"my_pkg", "msg", name}, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"Empty": 1, "Odd": 3, "Lists": 12, "Arrays": 4*3 + 2*4 + 3} {
		if got := s.MinSize(Type{Nested: Ref{"my_pkg", "msg", name}}); got != want {
			t.Errorf("%s takes at least %d bytes, want %d", name, got, want)
		}
	}
}

// FuzzParseMsg parses arbitrary text. What parses must print to a text that
// parses to the same.
func FuzzParseMsg(f *testing.F) {
	for _, text := range []string{
		"", "# doc\nbool a", "int8 A=-1\nuint8[<=3] a [1, 2]\nstring<=5[2] b ['x', \"y,\"]", "pkg/Name[] a # c\n---\nfloat64 b 1e3",
		"string a \"it\\\"s\"", "string B= x y", "float32 X=0.1",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, service bool) {
		if service {
			s, err := ParseService(Ref{"my_pkg", "srv", "Ask"}, text)
			if err != nil {
				return
			}
			again, err := ParseService(s.Ref, printed(s.Request)+"---\n"+printed(s.Response))
			if err != nil {
				t.Fatalf("%q prints to what does not parse: %v", text, err)
			}
			same(t, s.Request, again.Request)
			same(t, s.Response, again.Response)
			return
		}
		m, err := ParseMessage(testRef, text)
		if err != nil {
			return
		}
		again, err := ParseMessage(testRef, printed(m))
		if err != nil {
			t.Fatalf("%q prints to what does not parse: %v\n%s", text, err, printed(m))
		}
		same(t, m, again)
	})
}

func same(t *testing.T, want, got *Message) {
	t.Helper()
	for _, m := range []*Message{want, got} {
		m.Doc = nil
		for i := range m.Constants {
			m.Constants[i].Doc = nil
		}
		for i := range m.Fields {
			m.Fields[i].Doc = nil
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

// printed returns a definition of m without its comments.
func printed(m *Message) string {
	var b strings.Builder
	for _, c := range m.Constants {
		fmt.Fprintf(&b, "%s %s=%s\n", typeText(c.Type), c.Name, valueText(c.Value))
	}
	for _, f := range m.Fields {
		fmt.Fprintf(&b, "%s %s", typeText(f.Type), f.Name)
		if f.Default != nil {
			b.WriteString(" " + valueText(f.Default))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func typeText(t Type) string {
	text := t.Nested.Package + "/" + t.Nested.Name
	for name, p := range primitives {
		if p == t.Primitive && name != "char" {
			text = name
		}
	}
	if t.StringBound > 0 {
		text += fmt.Sprintf("<=%d", t.StringBound)
	}
	switch t.Collection {
	case Array:
		text += fmt.Sprintf("[%d]", t.Len)
	case BoundedSequence:
		text += fmt.Sprintf("[<=%d]", t.Len)
	case Sequence:
		text += "[]"
	}
	return text
}

func valueText(v any) string {
	switch v := v.(type) {
	case string:
		for _, quote := range []string{`"`, `'`} {
			text := quote + strings.ReplaceAll(v, quote, `\`+quote) + quote
			if back, err := parseString(Type{}, text); err == nil && back == v {
				return text
			}
		}
		return v // a backslash before the closing quote would escape it
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = valueText(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(v)
}

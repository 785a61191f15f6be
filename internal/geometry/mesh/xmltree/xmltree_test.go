package xmltree

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

func TestTree(t *testing.T) {
	n, err := Parse([]byte(`<?xml version="1.0"?>
<!-- a robot -->
<robot name="r" xmlns:x="urn:x">
  <link
     name="a"
     x:name="other"/>
  <x:link name="b">some <b/>text</x:link>
  <big><link name="c"/></big>
</robot>
`), func(name string) bool { return name == "big" })
	if err != nil {
		t.Fatal(err)
	}
	if n.Name != "robot" || len(n.Kids) != 2 {
		t.Fatalf("root %s with %d children, want robot with 2", n.Name, len(n.Kids))
	}
	links := n.All("link")
	if len(links) != 2 || links[0] != n.Child("link") {
		t.Fatalf("%d links", len(links))
	}
	if v, ok := links[0].Attr("name"); v != "a" || !ok {
		t.Errorf("name %q %v: the attribute outside any namespace counts", v, ok)
	}
	if links[0].Line != 6 {
		t.Errorf("line %d, want 6", links[0].Line)
	}
	if links[1].Space != "urn:x" || links[1].Text != "some  text" {
		t.Errorf("space %q text %q", links[1].Space, links[1].Text)
	}
	if _, ok := n.Attr("none"); ok || n.Child("none") != nil || n.All("none") != nil {
		t.Error("found what is not there")
	}
	if n.Child("none").Child("deeper") != nil || n.Child("none").All("deeper") != nil {
		t.Error("found something below nothing")
	}
	seen := 0
	n.Walk(func(*Node) { seen++ })
	if seen != 4 {
		t.Errorf("walked over %d elements, want 4", seen)
	}
}

func TestEncodings(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"UTF-8", `<?xml version="1.0" encoding="UTF-8"?><a n="é"/>`, "é"},
		{"not declared", `<a n="é"/>`, "é"},
		{"Latin-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a n=\"\xe9\"/>", "é"},
		{"stray byte", "<a n=\"\xe9\"/>", "\uFFFD"},
		{"byte order mark", "\ufeff<a n=\"x\"/>", "x"},
		{"entities", `<a n="&lt;&amp;&#65;"/>`, "<&A"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := Parse([]byte(tt.doc), nil)
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := n.Attr("n"); v != tt.want {
				t.Errorf("got %q, want %q", v, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"empty", "", "no XML element"},
		{"text only", "solid", "no XML element"},
		{"truncated", "<a><b>", "truncated"},
		{"cut in a skipped element", "<a><skip><b>", "truncated"},
		{"wrong end", "<a></b>", "not well-formed"},
		{"two roots", "<a/><b/>", "second root"},
		{"too deep", strings.Repeat("<a>", limit.XMLDepth+1), "deeper than 200"},
		{"attribute twice", `<a b="1" b="2"/>`, "attribute b twice"},
		{"too many attributes", "<a" + manyAttrs() + "/>", "more than 256 attributes"},
		{"unknown entity", "<a>&bomb;</a>", "not well-formed"},
		{"entity bomb", `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>`, "not well-formed"},
		{"UTF-16", `<?xml version="1.0" encoding="utf-16"?><a/>`, "UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.doc), func(n string) bool { return n == "skip" })
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func manyAttrs() string {
	var b strings.Builder
	for i := range 257 {
		b.WriteString(" a" + strings.Repeat("x", i) + `="1"`)
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><a x="1"><b>t<!-- c --></b><c/></a>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"latin1\"?><a>\xe9</a>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse(data, nil)
		if (n == nil) == (err == nil) {
			t.Fatalf("node %v with error %v", n, err)
		}
		if n == nil {
			return
		}
		n.Walk(func(k *Node) {
			if k.Name == "" || k.Line < 1 {
				t.Fatalf("element %+v", k)
			}
		})
	})
}

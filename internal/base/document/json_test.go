package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

// plain is a node as encoding/json reads it, with numbers as they stand.
func plain(t *testing.T, n *yaml.Node) any {
	switch {
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plain(t, c))
		}
		return list
	case n.Tag == nullTag:
		return nil
	case n.Tag == boolTag:
		return n.Value == "true"
	case n.Tag == strTag:
		return n.Value
	case n.Tag == floatTag:
		return json.Number(n.Value)
	}
	t.Fatalf("a node of kind %d, tag %q", n.Kind, n.Tag)
	return nil
}

// anyJSON writes a random value, with white space and escapes where JSON allows them.
func anyJSON(d chance.Dice, depth int) string {
	space := func() string { return []string{"", "", " ", "\n", "\t", "\r\n", " \n\n "}[d.IntN(7)] }
	word := func() string {
		text := `"`
		for range d.IntN(5) {
			text += []string{"a", ",", ":", "[", "{", "}", "]", `\"`, `\\`, `\n`, `\u00e9`, `\ud83d\ude00`, "é", "\xff", " ", "-"}[d.IntN(16)]
		}
		return text + `"`
	}
	if depth == 0 || d.IntN(3) == 0 {
		return []string{"0", "-1.5e-7", "1E400", "12345678901234567890123", "true", "false", "null", word(), word()}[d.IntN(9)]
	}
	var parts []string
	open, end := "[", "]"
	if d.IntN(2) == 0 {
		open, end = "{", "}"
	}
	for i := range d.IntN(5) {
		key := ""
		if open == "{" {
			key = fmt.Sprintf(`"%d%s`, i, word()[1:]) + space() + ":" + space()
		}
		parts = append(parts, space()+key+anyJSON(d, depth-1)+space())
	}
	return open + space() + strings.Join(parts, ",") + end
}

// Texts are read as encoding/json reads them.
func TestJSONIsReadAsByEncodingJSON(t *testing.T) {
	d := chance.New(3, 71)
	for range 5000 {
		text := anyJSON(d, 4)
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		roots, err := parseJSON([]byte(text))
		if err != nil || len(roots) != 1 {
			t.Fatalf("%q: %d values, %v", text, len(roots), err)
		}
		if got := plain(t, roots[0]); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
}

// Every prefix and every text with one byte changed is refused where encoding/json refuses it.
func TestBrokenJSONIsRefused(t *testing.T) {
	d := chance.New(4, 71)
	refused := 0
	for range 3000 {
		text := []byte("[" + anyJSON(d, 2) + "]")
		if d.IntN(2) == 0 {
			text = text[:1+d.IntN(len(text)-1)]
		}
		text[d.IntN(len(text))] = ",:[]{}\"\\0 -e\n"[d.IntN(13)]
		values := 0
		var want error
		for dec := json.NewDecoder(bytes.NewReader(text)); want == nil; values++ {
			want = dec.Decode(new(json.RawMessage))
		}
		values--
		if errors.Is(want, io.EOF) {
			want = nil
		}
		roots, err := parseJSON(text)
		if (err != nil) != (want != nil) || err == nil && len(roots) != values {
			t.Fatalf("%q: %d values, %v; %d by encoding/json, %v", text, len(roots), err, values, want)
		}
		if err != nil {
			refused++
		}
	}
	if refused < 1000 {
		t.Errorf("%d texts are refused: a poor test", refused)
	}
}

func TestLinesOfJSON(t *testing.T) {
	roots, err := parseJSON([]byte("\n{\"a\":\n1}\n\n [\n2, \"x\\ny\",\n3]"))
	if err != nil || len(roots) != 2 {
		t.Fatal(len(roots), err)
	}
	lines := []int{roots[0].Line, roots[0].Content[0].Line, roots[0].Content[1].Line, roots[1].Line, roots[1].Content[0].Line, roots[1].Content[1].Line, roots[1].Content[2].Line}
	if want := []int{2, 2, 3, 5, 6, 6, 7}; !reflect.DeepEqual(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
}

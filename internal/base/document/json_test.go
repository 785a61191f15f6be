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
func plain(t *testing.T, n node) any {
	switch {
	case n.is(yaml.MappingNode):
		m := map[string]any{}
		for k, v := range n.pairs {
			m[k.text()] = plain(t, v)
		}
		return m
	case n.is(yaml.SequenceNode):
		list := []any{}
		for c := range n.kids {
			list = append(list, plain(t, c))
		}
		return list
	case n.isScalar(nullTag):
		return nil
	case n.isScalar(boolTag):
		return n.text() == "true"
	case n.isScalar(strTag):
		return n.text()
	}
	return json.Number(n.text())
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
	var lines []int
	var walk func(node)
	walk = func(n node) {
		lines = append(lines, n.line())
		for c := range n.kids {
			walk(c)
		}
	}
	walk(roots[0])
	walk(roots[1])
	if want := []int{2, 2, 3, 5, 6, 6, 7}; !reflect.DeepEqual(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
}

// FuzzJSON: texts are accepted, refused and understood as by encoding/json.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"{\"a\": [1, -0.5e+3, true, null]}", "1 2{}[]", "000-1{}[]", "[\"\\u00e9\\\"\", \"\xff\"]", "[01]", "[1.]", "{\"a\" 1}", "\"\\u12\"", "-"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		roots, err := parseJSON(data)
		if err != nil && strings.Contains(err.Error(), "nested deeper") {
			return
		}
		var want []any
		var failed error
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		for failed == nil {
			var v any
			if failed = dec.Decode(&v); failed == nil {
				want = append(want, v)
			}
		}
		if errors.Is(failed, io.EOF) {
			failed = nil
		}
		if (err != nil) != (failed != nil) {
			t.Fatalf("%v; by encoding/json %v", err, failed)
		}
		if err != nil {
			return
		}
		var got []any
		for _, r := range roots {
			got = append(got, plain(t, r))
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

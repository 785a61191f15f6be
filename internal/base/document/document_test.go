package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

func parseOne(t *testing.T, text string) document.Fields {
	t.Helper()
	docs, err := document.Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 1 {
		t.Fatalf("%d documents, want 1", len(docs))
	}
	f, err := docs[0].AnyFields("top")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func get(t *testing.T, f document.Fields, key string) document.Value {
	t.Helper()
	v, ok := f.Get(key)
	if !ok {
		t.Fatalf("no key %s", key)
	}
	return v
}

// The same content in both notations reads the same.
func TestValues(t *testing.T) {
	for name, text := range map[string]string{
		"yaml": "name: a\nid: 5\nx: [1, -2.5, 1e-3]\nyes: true\nwords: [p, 'q']\nalias: &k 7\nagain: *k\n",
		"flow": "{name: a, id: 5, x: [1, -2.5, 1e-3], yes: true, words: [p, 'q'], alias: 7, again: 7}",
		"json": "{\"name\": \"a\", \"id\": 5,\n\t\"x\": [1, -2.5, 1e-3], \"yes\": true, \"words\": [\"p\", \"\\u0071\"], \"alias\": 7, \"again\": 7}",
	} {
		t.Run(name, func(t *testing.T) {
			f := parseOne(t, text)
			if s, err := get(t, f, "name").Str("name"); s != "a" || err != nil {
				t.Errorf("name %q, %v", s, err)
			}
			if s, err := get(t, f, "id").Str("id"); s != "5" || err != nil {
				t.Errorf("id %q, %v", s, err)
			}
			if x, err := get(t, f, "x").Floats("x", 3); !slices.Equal(x, []float64{1, -2.5, 1e-3}) || err != nil {
				t.Errorf("x %v, %v", x, err)
			}
			if b, err := get(t, f, "yes").Bool("yes"); !b || err != nil {
				t.Errorf("yes %v, %v", b, err)
			}
			if w, err := get(t, f, "words").Strs("words"); !slices.Equal(w, []string{"p", "q"}) || err != nil {
				t.Errorf("words %v, %v", w, err)
			}
			if n, err := get(t, f, "again").Int("again"); n != 7 || err != nil {
				t.Errorf("again %d, %v", n, err)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"comment", "# nothing\n", 0},
		{"stream", "a: 1\n---\nb: 2\n---\n", 2},
		{"json lines", "{\"a\": 1}\n{\"b\": 2}\n", 2},
		{"byte order mark", "\xef\xbb\xbf{\"a\": 1}", 1},
	} {
		if docs, err := document.Parse("f", []byte(c.text)); len(docs) != c.want || err != nil {
			t.Errorf("%s: %d documents, want %d; %v", c.name, len(docs), c.want, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'j'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" + string(c-1) + "]\n"
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"truncated json", "{\"a\": [1,\n 2", []string{"f: line 2", "not JSON", "ends early"}},
		{"json comma", "{\"a\": [1,\n 2,]}", []string{"f: line 2", "not JSON"}},
		{"yaml indent", "a: 1\n  b: 2\n", []string{"f: ", "not YAML", "line"}},
		{"tab", "a:\n\t- 1\n", []string{"not YAML"}},
		{"binary", "\x00\x01\x02", []string{"not YAML"}},
		{"alias bomb", bomb, []string{"values"}},
		{"deep yaml", strings.Repeat("[", 500) + strings.Repeat("]", 500), []string{"nested deeper"}},
		{"deep flow", "a: " + strings.Repeat("[", 500) + strings.Repeat("]", 500), []string{"nested deeper"}},
		{"deep json", "{\"a\":" + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "}", []string{"nested deeper"}},
		{"self", "a: &a [*a]\n", []string{"a"}},
		{"many values", "{\"a\": [" + strings.Repeat("0,", 5_000_001) + "0]}", []string{"f: ", "separate files"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := document.Parse("f", []byte(c.text))
			wantError(t, err, c.want)
		})
	}
}

func TestValueErrors(t *testing.T) {
	text := `
num: 3
nan: .nan
inf: .inf
octal: 010
hex: 0x10
under: 1_000
big: 1e999
quoted: "3"
cut: ['...']
half: 0.5
list: [1, 2]
map: {a: 1}
mixed: [1, x]
`
	f := parseOne(t, text).Of("object table")
	for _, c := range []struct {
		key  string
		read func(document.Value) error
		want string
	}{
		{"nan", readFloat, "finite"},
		{"inf", readFloat, "finite"},
		{"octal", readFloat, "decimal"},
		{"hex", readFloat, "decimal"},
		{"under", readFloat, "decimal"},
		{"big", readFloat, "give a number"},
		{"quoted", readFloat, "\"3\""},
		{"list", readFloat, "a list"},
		{"map", readFloat, "a mapping"},
		{"half", func(v document.Value) error { _, err := v.Int("k"); return err }, "whole number"},
		{"cut", func(v document.Value) error { _, err := v.Floats("k", -1); return err }, "--full-length"},
		{"cut", func(v document.Value) error { _, err := v.Strs("k"); return err }, "--full-length"},
		{"list", func(v document.Value) error { _, err := v.Floats("k", 3); return err }, "2 numbers: give 3"},
		{"mixed", func(v document.Value) error { _, err := v.Floats("k", 2); return err }, "\"x\""},
		{"num", func(v document.Value) error { _, err := v.Floats("k", 1); return err }, "list of numbers"},
		{"num", func(v document.Value) error { _, err := v.List("k"); return err }, "give a list"},
		{"num", func(v document.Value) error { _, err := v.Bool("k"); return err }, "true or false"},
		{"list", func(v document.Value) error { _, err := v.Str("k"); return err }, "give a name"},
		{"num", func(v document.Value) error { _, err := v.Fields("k"); return err }, "mapping"},
	} {
		wantError(t, c.read(get(t, f, c.key)), []string{"f:", "object table", "k", c.want})
	}
}

func TestCoordinates(t *testing.T) {
	f := parseOne(t, "list: [1, 2]\nmap: {y: 2, x: 1}\nlong: [1, 2, 3]\nhalf: {x: 1}\nmore: {x: 1, y: 2, z: 3}\nword: {x: 1, y: a}\n")
	for _, key := range []string{"list", "map"} {
		if got, err := get(t, f, key).Coordinates("p", "x", "y"); !slices.Equal(got, []float64{1, 2}) || err != nil {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
	for key, want := range map[string]string{"long": "3 numbers: give 2", "half": "p has no y", "more": "\"z\"", "word": "p.y"} {
		_, err := get(t, f, key).Coordinates("p", "x", "y")
		wantError(t, err, []string{want})
	}
}

func readFloat(v document.Value) error { _, err := v.Float("k"); return err }

func TestFieldErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"unknown", "a: 1\nsiez: 2\n", []string{"f:2", "thing has an unknown key \"siez\"", "use one of a, b"}},
		{"twice", "a: 1\na: 2\n", []string{"f:2", "\"a\" twice"}},
		{"twice in json", "{\"a\": 1, \"a\": 2}", []string{"f:1", "\"a\" twice"}},
		{"no value", "a:\n", []string{"f:1", "\"a\" has no value"}},
		{"merge", "a: &x {b: 1}\n<<: *x\n", []string{"merge key"}},
		{"list as key", "? [1, 2]\n: 3\n", []string{"not a word"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, err := document.Parse("f", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = docs[0].Fields("thing", "a", "b")
			wantError(t, err, c.want)
		})
	}
	f := parseOne(t, "a: 1\n")
	if n, err := document.Optional(f, "a", document.Value.Int); n != 1 || err != nil {
		t.Errorf("optional a is %d, %v", n, err)
	}
	if n, err := document.Optional(f, "b", document.Value.Int); n != 0 || err != nil {
		t.Errorf("optional b is %d, %v", n, err)
	}
	if _, err := document.Optional(f, "a", document.Value.Strs); err == nil {
		t.Error("optional a as a list: no error")
	}
	_, err := f.Need("object table", "radius")
	wantError(t, err, []string{"f:1", "object table has no radius"})
	if f.HasAny("b", "c") || !f.HasAny("b", "a") || !slices.Equal(f.Keys(), []string{"a"}) {
		t.Error("Has, HasAny and Keys disagree")
	}
}

func wantError(t *testing.T, err error, parts []string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func FuzzDocument(f *testing.F) {
	for _, s := range []string{"a: 1\n---\n- b\n", "{\"a\": [1, {\"b\": null}]}", "a: &x [1]\nb: *x\n", "? [1]\n: 2\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, err := document.Parse("f", data)
		if err != nil {
			return
		}
		for _, d := range docs {
			walk(t, d)
		}
	})
}

// walk reads every value in every way: all must answer, none may panic.
func walk(t *testing.T, v document.Value) {
	if x, err := v.Float("x"); err == nil && x-x != 0 {
		t.Fatalf("Float returned %g", x)
	}
	_, _ = v.Str("s")
	_, _ = v.Bool("b")
	_, _ = v.Int("i")
	if items, err := v.List("l"); err == nil {
		for _, c := range items {
			walk(t, c)
		}
	}
	if f, err := v.AnyFields("m"); err == nil {
		for _, k := range f.Keys() {
			c, _ := f.Get(k)
			walk(t, c)
		}
	}
}

func TestFind(t *testing.T) {
	docs, err := document.Parse("f", []byte("a: {b: 5, n: ~}\nl: [1]\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, ok := docs[0].Find("a")
	if b, also := a.Find("b"); !ok || !also || !b.IsNumber() {
		t.Error(ok, also)
	}
	l, _ := docs[0].Find("l")
	none, _ := docs[0].Find("none")
	for i, v := range []document.Value{l, none, {}} {
		if _, ok := v.Find("b"); ok {
			t.Errorf("case %d: something is found", i)
		}
	}
	if _, ok := a.Find("n"); ok {
		t.Error("a key without a value is found")
	}
}

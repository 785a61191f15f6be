package oneline

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"left and right touch at 0.8 s", "left and right touch at 0.8 s"},
		{"Gelenk_größer → 本", "Gelenk_größer → 本"},
		{"a\nb\r\tc", `a\nb\r\tc`},
		{"\x1b[2J\x07\x00\x7f", `\x1b[2J\a\x00\x7f`},
		{"\xff\xc0a\xe2\x80", `\xff\xc0a\xe2\x80`},
		{"\u009b31m\u0085", `\u009b31m\u0085`},
		{"a\u202eb\u2066\u200f\u061c", `a\u202eb\u2066\u200f\u061c`},
		{"a\u2028b\u2029\u200b\ufeff", `a\u2028b\u2029\u200b\ufeff`},
		{"\U000e0041", `\U000e0041`},
		{strings.Repeat("x", 11), "xxxxxxxxxxx"},
		{strings.Repeat("x", 101), strings.Repeat("x", 100) + "… (101 bytes)"},
		{strings.Repeat("\n", 101), strings.Repeat(`\n`, 50) + "… (101 bytes)"},
	} {
		if got := Text(c.in, 100); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"/cell/trajectory@1.000000005": "/cell/trajectory@1.000000005",
		"pick 7":                       "pick 7",
		"":                             `""`,
		" a":                           `" a"`,
		"a: proved free":               `"a: proved free"`,
		`a": proved free`:              `"a\": proved free"`,
		"a\nb":                         `"a\nb"`,
		"123456789":                    `"12345678… (9 bytes)"`,
	} {
		limit := 64
		if in == "123456789" {
			limit = 8
		}
		if got := Name(in, limit); got != want {
			t.Errorf("%q becomes %s, want %s", in, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\nb\x1b[31m\xff", 20)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 1 + int(uint(limit)%5000)
		for _, got := range []string{Text(s, limit), Name(s, limit)} {
			if len(got) > 2*limit+50 || !utf8.ValidString(got) {
				t.Fatalf("%q becomes %q", s, got)
			}
			for _, r := range got {
				if !strconv.IsPrint(r) {
					t.Fatalf("%q becomes %q with %q", s, got, r)
				}
			}
		}
	})
}

func TestList(t *testing.T) {
	seven := strings.Fields("a b c d e f g")
	for got, want := range map[string]string{
		Few(seven):     "a, b, c, d, e and 2 more",
		Few(seven[:5]): "a, b, c, d, e",
		List(seven, 6): "a, b, c, d, e, f and 1 more",
		List(seven, 7): "a, b, c, d, e, f, g",
		List(nil, 3):   "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func BenchmarkText(b *testing.B) {
	const reason = "the closest, panda_hand and panda_link5, are 0.1234 m apart"
	b.ReportAllocs()
	for b.Loop() {
		if Text(reason, 1024) != reason {
			b.Fatal()
		}
	}
}

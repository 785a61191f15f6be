package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s is not what parameters.yaml gives: go generate ./config", name)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"", `""`},
		{"srdf+scene", "srdf+scene"},
		{"off", `"off"`}, // else a bool
		{"5", `"5"`},     // else an integer
		{5.0, "5.0"},     // else an integer
		{1e-6, "1.0e-06"},
		{2.5e-9, "2.5e-09"},
		{int64(5), "5"},
		{true, "true"},
		{[]string{"a", "b"}, "[a, b]"},
	} {
		if got := literal(c.value); got != c.want {
			t.Errorf("literal(%v) = %s, want %s", c.value, got, c.want)
		}
	}
}

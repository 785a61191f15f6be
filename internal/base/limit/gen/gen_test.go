package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

func TestPageIsCurrent(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "limits.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != page() {
		t.Error("docs/limits.md is not what the table gives: go generate ./internal/base/limit")
	}
}

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		value int64
		unit  string
		want  string
	}{
		{64 << 20, "bytes", "64 MiB"},
		{1 << 30, "bytes", "1 GiB"},
		{4 << 10, "bytes/s", "4 KiB/s"},
		{1000, "bytes", "1,000 bytes"},
		{2_000_000, "", "2,000,000"},
		{100, "", "100"},
		{30, "s", "30 s"},
	} {
		if got := amount(limit.Limit{Value: c.value, Unit: c.unit}); got != c.want {
			t.Errorf("amount(%d %s) = %s, want %s", c.value, c.unit, got, c.want)
		}
	}
}

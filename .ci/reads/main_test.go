package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Where a line begins with "func Fuzz", .ci/fuzz takes it for a target: it is indented here.
func TestList(t *testing.T) {
	reading := folder(t, `package p
import ("os"; "path/filepath"; "testing")
const root = "../../beside/robots"
type bed struct{}
func (bed) files() []string { f, _ := filepath.Glob(root); return f }
var table = []string{filepath.Join("..", "..", "beside", "x")}
func load() []string { return bed{}.files() }
func TestDirect(t *testing.T) { os.Open("../beside/a") }
func TestJoined(t *testing.T) { os.Open(filepath.Join(append([]string{"..", "beside"}, "a")...)) }
func TestByHelper(t *testing.T) { load() }
func TestByTable(t *testing.T) { t.Run("x", func(t *testing.T) { _ = table }) }
 func FuzzSeeds(f *testing.F) { f.Add(load()[0]) }
func TestNothing(t *testing.T) { t.Log("beside", "..", "x") }
func BenchmarkDirect(b *testing.B) { load() }
func Testimony() { load() }
`)
	none := folder(t, `package r
import "testing"
func TestOther(t *testing.T) { t.Log("beside") }
`)
	packages, pattern, err := list("../beside", []string{reading, none})
	if err != nil || len(packages) != 1 || packages[0] != reading || pattern != "^(FuzzSeeds|TestByHelper|TestByTable|TestDirect|TestJoined)$" {
		t.Errorf("%q, %q, %v", packages, pattern, err)
	}
	packages, pattern, err = list("os.Stat,os.Open", []string{reading, none})
	if err != nil || len(packages) != 1 || pattern != "^(TestDirect|TestJoined)$" {
		t.Errorf("calls: %q, %q, %v", packages, pattern, err)
	}
	if packages, _, err := list("../beside", []string{none}); err == nil {
		t.Errorf("%q", packages)
	}
	if packages, _, err := list("../beside", []string{filepath.Join(none, "absent")}); err == nil {
		t.Errorf("%q", packages)
	}
}

func folder(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The kernels are those that this command writes.
func TestKernelIsCurrent(t *testing.T) {
	committed := "../../../internal/engine/lanes/lanes_amd64.s"
	fresh := filepath.Join(t.TempDir(), "lanes_amd64.s")
	if out, err := exec.Command("go", "run", ".", "-out", fresh).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	// The first line has the command's arguments.
	_, want, _ = bytes.Cut(want, []byte("\n"))
	_, got, _ = bytes.Cut(got, []byte("\n"))
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what lab/kernels/lanes writes: run the command in its first comment", committed)
	}
}

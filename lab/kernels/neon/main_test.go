package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	kernels = "../../../internal/engine/lanes/"
	from    = kernels + "lanes_amd64.s"
	to      = kernels + "lanes_arm64.s"
)

func source(t *testing.T) string {
	t.Helper()
	s, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(s)
}

// The kernels are those that this command writes.
func TestKernelIsCurrent(t *testing.T) {
	fresh, err := translate(source(t))
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, fresh) {
		t.Errorf("%s is not what lab/kernels/neon writes: run the command in its first comment", to)
	}
}

// On an emulated processor the kernels are their twins, and their frames are those that Go passes.
func TestKernelsOnArm64(t *testing.T) {
	emulator, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("qemu-aarch64 is not installed")
	}
	binary := filepath.Join(t.TempDir(), "lanes.test")
	run(t, "go", "vet", "-asmdecl", ".")
	run(t, "go", "test", "-c", "-o", binary, ".")
	out := run(t, emulator, binary, "-test.v")
	for _, twin := range []string{"Place", "Sweep", "Missed", "Apart", "Direct", "Support", "Gap", "Beyond", "Beside", "Closest"} {
		if name := "Test" + twin + "KernelIsItsTwin"; !strings.Contains(out, "--- PASS: "+name) {
			t.Errorf("%s did not pass:\n%s", name, out)
		}
	}
}

// run runs a command for arm64 in the package of the kernels.
func run(t *testing.T, command string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command(command, arguments...)
	cmd.Dir = kernels
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// What this command does not know it refuses: nothing is left out.
func TestUnknown(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"VHADDPS Y0, Y1, Y2", "VHADDPS"},
		{"VADDPS Y0, Y1, Y15", "Y15"},
		{"VADDPS X0, Y1, Y2", "X0"},
		{"VCMPPS $0x00, Y0, Y1, Y2", "$0x00"},
		{"VMOVUPS Y0, Y1", "Y1"},
		{"MOVQ n+0(FP), R11", "R11"},
		{"VMOVUPS 8(R11), Y1", "R11"},
	} {
		_, err := translate("#include \"textflag.h\"\n\nTEXT ·f(SB), NOSPLIT, $0-8\n\t" + c.line + "\n\tRET\n")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.line, err)
		}
	}
}

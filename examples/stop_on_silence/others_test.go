package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cases are what happens to the examples in C++ and Python, and what they then
// tell the robot: 1 to stop, 0 to go on.
var cases = []struct{ events, want string }{
	{"later 1", "1"},
	{"hear 1 0", "10"},
	{"hear 1 0,hear 2 0.1", "10"},
	{"hear 1 0,hear 3 0", "101"},
	{"hear 1 0,hear 4 0", "101"},
	{"hear 1 0,hear 0 0", "101"},
	{"hear 1 0,hear 200 0", "101"},
	{"hear 1 0,hear 1 1", "101"},
	{"hear 1 0,hear 1 -1", "101"},
	{"hear 0 1700000000", "1"},
	{"hear 1 1700000001", "1"},
	{"hear 1 0,hear 1 1700000001", "101"},
	{"hear 1 0,missed", "101"},
	{"hear 1 0,missed,missed,hear 1 0", "1010"},
	{"hear 1 0,alive 0", "101"},
	{"hear 1 0,alive 2", "10"},
	{"hear 1 0,incompatible", "101"},
	{"hear 1 0,later 0.1", "10"},
	{"hear 1 0,later 0.2", "101"},
}

// testOther runs a program on the cases. It stands on stand-ins for ROS: that
// shows what the example does, not that it builds with a real rclcpp or rclpy.
func testOther(t *testing.T, program string, args ...string) {
	t.Helper()
	var want []string
	for _, c := range cases {
		args, want = append(args, c.events), append(want, c.want)
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.Fields(string(out)); !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%s: it says %s, want %s", cases[i].events, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("it says\n%s", out)
		}
	}
}

func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	testOther(t, python, "-B", "testdata/run.py")
}

func TestCPP(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("g++ is not installed")
	}
	program := filepath.Join(t.TempDir(), "run")
	out, err := exec.Command(compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Itestdata/stubs", "-o", program, "testdata/run.cpp").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testOther(t, program)
}

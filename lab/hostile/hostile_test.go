//go:build linux && cyclone

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) != "" {
		main()
		return
	}
	if err := muteC(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestQuiet lets the program attack a node by nothing but its presence: states must be judged,
// and found true. make hostile makes the attacks.
func TestQuiet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts a node")
	}
	binary, err := build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := run(settings{binary: binary, timeout: time.Second, each: 2 * time.Second, memory: 1_000_000, lenient: true}, quiet())
	var b strings.Builder
	r.row(&b)
	r.rest(&b)
	t.Log(b.String())
	for _, fault := range r.faults {
		t.Error(fault)
	}
	if r.levels[1] == 0 || r.levels[4] == 0 {
		t.Errorf("the robot moves in and out of contact, but the states are %v", r.levels)
	}
}

package main

import (
	"strings"
	"testing"
)

// Some mutants, one of each end.
func TestEnds(t *testing.T) {
	for only, want := range map[string]string{
		`scan_amd64.s:\d+: VMAXPD Y5, Y3, Y3 => $`:         "killed ",
		`scan_amd64.s:\d+: MOVQ n\+24\(FP\), CX => XORQ`:   "killed ",
		`lanes_amd64.s:\d+: JGE two => JGT two`:            "killed ",
		`balls_amd64.s:\d+: JE store => $`:                 "harmless: ",
		`balls_amd64.s:\d+: VORPD Y5, Y3, Y3 => VANDPD Y5`: "killed ",
	} {
		var out strings.Builder
		survived, err := run(&out, "../../..", only, 2, false)
		if err != nil || survived != 0 {
			t.Errorf("%s: %d survived, %v: %s", only, survived, err, &out)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: %q does not begin with %q", only, &out, want)
		}
	}
}

// Each harmless mutant is one of those that are made.
func TestHarmlessAreMutants(t *testing.T) {
	mutants, err := mutantsOf("../../..", "")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, m := range mutants {
		made[m.name()] = true
	}
	for name := range harmless {
		if !made[name] {
			t.Errorf("there is no mutant %q", name)
		}
	}
}

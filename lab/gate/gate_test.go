//go:build cyclone

package main

import (
	"strings"
	"testing"
)

// The campaign, for half a minute.
func TestGate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	var out strings.Builder
	if err := campaign(settings{goals: 150, kills: 3, lanes: 2, seed: 7}, &out); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	if !strings.Contains(out.String(), " free: SUCCEEDED") || !strings.Contains(out.String(), " colliding: ABORTED, CONTACT") {
		t.Error("goals of one sort are missing")
	}
}

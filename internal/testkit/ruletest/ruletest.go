// Package ruletest judges the proof rules of internal/engine/rules: random sides, slow
// twins of the rules in numbers of 300 bits, and counts of what a rule said next to its
// twin. A rule may refuse where its twin agrees, never the reverse.
package ruletest

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
)

// Verdicts counts what a rule said next to its twin.
type Verdicts struct{ bothYes, bothNo, givenUp, wrong int }

// Note counts one answer of a rule, and by how much the twin says that it holds. It
// reports whether the rule proved what is not so.
func (v *Verdicts) Note(fast bool, room exact.Num) (wrong bool) {
	switch holds := room.Sign() > 0; {
	case fast && holds:
		v.bothYes++
	case !fast && !holds:
		v.bothNo++
	case holds:
		v.givenUp++
	default:
		v.wrong++
		return true
	}
	return false
}

// Want fails the test unless there are some answers of each kind.
func (v *Verdicts) Want(t testing.TB) {
	t.Helper()
	t.Logf("%+v", *v)
	if v.bothYes < 100 || v.bothNo < 100 || v.givenUp < 20 {
		t.Error("the cases are one-sided")
	}
}

package premise

import "testing"

// A finding about several joints is accepted by its own name, or by those of all of them: of another joint, nobody said that it is as it
// is meant.
func TestAcceptedByName(t *testing.T) {
	several := Premise{Kind: Implausible, Names: []string{"degrees", "ja", "jb"}}
	one := Premise{Kind: Implausible, Names: []string{"degrees", "ja"}}
	unplaced := Premise{Kind: Unplaced, Names: []string{"table"}}
	moving := Premise{Kind: MovingFrame, Names: []string{"table", "odom"}}
	for _, tc := range []struct {
		accept Accept
		p      Premise
		want   bool
	}{
		{nil, several, false},
		{Accept{"implausible"}, several, true},
		{Accept{"implausible:degrees"}, several, true},
		{Accept{"implausible:ja"}, several, false},
		{Accept{"implausible:jb"}, several, false},
		{Accept{"implausible:jb", "implausible:ja"}, several, true},
		{Accept{"implausible:ja"}, one, true},
		{Accept{"start:ja"}, one, false},
		{Accept{"unplaced-object:table"}, unplaced, true},
		{Accept{"unplaced-object:chair"}, unplaced, false},
		{Accept{"moving-frame:odom"}, moving, true},
	} {
		if got := tc.accept.Covers(&tc.p); got != tc.want {
			t.Errorf("%v covers %v: %t", tc.accept, tc.p.Names, got)
		}
	}
}

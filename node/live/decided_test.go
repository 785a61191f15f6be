package live

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// The pair that decides the level need not be the closest, and the page says so beside it.
func TestWhatDecidesTheLevel(t *testing.T) {
	pair := func(a, b string) (p fcmsgs.BodyPair) {
		p.A.Name, p.B.Name = a, b
		return p
	}
	closest := []fcmsgs.PairDistance{{Pair: pair("elbow", "wrist"), Lower: 0.009}, {Pair: pair("arm", "table"), Lower: 0.02, Upper: 0.021}}
	const another = "Another pair than the closest"
	for _, c := range []struct {
		name    string
		scope   uint8
		pair    fcmsgs.BodyPair
		listed  []fcmsgs.PairDistance
		remarks string
		note    bool
	}{
		{"none", fcmsgs.CollisionStateScopeNone, pair("", ""), closest, "|", false},
		{"the closest", fcmsgs.CollisionStateScopeSelf, pair("elbow", "wrist"), closest, "|", false},
		{"another", fcmsgs.CollisionStateScopeWorld, pair("arm", "table"), closest, "|decides the level", true},
		{"the other way round", fcmsgs.CollisionStateScopeWorld, pair("table", "arm"), closest, "|decides the level", true},
		{"one that is not listed", fcmsgs.CollisionStateScopeWorld, pair("arm", "table"), closest[:1], "", true},
		{"no list", fcmsgs.CollisionStateScopeWorld, pair("arm", "table"), nil, "", false},
	} {
		m := &fcmsgs.CollisionState{Level: fcmsgs.CollisionStateWarn, Scope: c.scope, Pair: c.pair, ClosestPairs: c.listed}
		m.PointA.X = 3
		s := stateOf(m)
		var remarks []string
		for _, p := range s.Pairs {
			remarks = append(remarks, p.Remark)
		}
		if got := strings.Join(remarks, "|"); got != c.remarks {
			t.Errorf("%s: remarks %q", c.name, got)
		}
		if got := strings.Contains(strings.Join(notesOfState(m), " "), another); got != c.note {
			t.Errorf("%s: note is %v", c.name, got)
		}
		switch d := s.Decided; {
		case (d == nil) != (c.scope == fcmsgs.CollisionStateScopeNone):
			t.Errorf("%s: decided by %v", c.name, d)
		case d != nil && (d.Names != names(&c.pair) || d.A[0] != 3):
			t.Errorf("%s: decided by %+v", c.name, d)
		}
	}
}

// A margin of a pair's own stands beside it.
func TestMarginsStandBesideTheirPairs(t *testing.T) {
	s := &State{Pairs: []Pair{{Names: [2]string{"elbow", "wrist"}}, {Names: [2]string{"arm", "table"}, Remark: "decides the level"}, {Names: [2]string{"hand", "table"}}}}
	s.Mark(func(a, b string) (Margin, bool) {
		return Margin{Stop: 0.0045, Warn: 0.00675}, a != "hand"
	})
	const own = "its own margin: STOP below 0.0045 m, WARN below 0.00675 m"
	for i, want := range []string{own, "decides the level; " + own, ""} {
		if got := s.Pairs[i].Remark; got != want {
			t.Errorf("%v: %q, want %q", s.Pairs[i].Names, got, want)
		}
	}
}

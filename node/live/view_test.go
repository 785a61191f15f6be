package live

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

func TestStanding(t *testing.T) {
	for _, c := range []struct {
		state *State
		want  string
	}{
		{nil, "UNKNOWN"},
		{&State{Level: "FREE", Age: 1.9}, "FREE"},
		{&State{Level: "FREE", Age: 2}, "UNKNOWN"},
		{&State{Level: "COLLISION", Age: 1e9}, "UNKNOWN"},
		{&State{Level: "FREE", Age: math.NaN()}, "UNKNOWN"},
	} {
		if level, _ := (&View{State: c.state}).Standing(); level != c.want {
			t.Errorf("%+v: %s", c.state, level)
		}
	}
}

// A time to contact that was not computed is no proof that there is none.
func TestOnlyWhatIsProvedIsClear(t *testing.T) {
	for _, c := range []struct {
		seconds      float64
		clear, known bool
	}{{math.Inf(1), true, false}, {math.NaN(), false, false}, {math.Inf(-1), false, false}, {0.3, false, true}} {
		s := stateOf(&fcmsgs.CollisionState{TimeToContact: c.seconds, Horizon: 0.5})
		if s.Clear != c.clear || (s.Until != nil) != c.known {
			t.Errorf("%g s: %+v", c.seconds, s)
		}
	}
}

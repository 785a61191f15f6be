package ccd

import (
	"context"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// A follower stands by what it follows. A state that has it elsewhere is not the state that would be checked, whether or not it gives
// the joint that is followed.
func TestFollowerGivenAlone(t *testing.T) {
	robot := parsed(t, sliders) // jc is ja + 6
	for _, tc := range []struct {
		state map[string]float64
		ok    bool
	}{
		{map[string]float64{"jc": 6}, true},
		{map[string]float64{"jc": 6.5}, false},
		{map[string]float64{"ja": 0.5, "jc": 6.5}, true},
		{map[string]float64{"ja": 0.5, "jc": 6}, false},
	} {
		_, errNew := New(robot, nil, Options{State: tc.state})
		c, err := New(robot, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, errState := c.WithState(tc.state)
		_, errDistance := c.Distance(context.Background(), tc.state, motion.DistanceQuery{})
		for who, err := range map[string]error{"New": errNew, "WithState": errState, "Distance": errDistance} {
			if (err == nil) != tc.ok || err != nil && !strings.Contains(err.Error(), "mimics ja") {
				t.Errorf("%s of %v: %v", who, tc.state, err)
			}
		}
	}
	// Where it is held by an earlier state, that counts.
	c, err := New(robot, nil, Options{State: map[string]float64{"ja": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WithState(map[string]float64{"jc": 6.5}); err != nil {
		t.Error(err)
	}
}

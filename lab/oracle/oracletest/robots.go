package oracletest

import (
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// Robot is a model that an oracle and a checker judge alike.
type Robot struct {
	Name, File string
	SRDF       string // none if empty
	large      bool   // too large for the race detector, which finds nothing in it
}

// Humanoid is the one made here.
var Humanoid = Robot{Name: "the humanoid made here", File: "../../testdata/humanoid/humanoid_urdf10.urdf"}

// Shared returns a robot of the shared folder.
func Shared(name string, srdf bool) Robot {
	path := "../../../shared/robots/" + name + "/" + name
	r := Robot{Name: name, File: path + ".urdf", large: true}
	if srdf {
		r.SRDF = path + ".srdf"
	}
	return r
}

// Each runs a test for each robot that there is; program is an oracle's.
func Each(t *testing.T, robots []Robot, test func(t *testing.T, program string, r Robot)) {
	program := Build(t)
	for _, r := range robots {
		t.Run(r.Name, func(t *testing.T) {
			if _, err := os.Stat(r.File); err != nil {
				t.Skip(err)
			}
			if race.Enabled && r.large {
				t.Skip("a large model, and nothing for the race detector to find")
			}
			test(t, program, r)
		})
	}
}

package check

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
)

// A motion's excesses are in its JSON object; they do not change what is proved.
func TestLimitExcessesInJSON(t *testing.T) {
	robot := clitest.Folding(t, clitest.Metre)
	for in, want := range map[string][]verdict.LimitExcess{
		"time,wrist\n0,0\n1,0.5\n": nil,
		"time,wrist\n0,2\n1,3\n2,3.5\n2.25,3.25\n": {
			{Of: "position", Joint: "wrist", Limit: 3.1, Value: 3.5, Time: 2, Segment: 1},
		},
		"time,wrist\n0,0\n1,0.5\n1.5,-1.5\n": {{Of: "velocity", Joint: "wrist", Limit: 1, Value: -4, Time: 1, Segment: 1}},
	} {
		exit, out, errs := command(t, in, "check", "-q", "--json", "--robot", robot, "-")
		var r struct {
			Status        string                `json:"status"`
			LimitExcesses []verdict.LimitExcess `json:"limit_excesses"`
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || exit != cli.ExitFree || r.Status != "free" {
			t.Fatalf("exit %d (%v):\n%s%s", exit, err, out, errs)
		}
		if diff := cmp.Diff(want, r.LimitExcesses); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

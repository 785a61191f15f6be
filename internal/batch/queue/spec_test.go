package queue

import (
	"bytes"
	"context"
	"encoding/gob"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/premise"
)

// A worker refuses a batch of which anything that verdicts depend on has not arrived as the submitter has it, also what the
// sums of robot and scene leave out.
func TestWorkersAreHeldToAllThatVerdictsDependOn(t *testing.T) {
	j := newJob(t, 2, 1)
	for name, change := range map[string]func(s *Spec){
		"nothing": func(*Spec) {},
		"a limit": func(s *Spec) { s.Robot.Joints[0].Limit.Upper = 1 },
		"a gap": func(s *Spec) {
			s.Robot.Gaps = []premise.Premise{{Kind: premise.NotUnderstood, Names: []string{"head"}}}
		},
		"no self":  func(s *Spec) { s.Query.NoSelf = true },
		"a shape":  func(s *Spec) { s.Robot.Links[1].Collisions[0].Shape.Radius = 0.2 },
		"no scene": func(s *Spec) { s.Scene = nil },
	} {
		data, err := j.spec.encode()
		if err != nil {
			t.Fatal(err)
		}
		got := &Spec{}
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(got); err != nil {
			t.Fatal(err)
		}
		change(got)
		_, err = got.subject(context.Background(), t.TempDir())
		if refused := err != nil && strings.Contains(err.Error(), "not what the submitter has"); refused != (name != "nothing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

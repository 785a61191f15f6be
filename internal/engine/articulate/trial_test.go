package articulate

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// trial is a model and a motion for both methods.
type trial struct {
	model  *model.Model
	course *kin.Course
	w      *Worker
}

func newTrial(t testing.TB, m *model.Model, mo *motion.Motion) *trial {
	t.Helper()
	if err := mo.Validate(); err != nil {
		t.Fatal(err)
	}
	c, err := kin.Bind(m.Tree, mo, make([]float64, len(m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return &trial{m, c, p.NewWorker()}
}

func (r *trial) check(q motion.Query) motion.Verdict {
	return r.w.Check(context.Background(), r.course, q)
}

func (r *trial) reference(q motion.Query) motion.Verdict {
	return spacetime.NewWorker(r.model).Check(context.Background(), r.course, q)
}

// hold compares verdicts of the method with others about the same question. None of
// them may be undecided.
func hold(t testing.TB, tally *agreement.Tally, name string, q motion.Query, ours, theirs motion.Verdict) {
	t.Helper()
	for _, wrong := range tally.Add(&q, []agreement.Answer{{Method: motion.Articulate, Verdict: ours}, {Method: motion.Auto, Verdict: theirs}}) {
		t.Errorf("%s: %s", name, wrong)
	}
	if ours.Status == motion.Undecided {
		t.Errorf("%s: undecided at %.12f: %s (the other: %v %+v)", name, ours.ProvenUntil, ours.Reason, theirs.Status, theirs.TOC)
	}
}

// prism is a closed mesh of the conformance suite.
var prism = meshes.Prism

// randomTrial is a robot of all kinds of joints and shapes, in a world and self pairs.
func randomTrial(t testing.TB, d chance) *trial {
	t.Helper()
	robot := d.Robot()
	c := enginetest.New(t, robot, d.World(robot), [...]float64{0, 0, 0.02}[d.IntN(3)], d.Motion(robot, d.IntN(3) == 0))
	return newTrial(t, c.Model, c.Motion)
}

// trials is how many of n a test does: more in long campaigns, fewer under the race
// detector, which looks for something else.
func trials(n int) int {
	if race.Enabled {
		return n / 8
	}
	return n * long()
}

// long is how many times as much a campaign is to do.
func long() int {
	return switches.Long.Times(1, 10)
}

// Prepare refuses what is no model.
func TestPrepareNeedsAModel(t *testing.T) {
	if _, err := Prepare(nil); err == nil {
		t.Error("no model is prepared")
	}
}

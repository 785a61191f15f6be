package node

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// answers is a validator whose answers the test reads when it has ended.
func answers(m *model) (v *validator, said *[]*fcmsgs.Verdict) {
	said = new([]*fcmsgs.Verdict)
	var mu sync.Mutex
	v = newValidator(
		func() (*model, string) { return m, "there is none" },
		func() map[string]float64 { return map[string]float64{"left_x": 0, "right_x": 0} },
		func(a *fcmsgs.Verdict) {
			mu.Lock()
			defer mu.Unlock()
			*said = append(*said, a)
		},
	)
	return v, said
}

func asking(t *testing.T, id string) *question {
	return defaults(values(t, nil)).aboutPair(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x"}, Start: []float64{0}, Goal: []float64{0.1}})
}

func TestEveryQuestionIsAnswered(t *testing.T) {
	v, said := answers(railModel(t))
	var told atomic.Int64
	const clients = 10
	const all = clients * (limit.ClientQuestions + 1)
	for i := range all {
		by := asker{client: ros.GUID{byte(i % clients)}, told: func(*fcmsgs.Verdict) { told.Add(1) }}
		v.ask(asking(t, fmt.Sprint(i)), by)
	}
	if len(*said) != all-limit.WaitingQuestions {
		t.Fatalf("%d of %d questions are answered at once; %d may wait", len(*said), all, limit.WaitingQuestions)
	}
	for _, a := range *said {
		if a.Status != fcmsgs.VerdictUndecided || !strings.Contains(a.Message, "ask again later") {
			t.Fatalf("one question too many is answered with %+v", a)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := v.run(ctx); err != nil {
		t.Fatal(err)
	}
	if len(*said) != all || told.Load() != all {
		t.Fatalf("%d answers published and %d told, want %d", len(*said), told.Load(), all)
	}
	ids := map[string]bool{}
	for _, a := range *said {
		if ids[a.ID] = true; a.Status != fcmsgs.VerdictUndecided || a.Message == "" {
			t.Errorf("after the end: status %d, %q", a.Status, a.Message)
		}
	}
	if len(ids) != all {
		t.Errorf("%d questions are answered, want each of %d", len(ids), all)
	}
}

func TestFaultOfTheProgramIsNoVerdict(t *testing.T) {
	m := railModel(t)
	m.checker = nil
	v, said := answers(m)
	v.ask(asking(t, "a"), asker{})
	if err := v.run(context.Background()); !errors.Is(err, ErrInternal) {
		t.Errorf("error %v, want an internal one", err)
	}
	if len(*said) != 1 || (*said)[0].Status != fcmsgs.VerdictUndecided || !strings.Contains((*said)[0].Message, "fault of this program") {
		t.Errorf("answers %+v", *said)
	}
}

func TestModelMayChangeWhileAQuestionIsAnswered(t *testing.T) {
	m, other := railModel(t), railModel(t)
	v, _ := answers(m)
	asked := 0
	v.model = func() (*model, string) {
		if asked++; asked == 1 {
			return m, ""
		}
		return other, ""
	}
	if a := v.answer(context.Background(), asking(t, "a")); a.Status != fcmsgs.VerdictUndecided || !strings.Contains(a.Message, "model has changed") {
		t.Errorf("status %d: %s", a.Status, a.Message)
	}
}

// Where a motion is too close, but whether it touches is not known, the answer is
// UNDECIDED: CLEARANCE would say that nothing touches.
func TestTooCloseAndUndecided(t *testing.T) {
	q := asking(t, "a")
	q.query.Clearance = 0.1
	way, err := q.way(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pair := motion.Pair{A: motion.Body{Name: "left"}, B: motion.Body{Name: "held", Kind: motion.AttachedObject}}
	v := &motion.Verdict{Status: motion.Contact, TOC: motion.Interval{Lo: 0.4, Hi: 0.5}, Contact: motion.Witness{Pair: pair, Normal: geom.Vec{X: 1}}, ProvenUntil: 0.4}
	a := railModel(t).answer(q, way, v, &motion.Verdict{Reason: "out of time"})
	if a.Status != fcmsgs.VerdictUndecided || a.Message != "left and held come closer than 0.1 m at 0.500000 s; whether anything touches is undecided: out of time" {
		t.Errorf("status %d: %s", a.Status, a.Message)
	}
	a = railModel(t).answer(q, way, v, &motion.Verdict{Status: motion.Free})
	if a.Status != fcmsgs.VerdictClearance || a.TOCLower != 0.4 || a.Pair.B.Kind != fcmsgs.BodyAttachedObject || a.Scope != fcmsgs.VerdictScopeSelf || a.Normal.X != 1 {
		t.Errorf("%+v", a)
	}
}

// The parameter chooses who judges trajectories, and verdicts say who did.
func TestMethodOfVerdicts(t *testing.T) {
	v, _ := answers(railModel(t))
	for _, by := range ccd.Methods() {
		given := map[string]any{"method": by.String()}
		for goal, want := range map[float64]uint8{0.1: fcmsgs.VerdictFree, 2.5: fcmsgs.VerdictContact} {
			q := defaults(values(t, given)).aboutPair(&fcmsgs.JointStatePair{ID: "a", JointNames: []string{"left_x"}, Start: []float64{0}, Goal: []float64{goal}})
			if a := v.answer(context.Background(), q); a.Status != want || a.Method != by.String() {
				t.Errorf("method %s to %g: status %d by %q, %s", by, goal, a.Status, a.Method, a.Message)
			}
		}
		given["trajectory.path_tolerance.left_x"] = 0.01
		a := v.answer(context.Background(), defaults(values(t, given)).aboutTrajectory("/t", standing()))
		if invalid := a.Status == fcmsgs.VerdictInvalid; invalid != (by != motion.Spacetime) {
			t.Errorf("method %s with a tube: status %d, %s", by, a.Status, a.Message)
		}
	}
}

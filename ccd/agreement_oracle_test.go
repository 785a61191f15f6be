package ccd

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// TestMethodsAgree puts random questions to every method: none has a witness where
// another has a proof, and each keeps what a verdict promises.
// FIRSTCONTACT_METHODS says how many motions.
func TestMethodsAgree(t *testing.T) {
	motions := 120
	if race.Enabled {
		motions = 30
	}
	motions = switches.Methods.Or(motions)
	seed := switches.Seed.Or(11)
	var tally agreement.Tally
	const perScene = 5
	for i := 0; i < motions; i += perScene {
		d := dice{chance.New(seed, uint64(i))}
		robot := d.robot()
		if d.IntN(4) == 0 {
			robot.Joints[0].Type, robot.Joints[0].Limit = urdf.Continuous, urdf.Limit{}
		}
		opts := anyRobot
		if d.IntN(4) == 0 {
			opts.Padding = d.In(0, 0.03)
		}
		c, err := New(robot, d.world(), opts)
		if err != nil {
			t.Fatal(err)
		}
		for k := range perScene {
			d.askAll(t, &tally, fmt.Sprintf("seed %d, motion %d", seed, i+k), c)
		}
	}
	t.Log(&tally)
	for by, n := range tally.Undecided {
		if n*200 > tally.Questions {
			t.Errorf("method %s leaves %d of %d undecided", by, n, tally.Questions)
		}
	}
	if share := float64(tally.Contact) / float64(tally.Questions); share < 0.2 || share > 0.8 {
		t.Errorf("%.0f %% of the motions collide: the test is one-sided", 100*share)
	}
}

// askAll draws a motion and puts it to every method.
func (d dice) askAll(t *testing.T, tally *agreement.Tally, name string, c *Checker) {
	t.Helper()
	m := d.motion(c.ActiveJoints())
	if d.IntN(5) == 0 {
		d.moveRoot(m)
	}
	q := motion.Query{Budget: methodBudget}
	if d.IntN(3) == 0 {
		q.Clearance = d.In(0, 0.1)
	}
	if d.IntN(3) == 0 {
		q.Question = motion.IsFree
	}
	var answers []agreement.Answer
	for _, q.Method = range Methods() {
		v, err := c.Check(context.Background(), m, q)
		if err != nil {
			t.Fatalf("%s, method %s: %v", name, q.Method, err)
		}
		answers = append(answers, agreement.Answer{Method: q.Method, Verdict: v})
	}
	for _, wrong := range tally.Add(&q, answers) {
		t.Errorf("%s: %s", name, wrong)
	}
}

// moveRoot lets the root link move too, from one pose to the next.
func (d dice) moveRoot(m *motion.Motion) {
	times, poses := []float64{0}, []geom.Pose{d.Pose(0.3)}
	for i := range m.Pieces {
		times, poses = append(times, m.Pieces[i].End), append(poses, d.Pose(0.3))
	}
	root, err := motion.RootThrough(times, poses)
	if err != nil {
		panic(err)
	}
	m.Root = root
}

// methodBudget is the computing time of one question to one method; most take
// milliseconds.
const methodBudget = 20 * time.Second

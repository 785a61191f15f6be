package verdicts

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// TestEndsAreFree measures starts and goals of the planning problems against
// their obstacles. The set says that they are free; where one is not, FCL must
// find the same, and it is listed.
func TestEndsAreFree(t *testing.T) {
	eachRobot(t, func(t *testing.T, o *oracle.Oracle, robot string, step int) {
		model, problems := load(t, o, robot)
		r, err := urdf.Load(model+".urdf", urdf.Options{SRDF: model + ".srdf"})
		if err != nil {
			t.Fatal(err)
		}
		base, err := ccd.New(r, nil, ccd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		movable := movableJoints(t, model+".urdf")
		ends, exceptions := 0, 0
		for i := 0; i < len(problems); i += step {
			p := &problems[i]
			c := checkerFor(t, base, p, movable)
			if err := pose(o, p, movable); err != nil {
				t.Fatal(err)
			}
			for name, q := range map[string][]float64{"start": p.Start, "goal": p.Goal} {
				ends++
				if !agreeOnWorld(t, o, c, p, name, q) {
					exceptions++
				}
			}
		}
		t.Logf("%s: %d of %d ends touch an obstacle", robot, exceptions, ends)
	})
}

func checkerFor(t *testing.T, base *ccd.Checker, p *scene.Problem, movable map[string]bool) *ccd.Checker {
	t.Helper()
	world, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	state := map[string]float64{}
	for name, x := range p.OtherJoints {
		if movable[name] {
			state[name] = x
		}
	}
	c, err := base.WithWorld(world)
	if err == nil {
		c, err = c.WithState(state)
	}
	if err != nil {
		t.Fatalf("%s: %v", p.Name(), err)
	}
	return c
}

// agreeOnWorld reports whether a configuration is free of the obstacles, and
// fails the test where FCL sees it otherwise.
func agreeOnWorld(t *testing.T, o *oracle.Oracle, c *ccd.Checker, p *scene.Problem, name string, q []float64) bool {
	t.Helper()
	positions := map[string]float64{}
	for j, x := range q {
		positions[p.Joints[j]] = x
	}
	d, err := c.Distance(context.Background(), positions, motion.DistanceQuery{NoSelf: true})
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := o.Pose(oracle.World, q)
	if err != nil {
		t.Fatal(err)
	}
	free := d.World.Lo > 0
	if free != (len(pairs) == 0) {
		t.Errorf("%s, %s: distance %v, but FCL has %v touch", p.Name(), name, d.World, pairs)
	}
	if !free {
		t.Logf("exception: %s, %s touches: %v", p.Name(), name, pairs)
	}
	return free
}

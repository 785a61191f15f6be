package ccd

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Segments that a checker of segments proves are free for the default engine too, and
// those that it finds in collision are not free by more than the tolerance; joints that
// are not named stand where the checker has them.
func TestBisectionAgrees(t *testing.T) {
	free, hits := 0, 0
	for i := range long(60) {
		d := dice{chance.New(41, uint64(i))}
		robot, world := d.robot(), d.world()
		c, err := New(robot, world, anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		if c, err = c.WithState(map[string]float64{robot.Joints[0].Name: 0.3}); err != nil {
			t.Fatal(err)
		}
		var joints []string
		for j := 1; j < len(robot.Joints); j++ {
			if robot.Joints[j].Mimic == nil {
				joints = append(joints, robot.Joints[j].Name)
			}
		}
		if len(joints) == 0 || !anyPair(c.model, false, false) {
			continue
		}
		from, to := make([]float64, len(joints)), make([]float64, len(joints))
		for j := range joints {
			from[j], to[j] = d.In(-1, 1), d.In(-1, 1)
		}
		outcome := testBisection(t, c, joints, from, to)
		m, err := motion.Between(joints, from, to, 1)
		if err != nil {
			t.Fatal(err)
		}
		switch v := mustCheck(t, c, m, motion.Query{}); {
		case outcome == motion.Free && v.Status == motion.Contact && v.Contact.Distance == 0, outcome == motion.Contact && v.Status == motion.Free:
			t.Errorf("case %d: %v, but %v with a witness %g m apart", i, outcome, v.Status, v.Contact.Distance)
		case outcome == motion.Free:
			free++
		case outcome == motion.Contact:
			hits++
		}
	}
	if free < 5 || hits < 5 {
		t.Errorf("%d free, %d in collision", free, hits)
	}
}

func mustCheck(t *testing.T, c *Checker, m *motion.Motion, q motion.Query) motion.Verdict {
	t.Helper()
	v, err := c.Check(context.Background(), m, q)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func testBisection(t *testing.T, c *Checker, joints []string, from, to []float64) motion.Status {
	t.Helper()
	b, err := c.Bisection()
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Segments(joints, motion.Query{Research: "order=longest"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.New(from, to)
	if err != nil {
		t.Fatal(err)
	}
	outcome, why := p.Test(context.Background(), e)
	if outcome == motion.Undecided {
		t.Fatal(why)
	}
	return outcome
}

func TestBisectionRefuses(t *testing.T) {
	d := dice{chance.New(41, 3)}
	robot := d.robot()
	c, err := New(robot, d.world(), anyRobot)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Bisection()
	if err != nil {
		t.Fatal(err)
	}
	name := robot.Joints[0].Name
	for what, ask := range map[string]struct {
		joints []string
		q      motion.Query
	}{
		"a joint that is not there":   {[]string{"none"}, motion.Query{}},
		"a negative clearance":        {[]string{name}, motion.Query{Clearance: -1}},
		"NaN for a tolerance":         {[]string{name}, motion.Query{Tolerance: math.NaN()}},
		"nothing to check":            {[]string{name}, motion.Query{NoSelf: true, NoWorld: true}},
		"a setting that is not there": {[]string{name}, motion.Query{Research: "none"}},
		"a tube":                      {[]string{name}, motion.Query{Tube: map[string]float64{name: 0.1}}},
	} {
		if _, err := b.Segments(ask.joints, ask.q); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// Where the root link floats in the scene's frame, nobody knows where obstacles are.
func TestSegmentsNeedTheRootLink(t *testing.T) {
	robot := *slider()
	robot.Semantic = &urdf.Semantic{VirtualJoints: []urdf.VirtualJoint{{Name: "w", Type: "planar", ParentFrame: "odom", ChildLink: "base"}}}
	for frame, want := range map[string]string{"": "", "odom": "the root link base floats"} {
		world := worldOf(object("wall", box(0.2, 2, 2), pose(5, 0, 0)))
		world.Frame = frame
		c, err := New(&robot, world, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.Bisection()
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Segments([]string{"x"}, motion.Query{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("frame %q: %v", frame, err)
		}
	}
}

// A path may go along a segment twice, such as into a dead end and back.
func TestSegmentTwiceOnAPath(t *testing.T) {
	c, err := New(slider(), worldOf(object("post", ball(0.1), pose(0, 0.25, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Bisection()
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Segments([]string{"x"}, motion.Query{})
	if err != nil {
		t.Fatal(err)
	}
	past, err := s.New([]float64{-0.5}, []float64{0.5}) // the post, so that it is proved in several steps
	if err != nil {
		t.Fatal(err)
	}
	if status, _, reason := s.TestPath(context.Background(), []*Segment{past, past}); status != motion.Free {
		t.Errorf("%v, %s", status, reason)
	}
}

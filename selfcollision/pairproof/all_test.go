package pairproof

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// decided runs All on a robot of two links that have shapes and returns their pair.
func decided(t *testing.T, r *urdf.Robot, opt Options) Pair {
	t.Helper()
	rep, err := All(context.Background(), r, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Pairs) != 1 {
		t.Fatalf("%d pairs, want 1", len(rep.Pairs))
	}
	return rep.Pairs[0]
}

// pendulum is a ball of radius r on an arm of length 1 about z, and one of radius r
// at an angle of 2 rad at the same distance.
func pendulum(lo, hi, r float64) *urdf.Robot {
	s, c := math.Sincos(2)
	return robots.Of(ball(robots.At(c, s, 0), r), robots.Hinge{Kind: urdf.Revolute, Axis: ez, Lo: lo, Hi: hi, Parts: ball(robots.At(1, 0, 0), r)})
}

// The balls meet where the arm turns within 2 asin(r) of 2 rad.
func TestSometimesHasAWitness(t *testing.T) {
	p := decided(t, pendulum(-1, 1.95, 0.1), Options{})
	if p.Meets != Sometimes || p.VolumeLeft != 0 {
		t.Fatalf("%+v", p)
	}
	if d := 2 - p.Witness[0]; d > 2*math.Asin(0.1) || p.Witness[0] > 1.95 {
		t.Errorf("no contact at %g", p.Witness)
	}
	if d := 2 - p.Apart[0]; d <= 2*math.Asin(0.1) || p.Apart[0] < -1 {
		t.Errorf("contact at %g", p.Apart)
	}
	want := 0.2 - 2*math.Sin((2-p.Witness[0])/2)
	if math.Abs(p.Depth-want) > 1e-3 {
		t.Errorf("depth %g, want %g", p.Depth, want)
	}
}

func TestRigidPairs(t *testing.T) {
	for _, c := range []struct {
		name      string
		gap       float64
		clearance float64
		want      Meeting
	}{
		{"apart", 0.01, 0, Never},
		{"overlapping", -0.01, 0, Always},
		{"within the clearance", 0.01, 0.02, Always},
		{"beyond the clearance", 0.01, 0.005, Never},
	} {
		r := robots.Of(ball(geom.IdentityPose(), 1), robots.Hinge{Kind: urdf.Fixed, Origin: robots.At(2+c.gap, 0, 0), Parts: ball(geom.IdentityPose(), 1)})
		p := decided(t, r, Options{Clearance: c.clearance})
		if p.Meets != c.want || p.VolumeLeft != 0 {
			t.Errorf("%s: %+v", c.name, p)
		}
		if want := math.Max(0, -c.gap); math.Abs(p.Depth-want) > 1e-9 {
			t.Errorf("%s: depth %g, want %g", c.name, p.Depth, want)
		}
	}
}

func TestReportSurvivesJSONAndIsBound(t *testing.T) {
	robot := pendulum(-1, 1.95, 0.1)
	opt := Options{Padding: 0.01, LinkPadding: map[string]float64{"l1": 0.02}}
	rep, err := All(context.Background(), robot, opt)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(rep)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rep, back); d != "" {
		t.Error(d)
	}
	if err := back.Fits(robot, opt); err != nil {
		t.Error(err)
	}
	opt.Known = &back
	again, err := All(context.Background(), robot, opt)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rep.Pairs, again.Pairs); d != "" {
		t.Error("not taken from what is known:", d)
	}
	padded := func(o Options, by float64) Options { o.Padding = by; return o }
	cleared := func(o Options, by float64) Options { o.Clearance = by; return o }
	named := func(o Options, by float64) Options { o.LinkPadding = map[string]float64{"l1": by}; return o }
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		opt   Options
		say   string
	}{
		{"another shape", pendulum(-1, 1.95, 0.11), opt, "another robot"},
		{"another range", pendulum(-1, 1.96, 0.1), opt, "other joint limits"},
		{"another padding", robot, padded(opt, 0), "padded"},
		{"another padding of a link", robot, named(opt, 0), "padded"},
		{"another clearance", robot, cleared(opt, 0.1), "clearance"},
	} {
		if err := back.Fits(c.robot, c.opt); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := All(context.Background(), c.robot, c.opt); err == nil {
			t.Errorf("%s: All took it", c.name)
		}
	}
}

func TestCancelledRunsKeepWhatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	parts := ball(geom.IdentityPose(), 0.1)
	var hinges []robots.Hinge
	for i := range 6 {
		hinges = append(hinges, robots.Hinge{Parent: i, Kind: urdf.Revolute, Origin: robots.At(0.3, 0, 0), Axis: ey, Lo: -3, Hi: 3, Parts: parts})
	}
	rep, err := All(ctx, robots.Of(parts, hinges...), Options{Progress: func(done, total int, _ Pair) {
		if total != 21 {
			t.Errorf("%d pairs, want 21", total)
		}
		if done == 3 {
			cancel()
		}
	}})
	if err != nil || len(rep.Pairs) != 3 {
		t.Errorf("%d pairs, %v", len(rep.Pairs), err)
	}
}

func TestBadOptions(t *testing.T) {
	robot := pendulum(-1, 1, 0.1)
	for name, opt := range map[string]Options{
		"clearance": {Clearance: -1},
		"nan":       {Clearance: math.NaN()},
		"padding":   {Padding: -1},
		"link":      {LinkPadding: map[string]float64{"nobody": 1}},
	} {
		if _, err := All(context.Background(), robot, opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := All(context.Background(), nil, Options{}); err == nil {
		t.Error("no robot: no error")
	}
	if _, err := All(context.Background(), pendulum(1, -1, 0.1), Options{}); err == nil || !strings.Contains(err.Error(), "j0") {
		t.Errorf("limits the wrong way round: %v", err)
	}
}

func TestMeetingText(t *testing.T) {
	for m := Undecided; m <= Sometimes; m++ {
		text, err := m.MarshalText()
		var back Meeting
		if err != nil || back.UnmarshalText(text) != nil || back != m || m.String() != string(text) {
			t.Errorf("%d: %s %v", m, text, back)
		}
	}
	var m Meeting
	if m.UnmarshalText([]byte("perhaps")) == nil {
		t.Error("perhaps is taken")
	}
	if _, err := Meeting(9).MarshalText(); err == nil {
		t.Error("9 is written")
	}
}

package ccd

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// profiled makes the profile of a motion.
func profiled(t *testing.T, robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion, q motion.ProfileQuery) motion.DistanceProfile {
	t.Helper()
	c, err := New(robot, world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Profile(context.Background(), m, q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantProfile holds a profile against the distance as a formula.
func wantProfile(t *testing.T, p *motion.DistanceProfile, tolerance float64, distance func(t float64) float64) {
	t.Helper()
	end := p.Spans[len(p.Spans)-1].End
	for i := range 1001 {
		at := end * float64(i) / 1000
		b, d := p.Bounds(at), distance(at)
		if !(b.Lo <= d+1e-9 && d <= b.Hi+1e-9) || b.Hi-b.Lo > tolerance*(1+1e-9) {
			t.Fatalf("at %g the distance is %g, its bounds %v", at, d, b)
		}
	}
}

func mustBetween(t *testing.T, joint string, from, to float64) *motion.Motion {
	t.Helper()
	m, err := motion.Between([]string{joint}, []float64{from}, []float64{to}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A ball that sinks into a table and stays: straight down, then zero. Straight lines
// take few spans however fine the tolerance.
func TestProfileOfASinkingBall(t *testing.T) {
	table := worldOf(object("table", box(4, 4, 0.2), pose(0, 0, -0.1)))
	p := profiled(t, lowered(ball(0.1), geom.Identity()), table, mustBetween(t, "lift", 1.1, 0.3), motion.ProfileQuery{Tolerance: 1e-6})
	wantProfile(t, &p, 1e-6, func(at float64) float64 { return 1 - 0.4*at })
	if len(p.Spans) > 2 {
		t.Errorf("%d spans for one straight line", len(p.Spans))
	}
	p = profiled(t, lowered(ball(0.1), geom.Identity()), table, mustBetween(t, "lift", 1.1, 0.05), motion.ProfileQuery{Tolerance: 1e-3})
	wantProfile(t, &p, 1e-3, func(at float64) float64 { return math.Max(0, 1-1.05/2*at) })
}

// A ball on an arm over a plane: R cos(q) + ...: the upper and the lower bound bend
// with it, so that the spans are few.
func TestProfileOfASwingingBall(t *testing.T) {
	arm := chainOf(chainJoint{
		name: "swing", kind: urdf.Revolute, origin: pose(0, 0, 0), axis: geom.Vec{Y: 1}, shape: ball(0.1), at: pose(0, 0, -0.5),
	})
	world := worldOf(object("floor", box(9, 9, 0.2), pose(0, 0, -0.75)))
	p := profiled(t, arm, world, mustBetween(t, "swing", -1, 1), motion.ProfileQuery{Tolerance: 1e-3})
	wantProfile(t, &p, 1e-3, func(at float64) float64 { return 0.65 - 0.1 - 0.5*math.Cos(at-1) })
	if n := len(p.Spans); n < 8 || n > 64 {
		t.Errorf("%d spans", n)
	}
}

// Of two obstacles the nearer one counts, the other from where they change.
func TestProfileNamesThePair(t *testing.T) {
	slide := chainOf(chainJoint{name: "slide", kind: urdf.Prismatic, origin: pose(0, 0, 0), axis: geom.Vec{X: 1}, shape: ball(0.1), at: pose(0, 0, 0)})
	world := worldOf(object("left", box(0.2, 1, 1), pose(-1.1, 0, 0)), object("right", box(0.2, 1, 1), pose(1.1, 0, 0)))
	p := profiled(t, slide, world, mustBetween(t, "slide", -0.7, 0.7), motion.ProfileQuery{})
	wantProfile(t, &p, 1e-3, func(at float64) float64 { return 0.9 - math.Abs(0.7*at-0.7) })
	for i := range p.Spans {
		s := &p.Spans[i]
		want := "left"
		if s.Start > 1 {
			want = "right"
		}
		if math.Abs(s.Start-1) > 0.01 && s.At.Pair.A.Name != want && s.At.Pair.B.Name != want {
			t.Errorf("%g to %g: %v, want %s", s.Start, s.End, s.At.Pair, want)
		}
	}
}

// Beyond the limit nothing is measured, and little is looked at.
func TestProfileBeyondTheLimit(t *testing.T) {
	table := worldOf(object("table", box(4, 4, 0.2), pose(0, 0, -0.1)))
	p := profiled(t, lowered(ball(0.1), geom.Identity()), table, mustBetween(t, "lift", 9.1, 0.2), motion.ProfileQuery{Range: motion.DistanceRanges{Max: 1}})
	beyond := 0
	for i := range p.Spans {
		s := &p.Spans[i]
		if s.Beyond {
			beyond++
			if math.Abs(s.Lower[0]-1) > 1e-9 || s.End > 8.1/8.9*2 {
				t.Errorf("beyond from %g to %g, at least %v", s.Start, s.End, s.Lower)
			}
		}
	}
	if beyond == 0 || p.Work.Proofs > 300 {
		t.Errorf("%d spans beyond, %+v", beyond, p.Work)
	}
}

func TestProfileErrors(t *testing.T) {
	c, err := New(lowered(ball(0.1), geom.Identity()), worldOf(object("table", box(4, 4, 0.2), pose(0, 0, -0.1))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	good := mustBetween(t, "lift", 1, 2)
	for _, x := range []struct {
		m    *motion.Motion
		q    motion.ProfileQuery
		says string
	}{
		{mustBetween(t, "sink", 1, 2), motion.ProfileQuery{}, "sink"},
		{good, motion.ProfileQuery{NoWorld: true}, "no pair"},
		{good, motion.ProfileQuery{Tolerance: math.NaN()}, "tolerance"},
		{good, motion.ProfileQuery{Range: motion.DistanceRanges{Max: -1}}, "give zero to"},
		{good, motion.ProfileQuery{Budget: -time.Second}, "budget"},
		{&motion.Motion{}, motion.ProfileQuery{}, ""},
	} {
		if _, err := c.Profile(context.Background(), x.m, x.q); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%+v: error %v, want %q", x.q, err, x.says)
		}
	}
}

// Profiles made at once, between checks, are those made one after the other; a check
// after a profile is as before.
func TestProfilesAtOnce(t *testing.T) {
	arm := chainOf(
		chainJoint{name: "a", kind: urdf.Revolute, origin: pose(0, 0, 0), axis: geom.Vec{Y: 1}, shape: ball(0.1), at: pose(0, 0, -0.5)},
		chainJoint{name: "b", kind: urdf.Revolute, origin: pose(0, 0, -0.6), axis: geom.Vec{X: 1}, shape: &shape.Shape{Kind: shape.Capsule, Radius: 0.05, Length: 0.4}, at: pose(0, 0, -0.3)},
	)
	c, err := New(arm, worldOf(object("floor", box(9, 9, 0.2), pose(0, 0, -1.25)), object("roof", wedge(), pose(0.5, 0, -1.15))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := motion.Between([]string{"a", "b"}, []float64{-1, 0.3}, []float64{1, -1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := c.Profile(context.Background(), m, motion.ProfileQuery{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := c.Check(context.Background(), m, motion.Query{Question: motion.MinClearance})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5 {
				p, err := c.Profile(context.Background(), m, motion.ProfileQuery{})
				if err != nil || len(p.Spans) != len(alone.Spans) {
					t.Errorf("%d spans, alone %d: %v", len(p.Spans), len(alone.Spans), err)
					return
				}
				for i := range p.Spans {
					if p.Spans[i] != alone.Spans[i] {
						t.Errorf("span %d: %+v, alone %+v", i, p.Spans[i], alone.Spans[i])
						return
					}
				}
				v, err := c.Check(context.Background(), m, motion.Query{Question: motion.MinClearance})
				if err != nil || v.Status != before.Status || v.TOC != before.TOC || v.MinClearance.Bounds != before.MinClearance.Bounds {
					t.Errorf("%v %v %v: before %v %v %v", v.Status, v.TOC, v.MinClearance.Bounds, before.Status, before.TOC, before.MinClearance.Bounds)
				}
			}
		}()
	}
	wg.Wait()
}

// The root link moves as well: a ball that swings on it into a wall, and is outside
// again; and the features of what it hits are those of where it is.
func TestProfileOfAMovingRoot(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))) // face at 0.7
	m := onRoot(t, resting(t, "x"), motion.RootPiece{Start: geom.IdentityPose(), Point: geom.Vec{X: 1}, Turn: geom.Vec{Z: 0.9}})
	p, err := c.Profile(context.Background(), m, motion.ProfileQuery{})
	if err != nil || p.Reason != "" {
		t.Fatal(err, p.Reason)
	}
	wantProfile(t, &p, 1e-3, func(at float64) float64 { return math.Max(0, 0.6-(1-math.Cos(0.9*at))) })

	m = onRoot(t, resting(t, "x"), motion.RootPiece{Start: geom.IdentityPose(), Point: geom.Vec{X: 1}, Turn: geom.Vec{Z: 3}})
	v := ask(t, c, m, motion.Query{})
	ballAt, wall := v.Contact.FeatureA, v.Contact.FeatureB
	if v.Contact.Pair.A.Name == "wall" {
		ballAt, wall = wall, ballAt
	}
	// The ball is turned as the root is: it touches where its front was turned from.
	turned := geom.Vec{X: 0.1 * math.Cos(3*v.TOC.Hi), Y: -0.1 * math.Sin(3*v.TOC.Hi)}
	if ballAt.Kind != motion.Ball || wall.String() != "face -x" || pointDistance(ballAt.At, turned) > 1e-5 {
		t.Errorf("%s, the ball at %v, want %v", v.Contact.Features(), ballAt.At, turned)
	}
}

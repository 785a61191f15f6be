package oracle

import (
	"math"
	"testing"
)

// A ball of radius r at distance reach from the hinge touches the wall y = wall
// where reach sin(q) + r = wall.
const (
	reach, ball, wall = 0.8, 0.1, 0.6
)

func pendulum(t *testing.T) *Oracle {
	o := load(t,
		link("base"),
		link("arm", `<origin xyz="0.8 0 0"/><sphere radius="0.1"/>`),
		joint("hinge", "revolute", "base", "arm", axisZ))
	must(t, o.AddObject(Object{ID: "wall", Type: "box", Position: [3]float64{0, wall + 0.05, 0}, Size: []float64{4, 0.1, 4}}))
	return o
}

func TestPendulumMeetsWallAtKnownAngle(t *testing.T) {
	o := pendulum(t)
	contact := math.Asin((wall-ball)/reach) / 1.5 // part of the way from 0 to 1.5 rad
	for _, n := range []int{2, 3, 50, 200, 1001, 20000} {
		got, err := o.Segment(n, World, []float64{0}, []float64{1.5})
		must(t, err)
		want := math.Ceil(contact*float64(n-1)) / float64(n-1)
		if !got.Hit || math.Abs(got.Time-want) > 1e-12 {
			t.Errorf("%d samples: got %+v, want the first sample at or after %g: %g", n, got, contact, want)
		}
		if len(got.Pairs) != 1 || !hasPair(got.Pairs, "arm", "wall") {
			t.Errorf("%d samples: pairs %v", n, got.Pairs)
		}
	}
}

func TestTimes(t *testing.T) {
	o := pendulum(t)
	contact := math.Asin((wall-ball)/reach) / 1.5
	before, after := contact-1e-9, contact+1e-9
	got, err := o.Times(Both, []float64{0}, []float64{1.5}, 0, before, 0.1)
	must(t, err)
	if got.Hit || got.Samples != 3 {
		t.Errorf("before contact: %+v", got)
	}
	got, err = o.Times(World, []float64{0}, []float64{1.5}, before, after, 1)
	must(t, err)
	if !got.Hit || got.Time != after || !hasPair(got.Pairs, "arm", "wall") {
		t.Errorf("after contact: %+v", got)
	}
	if got, err = o.Times(Self, []float64{0}, []float64{1.5}, after); err != nil || got.Hit {
		t.Errorf("of itself: %+v, %v", got, err)
	}
}

func TestScopesAndFreeSegment(t *testing.T) {
	o := pendulum(t)
	tests := []struct {
		scope Scope
		to    float64
		hit   bool
	}{{World, 1.5, true}, {Both, 1.5, true}, {Self, 1.5, false}, {World, 0.6, false}, {World, 0.7, true}}
	for _, test := range tests {
		got, err := o.Segment(100, test.scope, []float64{0}, []float64{test.to})
		must(t, err)
		if got.Hit != test.hit || (!got.Hit && got.Samples != 100) {
			t.Errorf("%s to %g: got %+v", test.scope, test.to, got)
		}
	}
}

func TestLeastDistanceOfSegment(t *testing.T) {
	o := pendulum(t)
	got, err := o.SegmentDistance(101, World, []float64{0}, []float64{0.5})
	must(t, err)
	near(t, "least distance", got.MinDistance, wall-ball-reach*math.Sin(0.5), 1e-9)
	got, err = o.SegmentDistance(101, Self, []float64{0}, []float64{0.5})
	must(t, err)
	if !math.IsInf(got.MinDistance, 1) {
		t.Errorf("without pairs: got %g, want +Inf", got.MinDistance)
	}
}

func TestPairNearFindsTheClosestSample(t *testing.T) {
	o := pendulum(t)
	arm := Pair{"arm", "wall"}
	// Through the top of the swing, where the ball is closest to a wall out of reach.
	must(t, o.ClearObjects(), o.AddObject(Object{ID: "wall", Type: "box", Position: [3]float64{0, 1.05, 0}, Size: []float64{4, 0.1, 4}}))
	d, at, err := o.PairNear(arm, 1001, 0.25, 0.75, []float64{0}, []float64{math.Pi})
	must(t, err)
	near(t, "distance", d, 1-ball-reach, 1e-6)
	near(t, "time", at, 0.5, 1e-3)

	d, err = o.PairDistance(arm, []float64{0.2})
	must(t, err)
	near(t, "distance", d, 1-ball-reach*math.Sin(0.2), 1e-9)
}

func TestContinuousJointWraps(t *testing.T) {
	o := load(t,
		link("base"),
		link("arm", `<origin xyz="0.8 0 0"/><sphere radius="0.1"/>`),
		joint("hinge", "continuous", "base", "arm", axisZ))
	post := func(id string, x float64) error {
		return o.AddObject(Object{ID: id, Type: "cylinder", Position: [3]float64{x, 0, 0}, Size: []float64{1, 0.05}})
	}
	must(t, post("behind", -0.8), post("ahead", 0.8))
	from, to := []float64{2.5}, []float64{-2.5}
	for _, test := range []struct {
		short bool
		meets string
	}{{true, "behind"}, {false, "ahead"}} {
		must(t, o.WrapShort(test.short))
		got, err := o.Segment(2001, World, from, to)
		must(t, err)
		if !hasPair(got.Pairs, "arm", test.meets) || len(got.Pairs) != 1 {
			t.Errorf("short way %v: got %+v, want it to meet %q", test.short, got, test.meets)
		}
	}
	// A revolute joint has no short way.
	loadInto(t, o, link("base"), link("arm", `<origin xyz="0.8 0 0"/><sphere radius="0.1"/>`), joint("hinge", "revolute", "base", "arm", axisZ))
	must(t, o.WrapShort(true), post("behind", -0.8))
	got, err := o.Segment(2001, World, from, to)
	must(t, err)
	if got.Hit {
		t.Errorf("revolute: got %+v, want free", got)
	}
}

func TestFloatingBodyTurnsAtConstantRate(t *testing.T) {
	o := load(t, floater(`<origin xyz="1 0 0"/><sphere radius="0.1"/>`)...)
	half := math.Sqrt(0.5)
	from := []float64{0, 0, 0, 0, 0, 0, 1}
	to := []float64{0, 0, 0.3, 0, 0, half, half} // a quarter turn about z, and up
	contact := math.Acos(0.5)                    // sphere at (cos a, sin a): its lowest x is 0.4 at 60 degrees
	must(t, o.AddObject(Object{ID: "wall", Type: "box", Position: [3]float64{0.35, 0, 0}, Size: []float64{0.1, 4, 4}}))
	got, err := o.Segment(9002, World, from, to)
	must(t, err)
	near(t, "time", got.Time, contact/(math.Pi/2), 1.0/9001)
}

func TestPlanarJoint(t *testing.T) {
	o := load(t, link("base"), link("cart", `<origin xyz="0.5 0 0"/><sphere radius="0.1"/>`),
		joint("drive", "planar", "base", "cart", axisZ))
	p, r, err := o.LinkPose("cart", []float64{1, 2, math.Pi / 2})
	must(t, err)
	for i, want := range []float64{1, 2, 0} {
		near(t, "position", p[i], want, 1e-15)
	}
	near(t, "rotation", r[2], math.Sqrt(0.5), 1e-15)
}

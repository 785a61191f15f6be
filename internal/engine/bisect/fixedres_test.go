package bisect

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// thinRig is an arm that sweeps over a thin pin, with a path checker.
func thinRig(t *testing.T, pinAt float64) (*rig, *PathChecker) {
	t.Helper()
	world := &scene.Snapshot{Objects: []scene.Object{{
		ID: "pin", Shape: &shape.Shape{Kind: shape.Sphere, Radius: 1e-3},
		PoseWS: geom.Translation(geom.Vec{X: math.Cos(pinAt), Y: math.Sin(pinAt)}),
	}}}
	m, err := motion.Between([]string{"turn"}, []float64{0}, []float64{2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, arm(1, 1e-3), world, 0, m)
	c, err := r.p.NewPathChecker([]string{"turn"}, []float64{0}, motion.Query{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, c
}

// At a resolution that is too coarse the fixed-resolution checker steps over a pin that
// adaptive bisection finds; fine enough, it finds the pin too. It looks at no more
// configurations than its resolution asks for, and at none twice.
func TestFixedResolutionStepsOver(t *testing.T) {
	_, c := thinRig(t, 0.777)
	for _, tc := range []struct {
		epsilon float64
		finds   bool
	}{{0.1, false}, {0.01, false}, {0.001, true}, {0, true}} {
		f, err := c.NewFixedRes(tc.epsilon)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Edge([]float64{0}, []float64{2})
		if err != nil {
			t.Fatal(err)
		}
		before := c.Stats().Configurations
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		hit, ended := f.TestPath(ctx, []*SampledEdge{e})
		cancel()
		if ended || (hit == 0) != tc.finds {
			t.Errorf("resolution %g: %d, ended %v", tc.epsilon, hit, ended)
		}
		samples := c.Stats().Configurations - before
		if at, found := e.Collides(); found != tc.finds || found && math.Abs(at-0.777/2) > 1.5e-3 {
			t.Errorf("resolution %g: found %v at %g", tc.epsilon, found, at)
		}
		if want := int(math.Exp2(math.Ceil(math.Log2(2/tc.epsilon)))) - 1; !tc.finds && samples != want {
			t.Errorf("resolution %g: %d configurations, want %d", tc.epsilon, samples, want)
		}
		before = c.Stats().Configurations
		f.TestPath(ctx, []*SampledEdge{e})
		if again := c.Stats().Configurations - before; again != 0 {
			t.Errorf("resolution %g: %d configurations tested again", tc.epsilon, again)
		}
	}
	e, err := c.Edge([]float64{0}, []float64{2})
	if err != nil {
		t.Fatal(err)
	}
	if got, why := c.Test(context.Background(), e); got != Collides {
		t.Errorf("adaptive bisection: %v %s", got, why)
	}
	if _, err := c.NewFixedRes(math.NaN()); err == nil {
		t.Error("a resolution that is no number is taken")
	}
}

// The widest spacing is refined first: a short edge waits for a long one.
func TestFixedResolutionTakesTheLongestFirst(t *testing.T) {
	_, c := thinRig(t, 0.777)
	f, err := c.NewFixedRes(0.5)
	if err != nil {
		t.Fatal(err)
	}
	long, _ := f.Edge([]float64{-2}, []float64{0})
	short, _ := f.Edge([]float64{0}, []float64{0.4})
	if hit, _ := f.TestPath(context.Background(), []*SampledEdge{short, long}); hit >= 0 {
		t.Fatalf("edge %d collides", hit)
	}
	if short.level != 0 || long.level != 2 {
		t.Errorf("levels %d and %d", short.level, long.level)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	f.Epsilon = 1e-6
	if hit, ended := f.TestPath(gone, []*SampledEdge{long}); hit >= 0 || !ended {
		t.Errorf("a cancelled test says %d, ended %v", hit, ended)
	}
}

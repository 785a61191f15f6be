package ccd

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A spline that brakes to a halt at a limit does not leave it, though its control
// points do.
func TestSplinesUpToTheLimit(t *testing.T) {
	robot := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: ball(0.1), at: pose(0, 0, 0)})
	robot.Joints[0].Limit.Lower, robot.Joints[0].Limit.Upper = -1, 1
	c := newChecker(t, robot, worldOf(object("far", ball(0.1), pose(0, 50, 0))))
	for _, k := range []struct {
		velocity float64
		beyond   bool
	}{{0, false}, {1, false}, {3.9, false}, {4.1, true}, {-4.1, false}} {
		// From 0.5 out and back: the farthest is 0.5 + velocity/8 after half a second.
		m, err := motion.Spline([]string{"x"}, []motion.Waypoint{
			{Time: 0, Positions: []float64{0.5}, Velocities: []float64{k.velocity}},
			{Time: 0.5, Positions: []float64{0.5}, Velocities: []float64{-k.velocity}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if v := ask(t, c, m, motion.Query{}); (len(v.BeyondLimits) == 1) != k.beyond {
			t.Errorf("velocity %g: beyond limits %v", k.velocity, v.BeyondLimits)
		}
	}
}

func TestLeavesLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SliceOfN(rapid.Float64Range(-2, 2), 1, 6).Draw(t, "c")
		m := &motion.Motion{Joints: []string{"x"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{c}}}}
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range 2001 {
			x := m.At(float64(i) / 2000)[0]
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
		// Samples miss a peak by less than 2000^-2 times its curvature.
		if leavesLimits(m, "x", lo-1e-4, hi+1e-4) || !leavesLimits(m, "x", lo+1e-5, hi+1) || !leavesLimits(m, "x", lo-1, hi-1e-5) {
			t.Fatalf("%v is in [%g, %g]", c, lo, hi)
		}
	})
}

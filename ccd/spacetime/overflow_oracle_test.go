package spacetime

import (
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/bvh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A motion so large that its bounds overflow is never free: here the ball is within
// the box all the time.
func TestWhatOverflowsIsNotFree(t *testing.T) {
	for _, kind := range []urdf.JointType{urdf.Prismatic, urdf.Revolute} {
		for _, ctrl := range [][]float64{{-1e308, 1e308}, {-1e200, 1e200}, {-1e155, 1e155}, {-1e39, 1e39}, {-1e308, 1e308, -1e308}} {
			axis := hinge{kind: kind, axis: ez, parts: made(at(1, 0, 0), ball(0.1))}
			r := newRig(t, robotOf(nil, axis), worldOf(object("block", box(3, 3, 3), at(0, 0, 0))), 0, move(ctrl))
			for _, question := range []motion.Question{motion.FirstContact, motion.IsFree} {
				if v := r.check(motion.Query{Question: question, Budget: 20 * time.Millisecond}); v.Status == motion.Free {
					t.Errorf("%v from %g to %g, question %v: free", kind, ctrl[0], ctrl[1], question)
				}
			}
		}
	}
}

// What cannot be computed is swept everywhere.
func TestSweptBoxOfWhatIsNotANumber(t *testing.T) {
	unit := bvh.Outward(geom.Box{Min: geom.Vec{X: -1, Y: -1, Z: -1}, Max: geom.Vec{X: 1, Y: 1, Z: 1}})
	meets := func(center, v geom.Vec, h, accel, far, radius float64) bool {
		box := bvh.Outward(sweptBox(center, v, h, accel, far, radius))
		return unit.Meets(&box)
	}
	away := geom.Vec{X: 9}
	if meets(away, ex, 1, 1, 9, 1) {
		t.Fatal("a box far away meets what it should not")
	}
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		for k, met := range []bool{
			meets(geom.Vec{X: 9, Y: x}, ex, 1, 1, 9, 1),
			meets(away, geom.Vec{Z: math.NaN()}, 1, 1, 9, 1),
			meets(away, geom.Vec{X: x}, 1, x, x, 1),
			meets(away, ex, math.NaN(), 1, 9, 1),
			meets(away, ex, 1, math.NaN(), 9, 1),
			meets(away, ex, 1, 1, math.NaN(), 1),
			meets(away, ex, 1, 1, 9, x),
		} {
			if !met {
				t.Errorf("number %d with %g in it: the box meets nothing", k, x)
			}
		}
	}
}

// A body that starts inside another is found in whichever piece the question comes
// up first, and reported at the start.
func TestInsideIsReportedAtTheStart(t *testing.T) {
	hollow := meshShape(joined(boxMesh(0.5, geom.Vec{}), boxMesh(0.5, geom.Vec{X: 3})))
	r := newRig(t, robotOf(nil, slide(at(0, 0, 0), ex, 0.1)), worldOf(object("hollow", hollow, at(0, 0, 0))), 0, through(0, 100, 100.01))
	for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
		v := r.check(motion.Query{Question: question})
		if v.Status != motion.Contact || v.TOC.Hi != 0 || v.Segment != 0 || v.Contact.Time != 0 {
			t.Errorf("question %v: %v in %v of segment %d, want contact at the start", question, v.Status, v.TOC, v.Segment)
		}
	}
}

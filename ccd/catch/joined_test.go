package catch

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// TestSeveralRobots: two sliders that move towards each other are one tree, and meet in
// the middle; two that follow each other never do.
func TestSeveralRobots(t *testing.T) {
	one := slider(urdf.Prismatic, geom.Vec{X: 1}, at(0, 0, 0), meshOf(elbow(0.5)))
	cell, err := urdf.Join("cell", []urdf.Part{{Name: "a", Robot: one, PoseW: geom.IdentityPose()}, {Name: "b", Robot: one, PoseW: at(2, 0, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, cell, nil, 0, false)
	both := func(a, b float64) *motion.Motion {
		return &motion.Motion{Joints: []string{"a/slide", "b/slide"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{0, a}, {0, b}}}}}
	}
	v := r.w.Check(context.Background(), r.bind(t, both(1, -1)), motion.Query{})
	// The arm of a along x is 0.5 long; the upright one of b begins at its origin.
	if want := 1.5 / 2; v.Status != motion.Contact || math.Abs(v.TOC.Hi-want) > 2e-6 {
		t.Errorf("towards each other: %v in %v, want contact at %g", v.Status, v.TOC, want)
	}
	v = r.w.Check(context.Background(), r.bind(t, both(2, 2)), motion.Query{})
	if v.Status != motion.Free {
		t.Errorf("one behind the other: %v in %v", v.Status, v.TOC)
	}
	v = r.w.Check(context.Background(), r.bind(t, both(1, -1)), motion.Query{NoSelf: true})
	if v.Status != motion.Free {
		t.Errorf("without pairs: %v", v.Status)
	}
}

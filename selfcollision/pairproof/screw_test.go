package pairproof

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// One turn of a screw is not all that its nut does: no pair that the nut is of is
// proved never to meet by looking at a turn. Where all that follows comes back after
// a turn, it is.
func TestScrewsNeverComeBack(t *testing.T) {
	ex := geom.Vec{X: 1}
	for _, c := range []struct {
		name string
		kind urdf.JointType
		mult float64
		want Meeting
	}{
		{"nut", urdf.Prismatic, 0.1, Undecided},
		{"nut that stands still", urdf.Prismatic, 0, Never},
		{"gear of a tenth", urdf.Revolute, 0.1, Undecided},
		{"gear of two", urdf.Revolute, -2, Never},
		{"gear of one", urdf.Continuous, 1, Never},
	} {
		robot := robots.Of(ball(robots.At(0.8, 0, 0), 0.1),
			robots.Hinge{Kind: urdf.Continuous, Axis: ex, Parts: ball(robots.At(-0.5, 0.3, 0), 0.05)},
			robots.Hinge{Kind: c.kind, Axis: ex, Lo: -1, Hi: 1, Mimics: 1, Mult: c.mult, Parts: ball(robots.At(0, 0.02, 0), 0.1)},
		)
		r, err := All(context.Background(), robot, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := r.Of(0, 2); p.Meets != c.want && !(c.want == Undecided && p.Meets == Sometimes) {
			t.Errorf("%s: %v (%s), want %v", c.name, p.Meets, p.Why, c.want)
		}
		if p := r.Of(0, 1); p.Meets != Never {
			t.Errorf("%s: the spindle, which turns in its place: %v (%s)", c.name, p.Meets, p.Why)
		}
	}
}

package pairproof

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Where the budget ends, or one may be inside the other, nothing is called proved.
func TestNothingIsProvedByHalf(t *testing.T) {
	for name, c := range map[string]struct {
		inner geom.Pose
		boxes int
	}{
		"inside":    {robots.At(0.2, 0.2, 0), 0},
		"no budget": {robots.At(0.6, 0.6, 0), 1},
	} {
		robot := robots.Of(meshed(meshes.Elbow(2)), robots.Hinge{Kind: urdf.Revolute, Origin: c.inner, Axis: ez, Lo: -0.1, Hi: 0.1, Parts: ball(robots.At(0.1, 0, 0), 0.05)})
		g := newRig(t, robot, 0, 1, Options{Boxes: c.boxes})
		if c.boxes > 0 {
			g.tryAlong = func(geom.Vec, *hullPiece, *hullPiece) bool { return false }
		}
		var f found
		if g.never(&f); g.out.Meets != Undecided || g.out.VolumeLeft == 0 {
			t.Errorf("%s: %+v", name, g.out)
		}
	}
}

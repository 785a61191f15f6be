package ccd

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// plate is a triangle on the root link, in the plane y = 0.
func plate() *urdf.Robot {
	flat := &shape.Shape{Kind: shape.Mesh, Mesh: &mesh.Mesh{
		Vertices:  []geom.Vec{{X: -0.1, Z: -0.1}, {X: 0.1, Z: -0.1}, {Z: 0.1}},
		Triangles: [][3]int32{{0, 1, 2}},
	}}
	r := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}})
	r.Links[0].Collisions = []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: flat}}
	return r
}

// pieces joins pieces of one second of the root link, the joint x at rest.
func pieces(t *testing.T, root ...motion.RootPiece) *motion.Motion {
	t.Helper()
	m := &motion.Motion{Joints: []string{"x"}, Root: root}
	for i := range root {
		m.Pieces = append(m.Pieces, motion.Piece{Start: float64(i), End: float64(i + 1), Ctrl: [][]float64{{0}}})
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// A plate that stops half a nanometre above a solid's surface and goes on as far
// below it has not been shown to stay outside, though it never comes near the
// surface on either piece.
func TestNothingJumpsIntoASolid(t *testing.T) {
	foot := scaled(lMesh(), 10) // from (0, 0) to (10, 2), 2 m thick
	c := newChecker(t, plate(), worldOf(object("foot", foot, geom.IdentityPose())))
	at := func(y float64) geom.Pose { return pose(6, y, 0) }
	above, below := 2+4.5e-10, 2-4.5e-10
	m := pieces(t,
		motion.RootPiece{Start: at(2.4), Point: at(2.4).P, Velocity: geom.Vec{Y: above - 2.4}},
		motion.RootPiece{Start: at(below), Point: at(below).P, Velocity: geom.Vec{Y: 1.6 - below}},
	)
	for _, by := range everyMethod {
		v, err := c.Check(context.Background(), m, motion.Query{Method: by, Tolerance: 1e-11})
		if err != nil {
			t.Fatal(by, err)
		}
		if v.Status == motion.Free {
			t.Errorf("%v: free, though the plate ends 0.4 m inside the solid", by)
		}
	}
	wantSeam(t, ask(t, c, m, motion.Query{}), 1, 9e-10)

	// Far from the surface the same jump does no harm.
	m = pieces(t,
		motion.RootPiece{Start: at(2.4), Point: at(2.4).P, Velocity: geom.Vec{Y: -0.1}},
		motion.RootPiece{Start: at(2.3 - 9e-10), Point: at(2.3 - 9e-10).P, Velocity: geom.Vec{Y: 0.1}},
	)
	wantFreeByAll(t, c, m)
	wantSeam(t, ask(t, c, m, motion.Query{}), 1, 9e-10)
}

// Poses that are passed through leave no more than rounding at the seams.
func TestPosesPassedThroughHaveNoSeams(t *testing.T) {
	c := newChecker(t, plate(), worldOf(object("foot", ball(0.1), pose(50, 0, 0))))
	var times []float64
	var poses []geom.Pose
	for i := range 30 {
		s := float64(i)
		times = append(times, s)
		poses = append(poses, geom.Pose{R: geom.RPY(0.3*s, -0.2*s, 0.7*math.Sin(s)), P: geom.Vec{X: math.Sin(s), Y: 0.1 * s, Z: 3}})
	}
	root, err := motion.RootThrough(times, poses)
	if err != nil {
		t.Fatal(err)
	}
	v := ask(t, c, pieces(t, root...), motion.Query{})
	for _, p := range v.Premises {
		if p.Kind == premise.Seam {
			t.Errorf("%v", p)
		}
	}
	if v.Status != motion.Free {
		t.Errorf("%v (%s)", v.Status, v.Reason)
	}
}

func wantSeam(t *testing.T, v motion.Verdict, piece int, length float64) {
	t.Helper()
	for _, p := range v.Premises {
		if p.Kind == premise.Seam && p.Piece == piece && math.Abs(p.Value-length) < 1e-12 {
			return
		}
	}
	t.Errorf("no seam of %g m before piece %d in %v", length, piece, v.Premises)
}

package spacetime

import (
	"context"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A motion so large that its bounds overflow is never free: here the ball is within
// the box all the time.
func TestWhatOverflowsIsNotFree(t *testing.T) {
	for _, kind := range []urdf.JointType{urdf.Prismatic, urdf.Revolute} {
		for _, ctrl := range [][]float64{{-1e308, 1e308}, {-1e200, 1e200}, {-1e155, 1e155}, {-1e39, 1e39}, {-1e308, 1e308, -1e308}} {
			axis := robots.Hinge{Kind: kind, Axis: ez, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.1))}
			r := newRig(t, robots.Of(nil, axis), robots.World(robots.Object("block", robots.Box(3, 3, 3), robots.At(0, 0, 0))), 0, robots.Move([]float64{-1, 1}))
			r.bindAnySize(t, robots.Move(ctrl))
			for _, question := range []motion.Question{motion.FirstContact, motion.IsFree} {
				if v := r.check(motion.Query{Question: question, Budget: 20 * time.Millisecond}); v.Status == motion.Free {
					t.Errorf("%v from %g to %g, question %v: free", kind, ctrl[0], ctrl[1], question)
				}
			}
		}
	}
}

// A body that starts inside another is found in whichever piece the question comes
// up first, and reported at the start.
func TestInsideIsReportedAtTheStart(t *testing.T) {
	hollow := robots.Mesh(meshes.Of(meshes.At(geom.Vec{}, meshes.Cube(0.5)), meshes.At(geom.Vec{X: 3}, meshes.Cube(0.5))))
	m := through(0, 0.01, 0.02)
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), robots.World(robots.Object("hollow", hollow, robots.At(0, 0, 0))), 0, m)
	for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
		atStart(t, r.check(motion.Query{Question: question}))
	}
	// A index that was dealt later pieces alone comes upon it there.
	share := r.w.CheckShare(context.Background(), r.bound, motion.Query{Question: motion.IsFree}, NewTeam(2, 0), 1)
	atStart(t, share.Verdict)
}

func atStart(t *testing.T, v motion.Verdict) {
	t.Helper()
	if v.Status != motion.Contact || v.TOC.Hi != 0 || v.Piece != 0 || v.Contact.Time != 0 {
		t.Errorf("%v in %v of segment %d, want contact at the start", v.Status, v.TOC, v.Piece)
	}
}

// A part without extent, such as a single point, is opened like any other: else its
// contact would be looked for in ever shorter intervals, and never found.
func TestPointsWithoutExtentTouch(t *testing.T) {
	dot := robots.Points(0, geom.Vec{})
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world *scene.Snapshot
	}{
		{"a point against the world", robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), dot)}), robots.World(robots.Object("wall", robots.Box(0.2, 1, 1), robots.At(0.8, 0, 0)))},
		{"a body against a point of the world", robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), robots.Box(0.2, 1, 1))}), robots.World(robots.Object("dot", dot, robots.At(0.8, 0, 0)))},
		{"a point against a mesh", robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), dot)}), robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), robots.At(0.7, -0.1, 0)))},
		{"a point against a link", robots.Of(robots.Part(robots.At(0.8, 0, 0), robots.Box(0.2, 1, 1)), robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), dot)}), nil},
		{"a point against a link's mesh", robots.Of(robots.Part(robots.At(0.7, -0.1, 0), robots.Mesh(meshes.Elbow(1))), robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), dot)}), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.robot, c.world, 0, through(0, 1))
			wantContact(t, r.check(motion.Query{}), 0.7, 2e-6)
			if v := r.check(motion.Query{Question: motion.IsFree}); v.Status != motion.Contact {
				t.Errorf("is it free: %v", v.Status)
			}
			r.bind(t, through(0, 0.699))
			wantFree(t, r.check(motion.Query{Question: motion.MinClearance}), 1)
		})
	}
}

// A slide so long that its intervals would take much room is searched in the order
// of time instead, with the same answer.
func TestLongSlidesTakeLittleRoom(t *testing.T) {
	const far = 5e5
	for _, c := range []struct {
		wall float64 // where its face is
		want motion.Status
	}{{far + 0.2, motion.Free}, {far - 0.2, motion.Contact}} {
		slide := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))}
		r := newRig(t, robots.Of(nil, slide), robots.World(robots.Object("wall", robots.Box(2, 3, 3), robots.At(c.wall+1, 0, 0))), 0, robots.Move([]float64{0, far}))
		v := r.check(motion.Query{Question: motion.IsFree})
		if v.Status != c.want {
			t.Errorf("wall at %g m: %v (%s), want %v", c.wall, v.Status, v.Reason, c.want)
		}
		if n := cap(r.w.waiting); n > 1<<18 {
			t.Errorf("wall at %g m: room for %d intervals", c.wall, n)
		}
	}
}

package articulate

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A tip that swings through its lowest point just above a face, or just below: the
// equation of the two has two roots, one or none there, as close to each other as one
// likes.
func TestTipGrazesFace(t *testing.T) {
	for _, gap := range []float64{1e-2, 1e-3, 1e-4, 1e-5, 2e-6, 1e-7, 0, -1e-7, -1e-6, -1e-5, -1e-3} {
		world := floorPiece(geom.Vec{Y: -0.5})
		world.Objects[0].PoseWS = geom.Translation(geom.Vec{Z: -gap})
		r := newTrial(t, modelOf(t, pendulum(), world), &motion.Motion{Joints: []string{"j0"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{-0.2, 0.1}}}}})
		v := r.check(motion.Query{})
		// Down to the height of the face, or to the tolerance above it.
		touch := func(height float64) float64 { return (0.2 - math.Acos(1-math.Max(height, 0))) / 0.3 }
		switch {
		case gap > motion.DefaultTolerance && v.Status != motion.Free:
			t.Errorf("%g above the face: %v at %v", gap, v.Status, v.TOC)
		case gap <= 0 && v.Status != motion.Contact:
			t.Errorf("%g above the face: %v %s", gap, v.Status, v.Reason)
		case v.Status == motion.Undecided:
			t.Errorf("%g above the face: %v %s", gap, v.Status, v.Reason)
		case v.Status == motion.Contact && (v.TOC.Lo > touch(-gap)+1e-9 || v.TOC.Hi < touch(motion.DefaultTolerance-gap)-2e-6 || v.TOC.Hi > touch(-gap)+2e-6):
			t.Errorf("%g above the face: contact at %v, want %.9f", gap, v.TOC, touch(-gap))
		}
	}
}

// A blade slides along z = 0 towards a face in that plane: the equations of its tip and
// its lower edge with the face are zero all along, and only the conditions on where the
// features are tell when they touch.
func TestSlidingInThePlaneOfAFace(t *testing.T) {
	for _, c := range []struct {
		name   string
		corner geom.Vec
		lift   float64
		touch  float64 // negative: never
	}{
		{"against the corner", geom.Vec{}, 0, 0.5},
		{"beside the corner", geom.Vec{Y: 0.3}, 0, -1},
		{"above the face", geom.Vec{Y: -0.5}, 1e-4, -1},
	} {
		robot := pendulum()
		robot.Joints[0].Type, robot.Joints[0].Axis = urdf.Prismatic, geom.Vec{X: 1}
		robot.Joints[0].PosePC = geom.Translation(geom.Vec{Z: 1 + c.lift})
		m := modelOf(t, robot, floorPiece(c.corner))
		r := newTrial(t, m, &motion.Motion{Joints: []string{"j0"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{-2, 2}}}}})
		v := r.check(motion.Query{})
		switch {
		case c.touch < 0 && v.Status != motion.Free:
			t.Errorf("%s: %v at %v %s", c.name, v.Status, v.TOC, v.Reason)
		case c.touch >= 0 && (v.Status != motion.Contact || v.TOC.Lo > c.touch || math.Abs(v.TOC.Hi-c.touch) > 2e-6):
			t.Errorf("%s: %v at %v, want %g", c.name, v.Status, v.TOC, c.touch)
		}
	}
}

// Triangles without area, points and needles are triangles too.
func TestDegenerateTriangles(t *testing.T) {
	needle := prism([]geom.Vec{{}, {X: 1}, {X: 1, Y: 1e-13}, {Y: 1e-13}}, 1e-13)
	needle.Triangles = append(needle.Triangles, [3]int32{0, 0, 0}, [3]int32{0, 1, 1})
	for i := range needle.Vertices {
		needle.Vertices[i].X -= 0.5
	}
	// Far away, so that the shape is not its own hull.
	n := int32(len(needle.Vertices))
	needle.Vertices = append(needle.Vertices, geom.Vec{X: 9}, geom.Vec{X: 9, Y: 1}, geom.Vec{X: 9, Z: 1})
	needle.Triangles = append(needle.Triangles, [3]int32{n, n + 1, n + 2})
	world := worldOf(&shape.Shape{Kind: shape.Mesh, Mesh: needle})
	world.Objects[0].PoseWS = geom.Translation(geom.Vec{Z: 0.05})
	r := newTrial(t, modelOf(t, pendulum(), world), &motion.Motion{Joints: []string{"j0"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{-2, 2}}}}})
	ours, theirs := r.check(motion.Query{}), r.reference(motion.Query{})
	hold(t, &agreement.Tally{}, "needle", motion.Query{}, ours, theirs)
	if want := (2 - math.Acos(0.95)) / 4; ours.Status != motion.Contact || math.Abs(ours.TOC.Hi-want) > 3e-6 {
		t.Errorf("%v at %v, want %.9f %s", ours.Status, ours.TOC, want, ours.Reason)
	}
}

// What touches where a piece begins is a contact then, also where joints change their
// speed there.
func TestTouchingWhereAPieceBegins(t *testing.T) {
	robot := pendulum()
	m := modelOf(t, robot, floorPiece(geom.Vec{Y: -0.5}))
	for _, c := range []struct {
		name string
		ctrl [][]float64
		toc  float64
	}{
		{"from the start", [][]float64{{0, 0.3}}, 0},
		{"at a seam, and back", [][]float64{{-0.3, 0}, {0, -0.3}}, 1},
		{"at the end", [][]float64{{-0.3, 0}}, 1},
	} {
		mo := &motion.Motion{Joints: []string{"j0"}}
		for i, ctrl := range c.ctrl {
			mo.Pieces = append(mo.Pieces, motion.Piece{Start: float64(i), End: float64(i + 1), Ctrl: [][]float64{ctrl}})
		}
		v := newTrial(t, m, mo).check(motion.Query{})
		// The tip comes as close as the tolerance some milliseconds before.
		if v.Status != motion.Contact || v.TOC.Lo > c.toc || v.TOC.Hi < c.toc-0.01 || v.TOC.Hi > c.toc+2e-6 {
			t.Errorf("%s: %v at %v %s", c.name, v.Status, v.TOC, v.Reason)
		}
	}
}

package articulate

import (
	"fmt"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// arm is a robot of revolute joints about z, each half a metre from the last, every link
// with the shape.
func arm(joints int, s *shape.Shape) *urdf.Robot {
	r := &urdf.Robot{Name: "arm", Links: []urdf.Link{{Name: "l0", ParentJoint: -1}}}
	for i := range joints {
		r.Joints = append(r.Joints, urdf.Joint{
			Name: fmt.Sprint("j", i), Type: urdf.Revolute, Parent: i, Child: i + 1, Axis: geom.Vec{Z: 1},
			PosePC: geom.Translation(geom.Vec{X: 0.5 * float64(min(i, 1))}), Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		})
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("l", i+1), ParentJoint: i, Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: s}}})
	}
	return r
}

// modelOf compiles robot and world with all pairs but neighbours.
func modelOf(t testing.TB, r *urdf.Robot, w *scene.Snapshot) *model.Model {
	t.Helper()
	m, err := model.New(r, w, func(string) float64 { return 0 }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(a, b *model.Body) string {
		if a.Kind == motion.RobotLink && b.Kind == motion.RobotLink {
			return "only the world"
		}
		return ""
	})
	return m
}

// turning moves every joint by up to the given angle in one second.
func turning(names []string, angles ...float64) *motion.Motion {
	m := &motion.Motion{Joints: names, Pieces: []motion.Piece{{End: 1}}}
	for _, a := range angles {
		m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{0, a})
	}
	return m
}

func worldOf(shapes ...*shape.Shape) *scene.Snapshot {
	w := &scene.Snapshot{}
	for i, s := range shapes {
		w.Objects = append(w.Objects, scene.Object{ID: fmt.Sprint("object", i), PoseWS: geom.Translation(geom.Vec{X: 1}), Shape: s})
	}
	return w
}

// The example of section 5.1.1: of refinement levels 1 and 2 there are four tests, with
// the bounds of two halves of one link and of four quarters of the other; bounds are
// worked out once however many boxes are tested.
func TestRefinementLevels(t *testing.T) {
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.05}
	r := newTrial(t, modelOf(t, arm(2, ball), worldOf(ball)), turning([]string{"j0", "j1"}, 1, 1))
	w := r.w
	w.course = r.course
	q := motion.Query{}
	w.load(0, &q)
	a, b := w.sideFor(0, 0), w.sideFor(1, 0)
	p := &activePair{a: a, b: b}
	w.stamp++
	w.stats = Stats{}
	w.relatives = w.relatives[:0]
	w.relate(0, 1, p, [2]int{1, 2}, 2, 4)
	if w.stats.Matrices != 6 {
		t.Errorf("%d matrices were bounded, not 2 and 4", w.stats.Matrices)
	}
	for k := range 4 {
		half, quarter := float64(k/2)/2, float64(k)/4
		pa, pb := w.mover.PoseWF(a.frame, half, half+0.5).Mul(&a.part.place), w.mover.PoseWF(b.frame, quarter, quarter+0.25).Mul(&b.part.place)
		pa.R, pb.R = pa.R.Rotation(), pb.R.Rotation()
		if want := RelativeOf(&pa, &pb); w.relatives[k] != want {
			t.Errorf("part %d is bounded by other intervals than [%g, %g] and [%g, %g]", k, half, half+0.5, quarter, quarter+0.25)
		}
	}
	w.relate(0, 1, p, [2]int{1, 2}, 2, 4)
	if w.stats.Matrices != 6 {
		t.Errorf("bounds were worked out anew for the next pair of boxes")
	}
}

// A link that moves farther is refined more, one that stands still not at all; a motion
// beyond the largest level is halved instead.
func TestRefinementFollowsTheMotion(t *testing.T) {
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.3}
	level := func(angle float64, max int) (level int, fits bool) {
		r := newTrial(t, modelOf(t, arm(1, ball), worldOf(ball)), turning([]string{"j0"}, angle))
		r.w.course = r.course
		r.w.Options.Grain, r.w.Options.MaxRefinement = 0.1, max
		q := motion.Query{}
		r.w.load(0, &q)
		r.w.stamp++
		return r.w.level(0, 1, r.w.sideFor(0, 0))
	}
	for _, c := range []struct {
		angle float64
		max   int
		level int
		fits  bool
	}{{0, 4, 0, true}, {0.01, 4, 0, true}, {0.2, 4, 2, true}, {0.4, 4, 3, true}, {0.4, 2, 2, false}, {0.4, -1, 0, false}} {
		if l, fits := level(c.angle, c.max); l != c.level || fits != c.fits {
			t.Errorf("turning by %g with at most %d: level %d, fits %v; want %d, %v", c.angle, c.max, l, fits, c.level, c.fits)
		}
	}
}

// The parts of an interval leave no time out.
func TestPartsCoverTheInterval(t *testing.T) {
	d := newChance(6, 0)
	for range 1000 {
		lo := d.In(0, 1)
		hi := lo + d.In(0, 1-lo)
		for level := range 6 {
			if cut(lo, hi, level, 0) != lo || cut(lo, hi, level, 1<<level) != hi {
				t.Fatalf("level %d of [%g, %g] does not reach the ends", level, lo, hi)
			}
			for k := range 1 << level {
				if at := cut(lo, hi, level, k); at > cut(lo, hi, level, k+1) || at != cut(lo, hi, level+1, 2*k) {
					t.Fatalf("level %d of [%g, %g]: part %d begins at %v", level, lo, hi, k, at)
				}
			}
		}
	}
}

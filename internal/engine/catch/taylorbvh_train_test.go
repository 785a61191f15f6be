package catch

import (
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// train is a locomotive whose pose is free and cars that hang on each other by a joint
// that turns about z and one that turns about y, a metre long each.
func train(cars int) *urdf.Robot {
	r := &urdf.Robot{Name: "train"}
	for i := range cars {
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("car", i), ParentJoint: 2*i - 1, Collisions: []urdf.Collision{{PoseLS: at(-0.5, 0, 0), Shape: box(0.9, 0.3, 0.3)}}})
		if i == 0 {
			r.Links[0].ParentJoint = -1
		}
		if i == cars-1 {
			break
		}
		for k, axis := range []geom.Vec{{Z: 1}, {Y: 1}} {
			parent, child, pose := i, cars+i, at(-1, 0, 0) // the hinge between both joints has no shape
			if k == 1 {
				parent, child, pose = cars+i, i+1, geom.IdentityPose()
			}
			r.Joints = append(r.Joints, urdf.Joint{
				Name: fmt.Sprintf("joint%d%d", i, k), Type: urdf.Revolute, Parent: parent, Child: child, PosePC: pose, Axis: axis,
				Limit: urdf.Limit{Bounded: true, Lower: -2, Upper: 2},
			})
		}
	}
	for i := range cars - 1 {
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("hinge", i), ParentJoint: 2 * i})
	}
	return r
}

// Among posts beside the track, boxes by Taylor models leave fewer pairs of a car and a
// post that may collide than boxes by intervals, which grow with every car (ZRLK07, Figure
// 5 and Table 2); a third of the posts are really in the way.
func TestTaylorModelsLeaveFewerPairs(t *testing.T) {
	const cars = 10
	robot := train(cars)
	world := &scene.Snapshot{}
	for i := range 40 {
		side := 0.4 + 0.4*float64(i%4)
		if i%2 == 0 {
			side = -side
		}
		world.Objects = append(world.Objects, scene.Object{ID: fmt.Sprint("post", i), Shape: box(0.05, 0.05, 1), PoseWS: at(-float64(i)*0.25, side, 0)})
	}
	r := newRig(t, robot, world, 0, true)
	d := newDice(75, 0)
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}}
	for i := range r.m.Tree.Dofs {
		if name := r.m.Tree.Dofs[i].Name; name != "" {
			from := d.In(-0.05, 0.05)
			m.Joints = append(m.Joints, name)
			m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{from, from + d.In(-0.2, 0.2)})
		}
	}
	m.Root = []motion.RootPiece{{Start: at(0, 0, 0), Velocity: geom.Vec{X: 0.1}, Turn: geom.Vec{Z: 0.02}}}
	course := r.bind(t, m)
	b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
	b.Load(course, 0)
	// How wide the boxes are, car by car.
	var f frozen
	f.load(r.m.Tree, course, 0)
	for i := range cars {
		e := &r.m.Elements[i]
		truth := geom.EmptyBox()
		for k := range 129 {
			pose := f.at(float64(k) / 128).PoseWF[e.Frame].Mul(e.PoseFE)
			for c := range 8 {
				half := func(bit int, size float64) float64 { return size * (float64(c>>bit&1) - 0.5) }
				truth = truth.Extend(pose.Apply(geom.Vec{X: half(0, 0.9), Y: half(1, 0.3), Z: half(2, 0.3)}))
			}
		}
		size := func(b geom.Box) float64 { return b.Half().X + b.Half().Y + b.Half().Z }
		b.Intervals = false
		models := size(b.AABB(i, 0, 1)) / size(truth)
		b.Intervals = true
		plain := size(b.AABB(i, 0, 1)) / size(truth)
		t.Logf("car %d: boxes are %.3f (Taylor) and %.3f (intervals) times as large as the path's", i, models, plain)
		if models > 1.1 || i > 2 && models > plain || math.IsNaN(models) {
			t.Errorf("car %d: %g by models, %g by intervals", i, models, plain)
		}
		if i == cars-1 && plain < 1.5 {
			t.Errorf("intervals overestimate the last car by %g only: the example shows nothing", plain)
		}
	}
	var pcls [2]int
	for k, intervals := range []bool{false, true} {
		r.w.Options = Options{IntervalBoxes: intervals}
		v := r.w.Check(t.Context(), course, motion.Query{NoSelf: true})
		s := r.w.Stats()
		pcls[k] = s.PCLs
		t.Logf("intervals %v: %d pairs, %d left (%.1f %% culled), %v", intervals, s.Pairs, s.PCLs, 100-100*float64(s.PCLs)/float64(s.Pairs), v.Status)
	}
	if !(pcls[0] < pcls[1]) {
		t.Errorf("Taylor models leave %d pairs, intervals %d", pcls[0], pcls[1])
	}
}

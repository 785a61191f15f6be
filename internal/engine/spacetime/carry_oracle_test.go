package spacetime

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What a question may not carry over: from an interval, a part, a piece or a motion
// to another.

// The slack of a sweep is that of all that enters it.
func TestSweepsKeepAllSlack(t *testing.T) {
	r := newRig(t, robots.Of(nil, slide(robots.At(1e6, 0, 0), ex, 0.1)), robots.World(robots.Object("block", robots.Box(1, 1, 1), robots.At(1e6, 3, 0))), 0, through(0, 1))
	r.w.at.Stray(map[string]float64{robots.JointName(0): 0.125})
	r.place(0, 0.5, 0, 1)
	got, own, world := r.w.sweepOf(0, volume.Whole).slack, r.w.at.Element(0).Slack, r.model.World.Err
	if own <= 1e-10 || world <= 1e-10 || !(got >= own+world+0.125) || got > (own+world+0.125)*(1+1e-9) {
		t.Errorf("slack %g of %g, %g and a tube of 0.125", got, own, world)
	}
}

// So is that of a pair, whose chains may part at the root or later.
func TestPairsKeepAllSlack(t *testing.T) {
	for _, parent := range []int{0, 1} {
		carrier := robots.Hinge{Kind: urdf.Prismatic, Axis: ex}
		left, right := on(parent, slide(robots.At(1e6, 0, 0), ex, 0.1)), on(parent, slide(robots.At(1e6, 3, 0), ex, 0.1))
		r := newRig(t, robots.Of(nil, carrier, left, right), nil, 0, robots.Move([]float64{0}, []float64{0, 1}, []float64{0, 1}))
		if len(r.model.Pairs) != 1 || r.model.Pairs[0].Parting != parent {
			t.Fatalf("pairs %v", r.model.Pairs)
		}
		r.w.at.Stray(map[string]float64{robots.JointName(0): 9, robots.JointName(1): 0.125, robots.JointName(2): 0.25})
		r.place(0, 0.5, 0, 1)
		tube := 0.375
		got, a, b := r.w.at.Pair(0).Slack, r.w.at.Element(0).Slack, r.w.at.Element(1).Slack
		if a <= 1e-10 || b <= 1e-10 || got < a+b+tube || got > (a+b+tube)*(1+1e-9) {
			t.Errorf("parting after %d: slack %g of %g, %g and tubes of 0.125 and 0.25", parent, got, a, b)
		}
	}
}

// The box of each part holds it all along, though parts move unlike the whole.
func TestBoxesOfPartsHoldThem(t *testing.T) {
	wings := meshes.Of(meshes.At(geom.Vec{X: 1}, meshes.Cube(0.05)), meshes.At(geom.Vec{X: -1}, meshes.Cube(0.05)), meshes.At(geom.Vec{Y: 1}, meshes.Cube(0.05)), meshes.At(geom.Vec{Y: -1}, meshes.Cube(0.05)))
	for i := range 40 {
		d := newDice(71, uint64(i))
		wheel := robots.Hinge{Kind: urdf.Revolute, Axis: d.Unit(), Origin: d.Pose(1), Parts: robots.Part(d.Pose(0.3), robots.Mesh(wings))}
		from := d.In(-3, 3)
		r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1), on(1, wheel)), robots.World(robots.Object("far", robots.Ball(1), robots.At(99, 0, 0))), 0, robots.Move([]float64{0, d.In(-1, 1)}, []float64{from, from + d.In(-1, 1), from + d.In(-1, 1)}))
		lo := d.In(0, 0.9)
		hi := d.In(lo, 1)
		r.place(0, (lo+hi)/2, lo, hi)
		e := &r.model.Elements[1]
		for node := volume.Whole; node < int32(len(e.Leaves.Tree.Nodes)); node++ {
			box := *r.w.boxOf(r.w.sweepOf(1, node))
			part := restricted(r.solidOf(1, 0), e, node)
			for k := range 21 {
				s := lo + (hi-lo)*float64(k)/20
				for _, x := range part.Points {
					y := r.ToRoot(part.Link, 0, s, x)
					for axis, at := range [3]float64{y.X, y.Y, y.Z} {
						if at < float64(box.Lo[axis])-1e-12 || at > float64(box.Hi[axis])+1e-12 {
							t.Fatalf("case %d, node %d: at %g a point is at %v, the box is %v", i, node, s, y, box)
						}
					}
				}
			}
		}
	}
}

// within is a robot whose base is a solid with a notch, in which a link moves whose
// second part is in the wall where y is small.
func within() *urdf.Robot {
	pair := meshes.Of(meshes.At(geom.Vec{X: 5}, meshes.Cube(0.01)), meshes.At(geom.Vec{}, meshes.Cube(0.01)))
	return robots.Of(robots.Part(robots.At(0, 0, 0), robots.Mesh(meshes.Elbow(1))), robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), robots.Mesh(pair))})
}

// As TestNothingIsProvedOfWhatBeganInside, for a part of one link in another.
func TestNothingIsProvedOfPartsThatBeganInside(t *testing.T) {
	r := newRig(t, within(), nil, 0, robots.Move([]float64{0.05, 1.5}))
	for _, question := range []motion.Question{motion.FirstContact, motion.IsFree} {
		for k := range 40 {
			v := r.check(motion.Query{Question: question, Budget: time.Duration(k*k) * 200 * time.Nanosecond})
			if v.Status == motion.Free || v.ProvenUntil > 0 || v.TOC.Lo > 0 {
				t.Fatalf("%v, proven until %g, though a part begins inside", v.Status, v.ProvenUntil)
			}
		}
		if v := r.check(motion.Query{Question: question}); v.Status != motion.Contact {
			t.Errorf("%v, want contact", v.Status)
		}
	}
}

// As TestOutsideIsForgotten, for a pair of links.
func TestOutsideOfLinksIsForgotten(t *testing.T) {
	r := newRig(t, within(), nil, 0, robots.Move([]float64{0.3, 0.4}))
	wantFree(t, r.check(motion.Query{}), 1)
	r.bind(t, robots.Move([]float64{0.08, 0.12}))
	for _, question := range []motion.Question{motion.IsFree, motion.FirstContact} {
		if v := r.check(motion.Query{Question: question}); v.Status != motion.Contact || v.TOC.Hi != 0 {
			t.Errorf("question %v: %v in %v, want contact from the start", question, v.Status, v.TOC)
		}
	}
}

// Whether a motion of many pieces is free depends on each.
func TestYesOrNoOfManyPieces(t *testing.T) {
	const pieces = 7
	for hit := range pieces {
		for _, early := range []bool{true, false} {
			m := &motion.Motion{Joints: []string{robots.JointName(0)}, KeepTurns: true}
			for p := range pieces {
				ctrl := []float64{0, 0}
				if p == hit { // out to 1 and back, within one half of the piece
					ctrl = []float64{0, 0, 0, 0, 11, 0}
					if early {
						ctrl = []float64{0, 11, 0, 0, 0, 0}
					}
				}
				m.Pieces = append(m.Pieces, motion.Piece{Start: float64(p), End: float64(p + 1), Ctrl: [][]float64{ctrl}})
			}
			r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), robots.World(robots.Object("wall", robots.Box(1, 1, 1), robots.At(4.6, 0, 0))), 0, m)
			v := r.check(motion.Query{Question: motion.IsFree})
			if v.Status != motion.Contact || v.Piece != hit || v.TOC.Hi < float64(hit) || v.TOC.Hi > float64(hit+1) {
				t.Errorf("hit in piece %d: %v in %v of piece %d", hit, v.Status, v.TOC, v.Piece)
			}
		}
	}
}

// The constant of reach holds for joints that stray: here the slide takes the ball a
// metre from the axis, about which the wheel then strays.
func TestReachHoldsWithTheTube(t *testing.T) {
	r := newRig(t, robots.Of(nil, robots.Hinge{Kind: urdf.Revolute, Axis: ez}, on(1, slide(robots.At(0, 0, 0), ex, 0.1))), robots.World(robots.Object("far", robots.Ball(1), robots.At(9, 0, 0))), 0, robots.Move([]float64{0, 0}, []float64{0, 0}))
	const turn, way = 0.1, 1.0
	r.w.at.Stray(map[string]float64{robots.JointName(0): turn, robots.JointName(1): way})
	r.place(0, 0.5, 0, 1)
	want := way + 1.1*2*math.Sin(turn/2)
	if got := r.w.at.Element(0).Tube; got < want || got > want*(1+1e-9) {
		t.Errorf("the ball strays by %.9g, want %.9g", got, want)
	}
}

// What begins inside touches at once, though the middle of the first interval that
// is looked at lies outside.
func TestWhatBeganInsideTouchesAtOnce(t *testing.T) {
	pair := robots.Mesh(meshes.Of(meshes.At(geom.Vec{X: 5}, meshes.Cube(0.01)), meshes.At(geom.Vec{}, meshes.Cube(0.01))))
	up := func(s *shape.Shape) robots.Hinge {
		return robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), s)}
	}
	solid := robots.Mesh(meshes.Elbow(1))
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world *scene.Snapshot
	}{
		{"a ball in the world", robots.Of(nil, up(robots.Ball(0.02))), robots.World(robots.Object("L", solid, robots.At(0, 0, 0)))},
		{"a part in the world", robots.Of(nil, up(pair)), robots.World(robots.Object("L", solid, robots.At(0, 0, 0)))},
		{"a ball in a link", robots.Of(robots.Part(robots.At(0, 0, 0), solid), up(robots.Ball(0.02))), nil},
		{"a part in a link", robots.Of(robots.Part(robots.At(0, 0, 0), solid), up(pair)), nil},
	} {
		r := newRig(t, c.robot, c.world, 0, robots.Move([]float64{0.15, 0.31}))
		for _, w := range []*Worker{r.w, withoutSteps(r.model)} {
			r.w = w
			if v := r.check(motion.Query{}); v.Status != motion.Contact || v.TOC.Hi != 0 {
				t.Errorf("%s: %v in %v, want contact at 0", c.name, v.Status, v.TOC)
			}
		}
	}
}

// A tube is of one question, too: a distance asked for afterwards is that of the
// configuration.
func TestTubesAreForgotten(t *testing.T) {
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1), slide(robots.At(2, 0, 0), ex, 0.1)), robots.World(robots.Object("post", robots.Ball(0.1), robots.At(0, 1, 0))), 0, through(0, 0.1))
	ask := func() motion.Distances {
		d, err := r.w.Distances(context.Background(), []float64{0, 0}, motion.DistanceQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	before := ask()
	if v := r.check(motion.Query{Tube: map[string]float64{robots.JointName(0): 0.2, robots.JointName(1): 0.2}}); v.Status != motion.Free {
		t.Fatalf("%v", v.Status)
	}
	if after := ask(); after.Self != before.Self || after.World != before.World {
		t.Errorf("distances %v and %v, after a tube %v and %v", before.Self, before.World, after.Self, after.World)
	}
}

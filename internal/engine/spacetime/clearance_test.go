package spacetime

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// near is a motion whose smallest distance is known.
type near struct {
	name  string
	robot *urdf.Robot
	world *scene.Snapshot
	ctrl  [][]float64
	least float64
}

// slider carries a shape along x, turner one on an arm of length 1 about z.
func slider(s *urdf.Collision) *urdf.Robot {
	return robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Origin: robots.At(0, 0, 0), Parts: []urdf.Collision{*s}})
}

func turner(s *urdf.Collision) *urdf.Robot {
	return robots.Of(nil, robots.Hinge{Kind: urdf.Continuous, Axis: ez, Origin: robots.At(0, 0, 0), Parts: []urdf.Collision{*s}})
}

// nearMotions keep gap from what they pass.
func nearMotions(gap float64) []near {
	ball := &robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))[0]
	brick := &robots.Part(robots.At(0, 0, 0), robots.Box(0.2, 0.2, 0.2))[0]
	elbow := &robots.Part(robots.At(0, 0, 0), robots.Mesh(meshes.Elbow(0.2)))[0]
	arm := &robots.Part(robots.At(1, 0, 0), robots.Ball(0.1))[0]
	wall := robots.World(robots.Object("wall", robots.Box(6, 1, 6), robots.At(0, 0.6+gap, 0)))
	post := func(id string, x float64) scene.Object {
		return robots.Object(id, robots.Ball(0.1), robots.At(x, 0.2+gap, 0))
	}
	around := robots.World(robots.Object("post", robots.Ball(0.1), robots.At(1.2+gap, 0, 0)))
	return []near{
		{"along a wall", slider(ball), wall, [][]float64{{-1, 1}}, gap},
		{"a flat face along a wall", slider(brick), wall, [][]float64{{-1, 1}}, gap},
		{"to and fro along a wall", slider(ball), wall, [][]float64{{-1, 2, -2, 1}}, gap},
		{"past two posts", slider(ball), robots.World(post("a", -0.5), post("b", 0.5)), [][]float64{{-1, 1}}, gap},
		{"past one post off the samples", slider(ball), robots.World(post("a", 0.3127)), [][]float64{{-1, 1}}, gap},
		{"closest at the start", slider(ball), robots.World(post("a", -1)), [][]float64{{-1, 1}}, gap},
		{"closest at the end", slider(ball), robots.World(post("a", 1)), [][]float64{{-1, 1}}, gap},
		{"three turns", turner(arm), around, [][]float64{{-10, 10}}, gap},
		{"fast in the middle", turner(arm), around, [][]float64{{-20, -20, 20, 20}}, gap},
		{"a wedge between far samples", slider(elbow), robots.World(robots.Object("pin", robots.Ball(0.05), robots.At(0.111, 0, 0.2+0.05+gap))), [][]float64{{-3, 3}}, math.NaN()},
	}
}

// The smallest distance is within its bounds, which are as close as asked for.
func TestSmallestDistancesAreKnown(t *testing.T) {
	for _, gap := range []float64{0.0004, 0.0011, 0.02, 0.3} {
		for _, c := range nearMotions(gap) {
			r := newRig(t, c.robot, c.world, 0, robots.Move(c.ctrl...))
			for _, q := range []motion.Query{
				{}, {ClearanceTolerance: 1e-6}, {ClearanceTolerance: 0.1}, {Clearance: gap / 2},
			} {
				q.Question = motion.MinClearance
				v := r.check(q)
				name := fmt.Sprintf("%s, %g m, %+v", c.name, gap, q)
				r.holdSmallest(t, name, q, &v)
				if b := v.MinClearance.Bounds; !math.IsNaN(c.least) && (b.Lo > c.least+1e-9 || b.Hi < c.least-1e-9) {
					t.Errorf("%s: within %v, want %g", name, b, c.least)
				}
			}
			if v := r.check(motion.Query{Question: motion.MinClearance, Clearance: 1.01*gap + 1e-5}); !math.IsNaN(c.least) && v.Status == motion.Free {
				t.Errorf("%s: a clearance of more than %g m is kept, within %v", c.name, gap, v.MinClearance.Bounds)
			}
			p := r.profile(t, motion.ProfileQuery{})
			r.holdProfile(t, c.name, motion.ProfileQuery{}, &p)
		}
	}
}

// holdSmallest compares the answer about a free motion with what the twin sees at many times.
func (r *rig) holdSmallest(t *testing.T, name string, q motion.Query, v *motion.Verdict) {
	t.Helper()
	near, tol := &v.MinClearance, engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance)
	if v.Status != motion.Free || !near.Known || v.ProvenUntil != r.Motion.Pieces[len(r.Motion.Pieces)-1].End {
		t.Fatalf("%s: %v (%s), proved until %g, %+v", name, v.Status, v.Reason, v.ProvenUntil, near)
	}
	if b := near.Bounds; !(b.Lo >= q.Clearance && b.Lo <= b.Hi && b.Hi-b.Lo <= tol*(1+1e-9)+0x1p-51*b.Hi) { // which is rounded
		t.Errorf("%s: bounds %v to within %g", name, b, tol)
	}
	if d := r.nearest(near.At.Time, math.Inf(1)); !(d >= near.Bounds.Lo-1e-9 && d <= near.Bounds.Hi+1e-8) {
		t.Errorf("%s: at %g the distance is %g, not within %v", name, near.At.Time, d, near.Bounds)
	}
	const samples = 20
	for i := range samples + 1 {
		start := r.Motion.Pieces[0].Start
		at := start + (r.Motion.Pieces[len(r.Motion.Pieces)-1].End-start)*float64(i)/samples
		if d := r.nearest(at, near.Bounds.Lo+1e-3); d < near.Bounds.Lo-1e-9 {
			t.Errorf("%s: at %g the distance is %g, not within %v", name, at, d, near.Bounds)
		}
	}
}

// The closest points of a motion of several pieces are of the piece in which they are that close.
func TestSmallestDistanceIsInItsPiece(t *testing.T) {
	ball := &robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))[0]
	for _, post := range []float64{-4.9, -3, -1.1, -0.9, 0.3, 0.9} {
		world := robots.World(robots.Object("a", robots.Ball(0.1), robots.At(post, 0.25, 0)))
		m := robots.Move([]float64{-5, -1})
		m.Pieces = append(m.Pieces, motion.Piece{Start: 1, End: 3, Ctrl: [][]float64{{-1, 1}}})
		r := newRig(t, slider(ball), world, 0, m)
		q := motion.Query{Question: motion.MinClearance}
		v := r.check(q)
		r.holdSmallest(t, fmt.Sprint("a post at ", post), q, &v)
	}
}

// What touches, or starts inside of something, is no free motion whatever is asked first.
func TestSmallestDistanceOfWhatTouches(t *testing.T) {
	ball := &robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))[0]
	for _, c := range []near{
		{name: "past a post", robot: slider(ball), world: robots.World(robots.Object("a", robots.Ball(0.1), robots.At(0.3127, 0.199999, 0))), ctrl: [][]float64{{-1, 1}}},
		{name: "inside a mesh", robot: slider(ball), world: robots.World(robots.Object("a", robots.Mesh(meshes.Cube(3)), robots.At(0, 0, 0))), ctrl: [][]float64{{-1, 1}}},
		{name: "through a sheet", robot: slider(ball), world: robots.World(robots.Object("a", robots.Box(1e-4, 1, 1), robots.At(0.3127, 0, 0))), ctrl: [][]float64{{-30, 30}}},
	} {
		r := newRig(t, c.robot, c.world, 0, robots.Move(c.ctrl...))
		first := r.check(motion.Query{})
		v := r.check(motion.Query{Question: motion.MinClearance})
		if first.Status != motion.Contact || v.Status != motion.Contact || v.MinClearance.Known || v.TOC != first.TOC {
			t.Errorf("%s: %v at %v, asked for the first contact %v at %v", c.name, v.Status, v.TOC, first.Status, first.TOC)
		}
	}
}

// Of random robots the smallest distance is within its bounds, which are as close as asked for.
func TestSmallestDistancesOfRandomRobots(t *testing.T) {
	free := 0
	for i := range rounds(60) {
		d := newDice(84, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		m := d.pieceMotion(r.Robot)
		r.bind(t, m)
		r.dropTouching(m.Pieces[0].Start)
		r.bind(t, m)
		q := motion.Query{Question: motion.MinClearance, ClearanceTolerance: d.Spread(1e-5, 0.05), Clearance: [...]float64{0, 0.01}[d.IntN(2)]}
		if v := r.check(q); v.Status == motion.Free && v.MinClearance.Known {
			free++
			r.holdSmallest(t, fmt.Sprint("motion ", i), q, &v)
		}
	}
	if free < 10 {
		t.Errorf("only %d are free", free)
	}
}

// manyLinks is a robot of many links, and a motion of it.
func (d dice) manyLinks(t testing.TB) *rig {
	robot := d.Robot(robots.Plan{
		Joints: 13,
		Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Prismatic, urdf.Fixed},
		Parts: func() (parts []urdf.Collision) {
			for range 1 + d.IntN(2) {
				parts = append(parts, urdf.Collision{PoseLS: d.Pose(0.1), Shape: d.shape(0.05)})
			}
			return parts
		},
	})
	world := robots.World()
	for k := range d.IntN(4) {
		world.Objects = append(world.Objects, robots.Object(fmt.Sprint("o", k), d.shape(d.Spread(0.05, 0.3)), d.Pose(1)))
	}
	m := d.Motion(robot, robots.Travel{Pieces: 1 + 2*d.IntN(2), Sizes: []float64{d.Spread(0.03, 1.5)}})
	r := newRig(t, robot, world, 0, m)
	r.dropTouching(m.Pieces[0].Start)
	r.bind(t, m)
	return r
}

// Of a robot with many pairs, what is looked at first is seldom the closest: the smallest distance is within its bounds all the
// same.
func TestSmallestDistancesOfManyPairs(t *testing.T) {
	free, other := 0, 0
	for i := range rounds(40) {
		d := newDice(95, uint64(i))
		r := d.manyLinks(t)
		q := motion.Query{Question: motion.MinClearance}
		v := r.check(q)
		if v.Status != motion.Free {
			continue
		}
		free++
		r.holdSmallest(t, fmt.Sprint("motion ", i), q, &v)
		if int32(r.w.closest.best.Pair) != r.w.expected.pair {
			other++
		}
	}
	if t.Logf("%d free, of %d another pair is the closest", free, other); free < 20 || other < 10 {
		t.Error("a poor test")
	}
}

// The pair that is likely to be the closest is not looked at where the robot itself is not asked about.
func TestSmallestDistanceToTheWorldAlone(t *testing.T) {
	asked := 0
	for i := range rounds(30) {
		d := newDice(96, uint64(i))
		r := d.manyLinks(t)
		all := r.check(motion.Query{Question: motion.MinClearance})
		if all.Status != motion.Free || r.w.expected.pair < 0 {
			continue
		}
		v := r.check(motion.Query{Question: motion.MinClearance, NoSelf: true})
		if !v.MinClearance.Known {
			continue // there is no world
		}
		asked++
		pairs := []motion.Pair{v.MinClearance.At.Pair}
		p, err := r.w.Profile(context.Background(), r.bound, motion.ProfileQuery{NoSelf: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Spans {
			pairs = append(pairs, s.At.Pair)
		}
		for _, pair := range pairs {
			if pair.A.Kind == motion.RobotLink && pair.B.Kind == motion.RobotLink {
				t.Errorf("motion %d: %v is said to be the closest, which was not asked about", i, pair)
			}
		}
		if v.MinClearance.Bounds.Hi < all.MinClearance.Bounds.Lo {
			t.Errorf("motion %d: to the world %g, to all %g", i, v.MinClearance.Bounds, all.MinClearance.Bounds)
		}
	}
	if asked < 10 {
		t.Errorf("%d motions: a poor test", asked)
	}
}

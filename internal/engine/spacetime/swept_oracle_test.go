package spacetime

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Robot against world: the swept box, the half-spaces that hold a sweep, and the
// items of the world's tree, each against its twin in numbers of 300 bits.

// standing is an obstacle as the rules see it, and as the twin does.
type standing struct {
	m    *model.Model
	it   model.Item
	node *bvh.WideNode
	twin *rules.Side
}

// standing draws an obstacle at a place: a convex element, a triangle, a point, a
// cell or the box of a node.
func (d dice) standing(kind int, place geom.Vec) standing {
	size, radius := d.Spread(1e-3, 1), [...]float64{0, d.Spread(1e-4, 1e-1)}[d.IntN(2)]
	e := model.Element{PoseFE: geom.IdentityPose()}
	s := standing{m: &model.Model{}, it: model.Item{Radius: radius}}
	core := convex.Core{Radius: radius}
	leaves := &model.Leaves{}
	switch kind {
	case 0:
		core = *d.Core(size)
		e.PoseFE, e.Core, e.Exact, s.it.Leaf, leaves = geom.Pose{R: d.Pose(1).R, P: place}, core, true, -1, nil
	case 1:
		core.Kind, leaves.Mesh = convex.Triangle, &mesh.Mesh{}
		for k := range s.it.Vertices {
			s.it.Vertices[k] = r3.Add(place, d.Vec(size))
		}
		core.Vertices = s.it.Vertices[:]
	case 2:
		core.Kind, leaves.Points = convex.Point, []geom.Vec{{}}
		s.it.Vertices[0] = place
		core.Vertices = []geom.Vec{place}
	case 3:
		a, b := d.Vec(size), d.Vec(size)
		leaves.Cells = []geom.Box{geom.EmptyBox().Extend(a).Extend(b)}
		core = convex.BoxOf(leaves.Cells[0])
		core.Radius = radius
		e.PoseFE = geom.Pose{R: d.Pose(1).R, P: place}
	default:
		var node bvh.WideNode
		box := bvh.Outward(geom.EmptyBox().Extend(r3.Add(place, d.Vec(size))).Extend(r3.Add(place, d.Vec(size))))
		for k := range 3 {
			node.Lo[k][3], node.Hi[k][3] = box.Lo[k], box.Hi[k]
		}
		s.node = &node
		core = convex.Core{Kind: convex.Hull}
		for k := range 8 {
			pick := func(axis int) float64 { return float64([2]float32{box.Lo[axis], box.Hi[axis]}[k>>axis&1]) }
			core.Vertices = append(core.Vertices, geom.Vec{X: pick(0), Y: pick(1), Z: pick(2)})
		}
	}
	e.Leaves = leaves
	s.m.Elements = []model.Element{e}
	s.twin = &rules.Side{Core: &core, Pose: e.PoseFE}
	return s
}

// beyond is the engine's word for an obstacle left out by a half-space.
func (s *standing) beyond(n geom.Vec, reach, clearance, slack float64) bool {
	if s.node == nil {
		return rules.Beyond(volume.ItemLeast(s.m, &s.it, n), reach, rules.Margin{Clearance: clearance, Slack: slack})
	}
	w := &Worker{prover: prover{clearance: clearance}}
	sw := &sweep{count: 1, slack: slack}
	sw.planes[0] = plane{n: n, reach: reach, bound: ofPoints}
	return w.boxBeyond(sw, s.node, 3)
}

func TestHalfSpacesAgainstTheirTwin(t *testing.T) {
	var near [5]ruletest.Verdicts
	for i := range rounds(4000) {
		d, kind := newDice(32, uint64(i)), i%5
		a, n := d.Side(), d.Unit()
		h := [...]float64{0, d.Spread(1e-6, 1)}[min(1, d.IntN(4))]
		accel := [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)]
		swept := h*(geom.Norm(a.Vel.Lin)+geom.Norm(a.Vel.Ang)*(geom.Norm(a.Pose.P)+a.Core.Extent())) + accel*h*h
		b := d.standing(kind, r3.Add(a.Pose.P, r3.Scale(a.Core.Extent()+a.Core.Radius+d.In(1, 3)*swept+3, n)))
		slack := ruletest.Own(a, h) + ruletest.Own(b.twin, 0)
		clearance := ruletest.RoomHalfSpace(n, a, b.twin, h, accel, 0).Float() + d.Offset(slack, geom.Norm(a.Pose.P))
		if clearance < 0 {
			continue
		}
		room := ruletest.RoomHalfSpace(n, a, b.twin, h, accel, clearance)
		fast := b.beyond(n, rules.ReachOver(n, a, h)+rules.Bent(accel, h), clearance, slack)
		if near[kind].Note(fast, room) {
			t.Fatalf("case %d: proved with %g to spare", i, room.Float())
		}
		if !fast && room.Exceeds(exact.Of(2.01*slack+64*u*clearance)) {
			t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.Float(), slack)
		}
	}
	for kind := range near {
		near[kind].Want(t)
	}
}

// Items are where the objects' own numbers put them, to within World.Err.
func TestItemsStandWithinTheirError(t *testing.T) {
	worst := 0.0
	for i := range rounds(60) {
		d := newDice(33, uint64(i))
		reach := func() float64 { return d.Spread(1e-2, 1e4) }
		pad := [...]float64{0, d.Spread(1e-3, 1e-1)}[d.IntN(2)]
		dust := robots.Points(0.01, d.Vec(1), d.Vec(1), d.Vec(1))
		world := robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), d.Pose(reach())), robots.Object("dust", dust, d.Pose(reach())), robots.Object("box", robots.Box(1, 2, 3), d.Pose(reach())), robots.Object("ball", robots.Ball(0.3), d.Pose(reach())))
		for k := range world.Objects {
			world.Objects[k].Padding = pad
		}
		r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), world, 0, through(0, 1))
		w := r.model.World
		for k := range w.Items {
			it, n := &w.Items[k], d.Unit()
			off := math.Abs(exactLeast(r, it, n).Minus(exact.Of(volume.ItemLeast(r.model, it, n))).Float())
			worst = math.Max(worst, off/w.Err)
			if off > w.Err {
				t.Fatalf("case %d, item %d: off by %g, where %g is allowed", i, k, off, w.Err)
			}
		}
	}
	t.Logf("at most %.2g of what is allowed", worst)
	if worst < 1e-3 {
		t.Error("nothing is off by a noticeable part of what is allowed: the test tests nothing")
	}
}

// An item stands where the tree says, in a box that holds it, padding included.
func TestItemsAreInTheirBoxes(t *testing.T) {
	dust := robots.Points(0.01, geom.Vec{X: 1}, geom.Vec{X: 2}, geom.Vec{Y: 3})
	d := newDice(36, 0)
	world := robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), d.Pose(1)), robots.Object("dust", dust, d.Pose(1)), robots.Object("M", robots.Mesh(meshes.Elbow(1)), d.Pose(1)), robots.Object("box", robots.Box(1, 2, 3), d.Pose(1)))
	for k := range world.Objects {
		world.Objects[k].Padding = 0.1
	}
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), world, 0, through(0, 1))
	w, seen := r.model.World, 0
	for at := range w.Tree.Nodes {
		n := &w.Tree.Nodes[at]
		for c := range int(n.Count) {
			if n.Child[c] >= 0 {
				continue
			}
			seen++
			it, b := &w.Items[^n.Child[c]], n.ChildBox32(c)
			for axis, e := range [3]geom.Vec{ex, ey, ez} {
				lo, hi := volume.ItemLeast(r.model, it, e), -volume.ItemLeast(r.model, it, r3.Scale(-1, e))
				if lo < float64(b.Lo[axis]) || hi > float64(b.Hi[axis]) || lo > float64(b.Lo[axis])+1e-5 || hi < float64(b.Hi[axis])-1e-5 {
					t.Fatalf("item %d, axis %d: from %g to %g, its box from %g to %g", ^n.Child[c], axis, lo, hi, b.Lo[axis], b.Hi[axis])
				}
			}
		}
	}
	if seen != len(w.Items) || seen < 40 {
		t.Errorf("%d of %d items have boxes", seen, len(w.Items))
	}
}

// exactLeast is the smallest n.x over an item, in the numbers of its object.
func exactLeast(r *rig, it *model.Item, n geom.Vec) exact.Num {
	e := &r.model.Elements[it.Element]
	body := &r.model.Bodies[e.Body]
	o := r.world.Objects[0]
	for k := range r.world.Objects {
		if r.world.Objects[k].ID == body.Name {
			o = r.world.Objects[k]
		}
	}
	core := convex.Core{Radius: o.Padding}
	switch {
	case it.Leaf < 0:
		core = e.Core
	case o.Shape.Mesh != nil:
		core.Kind = convex.Triangle
		for _, v := range o.Shape.Mesh.Triangles[it.Leaf] {
			core.Vertices = append(core.Vertices, o.Shape.Mesh.Vertices[v])
		}
	default:
		core.Kind, core.Vertices = convex.Point, []geom.Vec{o.Shape.Points[it.Leaf]}
		core.Radius += o.Shape.Radius
	}
	back := &rules.Side{Core: &core, Pose: o.PoseWS}
	return exact.Of(0).Minus(ruletest.Reach(exact.VecOf(r3.Scale(-1, n)), back, exact.Of(0))).Minus(exact.Of(core.Radius))
}

// Beside an obstacle so large that its face is known to some picometres only, the
// engine does not call free what is in it by one.
func TestFacesOfHugeObstaclesAreRounded(t *testing.T) {
	const half, radius = 3e5, 0.1
	free, held := 0, 0
	for i := range rounds(300) {
		d := newDice(34, uint64(i))
		pose := d.Pose(0)
		n := pose.R.Apply(ex)
		pose.P = r3.Scale(half+radius+float64(1-2*d.IntN(2))*d.Spread(0.1, 1e4)*u*half, n)
		r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, radius)), robots.World(robots.Object("wall", robots.Box(2*half, 2*half, 2*half), pose)), 0, through(0, 0))
		// The face towards the ball has this normal, as the matrix has it.
		axes := [3]exact.Vec{exact.VecOf(pose.R.Apply(ex)), exact.VecOf(pose.R.Apply(ey)), exact.VecOf(pose.R.Apply(ez))}
		normal := axes[1].Cross(axes[2])
		normal = normal.Scaled(exact.Of(1).Over(normal.Norm()))
		gap := normal.Dot(exact.VecOf(pose.P)).Minus(normal.Dot(axes[0]).Times(exact.Of(half))).Minus(exact.Of(radius))
		r.place(0, 0.5, 0, 1)
		sw := r.w.sweepOf(0, volume.Whole)
		p := r.w.plane(sw, n)
		// The sum of two products rounds as the face does.
		apart := rules.Beyond(volume.ItemLeast(r.model, &r.model.World.Items[0], n), p.reach, rules.Margin{Slack: sw.slack})
		if apart {
			free++
		} else {
			held++
		}
		if apart && gap.Sign() <= 0 {
			t.Fatalf("case %d: free, but %g deep", i, -gap.Float())
		}
	}
	t.Logf("%d free, %d not", free, held)
	if free == 0 || held == 0 {
		t.Error("the cases are one-sided")
	}
}

// What the rules grant at the level of the engine: sweeps of elements against the
// world, and the balls of elements in the root link's frame.

func bySweep(w *Worker, n geom.Vec, clearance float64) bool {
	w.clearance = clearance
	sw := w.sweepOf(w.m.Pairs[0].A, volume.Whole)
	return w.parts(sw, w.plane(sw, n), volume.ItemLeast(w.m, &w.m.World.Items[0], n))
}

func bySweptBox(w *Worker, _ geom.Vec, clearance float64) bool {
	w.clearance = clearance
	return !w.m.World.Tree.Nodes[0].Box.Meets(w.boxOf(w.sweepOf(w.m.Pairs[0].A, volume.Whole)))
}

func inRoot(w *Worker, _ geom.Vec, clearance float64) bool {
	w.clearance = clearance
	return w.apartInRoot(&w.m.Pairs[0], false)
}

func TestSweepsAreAttained(t *testing.T) {
	for _, a := range attainedCases() {
		if a.world == nil || a.n == (geom.Vec{}) {
			continue
		}
		if fmt.Sprintf("%p", a.rule) == fmt.Sprintf("%p", rule(byHalfSpace)) {
			a.rule = bySweep
			t.Run(a.name, a.hold)
		}
	}
	const float32s = 2e-6
	wall := func(x float64) *scene.Snapshot {
		return robots.World(robots.Object("wall", robots.Box(0.2, 9, 9), robots.At(x+0.1, 0, 0)))
	}
	sliding := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1))
	bead := robots.World(robots.Object("bead", robots.Ball(0.2), robots.At(1, 0, 0)))
	beads := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1), slide(robots.At(1, 0, 0), ex, 0.2))
	for _, a := range []attained{
		{name: "box: to a wall", rule: bySweptBox, robot: sliding, world: wall(1), ctrl: [][]float64{{0, 0.5}}, n: ex, loose: float32s},
		{name: "box: from a wall", rule: bySweptBox, robot: sliding, world: wall(1), ctrl: [][]float64{{0.5, 0}}, n: ex, loose: float32s},
		{name: "box: from a wall behind", rule: bySweptBox, robot: sliding, world: robots.World(robots.Object("wall", robots.Box(0.2, 9, 9), robots.At(-1, 0, 0))), ctrl: [][]float64{{-0.5, 0}}, n: r3.Scale(-1, ex), loose: float32s},
		{name: "box: seen from the end", rule: bySweptBox, robot: sliding, world: wall(1), ctrl: [][]float64{{0.5, 0}}, n: ex, c: 1, loose: float32s},
		{name: "box: there and back", rule: bySweptBox, robot: sliding, world: wall(1), ctrl: [][]float64{square(1)}, n: ex, loose: float32s},
		{name: "box: ever faster", rule: bySweptBox, robot: sliding, world: wall(1), ctrl: [][]float64{cube(1)}, n: ex, loose: 3 * float32s},
		{name: "sweep: ever faster", rule: bySweep, robot: sliding, world: wall(1), ctrl: [][]float64{cube(1)}, n: ex, loose: 1e-9},
		{name: "sweep: turn past a wall behind", rule: bySweep, robot: robots.Of(nil, arm(robots.At(0, 0, 0), 1, small)), world: robots.World(robots.Object("wall", robots.Box(0.2, 9, 9), robots.At(0.4, 0, 0))), ctrl: [][]float64{{-0.1, 0.1}}, n: r3.Scale(-1, ex), loose: 3e-3},
		{name: "balls in the root: ever faster", rule: inRoot, robot: sliding, world: bead, ctrl: [][]float64{cube(0.4)}, loose: 1e-9},
		{name: "balls in the root: B ever faster", rule: inRoot, robot: beads, ctrl: [][]float64{{0}, cube(-0.4)}, loose: 1e-9},
		{name: "balls in the root: one moves", rule: inRoot, robot: sliding, world: bead, ctrl: [][]float64{{0, 0.5}}, loose: 1e-9},
		{name: "balls in the root: A moves", rule: inRoot, robot: beads, ctrl: [][]float64{{0, 0.2}, {0}}, loose: 1e-9},
		{name: "balls in the root: B moves", rule: inRoot, robot: beads, ctrl: [][]float64{{0}, {0, -0.2}}, loose: 1e-9},
		{name: "balls in the root: there and back", rule: inRoot, robot: sliding, world: bead, ctrl: [][]float64{square(1)}, loose: 1e-9},
		{name: "balls in the root: A there and back", rule: inRoot, robot: beads, ctrl: [][]float64{square(1), {0}}, loose: 1e-9},
		{name: "balls in the root: B there and back", rule: inRoot, robot: beads, ctrl: [][]float64{{0}, square(-1)}, loose: 1e-9},
		{name: "balls in the root: both move", rule: inRoot, robot: beads, ctrl: [][]float64{{0, 0.1}, {0.1, 0}}, loose: 1e-9},
	} {
		t.Run(a.name, a.hold)
	}
}

// What joints may stray is taken off once, of either side, by every rule.
func TestTubesAreTakenOff(t *testing.T) {
	bead := robots.World(robots.Object("bead", robots.Ball(0.2), robots.At(2, 0, 0)))
	sliding := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1))
	beads := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1), slide(robots.At(2, 0, 0), ex, 0.2))
	tube := map[string]float64{robots.JointName(0): 0.01, robots.JointName(1): 0.02}
	for _, c := range []struct {
		name  string
		rule  rule
		world *scene.Snapshot
	}{
		{"half-spaces", byHalfSpace, bead},
		{"half-spaces", byHalfSpace, nil},
		{"displacement", byDisplacement, bead},
		{"displacement", byDisplacement, nil},
		{"search", bySearch, bead},
		{"search", bySearch, nil},
		{"balls in the root", inRoot, bead},
		{"balls in the root", inRoot, nil},
		{"sweep", bySweep, bead},
		{"swept box", bySweptBox, bead},
	} {
		robot, want := sliding, 0.01
		if c.world == nil {
			robot, want = beads, 0.03
		}
		for _, moves := range []float64{0, 0.3} {
			r := newRig(t, robot, c.world, 0, through(0, moves))
			most := func(tube map[string]float64) float64 {
				r.w.at.Stray(tube)
				r.place(0, 0.5, 0, 1)
				return granted(func(clearance float64) bool { return c.rule(r.w, ex, clearance) }, 9)
			}
			without := most(nil)
			off := without - most(tube)
			if without < 0.5 || math.Abs(off-want) > 2e-7 {
				t.Errorf("%s, moving by %g: takes off %.9g of %g for a tube of %g", c.name, moves, off, without, want)
			}
		}
	}
}

// A half-space that holds what a part sweeps on one interval says nothing of
// another interval, part, element or clearance.
func TestSweepsAreOfOneQuestion(t *testing.T) {
	two := append(robots.Part(robots.At(0, 0, 0), robots.Mesh(meshes.Of(meshes.At(geom.Vec{}, meshes.Cube(0.1)), meshes.At(geom.Vec{X: 1}, meshes.Cube(0.1)), meshes.At(geom.Vec{X: 2}, meshes.Cube(0.1)), meshes.At(geom.Vec{X: 3}, meshes.Cube(0.1))))), robots.Part(robots.At(5, 0, 0), robots.Ball(0.1))...)
	r := newRig(t, robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: two}), robots.World(robots.Object("far", robots.Ball(1), robots.At(99, 0, 0))), 0, through(0, 9))
	fresh := func(element int, node int32, clearance, c float64) bvh.Box32 {
		other := NewWorker(r.model)
		q := &rig{Moving: r.Moving, world: r.world, model: r.model, bound: r.bound, w: other}
		q.place(0, c, 0, 1)
		other.clearance = clearance
		return *other.boxOf(other.sweepOf(element, node))
	}
	r.place(0, 0.5, 0, 1)
	for _, step := range []func() (element int, node int32, clearance, c float64){
		func() (int, int32, float64, float64) { return 0, volume.Whole, 0, 0.5 },
		func() (int, int32, float64, float64) { return 0, 0, 0, 0.5 },
		func() (int, int32, float64, float64) { return 0, 1, 0, 0.5 },
		func() (int, int32, float64, float64) { return 0, 1, 0.3, 0.5 },
		func() (int, int32, float64, float64) { return 0, 1 + sweepsKept, 0.3, 0.5 }, // where the one before was
		func() (int, int32, float64, float64) { return 1, volume.Whole, 0.3, 0.5 },
		func() (int, int32, float64, float64) { return 0, volume.Whole, 0.3, 0.5 },
		func() (int, int32, float64, float64) { return 0, volume.Whole, 0.3, 0.25 },
	} {
		element, node, clearance, c := step()
		if c != r.w.at.C {
			r.w.place(c, 0, 1)
		}
		r.w.clearance = clearance
		sw := r.w.sweepOf(element, node)
		if want := fresh(element, node, clearance, c); *r.w.boxOf(sw) != want || sw.count != 0 || sw.tried != 0 {
			t.Errorf("element %d, node %d, clearance %g, c %g: box %v with %d planes, want %v with none", element, node, clearance, c, sw.box, sw.count, want)
		}
		r.w.plane(sw, ex)
		if again := r.w.sweepOf(element, node); again.count != 1 {
			t.Errorf("element %d, node %d: asked again, the half-spaces are gone", element, node)
		}
	}
}

// Which closed surface a point is in, against arithmetic: cubes in cubes, more of
// them than are kept track of one by one, and cubes beside each other.
func TestSolidsAroundAPoint(t *testing.T) {
	world := robots.World()
	const nested = 80
	for k := range nested {
		world.Objects = append(world.Objects, robots.Object(fmt.Sprint("nested", k), robots.Mesh(meshes.Of(meshes.Cube(0.01*float64(k+1)), meshes.At(geom.Vec{X: 9, Y: float64(k)}, meshes.Cube(0.001)))), robots.At(0, 0, 0)))
	}
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), world, 0, through(0, 1))
	w := r.model.World
	first := int(r.model.First)
	row := make([]int32, r.model.Real-first)
	cube := func(element int) int { // the cube's number
		var k int
		if _, err := fmt.Sscanf(r.model.Bodies[r.model.Elements[element].Body].Name, "nested%d", &k); err != nil {
			t.Fatal(err)
		}
		return k
	}
	d := newDice(35, 0)
	in, out := 0, 0
	for range rounds(3000) {
		x := d.Vec(0.9)
		if d.IntN(3) == 0 {
			x = d.Vec(d.Spread(1e-6, 0.1))
		}
		if d.IntN(4) == 0 { // on a face
			x.X = 0.01 * float64(1+d.IntN(nested))
		}
		size := math.Max(math.Abs(x.X), math.Max(math.Abs(x.Y), math.Abs(x.Z)))
		only := -1
		if d.IntN(2) == 0 {
			only = d.IntN(nested)
		}
		want := false
		for e := range row {
			row[e] = -1
			if k := cube(first + e); only < 0 || k == only {
				row[e] = 0
				want = want || size <= 0.01*float64(k+1)
			}
		}
		got, ok := w.SolidAround(x, row, new(model.Segments))
		if !ok {
			t.Fatalf("cannot tell of %v", x)
		}
		if want != (got >= 0) {
			t.Fatalf("%v (of %d only): element %d, want one: %v", x, only, got, want)
		}
		if got >= 0 && (size > 0.01*float64(cube(int(got))+1) || row[int(got)-first] < 0) {
			t.Fatalf("%v (of %d only) is not in cube %d", x, only, cube(int(got)))
		}
		if want {
			in++
		} else {
			out++
		}
	}
	if in < 200 || out < 200 {
		t.Errorf("%d in, %d out: one-sided", in, out)
	}
}

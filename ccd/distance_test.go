package ccd

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// room is a random robot among random objects, some of which it carries.
func (d dice) room(t *testing.T) *Checker {
	t.Helper()
	robot, world := d.robot(), worldOf()
	for k := range 2 + d.IntN(6) {
		o := object("o"+string(rune('a'+k)), d.shape(d.spread(0.05, 0.4)), d.Pose(1.2))
		if d.IntN(5) == 0 {
			o.AttachedTo = robot.Links[d.IntN(len(robot.Links))].Name
			o.PoseWS = d.Pose(0.2)
		}
		world.Objects = append(world.Objects, o)
	}
	c, err := New(robot, world, Options{Padding: []float64{0, 0.01}[d.IntN(2)]})
	if err != nil {
		return nil // a robot without a joint, say
	}
	return c
}

func (d dice) spread(lo, hi float64) float64 { return lo * math.Pow(hi/lo, d.Float64()) }

func (d dice) state(c *Checker) []float64 {
	q := make([]float64, len(c.ActiveJoints()))
	for i := range q {
		q[i] = d.In(-1.5, 1.5)
	}
	return q
}

func positionsOf(c *Checker, q []float64) map[string]float64 {
	at := map[string]float64{}
	for i, name := range c.ActiveJoints() {
		at[name] = q[i]
	}
	return at
}

// A tracker that comes from anywhere, over a world whose tree is searched, says what
// every pair measured for itself says.
func TestTrackerSaysWhatAllPairsSay(t *testing.T) {
	compared, touching, attached := 0, 0, 0
	for i := range long(60) {
		d := dice{chance.New(301, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		var trackers []*DistanceTracker
		queries := []motion.DistanceQuery{{}, {K: 2}, {K: 3, Relative: 0.1}, {Tolerance: 1e-3}, {K: 1, NoSelf: true}, {NoWorld: true}, {DistanceRanges: motion.DistanceRanges{Max: 0.2}}, {OnlyAttached: true, K: 2}}
		for _, q := range queries {
			g, err := c.DistanceTracker(q)
			if err != nil {
				t.Fatal(err)
			}
			trackers = append(trackers, g)
		}
		for range 4 {
			state := d.state(c)
			all, err := c.Distance(context.Background(), positionsOf(c, state), motion.DistanceQuery{K: -1})
			if err != nil {
				t.Fatal(err)
			}
			for k, g := range trackers {
				got, err := g.Distance(context.Background(), state)
				if err != nil {
					t.Fatal(err)
				}
				compared++
				if got.Self.Hi == 0 || got.World.Hi == 0 {
					touching++
				}
				if got.Attached.Hi < math.Inf(1) {
					attached++
				}
				holds(t, i, queries[k], got, &all)
			}
		}
	}
	t.Logf("%d compared, %d touching, %d with something attached", compared, touching, attached)
	if compared < 500 || touching < 50 || attached < 50 {
		t.Errorf("%d compared, %d touching, %d with something attached: too few", compared, touching, attached)
	}
}

// What is found of a pair bounds its class, although it is not among the closest: else the
// bounds of the class are farther apart than alpha, by what was found and not told.
func TestBoundsOfTheWorldAreWithinAlpha(t *testing.T) {
	d := dice{chance.New(311, 335)}
	c := d.room(t)
	got, err := c.Distance(context.Background(), positionsOf(c, d.state(c)), motion.DistanceQuery{K: 3, Relative: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if w := got.World; w.Hi-w.Lo > 0.1*w.Hi+1e-9 {
		t.Errorf("world within %v", w)
	}
}

// holds compares an answer with the exact distances of all pairs.
func holds(t *testing.T, room int, q motion.DistanceQuery, got, all *motion.Distances) {
	t.Helper()
	const eps = 2e-9
	far := q.Max
	if far == 0 {
		far = math.Inf(1)
	}
	var want []float64
	exact := map[motion.Pair]motion.Interval{}
	self, world, attached := math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range all.Pairs {
		p := &all.Pairs[i]
		exact[p.Pair] = p.Bounds
		ofWorld := p.Pair.A.Kind == motion.WorldObject || p.Pair.B.Kind == motion.WorldObject
		ofAttached := p.Pair.A.Kind == motion.AttachedObject || p.Pair.B.Kind == motion.AttachedObject
		if ofWorld && q.NoWorld || !ofWorld && q.NoSelf || q.OnlyAttached && !ofAttached {
			continue
		}
		if p.Distance <= far {
			want = append(want, p.Distance)
		}
		if ofWorld {
			world = math.Min(world, p.Distance)
		} else {
			self = math.Min(self, p.Distance)
		}
		if ofAttached {
			attached = math.Min(attached, p.Distance)
		}
	}
	slices.Sort(want)
	slack := func(x float64) float64 { return eps + q.Tolerance + q.Relative*x }
	if k := min(max(q.K, 1), len(want)); len(got.Pairs) != k {
		t.Errorf("room %d, %+v: %d pairs, want %d of %v", room, q, len(got.Pairs), k, want)
		return
	}
	for i := range got.Pairs {
		p := &got.Pairs[i]
		x := exact[p.Pair]
		if x.Hi < p.Bounds.Lo-eps || x.Lo > p.Bounds.Hi+eps || p.Bounds.Hi-p.Bounds.Lo > slack(p.Bounds.Hi) {
			t.Errorf("room %d, %+v: %v within %v, the pair alone %v", room, q, p.Pair, p.Bounds, x)
		}
		if p.Distance > want[i]+slack(p.Distance) && p.Distance > want[len(got.Pairs)-1]+slack(p.Distance) {
			t.Errorf("room %d, %+v: %v at %g, want one of %v", room, q, p.Pair, p.Distance, want)
		}
		if apart := geom.Norm(r3.Sub(p.PointB, p.PointA)); math.Abs(apart-p.Distance) > 1e-9 {
			t.Errorf("room %d, %+v: points %g apart stand for %g", room, q, apart, p.Distance)
		}
	}
	for _, c := range []struct {
		name string
		got  motion.Interval
		want float64
	}{{"self", got.Self, self}, {"world", got.World, world}, {"attached", got.Attached, attached}} {
		beyond := c.want > far && c.got.Lo >= far-eps && c.got.Lo <= c.want+eps
		if !beyond && (c.got.Lo > c.want+eps || c.got.Hi < c.want-eps || c.got.Hi-c.got.Lo > slack(c.got.Hi)) {
			t.Errorf("room %d, %+v: %s within %v, want %g", room, q, c.name, c.got, c.want)
		}
	}
}

// Padding takes its breadth from every distance, on both sides of a pair of links.
func TestDistanceWithPadding(t *testing.T) {
	const padding = 0.015
	compared, touching := 0, 0
	for i := range long(40) {
		d := dice{chance.New(302, uint64(i))}
		robot, world := d.robot(), d.world()
		bare, err := New(robot, world, Options{})
		if err != nil {
			continue
		}
		padded, err := New(robot, world, Options{Padding: padding})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			at := positionsOf(bare, d.state(bare))
			without, err := bare.Distance(context.Background(), at, motion.DistanceQuery{K: -1})
			if err != nil {
				t.Fatal(err)
			}
			with, err := padded.Distance(context.Background(), at, motion.DistanceQuery{K: -1})
			if err != nil {
				t.Fatal(err)
			}
			exact := map[motion.Pair]float64{}
			for k := range without.Pairs {
				exact[without.Pairs[k].Pair] = without.Pairs[k].Distance
			}
			closest, err := padded.Distance(context.Background(), at, motion.DistanceQuery{K: 1, NoSelf: true}) // by the world's tree
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range append(with.Pairs, closest.Pairs...) {
				want := exact[p.Pair] - 2*padding
				if p.Pair.World() {
					want += padding
				}
				compared++
				if want <= 0 {
					touching++
				}
				if want = math.Max(0, want); p.Bounds.Lo > want+1e-9 || p.Bounds.Hi < want-1e-9 {
					t.Errorf("room %d: %v within %v, want %g", i, p.Pair, p.Bounds, want)
				}
			}
		}
	}
	if compared < 500 || touching < 50 {
		t.Errorf("%d compared, %d touching", compared, touching)
	}
}

// What is inside two closed meshes at once is inside both, for whoever asks for two.
func TestDistanceInsideSeveralSolids(t *testing.T) {
	far := geom.Translation(geom.Vec{X: 20})
	arm := geom.Translation(geom.Vec{X: -3, Y: -0.5}) // along x, neither mesh is convex
	world := worldOf(object("inner", scaled(lMesh(), 5), arm), object("outer", scaled(lMesh(), 6), arm),
		object("elsewhere", box(1, 1, 1), far), object("there", box(1, 1, 1), geom.Translation(geom.Vec{X: 30})))
	for name, s := range map[string]*shape.Shape{"a ball": ball(0.1), "a mesh": scaled(lMesh(), 0.02), "a hull": scaled(boxMesh(1, 0), 0.1)} {
		robot := chainOf(chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: s, at: geom.IdentityPose()})
		d, err := newChecker(t, robot, world).Distance(context.Background(), map[string]float64{"slide": 0.3}, motion.DistanceQuery{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Pairs) != 2 || d.Pairs[0].Distance != 0 || d.Pairs[1].Distance != 0 || d.World != (motion.Interval{}) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// Points of the world that a link's closed mesh surrounds, farther from its surface than
// they are large, touch it.
func TestDistanceOfPointsInsideALink(t *testing.T) {
	arm := geom.Translation(geom.Vec{X: -3, Y: -0.5}) // along x, not convex
	robot := chainOf(chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: scaled(lMesh(), 5), at: arm})
	for name, c := range map[string]struct {
		points []geom.Vec
		touch  bool
	}{
		"inside":              {[]geom.Vec{{X: 0.3}}, true},
		"one of them inside":  {[]geom.Vec{{X: 20}, {X: 0.3}, {Z: 30}}, true},
		"in none of its arms": {[]geom.Vec{{X: 20}, {Z: 30}}, false},
	} {
		cloud := &shape.Shape{Kind: shape.Points, Radius: 0.01, Points: c.points}
		d, err := newChecker(t, robot, worldOf(object("cloud", cloud, geom.IdentityPose()))).Distance(context.Background(), map[string]float64{"slide": 0}, motion.DistanceQuery{K: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Pairs) != 1 || (d.Pairs[0].Distance == 0) != c.touch || (d.World.Lo == 0) != c.touch {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// A link inside another one touches it, whichever of the two encloses which.
func TestDistanceOfLinksInside(t *testing.T) {
	shell, kernel := boxMesh(1, 0.8), scaled(lMesh(), 0.05)
	hollow, full := boxMesh(1, 0.8), boxMesh(1, 0)
	for _, c := range []struct {
		name         string
		outer, inner *shape.Shape
		touch        bool
	}{
		{"a mesh in a mesh", full, kernel, true},
		{"a ball in a mesh", full, ball(0.1), true},
		{"a mesh in a box", box(2, 2, 2), kernel, true},
		{"a mesh in a shell's wall", shell, scaled(lMesh(), 0.01), true},
		{"a mesh in a cavity", hollow, kernel, true}, // a solid is all that its closed surfaces have inside
	} {
		for _, swapped := range []bool{false, true} {
			a, b := c.outer, c.inner
			if swapped {
				a, b = b, a
			}
			robot := chainOf(
				chainJoint{name: "one", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: a, at: geom.IdentityPose()},
				chainJoint{name: "two", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: b, at: geom.IdentityPose()},
			)
			robot.Semantic = &urdf.Semantic{}
			checker := newChecker(t, robot, nil)
			at := 0.03
			if c.name == "a mesh in a shell's wall" {
				at = 0.88
			}
			if swapped {
				at = -at
			}
			for x, touch := range map[float64]bool{at: c.touch, 5: false} {
				d, err := checker.Distance(context.Background(), map[string]float64{"one": 0, "two": x}, motion.DistanceQuery{})
				if err != nil {
					t.Fatal(err)
				}
				if got := d.Self.Hi == 0; got != touch || got != (d.Self.Lo == 0) {
					t.Errorf("%s, swapped %v, at %g: %v, want touching %v", c.name, swapped, x, d.Self, touch)
				}
			}
		}
	}
}

// channel is a prism along z whose cross section is a U: wide in x, with a slot from
// above that is slot wide and ends at height floor above the centre.
func channel(half, slot, floor float64) *shape.Shape {
	outline := []geom.Vec{
		{X: -half, Y: -half},
		{X: half, Y: -half},
		{X: half, Y: half},
		{X: slot / 2, Y: half},
		{X: slot / 2, Y: floor},
		{X: -slot / 2, Y: floor},
		{X: -slot / 2, Y: half},
		{X: -half, Y: half},
	}
	n := int32(len(outline))
	var vertices []geom.Vec
	for _, z := range []float64{-half, half} {
		for _, v := range outline {
			vertices = append(vertices, geom.Vec{X: v.X, Y: v.Y, Z: z})
		}
	}
	var triangles [][3]int32
	for _, t := range [][3]int32{{0, 1, 4}, {0, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}} {
		triangles = append(triangles, [3]int32{t[0], t[2], t[1]}, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
	for i := range n {
		j := (i + 1) % n
		triangles = append(triangles, [3]int32{i, j, j + n}, [3]int32{i, j + n, i + n})
	}
	return meshOf(triangles, vertices...)
}

// A channel lies in the walls of another one: their surfaces are apart everywhere,
// and the hull of either meets the other's surface. The inner one is inside.
func TestDistanceInsideWhereHullsMeet(t *testing.T) {
	outer, inner := channel(5, 2, 0), channel(4, 4, -1)
	for name, shapes := range map[string][2]*shape.Shape{"link inside": {inner, outer}, "link around": {outer, inner}} {
		slide := chainJoint{name: "slide", kind: urdf.Prismatic, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: shapes[0], at: geom.IdentityPose()}
		checker := newChecker(t, chainOf(slide), worldOf(object("body", shapes[1], geom.IdentityPose())))
		for z, touch := range map[float64]bool{0: true, 0.3: true, 20: false} {
			d, err := checker.Distance(context.Background(), map[string]float64{"slide": z}, motion.DistanceQuery{})
			if err != nil {
				t.Fatal(err)
			}
			if (d.World.Hi == 0) != touch || (d.World.Lo == 0) != touch {
				t.Errorf("%s, world, at %g: %v, want touching %v", name, z, d.World, touch)
			}
		}
		slide.shape = shapes[1]
		fixed := chainJoint{name: "base", kind: urdf.Prismatic, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: shapes[0], at: geom.IdentityPose()}
		robot := chainOf(fixed, slide)
		robot.Semantic = &urdf.Semantic{}
		both := newChecker(t, robot, nil)
		for z, touch := range map[float64]bool{0.3: true, 20: false} {
			d, err := both.Distance(context.Background(), map[string]float64{"base": 0, "slide": z}, motion.DistanceQuery{})
			if err != nil {
				t.Fatal(err)
			}
			if (d.Self.Hi == 0) != touch || (d.Self.Lo == 0) != touch {
				t.Errorf("%s, links, at %g: %v, want touching %v", name, z, d.Self, touch)
			}
		}
	}
}

// twoBalls is a robot with two balls of radius 0.1 on one rail each, left along y
// and right along -y, and a post.
func twoBalls() (*urdf.Robot, *scene.Snapshot) {
	robot := chainOf(
		chainJoint{name: "left", kind: urdf.Prismatic, axis: geom.Vec{Y: 1}, origin: geom.Translation(geom.Vec{Y: 1}), shape: ball(0.1), at: geom.IdentityPose()},
		chainJoint{name: "right", kind: urdf.Prismatic, axis: geom.Vec{Y: 1}, origin: geom.Translation(geom.Vec{Y: -2}), shape: ball(0.1), at: geom.IdentityPose()},
	)
	robot.Semantic = &urdf.Semantic{Groups: []urdf.Group{
		{Name: "one", Joints: []string{"left"}, Links: []string{robot.Links[1].Name}},
		{Name: "other", Joints: []string{"right"}, Links: []string{robot.Links[2].Name}},
	}}
	post := object("post", box(0.2, 0.2, 0.2), geom.Translation(geom.Vec{X: 1, Y: 1}))
	held := object("held", ball(0.05), geom.Translation(geom.Vec{Z: 0.5}))
	held.AttachedTo = robot.Links[1].Name
	return robot, worldOf(post, held)
}

func TestDistanceRanges(t *testing.T) {
	robot, world := twoBalls()
	c := newChecker(t, robot, world)
	left, right := robot.Links[1].Name, robot.Links[2].Name
	// left at (0, 1), right at (0, -1), post's side at x = 0.9, what is held at (0, 1, 0.5).
	heldToPost := math.Hypot(0.9, 0.4) - 0.05
	for _, test := range []struct {
		name                  string
		q                     motion.DistanceQuery
		pairs                 int
		self, world, attached motion.Interval
		stopped               bool
		first                 string
	}{
		{
			name: "all", q: motion.DistanceQuery{K: -1}, pairs: 5,
			self: motion.Interval{Lo: 1.8, Hi: 1.8}, world: motion.Interval{Lo: 0.8, Hi: 0.8}, attached: motion.Interval{Lo: heldToPost, Hi: heldToPost},
		},
		{
			name: "up to 1 m", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Max: 1}}, pairs: 2,
			self: motion.Interval{Lo: 1, Hi: math.Inf(1)}, world: motion.Interval{Lo: 0.8, Hi: 0.8}, attached: motion.Interval{Lo: heldToPost, Hi: heldToPost},
		},
		{
			name: "the world up to 0.5 m", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{WorldRange: &motion.DistanceRange{Max: 0.5}}}, pairs: 2,
			self: motion.Interval{Lo: 1.8, Hi: 1.8}, world: motion.Interval{Lo: 0.5, Hi: math.Inf(1)},
		},
		{
			name: "what is held up to 0.5 m", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{AttachedRange: &motion.DistanceRange{Max: 0.5}}}, pairs: 3,
			self: motion.Interval{Lo: 1.8, Hi: 1.8}, world: motion.Interval{Lo: 0.5, Hi: 0.8}, attached: motion.Interval{Lo: 0.5, Hi: math.Inf(1)},
		},
		{
			name: "one pair up to 0.5 m", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "post", B: left, DistanceRange: motion.DistanceRange{Max: 0.5}}}}}, pairs: 4,
			self: motion.Interval{Lo: 1.8, Hi: 1.8}, world: motion.Interval{Lo: 0.5, Hi: heldToPost}, attached: motion.Interval{Lo: heldToPost, Hi: heldToPost},
		},
		{name: "stops at once", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Min: 5}}, stopped: true, pairs: 1},
		{name: "stops at the pair that is too close", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: right, B: left, DistanceRange: motion.DistanceRange{Min: 1.9}}}}}, stopped: true, pairs: 1, first: right},
		{
			name: "does not stop short of the margin", q: motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{SelfRange: &motion.DistanceRange{Min: 1.79}}}, pairs: 5,
			self: motion.Interval{Lo: 1.8, Hi: 1.8}, world: motion.Interval{Lo: 0.8, Hi: 0.8}, attached: motion.Interval{Lo: heldToPost, Hi: heldToPost},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := c.Distance(context.Background(), map[string]float64{"left": 0, "right": 0}, test.q)
			if err != nil {
				t.Fatal(err)
			}
			if d.Stopped != test.stopped || len(d.Pairs) != test.pairs {
				t.Fatalf("stopped %v, %d pairs: %+v", d.Stopped, len(d.Pairs), d)
			}
			if test.stopped {
				p := &d.Pairs[0]
				if test.first != "" && p.Pair.A.Name != test.first && p.Pair.B.Name != test.first {
					t.Errorf("stopped at %v", p.Pair)
				}
				for _, c := range []motion.Interval{d.Self, d.World, d.Attached} {
					if c.Lo > 1.8 {
						t.Errorf("nothing is that far: %v", d)
					}
				}
				return
			}
			truth := [3]float64{1.8, 0.8, heldToPost}
			for i, x := range [][2]motion.Interval{{d.Self, test.self}, {d.World, test.world}, {d.Attached, test.attached}} {
				if x[1] == (motion.Interval{}) {
					continue
				}
				low := x[0].Lo >= x[1].Lo-1e-9 && x[0].Lo <= truth[i]+1e-9 // at least as asked for, and true
				if !low || x[0].Hi != x[1].Hi && math.Abs(x[0].Hi-x[1].Hi) > 1e-9 {
					t.Errorf("within %v, want %v", x[0], x[1])
				}
			}
		})
	}
}

func TestDistanceOfGroups(t *testing.T) {
	robot, world := twoBalls()
	c := newChecker(t, robot, world)
	ask := func(group string) motion.Distances {
		t.Helper()
		d, err := c.Distance(context.Background(), map[string]float64{"left": 0, "right": 0}, motion.DistanceQuery{K: -1, Group: group})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if one := ask("one"); len(one.Pairs) != 5 || math.Abs(one.World.Hi-0.8) > 1e-9 {
		t.Errorf("one: %+v", one) // left, held or right, which left moves, against post; left and held against right
	}
	if other := ask("other"); len(other.Pairs) != 3 || math.Abs(other.World.Hi-(math.Hypot(0.9, 1.9)-0.1)) > 1e-9 {
		t.Errorf("other: %+v", other)
	}
	for q, want := range map[*motion.DistanceQuery]string{
		{Group: "three"}: "no group three",
		{DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "nobody", B: "post"}}}}:                                                    "named nobody",
		{DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "post", B: "post"}}}}:                                                      "two bodies",
		{DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "post", B: "held"}, {A: "held", B: "post"}}}}:                              "one range",
		{DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "post", B: "held", DistanceRange: motion.DistanceRange{Min: 2, Max: 1}}}}}: "range 2 m to 1 m",
		{DistanceRanges: motion.DistanceRanges{SelfRange: &motion.DistanceRange{Min: math.NaN()}}}:                                                       "range NaN",
		{DistanceRanges: motion.DistanceRanges{Min: 2, Max: 1}}:                                                                                          "range 2 m to 1 m",
	} {
		if _, err := c.Distance(context.Background(), nil, *q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
		if _, err := c.DistanceTracker(*q); err == nil {
			t.Errorf("a tracker for %+v", q)
		}
	}
}

func TestWitnessesOnTheirLinks(t *testing.T) {
	robot, world := twoBalls()
	robot.Joints[0].PosePC = geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, 1), P: geom.Vec{X: 0.3}}
	c := newChecker(t, robot, world)
	d, err := c.Distance(context.Background(), map[string]float64{"left": 0.7, "right": 0}, motion.DistanceQuery{K: -1})
	if err != nil {
		t.Fatal(err)
	}
	at := robot.Joints[0].PosePC.Mul(geom.Translation(geom.Vec{Y: 0.7}))
	checked := 0
	for i := range d.Pairs {
		p := &d.Pairs[i]
		for _, x := range []struct {
			body           motion.Body
			inW, onLink, n geom.Vec
		}{{p.Pair.A, p.PointA, p.OnA, p.Normal}, {p.Pair.B, p.PointB, p.OnB, r3.Scale(-1, p.Normal)}} {
			want := x.inW
			switch x.body.Name {
			case "held", robot.Links[1].Name:
				want = at.ApplyInv(x.inW)
				checked++
			case "post":
			default:
				continue
			}
			if geom.Norm(r3.Sub(want, x.onLink)) > 1e-12 {
				t.Errorf("%v: %v on its link, want %v", x.body, x.onLink, want)
			}
		}
	}
	if checked < 4 {
		t.Errorf("%d checked", checked)
	}
}

// A tracker that has grown allocates nothing.
func TestTrackerAllocatesNothing(t *testing.T) {
	c := newChecker(t, humanoidRobot(t), worldOf(object("post", scaled(lMesh(), 0.3), pose(0.8, 0, 1)), object("table", box(1, 1, 0.1), pose(0.6, 0, 0.5))))
	for _, q := range []motion.DistanceQuery{{}, {K: 5}, {K: -1, Relative: 0.01}} {
		g, err := c.DistanceTracker(q)
		if err != nil {
			t.Fatal(err)
		}
		d := dice{chance.New(17, 1)}
		states := make([][]float64, 20)
		for i := range states {
			states[i] = d.state(c)
		}
		i := 0
		step := func() {
			if _, err := g.Distance(context.Background(), states[i%len(states)]); err != nil {
				t.Fatal(err)
			}
			i++
		}
		for range 2 * len(states) {
			step()
		}
		if n := testing.AllocsPerRun(3*len(states), step); n > 0 {
			t.Errorf("%+v: %g allocations a query", q, n)
		}
	}
}

func TestTrackerRefusesNonsense(t *testing.T) {
	robot, world := twoBalls()
	c := newChecker(t, robot, world)
	g, err := c.DistanceTracker(motion.DistanceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range [][]float64{{0, math.NaN()}, {math.Inf(1), 0}, {0}, {0, 0, 0}, nil} {
		if d, err := g.Distance(context.Background(), q); err == nil {
			t.Errorf("%v: %+v", q, d)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if d, err := g.Distance(gone, []float64{0, 0}); err == nil {
		t.Errorf("cancelled: %+v", d)
	}
	// What failed leaves nothing behind.
	if d, err := g.Distance(context.Background(), []float64{0, 0}); err != nil || math.Abs(d.World.Hi-0.8) > 1e-9 {
		t.Errorf("%+v, %v", d, err)
	}
}

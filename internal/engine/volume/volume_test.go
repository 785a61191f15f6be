package volume_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The judge takes shapes apart by itself, from the numbers of the scene: each piece is
// some points, or a round core, and a radius around it.

// piece is a triangle, a ball, a box or a round primitive, in the shape's frame.
type piece struct {
	points []geom.Vec // the hull of these,
	round  *shape.Shape
	radius float64 // grown by this
}

// highest is the largest n.x over a piece.
func (p *piece) highest(n geom.Vec) float64 {
	top := math.Inf(-1)
	for _, x := range p.points {
		top = math.Max(top, r3.Dot(n, x))
	}
	if s := p.round; s != nil {
		rim := s.Radius*math.Hypot(n.X, n.Y) + math.Abs(n.Z)*s.Length/2
		if s.Kind == shape.Cone {
			rim = math.Max(n.Z*s.Length/2, s.Radius*math.Hypot(n.X, n.Y)-n.Z*s.Length/2)
		}
		top = math.Max(top, rim)
	}
	return top + p.radius*geom.Norm(n)
}

// farthest is the largest distance of a piece's points from c.
func (p *piece) farthest(c geom.Vec) float64 {
	most := 0.0
	for _, x := range p.points {
		most = math.Max(most, geom.Norm(r3.Sub(x, c)))
	}
	if s := p.round; s != nil {
		for k := range 64 {
			y, x := math.Sincos(2 * math.Pi * float64(k) / 64)
			for _, z := range []float64{-s.Length / 2, s.Length / 2} {
				v := geom.Vec{X: s.Radius * x, Y: s.Radius * y, Z: z}
				if s.Kind == shape.Cone && z > 0 {
					v.X, v.Y = 0, 0
				}
				most = math.Max(most, geom.Norm(r3.Sub(v, c)))
			}
		}
	}
	return most + p.radius
}

func boxCorners(b geom.Box) []geom.Vec {
	var out []geom.Vec
	for k := range 8 {
		pick := func(bit int, lo, hi float64) float64 { return [2]float64{lo, hi}[k>>bit&1] }
		out = append(out, geom.Vec{X: pick(0, b.Min.X, b.Max.X), Y: pick(1, b.Min.Y, b.Max.Y), Z: pick(2, b.Min.Z, b.Max.Z)})
	}
	return out
}

// piecesOf takes a shape apart.
func piecesOf(s *shape.Shape, padding float64) (out []piece) {
	switch s.Kind {
	case shape.Sphere:
		return []piece{{points: []geom.Vec{{}}, radius: s.Radius + padding}}
	case shape.Capsule:
		return []piece{{points: []geom.Vec{{Z: -s.Length / 2}, {Z: s.Length / 2}}, radius: s.Radius + padding}}
	case shape.Box:
		half := r3.Scale(0.5, s.Size)
		return []piece{{points: boxCorners(geom.Box{Min: r3.Scale(-1, half), Max: half}), radius: padding}}
	case shape.Mesh:
		for _, t := range s.Mesh.Triangles {
			v := s.Mesh.Vertices
			out = append(out, piece{points: []geom.Vec{v[t[0]], v[t[1]], v[t[2]]}, radius: padding})
		}
		return out
	case shape.Points:
		for _, p := range s.Points {
			out = append(out, piece{points: []geom.Vec{p}, radius: s.Radius + padding})
		}
		return out
	case shape.Cells:
		for _, c := range s.Cells {
			out = append(out, piece{points: boxCorners(c), radius: padding})
		}
		return out
	}
	return []piece{{round: s, radius: padding}}
}

// highest is the largest n.x over pieces.
func highest(ps []piece, n geom.Vec) float64 {
	top := math.Inf(-1)
	for i := range ps {
		top = math.Max(top, ps[i].highest(n))
	}
	return top
}

// subject is one object of a random world, and the element that the model made of it.
type subject struct {
	o      *scene.Object
	e      *model.Element
	pieces []piece
}

// under are the pieces under a node.
func (s *subject) under(node int32) []piece {
	if node == volume.Whole {
		return s.pieces
	}
	n := &s.e.Leaves.Tree.Nodes[node]
	var out []piece
	for _, k := range s.e.Leaves.Tree.Order[n.First : n.First+n.Count] {
		out = append(out, s.pieces[k])
	}
	return out
}

func (s *subject) nodes() []int32 {
	out := []int32{volume.Whole}
	if !s.e.Exact {
		for k := range s.e.Leaves.Tree.Nodes {
			out = append(out, int32(k))
		}
	}
	return out
}

// compiled is a model of a world and its objects.
func compiled(t testing.TB, w *scene.Snapshot) (*model.Model, []subject) {
	t.Helper()
	slide := robots.Hinge{Kind: urdf.Prismatic, Axis: geom.Vec{X: 1}, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))}
	m, err := model.New(robots.Of(nil, slide), w, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(_, _ *model.Body) string { return "" })
	var out []subject
	for i := range m.Real {
		e := &m.Elements[i]
		if k := slices.IndexFunc(w.Objects, func(o scene.Object) bool { return o.ID == m.Bodies[e.Body].Name }); k >= 0 {
			o := &w.Objects[k]
			out = append(out, subject{o, e, piecesOf(o.Shape, o.Padding)})
		}
	}
	if len(out) != len(w.Objects) {
		t.Fatalf("%d elements of %d objects", len(out), len(w.Objects))
	}
	return m, out
}

// subjects calls f with each object of random worlds of all forms; some are large enough
// for hierarchies of many levels.
func subjects(t *testing.T, seed uint64, worlds int, f func(d robots.Dice, m *model.Model, s *subject)) {
	t.Helper()
	for i := range switches.Long.Times(worlds, 20) {
		d := robots.NewDice(seed, uint64(i))
		forms := slices.Concat(robots.All, []robots.Form{robots.Cube, robots.Cubes, robots.Wedges, robots.Shards, robots.Slivers, robots.Dust, robots.Cell})
		w := d.World(robots.Scenery{Objects: 6, Size: d.Spread(1e-2, 1), Reach: d.Spread(1e-2, 10), Forms: forms, Padded: true})
		for _, n := range []int{15, 16, 17, 18, 60} {
			w.Objects = append(w.Objects, robots.Object("soup"+string(rune('a'+n)), robots.Mesh(meshes.Soup(d.Dice, n, 0.3)), d.Pose(2)))
		}
		many := make([]geom.Vec, 40)
		for k := range many {
			many[k] = d.Vec(1)
		}
		cloud := robots.Object("many", robots.Points(0.01, many...), d.Pose(1))
		cloud.Padding = 0.02
		w.Objects = append(w.Objects, cloud)
		m, all := compiled(t, w)
		for k := range all {
			f(d, m, &all[k])
		}
		if t.Failed() {
			t.Fatalf("world %d", i)
		}
	}
}

// rounding allows for the last digits of lengths of this size.
func rounding(s *subject) float64 { return 1e-13 * (1 + s.e.Radius + geom.Norm(s.e.Center)) }

// The ball of a node holds each piece under it, and none is much too large.
func TestBallsHoldTheirPieces(t *testing.T) {
	subjects(t, 1, 40, func(_ robots.Dice, _ *model.Model, s *subject) {
		for _, node := range s.nodes() {
			center, radius := volume.Ball(s.e, node)
			most := 0.0
			under := s.under(node)
			for i := range under {
				most = math.Max(most, under[i].farthest(center))
			}
			if most > radius+rounding(s) {
				t.Errorf("%v, node %d: a point is %g from the centre, the radius is %g", s.o.Shape.Kind, node, most, radius)
			}
			loose := 1.5
			if node == volume.Whole {
				loose = 8 // it holds the centres of the nodes' balls, too
			}
			if radius > loose*most+rounding(s) {
				t.Errorf("%v, node %d: the radius is %g, the farthest point at %g", s.o.Shape.Kind, node, radius, most)
			}
		}
	})
}

// directions are random ones and the axes of the shape.
func directions(d robots.Dice) []geom.Vec {
	out := []geom.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}, r3.Scale(3, d.Unit())}
	for range 3 {
		out = append(out, d.Unit())
	}
	return out
}

// The core of a node holds each piece under it; it is the hull of few triangles, the box
// of many, and the piece itself where there is one. Support says the same without it.
func TestCoresHoldTheirPieces(t *testing.T) {
	hulls, boxes := 0, 0
	subjects(t, 2, 40, func(d robots.Dice, _ *model.Model, s *subject) {
		var scratch volume.Scratch
		for _, node := range s.nodes() {
			under := s.under(node)
			core := volume.Core(s.e, node, &scratch)
			inner := node != volume.Whole && len(under) > 1
			few := inner && s.o.Shape.Kind == shape.Mesh && len(under) <= 16
			switch {
			case few && core.Kind != convex.Hull, inner && !few && core.Kind != convex.Box:
				t.Errorf("%v, node %d: a core of kind %d around %d pieces", s.o.Shape.Kind, node, core.Kind, len(under))
			case few:
				hulls++
			case inner:
				boxes++
			}
			for k, n := range directions(d) {
				length := geom.Norm(n)
				value, radius := volume.Support(s.e, node, n)
				top := core.SupportValue(n) + core.Radius*length
				if math.Abs(value+radius*length-top) > rounding(s)*length {
					t.Errorf("%v, node %d: the support is %g, that of its core %g", s.o.Shape.Kind, node, value+radius*length, top)
				}
				want := highest(under, n)
				// A box is as high as what is in it along its axes.
				boxed := inner && !few || node == volume.Whole && s.o.Shape.Kind == shape.Cells
				exact, loose := !boxed || k < 6, rounding(s)
				if node == volume.Whole && !s.e.Exact {
					loose += 1e-4 // of a hull of slivers
				}
				if top < want-rounding(s)*length || exact && top > want+loose*length {
					t.Errorf("%v, node %d, %v: the core is %g high, its %d pieces %g", s.o.Shape.Kind, node, n, top, len(under), want)
				}
			}
			// A hull's vertices may be some of the mesh's, moved by rounding.
			if grown := core.Radius - under[0].radius; grown < 0 || grown > rounding(s) {
				t.Errorf("%v, node %d: a radius of %g, want %g", s.o.Shape.Kind, node, core.Radius, under[0].radius)
			}
		}
		if got, want := volume.Radius(s.e), s.pieces[0].radius; math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: grown by %g, want %g", s.o.Shape.Kind, got, want)
		}
	})
	if hulls < 100 || boxes < 100 {
		t.Errorf("%d hulls, %d boxes", hulls, boxes)
	}
}

// The tight core of a node of 17 to 512 triangles is their hull, any other's its core; the tight support is
// of the same.
func TestTightCoresHoldTheirPieces(t *testing.T) {
	clusters := 0
	subjects(t, 4, 20, func(d robots.Dice, _ *model.Model, s *subject) {
		if s.o.ID == "many" { // a mesh large enough for nodes that have no cluster
			_, all := compiled(t, &scene.Snapshot{Objects: []scene.Object{robots.Object("soup", robots.Mesh(meshes.Soup(d.Dice, 1200, 0.3)), d.Pose(2))}})
			s = &all[0]
		}
		var a, b volume.Scratch
		for _, node := range s.nodes() {
			under := s.under(node)
			core, tight := volume.Core(s.e, node, &a), volume.Tight(s.e, node, &b)
			clustered := node != volume.Whole && s.o.Shape.Kind == shape.Mesh && len(under) > 16 && len(under) <= 512
			if clustered {
				clusters++
			}
			for _, n := range directions(d) {
				length := geom.Norm(n)
				top := tight.SupportValue(n) + tight.Radius*length
				want := core.SupportValue(n) + core.Radius*length
				if clustered {
					want = highest(under, n)
				}
				if math.Abs(top-want) > rounding(s)*length {
					t.Errorf("%v, node %d of %d pieces, %v: the core is %g high, want %g", s.o.Shape.Kind, node, len(under), n, top, want)
				}
				h, radius := volume.TightSupport(s.e, node, n)
				if top = h + radius*length; math.Abs(top-want) > rounding(s)*length {
					t.Errorf("%v, node %d of %d pieces, %v: the tight support is %g, want %g", s.o.Shape.Kind, node, len(under), n, top, want)
				}
			}
		}
	})
	if clusters < 100 {
		t.Errorf("%d clusters", clusters)
	}
}

// A node opens into nodes that hold the same pieces; what does not open is the shape.
func TestNodesOpenIntoTheirPieces(t *testing.T) {
	if volume.Whole >= 0 {
		t.Errorf("the whole, %d, is taken for a node", volume.Whole)
	}
	subjects(t, 3, 20, func(_ robots.Dice, _ *model.Model, s *subject) {
		if got, want := volume.IsMesh(s.e), s.o.Shape.Kind == shape.Mesh && !s.e.Exact; got != want {
			t.Errorf("%v: said to be a mesh: %v", s.o.Shape.Kind, got)
		}
		for _, node := range s.nodes() {
			opens := volume.CanOpen(s.e, node)
			if opens == volume.IsShape(s.e, node) {
				t.Errorf("%v, node %d opens: %v, and is the shape, too", s.o.Shape.Kind, node, opens)
			}
			if node == volume.Whole {
				if opens == s.e.Exact {
					t.Errorf("%v: exact and opens: %v", s.o.Shape.Kind, opens)
				}
				continue
			}
			n := s.e.Leaves.Tree.Nodes[node]
			if opens != (n.Count > 1) {
				t.Errorf("%v, node %d opens: %v, with %d pieces", s.o.Shape.Kind, node, opens, n.Count)
			}
			if !opens && volume.IsMesh(s.e) {
				corners := volume.Triangle(s.e.Leaves, node)
				if want := s.under(node)[0].points; !slices.Equal(corners[:], want) {
					t.Errorf("node %d: triangle %v, want %v", node, corners, want)
				}
			}
		}
	})
}

// A rough piece has no point that the core does not have; only the hull that stands
// before a hierarchy has one of its own.
func TestRoughPiecesAreInTheCore(t *testing.T) {
	subjects(t, 4, 20, func(d robots.Dice, _ *model.Model, s *subject) {
		var scratch volume.Scratch
		for _, node := range s.nodes() {
			core := volume.Core(s.e, node, &scratch)
			rough := volume.Rough(s.e, node, core)
			if own := node == volume.Whole && !s.e.Exact; own != (rough == &s.e.Rough) || !own && rough != core {
				t.Errorf("%v, node %d: the rough piece is another", s.o.Shape.Kind, node)
			}
			for _, n := range directions(d) {
				if over := rough.SupportValue(n) - core.SupportValue(n); over > rounding(s)*geom.Norm(n) {
					t.Errorf("%v, node %d: rough by %g too high", s.o.Shape.Kind, node, over)
				}
			}
		}
	})
}

// The one that can be opened is; points before meshes, as containment is asked of single
// points; else the larger one.
func TestWhichNodeOpens(t *testing.T) {
	soup := func(size float64) *shape.Shape {
		return robots.Mesh(meshes.Soup(robots.NewDice(5, 1).Dice, 40, size))
	}
	dust := func(size float64) *shape.Shape {
		return robots.Points(0.001, geom.Vec{X: size}, geom.Vec{X: -size}, geom.Vec{Y: size}, geom.Vec{Z: size})
	}
	at := robots.At(0, 0, 0)
	_, s := compiled(t, robots.World(
		robots.Object("small", soup(0.1), at), robots.Object("large", soup(1), at), robots.Object("dust", dust(0.1), at),
		robots.Object("more dust", dust(1), at), robots.Object("ball", robots.Ball(5), at)))
	whole := volume.Whole
	leaf := func(e *model.Element) int32 {
		for k := range e.Leaves.Tree.Nodes {
			if e.Leaves.Tree.Nodes[k].Left < 0 {
				return int32(k)
			}
		}
		panic("no leaf")
	}
	small, large, few, more, ball := s[0].e, s[1].e, s[2].e, s[3].e, s[4].e
	for i, c := range []struct {
		a, b       *model.Element
		na, nb     int32
		wantA, any bool
	}{
		{a: small, b: ball, na: whole, nb: whole, wantA: true}, // the ball is larger, and a ball
		{a: ball, b: small, na: whole, nb: whole},
		{a: small, b: large, na: whole, nb: whole},
		{a: large, b: small, na: whole, nb: whole, wantA: true},
		{a: large, b: small, na: leaf(large), nb: whole}, // only one of them opens
		{a: small, b: large, na: whole, nb: leaf(large), wantA: true},
		{a: few, b: large, na: whole, nb: whole, wantA: true}, // points, however small
		{a: large, b: few, na: whole, nb: whole},
		{a: large, b: few, na: whole, nb: leaf(few), wantA: true},
		{a: few, b: more, na: whole, nb: whole},
		{a: more, b: few, na: whole, nb: whole, wantA: true},
		{a: more, b: more, na: whole, nb: whole, wantA: true}, // of two alike the first
	} {
		if got := volume.OpensA(c.a, c.na, c.b, c.nb); got != c.wantA {
			t.Errorf("case %d: opens the first: %v", i, got)
		}
	}
}

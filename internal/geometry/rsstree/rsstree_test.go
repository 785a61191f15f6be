package rsstree

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

type dice struct{ chance.Dice }

func newDice(seed uint64) dice { return dice{chance.New(seed, 5)} }

func (d dice) pose(reach float64) geom.Pose {
	axis, _ := geom.Unit(d.Vec(1))
	return geom.Pose{R: geom.AxisAngle(axis, d.In(-3, 3)), P: d.Vec(reach)}
}

// rss is a rectangle of random shape: square, long, a segment, a point.
func (d dice) rss() RSS {
	pose := d.pose(1)
	side := func() float64 { return [...]float64{0, 0.01, 0.3, 1}[d.IntN(4)] * d.In(0.5, 1) }
	return RSS{Center: pose.P, U: pose.R.Apply(geom.Vec{X: side()}), V: pose.R.Apply(geom.Vec{Y: side()}), Radius: d.In(0, 0.2)}
}

func nodeTree(r RSS) *Tree {
	n := Node{RSS: r, Left: -1, Count: 1}
	n.finish()
	return &Tree{Nodes: []Node{n}, Order: []int32{0}, extent: n.Extent()}
}

// asBox is the same rectangle for the search of package convex.
func asBox(r *RSS) convex.Core {
	var vs []geom.Vec
	for k := range 4 {
		s, t := float64(2*(k&1)-1), float64(k&2)-1
		vs = append(vs, r3.Add(r.Center, r3.Add(r3.Scale(s, r.U), r3.Scale(t, r.V))))
	}
	return convex.Core{Kind: convex.Hull, Vertices: vs, Radius: r.Radius}
}

// The bound of two volumes is a lower bound, and close to their distance.
func TestBoundOfTwoVolumes(t *testing.T) {
	d := newDice(1)
	apart, loose := 0, 0
	for i := range 20000 {
		a, b, pose := d.rss(), d.rss(), d.pose(2)
		if i%3 == 0 { // axes that are parallel, as man-made ones are
			pose.R = geom.Identity()
			b.U, b.V = r3.Scale(d.In(0, 2), a.U), r3.Scale(d.In(0, 2), a.V)
		}
		if i%30 == 0 { // and all but
			pose.R = geom.AxisAngle(geom.Vec{X: 1}, d.In(-1e-7, 1e-7))
		}
		ta, tb := nodeTree(a), nodeTree(b)
		var p Pair
		p.Set(ta, tb, &pose, 0, 0)
		lower := p.Bound(0, 0, 0)
		ca, cb := asBox(&a), asBox(&b)
		want := convex.Distance(&ca, &identity, &cb, &pose, nil)
		if lower > want.Distance {
			t.Fatalf("%d: bound %.17g, distance %.17g of %+v and %+v at %+v", i, lower, want.Distance, a, b, pose)
		}
		if want.Distance > 1e-6 {
			apart++
			if lower < closeEnough*want.Lower-1e-9 {
				loose++
			}
		}
	}
	if apart < 5000 {
		t.Errorf("only %d of 20000 are apart", apart)
	}
	if loose > 0 {
		t.Errorf("%d of %d bounds are more than 2 %% too small", loose, apart)
	}
}

// Where a distance is a known number, far from the origin and near, no bound exceeds it,
// and none is much below.
func TestBoundsOfKnownDistances(t *testing.T) {
	d := newDice(3)
	dyadic := func(size int) float64 { return float64(d.IntN(2*size+1)-size) / 64 }
	for i := range 3000 {
		far := [...]int{1 << 4, 1 << 12, 1 << 26}[i%3]
		half := [2]float64{float64(d.IntN(64)) / 64, float64(d.IntN(64)) / 64}
		a := RSS{U: geom.Vec{X: half[0]}, V: geom.Vec{Y: half[1]}, Radius: 0.25}
		b := RSS{Center: geom.Vec{X: dyadic(256)}, U: geom.Vec{Y: half[1]}, V: geom.Vec{Z: half[0]}}
		pose := geom.Pose{R: geom.Identity(), P: geom.Vec{X: dyadic(far), Y: dyadic(256), Z: dyadic(256)}}
		b.Center.X -= pose.P.X // the same scene, written far away
		beyond := func(lo, hi, lo2, hi2 float64) float64 { return math.Max(0, math.Max(lo2-hi, lo-hi2)) }
		c := r3.Add(b.Center, pose.P)
		dx := beyond(-half[0], half[0], c.X, c.X)
		dy := beyond(-half[1], half[1], c.Y-half[1], c.Y+half[1])
		dz := beyond(0, 0, c.Z-half[0], c.Z+half[0])
		want := math.Sqrt(dx*dx+dy*dy+dz*dz) - 0.25
		var p Pair
		p.Set(nodeTree(a), nodeTree(b), &pose, 0, 0)
		got := p.Bound(0, 0, 0)
		if got > math.Max(0, want) {
			t.Fatalf("%d: bound %.17g of %.17g", i, got, want)
		}
		if want > 1e-3 && got < 0.97*want {
			t.Fatalf("%d: bound %g is loose: %g", i, got, want)
		}
	}
}

// Rounding is taken off: far from both frames the bound of two points is not above their
// distance in numbers of 300 bits, though what was computed often is.
func TestBoundsLessTheirRounding(t *testing.T) {
	d := newDice(8)
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	row := func(x, y, z float64, v geom.Vec, p float64) *big.Float {
		sum := exact(p)
		for _, k := range [3][2]float64{{x, v.X}, {y, v.Y}, {z, v.Z}} {
			sum.Add(sum, exact(0).Mul(exact(k[0]), exact(k[1])))
		}
		return sum
	}
	for i := range 2000 {
		pose := d.pose(1e6)
		at := pose.ApplyInv(d.Vec(1)) // near A's origin, but for rounding
		r := &pose.R
		sum := exact(0)
		for _, x := range [3]*big.Float{row(r.XX, r.XY, r.XZ, at, pose.P.X), row(r.YX, r.YY, r.YZ, at, pose.P.Y), row(r.ZX, r.ZY, r.ZZ, at, pose.P.Z)} {
			sum.Add(sum, x.Mul(x, x))
		}
		truth := sum.Sqrt(sum)
		var p Pair
		p.Set(nodeTree(RSS{}), nodeTree(RSS{Center: at}), &pose, 0, 0)
		if got := p.Bound(0, 0, 0); exact(got).Cmp(truth) > 0 {
			t.Fatalf("%d: bound %.17g of %s", i, got, truth.Text('g', 20))
		}
		p.Set(OfPoints([]geom.Vec{{}}), OfPoints([]geom.Vec{at}), &pose, 0, 0)
		if got := p.Leaves(0, 0); exact(got.Lower).Cmp(truth) > 0 || exact(got.Upper).Cmp(truth) < 0 {
			t.Fatalf("%d: leaves [%.17g, %.17g] of %s", i, got.Lower, got.Upper, truth.Text('g', 20))
		}
		flat := func(at geom.Vec) *Tree {
			return OfMesh(&mesh.Mesh{Vertices: []geom.Vec{at, at, at}, Triangles: [][3]int32{{0, 1, 2}}})
		}
		p.Set(flat(geom.Vec{}), flat(at), &pose, 0, 0)
		if got := p.Leaves(0, 0); exact(got.Lower).Cmp(truth) > 0 || exact(got.Upper).Cmp(truth) < 0 {
			t.Fatalf("%d: triangles [%.17g, %.17g] of %s", i, got.Lower, got.Upper, truth.Text('g', 20))
		}
	}
}

func randomMesh(d dice, n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for range n {
		at, size := d.Vec(1), d.In(0.001, 0.2)
		k := int32(len(m.Vertices))
		m.Vertices = append(m.Vertices, at, r3.Add(at, d.Vec(size)), r3.Add(at, d.Vec(size)))
		m.Triangles = append(m.Triangles, [3]int32{k, k + 1, k + 2})
	}
	return m
}

// holds checks that a volume contains a point, by a nearest point of its own.
func holds(r *RSS, p geom.Vec) bool {
	c := asBox(r)
	q := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{p}}
	c.Radius = 0
	return convex.Distance(&c, &identity, &q, &identity, nil).Lower <= r.Radius
}

func checkTree(t *testing.T, tree *Tree, pieces int, corners func(k int32) []geom.Vec) {
	t.Helper()
	seen := map[int32]int{}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		for _, k := range tree.Order[n.First : n.First+n.Count] {
			if n.Leaf() {
				seen[k]++
			}
			for _, p := range corners(k) {
				if !holds(&n.RSS, p) {
					t.Fatalf("node %d does not hold %v of piece %d", i, p, k)
				}
			}
		}
		if n.Leaf() != (n.Count == 1) {
			t.Fatalf("node %d is a leaf of %d pieces", i, n.Count)
		}
		if !n.Leaf() && (tree.Nodes[n.Left].First != n.First || tree.Nodes[n.Left].Count+tree.Nodes[n.Left+1].Count != n.Count) {
			t.Fatalf("node %d loses pieces to its children", i)
		}
	}
	if len(seen) != pieces {
		t.Fatalf("%d of %d pieces are in leaves", len(seen), pieces)
	}
	if tree.Depth() > MaxDepth {
		t.Errorf("%d levels", tree.Depth())
	}
}

func TestVolumesHoldWhatIsBelow(t *testing.T) {
	d := newDice(2)
	m := randomMesh(d, 200)
	m.Vertices[0] = m.Vertices[1] // a triangle that is a segment
	m.Vertices[3], m.Vertices[4] = m.Vertices[5], m.Vertices[5]
	checkTree(t, OfMesh(m), 200, func(k int32) []geom.Vec {
		v := m.Triangles[k]
		return []geom.Vec{m.Vertices[v[0]], m.Vertices[v[1]], m.Vertices[v[2]]}
	})
	points := make([]geom.Vec, 300)
	for i := range points {
		points[i] = d.Vec(1)
	}
	for i := range 40 {
		points[i] = points[0]
	}
	checkTree(t, OfPoints(points), 300, func(k int32) []geom.Vec { return points[k : k+1] })
	cells := make([]geom.Box, 100)
	for i := range cells {
		at := d.Vec(1)
		cells[i] = geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: 0.1, Y: 0.1, Z: d.In(0.01, 0.2)})}
	}
	checkTree(t, OfCells(cells), 100, func(k int32) []geom.Vec { return appendCorners(nil, &cells[k]) })
}

// A volume around a flat box is the rectangle and half its thickness, as the paper
// says, not more.
func TestFitIsTight(t *testing.T) {
	pose := geom.Pose{R: geom.RPY(0.3, -1, 2), P: geom.Vec{X: 3}}
	var corners []geom.Vec
	for _, p := range appendCorners(nil, &geom.Box{Min: geom.Vec{X: -1, Y: -0.5, Z: -0.1}, Max: geom.Vec{X: 1, Y: 0.5, Z: 0.1}}) {
		corners = append(corners, pose.Apply(p))
	}
	r, _ := new(fitter).fit(corners)
	if long, short := geom.Norm(r.U), geom.Norm(r.V); r.Radius > 0.1+1e-9 || long > 1+1e-9 || short > 0.5+1e-9 {
		t.Errorf("%+v: half sides %g and %g", r, long, short)
	}
	ball := make([]geom.Vec, 2000)
	d := newDice(4)
	for i := range ball {
		ball[i], _ = geom.Unit(d.Vec(1))
	}
	if r, _ := new(fitter).fit(ball); r.Radius > 1.05 || geom.Norm(r.U)+geom.Norm(r.V) > 0.2 {
		t.Errorf("around a ball: %+v", r)
	}
}

func TestCoresAreHeld(t *testing.T) {
	d := newDice(6)
	cores := []convex.Core{
		{Kind: convex.Box, Center: geom.Vec{X: 1}, Half: geom.Vec{X: 0.1, Y: 0.2, Z: 0.3}},
		{Kind: convex.Cylinder, CoreRadius: 0.2, HalfLength: 0.5},
		{Kind: convex.Cone, CoreRadius: 0.2, HalfLength: 0.5},
		{Kind: convex.Point, Vertices: []geom.Vec{{X: 1}}, Radius: 0.3},
		{Kind: convex.Segment, Vertices: []geom.Vec{{X: 1}, {Y: 1}}, Radius: 0.3},
	}
	for i := range cores {
		tree := OfCore(&cores[i])
		for range 500 {
			dir, _ := geom.Unit(d.Vec(1))
			if p := cores[i].Support(dir); !holds(&tree.Nodes[0].RSS, p) {
				t.Fatalf("core %d: %v is outside %+v", i, p, tree.Nodes[0].RSS)
			}
		}
	}
}

// Leaves of every kind: the lower bound is below the upper one, both near the
// distance.
func TestLeaves(t *testing.T) {
	d := newDice(7)
	trees := []*Tree{
		OfMesh(randomMesh(d, 1)), OfPoints([]geom.Vec{d.Vec(0.5)}), OfCells([]geom.Box{{Max: geom.Vec{X: 0.1, Y: 0.2, Z: 0.3}}}),
		OfCore(&convex.Core{Kind: convex.Cylinder, CoreRadius: 0.1, HalfLength: 0.3}), OfMesh(randomMesh(d, 1)),
	}
	touching := 0
	for range 4000 {
		a, b, pose := trees[d.IntN(len(trees))], trees[d.IntN(len(trees))], d.pose(0.5)
		ra, rb := d.In(0, 0.05), d.In(0, 0.05)
		var p Pair
		p.Set(a, b, &pose, ra, rb)
		got := p.Leaves(0, 0)
		var sa, sb leafCore
		want := convex.Distance(a.leaf(&a.Nodes[0], ra, &sa), &identity, b.leaf(&b.Nodes[0], rb, &sb), &pose, nil)
		if got.Lower > want.Distance || got.Upper < want.Lower || got.Upper-got.Lower > 1e-7 {
			t.Fatalf("[%g, %g], want [%g, %g]", got.Lower, got.Upper, want.Lower, want.Distance)
		}
		if apart := geom.Norm(r3.Sub(got.PointB, got.PointA)); math.Abs(apart-got.Upper) > 1e-9 {
			t.Fatalf("points are %g apart, not %g", apart, got.Upper)
		}
		point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}}
		atA, atB := geom.Translation(got.PointA), geom.Translation(got.PointB)
		offA := convex.Distance(a.leaf(&a.Nodes[0], ra, &sa), &identity, &point, &atA, nil).Distance
		offB := convex.Distance(b.leaf(&b.Nodes[0], rb, &sb), &pose, &point, &atB, nil).Distance
		if math.Max(offA, offB) > 1e-9 {
			t.Fatalf("points are %g and %g away from the pieces that they are of", offA, offB)
		}
		if got.Upper <= 1e-9 {
			touching++
		}
		if p.Bound(0, 0, 0) > want.Distance {
			t.Fatal("the volumes are farther apart than what they hold")
		}
	}
	if touching < 100 {
		t.Errorf("only %d touch", touching)
	}
}

// literalDistance is what the paper's inequality is used with: the distance of the
// closest points that a search finds. Here the search is the usual one for two
// segments, which drops to the start of the first where they are nearly parallel.
func literalDistance(p, d, q, e geom.Vec) float64 {
	r := r3.Sub(p, q)
	a, b, c := r3.Dot(d, d), r3.Dot(d, e), r3.Dot(d, r)
	ee, f := r3.Dot(e, e), r3.Dot(e, r)
	den := a*ee - b*b
	s := 0.0
	if den > 1e-12*a*ee {
		s = math.Min(1, math.Max(0, (b*f-c*ee)/den))
	}
	t := math.Min(1, math.Max(0, (b*s+f)/ee))
	s = math.Min(1, math.Max(0, (t*b-c)/a))
	t = math.Min(1, math.Max(0, (b*s+f)/ee))
	return geom.Norm(r3.Sub(r3.Add(p, r3.Scale(s, d)), r3.Add(q, r3.Scale(t, e))))
}

// Closest points are no lower bound: for nearly parallel edges the literal rule says
// more than the distance, by more than any rounding; the gap along the same
// difference does not.
func TestClosestPointsAreNoLowerBound(t *testing.T) {
	const angle = 3e-7
	d := geom.Vec{X: 1}
	for _, lift := range []float64{0, 1e-9, 1e-8} {
		p := geom.Vec{X: -0.5}
		q := geom.Vec{X: -0.5, Y: 0.5 * angle, Z: lift}
		e := geom.Vec{X: 1, Y: -angle}
		truth := lift // they cross, seen from above, in their middle
		literal := literalDistance(p, d, q, e)
		if literal < truth+2e-8 {
			t.Fatalf("lift %g: the literal distance %g is no counter-example", lift, literal)
		}
		a := &mesh.Mesh{Vertices: []geom.Vec{p, r3.Add(p, d), {X: 0, Y: -0.3, Z: -0.4}}, Triangles: [][3]int32{{0, 1, 2}}}
		b := &mesh.Mesh{Vertices: []geom.Vec{q, r3.Add(q, e), {X: 0, Y: 0.3, Z: 0.4}}, Triangles: [][3]int32{{0, 1, 2}}}
		var pair Pair
		id := geom.IdentityPose()
		pair.Set(OfMesh(a), OfMesh(b), &id, 0, 0)
		if got := pair.Leaves(0, 0); got.Lower > truth+1e-15 {
			t.Errorf("lift %g: lower bound %g", lift, got.Lower)
		}
		if got := pair.Bound(0, 0, 0); got > truth+1e-15 {
			t.Errorf("lift %g: bound of the volumes %g", lift, got)
		}
		// The gap along the literal points' difference, wherever they are, proves no more.
		n, _ := geom.Unit(r3.Sub(q, p))
		s := tri.Triangle{a.Vertices[0], a.Vertices[1], a.Vertices[2]}
		u := tri.Triangle{b.Vertices[0], b.Vertices[1], b.Vertices[2]}
		if gapOf(n, &s, &u) > truth {
			t.Errorf("lift %g: the gap along the literal difference is %g", lift, gapOf(n, &s, &u))
		}
	}
}

// Overflow proves nothing.
func TestHugeNumbersProveNothing(t *testing.T) {
	big := OfPoints([]geom.Vec{{X: 1e200}, {X: -1e200}})
	small := OfPoints([]geom.Vec{{}})
	pose := geom.Translation(geom.Vec{Y: 1e300})
	var p Pair
	p.Set(big, small, &pose, 0, 0)
	if got := p.Bound(0, 0, 0); got != 0 && !(got < 1e300) {
		t.Errorf("bound %g", got)
	}
	pose.P.X = math.NaN()
	p.Set(small, small, &pose, 0, 0)
	if got := p.Bound(0, 0, 0); got != 0 {
		t.Errorf("bound %g at no pose", got)
	}
	if got := p.Leaves(0, 0); got.Lower != 0 {
		t.Errorf("leaves at no pose: %+v", got)
	}
}

func BenchmarkBound(b *testing.B) {
	d := newDice(1)
	const n = 256
	var ps [n]Pair
	for i := range ps {
		for {
			r, s, pose := d.rss(), d.rss(), d.pose(1.5)
			ps[i].Set(nodeTree(r), nodeTree(s), &pose, 0, 0)
			if ps[i].Bound(0, 0, 0) > 0 {
				break
			}
		}
	}
	for i := 0; b.Loop(); i++ {
		p := &ps[i%n]
		p.placedNode = -1
		p.Bound(0, 0, 0)
	}
}

func BenchmarkTriangles(b *testing.B) {
	d := newDice(1)
	t1, t2 := OfMesh(randomMesh(d, 1)), OfMesh(randomMesh(d, 1))
	pose := d.pose(0.5)
	var p Pair
	p.Set(t1, t2, &pose, 0, 0)
	for b.Loop() {
		p.Leaves(0, 0)
	}
}

func BenchmarkOfMesh(b *testing.B) {
	m := randomMesh(newDice(1), 20000)
	for b.Loop() {
		OfMesh(m)
	}
}

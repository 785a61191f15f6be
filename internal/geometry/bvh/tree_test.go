package bvh

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// bumpySphere returns a closed mesh of 2 n (n-1) triangles, radius 1 to 1 + bump.
func bumpySphere(n int, bump float64, seed int64) *mesh.Mesh {
	r := rand.New(rand.NewSource(seed))
	var m mesh.Mesh
	at := func(i, j int) int32 {
		switch i {
		case 0:
			return 0
		case n:
			return 1
		}
		return int32(2 + (i-1)*n + j%n)
	}
	point := func(i, j int) geom.Vec {
		st, ct := math.Sincos(math.Pi * float64(i) / float64(n))
		sp, cp := math.Sincos(2 * math.Pi * float64(j) / float64(n))
		k := 1 + bump*r.Float64()
		return geom.Vec{X: k * st * cp, Y: k * st * sp, Z: k * ct}
	}
	m.Vertices = append(m.Vertices, point(0, 0), point(n, 0))
	for i := 1; i < n; i++ {
		for j := range n {
			m.Vertices = append(m.Vertices, point(i, j))
		}
	}
	for i := range n {
		for j := range n {
			if i > 0 {
				m.Triangles = append(m.Triangles, [3]int32{at(i, j), at(i+1, j), at(i, j+1)})
			}
			if i < n-1 {
				m.Triangles = append(m.Triangles, [3]int32{at(i, j+1), at(i+1, j), at(i+1, j+1)})
			}
		}
	}
	return &m
}

// soup returns n triangles of all sizes and shapes, some without area, many equal.
func soup(n int, seed int64) *mesh.Mesh {
	r := rand.New(rand.NewSource(seed))
	var m mesh.Mesh
	for i := range n {
		c := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: float64(r.Intn(2))}
		k := math.Pow(10, -6*r.Float64())
		for range 3 {
			m.Vertices = append(m.Vertices, geom.Vec{
				X: c.X + k*r.NormFloat64(), Y: c.Y + k*r.NormFloat64()*float64(r.Intn(2)), Z: c.Z + k*r.NormFloat64()*float64(r.Intn(2)),
			})
		}
		v := int32(3 * i)
		switch t := [3]int32{v, v + 1, v + 2}; {
		case i > 0 && r.Intn(3) == 0:
			m.Triangles = append(m.Triangles, m.Triangles[r.Intn(i)])
		case r.Intn(5) == 0:
			m.Triangles = append(m.Triangles, [3]int32{v, v, v + 1})
		default:
			m.Triangles = append(m.Triangles, t)
		}
	}
	return &m
}

// meshes to build trees of: closed and soups, far from the origin, tiny, one
// triangle, all equal.
func meshes() map[string]*mesh.Mesh {
	out := map[string]*mesh.Mesh{
		"sphere": bumpySphere(40, 0.1, 1), "soup": soup(3000, 2), "one": soup(1, 3), "five": soup(5, 4),
	}
	same := soup(1, 5)
	for range 1000 {
		same.Triangles = append(same.Triangles, same.Triangles[0])
	}
	out["same"] = same
	tiny, far := bumpySphere(10, 0.3, 6), bumpySphere(10, 0.3, 7)
	for i := range tiny.Vertices {
		v, w := &tiny.Vertices[i], &far.Vertices[i]
		*v = geom.Vec{X: 1e-7 * v.X, Y: 1e-7 * v.Y, Z: 1e-7 * v.Z}
		*w = geom.Vec{X: w.X + 1000, Y: w.Y - 3000, Z: w.Z + 2000}
	}
	out["tiny"], out["far"] = tiny, far
	// Sizes that double: what is split by area alone makes a list of it.
	chain := &mesh.Mesh{}
	for i := range int32(400) {
		k := math.Ldexp(1, int(i)-200)
		chain.Vertices = append(chain.Vertices, geom.Vec{X: k}, geom.Vec{X: 1.25 * k}, geom.Vec{X: k, Y: 0.25 * k})
		chain.Triangles = append(chain.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	out["chain"] = chain
	return out
}

// outside reports whether p lies outside the node's ball, in exact arithmetic.
func outside(n *Node, p geom.Vec) bool {
	sum := new(big.Float).SetPrec(1200)
	for _, x := range [3][2]float64{{p.X, n.Center.X}, {p.Y, n.Center.Y}, {p.Z, n.Center.Z}} {
		d := new(big.Float).SetPrec(1200).Sub(big.NewFloat(x[0]), big.NewFloat(x[1]))
		sum.Add(sum, d.Mul(d, d))
	}
	r := new(big.Float).SetPrec(1200).SetFloat64(n.Radius)
	return sum.Cmp(r.Mul(r, r)) > 0
}

// Every node's ball and box hold every triangle below it, exactly; its box is no
// larger than that; its ranges, children and depth are as documented; every
// triangle is in exactly one leaf.
func TestTreeEncloses(t *testing.T) {
	for name, m := range meshes() {
		for leaf := 1; leaf <= MaxLeaf; leaf++ {
			tr := OfTriangles(m, leaf)
			seen := make([]int, len(m.Triangles))
			check(t, name, tr, leaf, func(k int32) []geom.Vec {
				c := corners(m, k)
				return c[:]
			}, seen)
			for k, n := range seen {
				if n != 1 {
					t.Fatalf("%s: triangle %d is in %d leaves", name, k, n)
				}
			}
		}
	}
}

func check(t *testing.T, name string, tr *Tree, leaf int, item func(int32) []geom.Vec, seen []int) {
	t.Helper()
	if len(tr.Nodes) == 0 || int(tr.Nodes[0].Count) != len(seen) || len(tr.Order) != len(seen) {
		t.Fatalf("%s: the root does not hold all items", name)
	}
	depth := make([]int, len(tr.Nodes))
	for i := range tr.Nodes {
		n := &tr.Nodes[i]
		box := geom.EmptyBox()
		var spread float64
		stride := 1 + int(n.Count)/50 // exact arithmetic on a sample of large nodes
		for j, k := range tr.Order[n.First : n.First+n.Count] {
			for _, v := range item(k) {
				box = box.Extend(v)
				if !holds(&n.Box, v) {
					t.Fatalf("%s: node %d: %v is outside box %v", name, i, v, n.Box)
				}
				if j%stride == 0 && outside(n, v) {
					t.Fatalf("%s: node %d: %v is outside ball %v %g", name, i, v, n.Center, n.Radius)
				}
				d := geom.Vec{X: v.X - n.Center.X, Y: v.Y - n.Center.Y, Z: v.Z - n.Center.Z}
				spread = math.Max(spread, math.Sqrt(d.X*d.X+d.Y*d.Y+d.Z*d.Z))
			}
			if n.Leaf() {
				seen[k]++
			}
		}
		if box != n.Box {
			t.Fatalf("%s: node %d: box %v, of its items %v", name, i, n.Box, box)
		}
		if len(item(0)) == 8 && n.Count > manyBoxes {
			spread = geom.Norm(box.Half())
		}
		if n.Radius > spread*(1+1e-14) {
			t.Fatalf("%s: node %d: radius %g, items reach %g", name, i, n.Radius, spread)
		}
		if n.Leaf() {
			if int(n.Count) > leaf || n.Count < 1 {
				t.Fatalf("%s: leaf %d has %d items", name, i, n.Count)
			}
			continue
		}
		l, r := &tr.Nodes[n.Left], &tr.Nodes[n.Left+1]
		if int(n.Left) <= i || l.First != n.First || r.First != n.First+l.Count || l.Count+r.Count != n.Count || l.Count < 1 || r.Count < 1 {
			t.Fatalf("%s: node %d: children do not share its items", name, i)
		}
		depth[n.Left], depth[n.Left+1] = depth[i]+1, depth[i]+1
		if depth[i]+1 >= MaxDepth {
			t.Fatalf("%s: node %d is %d deep", name, n.Left, depth[i]+1)
		}
	}
}

func TestPointTree(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	for _, n := range []int{1, 2, 3, 17, 2000} {
		ps := make([]geom.Vec, n)
		for i := range ps {
			ps[i] = geom.Vec{X: r.NormFloat64(), Y: 0.01 * r.NormFloat64(), Z: float64(r.Intn(3))}
			if r.Intn(4) == 0 {
				ps[i] = ps[r.Intn(i+1)]
			}
		}
		for leaf := 1; leaf <= MaxLeaf; leaf++ {
			seen := make([]int, n)
			check(t, "points", OfPoints(ps, leaf), leaf, func(k int32) []geom.Vec { return ps[k : k+1] }, seen)
		}
	}
	if tr := OfPoints(nil, 1); len(tr.Nodes) != 0 {
		t.Fatal("a tree of nothing has nodes")
	}
}

func TestBoxTree(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	for _, n := range []int{1, 2, 17, manyBoxes + 1, 2000} {
		boxes := make([]geom.Box, n)
		for i := range boxes { // cells of several sizes, on grids and off them
			k := math.Ldexp(0.1, r.Intn(4))
			at := geom.Vec{X: k * float64(r.Intn(20)), Y: k * float64(r.Intn(20)), Z: 5 + r.Float64()}
			boxes[i] = geom.Box{Min: at, Max: geom.Vec{X: at.X + k, Y: at.Y + k, Z: at.Z + 0.3*k}}
			if r.Intn(4) == 0 {
				boxes[i] = boxes[r.Intn(i+1)]
			}
		}
		given := append([]geom.Box(nil), boxes...)
		for leaf := 1; leaf <= MaxLeaf; leaf++ {
			seen := make([]int, n)
			tr := OfBoxes(boxes, leaf)
			check(t, "boxes", tr, leaf, func(k int32) []geom.Vec { return appendCorners(nil, &boxes[k]) }, seen)
			for k, times := range seen {
				if times != 1 {
					t.Fatalf("box %d of %d is in %d leaves", k, n, times)
				}
			}
		}
		for i := range boxes {
			if boxes[i] != given[i] {
				t.Fatal("the boxes given were written to")
			}
		}
	}
	if tr := OfBoxes(nil, 1); len(tr.Nodes) != 0 {
		t.Fatal("a tree of nothing has nodes")
	}
}

// The same mesh gives the same tree.
func TestBuildIsDeterministic(t *testing.T) {
	a, b := OfTriangles(soup(500, 1), 1), OfTriangles(soup(500, 1), 1)
	for i := range a.Nodes {
		if a.Nodes[i] != b.Nodes[i] {
			t.Fatalf("node %d differs", i)
		}
	}
}

func BenchmarkBuild220k(b *testing.B) {
	m := bumpySphere(332, 0.1, 1)
	for range b.N {
		OfTriangles(m, 1)
	}
	b.ReportMetric(float64(len(m.Triangles)), "triangles")
}

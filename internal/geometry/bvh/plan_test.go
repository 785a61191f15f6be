package bvh

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func sameTree(t *testing.T, name string, got, want *Tree) {
	t.Helper()
	if !slices.Equal(got.Order, want.Order) || !slices.Equal(got.Nodes, want.Nodes) {
		t.Errorf("%s: the plan makes another tree", name)
	}
}

// The plan of a tree makes the same tree, to the last bit.
func TestPlanMakesTheTree(t *testing.T) {
	for name, m := range meshes() {
		for leaf := 1; leaf <= MaxLeaf; leaf++ {
			want := OfTriangles(m, leaf)
			p := want.Plan()
			got, err := p.OfTriangles(m, leaf)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sameTree(t, name, got, want)
		}
	}
	r := rand.New(rand.NewSource(10))
	for _, n := range []int{1, 2, manyBoxes + 1, 1000} {
		boxes := make([]geom.Box, n)
		for i := range boxes {
			at := geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			boxes[i] = geom.Box{Min: at, Max: geom.Vec{X: at.X + 0.1, Y: at.Y + 0.2, Z: at.Z + 0.3}}
		}
		want := OfBoxes(boxes, 1)
		p := want.Plan()
		got, err := p.OfBoxes(boxes, 1)
		if err != nil {
			t.Fatal(err)
		}
		sameTree(t, "boxes", got, want)
	}
	none := OfBoxes(nil, 1).Plan()
	if got, err := none.OfBoxes(nil, 1); err != nil || len(got.Nodes) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

// Whatever a plan says, the tree that it makes encloses the triangles as every tree
// does, but for the sizes of its balls; or there is none.
func TestForgedTreePlans(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	m := soup(200, 7)
	good := OfTriangles(m, 1)
	made, refused := 0, 0
	for range 300 {
		p := good.Plan()
		p.Order, p.Inner = slices.Clone(p.Order), slices.Clone(p.Inner)
		switch i, k := r.Intn(len(p.Inner)), r.Intn(len(p.Order)); r.Intn(9) {
		case 0: // balls elsewhere
			for i := range p.Inner {
				p.Inner[i].Center = geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			}
		case 1: // another order
			r.Shuffle(len(p.Order), func(i, k int) { p.Order[i], p.Order[k] = p.Order[k], p.Order[i] })
		case 2: // a triangle twice, another not at all
			p.Order[k] = p.Order[(k+1)%len(p.Order)]
		case 3:
			p.Order[k] = []int32{-1, int32(len(p.Order)), math.MaxInt32, math.MinInt32}[r.Intn(4)]
		case 4:
			p.Inner[i].Left = []int32{-1, 0, 1000, math.MaxInt32, math.MinInt32}[r.Intn(5)]
		case 5: // splits that take one each: too deep
			for i := range p.Inner {
				p.Inner[i].Left = 1
			}
		case 6:
			p.Inner[i].Center.Y = []float64{math.NaN(), math.Inf(1), 1e300}[r.Intn(3)]
		case 7:
			p.Inner = p.Inner[:i]
		case 8:
			p.Inner = append(p.Inner, p.Inner[i])
		}
		tr, err := p.OfTriangles(m, 1)
		if err != nil {
			if tr != nil {
				t.Fatal("an error with a tree")
			}
			refused++
			continue
		}
		made++
		wellMade(t, tr, func(k int32) []geom.Vec {
			c := corners(m, k)
			return c[:]
		})
	}
	p := good.Plan()
	p.Inner = append(slices.Clone(p.Inner), Split{Left: 1})
	if _, err := p.OfTriangles(m, 1); err == nil {
		t.Error("a plan with more splits than nodes passes")
	}
	p.Inner = p.Inner[:len(p.Inner)-2]
	if _, err := p.OfTriangles(m, 1); err == nil {
		t.Error("a plan with fewer splits than nodes passes")
	}
	wide := OfTriangles(m, MaxLeaf).Plan() // of fewer splits than items allow
	wide.Inner = append(wide.Inner, Split{Left: 1})
	if _, err := wide.OfTriangles(m, MaxLeaf); err == nil {
		t.Error("a plan with a split for a leaf passes")
	}
	if _, err := p.OfTriangles(soup(201, 7), 1); err == nil {
		t.Error("a plan for fewer triangles passes")
	}
	if made < 40 || refused < 150 {
		t.Errorf("one-sided: %d made, %d refused", made, refused)
	}
}

// wellMade checks what a proof takes from a tree: every item is in one leaf, boxes
// and balls hold what is below them.
func wellMade(t *testing.T, tr *Tree, item func(int32) []geom.Vec) {
	t.Helper()
	seen, depth := make([]int, len(tr.Order)), make([]int, len(tr.Nodes))
	for i := range tr.Nodes {
		n := &tr.Nodes[i]
		for _, k := range tr.Order[n.First : n.First+n.Count] {
			for _, v := range item(k) {
				if !holds(&n.Box, v) || outside(n, v) {
					t.Fatalf("node %d does not hold %v", i, v)
				}
			}
			if n.Leaf() {
				seen[k]++
			}
		}
		if !n.Leaf() {
			if depth[i]+1 >= MaxDepth {
				t.Fatalf("node %d is %d deep", n.Left, depth[i]+1)
			}
			depth[n.Left], depth[n.Left+1] = depth[i]+1, depth[i]+1
			if l, r := &tr.Nodes[n.Left], &tr.Nodes[n.Left+1]; int(n.Left) <= i || l.First != n.First || r.First != n.First+l.Count || l.Count+r.Count != n.Count {
				t.Fatalf("node %d: children do not share its items", i)
			}
		}
	}
	for k, n := range seen {
		if n != 1 {
			t.Fatalf("item %d is in %d leaves", k, n)
		}
	}
}

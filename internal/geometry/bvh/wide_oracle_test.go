package bvh

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// scattered draws numbers of all sizes: their float32 neighbours are far away.
func scattered(r *rand.Rand) float64 {
	x := math.Pow(10, 12*r.Float64()-6)
	switch r.IntN(12) {
	case 0:
		x = math.Pow(10, 40*r.Float64()-60) // float32 has few digits left, or none
	case 1:
		x = 0
	}
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}

func scatteredBox(r *rand.Rand) geom.Box {
	v := func() geom.Vec { return geom.Vec{X: scattered(r), Y: scattered(r), Z: scattered(r)} }
	b := geom.EmptyBox().Extend(v())
	if r.IntN(4) > 0 {
		b = b.Extend(v())
	}
	return b
}

func inside(b geom.Box, c Box32) bool {
	lo, hi := [3]float64{b.Min.X, b.Min.Y, b.Min.Z}, [3]float64{b.Max.X, b.Max.Y, b.Max.Z}
	for k := range 3 {
		if float64(c.Lo[k]) > lo[k] || float64(c.Hi[k]) < hi[k] {
			return false
		}
	}
	return true
}

func TestOutwardBoxesHold(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 0))
	for range 20000 {
		b := scatteredBox(r)
		out := Outward(b)
		if !inside(b, out) {
			t.Fatalf("%v is not inside %v", b, out)
		}
		for k, x := range [3]float64{b.Max.X, b.Max.Y, b.Max.Z} {
			if off := float64(out.Hi[k]) - x; off > math.Abs(x)*0x1p-21+0x1p-138 {
				t.Fatalf("%g is rounded up by %g", x, off)
			}
		}
	}
}

// Every item is in the boxes of all nodes above it, and in no other stretch of the
// order; a box meets what it has a point in common with.
func TestWideTreesHoldTheirItems(t *testing.T) {
	for i := range 60 {
		r := rand.New(rand.NewPCG(52, uint64(i)))
		boxes := make([]geom.Box, 1+r.IntN(200))
		for k := range boxes {
			boxes[k] = scatteredBox(r)
		}
		holdsItems(t, r, NewWide(boxes), boxes)
	}
}

// Trees that several goroutines make are those that one makes.
func TestWideTreesOfSeveralGoroutines(t *testing.T) {
	for i := range 20 {
		r := rand.New(rand.NewPCG(56, uint64(i)))
		boxes := make([]geom.Box, 1+r.IntN(3000))
		for k := range boxes {
			boxes[k] = scatteredBox(r)
			if i%4 == 0 && k > 0 {
				boxes[k] = boxes[r.IntN(k)] // many in one place
			}
		}
		if got, want := newWide(boxes, 2+r.IntN(200)), newWide(boxes, len(boxes)+1); !reflect.DeepEqual(got, want) {
			t.Fatalf("tree %d of %d items differs", i, len(boxes))
		}
	}
}

// A tree for other boxes holds the items too, in the same order.
func TestRefittedTreesHoldTheirItems(t *testing.T) {
	for i := range 60 {
		r := rand.New(rand.NewPCG(54, uint64(i)))
		boxes, others := make([]geom.Box, 1+r.IntN(200)), []geom.Box{}
		for k := range boxes {
			boxes[k], others = scatteredBox(r), append(others, scatteredBox(r))
		}
		tree := NewWide(boxes)
		refitted := tree.Refit(others)
		holdsItems(t, r, refitted, others)
		holdsItems(t, r, tree, boxes)
		if !slices.Equal(tree.Order, refitted.Order) || !reflect.DeepEqual(tree, tree.Refit(boxes)) {
			t.Fatalf("tree %d is not the same for the same boxes", i)
		}
	}
}

// A tree joined of others holds the items of all, each part's together.
func TestJoinedTreesHoldTheirItems(t *testing.T) {
	for i := range 60 {
		r := rand.New(rand.NewPCG(55, uint64(i)))
		var parts []Part
		var boxes []geom.Box
		var of []int32 // the part of each item
		for k := range r.IntN(30) {
			part, own := Part{Box: geom.EmptyBox()}, make([]geom.Box, 1+r.IntN(20)*r.IntN(2))
			for j := range own {
				own[j] = scatteredBox(r)
				part.Box = part.Box.Union(own[j])
				of = append(of, int32(k))
			}
			if len(own) > 1 || r.IntN(2) == 0 {
				part.Tree = NewWide(own)
			}
			parts, boxes = append(parts, part), append(boxes, own...)
		}
		tree, order := Join(parts)
		holdsItems(t, r, tree, boxes)
		var got []int32
		for _, item := range tree.Order {
			if part := of[item]; len(got) == 0 || got[len(got)-1] != part {
				got = append(got, part)
			}
		}
		if !slices.Equal(got, order) {
			t.Fatalf("tree %d: items of the parts %v, want %v", i, got, order)
		}
	}
}

// holdsItems fails unless every item is in the boxes of all nodes above it, and in no other
// stretch of the order, and a box meets what it has a point in common with.
func holdsItems(t *testing.T, r *rand.Rand, tree *Wide, boxes []geom.Box) {
	t.Helper()
	seen := make([]bool, len(boxes))
	for at := range tree.Nodes {
		n := &tree.Nodes[at]
		for c := range int(n.Count) {
			first, count := ^n.Child[c], int32(1)
			if n.Child[c] >= 0 {
				first, count = tree.Nodes[n.Child[c]].First, tree.Nodes[n.Child[c]].Items
			}
			if first < n.First || first+count > n.First+n.Items {
				t.Fatalf("node %d, child %d: items %d to %d are not those of the node", at, c, first, first+count)
			}
			for _, item := range tree.Order[first : first+count] {
				if !inside(boxes[item], n.ChildBox32(c)) || !inside(boxes[item], n.Box) {
					t.Fatalf("node %d: item %d sticks out", at, item)
				}
				if n.Child[c] < 0 {
					if seen[item] {
						t.Fatalf("item %d stands twice", item)
					}
					seen[item] = true
				}
			}
		}
	}
	for item, ok := range seen {
		if !ok {
			t.Fatalf("item %d is lost", item)
		}
	}
	for range 40 {
		q := scatteredBox(r)
		out := Outward(q)
		met := tree.meeting(&out)
		for k := range boxes {
			own := Outward(boxes[k])
			if common(boxes[k], q) && !met[int32(k)] || met[int32(k)] && !own.Meets(&out) {
				t.Fatalf("item %d is met: %v", k, met[int32(k)])
			}
		}
	}
}

// meeting returns the items whose boxes meet b.
func (t *Wide) meeting(b *Box32) map[int32]bool {
	met := map[int32]bool{}
	if len(t.Nodes) == 0 || !t.Nodes[0].Box.Meets(b) {
		return met
	}
	for stack := []int32{0}; len(stack) > 0; {
		n := &t.Nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		for i, bits := 0, n.Meets(b); bits != 0; i, bits = i+1, bits>>1 {
			switch {
			case bits&1 == 0:
			case n.Child[i] < 0:
				met[t.Order[^n.Child[i]]] = true
			default:
				stack = append(stack, n.Child[i])
			}
		}
	}
	return met
}

func common(a, b geom.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X &&
		a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y &&
		a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// The middle and half sides of a child's box are those of its float32 numbers.
func TestChildBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 0))
	for range 2000 {
		n := NewWide([]geom.Box{scatteredBox(r), scatteredBox(r), scatteredBox(r)}).Nodes[0]
		for c := range 3 {
			box := n.ChildBox32(c)
			center, half := n.ChildBox(c)
			for k, x := range [3][2]float64{{center.X, half.X}, {center.Y, half.Y}, {center.Z, half.Z}} {
				lo, hi := float64(box.Lo[k]), float64(box.Hi[k])
				size := 0x1p-52 * math.Max(math.Abs(lo), math.Abs(hi))
				if math.Abs(x[0]-x[1]-lo) > size || math.Abs(x[0]+x[1]-hi) > size {
					t.Fatalf("child %d, axis %d: [%g, %g] is %g +- %g", c, k, lo, hi, x[0], x[1])
				}
			}
		}
	}
}

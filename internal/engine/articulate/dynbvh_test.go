package articulate

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// world is n random objects that stand within reach.
func (d chance) world(n int, reach float64) *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range n {
		w.Objects = append(w.Objects, scene.Object{ID: fmt.Sprint("o", i), Shape: d.shape(0.2), PoseWS: d.Pose(reach)})
	}
	return w
}

// worldStage is a random robot among n random objects.
func worldStage(t testing.TB, d chance, joints, n int, turn float64) *stage {
	moves := d.IntN(4) == 0
	return newStage(t, d.robot(joints), d.world(n, 0.7), [...]float64{0, 0.02}[d.IntN(2)], moves, func(tree *kin.Tree) *motion.Motion {
		return d.motion(tree, turn, moves)
	})
}

// pieces are the convex pieces that an element is made of, in its frame E.
func pieces(e *model.Element) []convex.Core {
	if e.Exact {
		return []convex.Core{e.Core}
	}
	var out []convex.Core
	l := e.Leaves
	switch {
	case l.Mesh != nil:
		for _, t := range l.Mesh.Triangles {
			v := l.Mesh.Vertices
			out = append(out, convex.Core{Kind: convex.Triangle, Vertices: []geom.Vec{v[t[0]], v[t[1]], v[t[2]]}, Radius: e.Padding})
		}
	case l.Cells != nil:
		for _, c := range l.Cells {
			core := convex.BoxOf(c)
			core.Radius = e.Padding
			out = append(out, core)
		}
	default:
		for _, p := range l.Points {
			out = append(out, convex.Core{Kind: convex.Point, Vertices: []geom.Vec{p}, Radius: l.Radius + e.Padding})
		}
	}
	return out
}

// distance is how far two elements are apart where the stage stands, piece by piece.
func (s *stage) distance(a, b int) float64 {
	x, y := &s.model.Elements[a], &s.model.Elements[b]
	poseX, poseY := s.state.PoseWF[x.Frame].Mul(x.PoseFE), s.state.PoseWF[y.Frame].Mul(y.PoseFE)
	least := math.Inf(1)
	for _, p := range pieces(x) {
		for _, q := range pieces(y) {
			least = min(least, convex.Distance(&p, &poseX, &q, &poseY, nil).Distance)
		}
	}
	return least
}

// Each element is in its box wherever it gets, and its box in that of the stretch of the chain.
func TestDynamicBVHHoldsTheMotion(t *testing.T) {
	for i := range uint64(40 * long()) {
		d := newChance(11, i)
		s := randomStage(t, d, 1+d.IntN(6), []float64{0.05, 0.5, 3}[i%3])
		links := NewLinkBVH(s.model)
		b := NewDynamicBVH(links, s.mover)
		b.Level = d.IntN(3)
		lo := d.In(0, 0.8)
		hi := d.In(lo, 1)
		b.Update(lo, hi)
		for range 10 {
			s.at(d.In(lo, hi))
			for k := range s.model.Elements[:s.model.Real] {
				e := &s.model.Elements[k]
				p := d.sample(e)
				x := s.state.PoseWF[e.Frame].Apply(p)
				if !holds(interval.OfBox(b.Box(k)), x, s.err(e.Frame, p)+1e-13) {
					t.Fatalf("case %d: %v of element %d is not in %v", i, x, k, b.Box(k))
				}
			}
		}
		for k, n := range links.nodes {
			if n.element < 0 && b.boxes[k].Hull(b.boxes[n.left]).Hull(b.boxes[n.right]) != b.boxes[k] {
				t.Fatalf("case %d: the box of node %d does not hold its children's", i, k)
			}
		}
	}
}

// Boxes of a short interval are not much larger than what they hold; halving makes those of a long
// one smaller.
func TestDynamicBVHIsTight(t *testing.T) {
	size := func(b geom.Box) float64 { return r3.Norm(r3.Sub(b.Max, b.Min)) }
	shrunk := 0
	for i := range uint64(20) {
		d := newChance(12, i)
		s := randomStage(t, d, 5, 0.5)
		links := NewLinkBVH(s.model)
		b := NewDynamicBVH(links, s.mover)
		b.Level = 0
		b.Update(0.5, 0.5)
		for k := range links.LSS {
			l := &links.LSS[k]
			if got, most := size(b.Box(k)), math.Sqrt(3)*2*l.Radius+geom.Norm(r3.Sub(l.B, l.A)); got > most*(1+1e-9) {
				t.Errorf("case %d: a box of %g around %g", i, got, most)
			}
		}
		b.Update(0, 1)
		last := len(links.LSS) - 1
		whole := size(b.Box(last))
		b.Level = 2
		b.Update(0, 1)
		if quarters := size(b.Box(last)); quarters > whole*(1+1e-12) {
			t.Errorf("case %d: halving twice makes a box of %g one of %g", i, whole, quarters)
		} else if quarters < 0.8*whole {
			shrunk++
		}
	}
	if shrunk < 5 {
		t.Errorf("halving made %d of 20 boxes smaller", shrunk)
	}
}

// No pair that is culled gets as close as the clearance, at any time that is looked at; and
// many pairs are culled.
func TestDynamicBVHCullsOnlyWhatIsApart(t *testing.T) {
	culled, all, near := 0, 0, 0
	for i := range uint64(40 * long()) {
		d := newChance(13, i)
		s := worldStage(t, d, 1+d.IntN(5), 4, []float64{0.02, 0.2, 1}[i%3])
		b := NewDynamicBVH(NewLinkBVH(s.model), s.mover)
		lo := d.In(0, 0.9)
		hi := d.In(lo, 1)
		b.Update(lo, hi)
		clearance := []float64{0, 0.1}[d.IntN(2)]
		alive := make([]bool, len(s.model.Pairs))
		for k := range alive {
			alive[k] = true
		}
		n := b.Cull(clearance, alive)
		for k := range alive {
			if !alive[k] {
				n--
				culled++
			}
			all++
		}
		if n != 0 {
			t.Fatalf("case %d: the count of pairs culled is off by %d", i, n)
		}
		for range 4 {
			s.at(d.In(lo, hi))
			for k := range s.model.Pairs {
				p := &s.model.Pairs[k]
				if dist := s.distance(p.A, p.B); dist <= clearance {
					near++
					if !alive[k] {
						t.Fatalf("case %d: pair %d of clearance %g was culled and is %g apart", i, k, clearance, dist)
					}
				}
			}
		}
	}
	t.Logf("%d of %d pairs culled, %d close ones seen", culled, all, near)
	if culled < all/4 || near < 100 {
		t.Errorf("%d of %d pairs culled, %d close ones seen: this tests little", culled, all, near)
	}
}

// A pair that was not alive stays so, and is not asked about.
func TestCullLeavesTheRestAlone(t *testing.T) {
	s := worldStage(t, newChance(14, 1), 3, 4, 0.1)
	b := NewDynamicBVH(NewLinkBVH(s.model), s.mover)
	b.Update(0, 1)
	alive := make([]bool, len(s.model.Pairs))
	if n := b.Cull(0, alive); n != 0 {
		t.Errorf("%d of no pairs culled", n)
	}
	for _, a := range alive {
		if a {
			t.Fatal("a pair came alive")
		}
	}
}

// Two links are held against each other in every part of the interval: these meet in the
// last, or in the first.
func TestTwoLinksAreComparedAllAlong(t *testing.T) {
	ball := []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}}}
	slide := func(name string, child int) urdf.Joint {
		return urdf.Joint{Name: name, Type: urdf.Prismatic, Child: child, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}}
	}
	r := &urdf.Robot{
		Name:   "two",
		Links:  []urdf.Link{{Name: "l0", ParentJoint: -1}, {Name: "l1", ParentJoint: 0, Collisions: ball}, {Name: "l2", ParentJoint: 1, Collisions: ball}},
		Joints: []urdf.Joint{slide("a", 1), slide("b", 2)},
	}
	for _, c := range []struct {
		name string
		a, b []float64
		want bool
	}{
		{"meet in the last part", []float64{0, 4}, []float64{8, 4.1}, true},
		{"meet in the first part", []float64{4, 0}, []float64{4.1, 8}, true},
		{"one behind the other", []float64{0, 4}, []float64{1.5, 5.5}, false},
	} {
		s := newStage(t, r, nil, 0, false, motionOf([]string{"a", "b"}, c.a, c.b))
		b := NewDynamicBVH(NewLinkBVH(s.model), s.mover)
		b.Update(0, 1)
		alive := []bool{true}
		if b.Cull(0, alive); alive[0] != c.want {
			t.Errorf("%s: left %t", c.name, alive[0])
		}
		b.Level = 0
		b.Update(0, 1)
		alive[0] = true
		if b.Cull(0, alive); !alive[0] {
			t.Errorf("%s: boxes of the whole interval are apart", c.name)
		}
	}
}

package spacetime

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// crown is a ring of n triangles on end, like the points of a crown: a mesh that is
// not convex, whose middle is empty.
func crown(n int, radius, height float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range n {
		a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*(float64(i)+0.8)/float64(n)
		at := func(angle, r, z float64) geom.Vec {
			s, c := math.Sincos(angle)
			return geom.Vec{X: r * c, Y: r * s, Z: z}
		}
		k := int32(len(m.Vertices))
		m.Vertices = append(m.Vertices, at(a, radius, -height/2), at(b, radius, -height/2), at((a+b)/2, 1.3*radius, height/2))
		m.Triangles = append(m.Triangles, [3]int32{k, k + 1, k + 2})
	}
	return m
}

// crownRig is a crown on a robots.Hinge that may be anywhere, among bars, balls and another
// crown.
func crownRig(t testing.TB, rng *rand.Rand) *rig {
	t.Helper()
	part := urdf.Collision{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: crown(24, 0.3, 0.2)}}
	robot := robots.Of(nil,
		robots.Hinge{Kind: urdf.Prismatic, Axis: geom.Vec{X: 1}},
		robots.Hinge{Parent: 1, Kind: urdf.Prismatic, Axis: geom.Vec{Y: 1}},
		robots.Hinge{Parent: 2, Kind: urdf.Revolute, Axis: geom.Vec{Z: 1}, Parts: []urdf.Collision{part}},
	)
	world := &scene.Snapshot{}
	add := func(id string, s *shape.Shape) {
		pose := geom.Pose{R: geom.AxisAngle(randomUnit(rng), rng.Float64()*3), P: geom.Vec{X: 0.8 * (rng.Float64() - 0.5), Y: 0.8 * (rng.Float64() - 0.5), Z: 0.2 * (rng.Float64() - 0.5)}}
		world.Objects = append(world.Objects, scene.Object{ID: id, PoseWS: pose, Shape: s})
	}
	add("bar", &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.02, Y: 0.02, Z: 0.4}})
	add("ball", &shape.Shape{Kind: shape.Sphere, Radius: 0.03})
	add("crown", &shape.Shape{Kind: shape.Mesh, Mesh: crown(16, 0.1, 0.1)})
	return newRig(t, robot, world, 0, robots.Move([]float64{0, 1}, []float64{0, 1}, []float64{0, 1}))
}

func randomUnit(rng *rand.Rand) geom.Vec {
	for {
		if n, ok := geom.Unit(geom.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}); ok {
			return n
		}
	}
}

// touching tries every triangle of the element against every item.
func (r *rig) touching(element int) bool {
	w := r.w
	e, pose := &r.model.Elements[element], w.at.Element(element).Pose
	for node := range e.Leaves.Tree.Nodes {
		if e.Leaves.Tree.Nodes[node].Left >= 0 {
			continue
		}
		var a, b volume.Scratch
		mine := volume.Core(e, int32(node), &a)
		for i := range r.model.World.Items {
			core, at := volume.ItemCore(r.model, &r.model.World.Items[i], &b)
			if d := convex.Distance(mine, &pose, core, at, nil); d.Overlap || d.Distance <= motion.DefaultTolerance {
				return true
			}
		}
	}
	return false
}

// What looking into an element finds is a touch, and it finds most there are.
func TestLookingIntoShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	touch, found, apart := 0, 0, 0
	for range 40 {
		r := crownRig(t, rng)
		element := 0
		for i := range r.model.Elements[:r.model.Real] {
			if r.model.Against[i] != nil {
				element = i
			}
		}
		for range 20 {
			q := []float64{0.6 * (rng.Float64() - 0.5), 0.6 * (rng.Float64() - 0.5), 6 * rng.Float64()}
			r.bind(t, robots.Move(q[0:1], q[1:2], q[2:3]))
			r.w.begin(context.Background(), &motion.Query{})
			r.w.selectPairs(&motion.Query{})
			r.w.at.ReachFor(r.bound)
			r.w.load(r.bound, 0)
			r.w.place(0.5, 0.5, 0.5)
			s := search{w: r.w, anyTouch: true}
			saw, is := s.lookInto(element), r.touching(element)
			switch {
			case saw && !is:
				t.Fatalf("at %v: a touch was made up", q)
			case saw:
				found++
				w := &s.res.touch
				if d := geom.Norm(r3.Sub(w.A, w.B)); w.Distance > motion.DefaultTolerance || d > w.Distance+1e-9 {
					t.Fatalf("at %v: the witness's points are %g m apart, its distance is %g", q, d, w.Distance)
				}
				fallthrough
			case is:
				touch++
			default:
				apart++
			}
			if again := (&search{w: r.w, anyTouch: true}).lookInto(element); again {
				t.Fatal("the same time was looked into twice")
			}
		}
	}
	t.Logf("%d touch, of which %d were found; %d are apart", touch, found, apart)
	if touch < 150 || apart < 150 {
		t.Errorf("%d poses touch and %d do not: a poor test", touch, apart)
	}
	if found < touch*9/10 {
		t.Errorf("%d of %d touches were found", found, touch)
	}
}

// What may touch a box is what is in it, grown: not all that is in a box around it along the axes of E.
func TestAroundABox(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	in, beside := 0, 0
	vec := func(size float64) geom.Vec {
		return geom.Vec{X: size * (rng.Float64() - 0.5), Y: size * (rng.Float64() - 0.5), Z: size * (rng.Float64() - 0.5)}
	}
	for range 2000 {
		pose := geom.Pose{R: geom.AxisAngle(randomUnit(rng), 3*rng.Float64()), P: vec(2)}
		poseE := geom.Pose{R: geom.AxisAngle(randomUnit(rng), 3*rng.Float64()), P: vec(2)}
		core := &convex.Core{Kind: convex.Box, Center: vec(1), Half: geom.Vec{X: 0.01, Y: rng.Float64(), Z: rng.Float64()}}
		grow := 0.1 * rng.Float64()
		var h itemSearch
		h.around(core, &pose, &poseE, grow)
		for range 20 {
			x := vec(2.5)
			x.X *= 0.1
			p := poseE.ApplyInv(pose.Apply(r3.Add(x, core.Center)))
			within := math.Abs(x.X) <= core.Half.X+grow && math.Abs(x.Y) <= core.Half.Y+grow && math.Abs(x.Z) <= core.Half.Z+grow
			d := h.depth(&geom.Box{Min: p, Max: p})
			if within != (d >= 0) && math.Abs(d) > 1e-9 {
				t.Fatalf("%v in a box of %v, grown by %g: %v, but %g deep", x, core.Half, grow, within, d)
			}
			switch i := &h.item; {
			case within:
				in++
			case p.X >= i.Min.X && p.X <= i.Max.X && p.Y >= i.Min.Y && p.Y <= i.Max.Y && p.Z >= i.Min.Z && p.Z <= i.Max.Z:
				beside++
			}
		}
	}
	if in < 1000 || beside < 1000 {
		t.Errorf("%d points are in boxes, %d only in those around: a poor test", in, beside)
	}
}

// A triangle that is on one side of another's plane does not touch it.
func TestAside(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	random := func() tri.Triangle {
		at := geom.Vec{X: rng.Float64(), Y: rng.Float64(), Z: rng.Float64()}
		v := func() geom.Vec { return r3.Add(at, r3.Scale(0.5*rng.Float64(), randomUnit(rng))) }
		return tri.Triangle{v(), v(), v()}
	}
	says := 0
	for range 20000 {
		a, b, reach := random(), random(), 0.1*rng.Float64()
		if aside(&a, &b, reach) {
			says++
			if d := tri.Distance(&a, &b).Distance; d < reach*(1-1e-9) {
				t.Fatalf("%v and %v are %g apart, not %g", a, b, d, reach)
			}
		}
	}
	if says < 2000 {
		t.Errorf("only %d pairs were told apart", says)
	}
}

// A yes or no that is searched in the order of time, as where too many intervals
// wait, has the answer of the first contact and proves nothing of what is after it.
func TestYesOrNoInTheOrderOfTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	contacts := 0
	for range 60 {
		r := crownRig(t, rng)
		r.bind(t, robots.Move([]float64{rng.Float64() - 1, rng.Float64()}, []float64{rng.Float64() - 0.5, rng.Float64() - 0.5}, []float64{0, 3}))
		first := r.check(motion.Query{})
		r.w.begin(context.Background(), &motion.Query{Question: motion.IsFree})
		r.w.start.Set(r.bound)
		s := search{w: r.w, anyTouch: true}
		var v motion.Verdict
		r.w.follow(&s, r.bound, &motion.Query{Question: motion.IsFree}, &v)
		if v.Status != first.Status {
			t.Fatalf("in the order of time the answer is %v, else %v", v.Status, first.Status)
		}
		if v.Status == motion.Contact {
			contacts++
			if v.ProvenUntil > first.TOC.Hi {
				t.Fatalf("free until %g, but there is a contact at %g", v.ProvenUntil, first.TOC.Hi)
			}
		}
	}
	if contacts < 15 {
		t.Errorf("only %d contacts", contacts)
	}
}

// crossing tries every triangle of one element of a pair against every one of the other.
func (r *rig) crossing(pair int32) bool {
	q, p := &r.model.Pairs[pair], r.w.at.Pair(pair)
	a, b := &r.model.Elements[q.A], &r.model.Elements[q.B]
	for i := range a.Leaves.Tree.Nodes {
		for k := range b.Leaves.Tree.Nodes {
			if a.Leaves.Tree.Nodes[i].Left >= 0 || b.Leaves.Tree.Nodes[k].Left >= 0 {
				continue
			}
			var one, other volume.Scratch
			d := convex.Distance(volume.Core(a, int32(i), &one), &p.A.Pose, volume.Core(b, int32(k), &other), &p.B.Pose, nil)
			if d.Overlap || d.Distance <= motion.DefaultTolerance {
				return true
			}
		}
	}
	return false
}

// What looking into two links finds is a touch, and it finds most there are.
func TestLookingIntoTwoLinks(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	touch, found, apart := 0, 0, 0
	for range 30 {
		part := func(n int, radius, height float64) []urdf.Collision {
			pose := geom.Pose{R: geom.AxisAngle(randomUnit(rng), rng.Float64()*3), P: r3.Scale(0.1*rng.Float64(), randomUnit(rng))}
			return []urdf.Collision{{PoseLS: pose, Shape: &shape.Shape{Kind: shape.Mesh, Mesh: crown(n, radius, height)}}}
		}
		robot := robots.Of(nil,
			robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: part(24, 0.3, 0.2)},
			robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Parts: part(16, 0.1+0.2*rng.Float64(), 0.1)},
		)
		r := newRig(t, robot, nil, 0, robots.Move([]float64{0, 1}, []float64{0, 1}))
		for range 20 {
			r.bind(t, robots.Move([]float64{0.8 * (rng.Float64() - 0.5)}, []float64{0.8 * (rng.Float64() - 0.5)}))
			r.w.begin(context.Background(), &motion.Query{})
			r.w.selectPairs(&motion.Query{})
			r.w.at.ReachFor(r.bound)
			r.w.load(r.bound, 0)
			r.w.place(0.5, 0.5, 0.5)
			s := search{w: r.w, anyTouch: true}
			if !s.looksAtMeshes(entry{0, volume.Whole, volume.Whole}) {
				t.Fatal("two meshes at an instant are not looked at")
			}
			saw, is := s.lookIntoPair(0), r.crossing(0)
			switch {
			case saw && !is:
				t.Fatal("a touch was made up")
			case saw:
				found++
				w := &s.res.touch
				if d := geom.Norm(r3.Sub(w.A, w.B)); w.Distance > motion.DefaultTolerance || d > w.Distance+1e-9 {
					t.Fatalf("the witness's points are %g m apart, its distance is %g", d, w.Distance)
				}
				fallthrough
			case is:
				touch++
			default:
				apart++
			}
		}
	}
	if touch < 50 || apart < 50 || found < touch*95/100 {
		t.Errorf("%d configurations touch, of which %d were found, and %d do not", touch, found, apart)
	}
}

package static

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

type dice struct{ *rand.Rand }

func (d dice) vec(size float64) geom.Vec {
	return geom.Vec{X: size * d.NormFloat64(), Y: size * d.NormFloat64(), Z: size * d.NormFloat64()}
}

func (d dice) pose(size float64) geom.Pose {
	u, _ := geom.Unit(d.vec(1))
	return geom.Pose{R: geom.AxisAngle(u, 2*math.Pi*d.Float64()), P: d.vec(size)}
}

func (d dice) leaf() leaf {
	l := leaf{kind: kind(d.IntN(6)), pose: d.pose(0.5), half: geom.Vec{X: 0.02 + 0.2*d.Float64(), Y: 0.02 + 0.2*d.Float64(), Z: 0.02 + 0.2*d.Float64()}}
	switch l.kind {
	case triangle:
		c := d.vec(0.5)
		l = leaf{v: [3]geom.Vec{r3.Add(c, d.vec(0.2)), r3.Add(c, d.vec(0.2)), r3.Add(c, d.vec(0.2))}}
	case sphere:
		l.half, l.round = geom.Vec{}, 0.2*d.Float64()
	case capsule:
		l.half, l.round = geom.Vec{Z: l.half.Z}, 0.2*d.Float64()
	}
	return l
}

// point is some point of a leaf.
func (d dice) point(l *leaf) geom.Vec {
	if l.kind == triangle {
		a, b := d.Float64(), d.Float64()
		if a+b > 1 {
			a, b = 1-a, 1-b
		}
		return r3.Add(l.v[0], r3.Add(r3.Scale(a, r3.Sub(l.v[1], l.v[0])), r3.Scale(b, r3.Sub(l.v[2], l.v[0]))))
	}
	x := geom.Vec{X: l.half.X * (2*d.Float64() - 1), Y: l.half.Y * (2*d.Float64() - 1), Z: l.half.Z * (2*d.Float64() - 1)}
	if l.kind == cylinder || l.kind == cone {
		r, a := l.half.X*math.Sqrt(d.Float64()), 2*math.Pi*d.Float64()
		if l.kind == cone {
			r *= (1 - x.Z/l.half.Z) / 2
		}
		x.X, x.Y = r*math.Cos(a), r*math.Sin(a)
	}
	u, _ := geom.Unit(d.vec(1))
	return l.pose.Apply(r3.Add(x, r3.Scale(l.round*d.Float64(), u)))
}

// No two points are nearer than the gap, and no plane shows much more.
func TestGap(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	var apart int
	for range 2000 {
		a, b := d.leaf(), d.leaf()
		g, _ := gap(&a, &b, 0, math.Inf(1))
		near := math.Inf(1)
		for range 300 {
			near = math.Min(near, geom.Norm(r3.Sub(d.point(&a), d.point(&b))))
		}
		if near < g-1e-12 {
			t.Errorf("points of %v and %v are %g apart, the gap is %g", a, b, near, g)
		}
		best := math.Inf(-1)
		for range 300 {
			n, _ := geom.Unit(d.vec(1))
			best = math.Max(best, r3.Dot(n, b.support(r3.Scale(-1, n)))-r3.Dot(n, a.support(n))-a.round-b.round)
		}
		if best > 0 && g < 0.97*best {
			t.Errorf("%v and %v: a plane shows %g, the gap is %g", a, b, best, g)
		}
		if g > 0 {
			apart++
			x := d.point(&b)
			if far := a.away(x); far > geom.Norm(r3.Sub(x, d.point(&a)))+1e-12 || far < 0 || a.kind != cone && far < g-1e-12 {
				t.Errorf("%v is %g from %v, the gap to %v is %g", x, far, a, b, g)
			}
		}
	}
	if apart < 500 {
		t.Errorf("only %d apart", apart)
	}
}

// soup is triangles somewhere.
func (d dice) soup(n int) []leaf {
	out := make([]leaf, n)
	for i := range out {
		c := d.vec(0.3)
		for k := range out[i].v {
			out[i].v[k] = r3.Add(c, d.vec(0.05))
		}
	}
	return out
}

// brute is the least gap of all pairs of leaves.
func brute(a, b *piece, ofB geom.Pose) float64 {
	least := math.Inf(1)
	for i := range a.leaves {
		for k := range b.leaves {
			var m leaf
			b.leaves[k].moved(&ofB, &m)
			g, _ := gap(&a.leaves[i], &m, 0, math.Inf(1))
			least = math.Min(least, g)
		}
	}
	return least
}

// The search of two trees finds what all pairs of leaves have, to what slack says.
func TestSearch(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(3, 4))}
	var apart, touching int
	for range 300 {
		a, b := newPiece(0, 0, d.soup(1+d.IntN(30))), newPiece(1, 0, d.soup(1+d.IntN(30)))
		if d.IntN(4) == 0 {
			b = newPiece(1, 0, []leaf{d.leaf()})
		}
		s := search{a: a, b: b, ofB: d.pose(0.4), limit: 0.01 * d.Float64()}
		want := brute(a, b, s.ofB)
		const most = 0.9
		got := s.distance(most, [2]int32{-1, -1})
		switch {
		case want <= s.limit:
			touching++
			if got > s.limit {
				t.Errorf("%g apart, found %g", want, got)
			}
		case got > want/0.98 || // brute may fall short by 2 %
			got-s.limit < 0.99*slack*(math.Min(want, most)-s.limit):
			t.Errorf("%g apart, found %g", want, got)
		default:
			apart++
			if p := s.parted(s.along); p > want/0.98 {
				t.Errorf("%g apart, a plane shows %g", want, p)
			}
		}
	}
	if apart < 50 || touching < 20 {
		t.Errorf("%d apart, %d touching", apart, touching)
	}
}

// No point moves farther than moved says, and where a body turns about its middle some
// move as far.
func TestMoved(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(7, 8))}
	for range 500 {
		before, after, r := d.pose(1), d.pose(1), d.Float64()
		turn, _ := geom.Unit(d.vec(1))
		after.R = geom.AxisAngle(turn, d.NormFloat64()).Mul(before.R)
		if d.IntN(2) == 0 {
			after.P = before.P
		}
		p := pair{rot: before.R, mid: before.P}
		most, far := p.moved(r, &after.R, after.P), 0.0
		for range 200 {
			y, _ := geom.Unit(d.vec(1))
			y = r3.Scale(r, y)
			if d.IntN(2) == 0 { // across the axis, where points move most
				y, _ = geom.Unit(r3.Cross(before.R.ApplyInv(turn), y))
				y = r3.Scale(r, y)
			}
			far = math.Max(far, geom.Norm(r3.Sub(after.Apply(y), before.Apply(y))))
		}
		if far > most+1e-14 || after.P == before.P && far < most*(1-1e-6) {
			t.Errorf("points moved by %g, the bound is %g", far, most)
		}
	}
}

func meshOf(leaves []leaf) *shape.Shape {
	m := &mesh.Mesh{}
	for i := range leaves {
		n := int32(len(m.Vertices))
		m.Vertices = append(m.Vertices, leaves[i].v[:]...)
		m.Triangles = append(m.Triangles, [3]int32{n, n + 1, n + 2})
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// arm is a robot of three links with a mesh, a follower and a slide.
func (d dice) arm() *urdf.Robot {
	r := &urdf.Robot{Name: "arm"}
	link := func(s ...*shape.Shape) {
		l := urdf.Link{Name: string(rune('a' + len(r.Links))), ParentJoint: len(r.Links) - 1}
		for _, s := range s {
			l.Collisions = append(l.Collisions, urdf.Collision{PoseLS: d.pose(0.1), Shape: s})
		}
		r.Links = append(r.Links, l)
	}
	joint := func(k urdf.JointType, mimic *urdf.Mimic) {
		u, _ := geom.Unit(d.vec(1))
		n := len(r.Joints)
		r.Joints = append(r.Joints, urdf.Joint{Name: string(rune('p' + n)), Type: k, Parent: n, Child: n + 1, PosePC: d.pose(0.3), Axis: u, Mimic: mimic})
	}
	link(&shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.2, Y: 0.3, Z: 0.1}})
	link(meshOf(d.soup(20)))
	link(&shape.Shape{Kind: shape.Cylinder, Radius: 0.05, Length: 0.4})
	link(&shape.Shape{Kind: shape.Sphere, Radius: 0.05}, meshOf(d.soup(5)))
	link(&shape.Shape{Kind: shape.Cone, Radius: 0.1, Length: 0.2})
	joint(urdf.Revolute, nil)
	joint(urdf.Fixed, nil)
	joint(urdf.Prismatic, nil)
	joint(urdf.Continuous, &urdf.Mimic{Joint: 0, Multiplier: -0.5, Offset: 0.3})
	return r
}

// poseOf is forward kinematics once more, link by link.
func poseOf(r *urdf.Robot, link int, q map[int]float64) geom.Pose {
	if link == r.Root {
		return geom.IdentityPose()
	}
	j := r.Links[link].ParentJoint
	joint := &r.Joints[j]
	x := q[j]
	if m := joint.Mimic; m != nil {
		x = m.Multiplier*q[m.Joint] + m.Offset
	}
	move := geom.IdentityPose()
	switch joint.Type {
	case urdf.Revolute, urdf.Continuous:
		move.R = geom.AxisAngle(joint.Axis, x)
	case urdf.Prismatic:
		move.P = r3.Scale(x, joint.Axis)
	}
	return poseOf(r, joint.Parent, q).Mul(joint.PosePC).Mul(move)
}

// A judge that follows a motion must doubt, at each pose, what a search through all
// pairs of leaves finds within the claim, whatever it has seen before; and little else.
func TestDoubts(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(5, 6))}
	var doubted, sure, needless, searches int
	for range 30 {
		r := d.arm()
		wall := scene.Object{ID: "wall", PoseWS: d.pose(0.4), Shape: meshOf(d.soup(10))}
		ball := scene.Object{ID: "ball", PoseWS: d.pose(0.4), Shape: &shape.Shape{Kind: shape.Capsule, Radius: 0.05, Length: 0.1}}
		j, err := New(r, []string{"p", "r"}, [][2]string{{"a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Surround([]scene.Object{wall, ball}); err != nil {
			t.Fatal(err)
		}
		from, to := []float64{6 * d.Float64(), 0.2 * d.NormFloat64()}, []float64{6 * d.Float64(), 0.2 * d.NormFloat64()}
		for i := range 100 {
			k := float64(i) / 99
			q := []float64{(1-k)*from[0] + k*to[0], (1-k)*from[1] + k*to[1]}
			claim := []float64{0, 0, j.Most() * d.Float64()}[d.IntN(3)]
			j.Place(q)
			doubts := map[[2]string]bool{}
			for _, p := range j.Doubts(claim, false) {
				doubts[[2]string{p.A, p.B}], doubts[[2]string{p.B, p.A}] = true, true
			}
			for a := range j.pieces {
				for b := range a {
					x, y := j.pieces[a], j.pieces[b]
					names := [2]string{j.names[x.body], j.names[y.body]}
					if x.body == y.body || names == [2]string{"b", "a"} || int(y.body) >= j.links {
						continue
					}
					want := brute(x, y, frameOf(r, j, x, q).Inv().Mul(frameOf(r, j, y, q)))
					switch {
					case !doubts[names] && want <= 0.98*claim: // brute may fall short by 2 %
						t.Errorf("%v are %g apart at %v, which the judge takes for more than %g", names, want, q, claim)
					case !doubts[names]:
						sure++
					case want > 1.03*claim+3*Near:
						needless++
					default:
						doubted++
					}
				}
			}
		}
		searches += j.Searches
	}
	t.Logf("%d doubted, %d needlessly, %d sure, %d searches", doubted, needless, sure, searches)
	if searches > (doubted+sure)/2 {
		t.Errorf("%d searches: nothing is remembered", searches)
	}
	// Links of two pieces are named for both.
	if doubted < 1000 || sure < 5000 || needless > doubted {
		t.Error("too little was tried")
	}
}

// frameOf is the pose of a piece's frame, by other kinematics than the judge's.
func frameOf(r *urdf.Robot, j *Judge, p *piece, q []float64) geom.Pose {
	if int(p.body) >= j.links {
		return j.at[p.frame]
	}
	return poseOf(r, int(p.body), map[int]float64{0: q[0], 2: q[1]}).Mul(j.chain.poseFL[p.body].Inv())
}

// cube is a closed mesh, turned inward if so told, with or without its lid.
func cube(h float64, inward, lid bool) []leaf {
	var out []leaf
	for axis := range 3 {
		for _, s := range []float64{-1, 1} {
			if axis == 2 && s > 0 && !lid {
				continue
			}
			corner := func(u, v float64) geom.Vec {
				var x [3]float64
				x[axis], x[(axis+1)%3], x[(axis+2)%3] = s*h, u*h, v*h
				return geom.Vec{X: x[0], Y: x[1], Z: x[2]}
			}
			q := [4]geom.Vec{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)}
			if (s < 0) != inward {
				q[1], q[3] = q[3], q[1]
			}
			out = append(out, leaf{v: [3]geom.Vec{q[0], q[1], q[2]}}, leaf{v: [3]geom.Vec{q[0], q[2], q[3]}})
		}
	}
	return out
}

// What a closed part of a mesh encloses belongs to it, whatever way its faces are turned;
// the inside of a pot does not.
func TestInside(t *testing.T) {
	r := &urdf.Robot{
		Name: "probe", Links: []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "ball", Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.05}}}}},
		Joints: []urdf.Joint{{Name: "slide", Type: urdf.Prismatic, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}}},
	}
	for name, c := range map[string]struct {
		leaves []leaf
		inside bool
	}{
		"cube":        {cube(0.5, false, true), true},
		"turned":      {cube(0.5, true, true), true},
		"with cavity": {append(cube(0.5, false, true), cube(0.4, true, true)...), true},
		"nested":      {append(cube(0.5, false, true), cube(0.4, false, true)...), true},

		"doubled":            {append(cube(0.5, false, true), cube(0.5, false, true)...), true},
		"two-sided":          {append(cube(0.5, false, true), cube(0.5, true, true)...), true},
		"pot":                {cube(0.5, false, false), false},
		"doubled pot":        {append(cube(0.5, false, false), cube(0.5, false, false)...), false},
		"two-sided pot":      {append(cube(0.5, false, false), cube(0.5, true, false)...), false},
		"with a fin":         {append(cube(0.5, false, true), fin()), true},
		"sharing a vertex":   {append(cube(0.5, false, true), twisted()...), true},
		"wall stored once":   {besides(false), true},
		"wall stored twice":  {besides(true), true},
		"one face the other": {append(cube(0.5, false, true)[1:], cube(0.5, true, true)[1]), true},
	} {
		j, err := New(r, []string{"slide"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Surround([]scene.Object{{ID: "mesh", PoseWS: geom.IdentityPose(), Shape: meshOf(c.leaves)}}); err != nil {
			t.Fatal(err)
		}
		for _, q := range []struct {
			z    float64
			want bool
		}{{2, false}, {0, c.inside}, {0.1, c.inside}, {0.5, !strings.Contains(name, "pot")}, {0, c.inside}, {0.7, false}} {
			j.Place([]float64{q.z})
			if got := len(j.Doubts(0, true)) > 0; got != q.want {
				t.Errorf("%s, ball at %g: doubt %v", name, q.z, got)
			}
		}
		// Out of the mesh in one leap and back: what was seen outside says nothing.
		for i := range 40 {
			z := []float64{0, 3}[i%2]
			j.Place([]float64{z})
			if got := len(j.Doubts(0, true)) > 0; got != (c.inside && z == 0) {
				t.Errorf("%s, ball at %g: doubt %v", name, z, got)
			}
		}
	}
}

// fin is a triangle that stands on an edge of a cube of half side 0.5.
func fin() leaf {
	return leaf{v: [3]geom.Vec{{X: 0.5, Y: 0.5, Z: -0.5}, {X: 0.5, Y: 0.5, Z: 0.5}, {X: 0.9, Y: 0.9}}}
}

// twisted is a tetrahedron that shares a corner of such a cube and has its middle inside too.
func twisted() []leaf {
	a, b, c, d := geom.Vec{X: -0.5, Y: -0.5, Z: -0.5}, geom.Vec{X: 0.4, Y: 0.1}, geom.Vec{X: 0.1, Y: 0.4}, geom.Vec{X: 0.1, Y: 0.1, Z: 0.45}
	return []leaf{{v: [3]geom.Vec{a, c, b}}, {v: [3]geom.Vec{a, b, d}}, {v: [3]geom.Vec{b, c, d}}, {v: [3]geom.Vec{c, a, d}}}
}

// besides are two boxes with a wall in common at x = 0.2, stored once or twice; the ball is in the left one.
func besides(twice bool) []leaf {
	var out []leaf
	for i, l := range cube(0.5, false, true) {
		at := func(x0, x1 float64) leaf {
			for k := range l.v {
				if l.v[k].X < 0 {
					l.v[k].X = x0
				} else {
					l.v[k].X = x1
				}
			}
			return l
		}
		left := at(-0.5, 0.2)
		l = cube(0.5, false, true)[i]
		for k := range l.v { // mirrored, so that both walls are cut the same way
			l.v[k].X = -l.v[k].X
		}
		right := at(0.2, 0.7)
		out = append(out, left)
		if twice || right.v[0].X != 0.2 || right.v[1].X != 0.2 || right.v[2].X != 0.2 {
			out = append(out, right)
		}
	}
	return out
}

func TestWhatIsNotJudged(t *testing.T) {
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 1}
	r := &urdf.Robot{Name: "r", Links: []urdf.Link{{Name: "a", ParentJoint: -1}, {Name: "b"}}, Joints: []urdf.Joint{{Name: "j", Type: urdf.Floating, Child: 1}}}
	if _, err := New(r, nil, nil); err == nil {
		t.Error("a floating joint")
	}
	r.Joints[0].Type = urdf.Revolute
	if _, err := New(r, []string{"k"}, nil); err == nil {
		t.Error("a joint that is not there")
	}
	r.Links[1].Collisions = []urdf.Collision{{Shape: &shape.Shape{Kind: shape.Cells}}}
	if _, err := New(r, []string{"j"}, nil); err == nil {
		t.Error("cells")
	}
	r.Links[1].Collisions[0].Shape = ball
	j, err := New(r, []string{"j"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []scene.Object{{ID: "o", Shape: ball, Padding: 1}, {ID: "o", Shape: ball, AttachedTo: "a"}} {
		if j.Surround([]scene.Object{o}) == nil {
			t.Errorf("%+v", o)
		}
	}
	j.Place([]float64{0})
	if len(j.Doubts(j.Most()+1, true)) == 0 {
		t.Error("a claim beyond what is judged is not in doubt")
	}
}

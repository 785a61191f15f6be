package articulate

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// fromShell is how far a point is from the nearest triangle.
func fromShell(s *Tessellation, p geom.Vec) float64 {
	least := math.Inf(1)
	for i := range s.Triangles {
		t := tri.Triangle(s.Triangles[i])
		least = min(least, r3.Norm(r3.Sub(p, tri.ClosestPoint(&t, p))))
	}
	return least
}

// fromLine is how far a point is from an element's line at some time of many.
func fromLine(s *stage, l *LSS, frame int, p geom.Vec, times int) float64 {
	least := math.Inf(1)
	for i := range times + 1 {
		s.at(float64(i) / float64(times))
		pose := s.state.PoseWF[frame]
		at := LSS{A: pose.Apply(l.A), B: pose.Apply(l.B)}
		least = min(least, at.Distance(p))
	}
	return least
}

// Paths' derivatives are those of the points: each is a difference of the one before it.
func TestPathsHoldDerivatives(t *testing.T) {
	for i := range uint64(60) {
		d := newChance(31, i)
		s := randomStage(t, d, 1+d.IntN(5), 1)
		f := len(s.model.Tree.Frames) - 1
		p := d.Vec(0.5)
		const step = 1e-5
		x := d.In(0.1, 0.9)
		c := s.mover.path(f, p, x-step, x+step)
		s.at(x)
		if at := s.state.PoseWF[f].Apply(p); !holds(c[0], at, 1e-12) {
			t.Fatalf("case %d: %v is not in %v", i, at, c[0])
		}
		for k := 1; k < orders; k++ {
			before, after := s.mover.path(f, p, x-step/2, x-step/2), s.mover.path(f, p, x+step/2, x+step/2)
			rise := r3.Scale(1/step, r3.Sub(after[k-1].Mid(), before[k-1].Mid())) // the derivative somewhere between
			size := 1 + c[k].Norm().Hi
			if !holds(c[k], rise, 1e-6*size) {
				t.Fatalf("case %d: derivative %d, %v, is not in %v", i, k, rise, c[k])
			}
			if w := geom.Norm(width(c[k])); w > 0.2*size {
				t.Fatalf("case %d: derivative %d is %g wide, its size %g", i, k, w, size)
			}
		}
	}
}

// Jets of the second order are those of functions of two variables, and what is said of the
// unit vector's derivatives bounds them.
func TestJets(t *testing.T) {
	const h = 1e-3
	for i := range uint64(200) {
		d := newChance(32, i)
		a, b, c := d.Vec(1), d.Vec(1), d.Vec(1)
		jets := func(tt, ss float64) jetVec {
			one := func(a, b float64) jet { // (t + a)^2 (s + b) + (s + b)
				x := jet{f: interval.Point(tt + a), t: interval.Point(1)}
				y := jet{f: interval.Point(ss + b), s: interval.Point(1)}
				return x.mul(y).mul(x).add(y)
			}
			return jetVec{one(a.X, b.X), one(a.Y, b.Y), one(a.Z, b.Z)}.cross(constant(c))
		}
		f := func(tt, ss float64) geom.Vec {
			j := jets(tt, ss)
			return geom.Vec{X: j.x.f.Mid(), Y: j.y.f.Mid(), Z: j.z.f.Mid()}
		}
		j := jets(0, 0)
		by := differences(f, h)
		for _, got := range []struct {
			name string
			is   geom.Vec
			want geom.Vec
		}{
			{"t", mids(j.x.t, j.y.t, j.z.t), by.t},
			{"s", mids(j.x.s, j.y.s, j.z.s), by.s},
			{"tt", mids(j.x.tt, j.y.tt, j.z.tt), by.tt},
			{"ts", mids(j.x.ts, j.y.ts, j.z.ts), by.ts},
			{"ss", mids(j.x.ss, j.y.ss, j.z.ss), by.ss},
		} {
			if r3.Norm(r3.Sub(got.is, got.want)) > 1e-5*(1+r3.Norm(got.want)) {
				t.Errorf("case %d: the derivative by %s is %v, not %v", i, got.name, got.is, got.want)
			}
		}
		if r3.Norm(f(0, 0)) < 0.1 {
			continue
		}
		n := j.sizes()
		most := n.unit()
		real := differences(func(tt, ss float64) geom.Vec { return r3.Unit(f(tt, ss)) }, h)
		for _, x := range [][2]float64{
			{r3.Norm(real.t), most.t},
			{r3.Norm(real.s), most.s},
			{r3.Norm(real.tt), most.tt},
			{r3.Norm(real.ts), most.ts},
			{r3.Norm(real.ss), most.ss},
		} {
			if x[0] > x[1]*(1+1e-3)+1e-4 {
				t.Errorf("case %d: a derivative of %g is said to be below %g", i, x[0], x[1])
			}
		}
	}
}

func mids(x, y, z interval.I) geom.Vec { return geom.Vec{X: x.Mid(), Y: y.Mid(), Z: z.Mid()} }

// derivatives are those of a vector.
type derivatives struct{ t, s, tt, ts, ss geom.Vec }

// differences works them out at 0, 0.
func differences(f func(t, s float64) geom.Vec, h float64) derivatives {
	minus := func(a, b geom.Vec) geom.Vec { return r3.Sub(a, b) }
	mid := f(0, 0)
	second := func(a, b geom.Vec) geom.Vec {
		return r3.Scale(1/(h*h), r3.Sub(r3.Add(a, b), r3.Scale(2, mid)))
	}
	return derivatives{
		t:  r3.Scale(1/(2*h), minus(f(h, 0), f(-h, 0))),
		s:  r3.Scale(1/(2*h), minus(f(0, h), f(0, -h))),
		tt: second(f(h, 0), f(-h, 0)), ss: second(f(0, h), f(0, -h)),
		ts: r3.Scale(1/(4*h*h), minus(r3.Add(f(h, h), f(-h, -h)), r3.Add(f(h, -h), f(-h, h)))),
	}
}

// No point of the true swept surface is farther from the triangles than is said.
func TestTessellationHoldsItsEpsilon(t *testing.T) {
	done, points := 0, 0
	for i := uint64(0); i < uint64(60*long()) && done < 5*long(); i++ {
		d := newChance(33, i)
		s := randomStage(t, d, 1+d.IntN(3), 0.4)
		links := NewLinkBVH(s.model)
		w := NewSweeper(links, s.mover)
		w.Load()
		k := d.IntN(s.model.Real)
		l, frame := &links.LSS[k], s.model.Elements[k].Frame
		shell, err := w.Tessellate(k, 0, 1, l.Radius/8)
		if err != nil {
			continue
		}
		done++
		if shell.Epsilon > l.Radius/4 {
			t.Errorf("case %d: epsilon %g for a radius of %g", i, shell.Epsilon, l.Radius)
		}
		for range 25 {
			s.at(d.Float64())
			pose := s.state.PoseWF[frame]
			on := r3.Add(l.A, r3.Scale(d.Float64(), r3.Sub(l.B, l.A)))
			p := r3.Add(pose.Apply(on), r3.Scale(l.Radius, d.Unit()))
			// Push it out until it is on the boundary.
			for range 30 {
				far := fromLine(s, l, frame, p, 100)
				if far >= l.Radius-1e-5 {
					break
				}
				p = pushedOut(s, l, frame, p, l.Radius)
			}
			if math.Abs(fromLine(s, l, frame, p, 1000)-l.Radius) > 1e-5 {
				continue
			}
			points++
			if far := fromShell(shell, p); far > shell.Epsilon+2e-5 {
				t.Fatalf("case %d: a point of the surface is %g from the triangles, epsilon %g", i, far, shell.Epsilon)
			}
		}
	}
	if done < 5 || points < 30 {
		t.Errorf("%d volumes and %d points looked at", done, points)
	}
}

// pushedOut moves a point away from the place of the line that is nearest to it.
func pushedOut(s *stage, l *LSS, frame int, p geom.Vec, to float64) geom.Vec {
	least, from := math.Inf(1), geom.Vec{}
	for i := range 101 {
		s.at(float64(i) / 100)
		pose := s.state.PoseWF[frame]
		at := LSS{A: pose.Apply(l.A), B: pose.Apply(l.B)}
		if far := at.Distance(p); far < least {
			least, from = far, at.nearest(p)
		}
	}
	n, _ := geom.Unit(r3.Sub(p, from))
	return r3.Add(from, r3.Scale(to, n))
}

// The paper's stage on the CPU leaves out only what is apart, as slices do.
func TestTessellationCullerLeavesOutOnlyWhatIsApart(t *testing.T) {
	near, left, all := 0, 0, 0
	var shells, sliced int
	for i := range uint64(6) {
		d := newChance(34, i)
		s := worldStage(t, d, 1+d.IntN(3), 14, 0.6)
		links := NewLinkBVH(s.model)
		w := NewSweeper(links, s.mover)
		w.Load()
		c := NewTessellationCuller(w)
		c.Tolerance = 0.03
		clearance := []float64{0, 0.1}[d.IntN(2)]
		touched := map[[2]int]bool{}
		for k := range links.LSS {
			e := &s.model.Elements[k]
			if s.model.Bodies[e.Body].Link < 0 || len(s.model.Tree.Chain(e.Frame)) == 0 {
				continue
			}
			var v SweptVolume
			w.Sweep(k, 0, 0, 1, &v)
			c.Cull(&v, clearance, func(int32) bool { return true }, func(item int32) {
				touched[[2]int{k, int(s.model.World.Items[item].Element)}] = true
			})
		}
		a, _, b := c.Shells()
		shells, sliced = shells+a, sliced+b
		for range 10 {
			s.at(d.Float64())
			for k := range s.model.Pairs {
				p := &s.model.Pairs[k]
				if !p.World || len(s.model.Tree.Chain(s.model.Elements[p.A].Frame)) == 0 {
					continue
				}
				all++
				hit := touched[[2]int{p.A, p.B}] || touched[[2]int{p.B, p.A}]
				if !hit {
					left++
				}
				if dist := s.distance(p.A, p.B); dist <= clearance {
					near++
					if !hit {
						t.Fatalf("case %d: pair %d of clearance %g was culled and is %g apart", i, k, clearance, dist)
					}
				}
			}
		}
	}
	t.Logf("%d of %d left out, %d close; %d volumes tessellated, %d singular", left, all, near, shells, sliced)
	if near < 30 || left < all/4 || shells < 15 {
		t.Errorf("%d of %d left out, %d close; %d volumes tessellated, %d singular", left, all, near, shells, sliced)
	}
}

// rod is a robot of one capsule along z that is moved by one joint.
func rod(t testing.TB, kind urdf.JointType, axis, at geom.Vec, world *scene.Snapshot, ctrl ...float64) *stage {
	return rodAt(t, geom.IdentityPose(), kind, axis, at, world, ctrl...)
}

// rodAt is rod with the joint somewhere else.
func rodAt(t testing.TB, joint geom.Pose, kind urdf.JointType, axis, at geom.Vec, world *scene.Snapshot, ctrl ...float64) *stage {
	r := &urdf.Robot{
		Name: "rod", Links: []urdf.Link{{Name: "l0", ParentJoint: -1}, {Name: "l1", ParentJoint: 0}},
		Joints: []urdf.Joint{{Name: "j", Type: kind, Parent: 0, Child: 1, PosePC: joint, Axis: axis}},
	}
	r.Links[1].Collisions = []urdf.Collision{{
		PoseLS: geom.Translation(at), Shape: &shape.Shape{Kind: shape.Capsule, Radius: 0.1, Length: 1},
	}}
	return newStage(t, r, world, 0, false, motionOf([]string{"j"}, ctrl))
}

// speck is a small triangle about a point, across the direction n.
func speck(at, n geom.Vec, size float64) scene.Object {
	x, y := across(n)
	m := &mesh.Mesh{Triangles: [][3]int32{{0, 1, 2}}, Vertices: []geom.Vec{
		r3.Scale(size, x), r3.Scale(size, y), r3.Scale(-size, r3.Add(x, y)),
	}}
	return scene.Object{ID: "speck", Shape: &shape.Shape{Kind: shape.Mesh, Mesh: m}, PoseWS: geom.Translation(at)}
}

// Triangles lie inside of what bulges out: something that the swept surface comes close to
// between the corners of a facet is farther from the triangles. Taken as published, the stage culls it; with
// Epsilon, and by slices, it does not.
func TestTessellationWithoutEpsilonMissesContacts(t *testing.T) {
	missed := 0
	for i := range uint64(20) {
		d := newChance(35, i)
		// The rod is swung about x; its tip's way is a circle of radius 1.5 and its far side
		// one of 1.6, to which the speck is nearer than the clearance by a hundredth of the
		// tolerance.
		angle := d.In(0.1, 1.1)
		out := geom.Vec{Y: -math.Sin(angle), Z: math.Cos(angle)}
		const tol, clearance = 0.02, 0.05
		world := &scene.Snapshot{Objects: []scene.Object{speck(r3.Scale(1.6+clearance-tol/100, out), out, 1e-4)}}
		s := rod(t, urdf.Revolute, geom.Vec{X: 1}, geom.Vec{Z: 1}, world, 0, 1.2)
		if s.at(angle / 1.2); s.distance(0, 1) > clearance {
			t.Fatalf("the speck is %g from the rod", s.distance(0, 1))
		}
		links := NewLinkBVH(s.model)
		w := NewSweeper(links, s.mover)
		w.Load()
		var v SweptVolume
		w.Sweep(0, 0, 0, 1, &v)
		hits := func(c Culler) (n int) {
			c.Cull(&v, clearance, func(int32) bool { return true }, func(int32) { n++ })
			return n
		}
		c := NewTessellationCuller(w)
		c.Tolerance = tol
		if hits(c) == 0 {
			t.Fatalf("angle %g: the contact was culled", angle)
		}
		if hits(NewHullCuller(links)) == 0 {
			t.Fatalf("angle %g: slices cull the contact", angle)
		}
		c.Literal = true
		if hits(c) == 0 {
			missed++
		}
		if _, _, sliced := c.Shells(); sliced > 0 {
			t.Fatal("the volume was not tessellated")
		}
	}
	t.Logf("%d of 20 contacts missed without epsilon", missed)
	if missed < 5 {
		t.Errorf("%d of 20 contacts missed without epsilon: this shows little", missed)
	}
}

// literalNormal is (9)'s unit normal as the paper has it, in plain arithmetic.
func literalNormal(a, b, da, db geom.Vec, s float64) geom.Vec {
	n := r3.Cross(r3.Add(da, r3.Scale(s, r3.Sub(db, da))), r3.Sub(b, a))
	return r3.Scale(1/r3.Norm(n), n)
}

// A rod that is pushed along its own axis, or that is swung about a point of it, sweeps a
// surface without a normal there: the literal formula makes corners that are no numbers, and no
// triangle of those touches anything. The slices hold the motion all the same.
func TestOffsetIsSingularWhereTheLineMovesAlongItself(t *testing.T) {
	for _, c := range []struct {
		name string
		kind urdf.JointType
		axis geom.Vec
		at   geom.Vec
		s    float64
	}{
		{"pushed along itself", urdf.Prismatic, geom.Vec{Z: 1}, geom.Vec{}, 0.3},
		{"turned about itself", urdf.Revolute, geom.Vec{Z: 1}, geom.Vec{}, 0.3},
		{"swung about its middle", urdf.Revolute, geom.Vec{X: 1}, geom.Vec{}, 0.5},
		{"swung about its end", urdf.Revolute, geom.Vec{X: 1}, geom.Vec{Z: 0.5}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := rod(t, c.kind, c.axis, c.at, nil, 0, 1)
			links := NewLinkBVH(s.model)
			w := NewSweeper(links, s.mover)
			w.Load()
			l := &links.LSS[0]
			a, b := s.mover.path(1, l.A, 0.5, 0.5), s.mover.path(1, l.B, 0.5, 0.5)
			if r3.Norm(r3.Sub(l.A, c.at)) > 0 && l.A.Z > l.B.Z {
				a, b = b, a
			}
			n := literalNormal(a[0].Mid(), b[0].Mid(), a[1].Mid(), b[1].Mid(), c.s)
			long := r3.Norm(r3.Cross(r3.Add(a[1].Mid(), r3.Scale(c.s, r3.Sub(b[1].Mid(), a[1].Mid()))), r3.Sub(b[0].Mid(), a[0].Mid())))
			if long > 1e-12 {
				t.Errorf("the literal normal is %v, of a vector of length %g", n, long)
			}
			w.noRest = true
			if _, err := w.Tessellate(0, 0, 1, 0.01); !errors.Is(err, ErrSingular) {
				t.Errorf("tessellated: %v", err)
			}
			var v SweptVolume
			w.Sweep(0, 0, 0, 1, &v)
			d := newChance(36, 0)
			for range 300 {
				s.at(d.Float64())
				if p := s.state.PoseWF[1].Apply(d.sample(&s.model.Elements[0])); !among(&v, p) {
					t.Fatalf("%v is not in the slices", p)
				}
			}
		})
	}
}

// Frenet's frame of a pipe does not exist on a straight way: its binormal C' x C” is zero.
// A frame across the velocity does.
func TestFrenetFrameFailsOnStraightMotion(t *testing.T) {
	s := rod(t, urdf.Prismatic, geom.Vec{X: 1}, geom.Vec{}, nil, 0, 0.5)
	w := NewSweeper(NewLinkBVH(s.model), s.mover)
	w.Load()
	w.frenet, w.noRest = true, true
	if _, err := w.Tessellate(0, 0, 1, 0.01); !errors.Is(err, ErrSingular) {
		t.Errorf("by Frenet's frame: %v", err)
	}
	w.frenet, w.noRest = false, false
	shell, err := w.Tessellate(0, 0, 1, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	box := geom.EmptyBox()
	for _, tr := range shell.Triangles {
		for _, p := range tr {
			box = box.Extend(p)
		}
	}
	want := geom.Vec{X: 0.7, Y: 0.2, Z: 1.2}
	if size := r3.Sub(box.Max, box.Min); r3.Norm(r3.Sub(size, want)) > 0.04 {
		t.Errorf("the surface's box is %v, want %v", size, want)
	}
	// On a way that is bent it exists, and makes as good a surface.
	s = rod(t, urdf.Revolute, geom.Vec{X: 1}, geom.Vec{Z: 1}, nil, 0, 0.5)
	w = NewSweeper(NewLinkBVH(s.model), s.mover)
	w.Load()
	w.frenet, w.noRest = true, true
	if _, err := w.Tessellate(0, 0, 1, 0.01); err != nil {
		t.Errorf("by Frenet's frame, on an arc: %v", err)
	}
}

// What is wholly inside the swept volume touches no triangle of its surface.
func TestWhatIsInsideTheVolumeIsHit(t *testing.T) {
	world := &scene.Snapshot{Objects: []scene.Object{speck(geom.Vec{X: 0.25}, geom.Vec{X: 1}, 1e-3)}}
	s := rod(t, urdf.Prismatic, geom.Vec{X: 1}, geom.Vec{}, world, 0, 0.5)
	w := NewSweeper(NewLinkBVH(s.model), s.mover)
	w.Load()
	var v SweptVolume
	w.Sweep(0, 0, 0, 1, &v)
	c := NewTessellationCuller(w)
	for _, literal := range []bool{false, true} {
		c.Literal = literal
		n := 0
		c.Cull(&v, 0, func(int32) bool { return true }, func(int32) { n++ })
		if (n == 0) != literal {
			t.Errorf("literal %t: %d hits", literal, n)
		}
	}
}

// A rest-to-rest motion stands still where it starts and ends: a capsule stands there.
func TestTessellationOfRestToRest(t *testing.T) {
	s := rod(t, urdf.Revolute, geom.Vec{X: 1}, geom.Vec{Z: 1}, nil, 0, 0, 0, 0.6, 0.6, 0.6)
	links := NewLinkBVH(s.model)
	w := NewSweeper(links, s.mover)
	w.Load()
	shell, err := w.Tessellate(0, 0, 1, 0.03)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d triangles, epsilon %.3g", len(shell.Triangles), shell.Epsilon)
	if shell.Epsilon > 0.031 {
		t.Errorf("epsilon %g", shell.Epsilon)
	}
	point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}}
	for i := range shell.Triangles {
		if !geom.Finite(shell.Triangles[i][0]) {
			t.Fatal("a corner is not finite")
		}
		core := convex.Core{Kind: convex.Triangle, Vertices: shell.Triangles[i][:]}
		if convex.Distance(&core, &identity, &point, &identity, nil).Distance < 0.39 {
			t.Fatalf("triangle %d is not near the surface", i)
		}
	}
}

// With the tessellated stage in place of slices the method's verdicts are as right.
func TestTessellatedStageAgreesWithSpacetime(t *testing.T) {
	var c agreement.Tally
	shells := 0
	for i := range 8 * long() {
		r := randomTrial(t, newChance(37, uint64(i)))
		r.w.Options.Tessellate = true
		culler := r.w.culler().(*TessellationCuller)
		culler.Tolerance = 0.03
		q := motion.Query{}
		hold(t, &c, fmt.Sprint("trial ", i), q, r.check(q), r.reference(q))
		n, _, _ := culler.Shells()
		shells += n
	}
	t.Logf("%v, %d volumes tessellated", &c, shells)
	if shells < 2 {
		t.Errorf("%d volumes tessellated: this tests little", shells)
	}
}

package articulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// away bounds from below how far p is from the segment of l, in intervals: at its ends, and
// where p's foot is inside it, from its line.
func away(l *LSS, p geom.Vec) float64 {
	a, b, q := interval.OfVec(l.A), interval.OfVec(l.B), interval.OfVec(p)
	d := b.Sub(a)
	far := min(q.Sub(a).Norm().Lo, q.Sub(b).Norm().Lo)
	if t := q.Sub(a).Dot(d); t.Hi > 0 && t.Lo < d.Dot(d).Hi && d.Norm().Lo > 0 {
		far = min(far, d.Cross(q.Sub(a)).Norm().Div(d.Norm()).Lo)
	}
	return far
}

// Every point of a random set, of any size and shape, is in the volume around it.
func TestLSSHoldsPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "size"))
		flat := rapid.IntRange(1, 3).Draw(t, "dimensions")
		points := make([]geom.Vec, rapid.IntRange(1, 30).Draw(t, "count"))
		x := rapid.Float64Range(-1, 1)
		far := geom.Vec{X: x.Draw(t, "x"), Y: 100 * x.Draw(t, "y")}
		for i := range points {
			v := geom.Vec{X: x.Draw(t, "px")}
			if flat > 1 {
				v.Y = x.Draw(t, "py")
			}
			if flat > 2 {
				v.Z = x.Draw(t, "pz")
			}
			points[i] = r3.Scale(size, r3.Add(v, far))
		}
		radius := size * rapid.Float64Range(0, 0.5).Draw(t, "radius")
		l := LSSAround(points, points[:1+len(points)/2], radius)
		for _, p := range points {
			if d := away(&l, p); !(d+radius <= l.Radius) {
				t.Fatalf("%v is %g from the segment, of radius %g less %g", p, d, l.Radius, radius)
			}
		}
	})
}

// The volume is as small as it can be around what has its form, and not much larger
// than the best one known around other things.
func TestLSSIsTight(t *testing.T) {
	box := func(x, y, z float64) convex.Core {
		return convex.Core{Kind: convex.Box, Half: geom.Vec{X: x, Y: y, Z: z}}
	}
	for _, c := range []struct {
		name  string
		core  convex.Core
		least float64 // the volume it should have, or a good one known
		more  float64 // by how much it may be larger
	}{
		{"sphere", convex.Core{Kind: convex.Point, Radius: 2, Vertices: []geom.Vec{{X: 1}}}, 4. / 3 * math.Pi * 8, 1e-9},
		{"capsule", convex.Core{Kind: convex.Segment, Radius: 0.5, Vertices: []geom.Vec{{Z: -1}, {Z: 2}}}, math.Pi * 0.25 * (3 + 4./3*0.5), 1e-9},
		{"rod", box(5, 0.1, 0.1), math.Pi * 0.02 * 10.2, 0.05},
		{"plate", box(1, 1, 0.01), 4. / 3 * math.Pi * math.Pow(math.Sqrt2, 3), 1e-3},
		{"cube", box(1, 1, 1), 4. / 3 * math.Pi * math.Pow(math.Sqrt(3), 3), 1e-3},
		{"cylinder", convex.Core{Kind: convex.Cylinder, CoreRadius: 0.1, HalfLength: 2}, math.Pi * 0.01 * 4.2, 0.1},
		{"cone", convex.Core{Kind: convex.Cone, CoreRadius: 0.1, HalfLength: 2}, math.Pi * 0.01 * 4.2, 0.1},
	} {
		e := model.Element{Core: c.core, Exact: true, PoseFE: geom.Pose{R: geom.RPY(1, 2, 3), P: geom.Vec{X: 0.3}}}
		l := LSSOfElement(&e)
		if v := l.Volume(); !(v <= c.least*(1+c.more)) || v < c.least*0.3 {
			t.Errorf("%s: volume %.6g, want %.6g", c.name, v, c.least)
		}
	}
}

// Every point of every element is in its volume, and in the one of its body, wherever the
// loaded poses put it.
func TestLSSHoldsElements(t *testing.T) {
	for i := range uint64(25 * long()) {
		d := newChance(5, i)
		s := randomStage(t, d, 3, 1)
		for k := range s.model.Elements[:s.model.Real] {
			e := &s.model.Elements[k]
			own, of := LSSOfElement(e), LSSOfBody(s.model, e.Body)
			for range 200 {
				p := d.sample(e)
				for _, l := range []*LSS{&own, &of} {
					if a := away(l, p); a > l.Radius+1e-13 {
						t.Fatalf("case %d, element %d: %v is %g outside", i, k, p, a-l.Radius)
					}
				}
			}
		}
	}
}

// What the pose of an element may be off by is in the radius.
func TestLSSCountsPoseError(t *testing.T) {
	e := model.Element{
		Core: convex.Core{Kind: convex.Segment, Radius: 0.1, Vertices: []geom.Vec{{Z: -1}, {Z: 3}}}, Exact: true,
		PoseFE: geom.IdentityPose(), ErrR: 1e-3, ErrP: 1e-4,
	}
	if l, want := LSSOfElement(&e), 0.1+3e-3+1e-4; l.Radius < want || l.Radius > want+1e-12 {
		t.Errorf("radius %g, want %g", l.Radius, want)
	}
}

// A mesh's own vertices count, not those few of its hull that stand for them.
func TestLSSLooksAtAllVertices(t *testing.T) {
	d := newChance(6, 0)
	points := make([]geom.Vec, 3000)
	for i := range points {
		n := d.Unit()
		points[i] = geom.Vec{X: 3 * n.X, Y: n.Y, Z: n.Z}
	}
	l := LSSAround(points, points[:200], 0)
	whole := LSSAround(points, nil, 0)
	if l.Volume() > 1.1*whole.Volume() {
		t.Errorf("volume %g where all points make it %g", l.Volume(), whole.Volume())
	}
	for _, p := range points {
		if a := away(&l, p); a > l.Radius {
			t.Fatalf("%v is %g outside", p, a-l.Radius)
		}
	}
}

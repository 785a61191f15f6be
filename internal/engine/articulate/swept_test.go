package articulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// outside is how far a point is out of a slice.
func outside(s *Slice, p geom.Vec) float64 {
	point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{p}}
	core := s.Core()
	return convex.Distance(&core, &identity, &point, &identity, nil).Lower
}

// among reports whether a point is in one of the slices, but for rounding.
func among(v *SweptVolume, p geom.Vec) bool {
	for i := range v.Slices {
		if outside(&v.Slices[i], p) <= 1e-11 {
			return true
		}
	}
	return false
}

// Every point of every element is at every time in the slices of that time, in the world
// and in any frame of its chain.
func TestSlicesHoldTheMotion(t *testing.T) {
	for i := range uint64(60 * long()) {
		d := newChance(21, i)
		s := randomStage(t, d, 1+d.IntN(6), []float64{0.05, 0.7, 3}[i%3])
		links := NewLinkBVH(s.model)
		w := NewSweeper(links, s.mover)
		w.Load()
		w.Tolerance = []float64{0, 0.003, 10}[d.IntN(3)]
		lo := d.In(0, 0.8)
		hi := d.In(lo, 1)
		k := d.IntN(s.model.Real)
		e := &s.model.Elements[k]
		base := 0
		if chain := s.model.Tree.Chain(e.Frame); len(chain) > 0 && d.IntN(2) == 0 {
			base = int(chain[d.IntN(len(chain))])
		}
		var v SweptVolume
		w.Sweep(k, base, lo, hi, &v)
		checkCover(t, &v, lo, hi)
		for range 40 {
			x := d.In(lo, hi)
			s.at(x)
			f := s.state.PoseWF[e.Frame]
			p := d.sample(e)
			at := s.state.PoseWF[base].ApplyInv(f.Apply(p))
			for j := range v.Slices {
				if sl := &v.Slices[j]; sl.S0 <= x && x <= sl.S1 {
					if out := outside(sl, at); out > 1e-11 {
						t.Fatalf("case %d: a point of element %d is %g out of slice %d of %d at %g", i, k, out, j, len(v.Slices), x)
					}
				}
			}
			if !among(&v, at) {
				t.Fatalf("case %d: a point of element %d is not in its volume at %g", i, k, x)
			}
		}
	}
}

// checkCover looks at the slices' times: they follow each other from lo to hi.
func checkCover(t *testing.T, v *SweptVolume, lo, hi float64) {
	t.Helper()
	at := lo
	for i := range v.Slices {
		if v.Slices[i].S0 != at || v.Slices[i].S1 < at {
			t.Fatalf("slice %d is of %g to %g, after %g", i, v.Slices[i].S0, v.Slices[i].S1, at)
		}
		at = v.Slices[i].S1
	}
	if at != hi {
		t.Fatalf("the slices end at %g, not at %g", at, hi)
	}
}

// swing is a robot of one link, a ball at distance 1 from a hinge, or on a slide.
func swing(t *testing.T, kind urdf.JointType, ctrl ...float64) *stage {
	r := &urdf.Robot{
		Name: "swing", Links: []urdf.Link{{Name: "l0", ParentJoint: -1}, {Name: "l1", ParentJoint: 0}},
		Joints: []urdf.Joint{{Name: "j", Type: kind, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}}},
	}
	r.Links[1].Collisions = []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: 1}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.01}}}
	return newStage(t, r, nil, 0, false, motionOf([]string{"j"}, ctrl))
}

// The bulge of a slice is what a circle needs, no more and no less: less than 97 % of it
// lets the ball's centre out in the middle of its arc.
func TestBulgeIsThatOfACircle(t *testing.T) {
	s := swing(t, urdf.Revolute, 0.3, 0.8)
	w := NewSweeper(NewLinkBVH(s.model), s.mover)
	w.Load()
	w.Tolerance = 1
	var v SweptVolume
	w.Sweep(0, 0, 0, 1, &v)
	if len(v.Slices) != 1 {
		t.Fatalf("%d slices", len(v.Slices))
	}
	bulge := v.Slices[0].Radius - 0.01
	if want := 0.25 / 8; math.Abs(bulge-want) > 1e-9 {
		t.Errorf("the bulge is %g, not R q'^2 / 8 = %g", bulge, want)
	}
	s.at(0.5)
	tight := v.Slices[0]
	tight.Radius = 0.97 * bulge
	if out := outside(&tight, s.state.PoseWF[1].Apply(geom.Vec{X: 1})); !(out > 0) {
		t.Error("97 % of the bulge would do for an arc")
	}
}

// What slides straight on at constant speed has one slice and no bulge; what speeds up has.
func TestStraightMotionHasNoBulge(t *testing.T) {
	for _, c := range []struct {
		ctrl []float64
		want float64
	}{{[]float64{0, 2}, 0}, {[]float64{0, 0, 1}, 2. / 8}} {
		s := swing(t, urdf.Prismatic, c.ctrl...)
		w := NewSweeper(NewLinkBVH(s.model), s.mover)
		w.Load()
		w.Tolerance = 10
		var v SweptVolume
		w.Sweep(0, 0, 0, 1, &v)
		if len(v.Slices) != 1 || math.Abs(v.Slices[0].Radius-0.01-c.want) > 1e-9 {
			t.Errorf("control points %v: %d slices, the first of radius %g", c.ctrl, len(v.Slices), v.Slices[0].Radius)
		}
	}
}

// Slices are as many as the tolerance wants.
func TestToleranceCutsFiner(t *testing.T) {
	s := swing(t, urdf.Revolute, 0, 2)
	w := NewSweeper(NewLinkBVH(s.model), s.mover)
	w.Load()
	var v SweptVolume
	last := 0
	for _, tol := range []float64{0.5, 0.05, 0.01, 0.005, 0.001} {
		w.Tolerance = tol
		w.Sweep(0, 0, 0, 1, &v)
		for i := range v.Slices {
			if bulge := v.Slices[i].Radius - 0.01; bulge > tol*(1+1e-6) {
				t.Errorf("tolerance %g: slice %d bulges by %g", tol, i, bulge)
			}
		}
		if len(v.Slices) <= last {
			t.Errorf("tolerance %g: %d slices after %d", tol, len(v.Slices), last)
		}
		last = len(v.Slices)
	}
	w.Tolerance = 1e-12
	w.Sweep(0, 0, 0, 1, &v)
	if len(v.Slices) != maxSlices {
		t.Errorf("%d slices, more than are kept", len(v.Slices))
	}
}

// No item that is left out is as close as the clearance to the element at any time that is looked
// at; and slices leave out more than boxes do.
func TestHullCullerLeavesOutOnlyWhatIsApart(t *testing.T) {
	boxed, held, near := 0, 0, 0
	for i := range uint64(50 * long()) {
		d := newChance(22, i)
		s := worldStage(t, d, 1+d.IntN(5), 5, []float64{0.05, 0.5, 1.5}[i%3])
		links := NewLinkBVH(s.model)
		b, w, c := NewDynamicBVH(links, s.mover), NewSweeper(links, s.mover), NewHullCuller(links)
		w.Load()
		lo := d.In(0, 0.5)
		hi := d.In(lo, 1)
		clearance := []float64{0, 0.1}[d.IntN(2)]
		b.Update(lo, hi)
		alive := make([]bool, len(s.model.Pairs))
		for k := range alive {
			alive[k] = true
		}
		b.Cull(clearance, alive)
		touched := map[[2]int]bool{}
		for k := range links.LSS {
			if s.model.Bodies[s.model.Elements[k].Body].Link < 0 {
				continue
			}
			var v SweptVolume
			w.Sweep(k, 0, lo, hi, &v)
			c.Cull(&v, clearance, func(int32) bool { return true }, func(item int32) {
				touched[[2]int{k, int(s.model.World.Items[item].Element)}] = true
			})
		}
		for range 4 {
			s.at(d.In(lo, hi))
			for k := range s.model.Pairs {
				p := &s.model.Pairs[k]
				if p.World && s.distance(p.A, p.B) <= clearance {
					near++
					if !touched[[2]int{p.A, p.B}] && !touched[[2]int{p.B, p.A}] {
						t.Fatalf("case %d: pair %d of clearance %g was culled and is %g apart", i, k, clearance, s.distance(p.A, p.B))
					}
				}
			}
		}
		for k := range s.model.Pairs {
			if s.model.Pairs[k].World && alive[k] {
				boxed++
			}
		}
		held += len(touched)
	}
	t.Logf("%d pairs left by boxes, %d by slices; %d close ones seen", boxed, held, near)
	if near < 100 || held > boxed*9/10 {
		t.Errorf("%d pairs left by boxes, %d by slices; %d close ones seen", boxed, held, near)
	}
}

// What is not wanted is not tested, and not hit.
func TestHullCullerAsksWhatIsWanted(t *testing.T) {
	s := worldStage(t, newChance(23, 2), 4, 6, 1)
	links := NewLinkBVH(s.model)
	w, c := NewSweeper(links, s.mover), NewHullCuller(links)
	w.Load()
	var v SweptVolume
	w.Sweep(len(links.LSS)-7, 0, 0, 1, &v)
	c.Cull(&v, 5, func(int32) bool { return false }, func(int32) { t.Error("hit what is not wanted") })
	if _, tests, _ := c.Tests(); tests != 0 {
		t.Errorf("%d tests of what is not wanted", tests)
	}
	seen := map[int32]bool{}
	c.Cull(&v, 5, func(e int32) bool { return !seen[e] }, func(item int32) {
		e := s.model.World.Items[item].Element
		if seen[e] {
			t.Error("an element that is not wanted any more was hit")
		}
		seen[e] = true
	})
	if len(seen) != 6 {
		t.Errorf("%d of 6 objects within 5 m hit", len(seen))
	}
}

// Two links that are proved apart in the same slices of time are apart.
func TestSweptApartIsApart(t *testing.T) {
	apart, near := 0, 0
	for i := range uint64(30 * long()) {
		d := newChance(24, i)
		s := randomStage(t, d, 2+d.IntN(5), []float64{0.05, 0.5, 1.5}[i%3])
		links := NewLinkBVH(s.model)
		w := NewSweeper(links, s.mover)
		w.Load()
		clearance := []float64{0, 0.1}[d.IntN(2)]
		for k := range s.model.Pairs {
			p := &s.model.Pairs[k]
			var a, b SweptVolume
			w.Sweep(p.A, p.Base, 0.1, 0.6, &a)
			w.Sweep(p.B, p.Base, 0.1, 0.6, &b)
			proved := SweptApart(&a, &b, clearance)
			if proved {
				apart++
			}
			for range 3 {
				s.at(d.In(0.1, 0.6))
				if dist := s.distance(p.A, p.B); dist <= clearance {
					near++
					if proved {
						t.Fatalf("case %d: pair %d of clearance %g was proved apart and is %g apart", i, k, clearance, dist)
					}
				}
			}
		}
	}
	if apart < 100 || near < 100 {
		t.Errorf("%d proved apart, %d close ones seen", apart, near)
	}
}

// A sliver of time is as good as a long one: nothing is lost at its ends.
func TestVolumeOfAnInstant(t *testing.T) {
	s := randomStage(t, newChance(25, 0), 4, 1)
	links := NewLinkBVH(s.model)
	w := NewSweeper(links, s.mover)
	w.Load()
	var v SweptVolume
	k := len(links.LSS) - 1
	w.Sweep(k, 0, 0.5, 0.5, &v)
	l := &links.LSS[k]
	if len(v.Slices) != 1 || v.Slices[0].Radius > l.Radius+1e-9 {
		t.Errorf("%d slices of an instant, radius %g of %g", len(v.Slices), v.Slices[0].Radius, l.Radius)
	}
	if d := r3.Norm(r3.Sub(v.Slices[0].Corners[0], v.Slices[0].Corners[2])); d > 1e-9 {
		t.Errorf("it moves by %g in no time", d)
	}
}

// Two volumes cut at different times are compared wherever slices share a time: these two are
// at the same place from 0.5 to 0.6 only.
func TestSweptApartLooksAtEveryTime(t *testing.T) {
	slice := func(from, to, x float64) Slice {
		at := geom.Vec{X: x}
		return Slice{S0: from, S1: to, Corners: [4]geom.Vec{at, at, at, at}, Radius: 0.1}
	}
	a := SweptVolume{Slices: []Slice{slice(0, 0.6, 0), slice(0.6, 0.7, 3), slice(0.7, 1, 6)}}
	b := SweptVolume{Slices: []Slice{slice(0, 0.1, 9), slice(0.1, 0.5, 7), slice(0.5, 1, 0)}}
	if SweptApart(&a, &b, 0) || SweptApart(&b, &a, 0) {
		t.Error("what meets in the middle is said to be apart")
	}
	b.Slices[2].Corners = [4]geom.Vec{{X: 9}, {X: 9}, {X: 9}, {X: 9}}
	if !SweptApart(&a, &b, 0) || SweptApart(&a, &b, 3) {
		t.Error("what is 3 - 0.2 m apart is not said to be")
	}
}

package articulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// pairOfSoups is a trial of two links, or a link and an object, of a few triangles each,
// with all equations between them active on the whole piece.
func pairOfSoups(t testing.TB, d chance, triangles int) (*trial, *activePair) {
	t.Helper()
	soup := func() *shape.Shape { return &shape.Shape{Kind: shape.Mesh, Mesh: d.soup(triangles, 1)} }
	robot := d.robot(1 + d.IntN(4))
	for i := range robot.Links {
		robot.Links[i].Collisions = []urdf.Collision{{PoseLS: d.Pose(0.2), Shape: soup()}}
	}
	m, err := model.New(robot, worldOf(soup()), func(string) float64 { return 0 }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(_, _ *model.Body) string { return "" })
	if len(m.Pairs) == 0 {
		return nil, nil
	}
	r := newTrial(t, m, d.motion(m.Tree, [...]float64{0.05, 0.5}[d.IntN(2)], false))
	w := r.w
	w.course = r.course
	q := motion.Query{}
	w.load(0, &q)
	i := d.IntN(len(m.Pairs))
	p := &m.Pairs[i]
	w.active = append(w.active[:0], activePair{pair: int32(i), a: w.sideFor(p.A, p.Base), b: w.sideFor(p.B, p.Base)})
	if w.active[0].a.part.faces == nil || w.active[0].b.part.faces == nil {
		return nil, nil // a single triangle is its own hull
	}
	return r, &w.active[0]
}

// triangleAt is a leaf at a time of the piece, in the world, by package kin's poses.
func (r *trial) triangleAt(s *side, leaf int32, at float64) (out tri.Triangle) {
	pose := r.w.poseW(s, at)
	for k, v := range s.part.faces.faces[leaf] {
		out[k] = pose.Apply(s.part.faces.vertices[v])
	}
	return out
}

// truth is the left side of (13) or (14) at a time, and whether the features touch.
func (r *trial) truth(e *equation, at float64) float64 {
	p := &r.w.active[e.pair]
	a, b := r.w.poseW(p.a, at), r.w.poseW(p.b, at)
	vertex := func(s *side, pose geom.Pose, slot int32) geom.Vec {
		return pose.Apply(s.part.faces.vertices[s.vertices.items[slot].id])
	}
	plane := func(x geom.Vec, s *side, pose geom.Pose, face int32) float64 {
		t := &s.faces.items[face]
		b, c, d := vertex(s, pose, t.ends[0]), vertex(s, pose, t.ends[1]), vertex(s, pose, t.ends[2])
		return r3.Dot(r3.Sub(x, b), r3.Cross(r3.Sub(c, b), r3.Sub(d, b)))
	}
	switch e.kind {
	case vertexFace:
		return plane(vertex(p.a, a, e.a), p.b, b, e.b)
	case faceVertex:
		return plane(vertex(p.b, b, e.b), p.a, a, e.a)
	}
	x, y := &p.a.edges.items[e.a], &p.b.edges.items[e.b]
	from, to := vertex(p.a, a, x.ends[0]), vertex(p.a, a, x.ends[1])
	c, d := vertex(p.b, b, y.ends[0]), vertex(p.b, b, y.ends[1])
	return r3.Dot(r3.Sub(c, from), r3.Cross(r3.Sub(to, from), r3.Sub(d, c)))
}

// Bounds of the equations and of their derivatives hold what samples show; an equation
// that Newton's step or anything else narrows has no root outside of its window.
func TestEquationsAreBounded(t *testing.T) {
	seen, narrowed := 0, 0
	for i := range trials(80) {
		d := newChance(7, uint64(i))
		r, p := pairOfSoups(t, d, 3)
		if r == nil {
			continue
		}
		w := r.w
		for la := range int32(len(p.a.part.faces.faces)) {
			for lb := range int32(len(p.b.part.faces.faces)) {
				w.equations(0, la, lb, interval.I{Hi: 1})
			}
		}
		for range 6 {
			lo := d.In(0, 1)
			hi := min(1, lo+[...]float64{1e-6, 1e-3, 0.1, 1}[d.IntN(4)])
			w.look(lo, hi)
			for k := range w.items {
				e := &w.items[k]
				f, possible := w.value(e)
				if !possible {
					continue
				}
				seen++
				rate, at := w.rate(e), w.valueAt(e)
				window, root := w.narrow(e, lo, hi)
				if root && (window.Lo > lo || window.Hi < hi) {
					narrowed++
				}
				const steps = 8
				const h = 1e-6
				for j := range steps + 1 {
					s := lo + (hi-lo)*float64(j)/steps
					x := r.truth(e, s)
					if x < f.Lo-1e-12 || x > f.Hi+1e-12 {
						t.Fatalf("trial %d: equation of kind %d is %g at %g, outside of %v", i, e.kind, x, s, f)
					}
					if s >= h && s <= 1-h {
						slope := (r.truth(e, s+h) - r.truth(e, s-h)) / (2 * h)
						if slack := 1e-6 * (1 + rate.Mag()); slope < rate.Lo-slack || slope > rate.Hi+slack {
							t.Fatalf("trial %d: the slope of an equation of kind %d is %g at %g, outside of %v", i, e.kind, slope, s, rate)
						}
					}
				}
				if mid := r.truth(e, w.instant.lo); mid < at.Lo-1e-12 || mid > at.Hi+1e-12 {
					t.Fatalf("trial %d: in the middle an equation is %g, outside of %v", i, mid, at)
				}
				// A change of sign outside of the window would be a root.
				for j := range 32 {
					s, u := lo+(hi-lo)*float64(j)/32, lo+(hi-lo)*float64(j+1)/32
					if x, y := r.truth(e, s), r.truth(e, u); root && x*y < 0 && math.Min(math.Abs(x), math.Abs(y)) > 1e-12 && (u < window.Lo || s > window.Hi) {
						t.Fatalf("trial %d: a root between %g and %g, outside of the window %v", i, s, u, window)
					}
				}
			}
		}
	}
	if !race.Enabled && (seen < 2000 || narrowed < 5) {
		t.Errorf("%d equations looked at, %d narrowed: the test tests little", seen, narrowed)
	}
}

// Where two triangles begin to touch, the equation of the features that touch is not
// refuted on any interval around that time.
func TestTouchesAreNotRefuted(t *testing.T) {
	touches := map[uint8]int{}
	for i := range trials(1200) {
		d := newChance(8, uint64(i))
		r, p := pairOfSoups(t, d, 3)
		if r == nil {
			continue
		}
		w := r.w
		for la := range int32(len(p.a.part.faces.faces)) {
			for lb := range int32(len(p.b.part.faces.faces)) {
				lo, hi, ok := r.firstTouch(p, la, lb)
				if !ok {
					continue
				}
				w.items = w.items[:0]
				w.equations(0, la, lb, interval.I{Hi: 1})
				found := false
				for k := range w.items {
					e := &w.items[k]
					if r.between(e, hi) > 1e-8 {
						continue
					}
					found = true
					touches[e.kind]++
					for _, span := range [][2]float64{{lo, hi}, {max(0, lo-1e-4), hi}, {max(0, lo-0.01), min(1, hi+0.02)}, {max(0, lo-0.2), min(1, hi+0.2)}} {
						w.look(span[0], span[1])
						if window, root := w.narrow(e, span[0], span[1]); !root || window.Lo > hi || window.Hi < lo {
							t.Fatalf("trial %d: an equation of kind %d whose features touch between %.12f and %.12f is refuted on %v, window %v", i, e.kind, lo, hi, span, window)
						}
					}
				}
				if !found {
					t.Fatalf("trial %d: triangles touch at %.12f, but no features of an equation do", i, hi)
				}
			}
		}
	}
	for kind := vertexFace; kind <= edgeEdge; kind++ {
		if !race.Enabled && touches[kind] < 10 {
			t.Errorf("only %d touches of kind %d: the test tests little", touches[kind], kind)
		}
	}
}

// between is how far the features of an equation are apart at a time.
func (r *trial) between(e *equation, at float64) float64 {
	p := &r.w.active[e.pair]
	point := func(s *side, slot int32) geom.Vec {
		return r.w.poseW(s, at).Apply(s.part.faces.vertices[s.vertices.items[slot].id])
	}
	toFace := func(x geom.Vec, s *side, face int32) float64 {
		t := s.faces.items[face].ends
		q := tri.ClosestPoint(&tri.Triangle{point(s, t[0]), point(s, t[1]), point(s, t[2])}, x)
		return geom.Norm(r3.Sub(q, x))
	}
	switch e.kind {
	case vertexFace:
		return toFace(point(p.a, e.a), p.b, e.b)
	case faceVertex:
		return toFace(point(p.b, e.b), p.a, e.a)
	}
	x, y := p.a.edges.items[e.a].ends, p.b.edges.items[e.b].ends
	a, b := tri.ClosestOnSegments(point(p.a, x[0]), point(p.a, x[1]), point(p.b, y[0]), point(p.b, y[1]))
	return geom.Norm(r3.Sub(b, a))
}

// firstTouch returns a short interval in which two triangles that were apart begin to
// touch.
func (r *trial) firstTouch(p *activePair, la, lb int32) (lo, hi float64, ok bool) {
	apart := func(at float64) bool {
		a, b := r.triangleAt(p.a, la, at), r.triangleAt(p.b, lb, at)
		return tri.Distance(&a, &b).Distance > 0
	}
	if !apart(0) {
		return 0, 0, false
	}
	for k := 1; k <= 20; k++ {
		if hi = float64(k) / 20; apart(hi) {
			lo = hi
			continue
		}
		for hi-lo > 1e-9 {
			if mid := (lo + hi) / 2; apart(mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo, hi, true
	}
	return 0, 0, false
}

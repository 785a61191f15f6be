package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Result describes the relative position of two convex pieces, in the frame W of their poses.
type Result struct {
	// Distance is an upper bound of the true distance: that of the witness points
	// but for rounding. Lower is a proven lower bound, rounding included, or 0.
	Distance, Lower float64
	// PointA and PointB are points of the pieces. If the pieces overlap, they are one point
	// except for rounding.
	PointA, PointB geom.Vec
	// Normal is the unit direction from a to b with the largest support gap found; Lower is
	// that gap. If the cores overlap it is a direction of small penetration, or zero.
	Normal geom.Vec
	// Overlap reports that the pieces have a point in common, to rounding.
	Overlap bool
}

// Workspace carries the direction from one query to the next of the same pair,
// or a guess of it. The zero value is ready.
type Workspace struct {
	// Dir is a direction from a to b in W to start from; zero: ask the shapes.
	// Distance leaves the Normal of its result here.
	Dir geom.Vec
	// Iterations counts the support evaluations of both cores in the last query.
	Iterations int
}

// Limits of the search. Neither is part of a proof: Distance and Lower are
// bounds whatever the search found.
const (
	maxIterations = 128
	maxStalls     = 8
	// The search stops when the bounds are within closeEnough of each other,
	// relative to the distance, or within a few roundings of the supports.
	closeEnough = 1e-10
	// restRounding times the size of the scene is what the difference of two
	// supports may be off by: 3 products and 3 sums on terms of that size for the
	// pose, the same again for the pose of b in a, and the weighted sum of four.
	restRounding = 16 * 0x1p-53
)

// Distance returns the closest points of two pieces at the given poses in a frame
// W, by the GJK algorithm (Gilbert, Johnson, Keerthi 1988) with a search direction
// that stays sharp near contact; in closed form for a point and anything but a hull.
//
// The search is untrusted; its result is not: Distance is that of two convex combinations of
// points of the cores, Lower comes from [Gap]. ws may be nil. If a pose is not finite,
// Distance and the points are NaN and Lower is 0.
func Distance(a *Core, poseWA *geom.Pose, b *Core, poseWB *geom.Pose, ws *Workspace) Result {
	var g search
	g.init(a, b, poseWA, poseWB)
	var guess geom.Vec
	if ws != nil {
		guess = poseWA.R.TurnBack(ws.Dir)
	}
	overlap, ok := g.direct()
	if !ok {
		overlap = g.run(g.start(guess))
	}
	if !overlap && !g.closed() {
		g.tryNormals()
	}
	r := g.result(poseWA, overlap)
	if gap := Gap(a, poseWA, b, poseWB, r.Normal); gap > 0 {
		r.Lower = gap * (1 - 0x1p-50) // |Normal| is 1 to within 4u
	}
	if ws != nil {
		ws.Dir, ws.Iterations = r.Normal, g.steps
	}
	return r
}

// Toward searches for a direction from a to b along which two pieces are apart, in W, of unit
// length. It ends as soon as their gap along it is enough, or within the part slop of the
// maximum, or where two of their points are no farther apart than least, so that no gap is larger.
// overlap says that they have a common point. Neither is proved; ws.Dir, if not zero,
// is the start.
func Toward(a *Core, poseWA *geom.Pose, b *Core, poseWB *geom.Pose, least, enough, slop float64, ws *Workspace) (n geom.Vec, overlap bool) {
	var g search
	g.init(a, b, poseWA, poseWB)
	radii := a.Radius + b.Radius
	g.enough, g.slop, g.tooClose = enough+radii, slop, least+radii
	if overlap, ok := g.direct(); ok {
		n, _ = geom.Unit(poseWA.R.Turn(g.dir()))
		return n, overlap
	}
	g.approach(g.start(poseWA.R.TurnBack(ws.Dir)))
	ws.Iterations = g.steps
	n, _ = geom.Unit(poseWA.R.Turn(g.dir()))
	return n, g.upper <= max(g.touch, radii)
}

// Separated searches for a proof that two pieces are more than margin apart: a unit direction
// n from a to b in W and its [Gap], above margin. ws, which may be nil, gives the first
// direction to try, and keeps the last one found. It ends as soon as there is a proof, or two
// points too close for one; ok is then false, which proves nothing.
func Separated(a *Core, poseWA *geom.Pose, b *Core, poseWB *geom.Pose, margin float64, ws *Workspace) (n geom.Vec, gap float64, ok bool) {
	var g search
	g.init(a, b, poseWA, poseWB)
	var guess geom.Vec
	if ws != nil {
		if u, has := geom.Unit(ws.Dir); has {
			if gap := Gap(a, poseWA, b, poseWB, u); gap > margin {
				ws.Iterations = 1
				return u, gap, true
			}
			guess = poseWA.R.TurnBack(u)
		}
	}
	g.tooClose = margin + a.Radius + b.Radius
	g.enough = g.tooClose + 2*g.touch // leaves Gap its rounding
	overlap, direct := g.direct()
	if !direct {
		overlap = g.run(g.start(guess))
	}
	if !overlap && g.lower <= g.enough && g.upper > g.tooClose && !g.closed() {
		g.tryNormals()
	}
	n, _ = geom.Unit(poseWA.R.Turn(g.dir()))
	gap = Gap(a, poseWA, b, poseWB, n)
	if ws != nil {
		ws.Dir, ws.Iterations = n, g.steps
	}
	return n, gap, gap > margin
}

// search is one run of GJK, in a's frame A.
type search struct {
	a, b   *Core
	poseAB geom.Pose
	s      simplex
	onA    geom.Vec // the closest points found, of the cores
	onB    geom.Vec
	upper  float64  // their distance
	lower  float64  // the largest support gap along a unit direction
	best   geom.Vec // that direction, of the length long
	long   float64
	touch  float64 // smaller lengths count as zero, because of rounding
	steps  int

	enough, tooClose float64 // the search ends with lower above or upper at most this
	slop             float64 // or with bounds that differ by this part of upper less radii
	radii            float64
}

func (g *search) init(a, b *Core, poseWA, poseWB *geom.Pose) {
	g.a, g.b = a, b
	g.upper, g.lower = math.Inf(1), math.Inf(-1)
	g.enough, g.tooClose = math.Inf(1), math.Inf(-1)
	g.poseAB.Relate(poseWA, poseWB)
	g.touch = restRounding * (a.Extent() + b.Extent() + norm(g.poseAB.P))
}

// start returns a direction from a towards b.
func (g *search) start(guess geom.Vec) geom.Vec {
	if dot(guess, guess) > 0 {
		return guess
	}
	d := sub(add(g.poseAB.R.Turn(g.b.middle()), g.poseAB.P), g.a.middle())
	if dot(d, d) > 0 {
		return d
	}
	return geom.Vec{X: 1}
}

// middle returns some point inside the core.
func (c *Core) middle() geom.Vec {
	switch c.Kind {
	case Box:
		return c.Center
	case Cylinder, Cone:
		return geom.Vec{}
	}
	var m geom.Vec
	n := min(len(c.Vertices), 4)
	for _, v := range c.Vertices[:n] {
		m = add(m, v)
	}
	return scale(1/float64(n), m)
}

// support sets v to the vertex of the difference b - a nearest to the origin along d.
func (g *search) support(v *vertex, d *geom.Vec) {
	v.a = g.a.Support(*d)
	p := g.poseAB.R.Turn(g.b.Support(g.poseAB.R.TurnBack(neg(*d))))
	v.b = add(p, g.poseAB.P)
	v.w = sub(v.b, v.a)
	g.steps++
}

// note records the support gap along d that the vertex w proves.
func (g *search) note(d, w *geom.Vec) {
	if l := norm(*d); l > 0 {
		if gap := dot(*d, *w) / l; gap > g.lower {
			g.lower, g.best, g.long = gap, *d, l
		}
	}
}

// noteAlong records the support gap along d.
func (g *search) noteAlong(d *geom.Vec) {
	var v vertex
	g.support(&v, d)
	g.note(d, &v.w)
}

// dir returns the unit direction with the largest support gap, zero if none was noted.
func (g *search) dir() geom.Vec {
	if g.long > 0 {
		return scale(1/g.long, g.best)
	}
	return geom.Vec{}
}

// run searches from direction d and reports whether the cores overlap.
func (g *search) run(d geom.Vec) bool {
	g.approach(d)
	g.onA, g.onB = g.s.witness()
	return g.upper <= g.touch
}

// approach searches from direction d until s holds the shortest v it can find.
func (g *search) approach(d geom.Vec) {
	stalls := 0
	for g.steps < maxIterations {
		p := &g.s.p[g.s.n]
		g.support(p, &d)
		g.note(&d, &p.w)
		if g.s.n > 0 && (g.lower > g.enough || g.closed() || g.s.has(p.w)) {
			break
		}
		var c subsimplex
		if g.s.solve(g.s.n+1, &c) {
			// The point of a tetrahedron around the origin is the origin to rounding,
			// or of a flat one an upper bound; its faces may have a better one.
			four := g.s.enclosed(g.touch)
			if four > g.touch {
				g.s.exhaust(&c)
			}
			if four <= g.touch || four < min(g.upper, math.Sqrt(c.vv)) {
				g.s.keepFour()
				g.upper = four
				break
			}
		}
		l := math.Sqrt(c.vv)
		if !(l < g.upper) {
			// The length may stand still to rounding while the direction still turns. Its
			// rounding is that of the supports, not of the length itself.
			if stalls++; stalls > maxStalls || !(l <= g.upper+g.touch) {
				break
			}
		}
		g.s.keep(&c)
		g.upper = l
		d = g.s.direction()
		if l <= g.touch || l <= g.tooClose || !(dot(d, d) > 0) {
			break
		}
	}
}

// closed reports whether the bounds are close enough to each other.
func (g *search) closed() bool {
	return g.upper-g.lower <= max(closeEnough*g.upper, g.slop*(g.upper-g.radii))+g.touch
}

var nothing = Result{Distance: math.NaN(), PointA: nan, PointB: nan}

var nan = geom.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}

// result states what the search found, in W.
func (g *search) result(poseWA *geom.Pose, overlap bool) Result {
	if !(g.upper < math.Inf(1)) {
		return nothing // the poses are not finite
	}
	r := Result{Overlap: overlap}
	r.Normal, _ = geom.Unit(poseWA.R.Turn(g.dir())) // R is a rotation but for rounding
	onA, onB := g.onA, g.onB
	if !overlap {
		onA, onB = g.inflate(&r, onA, onB)
	}
	r.PointA = add(poseWA.R.Turn(onA), poseWA.P)
	r.PointB = add(poseWA.R.Turn(onB), poseWA.P)
	return r
}

// inflate moves the witnesses of two cores apart onto their pieces, or to one
// point of both where the radii reach across.
func (g *search) inflate(r *Result, onA, onB geom.Vec) (geom.Vec, geom.Vec) {
	ra, rb := g.a.Radius, g.b.Radius
	v := sub(onB, onA)
	l := norm(v)
	switch {
	case !(l > 0):
		r.Overlap = true
	case l-ra-rb <= g.touch:
		r.Overlap = true
		if ra+rb > 0 {
			at := along(onA, ra/(ra+rb), v) // at most ra from a, at most rb from b
			return at, at
		}
	default:
		r.Distance = l - ra - rb
		return along(onA, ra/l, v), along(onB, -rb/l, v)
	}
	return onA, onB
}

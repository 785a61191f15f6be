package articulate

// The swept volume's surface in triangles: RKLM04, sections 4.2.1 and 4.2.2, equations 8
// to 11.
//
// The line of a line swept sphere, from a(t) to b(t), sweeps the ruled surface
// x(t, s) = a(t) + s (b(t) - a(t)). What the sphere-swept line sweeps is bounded by
//
//   - the offsets x +- d n of that surface, n its unit normal and d the radius (8, 9),
//   - the pipes around the ways of both ends, C + d (cos b1 + sin b2) (10),
//   - the sphere-swept line where it starts and where it ends.
//
// For let y be on the boundary, x(t, s) the nearest point of the ruled surface, at distance
// d: if it is inside the surface's domain, y - x is normal to both derivatives; if s is 0 or 1
// only, y - x is normal to the way of an end; and if t is a limit, y is on the last or the
// first capsule. Each is cut into a grid of triangles, uniform in its parameters, so fine
// that by the theorem of Filip, Magedson and Markot no point of it is farther from them than
//
//	1/8 ( M1/n^2 + 2 M2/(n m) + M3/m^2 )                                             (11)
//
// with the largest second derivatives M1, M2, M3, here bounds from interval arithmetic.
//
// Repairs and departures:
//   - The triangles lie inside of what bulges outward. Epsilon says by how much, the rounding
//     of the corners and of the loaded robot included; who asks whether something touches the
//     volume must count it (the paper's section 7.1 says that contacts are missed otherwise).
//   - Where the line moves along itself, or one of its points stands still, the normal in (9) does
//     not exist, nor does a bound of its derivatives: Tessellate fails with ErrSingular, and
//     the slices of a SweptVolume must do.
//   - The Frenet frame of (10) does not exist where an end moves straight on. Here b1 is normal to
//     the end's velocity and a fixed direction. An end that hardly moves has no such frame
//     either: a ball around its place, and how far it gets in Epsilon, stand for its pipe, and
//     likewise a capsule for a line that is as good as at rest.
//   - The time is cut where bounds over all of it would ask for too fine a grid.
//   - A surface says nothing of what is inside of it: TessellationCuller looks for that too.

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// ErrSingular says that the surface that a line swept sphere sweeps has no normal somewhere.
var ErrSingular = errors.New("the offset of the swept surface is singular: a point of the line stands still, or the line moves along itself; take the volume in slices")

// ErrTooFine says that a tessellation would have too many triangles.
var ErrTooFine = errors.New("the tolerance asks for too many triangles: make it larger, or take the volume in slices")

// Tessellation is triangles, in the world, near the surface of a swept volume.
type Tessellation struct {
	Triangles [][3]geom.Vec
	// Epsilon is how far, in metres, a point of the true surface may be from the triangles.
	Epsilon float64
}

// Tessellate cuts the surface of what the element sweeps from s0 to s1 into triangles of which
// no point of it is farther than about tolerance (metres, more than zero): Epsilon says how far.
func (w *Sweeper) Tessellate(element int, s0, s1, tolerance float64) (*Tessellation, error) {
	e, l := &w.links.model.Elements[element], &w.links.LSS[element]
	t := &tessellator{
		mover: w.mover, frame: e.Frame, lss: l, tol: tolerance, out: &Tessellation{},
		frenet: w.frenet, noRest: w.noRest,
	}
	if err := t.all(s0, s1); err != nil {
		return nil, err
	}
	far := max(geom.Norm(l.A), geom.Norm(l.B))
	// Grids are uniform, and directions unit, to a few roundings.
	rounding := 64 * u * (far + l.Radius)
	t.out.Epsilon = (t.eps + w.state.ErrP[e.Frame] + w.state.ErrR[e.Frame]*far + t.spread + rounding) * (1 + 16*u)
	return t.out, nil
}

type tessellator struct {
	mover  *Mover
	frame  int
	lss    *LSS
	tol    float64
	frenet bool // the paper's frame of a pipe
	noRest bool // nothing stands for what is as good as at rest
	out    *Tessellation

	eps    float64 // the largest bound (11), and how far an end moves that has a ball for its pipe
	spread float64 // how far a corner may be from where it should be
}

// maxCuts is how often the time is halved, which is tried where a part has more than fewRows
// rows, as its bounds are too wide then; maxGrid is how fine a grid of one part may be, and
// maxTriangles how many triangles there may be in all.
const (
	maxCuts      = 7
	fewRows      = 4
	maxGrid      = 24
	maxTriangles = 1 << 15
)

func (t *tessellator) all(s0, s1 float64) error {
	for _, s := range [2]float64{s0, s1} {
		if err := t.capsule(s, t.tol); err != nil {
			return err
		}
	}
	for _, end := range [2]geom.Vec{t.lss.A, t.lss.B} {
		if err := t.pipe(end, s0, s1, 0); err != nil {
			return err
		}
	}
	if t.lss.A == t.lss.B {
		return nil // a ball sweeps a pipe
	}
	return t.offset(s0, s1, 0)
}

// patch is a part of a surface over [0, 1] x [0, 1]. row tells its points along v at one u.
type patch struct {
	row        func(u float64) func(v float64) interval.Vec
	m1, m2, m3 float64
}

// bound is (11).
func (p *patch) bound(n, m float64) float64 {
	return (p.m1/(n*n) + 2*p.m2/(n*m) + p.m3/(m*m)) / 8 * (1 + 64*u)
}

// grid returns how finely to cut the patch; not fine enough where that is more than most.
func (p *patch) grid(tol float64, most int) (n, m int, ok bool) {
	if math.IsInf(p.m1+p.m2+p.m3, 0) || p.m1+p.m2+p.m3 != p.m1+p.m2+p.m3 {
		return 0, 0, false
	}
	n, m = 1, 1
	for p.bound(float64(n), float64(m)) > tol {
		// Whichever direction has the larger part is cut finer.
		if p.m1/float64(n*n) > p.m3/float64(m*m) {
			n += 1 + n/8
		} else {
			m += 1 + m/8
		}
		if n > most || m > most {
			return n, m, false
		}
	}
	return n, m, true
}

// put adds the patch's triangles.
func (t *tessellator) put(p *patch, n, m int) error {
	if len(t.out.Triangles)+2*n*m > maxTriangles {
		return ErrTooFine
	}
	t.eps = max(t.eps, p.bound(float64(n), float64(m)))
	before, line := make([]geom.Vec, m+1), make([]geom.Vec, m+1)
	for i := range n + 1 {
		row := p.row(float64(i) / float64(n))
		for k := range line {
			at := row(float64(k) / float64(m))
			line[k] = at.Mid()
			t.spread = max(t.spread, spread(at))
		}
		for k := 0; i > 0 && k < m; k++ {
			t.out.Triangles = append(t.out.Triangles,
				[3]geom.Vec{before[k], line[k], before[k+1]}, [3]geom.Vec{line[k+1], before[k+1], line[k]})
		}
		before, line = line, before
	}
	if !(t.spread < math.Inf(1)) {
		return ErrSingular
	}
	return nil
}

// offset cuts both offsets of the ruled surface (8, 9).
func (t *tessellator) offset(lo, hi float64, cuts int) error {
	h := (hi - lo) * (1 + 4*u)
	a, b := t.mover.path(t.frame, t.lss.A, lo, hi), t.mover.path(t.frame, t.lss.B, lo, hi)
	if moved := max(a[1].Norm().Hi, b[1].Norm().Hi) * h; !t.noRest && moved <= 0.5*t.tol {
		return t.resting(moved, func(tol float64) error { return t.capsule(lo, tol) })
	}
	across := normal(&a, &b)
	n := across.sizes().unit()
	d := t.lss.Radius
	p := patch{
		m1: (max(a[2].Norm().Hi, b[2].Norm().Hi) + d*n.tt) * h * h,
		m2: (b[1].Sub(a[1]).Norm().Hi + d*n.ts) * h,
		m3: d * n.ss,
	}
	rows, columns, ok := p.grid(t.tol, maxGrid)
	if !ok || rows > fewRows && cuts < maxCuts {
		return t.halves(t.offset, lo, hi, cuts, &p)
	}
	for _, side := range [2]float64{d, -d} {
		p.row = func(v float64) func(float64) interval.Vec {
			s := lo + (hi-lo)*v
			a, b := t.mover.path(t.frame, t.lss.A, s, s), t.mover.path(t.frame, t.lss.B, s, s)
			return func(along float64) interval.Vec {
				k := interval.Point(along)
				n := normalAt(&a, &b, k)
				return a[0].Add(b[0].Sub(a[0]).Scale(k)).Add(n.Scale(interval.Point(side)))
			}
		}
		if err := t.put(&p, rows, columns); err != nil {
			return err
		}
	}
	return nil
}

// normal is a normal of the ruled surface between two ways, with its derivatives: x_t x x_s
// of x_t = a' + s (b' - a') and x_s = b - a, s from 0 to 1.
func normal(a, b *path) jetVec {
	var d path
	for i := range d {
		d[i] = b[i].Sub(a[i])
	}
	by := jet{f: interval.I{Lo: 0, Hi: 1}, s: interval.Point(1)}
	xt := alongT(a[1], a[2], a[3]).add(alongT(d[1], d[2], d[3]).scale(by))
	return xt.cross(alongT(d[0], d[1], d[2]))
}

// normalAt is the unit normal at one place.
func normalAt(a, b *path, s interval.I) interval.Vec {
	return unitOf(a[1].Add(b[1].Sub(a[1]).Scale(s)).Cross(b[0].Sub(a[0])))
}

// halves goes on with both halves of the time, or gives up.
func (t *tessellator) halves(cut func(lo, hi float64, cuts int) error, lo, hi float64, cuts int, p *patch) error {
	if cuts == maxCuts {
		if sum := p.m1 + p.m2 + p.m3; math.IsInf(sum, 0) || sum != sum {
			return ErrSingular
		}
		return ErrTooFine
	}
	mid := 0.5 * (lo + hi)
	if err := cut(lo, mid, cuts+1); err != nil {
		return err
	}
	return cut(mid, hi, cuts+1)
}

// pipe cuts the pipe around the way of an end (10).
func (t *tessellator) pipe(end geom.Vec, lo, hi float64, cuts int) error {
	h := (hi - lo) * (1 + 4*u)
	c := t.mover.path(t.frame, end, lo, hi)
	if moved := c[1].Norm().Hi * h; !t.noRest && moved <= 0.5*t.tol {
		return t.resting(moved, func(tol float64) error {
			return t.ball(t.mover.path(t.frame, end, lo, lo)[0], tol)
		})
	}
	e := aslant(c[1].Mid())
	b1, b2 := t.frameRates(&c, e)
	d := t.lss.Radius
	p := patch{
		m1: (c[2].Norm().Hi + d*math.Hypot(b1.tt, b2.tt)) * h * h,
		m2: d * math.Hypot(b1.t, b2.t) * h * 2 * math.Pi,
		m3: d * 4 * math.Pi * math.Pi,
	}
	rows, columns, ok := p.grid(t.tol, maxTriangles) // the circle alone may want a fine one
	if !ok || rows > fewRows && cuts < maxCuts {
		return t.halves(func(lo, hi float64, cuts int) error { return t.pipe(end, lo, hi, cuts) }, lo, hi, cuts, &p)
	}
	p.row = func(v float64) func(float64) interval.Vec {
		s := lo + (hi-lo)*v
		c := t.mover.path(t.frame, end, s, s)
		b1, b2 := t.frameAt(&c, e)
		return circle(c[0], b1, b2, d)
	}
	return t.put(&p, rows, columns)
}

// circle returns the points of a circle about c.
func circle(c, b1, b2 interval.Vec, d float64) func(float64) interval.Vec {
	return func(v float64) interval.Vec {
		sin, cos := interval.SinCos(interval.Point(2 * math.Pi * v))
		return c.Add(b1.Scale(cos.Scale(d))).Add(b2.Scale(sin.Scale(d)))
	}
}

// frameAt returns the two directions across a way that (10) has: the paper's binormal, or
// what is normal to the velocity and the direction e; and what is normal to both.
func (t *tessellator) frameAt(c *path, e geom.Vec) (b1, b2 interval.Vec) {
	other := interval.OfVec(e)
	if t.frenet {
		other = c[2]
	}
	b1 = unitOf(c[1].Cross(other))
	return b1, unitOf(c[1].Cross(b1))
}

func unitOf(v interval.Vec) interval.Vec { return v.Scale(interval.Point(1).Div(v.Norm())) }

// frameRates bounds the derivatives of frameAt: of b2 = v x b1, v the direction of the velocity.
func (t *tessellator) frameRates(c *path, e geom.Vec) (b1, b2 sizes) {
	way := alongT(c[1], c[2], c[3])
	other := constant(e)
	if t.frenet {
		other = alongT(c[2], c[3], c[4])
	}
	across := way.cross(other)
	b1 = across.sizes().unit()
	v := way.sizes().unit()
	b2.t = v.t + b1.t
	b2.tt = v.tt + 2*v.t*b1.t + b1.tt
	return b1, b2
}

// aslant returns the axis of coordinates that is most across v.
func aslant(v geom.Vec) geom.Vec {
	x, y, z := math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)
	switch {
	case x <= y && x <= z:
		return geom.Vec{X: 1}
	case y <= z:
		return geom.Vec{Y: 1}
	}
	return geom.Vec{Z: 1}
}

// resting lets the surface of what stands where a part of the time begins stand for what it
// sweeps until it has moved at most that far. A point of the swept boundary is at distance d
// from a place of the line, and no nearer to any; so it is at most d + moved from the line as it
// stood, and no nearer than d, and there is a point of the standing surface within moved.
func (t *tessellator) resting(moved float64, standing func(tol float64) error) error {
	before := t.eps
	t.eps = 0
	err := standing(t.tol - moved)
	t.eps = max(before, t.eps+moved)
	return err
}

// ball cuts a sphere by latitude (u) and longitude (v).
func (t *tessellator) ball(c interval.Vec, tol float64) error {
	d := t.lss.Radius
	p := patch{m1: d * math.Pi * math.Pi, m2: d * 2 * math.Pi * math.Pi, m3: d * 4 * math.Pi * math.Pi}
	p.row = func(v float64) func(float64) interval.Vec {
		sin, cos := interval.SinCos(interval.Point(math.Pi * (v - 0.5)))
		x := interval.Vec{X: cos}
		y := interval.Vec{Y: cos}
		return circle(c.Add(interval.Vec{Z: sin}.Scale(interval.Point(d))), x, y, d)
	}
	n, m, ok := p.grid(tol, maxTriangles)
	if !ok {
		return ErrTooFine
	}
	return t.put(&p, n, m)
}

// capsule cuts the surface of the sphere-swept line at one time: two balls, of which half
// is inside, and what is between them.
func (t *tessellator) capsule(s, tol float64) error {
	a, b := t.mover.path(t.frame, t.lss.A, s, s)[0], t.mover.path(t.frame, t.lss.B, s, s)[0]
	if err := t.ball(a, tol); err != nil {
		return err
	}
	if t.lss.A == t.lss.B {
		return nil
	}
	if err := t.ball(b, tol); err != nil {
		return err
	}
	axis, ok := geom.Unit(r3.Sub(b.Mid(), a.Mid()))
	if !ok {
		return nil // the balls are one but for rounding
	}
	x, y := across(axis)
	b1, b2 := interval.OfVec(x), interval.OfVec(y)
	d := t.lss.Radius
	p := patch{m3: d * 4 * math.Pi * math.Pi}
	p.row = func(v float64) func(float64) interval.Vec {
		return circle(a.Add(b.Sub(a).Scale(interval.Point(v))), b1, b2, d)
	}
	n, m, ok := p.grid(tol, maxTriangles)
	if !ok {
		return ErrTooFine
	}
	return t.put(&p, n, m)
}

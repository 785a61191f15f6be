package articulate

// The volume that a line swept sphere sweeps: RKLM04, section 4.2, mended.
//
// The paper covers its surface, the offset of the ruled surface that the line sweeps and
// the pipes that both caps sweep, by triangles (swept_tessellate.go has that, with what it
// lacks). That surface is singular where the line moves along itself, and the triangles
// lie inside of it. Here the volume itself is covered, by slices of time:
//
// Let x(s) be a point of the line, x(s) = (1-l) a(s) + l b(s), and |x''| <= A from s0 to
// s1, h = s1 - s0. Linear interpolation errs by no more than A h^2 / 8, so that x(s) is
// that close to the segment from x(s0) to x(s1), which is in the convex hull of a(s0),
// b(s0), a(s1) and b(s1). Hence
//
//	every point of the sphere-swept line, s0 <= s <= s1, is within r + A h^2 / 8 of
//	conv { a(s0), b(s0), a(s1), b(s1) }
//
// whatever way the line moves. A is the acceleration bound of internal/engine/kin (rule (A) with
// all s = 1) of the line's points in the frame that the volume is in. The corners' own
// uncertainty is added. The union of the slices holds all that is swept, its inside too.

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Slice holds a sphere-swept line while S0 <= s <= S1: it is within Radius of the hull of
// the corners.
type Slice struct {
	S0, S1  float64
	Corners [4]geom.Vec // both ends at S0, both at S1
	Radius  float64
}

// Core returns the slice as a convex piece, which keeps the slice's corners.
func (s *Slice) Core() convex.Core {
	return convex.Core{Kind: convex.Hull, Vertices: s.Corners[:], Radius: s.Radius}
}

// Box returns a box around the slice.
func (s *Slice) Box() geom.Box {
	b := interval.OfVec(s.Corners[0])
	for _, c := range s.Corners[1:] {
		b = b.Hull(interval.OfVec(c))
	}
	return b.Grow(s.Radius).Box()
}

// finite reports whether the slice bounds anything.
func (s *Slice) finite() bool {
	for _, c := range s.Corners {
		if !geom.Finite(c) {
			return false
		}
	}
	return !math.IsInf(s.Radius, 0) && s.Radius == s.Radius
}

// SweptVolume is what a line swept sphere sweeps in an interval of time, in slices that
// follow each other without gaps, in the frame Base (0: the world).
type SweptVolume struct {
	Element int
	Base    int
	Slices  []Slice
}

// Sweeper makes swept volumes of elements along one piece of a motion. It is the scratch
// of one goroutine.
type Sweeper struct {
	// Tolerance is how much a slice may add to the radius, in metres, as long as there
	// are no more than maxSlices of them; zero stands for a twentieth of the radius.
	Tolerance float64

	// How Tessellate is published: Frenet's frame for pipes, and no capsule for what rests.
	frenet, noRest bool

	links  *LinkBVH
	mover  *Mover
	state  *kin.State
	curves []kin.Curve
	buf    []float64
	around []kin.Around
	reach  [][]float64 // per element of the robot: local radii that hold all along
	radii  []float64
	middle []geom.Vec // per element: that of its line, in F
	half   []float64  // per element: a bound of half its line's length
}

// maxSlices bounds how finely a volume is cut.
const maxSlices = 32

// NewSweeper returns the scratch for a hierarchy's elements and a mover's motions.
func NewSweeper(links *LinkBVH, mover *Mover) *Sweeper {
	tree := links.model.Tree
	n := len(tree.Dofs)
	w := &Sweeper{
		links: links, mover: mover, state: kin.NewState(tree), curves: make([]kin.Curve, n),
		buf: make([]float64, n*kin.CurveSize(kin.MaxDegree+1)), around: make([]kin.Around, n),
		reach: make([][]float64, len(links.LSS)), middle: make([]geom.Vec, len(links.LSS)), half: make([]float64, len(links.LSS)),
	}
	for i := range links.LSS {
		l, chain := &links.LSS[i], tree.Chain(links.model.Elements[i].Frame)
		w.reach[i] = make([]float64, len(chain))
		w.middle[i] = r3.Scale(0.5, r3.Add(l.A, l.B))
		size := geom.Norm(l.A) + geom.Norm(l.B)
		w.half[i] = (0.5*geom.Norm(r3.Sub(l.B, l.A)) + 16*u*size) * (1 + 8*u)
		if len(chain) > len(w.radii) {
			w.radii = make([]float64, len(chain))
		}
	}
	return w
}

// Load prepares for the piece that the mover has loaded.
func (w *Sweeper) Load() {
	course, piece := w.mover.course, w.mover.piece
	course.Load(piece, w.curves, w.buf)
	w.state.Root = w.mover.root
	for d := range w.curves {
		w.curves[d].SetAround(&w.around[d], 0.5, 0, 1)
	}
	w.state.Bound(w.around)
	for i := range w.links.LSS {
		if chain := w.reach[i]; len(chain) > 0 {
			w.links.model.Tree.Reach(w.links.model.Elements[i].Frame, w.middle[i], w.half[i], course.JointMaxAbs, chain)
		}
	}
}

// Acceleration bounds |x”| of every point x of the element's line from s0 to s1, in the
// frame base, which is 0 or on the chain of the element's frame.
func (w *Sweeper) Acceleration(element, base int, s0, s1 float64) float64 {
	f := w.links.model.Elements[element].Frame
	chain := w.links.model.Tree.Chain(f)
	c := 0.5 * (s0 + s1)
	for d := range w.curves {
		w.curves[d].SetAround(&w.around[d], c, s0, s1)
	}
	w.state.Place(w.around)
	w.state.Ensure(f)
	from := 0
	for base != 0 && chain[from] != int32(base) {
		from++
	}
	if base != 0 {
		from++
	}
	radii := w.radii[:len(chain)]
	center := w.state.PoseWF[f].Apply(w.middle[element])
	w.state.Radii(f, center, w.half[element], w.reach[element], radii)
	a, _ := w.state.Acceleration(f, from, radii)
	return a
}

// Sweep covers what the element sweeps from s0 to s1 in the frame base, which is 0 or on the
// chain of its frame. It overwrites v.
func (w *Sweeper) Sweep(element, base int, s0, s1 float64, v *SweptVolume) {
	l := &w.links.LSS[element]
	v.Element, v.Base, v.Slices = element, base, v.Slices[:0]
	n := w.count(w.Acceleration(element, base, s0, s1), s1-s0, l.Radius)
	a, b, err := w.ends(element, base, s0)
	for i := range n {
		from, to := s0+(s1-s0)*float64(i)/float64(n), s0+(s1-s0)*float64(i+1)/float64(n)
		if i == n-1 {
			to = s1
		}
		a2, b2, err2 := w.ends(element, base, to)
		h := math.Nextafter(to-from, 2)
		bulge := w.Acceleration(element, base, from, to) * (h * h / 8)
		v.Slices = append(v.Slices, Slice{
			S0: from, S1: to, Corners: [4]geom.Vec{a, b, a2, b2},
			Radius: (l.Radius + bulge + max(err, err2)) * (1 + 8*u),
		})
		a, b, err = a2, b2, err2
	}
}

// count is how many slices keep the bulge within the tolerance.
func (w *Sweeper) count(accel, h, radius float64) int {
	tol := w.Tolerance
	if tol == 0 {
		tol = radius / 20
	}
	if accel == 0 {
		return 1 // straight on
	}
	n := math.Ceil(h * math.Sqrt(accel/(8*tol)))
	if !(n < maxSlices) {
		return maxSlices
	}
	return max(int(n), 1)
}

// ends returns where the ends of the element's line are at s, and how far they may be off.
func (w *Sweeper) ends(element, base int, s float64) (a, b geom.Vec, err float64) {
	l := &w.links.LSS[element]
	p := w.mover.instant(base, w.links.model.Elements[element].Frame, s)
	at, bt := p.Apply(interval.OfVec(l.A)), p.Apply(interval.OfVec(l.B))
	return at.Mid(), bt.Mid(), max(spread(at), spread(bt))
}

// spread bounds how far a point of the box is from its middle.
func spread(v interval.Vec) float64 {
	m := v.Mid()
	return v.Sub(interval.OfVec(m)).Norm().Hi
}

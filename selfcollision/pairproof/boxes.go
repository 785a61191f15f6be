package pairproof

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// entry is two parts, of the elements of one pair, that are not yet proved apart
// in a box, and a direction that parted them, or nearly did, in a larger one.
type entry struct {
	pair, a, b int32
	n          geom.Vec
}

// cell is a box of positions of the pair's variables, by its centre and half
// sides, and what is not yet apart in it. Cells that halve one share its front.
type cell struct {
	c, d  []float64
	front []entry
	share float64 // of the whole box
}

// prove halves boxes, the largest first, until all are proved apart, a contact is
// found or the budget is spent. It returns the share that was proved apart, and whether that is all.
func (s *scratch) prove(f *found) (proved float64, all bool) {
	s.open = s.open[:0]
	s.queue = append(s.queue[:0], s.root())
	for head := 0; head < len(s.queue); head++ {
		if s.out.Boxes >= s.budget() || s.tried >= entriesPerBox*s.budget() || s.spent() {
			return proved, false
		}
		b := s.queue[head]
		s.queue[head] = cell{}
		s.out.Boxes++
		front := s.try(&b, f)
		switch {
		case f.touch != nil:
			return proved, false
		case len(front) == 0:
			proved += b.share
		default:
			s.halve(&b, front)
		}
	}
	return proved, true
}

// entriesPerBox bounds the work on boxes in which much is close by.
const entriesPerBox = 16

func (s *scratch) budget() int {
	if s.opt.Boxes > 0 {
		return s.opt.Boxes
	}
	return 200_000
}

// root is the whole box and all pairs of elements.
func (s *scratch) root() cell {
	b := cell{share: 1}
	for i := range s.vars {
		c := s.lo[i] + (s.hi[i]-s.lo[i])/2
		b.c = append(b.c, c)
		b.d = append(b.d, math.Nextafter(max(s.hi[i]-c, c-s.lo[i]), math.Inf(1)))
	}
	for _, i := range s.elements {
		b.front = append(b.front, entry{pair: i, a: whole, b: whole})
	}
	return b
}

// halve puts both halves of b, across the variable that moves the front most, into
// the queue. The halves overlap by what rounding may leave out.
func (s *scratch) halve(b *cell, front []entry) {
	k := 0
	for i := range s.weight {
		if s.weight[i] > s.weight[k] {
			k = i
		}
	}
	half := b.d[k] / 2
	for _, sign := range [2]float64{-1, 1} {
		x := cell{c: slices.Clone(b.c), d: slices.Clone(b.d), front: front, share: b.share / 2}
		x.c[k] += sign * half
		x.d[k] = half + 4*u*(math.Abs(b.c[k])+b.d[k])
		s.queue = append(s.queue, x)
	}
}

// try returns what is not proved apart in b. It leaves in s.weight how much each
// variable moves that.
func (s *scratch) try(b *cell, f *found) []entry {
	s.placeBox(b)
	s.weight = append(s.weight[:0], make([]float64, len(s.vars))...)
	s.open = append(s.open[:0], b.front...)
	var kept []entry
	for len(s.open) > 0 {
		e := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.tried++
		switch s.tryEntry(&e) {
		case apart:
		case open:
			s.openEntry(e)
		case meet:
			s.atContact(b, f)
			if f.touch != nil {
				return nil
			}
			s.weigh(e.n)
			kept = append(kept, e)
		default:
			s.weigh(e.n)
			kept = append(kept, e)
		}
	}
	return kept
}

// outcome is the result for an entry.
type outcome uint8

const (
	kept  outcome = iota // the box must be halved
	apart                // proved apart in the box
	open                 // smaller parts may help
	meet                 // the parts overlap at the centre
)

// tryEntry tries to prove an entry apart, cheapest rule first.
func (s *scratch) tryEntry(e *entry) outcome {
	q := &s.m.Pairs[e.pair]
	pa, pb := s.pieceOf(int32(q.A), e.a), s.pieceOf(int32(q.B), e.b)
	s.side(&s.left, q.A, pa)
	s.side(&s.right, q.B, pb)
	l, r := &s.left, &s.right
	if apartBallsInBox(l, r, pa.radius+pb.radius, s.opt.Clearance) {
		return apart
	}
	if e.n != (geom.Vec{}) && s.tryAlong(e.n, pa, pb) {
		return apart
	}
	s.search.Dir = e.n
	d := convex.Distance(pa.core, &l.pose, pb.core, &r.pose, &s.search)
	canOpen := pa.left >= 0 || pb.left >= 0
	if d.Overlap || d.Distance <= s.opt.Clearance {
		switch {
		case pa.shape && pb.shape:
			return meet
		case canOpen && l.moved+r.moved < larger(pa.radius, pb.radius):
			return open
		case s.out.Boxes < contactTries:
			return meet
		}
		return kept
	}
	e.n = d.Normal
	if s.tryAlong(d.Normal, pa, pb) {
		return apart
	}
	if moved, size := l.moved+r.moved, max(pa.radius, pb.radius); canOpen && (moved < size && d.Distance < 0.3*moved || moved < size/32) {
		return open
	}
	return kept
}

// contactTries is in how many boxes a contact is looked for from the centre where
// only hulls overlap.
const contactTries = 64

// along tries a direction, by the joints' chords and then by arcs.
func (s *scratch) along(n geom.Vec, _, _ *hullPiece) bool {
	return s.byChords(n) || s.byArcs(n)
}

func (s *scratch) byChords(n geom.Vec) bool {
	s.left.uncut()
	s.right.uncut()
	return apartInBox(n, &s.left.side, &s.right.side, s.opt.Clearance)
}

func (s *scratch) byArcs(n geom.Vec) bool {
	s.left.cut(n)
	s.right.cut(n)
	return apartInBox(n, &s.left.side, &s.right.side, s.opt.Clearance)
}

// openEntry puts an entry's parts in its place, of the larger one.
func (s *scratch) openEntry(e entry) {
	q := &s.m.Pairs[e.pair]
	pa, pb := s.pieceOf(int32(q.A), e.a), s.pieceOf(int32(q.B), e.b)
	if pa.left >= 0 && (pb.left < 0 || pa.radius >= pb.radius) {
		for _, c := range pa.children(e.a) {
			s.open = append(s.open, entry{e.pair, c, e.b, e.n})
		}
		return
	}
	for _, c := range pb.children(e.b) {
		s.open = append(s.open, entry{e.pair, e.a, c, e.n})
	}
}

// atContact looks for a contact from a box's centre, and then puts the robot back.
func (s *scratch) atContact(b *cell, f *found) {
	s.descend(slices.Clone(b.c), f)
	if f.touch == nil {
		s.placeBox(b)
	}
}

// askew is what a direction is taken to be off, when joints are weighed by how much
// they move along it.
const askew = 0.3

// weigh takes note of how much each variable moves the sides at hand along n, or
// anywhere if n is zero.
func (s *scratch) weigh(n geom.Vec) {
	for _, x := range [2]*limb{&s.left, &s.right} {
		for i := range x.joints {
			j := &x.joints[i]
			across := 1 + askew
			if n != (geom.Vec{}) && !j.prismatic {
				across = geom.Norm(r3.Cross(n, j.axis)) + askew
			}
			s.weight[j.variable] = max(s.weight[j.variable], across*j.radius*j.chord)
		}
	}
}

// limb is a side with what is needed to choose how it is bounded.
type limb struct {
	side
	center geom.Vec // of the part's ball, in W
	moved  float64  // no point moves farther
	radii  []float64
}

// side makes the side of a part of an element.
func (s *scratch) side(x *limb, element int, p *hullPiece) {
	e := &s.m.Elements[element]
	f := e.Frame
	chain := s.m.Tree.Chain(f)
	x.core = p.core
	x.pose = s.st.PoseWF[f].Mul(e.PoseFE)
	x.center = x.pose.Apply(p.center)
	x.radii = append(x.radii[:0], make([]float64, len(chain))...)
	s.st.Radii(f, x.center, p.radius, s.reachOf[element], x.radii)
	x.moved = s.st.Displacement(f, s.parting, x.radii)
	n := len(chain) - s.parting
	for len(x.joints) < n {
		x.joints = append(x.joints, joint{})
	}
	x.joints = x.joints[:n]
	for i := range x.joints {
		k := chain[s.parting+i]
		fr, j := &s.m.Tree.Frames[k], &x.joints[i]
		j.axis, j.origin, j.prismatic = s.st.AxisW[k], s.st.OriginW[k], fr.Prismatic
		j.delta, j.chord, j.radius = s.st.Delta[k], s.st.Chord[k], x.radii[s.parting+i]
		j.variable, _ = slices.BinarySearch(s.vars, fr.Dof)
	}
	x.slack = slackOf(s.st, e, n, 2*(geom.Norm(e.Center)+e.Radius))
}

func (x *limb) uncut() {
	for i := range x.joints {
		x.joints[i].parts = 0
	}
}

// cut cuts the arcs of the joints that lose most by their chords into parts, as
// long as the number of directions stays small.
func (x *limb) cut(n geom.Vec) {
	x.uncut()
	directions := 1
	for {
		best, gain, parts := -1, 0.0, 0
		for i := range x.joints {
			j := &x.joints[i]
			if j.prismatic || j.delta == 0 {
				continue
			}
			next := max(j.parts+1, int(math.Ceil(j.delta/1.2)))
			if directions/j.fan()*(next+1) > mostDirections {
				continue
			}
			across := j.radius * (geom.Norm(r3.Cross(n, j.axis)) + askew)
			was := j.chord
			if j.parts > 0 {
				was = sagitta(j.delta / float64(j.parts))
			}
			g := across * (was - sagitta(j.delta/float64(next))) / math.Log(float64(next+1)/float64(j.fan()))
			if g > gain {
				best, gain, parts = i, g, next
			}
		}
		if best < 0 {
			break
		}
		j := &x.joints[best]
		directions = directions / j.fan() * (parts + 1)
		j.parts = parts
	}
	for i := range x.joints {
		if j := &x.joints[i]; j.parts > 0 {
			j.cut(j.parts)
		}
	}
}

// fan is how many directions a joint makes of one.
func (j *joint) fan() int {
	if j.parts == 0 {
		return 1
	}
	return j.parts + 1
}

// mostDirections bounds the directions of a side: many cost more in a box, and leave
// far fewer boxes.
const mostDirections = 400

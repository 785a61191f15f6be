package romtree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// This file is trusted: the space that a subtree can occupy, composed from its tips.

// form is one of two ways to enclose the swept volume of a joint.
type form uint8

const (
	// exact encloses arcs in polygons: the hull contains the whole swept volume.
	exact form = iota
	// sampled takes points on the arcs (SPHERE, section III) and adds the height of the
	// arcs over their chords.
	sampled
)

// sweeper encloses the subtrees of one model in one box.
type sweeper struct {
	tree     *kin.Tree
	box      *JointBox
	form     form
	gap      float64 // rad: the largest arc
	points   int     // a cloud is reduced to about as many
	children [][]int
	own      []cloud // per frame, in it: its shapes
	reach    []float64
	memo     []*cloud // per frame: beyond without pins
}

// newSweeper collects the shapes of the robot: links and attached objects.
func newSweeper(m *model.Model, box *JointBox, f form, gap float64, points int) *sweeper {
	n := len(m.Tree.Frames)
	s := &sweeper{
		tree: m.Tree, box: box, form: f, gap: gap, points: points,
		children: make([][]int, n), own: make([]cloud, n), memo: make([]*cloud, n),
	}
	for k := 1; k < n; k++ {
		p := m.Tree.Frames[k].Parent
		s.children[p] = append(s.children[p], k)
	}
	parts := make([]cloud, n)
	for i := range m.Elements[:m.Real] {
		e := &m.Elements[i]
		if m.Bodies[e.Body].Link < 0 {
			continue // of the world
		}
		points, radius := e.Outline()
		parts[e.Frame] = append(parts[e.Frame], grown{points, radius})
	}
	for k := range parts {
		s.own[k] = parts[k].joined()
	}
	return s
}

// pins restrict variables to a part of their range.
type pins map[int]Range

// beyond encloses the shapes of frame k and everything beyond, in frame k, for every
// configuration in the box; false if a prismatic joint has no limits.
func (s *sweeper) beyond(k int, fixed pins) (cloud, bool) {
	free := !s.pinned(k, fixed)
	if free && s.memo[k] != nil {
		return *s.memo[k], true
	}
	all := s.own[k]
	for _, c := range s.children[k] {
		swept, ok := s.swept(c, fixed)
		if !ok {
			return nil, false
		}
		all = all.with(swept)
	}
	all = all.fewer(s.points)
	if free {
		s.memo[k] = &all
	}
	return all, true
}

// pinned reports whether a pinned variable moves a joint beyond frame k.
func (s *sweeper) pinned(k int, fixed pins) bool {
	for _, c := range s.children[k] {
		if _, is := fixed[s.tree.Frames[c].Dof]; is || s.pinned(c, fixed) {
			return true
		}
	}
	return false
}

// swept returns the swept volume of joint k and those beyond it for frame k's subtree, in the
// parent's frame.
//
// A variable that moves another joint of the subtree, by a mimic relation, moves both
// together: its range is cut into pieces, and the union is over the pieces.
func (s *sweeper) swept(k int, fixed pins) (cloud, bool) {
	v := s.tree.Frames[k].Dof
	at, is := fixed[v]
	if is || !s.leads(k) {
		inner, ok := s.beyond(k, fixed)
		if !ok {
			return nil, false
		}
		w := wayOf(&s.tree.Frames[k], s.rangeOf(k, at, is))
		return s.sweep(k, &w, inner)
	}
	var all cloud
	rise := 0.0
	cuts := s.cuts(k)
	if s.form == sampled {
		rise = s.coupledError(k, cuts)
	}
	for _, cut := range cuts {
		pinnedTo := pins{v: cut}
		for d, r := range fixed {
			pinnedTo[d] = r
		}
		inner, ok := s.beyond(k, pinnedTo)
		if !ok {
			return nil, false
		}
		w := wayOf(&s.tree.Frames[k], s.rangeOf(k, cut, true))
		part, ok := s.sweep(k, &w, inner)
		if !ok {
			return nil, false
		}
		all = all.with(part)
	}
	return all.fewer(s.points).grownBy(rise), true
}

func (c cloud) grownBy(r float64) cloud {
	out := make(cloud, len(c))
	for i, g := range c {
		out[i] = grown{g.points, (g.radius + r) * (1 + wayRounding)}
	}
	return out
}

// rangeOf is the range of joint k: in its box, or at its pinned variable. Its deviation from
// the variable's motion stays.
func (s *sweeper) rangeOf(k int, variable Range, held bool) Range {
	if !held {
		return s.box.Joints[k]
	}
	f := &s.tree.Frames[k]
	lo, hi := f.Mult*variable.Lo+f.Offset, f.Mult*variable.Hi+f.Offset
	if lo > hi {
		lo, hi = hi, lo
	}
	stray := s.stray(k)
	return Range{lo - stray, hi + stray}
}

// stray is how much wider the range of joint k is than that of its variable, on either side,
// rounded up.
func (s *sweeper) stray(k int) float64 {
	f, at := &s.tree.Frames[k], s.box.Joints[k]
	v := s.box.Vars[f.Dof]
	if !v.Finite() || !at.Finite() {
		return 0
	}
	lo, hi := f.Mult*v.Lo+f.Offset, f.Mult*v.Hi+f.Offset
	if lo > hi {
		lo, hi = hi, lo
	}
	return max(0, lo-at.Lo, at.Hi-hi) * (1 + wayRounding)
}

// sweep moves a cloud by joint k and puts it into the parent's frame.
func (s *sweeper) sweep(k int, w *way, inner cloud) (cloud, bool) {
	if !w.known() || s.tree.OfRoot(k) {
		return nil, len(inner) == 0
	}
	f := &s.tree.Frames[k]
	rot, pos := s.tree.PlacingErr(k, w.angle())
	rise := 0.0
	move := w.around
	if s.form == sampled {
		move = w.samples
		rise = w.sampleError(farFromAxis(w, inner), s.gap)
	}
	swept := inner.mapped(func(points []geom.Vec, p geom.Vec) []geom.Vec {
		first := len(points)
		points = move(points, p, s.gap)
		for i := first; i < len(points); i++ {
			points[i] = f.PosePF.Apply(points[i])
		}
		return points
	}, func(far float64) float64 {
		return rise + pos + rot*far + 2*wayRounding*(far+w.angle()+geom.Norm(f.PosePF.P))
	})
	return swept, true
}

// angle bounds the position of the joint for the error bounds.
func (w *way) angle() float64 {
	if w.fullTurn() && !w.prismatic {
		return 2 * math.Pi
	}
	return w.at.Size()
}

// farFromAxis bounds how far the points of a cloud, without their radius, are from the axis: a
// ball keeps its radius when it rotates.
func farFromAxis(w *way, c cloud) float64 {
	r := 0.0
	for _, g := range c {
		for _, p := range g.points {
			r = max(r, w.distanceToAxis(p)+wayRounding*geom.Norm(p))
		}
	}
	return r * (1 + wayRounding)
}

// ballOf returns a ball in the parent's frame that contains the swept volume of joint k and
// those beyond it. Its centre is a guess; its radius is the distance of the farthest point of
// the cloud, in the exact form without intermediate samples for joint k.
func (s *sweeper) ballOf(k int) (convex.Ball, bool) {
	f := &s.tree.Frames[k]
	if s.form == sampled || s.leads(k) {
		c, ok := s.swept(k, nil)
		return c.ball(), ok
	}
	inner, ok := s.beyond(k, nil)
	w := wayOf(f, s.box.Joints[k])
	switch {
	case ok && len(inner) == 0:
		return convex.Ball{Radius: -1}, true
	case !ok || !w.known() || s.tree.OfRoot(k):
		return convex.Ball{}, false
	}
	around := inner.mapped(func(points []geom.Vec, p geom.Vec) []geom.Vec { return w.samples(points, p, s.gap) },
		func(float64) float64 { return 0 })
	x := around.ball().Center
	radius, far := 0.0, 0.0
	for _, g := range inner {
		for _, p := range g.points {
			radius = max(radius, (w.farthest(x, p)+g.radius)*(1+wayRounding))
			far = max(far, geom.Norm(p))
		}
	}
	rot, pos := s.tree.PlacingErr(k, w.angle())
	radius += pos + rot*far + wayRounding*(geom.Norm(x)+far+geom.Norm(f.PosePF.P))
	return convex.Ball{Center: f.PosePF.Apply(x), Radius: radius * (1 + wayRounding)}, true
}

// leads reports whether the variable of joint k, within a range that can be cut, also moves a
// joint beyond k.
func (s *sweeper) leads(k int) bool {
	v := s.tree.Frames[k].Dof
	return !s.tree.OfRoot(k) && s.box.Vars[v].Finite() && s.pinned(k, pins{v: {}})
}

// follower bounds the effect of the variable v on a chain, for (A).
type follower struct{ accel, turn float64 }

// coupledError bounds how far a point of the subtree of joint k is from the hull of its
// positions at the samples of the variable of k at the cuts, for all positions of the other
// joints: along a direction n, n.x is largest at an end of the range, or its slope there is
// zero and a sample no more than half a gap away is less by A (gap/2)^2 / 2 at most. A is (A)
// at unit speed with all s = 1.
func (s *sweeper) coupledError(k int, cuts []Range) float64 {
	gap := 0.0
	for i := 1; i < len(cuts); i++ {
		gap = max(gap, cuts[i].Lo-cuts[i-1].Lo)
	}
	gap *= 1 + wayRounding
	a := s.worst(k, s.tree.Frames[k].Dof, follower{})
	return a * gap * gap / 8 * (1 + wayRounding)
}

// worst returns (A) of the worst chain from joint k on, for the variable v: the sum over its
// joints of R_k omega_k (omega_k + 2 sum over revolute m before of omega_m), where a prismatic
// joint has R_k = 1 and no omega_k of its own.
func (s *sweeper) worst(k, v int, f follower) float64 {
	t := &s.tree.Frames[k]
	if w := math.Abs(t.Mult); t.Dof == v {
		if t.Prismatic {
			f.accel += 2 * w * f.turn
		} else {
			f.accel += s.reach[k] * w * (w + 2*f.turn)
			f.turn += w
		}
	}
	a := f.accel
	for _, c := range s.children[k] {
		a = max(a, s.worst(c, v, f))
	}
	return a * (1 + wayRounding)
}

// mimicCuts is how many pieces, or gaps between samples, the range of a variable of several
// joints is cut into.
const mimicCuts = 16

// cuts are the pieces, or the samples, of the variable of joint k.
func (s *sweeper) cuts(k int) []Range {
	r := s.box.Vars[s.tree.Frames[k].Dof]
	at := func(i int) float64 {
		switch i {
		case 0:
			return r.Lo
		case mimicCuts:
			return r.Hi
		}
		return r.Lo + (r.Hi-r.Lo)*float64(i)/mimicCuts
	}
	var out []Range
	if s.form == sampled {
		for i := range mimicCuts + 1 {
			out = append(out, Range{at(i), at(i)})
		}
		return out
	}
	for i := range mimicCuts {
		out = append(out, Range{at(i), at(i + 1)})
	}
	return out
}

// reaches bounds, for each revolute joint, the distance of the axis from any point of the
// subtree beyond, in every position: the R_k of (A). Prismatic joints have 1.
func (s *sweeper) reaches() []float64 {
	out := make([]float64, len(s.tree.Frames))
	for k := 1; k < len(out); k++ {
		out[k] = math.Inf(1)
		if c, ok := s.beyond(k, nil); ok {
			w := wayOf(&s.tree.Frames[k], s.box.Joints[k])
			out[k] = c.reach(&w)
		}
	}
	return out
}

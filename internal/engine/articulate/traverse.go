package articulate

// One step of the pipeline: RKLM04, sections 3.5 and 5.1.
//
// Departures.
//   - The paper goes through its stages once for a step of its simulation. A motion here
//     may be long: where an element moves so far that its refinement level would exceed
//     Options.MaxRefinement, or more equations would be active than Options.MaxActive,
//     the interval is halved, the earlier half first, and each half is such a step.
//   - The outermost boxes of a pair are tested over the whole interval before any
//     refinement, and what is apart then is not looked at in its halves.
//   - A part of the interval in which a pair of boxes overlaps ends the test, as in the
//     paper; what is below that pair of boxes is then known to be apart before that
//     part, and neither its boxes nor its equations are looked at there.
//   - Equations find where triangles that are apart begin to touch. That they are apart
//     where a piece of the motion begins is shown once for every pair of leaves that the
//     boxes left, by a direction that parts them.

import (
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// boxPair is a pair of nodes of two OBB trees, and the first part of the interval in
// which they may overlap.
type boxPair struct{ a, b, from int32 }

// run goes through the stages for [lo, hi] of the piece at hand.
func (w *Worker) run(lo, hi float64, pairs []int32) outcome {
	if w.clock.Look() {
		w.proved = lo
		return stopped
	}
	w.stats.Steps++
	before := len(w.left)
	defer func() { w.left = w.left[:before] }()
	left := w.near(lo, hi, w.cull(lo, hi, pairs))
	if len(left) == 0 {
		return proven
	}
	o := w.exact(lo, hi, left)
	if o != split {
		return o
	}
	w.stats.Halved++
	mid := middleOf(lo, hi)
	if o := w.run(lo, mid, left); o != proven {
		return o
	}
	return w.run(mid, hi, left)
}

// near is the first test of stage 3: which pairs' outermost boxes are not apart all
// along, without any refinement.
func (w *Worker) near(lo, hi float64, pairs []int32) []int32 {
	begin := w.now()
	w.stamp++
	from := len(w.left)
	for _, i := range pairs {
		a, b := w.sidesOf(i)
		w.stats.BoxTests++
		r := RelativeOf(w.partPose(a, lo, hi, 0, 0), w.partPose(b, lo, hi, 0, 0))
		if !ApartOver(&r, &a.part.tree.Nodes[0].OBB, &b.part.tree.Nodes[0].OBB, w.margin(a, b)*(1+0x1p-50)) {
			w.left = append(w.left, i)
		}
	}
	left := w.left[from:len(w.left):len(w.left)]
	w.stats.PairsIn[2] += len(pairs)
	w.stats.PairsOut[2] += len(pairs) - len(left)
	w.spend(&w.stats.OBBTrees, begin)
	return left
}

// margin is what the pieces of two elements must be apart without their radii.
func (w *Worker) margin(a, b *side) float64 { return w.clearance + a.part.radius + b.part.radius }

// exact is the rest of stage 3.
func (w *Worker) exact(lo, hi float64, pairs []int32) outcome {
	begin := w.now()
	o := w.collect(lo, hi, pairs)
	w.spend(&w.stats.OBBTrees, begin)
	if o != proven || len(w.items) == 0 {
		return o
	}
	begin = w.now()
	defer func() { w.spend(&w.stats.Solver, begin) }()
	if lo == 0 {
		if o := w.apartAtStart(); o != proven {
			return o
		}
	}
	return w.solve(lo, hi, 0, len(w.items))
}

// now reads the clock for Stats' durations.
func (w *Worker) now() (t time.Duration) {
	if w.Options.Timed {
		t = engine.ThreadTime()
	}
	return t
}

func (w *Worker) spend(on *time.Duration, begin time.Duration) { *on += w.now() - begin }

// collect fills items with the equations and gaps that the OBB trees leave of the pairs.
func (w *Worker) collect(lo, hi float64, pairs []int32) outcome {
	w.stamp++
	w.active, w.items, w.gaps, w.leaves = w.active[:0], w.items[:0], w.gaps[:0], w.leaves[:0]
	for _, s := range w.used {
		s.forget()
	}
	w.used = w.used[:0]
	for _, i := range pairs {
		a, b := w.sidesOf(i)
		levels, fits := w.levels(lo, hi, a, b)
		if !fits && hi-lo > shortestStep && !w.Options.OneStep {
			return split
		}
		w.active = append(w.active, activePair{i, a, b, w.margin(a, b)})
		before := len(w.items)
		if o := w.descendBoxes(lo, hi, int32(len(w.active)-1), levels); o != proven {
			return o
		}
		if len(w.items) == before {
			w.stats.PairsOut[2]++
			w.active = w.active[:len(w.active)-1]
		}
	}
	return proven
}

// shortestStep is the part of a piece that is not halved any more for the overlap tests:
// bounds as wide as the world at that length would not get narrow by halving.
const shortestStep = 1. / 4096

// levels returns the refinement levels of two elements for an interval; fits is false
// where one would have to be larger than allowed.
func (w *Worker) levels(lo, hi float64, a, b *side) (levels [2]int, fits bool) {
	la, fa := w.level(lo, hi, a)
	lb, fb := w.level(lo, hi, b)
	return [2]int{la, lb}, fa && fb
}

// level returns into how many parts, as a power of two, the interval is split so that
// the bounds of an element in each are about the grain of its size wide. What is small
// beside the robot's largest element counts as an eighth of that.
func (w *Worker) level(lo, hi float64, s *side) (level int, fits bool) {
	if s.still() {
		return 0, true
	}
	if s.levelStamp != w.stamp {
		s.levelStamp = w.stamp
		pose := w.partPose(s, lo, hi, 0, 0)
		width := max(pose.P.X.Width(), pose.P.Y.Width(), pose.P.Z.Width())
		for _, row := range pose.R {
			width = max(width, (row.X.Width()+row.Y.Width()+row.Z.Width())*s.part.reach)
		}
		size := w.Options.grain() * max(s.part.reach, w.p.scale/8)
		s.level, s.fits = 0, true
		for most := w.Options.maxRefinement(); !(width <= size); width /= 2 {
			if s.level == most {
				s.fits = false
				break
			}
			s.level++
		}
	}
	return s.level, s.fits
}

// partPose returns where an element is in part k of the 2^level parts of an interval,
// worked out once for all boxes.
func (w *Worker) partPose(s *side, lo, hi float64, level, k int) *interval.Pose {
	if s.still() {
		return &s.part.place
	}
	i := 1<<level - 1 + k
	for len(s.parts) <= i {
		s.parts = append(s.parts, partPose{})
	}
	p := &s.parts[i]
	if p.stamp != w.stamp {
		w.stats.Matrices++
		p.stamp = w.stamp
		p.pose = w.mover.PoseBF(s.base, s.frame, cut(lo, hi, level, k), cut(lo, hi, level, k+1)).Mul(&s.part.place)
		p.pose.R = p.pose.R.Rotation()
	}
	return &p.pose
}

// cut returns where part k of 2^level begins; the same number for the same place at
// every level.
func cut(lo, hi float64, level, k int) float64 {
	switch k {
	case 0:
		return lo
	case 1 << level:
		return hi
	}
	return lo + (hi-lo)*math.Ldexp(float64(k), -level)
}

// partPose is where an element is in a part of the interval.
type partPose struct {
	stamp uint64
	pose  interval.Pose
}

// descendBoxes walks down two OBB trees and adds an elementary test for every pair of
// leaves that the overlap test leaves.
func (w *Worker) descendBoxes(lo, hi float64, pair int32, levels [2]int) outcome {
	p := &w.active[pair]
	ta, tb := p.a.part.tree, p.b.part.tree
	parts := int32(1) << max(levels[0], levels[1])
	w.relatives, w.hasBegun = w.relatives[:0], false
	w.stack = append(w.stack[:0], boxPair{})
	for len(w.stack) > 0 {
		x := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		w.skipParts(lo, hi, p, levels, &x)
		if x.from == parts {
			continue // apart all along
		}
		switch na, nb := &ta.Nodes[x.a], &tb.Nodes[x.b]; {
		case na.Left < 0 && nb.Left < 0:
			if o := w.leafBoxes(lo, hi, pair, levels, x); o != proven {
				return o
			}
		case nb.Left < 0 || na.Left >= 0 && na.surface() >= nb.surface():
			w.stack = append(w.stack, boxPair{na.Left + 1, x.b, x.from}, boxPair{na.Left, x.b, x.from})
		default:
			w.stack = append(w.stack, boxPair{x.a, nb.Left + 1, x.from}, boxPair{x.a, nb.Left, x.from})
		}
	}
	return proven
}

// skipParts advances x.from past the parts of the interval in which both boxes are
// proved apart.
func (w *Worker) skipParts(lo, hi float64, p *activePair, levels [2]int, x *boxPair) {
	a, b := &p.a.part.tree.Nodes[x.a].OBB, &p.b.part.tree.Nodes[x.b].OBB
	level, margin := max(levels[0], levels[1]), p.margin*(1+0x1p-50)
	for ; x.from < int32(1)<<level; x.from++ {
		if int(x.from) == len(w.relatives) {
			w.relate(lo, hi, p, levels, level, int(x.from)+1)
		}
		w.stats.BoxTests++
		if !ApartOver(&w.relatives[x.from], a, b, margin) {
			return
		}
	}
}

// leafBoxes adds the elementary test of two leaves. The interval is split if that makes
// more equations than may be active at once.
func (w *Worker) leafBoxes(lo, hi float64, pair int32, levels [2]int, x boxPair) outcome {
	p := &w.active[pair]
	ta, tb := p.a.part.tree, p.b.part.tree
	na, nb := &ta.Nodes[x.a], &tb.Nodes[x.b]
	w.elementary(pair, ta.Order[na.First], tb.Order[nb.First], w.window(lo, hi, p, levels, x))
	if lo == 0 && x.from == 0 && !p.convex() && !w.apartNow(p, &na.OBB, &nb.OBB) {
		w.leaves = append(w.leaves, leafPair{pair, ta.Order[na.First], tb.Order[nb.First]})
	}
	if max(levels[0], levels[1]) > 0 && len(w.items) > w.Options.maxActive() && hi-lo > shortestStep && !w.Options.OneStep {
		return split
	}
	if w.clock.Out() {
		w.proved = lo
		return stopped
	}
	return proven
}

// relate bounds the motion of b as seen from a in parts up to the given number: each
// element with the bounds of its own refinement level.
func (w *Worker) relate(lo, hi float64, p *activePair, levels [2]int, level, until int) {
	for k := len(w.relatives); k < until; k++ {
		a := w.partPose(p.a, lo, hi, levels[0], k>>(level-levels[0]))
		b := w.partPose(p.b, lo, hi, levels[1], k>>(level-levels[1]))
		w.relatives = append(w.relatives, RelativeOf(a, b))
	}
}

// elementary adds the tests of a pair of leaves.
func (w *Worker) elementary(pair, leafA, leafB int32, window interval.I) {
	w.stats.Leaves++
	p := &w.active[pair]
	if p.convex() {
		w.items = append(w.items, equation{kind: convexGap, pair: pair, a: int32(len(w.gaps)), leafA: leafA, leafB: leafB, window: window, long: 2 * window.Width()})
		w.gaps = append(w.gaps, gap{})
		return
	}
	before := len(w.items)
	w.equations(pair, leafA, leafB, window)
	w.stats.Equations += len(w.items) - before
}

// window returns in which time two leaves may touch that overlap in part x.from: until
// the last part in which they do.
func (w *Worker) window(lo, hi float64, p *activePair, levels [2]int, x boxPair) interval.I {
	if w.Options.OneStep {
		return interval.I{Lo: lo, Hi: hi}
	}
	level := max(levels[0], levels[1])
	until := int32(1) << level
	w.relate(lo, hi, p, levels, level, int(until))
	a, b := &p.a.part.tree.Nodes[x.a].OBB, &p.b.part.tree.Nodes[x.b].OBB
	for ; until > x.from+1; until-- {
		w.stats.BoxTests++
		if !ApartOver(&w.relatives[until-1], a, b, p.margin*(1+0x1p-50)) {
			break
		}
	}
	return interval.I{Lo: cut(lo, hi, level, int(x.from)), Hi: cut(lo, hi, level, int(until))}
}

// convex reports whether the pair's leaves are convex pieces that must be farther apart
// than its margin, not triangles that must not touch.
func (p *activePair) convex() bool {
	return p.a.part.faces == nil || p.b.part.faces == nil || p.margin > 0
}

// apartNow reports that two boxes are apart where the piece begins.
func (w *Worker) apartNow(p *activePair, a, b *OBB) bool {
	if !w.hasBegun {
		w.hasBegun = true
		x, y := w.mover.PoseBF(p.a.base, p.a.frame, 0, 0).Mul(&p.a.part.place), w.mover.PoseBF(p.b.base, p.b.frame, 0, 0).Mul(&p.b.part.place)
		w.begun = RelativeOf(&x, &y)
	}
	return ApartOver(&w.begun, a, b, p.margin*(1+0x1p-50))
}

// leafPair is two leaves whose boxes overlap where the piece begins.
type leafPair struct{ pair, a, b int32 }

// apartAtStart shows that no two leaves touch where the piece begins, which equations
// take for granted.
func (w *Worker) apartAtStart() outcome {
	w.look(0, 0)
	for _, l := range w.leaves {
		p := &w.active[l.pair]
		w.proved = 0
		if w.clock.Out() {
			return stopped
		}
		if w.parted(p, l.a, l.b, nil) {
			continue
		}
		t := w.touchAt(p, l.a, l.b, 0)
		if t.Distance <= w.clearance+w.tolerance {
			w.found = found{p, t, 0, 0}
			w.contacts = append(w.contacts[:0], w.found)
			return touched
		}
		w.clock.Reason = "two bodies are closer than the numbers can tell where a piece begins, but show no contact"
		return stopped
	}
	return proven
}

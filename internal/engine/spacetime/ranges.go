package spacetime

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Distance ranges. Each entry of a front is to be proved apart by what its own range asks
// for. An entry that stands for several pairs, such as one of groups or of an element and
// part of the world, takes the largest Min and the largest Max of them: what is proved of
// it then holds for each of them.

// selectRanges notes the range of each pair. It fails as engine.RangesOf does.
func (w *Worker) selectRanges(q *motion.DistanceRanges, noSelf, noWorld bool) error {
	r := &w.ranged
	r.on = !q.IsZero()
	selected := [2]bool{noSelf, noWorld}
	if !r.on || r.made && r.selected == selected && engine.SameRanges(&r.of, q) {
		return nil // as the last time
	}
	r.made = false
	of, err := engine.RangesOf(w.m, q)
	if err != nil {
		return err
	}
	r.of, r.selected = q.Clone(), selected
	r.hasMin, r.least, r.smallest, r.largest = false, math.Inf(1), math.Inf(1), 0
	r.pairs, r.farthest = r.pairs[:0], r.farthest[:0]
	for i := range w.m.Pairs {
		p := &w.m.Pairs[i]
		own := of.Of(w.m, p)
		if own.Max == 0 {
			own.Max = math.Inf(1)
		}
		r.pairs, r.farthest = append(r.pairs, own), append(r.farthest, own.Max)
		if p.World && noWorld || !p.World && noSelf {
			continue
		}
		r.hasMin, r.least = r.hasMin || own.Min > 0, min(r.least, own.Min)
		r.smallest, r.largest = min(r.smallest, own.Max), max(r.largest, own.Max)
	}
	for _, members := range w.m.PairsOf {
		r.pairs = append(r.pairs, r.widest(members))
	}
	r.elements = make([]motion.DistanceRange, len(w.m.Elements))
	for i, row := range w.m.Against {
		r.elements[i] = r.widest(row)
	}
	for g := w.m.Real; g < len(w.m.Elements); g++ {
		for _, i := range w.m.Elements[g].Members {
			r.elements[g] = wider(r.elements[g], r.elements[i])
		}
	}
	r.made = true
	return nil
}

// widest returns the largest Min and the largest Max of pairs; negative ones are none.
func (r *ranged) widest(pairs []int32) (out motion.DistanceRange) {
	for _, i := range pairs {
		if i >= 0 {
			out = wider(out, r.pairs[i])
		}
	}
	return out
}

func wider(a, b motion.DistanceRange) motion.DistanceRange {
	return motion.DistanceRange{Min: max(a.Min, b.Min), Max: max(a.Max, b.Max)}
}

// rangeOf returns the range of an entry.
func (w *Worker) rangeOf(e entry) motion.DistanceRange {
	r := &w.ranged
	if e.pair >= 0 {
		return r.pairs[e.pair]
	}
	element := ^e.pair
	if e.b < 0 && w.m.Elements[element].Members == nil {
		if pair := w.m.Against[element][w.m.World.Items[^e.b].Element-w.m.First]; pair >= 0 {
			return r.pairs[pair]
		}
	}
	return r.elements[element]
}

// keepOf returns what a question has pairs keep.
func keepOf(q *motion.Query) keep {
	tolerance := engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
	return keep{
		clearance: q.Clearance, tolerance: tolerance,
		less: max(2*tolerance, engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance)),
	}
}

// of returns the clearance to be proved of a pair with a Min, and the tolerance within
// which two points show that it cannot be.
func (k *keep) of(least float64) (clearance, tolerance float64) {
	clearance = max(k.clearance, least-k.less)
	return clearance, max(k.tolerance, (least-clearance)*7/8)
}

// isStopped is why a search ends that has found a pair closer than its Min.
const isStopped = "a pair comes closer than the least distance asked for"

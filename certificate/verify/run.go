package verify

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Consecutive atoms in the written order are often close to each other. Each run of some of
// them has a ball around it, which shows that none of them can be the largest; the answer is
// the same as that of examining all of them.

// run is a ball around runLength atoms without their radii, and the largest of the radii. The
// ball is enlarged by 1e-9 of its distance and size, so that no rounding excludes the largest
// atom.
type run struct {
	center       geom.Vec
	radius, more float64
}

const runLength = 16

// makeRuns makes the runs, after the atoms are in their order.
func (b *body) makeRuns() {
	b.runs = b.runs[:0]
	for first := 0; first+runLength <= len(b.atoms); first += runLength {
		b.runs = append(b.runs, b.runOf(b.atoms[first:first+runLength]))
	}
}

func (b *body) runOf(atoms []atom) run {
	box := emptyBox
	each := func(take func(p geom.Vec, r float64)) {
		for i := range atoms {
			for _, p := range b.pointsOf(&atoms[i]) {
				take(p, 0)
			}
			for _, d := range b.discsOf(&atoms[i]) {
				take(d.center, d.radius)
			}
		}
	}
	each(func(p geom.Vec, _ float64) { box = extended(box, p) })
	r := run{center: times(0.5, plus(box.Min, box.Max))}
	each(func(p geom.Vec, radius float64) { r.radius = max(r.radius, length(minus(p, r.center))+radius) })
	for i := range atoms {
		r.more = max(r.more, atoms[i].radius)
	}
	r.radius += 1e-9 * (length(r.center) + r.radius + r.more)
	return r
}

func extended(b geom.Box, p geom.Vec) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y), Z: min(b.Min.Z, p.Z)},
		Max: geom.Vec{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y), Z: max(b.Max.Z, p.Z)},
	}
}

// largest returns the largest value of an atom in [first, end). bound is no smaller than the
// value of any atom of a run.
func (b *body) largest(first, end int, bound func(*run) float64, value func(*atom) float64) float64 {
	best := math.Inf(-1)
	take := func(first, end int) {
		for i := first; i < end; i++ {
			best = max(best, value(&b.atoms[i]))
		}
	}
	from, to := (first+runLength-1)/runLength, end/runLength
	if to-from < 2 {
		take(first, end)
		return best
	}
	take(first, from*runLength)
	take(to*runLength, end)
	top := from
	for i := from + 1; i < to; i++ {
		if bound(&b.runs[i]) > bound(&b.runs[top]) {
			top = i
		}
	}
	take(top*runLength, (top+1)*runLength)
	for i := from; i < to; i++ {
		if i != top && !(bound(&b.runs[i]) < best) {
			take(i*runLength, (i+1)*runLength)
		}
	}
	return best
}

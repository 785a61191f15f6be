package bisect

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// The quality of the bounds of path lengths (SSL04 IV-D, Fig. 9): the ratio of lambda
// to the length of the curve that some point of the link traces, which is at least that
// of lambda to the longest curve.

// PathLength is a bound and a length that it holds for.
type PathLength struct {
	Lambda float64 // bounds the length of the curve of every point of the element, m
	Length float64 // of the polygon through places of one point, m
}

// Ratio is at least 1; +Inf for a point that does not move, NaN where nothing does.
func (p PathLength) Ratio() float64 { return p.Lambda / p.Length }

// PathLength bounds the lengths of the curves that points of element i of a pair trace
// during a piece of a motion, seen from the body where the pair's chains part, and
// measures that of one point: the outermost of the element in the direction towards, by
// so many steps. It fails on an element that is not the pair's.
func (w *Worker) PathLength(b *kin.Course, piece, pair, i int, towards geom.Vec, steps int) (PathLength, error) {
	if pair < 0 || pair >= len(w.p.m.Pairs) || piece < 0 || piece >= b.Pieces() || steps < 1 {
		return PathLength{}, fmt.Errorf("there is no pair %d on piece %d, or nothing to measure in %d steps", pair, piece, steps)
	}
	p := &w.p.m.Pairs[pair]
	if i != p.A && i != p.B {
		return PathLength{}, fmt.Errorf("element %d is not of pair %d", i, pair)
	}
	w.loaded, w.lengths.of, w.bound = nil, nil, nil
	s := w.newSegment(b, piece, false)
	w.load(s)
	e := &w.p.m.Elements[i]
	x := e.PoseFE.Apply(e.Core.Support(towards)) // in F
	out := PathLength{Lambda: w.lambdaOf(i, p, w.lengthsOn(s, 0, 1)) * inflate}
	var last geom.Vec
	for k := range steps + 1 {
		c := w.config(s, float64(k)/float64(steps))
		at := w.frameOf(c, p.Base).ApplyInv(w.frameOf(c, e.Frame).Apply(x))
		if k > 0 {
			out.Length += geom.Norm(r3.Sub(at, last))
		}
		last = at
	}
	return out, nil
}

// Histogram counts ratios in bins of one width, from 1 on, as Fig. 9 shows them.
type Histogram struct {
	Width  float64
	Counts []int // of bin k: ratios in [1 + k Width, 1 + (k+1) Width)
	Beyond int   // larger than the last bin, or of points that hardly move
	N      int
}

// NewHistogram returns an empty histogram with bins up to the ratio largest.
func NewHistogram(width, largest float64) *Histogram {
	return &Histogram{Width: width, Counts: make([]int, max(1, int((largest-1)/width+0.5)))}
}

// Add counts a ratio; one that is no number is left out.
func (h *Histogram) Add(ratio float64) {
	k := (ratio - 1) / h.Width
	switch {
	case ratio != ratio:
		return
	case k < float64(len(h.Counts)):
		h.Counts[max(0, int(k))]++
	default:
		h.Beyond++
	}
	h.N++
}

// Within returns which part of the ratios is below the given one, by whole bins.
func (h *Histogram) Within(ratio float64) float64 {
	n := 0
	for k := range h.Counts {
		if 1+float64(k+1)*h.Width <= ratio*(1+1e-12) {
			n += h.Counts[k]
		}
	}
	if h.N == 0 {
		return 0
	}
	return float64(n) / float64(h.N)
}

package spacetime

import (
	"math"
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
)

// A profile by rows of steps: what is not proved of a row is covered by shorter ones, and at last as one interval.

// onSteps covers an interval by rows of steps. It reports false where there are none, or where they err by too much for
// the tolerance; nothing is covered then.
func (p *profiler) onSteps(lo, hi float64) bool {
	w := p.w
	o := &p.steps
	if w.ranged.on || hi-lo < shortest {
		return false
	}
	shapes, ok := p.likely()
	if !ok || !o.begin(w, p.tol) || 8*o.slack(shapes) > p.tol {
		return false
	}
	p.rows(lo, hi, (hi-lo)/lanes.Steps, shapes, shapes)
	p.close()
	return true
}

// rows covers an interval by rows of steps, the first of the given width, the others as wide as those before allow. Of what
// is closest, a is likely among it in the beginning, b at the end.
func (p *profiler) rows(lo, hi, width float64, a, b distance.Shapes) {
	w := p.w
	o := &p.steps
	vain, first := 0, 0.0 // how often the row that begins at lo was tried in vain, and its first width
	for lo < hi && !w.q.Out() {
		end := hi
		if lo+(lanes.Steps+2)*width < hi {
			end = lo + lanes.Steps*width
		}
		width = (end - lo) / lanes.Steps
		if bend := o.bendOf(lo, end, a, b); bend > o.tol/4 && width > shortest {
			width *= max(math.Sqrt(o.tol/8/bend), 1./8)
			continue
		}
		if vain == 0 {
			first = width
		}
		proved := uint8(0)
		var row [lanes.Steps]stepSpan
		if width > shortest {
			p.startAt(lo)
			proved = o.spans(&row, o.run(lo, end, a, b))
		}
		switch n := bits.OnesCount8(proved); {
		case n > 0:
			vain, width = 0, width*growth[n]
			lo, a = p.takeRow(&row, proved)
			b = a
		case vain == mostVain || o.touches || width <= shortest:
			end = min(hi, lo+lanes.Steps*first)
			p.close()
			p.run(lo, end)
			lo, vain, width = end, 0, first
			if of, ok := p.likely(); ok {
				a, b = of, of
			}
		default:
			vain, width = vain+1, width/3
			a, b = o.near[0].of, o.near[lanes.Steps].of
		}
	}
}

// likely returns the shapes that were the closest last; ok is false where they are none that steps look at.
func (p *profiler) likely() (of distance.Shapes, ok bool) {
	m := p.w.m
	if of, ok = p.w.Last(); !ok {
		return of, false
	}
	if of.Of < 0 {
		return of, hasParts(&m.Elements[^of.Of])
	}
	q := &m.Pairs[of.Of]
	return of, hasParts(&m.Elements[q.A]) && hasParts(&m.Elements[q.B])
}

// mostVain is how often a row is tried again with shorter steps when none of them was proved.
const mostVain = 2

// startAt uses a time for containment checks from now on, unless all was apart since an earlier one.
func (p *profiler) startAt(t float64) {
	if !p.apart {
		p.starts++
		p.w.place(t, t, t)
		p.w.startHere()
	}
}

// growth is by how much wider steps are after a row of which so many were proved.
var growth = [lanes.Steps + 1]float64{1: 0.45, 2: 0.45, 3: 0.45, 4: 0.7, 5: 0.7, 6: 1, 7: 1.6}

// takeRow adds the spans of a row, and covers its gaps by shorter steps. It returns up to where it has come, and what is
// closest there.
func (p *profiler) takeRow(row *[lanes.Steps]stepSpan, proved uint8) (until float64, shapes distance.Shapes) {
	w := p.w
	o := &p.steps
	times, near := w.stepped.lanes.Times, [lanes.Times]distance.Shapes{}
	for k := range near {
		near[k] = o.near[k].of
	}
	if proved&1 != 0 {
		p.apart = true
	}
	began := p.starts
	for k := 0; k < lanes.Steps; k++ {
		if proved>>k&1 != 0 {
			p.emitStep(&row[k], times[k], times[k+1])
			continue
		}
		next := k + bits.TrailingZeros8(proved>>k|1<<(lanes.Steps-k))
		p.rows(times[k], times[next], (times[next]-times[k])/lanes.Steps, near[k], near[next])
		if w.q.Reason != "" || !p.apart || p.starts != began {
			return times[next], near[next]
		}
		k = next - 1
	}
	return times[lanes.Steps], near[lanes.Steps]
}

package catch

import (
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// ZRLK07, section 8.1, (3): early exit for planners, who do not ask when a path collides.
// An upper bound of the time of contact within the path is answer enough: a witness at
// any time.
//
// Departure: such witnesses are looked for before anything is advanced, by static tests
// of the potentially colliding links; the paper takes those that it comes by.

// probe looks for a pair that touches at the end or in the middle of the piece.
func (w *Worker) probe() {
	for _, at := range [...]float64{1, 0.5} {
		for i := range w.pcls {
			if at >= w.from && (w.clock.Out() || w.touchesAt(&w.pcls[i], at)) {
				return
			}
		}
	}
}

// touchesAt reports whether the pair touches at the time c, and takes note of where.
func (w *Worker) touchesAt(p *pcl, c float64) bool {
	w.stats.Probes++
	w.stand(c, 0, c)
	s := &w.stepper
	s.start(w, p.pair, false)
	if s.meet(p); s.touched {
		w.found(&s.touch)
	}
	return s.touched
}

// meet looks for two points of the shapes near enough for a witness, first where the
// pair's last step ended.
func (s *stepper) meet(p *pcl) {
	s.stack = append(s.stack[:0], volumes{whole, whole})
	if p.known {
		s.stack = append(s.stack, p.closest)
	}
	for len(s.stack) > 0 && !s.touched {
		v := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.w.stats.VolumePairs++
		if s.apart(v) > s.w.clearance+s.w.tolerance {
			continue
		}
		a, b := coreOf(s.a.e, s.a.hulls, v.a, &s.a.volume), coreOf(s.b.e, s.b.hulls, v.b, &s.b.volume)
		s.w.stats.Distances++
		r := convex.Bounded(a, &s.a.at.pose, b, &s.b.at.pose, s.w.clearance+s.w.tolerance, &s.search)
		switch {
		case r.Lower > s.w.clearance+s.w.tolerance:
		case opens(s.a.e, v.a) || opens(s.b.e, v.b):
			s.open(v)
		default:
			s.touches(&r)
		}
	}
}

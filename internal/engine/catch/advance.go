package catch

// ZRLK07, section 3.4 and Algorithm 1, lines 11 to 20: conservative advancement of one
// pair of links.
//
// Departures. Equation 6 divides the motion over all of [0, 1] by its length, which
// overshoots where a link is slow first: here the speed is bounded on the interval that
// is about to be crossed, and no step leaves it. How long an interval is tried follows
// from the step before. And where the caller gives a generous time tolerance, the end of
// the crawl towards a contact is cut off: as soon as the pair touches within the
// tolerance after what is proved, that is the answer.

// outcome is how advancing a pair ended.
type outcome uint8

const (
	cleared outcome = iota // apart up to the time asked for
	touched                // it has a witness
	gaveUp                 // the clock, or numbers, ended it
)

// advance moves the pair on from p.lower, up to which it is apart, towards until.
// Afterwards it is apart on [0, p.lower).
func (w *Worker) advance(p *pcl, until float64) outcome {
	for p.lower < until {
		if w.clock.Out() {
			return gaveUp
		}
		if o := w.stepShapes(p, until); o != cleared {
			return o
		}
	}
	return cleared
}

// stepShapes advances the pair by one step.
func (w *Worker) stepShapes(p *pcl, until float64) outcome {
	w.stats.Steps++
	h := w.stand(p.lower, p.length, until)
	s := &w.stepper
	s.start(w, p.pair, false)
	var known *volumes
	if p.known && !w.Options.NoMemory {
		known = &p.closest
	}
	step := s.step(h, known)
	if s.has {
		p.closest, p.known = s.closest, true
	}
	switch {
	case s.touched:
		w.found(&s.touch)
		return touched
	case !w.progress(p, step, h, until):
		return gaveUp
	case step < w.timeTol/2 && w.touchesSoon(p, until):
		return touched
	}
	return cleared
}

// nextLength is a few times the last step: longer, the bound of the speed would be
// worse than it need be; shorter, the interval would end the step.
func nextLength(step, length float64) float64 {
	if step >= control*length {
		return 4 * step // the interval ended it, or stands in the way of a longer one
	}
	return 2 * step
}

// progress moves the pair on by a step, on an interval of length h, and reports whether it
// is any later then.
//
// The sum is rounded to nearest: taking off two roundings keeps it below what was
// proved, but at the end of the interval, which was what was asked.
func (w *Worker) progress(p *pcl, step, h, until float64) bool {
	p.length = nextLength(step, h)
	if step >= h && h >= until-p.lower {
		p.lower = until
		return true
	}
	next := p.lower + min(step, h)*(1-8*u)
	next -= 2 * u * next
	if !(next > p.lower) {
		w.clock.Reason = "two bodies are closer than numbers can tell, yet do not touch: allow a larger tolerance"
		return false
	}
	p.lower = next
	return true
}

// touchesSoon reports whether the pair touches within the time tolerance after what is
// proved of it, which is then its time of contact.
func (w *Worker) touchesSoon(p *pcl, until float64) bool {
	return w.touchesAt(p, min(p.lower+w.timeTol/2, until))
}

package catch

// ZRLK07, section 7.2: the links' convex hulls are advanced first. They are quick to
// measure, and touch no later than the links: the time at which they come close is a
// lower bound of the time of contact, by which the pairs are sorted.
//
// Departure: the hull of a link is its own model's, simplified outward by a tenth of a
// millimetre where it would have more than 128 vertices.

// hullsNear in metres is how close hulls are let come before the shapes take over: the
// paper's threshold of distance (section 8.1).
const hullsNear = 1e-3

// advanceHulls moves the pair on until its hulls come near each other, or to the end of
// the piece.
func (w *Worker) advanceHulls(p *pcl) {
	for p.lower < 1 && !w.clock.Out() && !w.stepHulls(p) {
	}
}

// stepHulls advances the pair's hulls by one step, unless they are near each other.
func (w *Worker) stepHulls(p *pcl) (near bool) {
	w.stats.HullSteps++
	h := w.stand(p.lower, p.length, 1)
	s := &w.stepper
	s.start(w, p.pair, true)
	s.search.Dir = p.toward
	step := s.step(h, nil)
	p.toward = s.search.Dir
	if p.lower == w.from {
		p.parted = step > 0
	}
	if step < h && s.gap < hullsNear {
		return true
	}
	w.progress(p, step, h, 1)
	return false
}

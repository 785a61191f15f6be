package bisect

// Covering strategies (SSL04 II-E, Fig. 3). Draw the path length lambda as a segment
// and around its ends circles of the radii eta: what they cover is proved. The default
// cuts in the middle, so that all pairs ask about the same configurations. The others
// cut where the circles of both ends meet the segment, so that what is left is one
// interval, or in the middle of the part that is not covered.
//
// Where a cut falls is no part of the proof: each part is held to Inequality (1) by
// itself.

// cover returns where to cut an element, in ascending order.
func (w *Worker) cover(s *Segment, e *element) (cuts [2]float64, n int) {
	middle := e.a + (e.b-e.a)/2
	if w.Options.Cover == Middle || !(e.lambda > 0) {
		return [2]float64{middle}, 1
	}
	span := e.b - e.a
	from, to := e.a+span*(e.atA/e.lambda), e.b-span*(e.atB/e.lambda)
	inner := func(t float64) bool { return t > e.a+span/64 && t < e.b-span/64 } // else it gets nowhere
	if w.Options.Cover == UncoveredMidst {
		if t := from + (to-from)/2; inner(t) {
			middle = t
		}
		return [2]float64{middle}, 1
	}
	// The circles reach a little less far than computed, so that the parts beside them
	// are covered and not all but covered.
	const margin = 1e-9
	from, to = from-margin*span, to+margin*span
	switch {
	case inner(from) && inner(to) && from < to:
		return [2]float64{from, to}, 2
	case inner(from):
		return [2]float64{from}, 1
	case inner(to):
		return [2]float64{to}, 1
	}
	return [2]float64{middle}, 1
}

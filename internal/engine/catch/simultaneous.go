package catch

// ZRLK07, section 7.1, opens with another way than the one that its Algorithm 1 takes:
// to perform the iterations of all pairs simultaneously. Options.Simultaneous does so:
// whichever pair is proved apart for the shortest time takes the next step, by its hulls
// as long as they are apart, then by its shapes. The first that touches does so at a
// time up to which all others are proved apart, so that there is nothing to cull; and no
// pair's hulls are advanced beyond the contact.

// advanceTogether advances the potentially colliding links.
func (w *Worker) advanceTogether() {
	w.heap = w.heap[:0]
	for i := range w.pcls {
		w.heap = append(w.heap, int32(i)) // all of them start at the same time
		if w.Options.NoHulls {
			w.shapesAtOnce(&w.pcls[i])
		}
	}
	for len(w.heap) > 0 && !w.clock.Out() {
		p := &w.pcls[w.heap[0]]
		switch {
		case w.hit || p.lower >= 1:
			w.countTogether()
			return // no pair is behind
		case !p.shapes:
			w.stepHullsTogether(p)
		case w.stepShapes(p, 1) == gaveUp:
			return
		}
		w.sink()
	}
}

// shapesAtOnce leaves out the hulls.
func (w *Worker) shapesAtOnce(p *pcl) {
	if p.shapes = true; w.first {
		w.startInside(p)
	}
}

// stepHullsTogether advances the pair's hulls by one step, or leaves them for good.
func (w *Worker) stepHullsTogether(p *pcl) {
	first := p.lower == w.from
	p.shapes = w.stepHulls(p)
	if first && w.first && !p.parted {
		w.startInside(p)
	}
}

// countTogether notes what became of the pairs.
func (w *Worker) countTogether() {
	for i := range w.pcls {
		switch p := &w.pcls[i]; {
		case p.shapes:
			w.stats.Advanced++
		case p.lower >= 1:
			w.stats.ClearedByHulls++
		default:
			w.stats.CulledByTime++
		}
	}
}

// sink puts the pair at the top of the heap, which is farther on now, in its place.
func (w *Worker) sink() {
	h := w.heap
	for i := 0; ; {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if r := least + 1; r < len(h) && w.pcls[h[r]].lower < w.pcls[h[least]].lower {
			least = r
		}
		if w.pcls[h[i]].lower <= w.pcls[h[least]].lower {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

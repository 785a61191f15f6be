package node

import (
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// While a newer world is made ready, motions are judged in the one before it. As soon as it is in
// use, those that ended after it was given are judged in it, too: how long it took to make it ready
// hides no contact on the way.

// meantime keeps the configurations of the robot's chain that were measured while a newer world was
// made ready.
type meantime struct {
	kept []*jointstates.Sample // oldest first; the first may only be the begin of the motion to the second
	last *jointstates.Sample   // the newest of the chain
}

// note takes the newest configuration. Those that were received before a time are forgotten. It
// returns one that is forgotten for lack of room, or nil.
func (d *meantime) note(s *jointstates.Sample, waits bool, since time.Time) (forgotten *jointstates.Sample) {
	before := d.last
	d.last = s
	if !waits {
		d.kept = nil
		return nil
	}
	if len(d.kept) == 0 && before != nil && !s.First {
		d.kept = append(d.kept, before)
	}
	d.kept = append(d.kept, s)
	for len(d.kept) > 2 && d.kept[1].Received.Before(since) {
		d.kept = d.kept[1:]
	}
	if len(d.kept) > limit.WaitingConfigurations {
		forgotten, d.kept = d.kept[1], d.kept[1:]
	}
	return forgotten
}

// chains returns the motions between the configurations that are kept, up to the first that waits to
// be judged anyway, as ones to be judged again in the world of a number.
func (d *meantime) chains(waiting []*jointstates.Sample, world uint64) (all []way) {
	kept := d.kept
	if len(waiting) > 0 {
		if i := slices.Index(kept, waiting[0]); i >= 0 {
			kept = kept[:i]
		}
	}
	for i, s := range kept {
		again := anew(s, world)
		again.Counted = true
		if i == 0 || s.First {
			all = append(all, way{again})
			continue
		}
		last := &all[len(all)-1]
		*last = append(*last, again)
	}
	return all
}

// settle forgets what came before the layer that follows one of this number was given.
func (d *meantime) settle(layer uint64) {
	n := slices.IndexFunc(d.kept, func(s *jointstates.Sample) bool { return s.Given > layer })
	switch {
	case n < 0:
		d.kept = nil
	case n > 0:
		d.kept = slices.Clone(d.kept[n-1:])
	}
}

// newestLayer returns the number of the newest layer in a model's world.
func (m *model) newestLayer() uint64 { return slices.Max(m.layers[:]) }

// during notes a configuration if a newer world than that in use has been given. The caller holds the
// lock.
func (w *monitor) during(s *jointstates.Sample) {
	s.Given = w.given()
	if lost := w.meantime.note(s, s.Given > w.model.newestLayer(), s.Received.Add(-w.limits.timeout)); lost != nil {
		w.queue.miss(lost)
	}
}

// judgeMeantime has the motions judged in the new world of the model that ended while it was made
// ready. The caller holds the lock.
func (w *monitor) judgeMeantime(m *model, changed bool) {
	if changed {
		for _, chain := range w.meantime.chains(w.queue.waiting, w.former.count) {
			w.queue.keep(chain)
		}
	}
	w.meantime.settle(m.newestLayer())
}

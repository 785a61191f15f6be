package node

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// elaborate adds the distances of the other close pairs to the state that was judged last.
// They change no level and take several times as long as the closest pair, so they are
// computed after the state is published and only until new input arrives. Repetitions of the
// state contain them. If the search stopped at a pair closer than its minimum, others do not
// matter. The computation takes at most two periods, so that the state is
// published again within its deadline.
func (w *monitor) elaborate(ctx context.Context) {
	if w.state == nil || w.state.Level == fcmsgs.CollisionStateUnknown || w.state.Stopped || w.elaborated || w.by.limits.pairs == 1 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(w.limits.timeout, 2*w.limits.period()))
	defer cancel()
	w.interrupt.Store(&cancel)
	defer w.interrupt.Store(nil)
	if len(w.wake) > 0 {
		return // new input came before interrupt was set
	}
	d, _, err := w.by.distances(ctx, w.last, severalPairs)
	if err == nil {
		w.state.ClosestPairs, w.elaborated = pairDistancesOf(d.Pairs), true
	}
}

// alert wakes run because new input has arrived.
func (w *monitor) alert() {
	nudge(w.wake)
	if stop := w.interrupt.Load(); stop != nil {
		(*stop)()
	}
}

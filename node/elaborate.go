package node

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// elaborate adds the other close pairs to the state that was judged last. They
// change no level and take several times as long as the closest, so this is done
// after the answer is given and only until something new comes. Who hears the
// state again hears them. It takes no longer than two periods, so that the state is
// said again within its deadline.
func (w *monitor) elaborate(ctx context.Context) {
	if w.state == nil || w.state.Level == fcmsgs.CollisionStateUnknown || w.elaborated || w.limits.pairs == 1 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(w.limits.timeout, 2*w.limits.period()))
	defer cancel()
	w.interrupt.Store(&cancel)
	defer w.interrupt.Store(nil)
	if len(w.wake) > 0 {
		return // it came before it could interrupt
	}
	d, _, err := w.by.distances(ctx, w.last, motion.DistanceQuery{K: w.limits.pairs, Max: w.limits.far, Relative: tolerance})
	if err == nil {
		w.state.ClosestPairs, w.elaborated = pairDistancesOf(d.Pairs), true
	}
}

// alert tells run that something has come.
func (w *monitor) alert() {
	nudge(w.wake)
	if stop := w.interrupt.Load(); stop != nil {
		(*stop)()
	}
}

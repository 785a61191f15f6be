package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// witnessOf puts a touch in the caller's terms. The robot is placed at its time.
func (w *Worker) witnessOf(t *touch, at float64) motion.Witness {
	q := &w.m.Pairs[t.pair]
	placed := w.now
	if t.atStart {
		placed = w.atStart
	}
	x := engine.Touch{A: t.a, B: t.b, Normal: t.normal, Distance: t.distance}
	return engine.Witness(w.m, q, &x, at, placed(q.A), placed(q.B))
}

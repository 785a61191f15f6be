package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// witnessOf puts a touch in the caller's terms. The robot is placed at its time.
func (w *Worker) witnessOf(t *touch, at float64) motion.Witness {
	q := &w.m.Pairs[t.Pair]
	var a, b geom.Pose
	if t.atStart {
		a, b = w.start.Pose(q.A), w.start.Pose(q.B)
	} else {
		a, b = w.at.Element(q.A).Pose, w.at.Element(q.B).Pose
	}
	return engine.Witness(w.m, q, &t.Touch, at, a, b)
}

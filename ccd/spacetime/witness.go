package spacetime

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// witnessOf puts a touch in the caller's terms. The robot is placed at its time.
func (w *Worker) witnessOf(t *touch, at float64) motion.Witness {
	q := &w.m.Pairs[t.pair]
	placed := w.now
	if t.atStart {
		placed = w.atStart
	}
	return motion.Witness{
		Pair: w.m.Named(q), Time: at,
		PointA: t.a, PointB: t.b, Normal: t.normal, Distance: t.distance,
		FeatureA: w.featureOf(q.A, t.a, t.normal, placed), FeatureB: w.featureOf(q.B, t.b, r3.Scale(-1, t.normal), placed),
	}
}

// featureOf tells on which element of its body a point of W is, and where on it; n is
// the direction to the other body.
func (w *Worker) featureOf(element int, x, n geom.Vec, placed placing) motion.Feature {
	body := &w.m.Bodies[w.m.Elements[element].Body]
	pose := placed(element)
	return motion.NewFeature(slices.Index(body.Elements, element), pose.ApplyInv(x), pose.R.ApplyInv(n))
}

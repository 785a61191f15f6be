package engine

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// AppendPairs appends the pairs of a question.
func AppendPairs(dst []int32, m *model.Model, q *motion.Query) []int32 {
	for i := range m.Pairs {
		if world := m.Pairs[i].World; world && q.NoWorld || !world && q.NoSelf {
			continue
		}
		dst = append(dst, int32(i))
	}
	return dst
}

// Touch is where a pair comes closest at one time, in W: a point of each body, the unit normal
// from A towards B (zero if unknown) and the distance.
type Touch struct {
	A, B, Normal geom.Vec
	Distance     float64
}

// PairTouch is a touch of a pair, an index of the model's Pairs, negative for none.
type PairTouch struct {
	Pair int32
	Touch
}

// Witness converts a touch of a pair at a time to the caller's terms. poseA and poseB are the
// poses of its elements at that time.
func Witness(m *model.Model, p *model.Pair, t *Touch, at float64, poseA, poseB geom.Pose) motion.Witness {
	return motion.Witness{
		Pair: m.Named(p), Time: at,
		PointA: t.A, PointB: t.B, Normal: t.Normal, Distance: t.Distance,
		FeatureA: feature(m, p.A, t.A, t.Normal, poseA), FeatureB: feature(m, p.B, t.B, r3.Scale(-1, t.Normal), poseB),
	}
}

// feature determines the element of its body that a point of W lies on, and where. n is the
// direction to the other body.
func feature(m *model.Model, element int, x, n geom.Vec, pose geom.Pose) motion.Feature {
	body := &m.Bodies[m.Elements[element].Body]
	return motion.NewFeature(slices.Index(body.Elements, element), pose.MoveBack(x), pose.R.TurnBack(n))
}

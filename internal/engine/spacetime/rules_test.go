package spacetime

import "github.com/firstcontact-ros/firstcontact/geom"

// The rules with a given bound A of the acceleration, as apartAlong and parts put them
// together.

func apartHalfSpace(n geom.Vec, a, b *side, h, accel, clearance, slack float64) bool {
	return bent(accel, h) < partedBy(n, a, b, h, clearance, slack)
}

func apartAlongStill(n geom.Vec, a, b *side, far, clearance, slack float64) bool {
	return apartStill(partedBy(n, a, b, 0, clearance, slack), far)
}

func apartAtEnds(n geom.Vec, a, b *side, h, accel, before, after, slack float64) bool {
	return bent(accel, h) < partedAtEnds(n, a, b, h, before, after, slack)
}

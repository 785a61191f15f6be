package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
)

// The rules with a given bound A of the acceleration, as apartAlong and parts put them
// together; and with their numbers in a row, as these tests vary each.

func apartHalfSpace(n geom.Vec, a, b *rules.Side, h, accel, clearance, slack float64) bool {
	return rules.Bent(accel, h) < partedBy(n, a, b, h, clearance, slack)
}

func apartAlongStill(n geom.Vec, a, b *rules.Side, far, clearance, slack float64) bool {
	return rules.ApartStill(partedBy(n, a, b, 0, clearance, slack), far)
}

func apartAtEnds(n geom.Vec, a, b *rules.Side, h, accel, before, after, slack float64) bool {
	return rules.Bent(accel, h) < rules.PartedAtEnds(n, a, b, h, rules.Line{Before: before, After: after}, slack)
}

func partedBy(n geom.Vec, a, b *rules.Side, h, clearance, slack float64) float64 {
	return rules.PartedBy(n, a, b, h, rules.Margin{Clearance: clearance, Slack: slack})
}

func apartBalls(x0, x1 geom.Vec, h, accel, far, radii, clearance, slack float64) bool {
	return rules.BallsApart(x0, x1, rules.Bounds{H: h, Accel: accel, Far: far}, radii, rules.Margin{Clearance: clearance, Slack: slack})
}

func sweptBox(center, v, bend geom.Vec, h, accel, jerk, far, radius float64) geom.Box {
	return rules.SweptBox(center, v, bend, rules.Bounds{H: h, Accel: accel, Jerk: jerk, Far: far}, radius)
}

package ruletest

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
)

// The rules with a given bound of the acceleration, as the engine puts them together, and
// with their numbers in a row, as tests vary each.

// ApartHalfSpace is the half-space rule.
func ApartHalfSpace(n geom.Vec, a, b *rules.Side, h, accel, clearance, slack float64) bool {
	return rules.Bent(accel, h) < PartedBy(n, a, b, h, clearance, slack)
}

// ApartStill is displacement alone.
func ApartStill(n geom.Vec, a, b *rules.Side, far, clearance, slack float64) bool {
	return rules.ApartStill(PartedBy(n, a, b, 0, clearance, slack), far)
}

// ApartAtEnds is the half-space rule for a clearance that is a line.
func ApartAtEnds(n geom.Vec, a, b *rules.Side, h, accel, before, after, slack float64) bool {
	return rules.Bent(accel, h) < rules.PartedAtEnds(n, a, b, h, rules.Line{Before: before, After: after}, slack)
}

// PartedBy is by how much half-spaces part two sides.
func PartedBy(n geom.Vec, a, b *rules.Side, h, clearance, slack float64) float64 {
	return rules.PartedBy(n, a, b, h, rules.Margin{Clearance: clearance, Slack: slack})
}

// ApartBalls is the ball rule.
func ApartBalls(x0, x1 geom.Vec, h, accel, far, radii, clearance, slack float64) bool {
	return rules.BallsApart(x0, x1, rules.Bounds{H: h, Accel: accel, Far: far}, radii, rules.Margin{Clearance: clearance, Slack: slack})
}

// SweptBox is the box of a ball that moves.
func SweptBox(center, v, bend geom.Vec, h, accel, jerk, far, radius float64) geom.Box {
	return rules.SweptBox(center, v, bend, rules.Bounds{H: h, Accel: accel, Jerk: jerk, Far: far}, radius)
}

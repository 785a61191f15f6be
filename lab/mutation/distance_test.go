package mutation

// Mutations of the distance query: what its lower bounds take off, and when it asks
// whether one body is inside another.

const (
	distanceGo = "internal/engine/spacetime/distance.go"
	closestGo  = "internal/engine/spacetime/closest.go"
	reachGo    = "internal/engine/spacetime/distance_world.go"

	againstTwin = "TestDistancesAgainstTheTwin"
	areClosest  = "TestClosestPairsAreTheClosest"
)

var distances = []mutation{
	{name: "distance: surfaces alone", file: distanceGo, old: "if s.lower <= 0 && s.best.distance > 0 && s.w.reason == \"\" {", new: "if false {", in: "ccd", tests: "TestDistanceOfLinksInside TestDistanceInsideSeveralSolids", drops: "one body inside the other, at a configuration"},
	{name: "distance: radius of a part", file: distanceGo, old: "(r3.Dot(x.a, s.poseAB.P)-ha-hb-ra-rb)*(1-8*u)", new: "(r3.Dot(x.a, s.poseAB.P)-ha-hb+ra+rb)*(1-8*u)", tests: againstTwin, drops: "radii in a gap of parts"},
	{name: "distance: one side's support", file: distanceGo, old: "(r3.Dot(x.a, s.poseAB.P)-ha-hb-ra-rb)*(1-8*u)", new: "(r3.Dot(x.a, s.poseAB.P)-ha-0*hb-ra-rb)*(1-8*u)", tests: againstTwin, drops: "both supports in a gap of parts"},
	{name: "distance: the hull is the body", file: distanceGo, old: "if d := s.best.distance; s.lower > 0 &&", new: "if d := s.lower; s.lower > 0 &&", tests: againstTwin, drops: "points of the body, not of its hull, as witnesses"},
	{name: "distance: radius in the world", file: reachGo, old: "c, radius := s.at.center, s.e.Radius+s.slack", new: "c, radius := s.at.center, 0.5*s.e.Radius+s.slack", tests: areClosest, drops: "the ball of an element in the world's tree"},
	{name: "distance: planes in the world", file: reachGo, old: "- p.reach\n\t\tlower = max(", new: "- 0*p.reach\n\t\tlower = max(", tests: areClosest, drops: "an element's reach along a plane"},
	{name: "distance: points are where they seem", file: closestGo, old: "return (t.distance + slack + r.w.m.World.Err) * (1 + 8*u)", new: "return t.distance + 0*slack", tests: "TestDistancesOfGearedChains", drops: "rounding of places in the upper bound"},
	{name: "distance: hulls are where they seem", file: reachGo, old: "lower := found.Lower - s.slack", new: "lower := found.Lower", tests: "TestDistancesOfGearedChains", drops: "rounding of places in the lower bound"},
	{name: "distance: not outside the world", file: reachGo, old: "if w.m.World.Encloses && !s.outside() {", new: "if false {", in: "ccd", tests: "TestDistanceInsideSeveralSolids", drops: "an element inside an object of the world"},
}

package mutation

// Mutations of ccd/catch: the step of conservative advancement, and what the stages of
// the method leave out. Those of its Taylor models are in taylor_test.go.

const (
	stepGo     = "ccd/catch/step.go"
	speedGo    = "ccd/catch/speed.go"
	advanceGo  = "ccd/catch/advance.go"
	stagesGo   = "ccd/catch/check.go"
	spatialGo  = "ccd/catch/spatial.go"
	temporalGo = "ccd/catch/temporal.go"
	catchGo    = "ccd/catch/worker.go"

	stepsSafe = "TestStepsAreSafe"
)

var catching = []mutation{
	// The step
	{name: "catch: no clearance", file: stepGo, old: "s.margin = w.clearance +", new: "s.margin =", tests: stepsSafe + " TestMarginHasEveryTerm", drops: "clearance in equation 4"},
	{name: "catch: rounding of one side", file: stepGo, old: "s.margin = w.clearance + s.a.at.slack + s.b.at.slack", new: "s.margin = w.clearance + s.a.at.slack", tests: "TestMarginHasEveryTerm", drops: "rounding of both sides"},
	{name: "catch: slack without places", file: catchGo, old: "return st.ErrP[e.Frame] + (st.ErrR[e.Frame]+160*u)*p + e.ErrP", new: "return 0*p + e.ErrP", tests: "TestMarginHasEveryTerm", drops: "rounding of poses"},
	{name: "catch: slack without directions", file: catchGo, old: "(st.ErrR[e.Frame]+64*u)*x", new: "64*u*x", tests: "TestMarginHasEveryTerm", drops: "rounding of a direction in another frame"},
	{name: "catch: speed of one side, any direction", file: stepGo, old: "if gap*(1-8*u) >= enough*(s.a.speed+s.b.speed) {", new: "if gap*(1-8*u) >= enough*s.a.speed {", tests: stepsSafe, drops: "mu of both sides"},
	{name: "catch: speed of one side, along n", file: stepGo, old: "return s.w.speedAlong(s.a.e.Frame, s.a.from, radiiA, n) + s.w.speedAlong(s.b.e.Frame, s.b.from, radiiB, n)", new: "return s.w.speedAlong(s.a.e.Frame, s.a.from, radiiA, n) + 0*s.w.speedAlong(s.b.e.Frame, s.b.from, radiiB, n)", tests: stepsSafe, drops: "mu of both sides"},
	{name: "catch: approach of one side", file: stepGo, old: "return Step(gap, a+b, 0, w.h)", new: "_ = b\n	return Step(gap, a, 0, w.h)", tests: stepsSafe, drops: "mu of both sides"},
	{name: "catch: both along n", file: stepGo, old: "s.b.approach(w, v.b, r3.Scale(-1, r.Normal))", new: "s.b.approach(w, v.b, r3.Scale(1, r.Normal))", tests: stepsSafe, drops: "b moves against n"},
	{name: "catch: n of the world", file: stepGo, old: "	if s.base != 0 {", new: "	if s.base < 0 {", tests: stepsSafe, drops: "n in the frame where the chains part"},
	{name: "catch: a link's own approach", file: stepGo, old: "	if s.e.Frame == s.base {", new: "	if s.e.Frame != 0 {", tests: stepsSafe, drops: "the motion of links after the parting"},
	{name: "catch: volumes without radius", file: stepGo, old: "center, radius = s.e.PoseFE.Apply(center), radius+s.at.loose", new: "center, radius = s.e.PoseFE.Apply(center), 0*radius", tests: "TestClosedForms", drops: "all points of the volume"},
	{name: "catch: balls without radii", file: stepGo, old: "gap := d*(1-8*u) - radii*(1+8*u) - s.margin", new: "gap := d*(1-8*u) - 0*radii - s.margin", tests: stepsSafe, drops: "radii of balls"},
	{name: "catch: a stretch half as long", file: catchGo, old: "w.standAround(c, c, c+h)", new: "w.standAround(c, c, c+h/2)", tests: "TestSlowFirst", drops: "speed bounded on the step"},
	{name: "catch: models of a stretch half as long", file: catchGo, old: "w.c, w.h, w.lo, w.hi = c, h, lo, hi\n", new: "w.c, w.h, w.lo, w.hi = c, h, lo, (lo+hi)/2\n", tests: "TestSlowFirst", drops: "models on the step"},
	{name: "catch: witness too far", file: stepGo, old: "<= s.w.clearance+s.w.tolerance) {", new: "<= s.w.clearance+9*s.w.tolerance) {", tests: "TestAgreesWithSpacetime", drops: "a witness within the tolerance"},

	// Sums of norms
	{name: "catch: sine of the wrong angle", file: speedGo, old: "seen += geom.Norm(r3.Cross(n, st.AxisW[k]))", new: "seen += math.Abs(r3.Dot(n, st.AxisW[k]))", tests: stepsSafe, drops: "|n x u|"},
	{name: "catch: slides across", file: speedGo, old: "seen += math.Abs(r3.Dot(n, st.AxisW[k]))", new: "seen += math.Abs(geom.Norm(r3.Cross(n, st.AxisW[k])))", tests: stepsSafe, drops: "|n.u|"},
	{name: "catch: joints after the first", file: speedGo, old: "		v += radii[i] * w.state.Omega[chain[i]]", new: "		v = radii[i] * w.state.Omega[chain[i]]", tests: stepsSafe, drops: "all joints of the chain"},

	// Advancement and the stages
	{name: "catch: a step beyond its stretch", file: advanceGo, old: "next := p.lower + min(step, h)*(1-8*u)", new: "next := p.lower + 2*min(step, h)*(1-8*u)", tests: "TestAgreesWithSpacetime TestClearanceAtTheEdge", drops: "a step is as long as proved"},
	{name: "catch: to the end at once", file: advanceGo, old: "if step >= h && h >= until-p.lower {", new: "if step >= h {", tests: "TestAgreesWithSpacetime TestClearanceAtTheEdge", drops: "the stretch ends before the piece"},
	{name: "catch: hulls parted for good", file: "ccd/catch/hull.go", old: "p.parted = step > 0", new: "p.parted = true", tests: "TestInsideAtTheStart", drops: "one body inside the other"},
	{name: "catch: boxes without clearance", file: spatialGo, old: "w.clearance*(1+8*u)", new: "0*w.clearance", tests: "TestClearanceAtTheEdge", drops: "clearance in spatial culling"},
	{name: "catch: self boxes without clearance", file: spatialGo, old: "w.elements[q.B].box, w.clearance) {", new: "w.elements[q.B].box, 0*w.clearance) {", tests: "TestClearanceAtTheEdge", drops: "clearance in spatial culling"},
	{name: "catch: half the piece in boxes", file: spatialGo, old: "w.taylor.AABB(i, 0, 1)", new: "w.taylor.AABB(i, 0, 0.5)", tests: "TestAgreesWithSpacetime", drops: "boxes all along the piece"},
	{name: "catch: hulls of some corners", file: "ccd/catch/hulltree.go", old: "			for _, k := range slices.Compact(below) {", new: "			for _, k := range slices.Compact(below)[1:] {", tests: "TestHullTreeHoldsItsTriangles", drops: "all corners of a hull"},
	{name: "catch: one child of two", file: "ccd/catch/linktree.go", old: "stack = append(stack, pairOfNodes{c[0], p.env}, pairOfNodes{c[1], p.env})", new: "stack = append(stack, pairOfNodes{c[0], p.env})", tests: "TestLinkTreeFindsEveryPair", drops: "all links"},
	{name: "catch: no later contact is earlier", file: temporalGo, old: "			until = w.touch.time\n", new: "			until = 0.5 * w.touch.time\n", tests: "TestAgreesWithSpacetime TestClearanceAtTheEdge", drops: "pairs up to the earliest contact"},
	{name: "catch: the last witness", file: catchGo, old: "if !w.hit || t.time < w.touch.time {", new: "if true {", tests: "TestOptionsKeepVerdicts", drops: "the earliest contact"},
	{name: "catch: proved by the first pair", file: temporalGo, old: "until = min(until, w.pcls[i].lower)", new: "until = max(min(until, w.pcls[0].lower), 0*float64(i))", tests: "TestProvenIsOfAllPairs", drops: "what is proved is proved of all pairs"},
	{name: "catch: together, the heap forgets", file: "ccd/catch/simultaneous.go", old: "		w.sink()\n", new: "", tests: "TestOptionsKeepVerdicts TestClearanceAtTheEdge", drops: "the pair that is behind goes next"},
}

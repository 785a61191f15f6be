package mutation

// Mutations of internal/engine/spacetime: the proof rules (B) and (H), the containment check,
// and the order in which the traversal proves and reports.

const (
	proofGo    = "internal/engine/spacetime/proof.go"
	containGo  = "internal/engine/spacetime/contain.go"
	traverseGo = "internal/engine/spacetime/traverse.go"
	workerGo   = "internal/engine/spacetime/worker.go"
	partGo     = "internal/engine/spacetime/part.go"
	bindGo     = "internal/engine/spacetime/bind.go"
	courseGo   = "internal/engine/kin/course.go"
	turnsGo    = "internal/engine/kin/turns.go"

	rulesAttained = "TestRulesAreAttained"
	slackTerms    = "TestSlackHasEveryTerm"
)

var proofRules = []mutation{
	// Half-spaces (H)
	{name: "half-space: one end only", file: proofGo, old: "gap = max(gap, gapAt(n, a, b, -h))", new: "_ = gap", tests: rulesAttained, drops: "both ends of [-h, h]"},
	{name: "half-space: the middle only", file: proofGo, old: "gap := gapAt(n, a, b, h)\n\tif h > 0 {\n\t\tgap = max(gap, gapAt(n, a, b, -h))", new: "gap := gapAt(n, a, b, 0)\n\tif h > 0 {\n\t\t_ = gap", tests: rulesAttained, drops: "the linear part at the ends"},
	{name: "half-space: no acceleration", file: proofGo, old: "{ return accel * h * h * (0.5 * (1 + 8*u)) }", new: "{ return 0 * accel * h }", tests: rulesAttained, drops: "A h^2 / 2 in (H)"},
	{name: "half-space: acceleration less 1 %", file: proofGo, old: "{ return accel * h * h * (0.5 * (1 + 8*u)) }", new: "{ return accel * h * h * (0.495 * (1 + 8*u)) }", tests: rulesAttained, drops: "A h^2 / 2 in (H), by 1 %"},
	{name: "half-space: no clearance", file: proofGo, old: "return finite(-clearance*(1+8*u) - slack -", new: "return finite(-slack -", tests: rulesAttained, drops: "clearance in (H)"},
	{name: "half-space: no slack", file: proofGo, old: "return finite(-clearance*(1+8*u) - slack -", new: "return finite(-clearance*(1+8*u) -", tests: "TestRulesTakeOffEveryTerm", drops: "rounding in (H)"},
	{name: "half-space: radius of a", file: proofGo, old: "- slack - a.core.Radius - b.core.Radius - gap", new: "- slack - b.core.Radius - gap", tests: rulesAttained, drops: "a's radius in (H)"},
	{name: "half-space: radius of b", file: proofGo, old: "- slack - a.core.Radius - b.core.Radius - gap", new: "- slack - a.core.Radius - gap", tests: rulesAttained, drops: "b's radius in (H)"},
	{name: "half-space: sides at different tau", file: proofGo, old: "reachAlong(r3.Scale(-1, n), b, tau)", new: "reachAlong(r3.Scale(-1, n), b, -tau)", tests: rulesAttained, drops: "both sides at the same tau"},
	{name: "half-space: no turning", file: proofGo, old: "m := r3.Add(n, r3.Scale(tau, r3.Cross(n, s.vel.Ang)))", new: "m := r3.Add(n, r3.Scale(0*tau, r3.Cross(n, s.vel.Ang)))", tests: rulesAttained, drops: "angular velocity in n.v'"},
	{name: "half-space: no sliding", file: proofGo, old: " + tau*r3.Dot(n, s.vel.Lin)", new: "", tests: rulesAttained, drops: "linear velocity in n.v'"},
	{name: "half-space: velocity less 1 %", file: proofGo, old: "tau*r3.Dot(n, s.vel.Lin)", new: "0.99*tau*r3.Dot(n, s.vel.Lin)", tests: rulesAttained, drops: "n.v' by 1 %"},

	// Balls (B)
	{name: "balls: no acceleration", file: proofGo, old: "(need+accel*h*h*0.5)", new: "(need+0*accel)", tests: rulesAttained, drops: "A h^2 / 2 in (B)"},
	{name: "balls: acceleration less 1 %", file: proofGo, old: "accel*h*h*0.5", new: "accel*h*h*0.495", tests: rulesAttained, drops: "A h^2 / 2 in (B), by 1 %"},
	{name: "balls: no radii", file: proofGo, old: "need := radii + clearance + slack", new: "need := 0*radii + clearance + slack", tests: rulesAttained, drops: "radii in (B)"},
	{name: "balls: no clearance", file: proofGo, old: "need := radii + clearance + slack", new: "need := radii + 0*clearance + slack", tests: rulesAttained, drops: "clearance in (B)"},
	{name: "overflow: a length", file: proofGo, old: "if !(d <= math.MaxFloat64) {", new: "if d != d {", tests: "TestBallRuleOfExtremeNumbers", drops: "a length whose square overflows proves nothing"},
	{name: "overflow: a speed", file: proofGo, old: "if !(v2 <= math.MaxFloat64) {", new: "if v2 != v2 {", tests: "TestBallRuleOfExtremeNumbers", drops: "a speed whose square overflows proves nothing"},
	{name: "overflow: what is to spare", file: proofGo, old: "if spare <= math.MaxFloat64 {", new: "if spare == spare {", tests: "TestHalfSpaceRulesOfExtremeNumbers", drops: "an infinite gap proves nothing"},
	{name: "balls: at c only", file: proofGo, old: "return distanceToSegment(x0, x1, h) >", new: "return d + 0*distanceToSegment(x0, x1, h) >", tests: rulesAttained, drops: "the segment of centres"},
	{name: "balls: half the segment", file: proofGo, old: "max(-h, min(h, -r3.Dot(x0, x1)/v2))", new: "max(0, min(h, -r3.Dot(x0, x1)/v2))", tests: rulesAttained, drops: "both halves of the segment"},
	{name: "balls: no displacement", file: proofGo, old: "(need+far)*(1+8*u)", new: "(need+0*far)*(1+8*u)", tests: rulesAttained, drops: "M in the rule of displacement"},

	// Displacement alone
	{name: "still: no displacement", file: proofGo, old: "{ return far*(1+8*u) < by }", new: "{ return 0*far < by }", tests: rulesAttained, drops: "M_a + M_b"},
	{name: "still: displacement less 1 %", file: proofGo, old: "{ return far*(1+8*u) < by }", new: "{ return 0.99*far < by }", tests: rulesAttained, drops: "M_a + M_b, by 1 %"},

	// Rounding
	{name: "slack: poses", file: proofGo, old: "place := st.ErrP[e.Frame] + (st.ErrR[e.Frame]+160*u)*p", new: "place := 0*p", tests: slackTerms, drops: "rounding of poses"},
	{name: "slack: velocities", file: proofGo, old: "2*(v.Lin+v.Ang*x) + 64*u*speed", new: "0*(v.Lin+v.Ang*x) + 64*u*speed", tests: slackTerms, drops: "rounding of velocities"},
	{name: "slack: the rules' own", file: proofGo, old: "place + 64*u*x + floor, ", new: "place + floor, ", tests: slackTerms, drops: "rounding of the rules"},
	{name: "slack: the rules' own of what moves", file: proofGo, old: " + 64*u*speed, ", new: " + 0*speed, ", tests: slackTerms, drops: "rounding of the rules, of velocities"},
	{name: "slack: nothing grows with h", file: proofGo, old: "h*(s.slide+h*s.bend)", new: "h*(h*s.bend)", tests: slackTerms, drops: "slack of velocities within an interval"},
	{name: "slack: nothing grows with its square", file: proofGo, old: "h*(s.slide+h*s.bend)", new: "h*s.slide", tests: slackTerms, drops: "slack of accelerations within an interval"},
	{name: "slack: of the last interval", file: workerGo, old: "p.tube, p.bends, p.arced, p.slack = 0, false, false, p.slacks.within(w.h)", new: "p.tube, p.bends, p.arced, p.slack = 0, false, false, min(p.slack, p.slacks.within(w.h))", tests: "TestSlackIsOfTheInterval", drops: "slack belongs to an interval"},
}

var traversal = []mutation{
	{name: "velocity of the parting body", file: workerGo, old: "s.vel = w.state.Twist[e.Frame].Sub(w.state.Twist[q.Base])", new: "s.vel = w.state.Twist[e.Frame]", tests: "TestBodiesOfOneTree", drops: "velocities relative to the body where the chains part"},
	{name: "one side's acceleration", file: workerGo, old: "\t\tp.accel += accel\n", new: "\t\tp.accel = accel\n", tests: rulesAttained, drops: "A of both sides"},
	{name: "one side's slack", file: workerGo, old: "p.slack += at.slack", new: "p.slack = 0 * at.slack", tests: "TestPairsKeepAllSlack", drops: "rounding of both sides"},
	{name: "h of the left half", file: workerGo, old: "max(hi-c, c-lo)", new: "0.5 * (c - lo)", tests: "TestVerdictsOnRandomRobots", drops: "h covers the interval"},
	{name: "reach of the state", file: courseGo, in: geometry, old: "append(b.maxAbs, max(", new: "append(b.maxAbs, min(", tests: "TestReachIsOfTheMotion", drops: "r_k holds only inside the motion's own box"},
	{name: "continuous joints the long way", file: turnsGo, in: geometry, old: "if off := motion.ShortWay(ctrl[0], ctrl[1]); off != 0 && !f.tells(off) {", new: "if off := motion.ShortWay(ctrl[0], ctrl[1]); off != 0 && f.tells(off) {", tests: "TestTurns", drops: "a continuous joint's wrap"},
	{name: "turns: nothing tells", file: turnsGo, in: "ccd", old: "off != 0 && !f.tells(off) {", new: "off != 0 {", tests: "TestShortWayKeepsWhatFollows", drops: "what follows a continuous joint"},
	{name: "turns: slides do not tell", file: turnsGo, old: "x.slide = true", new: "x.slide = false", tests: "TestTurnsThatNothingTells", drops: "slides that follow a continuous joint"},
	{name: "turns: rounded products", file: turnsGo, old: " || math.FMA(m, n, -product) != 0", new: "", tests: "TestTurnsThatNothingTells", drops: "multiplier times turns is an integer in real arithmetic"},
	{name: "turns: reach of the numbers given", file: courseGo, old: ", b.largestShifted(d))", new: ")", tests: "TestLargestPositionCountsTurns", drops: "positions with turns taken off"},
	{name: "seams: no slides", file: stateGo, old: "s.ErrP[k] += s.Root.Jump.Pos", new: "s.ErrP[k] += 0", tests: "TestErrorsCoverJumps", drops: "jumps of the root link's origin"},
	{name: "seams: no turns", file: stateGo, old: "s.ErrR[k] += s.Root.Jump.Rot", new: "s.ErrR[k] += 0", tests: "TestErrorsCoverJumps", drops: "jumps of the root link's orientation"},
	{name: "seams: nothing jumps in intervals", file: "internal/engine/kin/joint.go", in: "ccd", old: " + root.Jump.Pos", new: "", tests: "TestNothingJumpsIntoASolid", drops: "jumps of the root link in intervals and Taylor models"},
	{name: "turns: no blur", file: courseGo, old: "curves[d].Blur(maxAbs, err)", new: "_ = maxAbs", tests: "TestTurnsErrAsBounded", drops: "rounding of what is taken off, in rates"},
	{name: "no containment", file: traverseGo, old: "if !s.checkOutside(e, openA, w.atStart) {", new: "if false {", tests: atOnce + " TestOutsideOfLinksIsForgotten", drops: "one body inside the other"},
	{name: "containment of one side", file: containGo, old: "if ok && !inside {\n\t\tinside, at, ok = s.w.solids.PartInside(eb, &poseB, ea, &poseA)\n\t}", new: "_ = poseB", tests: "TestInsideFromTheStart", drops: "either solid may contain the other"},
	{name: "padding of leaves", file: partGo, old: "p.core.Radius = l.Radius + e.Padding", new: "p.core.Radius = l.Radius", tests: "TestPadding", drops: "padding of a hierarchy's leaves"},
	{name: "outside for good", file: workerGo, old: "p.asked, p.hint, p.hasHint, p.outside = w.asked, geom.Vec{}, false, false", new: "p.asked, p.hint, p.hasHint = w.asked, geom.Vec{}, false", tests: "TestOutsideOfLinksIsForgotten", drops: "containment is of one motion"},
	{name: "the later half first proved", file: traverseGo, old: "\t\ts.res.proven = hi\n", new: "\t\ts.res.proven = 1\n", tests: "TestVerdictsOnRandomRobots", drops: "proven only up to the first interval that is not"},
}

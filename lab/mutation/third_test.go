package mutation

// Mutations of the third order: how twists change, the jerk, and what the rules make of
// them.

const (
	rateGo        = "internal/engine/kin/rate.go"
	lineGo        = "internal/engine/spacetime/profile_line.go"
	onPairs       = "TestBoundsOnRandomChains TestBoundsOnPairs"
	curveIsBound  = "TestCurveBoundsAreTrue"
	twinOfChains  = "TestRoundingOfRandomChains"
	onRandomParts = "TestRulesOnRandomChains"
)

var thirdOrder = []mutation{
	// The jerk
	{name: "jerk: no beta", file: boundsGo, old: "s.Beta[k] + 3*(", new: "3*(", tests: attained, drops: "sum of R_k beta_k"},
	{name: "jerk: beta less 1 %", file: boundsGo, old: "s.Beta[k] + 3*(", new: "0.99*s.Beta[k] + 3*(", tests: attained, drops: "sum of R_k beta_k, by 1 %"},
	{name: "jerk: no coupling with turns", file: boundsGo, old: "3*(w*turn*turn+", new: "3*(0*w*turn*turn+", tests: attained, drops: "3 omega_k S^2"},
	{name: "jerk: coupling with turns less 1 %", file: boundsGo, old: "3*(w*turn*turn+", new: "3*(0.99*w*turn*turn+", tests: attained, drops: "3 omega_k S^2, by 1 %"},
	{name: "jerk: no turn that speeds up", file: boundsGo, old: "alpha*turn+w*turning)", new: "w*turning)", tests: attained, drops: "3 alpha_k S_omega"},
	{name: "jerk: a turn that speeds up less 1 %", file: boundsGo, old: "alpha*turn+w*turning)", new: "0.99*alpha*turn+w*turning)", tests: attained, drops: "3 alpha_k S_omega, by 1 %"},
	{name: "jerk: no turns before that speed up", file: boundsGo, old: "alpha*turn+w*turning)", new: "alpha*turn)", tests: attained, drops: "3 omega_k S_alpha"},
	{name: "jerk: turns before that speed up less 1 %", file: boundsGo, old: "alpha*turn+w*turning)", new: "alpha*turn+0.99*w*turning)", tests: attained, drops: "3 omega_k S_alpha, by 1 %"},
	{name: "jerk: only the last turn speeds up", file: boundsGo, old: "turning += alpha", new: "turning = alpha", tests: attained, drops: "the sum S_alpha"},
	{name: "jerk: no turn alone", file: boundsGo, old: "3*(turn*w+alpha) + w*w)", new: "3*(turn*w+alpha))", tests: attained, drops: "omega_k^3"},
	{name: "jerk: a turn alone less 1 %", file: boundsGo, old: "3*(turn*w+alpha) + w*w)", new: "3*(turn*w+alpha) + 0.99*w*w)", tests: attained, drops: "omega_k^3, by 1 %"},
	{name: "jerk: no turn twice", file: boundsGo, old: "3*(turn*w+alpha) + w*w)", new: "3*alpha + w*w)", tests: attained, drops: "3 omega_k^2 S"},
	{name: "jerk: a turn twice less 1 %", file: boundsGo, old: "3*(turn*w+alpha) + w*w)", new: "3*(0.99*turn*w+alpha) + w*w)", tests: attained, drops: "3 omega_k^2 S, by 1 %"},
	{name: "jerk: no own acceleration", file: boundsGo, old: "3*(turn*w+alpha) + w*w)", new: "3*turn*w + w*w)", tests: attained, drops: "3 alpha_k omega_k"},
	{name: "jerk: own acceleration less 1 %", file: boundsGo, old: "3*(turn*w+alpha) + w*w)", new: "3*(turn*w+0.99*alpha) + w*w)", tests: attained, drops: "3 alpha_k omega_k, by 1 %"},
	{name: "jerk: rounded to nearest", file: boundsGo, old: "return a * inflate, j * inflate", new: "return a * inflate, j", tests: "TestSumsAreRoundedUp", drops: "rounding up of J"},

	// Curves
	{name: "Beta: of the whole curve's middle", file: curveGo, old: "hull(c.jerk, lo, hi) + c.jerkErr", new: "hull(c.jerk, at, at) + c.jerkErr", tests: curveIsBound, drops: "beta bounds the whole interval"},
	{name: "Beta: rounded accelerations", file: curveGo, old: "hull(c.jerk, lo, hi) + c.jerkErr", new: "hull(c.jerk, lo, hi)", tests: curveIsBound + " TestCurveBoundsOnHardCases", drops: "rounding of the accelerations that jerks differ"},
	{name: "QDD: no error", file: curveGo, old: "c.accErr+16*u*c.topAcc", new: "0*c.topAcc", tests: curveIsBound, drops: "rounding of accelerations"},

	// How twists change
	{name: "rate: no acceleration", file: rateGo, old: "turned := r3.Add(r3.Scale(qdd, u), r3.Scale(qd,", new: "turned := r3.Add(r3.Scale(0*qdd, u), r3.Scale(qd,", tests: onPairs + " " + twinOfChains, drops: "q'' u"},
	{name: "rate: axes stand still", file: rateGo, old: "r3.Scale(qd, r3.Cross(base.Ang, u)))\n\tif", new: "r3.Scale(0*qd, r3.Cross(base.Ang, u)))\n\tif", tests: onPairs + " " + twinOfChains, drops: "the bracket's turning of the axis"},
	{name: "rate: no acceleration of the lever", file: rateGo, old: "r3.Scale(qdd, l)", new: "r3.Scale(0*qdd, l)", tests: onPairs + " " + twinOfChains, drops: "q'' o x u"},
	{name: "rate: levers stand still", file: rateGo, old: "r3.Cross(base.Ang, l)", new: "r3.Scale(0, r3.Cross(base.Ang, l))", tests: onPairs + " " + twinOfChains, drops: "the bracket's turning of the lever"},
	{name: "rate: origins stand still", file: rateGo, old: "r3.Cross(base.Lin, u)", new: "r3.Scale(0, r3.Cross(base.Lin, u))", tests: onPairs + " " + twinOfChains, drops: "the bracket's moving of the origin"},
	{name: "rate: of the frame before", file: rateGo, old: "*r = s.Rate[f.Parent]", new: "*r = Twist{}", tests: onPairs + " " + twinOfChains, drops: "the sum over joints"},
	{name: "rate: kept from the last interval", file: rateGo, old: "if s.rated[f] == s.stamp {", new: "if s.rated[f] > 0 && f > 0 {", tests: "TestStateIsReusable", drops: "rates belong to an interval"},
	{name: "rate: base not taken off", file: rateGo, old: "s.Rate[f].Sub(s.Rate[base])", new: "s.Rate[f]", tests: "TestBoundsOnPairs", drops: "relative to the parting body"},
	{name: "rate: base does not turn", file: rateGo, old: "r.Ang = r3.Sub(r.Ang, r3.Cross(t.Ang, v.Ang))\n", new: "", tests: "TestBoundsOnPairs", drops: "seen in the parting body: turning"},
	{name: "rate: base does not turn levers", file: rateGo, old: "r3.Add(r3.Cross(t.Ang, v.Lin), r3.Cross(t.Lin, v.Ang))", new: "r3.Cross(t.Lin, v.Ang)", tests: "TestBoundsOnPairs", drops: "seen in the parting body: turning of levers"},
	{name: "rate: base does not move", file: rateGo, old: "r3.Add(r3.Cross(t.Ang, v.Lin), r3.Cross(t.Lin, v.Ang))", new: "r3.Cross(t.Ang, v.Lin)", tests: "TestBoundsOnPairs", drops: "seen in the parting body: moving"},
	{name: "acceleration at a point: no turning", file: rateGo, old: "r3.Add(rate.At(x), r3.Cross(t.Ang, t.At(x)))", new: "rate.At(x)", tests: onPairs, drops: "ang x v"},

	// The rules
	{name: "bend: no jerk", file: proofGo, old: "(max(0, bend) + jerk*h*(1./3))", new: "(max(0, bend) + 0*jerk*h)", tests: rulesAttained, drops: "J h / 3"},
	{name: "bend: jerk less 1 %", file: proofGo, old: "(max(0, bend) + jerk*h*(1./3))", new: "(max(0, bend) + 0.99*jerk*h*(1./3))", tests: rulesAttained, drops: "J h / 3, by 1 %"},
	{name: "bend: less 1 %", file: proofGo, old: "(max(0, bend) + jerk*h*(1./3))", new: "(max(0, 0.99*bend) + jerk*h*(1./3))", tests: rulesAttained, drops: "n.x'' at c, by 1 %"},
	{name: "bend: negative counts", file: proofGo, old: "(max(0, bend) + jerk*h*(1./3))", new: "(bend + jerk*h*(1./3))", tests: onRandomParts, drops: "what bends away helps at the ends only"},
	{name: "bend: no acceleration of the twist", file: proofGo, old: "r3.Cross(n, s.rate.Ang)", new: "r3.Scale(0, r3.Cross(n, s.rate.Ang))", tests: rulesAttained + " " + onRandomParts, drops: "n x Ang' in n.x''"},
	{name: "bend: no acceleration of the origin", file: proofGo, old: "r3.Dot(n, r3.Add(s.rate.Lin, ", new: "r3.Dot(n, r3.Add(r3.Scale(0, s.rate.Lin), ", tests: rulesAttained + " " + onRandomParts, drops: "n.Lin' in n.x''"},
	{name: "bend: no centripetal part", file: proofGo, old: "r3.Scale(r3.Norm2(w), n)", new: "r3.Scale(0*r3.Norm2(w), n)", tests: rulesAttained + " " + onRandomParts, drops: "n |Ang|^2 in n.x''"},
	{name: "bend: no part along the axis", file: proofGo, old: "r3.Scale(r3.Dot(n, w), w)", new: "r3.Scale(0*r3.Dot(n, w), w)", tests: onRandomParts, drops: "Ang (n.Ang) in n.x''"},
	{name: "bend: no turning of the velocity", file: proofGo, old: "r3.Cross(w, s.vel.Lin)))", new: "r3.Scale(0, r3.Cross(w, s.vel.Lin))))", tests: onRandomParts, drops: "n.(Ang x Lin) in n.x''"},
	{name: "bend: of a alone", file: workerGo, old: "bendAlong(n, &p.a)+bendAlong(r3.Scale(-1, n), &p.b)", new: "bendAlong(n, &p.a)+0*bendAlong(r3.Scale(-1, n), &p.b)", tests: rulesAttained, drops: "both sides' n.x''"},
	{name: "bend: of b alone", file: workerGo, old: "bendAlong(n, &p.a)+bendAlong(r3.Scale(-1, n), &p.b)", new: "bendAlong(r3.Scale(-1, n), &p.b)", tests: rulesAttained, drops: "both sides' n.x''"},
	{name: "bend: one side's jerk", file: workerGo, old: "\t\tp.jerk += jerk\n", new: "\t\tp.jerk = jerk\n", tests: rulesAttained, drops: "J of both sides"},
	{name: "bend: kept from the last interval", file: workerGo, old: "p.jerk, p.rated, p.far, p.slack, p.tube = 0, 0, false, 0, 0, 0", new: "p.jerk, p.far, p.slack, p.tube = 0, 0, 0, 0, 0", tests: "TestRatesBelongToTheirInterval", drops: "rates belong to an interval"},
	{name: "arc: kept from the last interval", file: workerGo, old: "p.tube, p.bends, p.arced, p.slack = 0, false, false, ", new: "p.tube, p.bends, p.slack = 0, false, ", tests: "TestRatesBelongToTheirInterval", drops: "arcs belong to an interval"},
	{name: "arc: no jerk", file: workerGo, old: "bendOver(geom.Norm(p.bend), p.jerk, w.h)", new: "bendOver(geom.Norm(p.bend), 0, w.h)", tests: sweepsHold, drops: "J h / 3 of a centre"},
	{name: "swept box: no bend", file: proofGo, old: "bendOver(math.Abs(bend), jerk, h)", new: "bendOver(0*math.Abs(bend), jerk, h)", tests: boxTwin + " " + sweepsHold, drops: "the centre's acceleration at c"},
	{name: "swept box: bend with its sign", file: proofGo, old: "bendOver(math.Abs(bend), jerk, h)", new: "bendOver(bend, jerk, h)", tests: boxTwin, drops: "both sides of the swept box"},
	{name: "swept box: no jerk", file: proofGo, old: "bendOver(math.Abs(bend), jerk, h)", new: "bendOver(math.Abs(bend), 0, h)", tests: boxTwin + " " + sweepsHold, drops: "J h / 3 in the swept box"},
	{name: "sweep: bend without jerk", file: sweepGo, old: "bendOver(bendAlong(p.n, &sw.side), sw.at.jerk, w.h)", new: "bendOver(bendAlong(p.n, &sw.side), 0, w.h)", tests: sweepsHold, drops: "J h / 3 of a sweep"},
	{name: "slack: no accelerations", file: proofGo, old: "speed, bendErr(st, e.Frame, x)}", new: "speed, 0 * bendErr(st, e.Frame, x)}", tests: slackTerms, drops: "rounding of accelerations"},
	{name: "slack: rates", file: proofGo, old: "return rate + 8*", new: "return 0*rate + 8*", tests: slackTerms, drops: "rounding of how twists change"},
	{name: "slack: turned velocities", file: proofGo, old: "rate + 8*(err*v+ang*e)", new: "rate + 8*(err*v+0*ang*e)", tests: slackTerms, drops: "rounding of ang x v: of v"},
	{name: "slack: turning velocities", file: proofGo, old: "rate + 8*(err*v+ang*e)", new: "rate + 8*(ang*e)", tests: slackTerms, drops: "rounding of ang x v: of ang"},
	{name: "slack: sums of accelerations", file: proofGo, old: "64*u*(rush+8*ang*v)", new: "0*(rush+8*ang*v)", tests: slackTerms, drops: "rounding of the sums of n.x''"},

	// Lines of clearance
	{name: "line: at its end only", file: lineGo, old: "gapAt(n, a, b, -h)+before+8*u*math.Abs(before))", new: "gapAt(n, a, b, h)+after)", tests: "TestLineRuleAgainstItsTwin", drops: "both ends of the line"},
	{name: "line: ends exchanged", file: lineGo, old: "max(gapAt(n, a, b, h)+after+8*u*math.Abs(after), gapAt(n, a, b, -h)+before+8*u*math.Abs(before))", new: "max(gapAt(n, a, b, h)+before+8*u*math.Abs(before), gapAt(n, a, b, -h)+after+8*u*math.Abs(after))", tests: "TestLineRuleAgainstItsTwin", drops: "each end has its own clearance"},
	{name: "line: no radii", file: lineGo, old: "return finite(-slack - a.core.Radius - b.core.Radius -", new: "return finite(-slack -", tests: "TestLineRuleAgainstItsTwin", drops: "radii in the rule for a line"},
	{name: "line: reach at its start only", file: lineGo, old: "max(at(h, after), at(-h, before))", new: "at(-h, before)", tests: "TestReachBelowAgainstItsTwin", drops: "both ends of the line"},
	{name: "line: reach at its end only", file: lineGo, old: "max(at(h, after), at(-h, before))", new: "at(h, after)", tests: "TestReachBelowAgainstItsTwin", drops: "both ends of the line"},
	{name: "line: points go straight on", file: lineGo, old: "more := bent(p.accel, w.h) + p.slack", new: "more := 0*bent(p.accel, w.h) + p.slack", tests: "TestPointsKeepBelowTheirLine", drops: "A h^2 / 2 above the line"},
}

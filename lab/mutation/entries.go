package main

// entries are the changes that no generic operator makes, by the proof that they
// break. Each must be noticed by the tests that it names.
var entries = []entry{
	// Motion bounds: rule (A), the chords and how twists change.
	{
		name: "radius: deeper turns only", drop: "prismatic joints in the sum over deeper joints",
		dir: "internal/engine/kin", fn: "State.Radii",
		old: "deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])",
		new: `if !s.Tree.Frames[k].Prismatic {
			deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])
		}`,
		tests: "TestBoundsAreAttained",
	},
	{
		name: "displacement: one joint too few", drop: "the first joint after the parting body",
		dir: "internal/engine/kin", fn: "State.Displacement",
		old: `var m float64
	for i := from; i < len(chain); i++ {
		m += radii[i] * s.Chord[chain[i]]
	}`,
		new: `var m float64
	for i := from + 1; i < len(chain); i++ {
		m += radii[i] * s.Chord[chain[i]]
	}`,
		tests: "TestBoundsAreAttained",
	},
	{
		name: "coupling less 1 %", drop: "the mixed terms by 1 %",
		dir: "internal/engine/kin", fn: "State.Acceleration",
		old:   "a += r * (alpha + 2*w*turn)",
		new:   "a += r * (alpha + 1.98*w*turn)",
		tests: "TestBoundsAreAttained",
	},
	{
		name: "s: cosine for sine", drop: "|n x u_k| in s_k",
		dir: "internal/engine/kin", fn: "State.AccelerationAlong",
		old:   "min(1, geom.Norm(r3.Cross(n, s.AxisW[k]))+delta+8*u+s.ErrR[k])",
		new:   "min(1, max(r3.Dot(n, s.AxisW[k]), -r3.Dot(n, s.AxisW[k]))+delta+8*u+s.ErrR[k])",
		tests: "TestBoundsAreAttained",
	},
	{
		name: "along n: coupling with own s", drop: "the mixed terms carry s_m, not s_m s_k",
		dir: "internal/engine/kin", fn: "State.AccelerationAlong",
		old:   "w*(w*sk+2*turn)",
		new:   "w*(w*sk+2*turn*sk)",
		tests: "TestBoundsAreAttained",
	},
	{
		name: "along n: alpha of a slide times s", drop: "a prismatic k has alpha_k itself: s bounds n x u, not n.u",
		dir: "internal/engine/kin", fn: "State.AccelerationAlong",
		old: `a += r * (s.Alpha[k] + 2*w*turn)
			continue`,
		new: `a += r * (geom.Norm(r3.Cross(n, s.AxisW[k]))*s.Alpha[k] + 2*w*turn)
			continue`,
		tests: "TestBoundsAreAttained",
	},
	{
		name: "jerk: coupling with turns less 1 %", drop: "3 omega_k S^2, by 1 %",
		dir: "internal/engine/kin", fn: "State.Acceleration",
		old:   "3*(w*turn*turn+alpha*turn+w*turning)",
		new:   "3*(0.99*w*turn*turn+alpha*turn+w*turning)",
		tests: "TestBoundsAreAttained",
	},
	{
		name: "mimic: sign of the multiplier", drop: "|multiplier| in delta, omega and alpha",
		dir: "internal/engine/kin", fn: "State.move",
		old: `m := math.Abs(f.Mult)
	q, qd := f.Mult*d.Q+f.Offset, f.Mult*d.QD`,
		new: `m := f.Mult
	q, qd := f.Mult*d.Q+f.Offset, f.Mult*d.QD`,
		tests: "TestMimic TestBoundsAreAttained",
	},
	{
		name: "twist: lever the wrong way", drop: "velocity of a turn about an axis off the origin",
		dir: "internal/engine/kin", fn: "State.move",
		old:   "r3.Add(base.Lin, r3.Cross(at.P, w))",
		new:   "r3.Add(base.Lin, r3.Cross(w, at.P))",
		tests: "TestTwoLinkArmVelocity TestPosesAndTwistsAgainstTheOracle",
	},
	{
		name: "pose: slides along its own frame", drop: "the slide's axis in W",
		dir: "internal/engine/kin", fn: "State.move",
		old:   "at.P = r3.Add(at.P, r3.Scale(q, axis))",
		new:   "at.P = r3.Add(at.P, r3.Scale(q, f.Axis))",
		tests: "TestPosesAndTwistsAgainstTheOracle",
	},
	{
		name: "root: pose before the turn", drop: "where the root link is from the point",
		dir: "internal/engine/kin", fn: "State.pose",
		old:   "return &s.Root.Pose",
		new:   "return &f.PosePF",
		tests: "TestRootMovesAboutItsPoint",
	},
	{
		name: "rate: kept from the last interval", drop: "rates belong to an interval",
		dir: "internal/engine/kin", fn: "State.EnsureRate",
		old: `if s.rated[f] == s.stamp {
		return
	}`,
		new: `if s.rated[f] > 0 && f > 0 {
		return
	}`,
		tests: "TestStateIsReusable",
	},
	{
		name: "rate: base does not turn levers", drop: "seen in the parting body: turning of levers",
		dir: "internal/engine/kin", fn: "State.RateRelative",
		old:   "r3.Add(r3.Cross(t.Ang, v.Lin), r3.Cross(t.Lin, v.Ang))",
		new:   "r3.Cross(t.Lin, v.Ang)",
		tests: "TestBoundsOnPairs",
	},
	{
		name: "tube: one joint too few", drop: "the first joint after the parting body",
		dir: "internal/engine/kin", fn: "State.Tube",
		old: `for i := from; i < len(chain); i++ {
		m += radii[i] * s.StrayChord[chain[i]]
	}`,
		new: `for i := from + 1; i < len(chain); i++ {
		m += radii[i] * s.StrayChord[chain[i]]
	}`,
		tests: "TestTubeAgainstItsTwin",
	},
	// Joints' curves on an interval.
	{
		name: "h: only ahead", drop: "h is the larger side",
		dir: "internal/engine/kin", fn: "Curve.SetAround",
		old:   "max(hi-at, at-lo)",
		new:   "(hi - at)",
		tests: "TestCurveBoundsAreTrue TestBoundsAreAttained",
	},
	{
		name: "Omega from the ends only", drop: "omega bounds the whole interval",
		dir: "internal/engine/kin", fn: "Curve.SetAround",
		old:   "hull(c.vel, lo, hi)",
		new:   "max(math.Abs(bernsteinAt(c.vel, lo)), math.Abs(bernsteinAt(c.vel, hi)))",
		tests: "TestCurveBoundsAreTrue",
	},
	{
		name: "Omega of the mean speed", drop: "omega bounds the speed, not its mean",
		dir: "internal/engine/kin", fn: "Curve.SetAround",
		old:   "hull(c.vel, lo, hi)",
		new:   "math.Abs(bernsteinAt(c.pos, hi)-bernsteinAt(c.pos, lo)) / (hi - lo)",
		tests: "TestCurveBoundsAreTrue",
	},
	{
		name: "Delta from the ends", drop: "delta bounds the way there and back too",
		dir: "internal/engine/kin", fn: "Curve.SetAround",
		old:   "a.Delta = a.Omega * h",
		new:   "a.Delta = max(math.Abs(bernsteinAt(c.pos, hi)-a.Q), math.Abs(bernsteinAt(c.pos, lo)-a.Q)) + 0*h",
		tests: "TestCurveBoundsAreTrue",
	},
	{
		name: "Alpha from the start only", drop: "alpha bounds the whole interval",
		dir: "internal/engine/kin", fn: "Curve.SetAround",
		old:   "hull(c.acc, lo, hi) + c.accErr",
		new:   "hull(c.acc, lo, lo) + c.accErr",
		tests: "TestCurveBoundsAreTrue TestBoundsAreAttained",
	},
	{
		name: "hull: of the ends", drop: "inner control points",
		dir: "internal/engine/kin", fn: "hull",
		old:   "maxAbs(w[:n])+64*u*top",
		new:   "max(math.Abs(w[0]), math.Abs(w[n-1]))+64*u*top",
		tests: "TestCurveBoundsAreTrue",
	},
	{
		name: "hull: cut too short", drop: "the hull covers the end of the interval",
		dir: "internal/engine/kin", fn: "hull",
		old:   "cutLeft(w[:n], hi)",
		new:   "cutLeft(w[:n], 0.99*hi)",
		tests: "TestCurveBoundsAreTrue TestBoundsAreAttained",
	},
	// The tree, whole turns and the box of the motion.
	{
		name: "parting: one joint too deep", drop: "the frame is the body where the chains part",
		dir: "internal/engine/kin", fn: "Tree.Parting",
		old: `for n < len(ca) && n < len(cb) && ca[n] == cb[n] {
		n++
	}
	return n`,
		new: `for n < len(ca) && n < len(cb) && ca[n] == cb[n] {
		n++
	}
	return min(n+1, min(len(ca), len(cb)))`,
		tests: "TestParting TestBoundsOnPairs",
	},
	{
		name: "fixed joints: pose dropped", drop: "poses of fixed joints",
		dir: "internal/engine/kin", fn: "builder.hang",
		old:   "at := b.tree.LinkPose[j.Parent].Mul(j.PosePC)",
		new:   "at := j.PosePC",
		tests: "TestFixedJointsMerge TestBoundsOnRandomChains",
	},
	{
		name: "reach of the state", drop: "r_k holds only inside the motion's own box",
		dir: "internal/engine/kin", fn: "Course.boundRow",
		old:   "max(most, math.Float64bits(math.Abs(x)))",
		new:   "min(most, math.Float64bits(math.Abs(x)))",
		tests: "TestReachIsOfTheMotion", judge: "internal/engine/spacetime",
	},
	{
		name: "turns: nothing tells", drop: "what follows a continuous joint",
		dir: "internal/engine/kin", fn: "Course.unwindRow",
		old: `if off := motion.ShortWay(ctrl[0], ctrl[1]); off != 0 && !f.tells(off) {
				k += int32(off)
				b.turned = true
			}`,
		new: `if off := motion.ShortWay(ctrl[0], ctrl[1]); off != 0 {
				k += int32(off)
				b.turned = true
			}`,
		tests: "TestShortWayKeepsWhatFollows", judge: "ccd",
	},
	{
		name: "root: velocity of another span", drop: "velocities are per second",
		dir: "internal/engine/kin", fn: "Course.rootCtrl",
		old:   "return r.Point.Y, r.Point.Y + span*r.Velocity.Y",
		new:   "return r.Point.Y, r.Point.Y + r.Velocity.Y",
		tests: "TestRootMovesPerSecond", judge: "ccd",
	},
	// Proof rules (B) and (H), swept boxes and slack.
	{
		name: "half-space: the middle only", drop: "the linear part at the ends",
		dir: "internal/engine/rules", fn: "PartedBy",
		old: `gap := gapAt(n, a, b, h)
	if h > 0 {
		gap = max(gap, gapAt(n, a, b, -h))
	}`,
		new: `gap := gapAt(n, a, b, 0)
	if h > 0 {
		_ = gap
	}`,
		tests: "TestRulesAreAttained", judge: "internal/engine/spacetime",
	},
	{
		name: "half-space: sides at different tau", drop: "both sides at the same tau",
		dir: "internal/engine/rules", fn: "gapAt",
		old:   "ReachAlong(r3.Scale(-1, n), b, tau)",
		new:   "ReachAlong(r3.Scale(-1, n), b, -tau)",
		tests: "TestRulesAreAttained", judge: "internal/engine/spacetime",
	},
	{
		name: "half-space: velocity less 1 %", drop: "n.v' by 1 %",
		dir: "internal/engine/rules", fn: "ReachAlong",
		old:   "tau*r3.Dot(n, s.Vel.Lin)",
		new:   "0.99*tau*r3.Dot(n, s.Vel.Lin)",
		tests: "TestRulesAreAttained", judge: "internal/engine/spacetime",
	},
	{
		name: "balls: half the segment", drop: "both halves of the segment",
		dir: "internal/engine/rules", fn: "DistanceToSegment",
		old:   "max(-h, min(h, -r3.Dot(x0, x1)/v2))",
		new:   "max(0, min(h, -r3.Dot(x0, x1)/v2))",
		tests: "TestRulesAreAttained", judge: "internal/engine/spacetime",
	},
	{
		name: "bend: negative counts", drop: "what bends away helps at the ends only",
		dir: "internal/engine/rules", fn: "BendOver",
		old:   "(max(0, bend) + jerk*h*(1./3))",
		new:   "(bend + jerk*h*(1./3))",
		tests: "TestRulesOnRandomChains", judge: "internal/engine/spacetime",
	},
	{
		name: "swept box: speed with its sign", drop: "both directions of time",
		dir: "internal/engine/rules", fn: "Bounds.along",
		old:   "min(b.H*math.Abs(v)+curve, b.Far)",
		new:   "min(b.H*v+curve, b.Far)",
		tests: "TestSweptBoxAgainstItsTwin",
	},
	{
		name: "line: ends exchanged", drop: "each end has its own clearance",
		dir: "internal/engine/rules", fn: "PartedAtEnds",
		old:   "max(gapAt(n, a, b, h)+after+8*u*math.Abs(after), gapAt(n, a, b, -h)+before+8*u*math.Abs(before))",
		new:   "max(gapAt(n, a, b, h)+before+8*u*math.Abs(before), gapAt(n, a, b, -h)+after+8*u*math.Abs(after))",
		tests: "TestLineRuleAgainstItsTwin",
	},
	{
		name: "many balls: roundings", drop: "what balls ask for is rounded up",
		dir: "internal/engine/rules", fn: "BallOf",
		old:   "(radius + b.Far) * grown",
		new:   "(radius + b.Far)",
		tests: "TestBallsPartedToTheLastBit",
	},
	{
		name: "many balls: straight on", drop: "the bend of a centre's path",
		dir: "internal/engine/rules", fn: "BallOf",
		old:   "(radius + Bent(b.Accel, b.H)) * grown",
		new:   "radius * grown",
		tests: "TestBallsPartedAgainstTheirTwin",
	},
	{
		name: "many balls: lost squares", drop: "lengths whose squares are lost",
		dir: "internal/engine/rules", fn: "BallOf",
		old:   "radius += floor",
		new:   "radius += 0 * floor",
		tests: "TestBallsPartedOfLostSquares",
	},
	{
		name: "many balls: no clearance", drop: "the clearance",
		dir: "internal/engine/rules", fn: "BallsParted",
		old:   "clearance *= grown",
		new:   "clearance *= 0",
		tests: "TestBallsPartedAgainstTheirTwin",
	},
	{
		name: "many balls: overflow of a speed", drop: "a speed whose square overflows proves nothing",
		dir: "internal/engine/rules", fn: "Ball.passes",
		old:   "beyond(squareOf(&at), a.bent+b.bent+clearance) && speed <= math.MaxFloat64",
		new:   "beyond(squareOf(&at), a.bent+b.bent+clearance)",
		tests: "TestBallsPartedOfExtremeNumbers",
	},
	{
		name: "many balls: overflow of a distance", drop: "a distance whose square overflows proves nothing",
		dir: "internal/engine/rules", fn: "beyond",
		old:   "square > float64(length*length) && square <= math.MaxFloat64",
		new:   "square > float64(length*length)",
		tests: "TestBallsPartedOfEndlessDistances",
	},
	{
		name: "many balls: before c only", drop: "both directions of time",
		dir: "internal/engine/rules", fn: "Ball.passes",
		old: `if h < s {
		s = h
	}`,
		new: `if 0 < s {
		s = 0
	}`,
		tests: "TestBallsPartedAgainstTheirTwin",
	},
	{
		name: "many balls: no slack", drop: "slack",
		dir: "internal/engine/place", fn: "Robot.place",
		old:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		new:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		tests: "TestBallsPartedAllowForSlackAndTubes",
	},
	{
		name: "many balls: no tube", drop: "how far joints may stray",
		dir: "internal/engine/place", fn: "Robot.place",
		old:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		new:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		tests: "TestBallsPartedAllowForSlackAndTubes",
	},
	{
		name: "many balls: standing still", drop: "velocities of the centres",
		dir: "internal/engine/place", fn: "Robot.place",
		old:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		new:   "rules.BallOf(p.Center, geom.Vec{}, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		tests: "TestBallsPartedStayApart",
	},
	{
		name: "many balls: no displacement", drop: "displacements",
		dir: "internal/engine/place", fn: "Robot.place",
		old:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel, Far: p.Far})",
		new:   "rules.BallOf(p.Center, p.Vel, e.Radius+p.Slack+p.Tube, rules.Bounds{H: r.Span, Accel: p.Accel})",
		tests: "TestBallsPartedStayApart",
	},
	{
		name: "many balls: of another pair", drop: "each pair has its own answer",
		dir: "internal/engine/spacetime", fn: "search.tryTogether",
		old:   "m.apart[i/4]>>(i%4)&1 != 0",
		new:   "m.apart[i/4]>>(3-i%4)&1 != 0",
		tests: "TestTogetherIsOneByOne",
	},
	{
		name: "rest: bounds of other positions", drop: "bounds belong to a range of positions",
		dir: "internal/engine/place", fn: "Robot.bound",
		old:   "same = setRounded(&was.ranges[i], &ranges[i], r.least[i]) && same",
		new:   "same = (setRounded(&was.ranges[i], &ranges[i], r.least[i]) || true) && same",
		tests: "TestPlacedRobotsForget",
	},
	{
		name: "bounds of slower motions", drop: "errors grow with rates",
		dir: "internal/engine/place", fn: "setRounded",
		old:   "most, speed, speedErr := roundUp(a.MaxAbs, least), roundUp(a.Omega, 8), roundUp(a.QDErr, 0x1p-44)",
		new:   "most, speed, speedErr := roundUp(a.MaxAbs, least), 8.0, roundUp(a.QDErr, 0x1p-44)",
		tests: "TestRangesThatErrorsAreBoundedFor",
	},
	{
		name: "bounds of the piece, elsewhere", drop: "that the robot was placed on another interval since",
		dir: "internal/engine/place", fn: "Robot.Place",
		old:   "r.aroundPiece = false",
		new:   "_ = r.aroundPiece",
		tests: "TestLanesForgetPiecesAndIntervals",
	},
	{
		name: "rest: bounds of a configuration before", drop: "bounds that were computed for something else",
		dir: "internal/engine/place", fn: "Robot.Rest",
		old:   "r.bounded.known = false",
		new:   "_ = r.bounded.known",
		tests: "TestPlacedRobotsForget",
	},
	{
		name: "rest: by the last joint", drop: "no joint moves on the interval",
		dir: "internal/engine/place", fn: "Robot.Place",
		old:   "moves = moves || r.around[i].Omega != 0",
		new:   "moves = r.around[i].Omega != 0",
		tests: "TestElementsMoveAsTheTwinSays",
	},
	{
		name: "overflow: a length", drop: "a length whose square overflows proves nothing",
		dir: "internal/engine/rules", fn: "BallsApart",
		old: `if !(d <= math.MaxFloat64) {
		return false // its square overflowed: nobody knows how long it is
	}`,
		new: `if d != d {
		return false // its square overflowed: nobody knows how long it is
	}`,
		tests: "TestBallRuleOfExtremeNumbers",
	},
	// Rule (L).
	{
		name: "beside: bend less 2 %", drop: "the bend relative to the body where the chains part, by 2 %",
		dir: "internal/engine/place", fn: "Lanes.Beside",
		old:   "l.BendFrom(other, from)",
		new:   "0.98*l.BendFrom(other, from)",
		tests: "TestBesideStepsStayApart",
	},
	{
		name: "beside: the bend of the one that stands still", drop: "the bend of the element that moves in the base's frame",
		dir: "internal/engine/place", fn: "Lanes.Beside",
		old:   "l.BendFrom(other, from)",
		new:   "l.BendFrom(own, from)",
		tests: "TestBesideStepsStayApart",
	},
	{
		name: "beside: the turn moves one", drop: "the base's turn counts for as much as the elements' distance from each other",
		dir: "internal/engine/place", fn: "Lanes.Beside",
		old:   "(base.far + a.rho + l.errs[f].far + b.rho)",
		new:   "(base.far + a.rho)",
		tests: "TestBesideStepsStayApart",
	},
	{
		name: "beside: the base of another", drop: "one of the pair is in the base's frame",
		dir: "internal/engine/place", fn: "Lanes.Beside",
		old: `switch q.Base {
	case l.r.M.Elements[own].Frame:
	case l.r.M.Elements[other].Frame:
		own, other = other, own
	default:
		return 0
	}`,
		new: `if q.Base != l.r.M.Elements[own].Frame {
		own, other = other, own
	}`,
		tests: "TestBesideStepsStayApart",
	},
	{
		name: "beside: one end", drop: "both ends of a step",
		dir: "internal/engine/lanes", fn: "beside",
		old:   "least(lo[k], lo[end]) > 0",
		new:   "lo[k] > 0",
		tests: "TestBeside",
	},
	{
		name: "half-spaces: the world is near", drop: "what inner products with the world's points round",
		dir: "internal/engine/place", fn: "NewLanes",
		old:   "l.worldErr = 8 * v * r.M.World.Far()",
		new:   "l.worldErr = 8 * v * min(1, r.M.World.Far())",
		tests: "TestPlanesOfFarWorlds",
	},
	// State that belongs to one interval, one pair or one question.
	{
		name: "slack: of the last interval", drop: "slack belongs to an interval",
		dir: "internal/engine/place", fn: "Robot.place",
		old:   "p.Tube, p.bends, p.arced, p.Slack = 0, false, false, p.slacks.Within(r.Span)",
		new:   "p.Tube, p.bends, p.arced, p.Slack = 0, false, false, min(p.Slack, p.slacks.Within(r.Span))",
		tests: "TestSlackIsOfTheInterval",
	},
	{
		name: "velocity of the parting body", drop: "velocities relative to the body where the chains part",
		dir: "internal/engine/place", fn: "Robot.placeSide",
		old:   "s.Vel = r.State.Twist[e.Frame].Sub(r.State.Twist[q.Base])",
		new:   "s.Vel = r.State.Twist[e.Frame]",
		tests: "TestPairsMoveAsTheTwinSays",
	},
	{
		name: "bend: kept from the last interval", drop: "rates belong to an interval",
		dir: "internal/engine/place", fn: "Robot.placePair",
		old:   "p.Accel, p.Jerk, p.rated, p.Far, p.Slack, p.Tube = 0, 0, false, 0, 0, 0",
		new:   "p.Accel, p.Jerk, p.Far, p.Slack, p.Tube = 0, 0, 0, 0, 0",
		tests: "TestRatesBelongToTheirInterval", judge: "internal/engine/spacetime",
	},
	{
		name: "outside for good", drop: "containment is of one motion",
		dir: "internal/engine/spacetime", fn: "prover.pair",
		old:   "*p = pairMemory{asked: w.q.Number}",
		new:   "*p = pairMemory{asked: w.q.Number, outside: p.outside}",
		tests: "TestOutsideOfLinksIsForgotten",
	},
	{
		name: "sweep: of the interval before", drop: "a sweep is of one interval",
		dir: "internal/engine/spacetime", fn: "prover.sweepOf",
		old:   "sw.stamp == w.at.Stamp() && sw.element == element && sw.node == node",
		new:   "sw.element == element && sw.node == node",
		tests: "TestSweepsAreOfOneQuestion",
	},
	{
		name: "sweep: of another part", drop: "a sweep is of one part of an element",
		dir: "internal/engine/spacetime", fn: "prover.sweepOf",
		old:   "sw.stamp == w.at.Stamp() && sw.element == element && sw.node == node",
		new:   "sw.stamp == w.at.Stamp() && sw.element == element",
		tests: "TestSweepsAreOfOneQuestion",
	},
	{
		name: "hull: a facet's cone is its tetrahedron", drop: "a point beyond a facet is outside of the hull",
		dir: "internal/geometry/convex", fn: "star.exact",
		old: `if across < 0 {
			break
		}`,
		new: `if across < 0 {
			return f, true
		}`,
		tests: "TestFacetsAreGuesses",
	},
	{
		name: "sweep: of another clearance", drop: "the swept box includes the clearance",
		dir: "internal/engine/spacetime", fn: "prover.sweepOf",
		old: `sw.stamp == w.at.Stamp() && sw.element == element && sw.node == node &&
		sw.clearance == w.clearance && sw.rise == w.rise`,
		new: `sw.stamp == w.at.Stamp() && sw.element == element && sw.node == node &&
		sw.rise == w.rise`,
		tests: "TestSweepsAreOfOneQuestion",
	},
	{
		name: "sweep: part with the element's velocity", drop: "each part's centre has its own velocity",
		dir: "internal/engine/spacetime", fn: "prover.boxOf",
		old:   "vel = sw.side.Vel.At(sw.center)",
		new:   "_ = vel",
		tests: "TestBoxesOfPartsHoldThem",
	},
	{
		name: "sweep: the box of the part before", drop: "a swept box is of one part and interval",
		dir: "internal/engine/spacetime", fn: "prover.sweepOf",
		old:   "sw.center, sw.radius, sw.boxed = at.Center, e.Radius, false",
		new:   "sw.center, sw.radius = at.Center, e.Radius",
		tests: "TestSweepsAreOfOneQuestion",
	},
	{
		name: "half-spaces: around straight paths", drop: "a half-space holds what bends",
		dir: "internal/engine/spacetime", fn: "prover.plane",
		old:   "p.reach = p.straight + rules.Bent(sw.at.Accel, w.at.Span)",
		new:   "p.reach = p.straight",
		tests: "TestSweepsAreAttained",
	},
	{
		name: "half-spaces: around paths straight along them", drop: "the acceleration along a half-space's normal",
		dir: "internal/engine/spacetime", fn: "prover.leavesOut",
		old:   "accel = w.at.AccelAlong(sw.element, p.n)",
		new:   "accel = 0",
		tests: "TestSweepsAreAttained",
	},
	{
		name: "half-spaces: no jerk", drop: "what the acceleration at the middle becomes",
		dir: "internal/engine/spacetime", fn: "prover.leavesOut",
		old:   "accel = rules.BendOver(rules.BendAlong(p.n, &sw.side), sw.at.Jerk, w.at.Span)",
		new:   "accel = rules.BendOver(rules.BendAlong(p.n, &sw.side), 0, w.at.Span)",
		tests: "TestSweepsAreAttained",
	},
	{
		name: "half-spaces: middle of a node's box", drop: "the sides of a node's box",
		dir: "internal/engine/spacetime", fn: "prover.boxBeyond",
		old:   "r3.Dot(center, p.n)-half.X*abs(p.n.X)-half.Y*abs(p.n.Y)",
		new:   "r3.Dot(center, p.n)-half.X*abs(p.n.X)-0*half.Y",
		tests: "TestHalfSpacesAgainstTheirTwin",
	},
	// Containment is of the start, and proofs are of all of the time.
	{
		name: "containment: cells that a surface is at the edge of", drop: "no surface comes near an open cell",
		dir: "internal/engine/model", fn: "newOpen",
		old:   "margin := OpenNear + w.Err + 1e-11*far",
		new:   "margin := w.Err + 1e-11*far",
		tests: "TestOpenCellsAreOutside",
	},
	{
		name: "containment: cells that no path leads from", drop: "a path leads from an open cell to the outside",
		dir: "internal/engine/model", fn: "open.holds",
		old:   "return o.cells[(int(z)*ny+int(y))*nx+int(x)] == isOpen",
		new:   "return o.cells[(int(z)*ny+int(y))*nx+int(x)] != near",
		tests: "TestOpenCellsAreOutside",
	},
	{
		name: "containment: what is no point is outside", drop: "a point beyond the grid is one",
		dir: "internal/engine/model", fn: "open.holds",
		old:   "(x-x)+(y-y)+(z-z) != 0",
		new:   "x != x && y != y && z != z",
		tests: "TestOpenBeyondTheGrid",
	},
	// Motions that share the lanes.
	{
		name: "shared lanes: rates of the second motion", drop: "bounds are the largest of both motions",
		dir: "internal/engine/place", fn: "Lanes.PlaceTwo",
		old:   "max(x.Omega, y.Omega)",
		new:   "y.Omega",
		tests: "TestSharedLanesHoldWhatMoves",
	},
	{
		name: "shared lanes: accelerations of the second motion", drop: "bounds are the largest of both motions",
		dir: "internal/engine/place", fn: "Lanes.PlaceTwo",
		old:   "max(x.Alpha, y.Alpha)",
		new:   "y.Alpha",
		tests: "TestSharedLanesHoldWhatMoves",
	},
	{
		name: "shared lanes: four steps", drop: "the width of a step",
		dir: "internal/engine/place", fn: "Lanes.PlaceTwo",
		old:   "l.width = 1. / (half - 1) * (1 + 1e-9)",
		new:   "l.width = 1. / half * (1 + 1e-9)",
		tests: "TestSharedLanesHoldWhatMoves",
	},
	{
		name: "shared lanes: ranges of the last robot", drop: "errors are those of the largest range",
		dir: "internal/engine/place", fn: "Lanes.PlaceAtRest",
		old:   "max(l.r.around[d].MaxAbs, b.MaxAbs(d))",
		new:   "b.MaxAbs(d)",
		tests: "TestSharedLanesErrAsEachAlone",
	},
	{
		name: "shared lanes: ranges of the first motion", drop: "errors are those of the largest range",
		dir: "internal/engine/place", fn: "Lanes.PlaceTwo",
		old:   "max(x.MaxAbs, y.MaxAbs)",
		new:   "x.MaxAbs",
		tests: "TestSharedLanesErrAsEachAlone",
	},
	{
		name: "separate steps: boxes of the next time", drop: "a step ends where it says",
		dir: "internal/engine/lanes", fn: "sweepOne",
		old:   "end := ends[k]",
		new:   "end := min(k+1, Steps)",
		tests: "TestSweepBoxes",
	},
	{
		name: "shared proofs: nothing is inside", drop: "a proof about surfaces needs a start outside",
		dir: "internal/engine/spacetime", fn: "search.sharedInside",
		old: "inside |= steps & of", new: "inside |= steps & of & 0",
		tests: "TestSharedProofsLookInside", judge: "ccd",
	},
	{
		name: "shared proofs: the first rests", drop: "all of the motions rest",
		dir: "internal/engine/spacetime", fn: "search.placeShared",
		old: "rest = rest && b.Rests()", new: "_, rest = b, courses[0].Rests()",
		tests: "TestSharedProofsOfMixedMotions", judge: "ccd",
	},
	{
		name: "shared lanes: rates of the last piece", drop: "bounds are the largest of all pieces",
		dir: "internal/engine/place", fn: "Lanes.PlacePieces",
		old:   "max(all.Omega, a.Omega)",
		new:   "a.Omega",
		tests: "TestSharedLanesHoldWhatMoves",
	},
	{
		name: "shared lanes: accelerations of the last piece", drop: "bounds are the largest of all pieces",
		dir: "internal/engine/place", fn: "Lanes.PlacePieces",
		old:   "max(all.Alpha, a.Alpha)",
		new:   "a.Alpha",
		tests: "TestSharedLanesHoldWhatMoves",
	},
	{
		name: "shared lanes: a step less than a piece", drop: "a step is all of a piece",
		dir: "internal/engine/place", fn: "Lanes.PlacePieces",
		old:   "l.width = 1 + 1e-9",
		new:   "l.width = 0.8",
		tests: "TestSharedLanesHoldWhatMoves",
	},
	{
		name: "shared proofs: pieces that fail", drop: "a piece of which something is not proved is searched",
		dir: "internal/engine/spacetime", fn: "search.trySharedSteps",
		old: "steps &^= lost(failed)", new: "steps &^= lost(failed) & 1",
		tests: "TestPathsArePieceByPiece", judge: "ccd",
	},
	{
		name: "shared proofs: the next piece", drop: "each piece has its own answer",
		dir: "internal/engine/spacetime", fn: "search.proves",
		old: "return i < len(p.proved) && p.proved[i]", new: "return i < len(p.proved) && p.proved[max(0, i-1)]",
		tests: "TestPathsArePieceByPiece", judge: "ccd",
	},
	{
		name: "steps: undone and forgotten", drop: "steps that are left undone are tried",
		dir: "internal/engine/spacetime", fn: "search.trySome",
		old:   "w.stepped.list[i].todo |= undone",
		new:   "_ = undone",
		tests: "TestStepsLeftUndoneAreDone",
	},
	{
		name: "steps: undone by members, too", drop: "members are tried on what their group left undone",
		dir: "internal/engine/spacetime", fn: "search.trySome",
		old:   "s.addMember(entry{^i, volume.Whole, e.b}, steps|undone)",
		new:   "s.addMember(entry{^i, volume.Whole, e.b}, steps)",
		tests: "TestStepsLeftUndoneAreDone",
	},
	{
		name: "boxes of steps: no bend", drop: "how far paths depart from their chords",
		dir: "internal/engine/place", fn: "Lanes.Grow",
		old:   "l.fixed[i] + l.bendAt(i) + more",
		new:   "l.fixed[i] + more",
		tests: "TestSweepsHoldWhatMoves",
	},
	{
		name: "steps: whole turns", drop: "that the kernels take no angle beyond half a turn",
		dir: "internal/engine/place", fn: "setJoint",
		old:   "angle = lessTurns(angle)",
		new:   "_ = lessTurns(angle)",
		tests: "TestAnglesAreThoseOfTheMotion",
	},
	{
		name: "steps: the last child of the world's root", drop: "the others, that a link may meet",
		dir: "internal/engine/spacetime", fn: "missing.everywhere",
		old:   "met |= steps &^ missed",
		new:   "met = steps &^ missed",
		tests: "TestFirstOfSeveralContacts TestSmallestDistancesOfRandomRobots",
	},
	{
		name: "planes of steps: no bend", drop: "how far paths depart from their chords",
		dir: "internal/engine/place", fn: "Lanes.need",
		old:   "need += l.BendOfPair(q) + (rot+34*v)*far",
		new:   "need += (rot + 34*v) * far",
		tests: "TestPartsThatArePartedStayApart",
	},
	{
		name: "planes of steps: where a step begins", drop: "the gap where a step ends",
		dir: "internal/engine/place", fn: "Lanes.PartsParted",
		old:   "min(l.Less[k]+float64(gap[k]), l.Less[end]+float64(gap[end]))",
		new:   "l.Less[k]+float64(gap[k])+0*float64(end)",
		tests: "TestPartsThatArePartedStayApart",
	},
	{
		name: "parts in lanes: no radius", drop: "what a part is grown by",
		dir: "internal/engine/place", fn: "Lanes.NewPart",
		old:   "Part{corners: make([][3]float32, 0, len(points)), radius: radius}",
		new:   "Part{corners: make([][3]float32, 0, len(points))}",
		tests: "TestPartsThatArePartedStayApart",
	},
	{
		name: "parts on steps: one half", drop: "the other half of a node",
		dir: "internal/engine/spacetime", fn: "search.openOnSteps",
		old:   "push(left + 1)",
		new:   "_ = 1",
		tests: "TestStepsOfPartsLeaveOutWhatIsApart",
	},
	{
		name: "parts on steps: what failed is forgotten", drop: "steps in which two shapes were not proved",
		dir: "internal/engine/spacetime", fn: "search.tryParts",
		old:   "left &^= alive",
		new:   "left = 0",
		tests: "TestStepsOfPartsLeaveOutWhatIsApart",
	},
	{
		name: "parts on steps: untried, so proved", drop: "steps that wait for a shorter interval",
		dir: "internal/engine/spacetime", fn: "search.stepsOfParts",
		old:   "return steps | dead",
		new:   "return steps",
		tests: "TestStepsOfPartsLeaveOutWhatIsApart",
	},
	{
		name: "planes of steps: all that is not asked for", drop: "by how much less is asked for at each time",
		dir: "internal/engine/place", fn: "Lanes.PartsPartedBy",
		old:   "!(l.Less[time]+float64(gap) > need)",
		new:   "!(max(l.Less[0], l.Less[time])+float64(gap) > need)",
		tests: "TestPartsThatFansPartStayApart",
	},
	{
		name: "fans: where steps begin", drop: "the gap where a step ends",
		dir: "internal/engine/place", fn: "Lanes.PartsPartedBy",
		old:   "time = int(l.ends[k] & 7)",
		new:   "",
		tests: "TestPartsThatFansPartStayApart",
	},
	{
		name: "fans: of another step", drop: "each step has a normal of its own, which does not move in the body",
		dir: "internal/engine/place", fn: "Lanes.Set",
		old:   "[...]int{step, int(l.ends[step] & 7)}",
		new:   "[...]int{step, step}",
		tests: "TestPartsThatFansPartStayApart",
	},
	{
		name: "fans: the reach where steps begin", drop: "the reach where a step ends",
		dir: "internal/engine/place", fn: "Lanes.Reach",
		old:   "max(float64(begin[k])-l.Less[k], float64(end[at])-l.Less[at])",
		new:   "float64(begin[k]) - l.Less[k] + 0*float64(end[at])",
		tests: "TestReachHoldsWhatMoves",
	},
	{
		name: "planes of steps: less at one end", drop: "by how much less is asked for at each time",
		dir: "internal/engine/place", fn: "Lanes.plane",
		old:   "float64(at[end])-l.Less[end]",
		new:   "float64(at[end])-max(l.Less[k], l.Less[end])",
		tests: "TestReachHoldsWhatMoves",
	},
	{
		name: "sliding points: no turn", drop: "shapes turn while their points slide",
		dir: "internal/engine/rules", fn: "Slide.AboveDistance",
		old:   "(l.Bend + l.Turned/4)",
		new:   "l.Bend",
		tests: "TestSlidingPointsKeepBelowTheirLine",
	},
	{
		name: "sliding points: no bend", drop: "how far paths depart from their chords",
		dir: "internal/engine/rules", fn: "Slide.AboveDistance",
		old:   "(l.Bend + l.Turned/4)",
		new:   "l.Turned / 4",
		tests: "TestSlidingPointsKeepBelowTheirLine",
	},
	{
		name: "joined spans: the chord below", drop: "both lines are above it where they meet",
		dir: "internal/engine/rules", fn: "Below",
		old:   "max(0, chord.at(part)-min(a.After, b.Before))",
		new:   "max(0, chord.at(part)-max(a.After, b.Before))",
		tests: "TestLinesOfTwo",
	},
	{
		name: "joined spans: the chord above", drop: "both lines are below it where they meet",
		dir: "internal/engine/rules", fn: "Above",
		old:   "max(0, max(a.After, b.Before)-chord.at(part))",
		new:   "0 * chord.at(part)",
		tests: "TestLinesOfTwo",
	},
	{
		name: "over time: one half of a node", drop: "the other half of a node",
		dir: "internal/engine/spacetime", fn: "overTime.open",
		old:   "[...]int32{far, near}",
		new:   "[...]int32{near, near + 0*far}",
		tests: "TestProfilesOnSteps",
	},
	{
		name: "over time: one half of an element before the world", drop: "the other half of a node",
		dir: "internal/engine/spacetime", fn: "overTime.partToItem",
		old:   "[...]int32{far, near}",
		new:   "[...]int32{near, near + 0*far}",
		tests: "TestProfilesOnSteps",
	},
	{
		name: "over time: what failed is forgotten", drop: "steps in which something was not proved",
		dir: "internal/engine/spacetime", fn: "overTime.tryList",
		old:   "proved &^= s.trySome(i, todo)",
		new:   "s.trySome(i, todo)",
		tests: "TestProfilesOnSteps",
	},
	{
		name: "over time: apart after a gap", drop: "what comes after a gap is proved from the gap's end where that began anew",
		dir: "internal/engine/spacetime", fn: "profiler.takeRow",
		old:   "w.q.Reason != \"\" || !p.apart || p.starts != began",
		new:   "w.q.Reason != \"\" || p.starts < began",
		tests: "TestProfileOfWhatGetsInsideInAStep",
	},
	{
		name: "over time: a later piece after the end", drop: "a profile that ends says nothing of what is left of its piece",
		dir: "internal/engine/spacetime", fn: "Worker.Profile",
		old:   "w.q.Out()",
		new:   "w.q.Reason == tooShort",
		tests: "TestProfileThatEndsWithinAPiece",
	},
	{
		name: "steps: boxes of another clearance", drop: "boxes on steps are as large as the clearance asks for",
		dir: "internal/engine/spacetime", fn: "search.place",
		old:   "p.placed == at && p.grown == s.w.clearance",
		new:   "p.placed == at",
		tests: "TestSmallestDistancesAreKnown TestSmallestDistancesOfManyPairs",
	},
	{
		name: "pieces: the robot stays as pieces in a row left it", drop: "a piece is loaded where others were placed since",
		dir: "internal/engine/spacetime", fn: "search.tryPieces",
		old:   "w.piece, w.loaded = first, 0",
		new:   "w.piece = first",
		tests: "TestYesOrNoOfManyPieces",
	},
	{
		name: "a question: the robot stays as the last one left it", drop: "the pieces of each question's motion are loaded",
		dir: "internal/engine/spacetime", fn: "Worker.begin",
		old:   "w.spent, w.usedStart, w.loaded = 0, false, 0",
		new:   "w.spent, w.usedStart = 0, false",
		tests: "TestPiecesInTheirOrder",
	},
	{
		name: "the smallest distance: the piece of the closest points", drop: "closest points are of the piece that is looked at",
		dir: "internal/engine/spacetime", fn: "Worker.sample",
		old:   "best.now = best.piece",
		new:   "best.now = last",
		tests: "TestSmallestDistancesOfRandomRobots",
	},
	{
		name: "over time: looked at in another row", drop: "what is looked at is where the robot is placed",
		dir: "internal/engine/spacetime", fn: "overTime.run",
		old:   "o.items.element, o.touches, o.looked.known = -1, false, 0",
		new:   "o.items.element, o.touches = -1, false",
		tests: "TestProfilesOnSteps",
	},
	{
		name: "over time: triangles of others", drop: "what was found last is of the same shapes",
		dir: "internal/engine/spacetime", fn: "overTime.look",
		old:   "c.both = o.findClosest(of)",
		new:   "c.both = c.both || o.findClosest(of)",
		tests: "TestClosestTrianglesAreOnTheirShapes",
	},
	{
		name: "over time: triangles without their radii", drop: "what a mesh is grown by",
		dir: "internal/engine/spacetime", fn: "overTime.measureTriangles",
		old:   "radiusA+radiusB == 0",
		new:   "radiusA+radiusB >= 0",
		tests: "TestClosestTrianglesAreOnTheirShapes",
	},
	{
		name: "triangles: the second corner again", drop: "weights are those of the corners",
		dir: "internal/engine/lanes", fn: "Closest.Weights",
		old:   "a[i], a[next(i)] = 1-s, s",
		new:   "a[next(i)], a[i] = 1-s, s",
		tests: "TestClosestPointsOfTriangles",
	},
	{
		name: "triangles: always the closest", drop: "what is closer is looked for once more",
		dir: "internal/engine/lanes", fn: "Closest.Is",
		old:   "float64(c.Gap[time]) >= (1-part)*square",
		new:   "part > 0",
		tests: "TestClosestPointsOfTriangles",
	},
	{
		name: "triangles: outside of themselves", drop: "a point of a plane is inside of the triangle",
		dir: "internal/engine/lanes", fn: "plane.nearest",
		old:   "least(least(s, t), 1-s-t)",
		new:   "least(s, t)",
		tests: "TestClosestKernelIsItsTwin",
	},
	{
		name: "parts in lanes: where they were", drop: "points are those of the time",
		dir: "internal/engine/place", fn: "Lanes.At",
		old:   "float64(pose.P[i][time])",
		new:   "float64(pose.P[i][0])",
		tests: "TestPointsOfPartsAreWhereElementsAre",
	},
	{
		name: "planes of steps: the bend of another interval", drop: "a pair's bend is that of the interval",
		dir: "internal/engine/place", fn: "Lanes.bend",
		old:   "l.apart.of = nil",
		new:   "",
		tests: "TestBendOfPairIsOfTheInterval",
	},
	{
		name: "smallest distance: a pair that is not asked about", drop: "whether the robot itself is asked about",
		dir: "internal/engine/spacetime", fn: "Worker.likely",
		old:   "w.selected[0] || !w.expected.known",
		new:   "!w.expected.known",
		tests: "TestSmallestDistanceToTheWorldAlone",
	},
	{
		name: "planes of steps: reach of another fan", drop: "whose normals a part reaches along",
		dir: "internal/engine/place", fn: "Lanes.along",
		old:   "c.fan != f.number || c.placed != l.placed || c.side != side",
		new:   "c.placed != l.placed || c.side != side",
		tests: "TestPartsAreKeptForAFan",
	},
	{
		name: "planes of steps: reach of another place", drop: "where the robot is",
		dir: "internal/engine/place", fn: "Lanes.along",
		old:   "c.fan != f.number || c.placed != l.placed || c.side != side",
		new:   "c.fan != f.number || c.side != side",
		tests: "TestPartsAreKeptForAFan",
	},
	{
		name: "planes of steps: a gap of one hull", drop: "how far the other part reaches",
		dir: "internal/engine/lanes", fn: "gap",
		old:   "-pa.farthest(a, nx, ny, nz, k) - pb.farthest(b, -nx, -ny, -nz, k)",
		new:   "-pa.farthest(a, nx, ny, nz, k)",
		tests: "TestGapKernelIsItsTwin",
	},
	{
		name: "over time: shapes are apart at once", drop: "one plane across shapes parts them",
		dir: "internal/engine/spacetime", fn: "overTime.acrossMiddle",
		old:   "steps & l.PartsParted(q, a, b, &n, w.clearance)",
		new:   "steps &^ (l.PartsParted(q, a, b, &n, w.clearance) & 0)",
		tests: "TestProfilesOnSteps",
	},
	{
		name: "over time: no end while all touches", drop: "a profile ends with its budget, also where nothing is proved",
		dir: "internal/engine/spacetime", fn: "profiler.run",
		old:   "!p.w.q.Out()",
		new:   "p.w.q.Reason == \"\"",
		tests: "TestProfileThatEndsWithinAPiece",
	},
	{
		name: "over time: what is asked for stays", drop: "other questions ask for all of the clearance",
		dir: "internal/engine/spacetime", fn: "overTime.run",
		old:   "defer clear(l.Less[:])",
		new:   "",
		tests: "TestProfilesOnSteps",
	},
	{
		name: "containment: of the world at c", drop: "containment is of the motion's start",
		dir: "internal/engine/spacetime", fn: "search.checkOutsideWorld",
		old:   "el, pose := &w.m.Elements[element], w.start.Pose(element)",
		new:   "el, pose := &w.m.Elements[element], w.at.Element(element).Pose",
		tests: "TestWhatBeganInsideTouchesAtOnce",
	},
	{
		name: "containment: of links at c", drop: "containment of links is of the motion's start",
		dir: "internal/engine/spacetime", fn: "search.checkSurfaces",
		old:   "poseA, poseB := s.w.start.Pose(q.A), s.w.start.Pose(q.B)",
		new:   "poseA, poseB := s.w.at.Element(q.A).Pose, s.w.at.Element(q.B).Pose",
		tests: "TestWhatBeganInsideTouchesAtOnce",
	},
	{
		name: "h of the left half", drop: "h covers the interval",
		dir: "internal/engine/place", fn: "Robot.Place",
		old:   "max(hi-c, c-lo)",
		new:   "0.5 * (c - lo)",
		tests: "TestVerdictsOnRandomRobots", judge: "internal/engine/spacetime",
	},
	{
		name: "the later half first proved", drop: "proven only up to the first interval that is not",
		dir: "internal/engine/spacetime", fn: "search.run",
		old:   "s.res.proven = hi",
		new:   "s.res.proven = 1",
		tests: "TestVerdictsOnRandomRobots",
	},
	{
		name: "scopes: from the next piece on", drop: "the other scope's search begins at the first contact, not after its piece",
		dir: "internal/engine/kin", fn: "Course.Skip",
		old:   "b.From = Instant{Piece: i, At: min(at, 1-8*u)}",
		new:   "b.From = Instant{Piece: i + 1}",
		tests: "TestBothScopesAreTold", judge: "ccd",
	},
	{
		name: "scopes: a hundredth of a second late", drop: "the other scope is proved free until TOC.Lo and no longer",
		dir: "ccd", fn: "Checker.eachScope",
		old:   "from := reached",
		new:   "from := reached + 0.01",
		tests: "TestBothScopesAreTold",
	},
	{
		name: "scopes: free where the first contact is another's", drop: "what is left of the motion is searched for the other scope",
		dir: "ccd", fn: "Checker.eachScope",
		old:   "from := reached",
		new:   "from := math.Inf(1)",
		tests: "TestEachScopeIsASeparateCheck",
	},
	{
		name: "contacts: no further than the tolerance", drop: "what is not listed is farther apart, by more than bounds err",
		dir: "ccd", fn: "Checker.noteContacts",
		old:   "near.Pairs[i].Bounds.Lo > limit",
		new:   "near.Pairs[i].Bounds.Lo > limit/2",
		tests: "TestContactsAreAll",
	},
	{
		name: "contacts: a full list is whole", drop: "a list that is cut short says so",
		dir: "ccd", fn: "Checker.listContacts",
		old:   "min(q.MaxContacts, math.MaxInt-1) + 1",
		new:   "min(q.MaxContacts, math.MaxInt-1)",
		tests: "TestContactsAreAll",
	},
	{
		name: "levels: the first piece only", drop: "every piece is looked at",
		dir: "internal/engine/spacetime", fn: "search.levels",
		old: `for i := b.From.Piece; i < len(pieces); i++ {
			if w.member.isMine(i) {
				w.waiting = append(w.waiting, pendingInterval{int32(i), b.Begin(i), 1, 0, int32(len(w.arena)), false, false})
			}
		}`,
		new: `for i := b.From.Piece; i < 1; i++ {
			if w.member.isMine(i) {
				w.waiting = append(w.waiting, pendingInterval{int32(i), b.Begin(i), 1, 0, int32(len(w.arena)), false, false})
			}
		}`,
		tests: "TestYesOrNoOfManyPieces",
	},
	{
		name: "path: nothing uses the start", drop: "what was asked at another start is asked anew",
		dir: "internal/engine/spacetime", fn: "Fronts.begin",
		old: `if k.usesStart {
			k.left, k.entries, k.usesStart = []pendingInterval{{lo: 0, hi: 1}}, nil, false
		}`,
		new: `if k.usesStart && k.hit {
			k.left, k.entries, k.usesStart = []pendingInterval{{lo: 0, hi: 1}}, nil, false
		}`,
		tests: "TestPathsAreAskedWhereTheyStart", judge: "ccd",
	},
	{
		name: "path: what was looked at is proved", drop: "what ended early is not proved",
		dir: "internal/engine/spacetime", fn: "Worker.keep",
		old: `for _, t := range w.waiting[at:] {
		k := known[t.piece]
		if n := len(k.left); n > 0 && k.left[n-1].last < 0 {
			continue // too much is left: begun again
		}
		if k.weight() > mostKept {
			k.left, k.entries = append(k.left[:0], pendingInterval{lo: 0, hi: 1, last: -1}), nil
			continue
		}
		first := int32(len(k.entries))
		k.entries = append(k.entries, w.arena[t.first:t.last]...)
		t.first, t.last = first, int32(len(k.entries))
		k.left = append(k.left, t)
	}`,
		new: `for _, t := range w.waiting[min(at+1, len(w.waiting)):] {
		k := known[t.piece]
		if n := len(k.left); n > 0 && k.left[n-1].last < 0 {
			continue // too much is left: begun again
		}
		if k.weight() > mostKept {
			k.left, k.entries = append(k.left[:0], pendingInterval{lo: 0, hi: 1, last: -1}), nil
			continue
		}
		first := int32(len(k.entries))
		k.entries = append(k.entries, w.arena[t.first:t.last]...)
		t.first, t.last = first, int32(len(k.entries))
		k.left = append(k.left, t)
	}`,
		tests: "TestPathsAreJudgedAsIfNew", judge: "ccd",
	},
	{
		name: "crew: the last contact", drop: "of contacts the first",
		dir: "internal/engine/spacetime", fn: "Team.Merge",
		old:   "return cmp.Compare(x.piece, y.piece)",
		new:   "return cmp.Compare(y.piece, x.piece)",
		tests: "TestSharedMotionsAreJudgedAsByOne", judge: "ccd",
	},
	// Distances.
	{
		name: "distance: surfaces alone", drop: "one body inside the other, at a configuration",
		dir: "internal/engine/distance", fn: "pairSearch.parts",
		old: `if s.lower <= 0 && s.best.Distance > 0 && s.w.q.Reason == "" {
		s.enclosed()
	}`,
		new: `if false {
		s.enclosed()
	}`,
		tests: "TestDistanceOfLinksInside TestDistanceInsideSeveralSolids", judge: "ccd",
	},
	{
		name: "distance: a part of a node", drop: "the support of a node is that of all its triangles",
		dir: "internal/engine/volume", fn: "TightSupport",
		old:   "l.Cluster(node).SupportValue(n)",
		new:   "l.Cluster(l.Tree.Nodes[node].Left).SupportValue(n)",
		tests: "TestTightCoresHoldTheirPieces",
	},
	{
		name: "distance: the hull of a part of its vertices", drop: "the hull of a node is that of all its vertices",
		dir: "internal/engine/model", fn: "Leaves.cluster",
		old:   "seen.add(v)",
		new:   "seen.add(v / 2)",
		tests: "TestClustersHoldTheirTriangles",
	},
	{
		name: "distance: hulls are where they seem", drop: "rounding of places in the lower bound",
		dir: "internal/engine/distance", fn: "worldSearch.measure",
		old:   "lower := found.Lower - s.slack",
		new:   "lower := found.Lower",
		tests: "TestDistancesOfGearedChains", judge: "internal/engine/spacetime",
	},
	{
		name: "distance: only the closest keep their minimum", drop: "a pair closer than its own minimum is looked at, also where another is closer",
		dir: "internal/engine/distance", fn: "ranking.matters",
		old:   "min(of.max, max(matters, of.min))",
		new:   "min(of.max, matters)",
		tests: "TestBoundsHoldWhereAQueryStops", judge: "ccd",
	},
	{
		name: "distance: the unsearched world is far", drop: "where a query stops, what it has not searched may be anywhere",
		dir: "internal/engine/distance", fn: "worldSearch.unsearched",
		old:   "s.leave(0)",
		new:   "s.leave(math.Inf(1))",
		tests: "TestBoundsHoldWhereAQueryStops", judge: "ccd",
	},
	// Solids and the world's tree.
	{
		name: "around: every edge is met", drop: "segments through edges tell nothing",
		dir: "internal/engine/model", fn: "casting.cast",
		old: `switch how, side := tri.Cross(c.x, end, &t); how {
			case tri.Crossed:
				c.tally.Cross(it.Element, solid, it.Leaf, int32(side))
			case tri.Touched:
				return it.Element, true
			case tri.Ambiguous:
				ok = false // a later triangle may still be touched
			}`,
		new: `switch how, side := tri.Cross(c.x, end, &t); how {
			case tri.Crossed:
				c.tally.Cross(it.Element, solid, it.Leaf, int32(side))
			case tri.Touched:
				return it.Element, true
			case tri.Ambiguous:
				_ = it // a later triangle may still be touched
			}`,
		tests: "TestSegmentsThroughEdgesOfTheWorld", judge: "internal/engine/model",
	},
	{
		name: "wide: box of the first child", drop: "a node's box holds all children",
		dir: "internal/geometry/bvh", fn: "WideNode.hold",
		old:   "n.Box.Lo[k], n.Box.Hi[k] = min(n.Box.Lo[k], box.Lo[k]), max(n.Box.Hi[k], box.Hi[k])",
		new:   "n.Box.Lo[k] += 0",
		tests: "TestWideTreesHoldTheirItems",
	},
	{
		name: "inside: by parity", drop: "inside twice is inside",
		dir: "internal/geometry/mesh", fn: "Tally.Inside",
		old:   "s.kind == Winding && s.of != 0",
		new:   "s.kind == Winding && s.of&1 == 1",
		tests: "TestInsideOfWhatRunsThroughItself", judge: "internal/geometry/bvh",
	},
	{
		name: "cycles: rims are closed", drop: "a patch with a rim encloses nothing",
		dir: "internal/geometry/mesh", fn: "patches.equations",
		old:   "rim[p.of[t]/2] = true",
		new:   "_, _ = rim, t",
		tests: "TestSolidsHoweverStored", judge: "internal/geometry/bvh",
	},
	// Taylor models and the papers' engines.
	{
		name: "taylor: x^4 at the ends only", drop: "x^4 is 0 somewhere",
		dir: "internal/numeric/taylor", fn: "aboveThird",
		old: `q0, q2 := d4-d5+d6, d4+d5+d6 // with the middle one, control points over [-1, 1]
	for _, q := range [3]float64{q0, d4 - d6, q2} {
		if q < r.Lo {
			r.Lo = q
		}
		if q > r.Hi {
			r.Hi = q
		}
	}`,
		new: `q0, q2 := d4-d5+d6, d4+d5+d6
	r = interval.I{Lo: q0, Hi: q0} // with the middle one, control points over [-1, 1]
	for _, q := range [3]float64{q0, d4 - d6, q2} {
		if q < r.Lo {
			r.Lo = q
		}
		if q > r.Hi {
			r.Hi = q
		}
	}`,
		tests: "TestOperationsHoldWhatTheyShould",
	},
	{
		name: "taylor: slope at the middle alone", drop: "the mean value is taken in between",
		dir: "internal/numeric/taylor", fn: "SinCos",
		old:   "interval.SinCos(all.Hull(between))",
		new:   "interval.SinCos(interval.Point(c))",
		tests: "TestSinesHoldWhatTheyShould",
	},
	{
		name: "catch: sine of the wrong angle", drop: "|n x u|",
		dir: "internal/engine/catch", fn: "Worker.speedAlong",
		old:   "seen += geom.Norm(r3.Cross(n, st.AxisW[k]))",
		new:   "seen += math.Abs(r3.Dot(n, st.AxisW[k]))",
		tests: "TestStepsAreSafe",
	},
	{
		name: "catch: n of the world", drop: "n in the frame where the chains part",
		dir: "internal/engine/catch", fn: "side.approach",
		old: `if s.base != 0 {
		n, _ = geom.Unit(w.state.PoseWF[s.base].R.ApplyInv(n))
	}`,
		new: `if s.base < 0 {
		n, _ = geom.Unit(w.state.PoseWF[s.base].R.ApplyInv(n))
	}`,
		tests: "TestStepsAreSafe",
	},
	{
		name: "dynamic box: one end", drop: "the other end of the line",
		dir: "internal/engine/articulate", fn: "DynamicBVH.over",
		old:   "p.Apply(interval.OfVec(l.A)).Hull(p.Apply(interval.OfVec(l.B))).Grow(l.Radius)",
		new:   "p.Apply(interval.OfVec(l.A)).Grow(l.Radius)",
		tests: "TestDynamicBVHHoldsTheMotion TestDynamicBVHCullsOnlyWhatIsApart",
	},
	{
		name: "slice: joints before the base", drop: "all joints after the base",
		dir: "internal/engine/articulate", fn: "Sweeper.Acceleration",
		old:   "a, _ := w.state.Acceleration(f, from, radii)",
		new:   "a, _ := w.state.Acceleration(f, max(from, len(chain)-1), radii)",
		tests: "TestSlicesHoldTheMotion",
	},
	{
		name: "bisect: distance of another end", drop: "a distance belongs to its time",
		dir: "internal/engine/bisect", fn: "Worker.step",
		old:   "part.b, part.atB = s.hit.t, 0",
		new:   "part.b = s.hit.t",
		tests: "TestEngine",
	},
	// Ranges of motion, covers and pairs that are far apart.
	{
		name: "arc: ends only", drop: "the half turn, where the range holds it",
		dir: "internal/engine/romtree", fn: "way.farthest",
		old: `if !w.reaches(math.Atan2(sin, cos) + math.Pi) {
		s0, c0 := math.Sincos(w.at.Lo)
		s1, c1 := math.Sincos(w.at.Hi)
		least = min(cos*c0+sin*s0, cos*c1+sin*s1)
	}`,
		new: `if true {
		s0, c0 := math.Sincos(w.at.Lo)
		s1, c1 := math.Sincos(w.at.Hi)
		least = min(cos*c0+sin*s0, cos*c1+sin*s1)
	}`,
		tests: "TestArcs TestOneJoint",
	},
	{
		name: "followers: held in the middle", drop: "the width of a piece of a shared variable",
		dir: "internal/engine/romtree", fn: "sweeper.cuts",
		old:   "out = append(out, Range{at(i), at(i + 1)})",
		new:   "out = append(out, Range{(at(i) + at(i+1)) / 2, (at(i) + at(i+1)) / 2})",
		tests: "TestNothingLeavesItsRangeOfMotion",
	},
	{
		name: "plan: hulls beyond the limits", drop: "a hull holds while the joints beyond it are within their limits",
		dir: "internal/engine/romtree", fn: "Plan.tree",
		old:   "p.h.fixed[k] && b.Beyond[k]",
		new:   "p.h.fixed[k]",
		tests: "TestNothingCloseIsCulled",
	},
	{
		name: "plan: table beyond the limits", drop: "a table holds while all joints are within their limits",
		dir: "internal/engine/romtree", fn: "Plan.Cull",
		old:   "b.In",
		new:   "true",
		tests: "TestNothingCloseIsCulled",
	},
	{
		name: "plan: skips without telling", drop: "what is left out bounds the distance",
		dir: "internal/engine/romtree", fn: "Plan.Cull",
		old:   "left = min(left, lower)",
		new:   "_ = lower",
		tests: "TestNothingCloseIsCulled",
	},
	{
		name: "cull: minima of ranges forgotten", drop: "a pair that is left out keeps its range's minimum",
		dir: "internal/engine/distance", fn: "ranking.enoughOwn",
		old:   "max(r.less(matters), r.s.minOwn)",
		new:   "r.less(matters)",
		tests: "TestPlanAnswersAreThoseOfAllPairs", judge: "internal/engine/romtree",
	},
	{
		name: "cull: closest in vain", drop: "the least distance of a class is no more than what was left out",
		dir: "internal/engine/distance", fn: "ranking.runCulled",
		old:   "r.out.Self.Lo = min(r.out.Self.Lo, max(c.left, 0))",
		new:   "_ = 0",
		tests: "TestSpheresSayWhatAllPairsSay TestBoundsOfSpheresHoldWithinRanges", judge: "ccd",
	},
	{
		name: "follow: the turn forgotten", drop: "a bound taken further is less by how far a turn moves the farthest point",
		dir: "internal/engine/distance", fn: "pairSearch.since",
		old:   "frobenius / math.Sqrt2 * s.b.Radius",
		new:   "frobenius / 2 * s.b.Radius",
		tests: "TestBoundsFollow", judge: "internal/engine/romtree",
	},
	{
		name: "void: power of the wrong ball", drop: "which of two powers is less",
		dir: "linkspheres", fn: "leastTerm",
		old: `d := a - b
	x := lo`,
		new: `d := b - a
	x := lo`,
		tests: "TestBeatenBallsHaveMorePower",
	},
	{
		name: "near pairs: told to be farther", drop: "what is claimed is what was swept for",
		dir: "internal/engine/model", fn: "Model.nearby",
		old:   "return kept, apart, nil",
		new:   "return kept, 2 * apart, nil",
		tests: "TestPairsThatAreNotListedAreFar",
	},
	// The monitor: age, pauses of the process, publishers that contradict each other.
	{
		name: "age: by the monotonic clock alone", drop: "time that the machine was suspended counts",
		dir: "node/internal/jointstates", fn: "Age",
		old:   "max(now.Sub(born), now.Round(0).Sub(born.Round(0)))",
		new:   "now.Sub(born)",
		tests: "TestAgeCountsSuspension",
	},
	{
		name: "lifecycle: an inactive node judges", drop: "a node that is not active says UNKNOWN",
		dir: "node", fn: "loader.shown",
		old:   "l.stage.withheld == \"\"",
		new:   "true",
		tests: "TestLifecycle",
	},
	{
		name: "lifecycle: a wrong self-test is forgotten", drop: "a program whose self-test fails stays inactive",
		dir: "node", fn: "Node.activate",
		old:   "wrong != nil",
		new:   "false",
		tests: "TestSelfTestKeepsTheNodeInactive",
	},
	{
		name: "log: a worse level waits", drop: "a worse level is logged at once",
		dir: "node/internal/events", fn: "Levels.Note",
		old:   "rank(s.Level) > rank(l.shown.level)",
		new:   "false",
		tests: "TestChangesOfLevelAreLogged",
	},
	{
		name: "pause: what was measured before it counts", drop: "nothing measured before a pause counts",
		dir: "node", fn: "resumption.before",
		old:   "!source.IsZero() && !source.After(r.at) || up < r.drained && !stamp.IsZero() && !stamp.After(r.at)",
		new:   "false",
		tests: "TestPause",
	},
	{
		name: "simulated time: a clock that stands still counts", drop: "the time of a clock that stands still is unknown",
		dir: "node/internal/simtime", fn: "Clock.Look",
		old:   "up-c.moved > c.still",
		new:   "up-c.moved > 10*c.still",
		tests: "TestClock",
	},
	{
		name: "simulated time: a clock that goes back breaks nothing", drop: "what was measured before the simulated clock went back counts no more",
		dir: "node/internal/simtime", fn: "Clock.Hear",
		old:   "step < 0",
		new:   "step < -c.ahead",
		tests: "TestClock",
	},
	{
		name: "simulated time: source times of the wall clock", drop: "source times are not compared with simulated stamps",
		dir: "node", fn: "monitor.dated",
		old:   "w.sim != nil",
		new:   "false",
		tests: "TestSimulatedAges",
	},
	{
		name: "simulated time: measurements without a clock count", drop: "without a clock no measurement counts",
		dir: "node", fn: "monitor.note",
		old:   "w.timeless() != \"\"",
		new:   "false",
		tests: "TestSimulatedTimeFaults",
	},
	{
		name: "pause: not found while a state is said", drop: "a state said after a pause is taken back",
		dir: "node", fn: "monitor.lapsed",
		old:   "w.era != r.era",
		new:   "false",
		tests: "TestStateIsTakenBack",
	},
	{
		name: "pause: the way through it is known", drop: "of a joint that was silent too long the way is unknown",
		dir: "node/internal/jointstates", fn: "Tracker.take",
		old:   "pause := known.known && stale",
		new:   "pause := known.known && stale && false",
		tests: "TestTracker",
	},
	{
		name: "rivals: judged with the owners' positions", drop: "a rival may be right",
		dir: "node/internal/jointstates", fn: "Tracker.combined",
		old:   "j := &measured[i]",
		new:   "j := &t.joints[i]",
		tests: "TestRivalsAreCompletedByTheOwners",
	},
	{
		name: "rivals: two are judged one by one", drop: "combinations of rivals are not judged",
		dir: "node/internal/jointstates", fn: "Tracker.WhyDoubtful",
		old:   "len(contesting) > 1",
		new:   "len(contesting) > 2",
		tests: "TestTwoPublishersMayBothBeRight", judge: "node",
	},
	{
		name: "ranges: one pair's Max stands for several", drop: "the largest Max of the pairs of an entry",
		dir: "internal/engine/spacetime", fn: "wider",
		old:   "max(a.Max, b.Max)",
		new:   "a.Max",
		tests: "TestRangesOfRandomMotions", judge: "ccd",
	},
	{
		name: "ranges: one pair's Min stands for several", drop: "the largest Min of the pairs of an entry",
		dir: "internal/engine/spacetime", fn: "wider",
		old:   "max(a.Min, b.Min)",
		new:   "a.Min",
		tests: "TestRangesOfRandomMotions", judge: "ccd",
	},
	{
		name: "ranges: nine tenths of Max are enough", drop: "a pair is left out beyond its Max only",
		dir: "internal/engine/spacetime", fn: "search.aim",
		old:   "max(r.Max, least)",
		new:   "max(0.9*r.Max, least)",
		tests: "TestRangesOfRandomMotions", judge: "ccd",
	},
	// Regions of joint space: rule (R).
	{
		name: "regions: no bend", drop: "what a plane's distance falls below that at the corners",
		dir: "internal/engine/region", fn: "Scratch.between",
		old:   "least*(1-1e-12) - s.bend - t.slack",
		new:   "least*(1-1e-12) - t.slack",
		tests: "TestBoundsOfStretchedArms",
	},
	{
		name: "regions: half of the bend", drop: "an eighth of the square of the width",
		dir: "internal/engine/region", fn: "bend",
		old:   "return reach[i] * w * w / 8 * (1 + 1e-6)",
		new:   "return reach[i] * w * w / 16 * (1 + 1e-6)",
		tests: "TestBoundsOfStretchedArms",
	},
	{
		name: "regions: one joint bends", drop: "the bend of the second joint",
		dir: "internal/engine/region", fn: "newGrid",
		old:   "g.bend += bend(t, &g, i, &t.a) + bend(t, &g, i, &t.b)",
		new:   "g.bend = max(g.bend, bend(t, &g, i, &t.a)+bend(t, &g, i, &t.b))",
		tests: "TestBoundsOfStretchedArms",
	},
	{
		name: "regions: one body bends", drop: "the bend of the first body",
		dir: "internal/engine/region", fn: "newGrid",
		old:   "bend(t, &g, i, &t.a) + bend(t, &g, i, &t.b)",
		new:   "bend(t, &g, i, &t.b)",
		tests: "TestBoundsOfStretchedArms",
	},
	{
		name: "regions: corners on a diagonal", drop: "the other two corners",
		dir: "internal/engine/region", fn: "Scratch.place",
		old:   "s.dofs[x.dof].Q = r[i][k>>i&1]",
		new:   "s.dofs[x.dof].Q = r[i][k&1]",
		tests: "TestBoundsOfStretchedArms",
	},
	{
		name: "regions: the middle alone", drop: "the corners",
		dir: "internal/engine/region", fn: "Scratch.between",
		old:   "c := &s.corners[i]",
		new:   "c := &[]places{s.middle}[0*i]",
		tests: "TestBoundsOfStretchedArms",
	},
	{
		name: "regions: inside unseen", drop: "that neither is inside the other",
		dir: "internal/engine/region", fn: "Scratch.measure",
		old:   "p.apart > 0 && opened && !s.outside(t)",
		new:   "p.apart > 0 && opened && t.b.Leaves == nil && !s.outside(t)",
		tests: "TestNothingIsToldOfWhatIsInside",
	},
	{
		name: "regions: what cannot be told is outside", drop: "that it is known whether one is inside the other",
		dir: "internal/engine/region", fn: "Scratch.outside",
		old:   "return ok && !inside",
		new:   "return (ok || true) && !inside",
		tests: "TestNothingIsToldOfWhatIsInside",
	},
	{
		name: "regions: one of two parts", drop: "the other half of what is opened",
		dir: "internal/engine/region", fn: "Scratch.open",
		old:   "[...]int32{left, left + 1}",
		new:   "[...]int32{left}",
		tests: "TestTablesHold", judge: "internal/engine/spacetime",
	},
	{
		name: "regions: the last parts", drop: "that the parts that are least apart decide",
		dir: "internal/engine/region", fn: "Scratch.least",
		old:   "s.parts[i].apart < s.parts[at].apart",
		new:   "s.parts[i].apart >= s.parts[at].apart",
		tests: "TestTablesHold", judge: "internal/engine/spacetime",
	},
	{
		name: "regions: groups in another world", drop: "that the same pairs of members are checked",
		dir: "internal/engine/model", fn: "Model.OfGroupPair",
		old:   "string(checked)",
		new:   "string(checked[:0])",
		tests: "TestTablesOfGroupsAreOfTheCheckedPairs", judge: "internal/engine/region",
	},
	{
		name: "shared by worlds: groups with what a link carries", drop: "that all members are the robot's",
		dir: "internal/engine/model", fn: "Model.ofRobot",
		old:   "i >= m.First",
		new:   "i < 0*m.First",
		tests: "TestDerivedOfTheRobotIsMadeOnce",
	},
	{
		name: "regions: one cell", drop: "the other cells that a box reaches into",
		dir: "internal/engine/region", fn: "Table.apartIn",
		old:   "k <= last",
		new:   "k <= first",
		tests: "TestBoxesOfStretchedArms",
	},
	{
		name: "regions: one member", drop: "all pairs of members but the last",
		dir: "internal/engine/region", fn: "Table.compute",
		old:   "d = min(d, member.bound(s, of, c))",
		new:   "d = member.bound(s, of, c)",
		tests: "TestTablesHold", judge: "internal/engine/spacetime",
	},
	{
		name: "regions: what is no number", drop: "that nothing is known where a sum is no number",
		dir: "internal/engine/region", fn: "Scratch.between",
		old:   "apart > math.Inf(-1)",
		new:   "!(apart <= 0)",
		tests: "TestBoxesOfWhichNothingIsTold",
	},
	{
		name: "regions: two joints that move together", drop: "that each joint has a variable of its own",
		dir: "internal/engine/region", fn: "axesOf",
		old:   "len(axes) == most || len(axes) == 1 && axes[0].dof == x.dof",
		new:   "len(axes) == most",
		tests: "TestOfWhatTablesAreKept",
	},
	{
		name: "regions: links alike", drop: "what carries the elements, from what tells tables apart",
		dir: "internal/engine/model", fn: "Model.carried",
		old:   "return carried{e.likeness(), e.Frame}",
		new:   "return carried{e.likeness(), 0}",
		tests: "TestTablesAreShared", judge: "internal/engine/region",
	},
	{
		name: "ranges: chords", drop: "how far variables depart from their chords",
		dir: "internal/engine/place", fn: "Lanes.bow",
		old:   "l.bows[d] = a.Alpha*half + 64*u*a.MaxAbs",
		new:   "l.bows[d] = 0*half + 64*u*a.MaxAbs",
		tests: "TestRangesHoldVariables",
	},
	{
		name: "ranges: of the interval placed last", drop: "that the robot may be placed elsewhere",
		dir: "internal/engine/place", fn: "Lanes.Ranges",
		old: `bow := l.bows[dof]`,
		new: `l.bow()
	bow := l.bows[dof]`,
		tests: "TestRangesHoldVariables",
	},
	{
		name: "ranges: one of two motions", drop: "where the second motion is",
		dir: "internal/engine/place", fn: "Lanes.positions",
		old:   "l.shared.moving[1].of[dof].Sample(thirds[:], q[half:])",
		new:   "l.shared.moving[0].of[dof].Sample(thirds[:], q[half:])",
		tests: "TestSharedRangesHoldVariables",
	},
	{
		name: "regions: the last step's range", drop: "the ranges of the other steps",
		dir: "internal/engine/place", fn: "Lanes.Range",
		old:   "lo, hi = min(lo, x, y), max(hi, x, y)",
		new:   "lo, hi = min(x, y), max(x, y)",
		tests: "TestSharedRangesHoldVariables",
	},
}

package mutation

// Mutations of selfcollision: what a joint may do to a point, the errors of samples,
// the box that all of it holds in, and what tables and balls leave out.
//
// Not here, as no test can notice 1 %: roundings, which are some 1e-13 m; and the
// centres of balls, which are guesses.

const (
	arcGo     = "internal/engine/romtree/romarc.go"
	cloudGo   = "internal/engine/romtree/romcloud.go"
	subtreeGo = "internal/engine/romtree/romsweep.go"
	boxGo     = "internal/engine/romtree/jointbox.go"
	tablesGo  = "internal/engine/romtree/tables.go"
	threeGo   = "internal/engine/romtree/threestep.go"
	placedGo  = "internal/engine/romtree/placedball.go"

	nothingLeaves = "TestNothingLeavesItsRangeOfMotion"
)

var rangeOfMotion = []mutation{
	// The farthest place of a point.
	{name: "arc: ends only", file: arcGo, old: "if !w.reaches(math.Atan2(sin, cos) + math.Pi) {", new: "if true {", tests: "TestArcs TestOneJoint", drops: "the half turn, where the range holds it"},
	{name: "arc: no upper end", file: arcGo, old: "least = min(cos*c0+sin*s0, cos*c1+sin*s1)", new: "least = cos*c0 + sin*s0\n\t\t_, _ = s1, c1", tests: "TestArcs " + nothingLeaves, drops: "the upper limit of a turn"},
	{name: "arc: no lower end", file: arcGo, old: "least = min(cos*c0+sin*s0, cos*c1+sin*s1)", new: "least = cos*c1 + sin*s1\n\t\t_, _ = s0, c0", tests: "TestArcs " + nothingLeaves, drops: "the lower limit of a turn"},
	{name: "arc: turns not taken off", file: arcGo, old: "q+2*math.Pi*math.Ceil((lo-q)/(2*math.Pi)) <= hi", new: "q >= lo && q <= hi", tests: "TestArcs", drops: "angles that differ by turns"},
	{name: "arc: always reached", file: arcGo, old: "if w.fullTurn() {\n\t\treturn true\n\t}\n\tlo, hi", new: "if true {\n\t\treturn true\n\t}\n\tlo, hi", tests: "TestArcs TestOneJoint", drops: "the limits of a turn", loose: true},
	{name: "slide: one end", file: arcGo, old: "max(geom.Norm(r3.Sub(x, lo)), geom.Norm(r3.Sub(x, hi)))", new: "geom.Norm(r3.Sub(x, hi)) + 0*geom.Norm(lo)", tests: "TestArcs " + nothingLeaves, drops: "the lower limit of a slide"},

	// Polygons around arcs.
	{name: "polygon: through the arc", file: arcGo, old: "out := 1 / math.Cos(width/2)", new: "out := 1.0", tests: "TestArcs", drops: "tangents instead of chords"},
	{name: "polygon: less 1 %", file: arcGo, old: "out := 1 / math.Cos(width/2)", new: "out := 1 / math.Cos(0.99*width/2)", tests: "TestArcs", drops: "tangents, by 1 %"},
	{name: "polygon: no lower end", file: arcGo, old: "\tif w.fullTurn() {\n\t\treturn points\n\t}\n\treturn append(points, w.place(p, w.at.Lo), w.place(p, w.at.Hi))", new: "\treturn append(points, w.place(p, w.at.Hi))", tests: "TestArcs " + nothingLeaves, drops: "the lower limit"},
	{name: "polygon: no upper end", file: arcGo, old: "\tif w.fullTurn() {\n\t\treturn points\n\t}\n\treturn append(points, w.place(p, w.at.Lo), w.place(p, w.at.Hi))", new: "\treturn append(points, w.place(p, w.at.Lo))", tests: "TestArcs " + nothingLeaves, drops: "the upper limit"},
	{name: "full turn a little short", file: arcGo, old: "span, first = 2*math.Pi, 0", new: "span, first = 6, 0", tests: "TestArcs", drops: "continuous joints turn all the way"},

	// The errors of samples.
	{name: "samples: no error", file: subtreeGo, old: "rise = w.sampleError(farFromAxis(w, inner), s.gap)", new: "rise = 0", tests: "TestSampleErrorIsAttained TestOneErrorForAllJointsIsNotEnough", drops: "the error of every joint that is sampled"},
	{name: "samples: the error of the tip only", file: subtreeGo, old: "rise = w.sampleError(farFromAxis(w, inner), s.gap)", new: "if len(s.children[k]) == 0 {\n\t\t\trise = w.sampleError(farFromAxis(w, inner), s.gap)\n\t\t}", tests: "TestOneErrorForAllJointsIsNotEnough", drops: "the sum over all joints that are sampled"},
	{name: "samples: the error of the first joint only", file: subtreeGo, old: "rise = w.sampleError(farFromAxis(w, inner), s.gap)", new: "if k == 1 {\n\t\t\trise = w.sampleError(farFromAxis(w, inner), s.gap)\n\t\t}", tests: "TestOneErrorForAllJointsIsNotEnough", drops: "the sum over all joints that are sampled"},
	{name: "samples: error less 1 %", file: arcGo, old: "half := math.Sin(width / 4)", new: "half := math.Sin(width / 4) * 0.995", tests: "TestSampleErrorIsAttained", drops: "1 - cos(a/2), by 1 %"},
	{name: "samples: slides err too", file: arcGo, old: "if w.prismatic {\n\t\treturn 0\n\t}", new: "", tests: "TestSlidesAreSampledExactly", drops: "that a slide is the hull of its ends", loose: true},
	{name: "samples: one limit left out", file: arcGo, old: "for i := range n + 1 {", new: "for i := range n {", tests: "TestSampleErrorIsAttained TestOneJoint", drops: "both limits among the samples"},
	{name: "followers: sampled as if alone", file: subtreeGo, old: "rise = s.coupledError(k, cuts)", new: "rise = 0", tests: "TestFollowersNeedTheSecondDerivative", drops: "A a^2/8 where joints follow one variable"},
	{name: "followers: no coupling", file: subtreeGo, old: "s.reach[k] * w * (w + 2*f.turn)", new: "s.reach[k] * w * w", tests: "TestFollowersNeedTheSecondDerivative", drops: "the mixed terms of (A)"},
	{name: "followers: coupling less 1 %", file: subtreeGo, old: "s.reach[k] * w * (w + 2*f.turn)", new: "s.reach[k] * w * (w + 1.98*f.turn)", tests: "TestFollowersNeedTheSecondDerivative", drops: "the mixed terms of (A), by 1 %"},
	{name: "followers: no slides", file: subtreeGo, old: "f.accel += 2 * w * f.turn", new: "f.accel += 0 * w", tests: "TestFollowingSlides", drops: "the mixed term of a slide"},
	{name: "followers: gap halved", file: subtreeGo, old: "return a * gap * gap / 8", new: "return a * gap * gap / 16", tests: "TestFollowersNeedTheSecondDerivative", drops: "a^2 / 8"},
	{name: "followers: held in the middle", file: subtreeGo, old: "out = append(out, Range{at(i), at(i + 1)})", new: "out = append(out, Range{(at(i) + at(i+1)) / 2, (at(i) + at(i+1)) / 2})", tests: nothingLeaves, drops: "the width of a piece of a shared variable"},
	{name: "followers: without straying", file: subtreeGo, old: "\tstray := s.stray(k)\n\treturn Range{lo - stray, hi + stray}", new: "\treturn Range{lo, hi}", tests: "TestTubeIsEnclosed", drops: "the tube of joints whose variable is cut"},

	// Clouds.
	{name: "cloud: thinned without a radius", file: cloudGo, old: "off = max(off, r.Distance)", new: "off = 0", tests: "TestFewerPointsHoldTheRest " + nothingLeaves, drops: "the distance of points that are left out"},
	{name: "cloud: smaller radius of two", file: cloudGo, old: "out[i] = grown{points, max(out[i].radius, g.radius)}", new: "out[i] = grown{points, min(out[i].radius, g.radius)}", tests: nothingLeaves, drops: "the larger of two radii"},
	{name: "cloud: ball without radius", file: cloudGo, old: "convex.BallAround(b.Center, g.points).Radius+g.radius)", new: "convex.BallAround(b.Center, g.points).Radius)", tests: "TestFewerPointsHoldTheRest " + nothingLeaves, drops: "the radius around a cloud's points"},
	{name: "sweep: without the subtree", file: subtreeGo, old: "all = all.with(swept)", new: "_ = swept", tests: nothingLeaves, drops: "everything beyond a joint"},
	{name: "sweep: last child only", file: subtreeGo, old: "all = all.with(swept)", new: "all = s.own[k].with(swept)", tests: nothingLeaves, drops: "branches"},
	{name: "sweep: endless slides", file: subtreeGo, old: "if !w.known() || s.tree.OfRoot(k) {\n\t\treturn nil, len(inner) == 0\n\t}", new: "if !w.known() {\n\t\tw.at = Range{}\n\t}", tests: "TestEndless", drops: "that a slide without limits leaves no ball"},

	// Where all of it holds.
	{name: "box: upper limits", file: boxGo, old: "return r.Lo <= lo && hi <= r.Hi", new: "return r.Lo <= lo", tests: "TestHolds", drops: "the upper limits"},
	{name: "box: lower limits", file: boxGo, old: "return r.Lo <= lo && hi <= r.Hi", new: "return hi <= r.Hi", tests: "TestHolds", drops: "the lower limits"},
	{name: "box: holds what strays", file: boxGo, old: "at := b.joint(k, Range{lo[d], hi[d]}, tube)", new: "at := b.joint(k, Range{lo[d], hi[d]}, nil)", tests: "TestHolds", drops: "the tube of the motion that is asked about"},
	{name: "box: without straying", file: boxGo, old: "return Range{lo - stray, hi + stray}", new: "return Range{lo, hi}", tests: "TestHolds TestTubeIsEnclosed", drops: "the tube that the balls are made for"},
	{name: "rom: another model", file: "internal/engine/romtree/rom.go", old: "return m == r.Model && r.Box.Holds(q, tube)", new: "return r.Box.Holds(q, tube)", tests: "TestHolds", drops: "that other padding or geometry voids the balls"},
	{name: "three steps: balls outside their box", file: "internal/engine/romtree/skeleton.go", old: "s.rom != nil && s.rom.Holds(s.m, state, nil)", new: "s.rom != nil", tests: "TestBallsOutsideTheirBox", drops: "the box of the balls"},
	{name: "three steps: tables outside their box", file: threeGo, old: "s.tables != nil && s.tables.Holds(s.m, state, nil)", new: "s.tables != nil", tests: "TestThreeStepsAreAllPairs", drops: "the box of the tables"},

	// Tables.
	{name: "tables: rigid of the link alone", file: tablesGo, old: "t.rigid[i*f+p] = min(t.rigid[i*f+p], t.rigid[i*f+j])", new: "_ = p", tests: "TestTablesHold", drops: "equation (3): all links of the subtree"},
	{name: "tables: motion of one link", file: tablesGo, old: "t.subs[p*f+j] = min(t.subs[p*f+j], t.subs[i*f+j])", new: "_ = p", tests: "TestTablesHold", drops: "equation (4): all links of both subtrees"},
	{name: "tables: hulls that overlap", file: tablesGo, old: "if !(least > 0) {\n\t\treturn Unproved\n\t}", new: "", tests: "TestTablesHold", drops: "that hulls are apart"},
	{name: "tables: first pieces only", file: tablesGo, old: "for i := range a {\n\t\tfor j := range b {\n\t\t\tleast", new: "for i := range a[:1] {\n\t\tfor j := range b[:1] {\n\t\t\tleast", tests: "TestTablesHold", drops: "all pieces of a cloud"},
	{name: "tables: seen from the root", file: tablesGo, old: "if n := m.Tree.Parting(a.Frame, b.Frame); n > 0 {", new: "if n := m.Tree.Parting(a.Frame, b.Frame); n > 99 {", tests: "TestPairsAreSeenFromWhereChainsPart", drops: "the frame where chains part", loose: true},

	// Balls and steps.
	{name: "placed: without the second ball", file: placedGo, old: "r = max(t*d+a.Radius, (1-t)*d+b.Radius)", new: "r = t*d + a.Radius*0.99", tests: "TestAround", drops: "a ball around both"},
	{name: "placed: balls of the centres", file: placedGo, old: "- (a.Radius+b.Radius)*(1+8*unit)", new: "", tests: "TestThreeStepsAreAllPairs", drops: "radii"},
	{name: "step 1 left out", file: threeGo, old: "\t\ts.queueTree(k, c, lower)\n\t\tfor _, d", new: "\t\tfor _, d", tests: "TestThreeStepsAreAllPairs", drops: "links against subtrees"},
	{name: "step 2 left out", file: threeGo, old: "s.queueTrees(c, d, lower)", new: "_ = d", tests: "TestThreeStepsAreAllPairs", drops: "subtrees against each other"},
	{name: "step 3 left out", file: threeGo, old: "\tfor _, c := range s.children[k] {\n\t\ts.within(c, lower)\n\t}", new: "", tests: "TestThreeStepsAreAllPairs", drops: "subtrees within themselves"},
	{name: "a frame's own pairs left out", file: threeGo, old: "\ts.queueLinks(k, k, lower)\n", new: "", tests: "TestThreeStepsAreAllPairs", drops: "links that move as one"},
	{name: "grandchildren only", file: threeGo, old: "\ts.queueLinks(n.a, n.b, n.lower)\n\tfor _, c := range s.children[n.b] {", new: "\tfor _, c := range s.children[n.b] {", tests: "TestThreeStepsAreAllPairs", drops: "neighbours, which the paper takes for free"},
	{name: "what was left out forgotten", file: threeGo, old: "s.lowest = min(s.lowest, s.queue.Top().Key)", new: "_ = 0", tests: "TestThreeStepsAreAllPairs", drops: "the lower bound of what was not opened"},

	// Against the world.
	{name: "world: inside a solid", file: "internal/engine/romtree/farworld.go", old: "if lower > 0 && !(parent > 0) && !s.outsideSolids(ball) {", new: "if false {", tests: "TestWorldIsAllPairs", drops: "that no closed surface is around a ball"},
	{name: "world: balls without radius", file: "internal/engine/romtree/farworld.go", old: "\t}\n\treturn found - ball.Radius - slack", new: "\t}\n\treturn found - slack", tests: "TestWorldIsAllPairs", drops: "the ball's radius"},
	{name: "world: first box only", file: "internal/engine/romtree/farworld.go", old: "s.spots = append(s.spots, near{n.Child[i], far})", new: "s.spots = append(s.spots[:first], near{n.Child[i], far})", tests: "TestWorldIsAllPairs", drops: "all children of a node"},
	{name: "world: what was left out forgotten", file: "internal/engine/romtree/farworld.go", old: "\ts.lowest = min(s.lowest, lower)\n\treturn true", new: "\treturn true", tests: "TestWorldIsAllPairs", drops: "the lower bound of what was left out"},
	{name: "world: subtrees never left out", file: "internal/engine/romtree/farworld.go", old: "\t\ts.work.Subtrees++\n\t\treturn\n", new: "", tests: "TestFarArmIsOneTest", drops: "one test for a far arm", loose: true},
}

package mutation

// Mutations of what stands still: the swept volumes that descend into the world's
// tree, the tree itself, and where a body is when the motion starts. And of what
// moves every point: tubes, and a root link that moves.
//
// What is not here: how far the root link's point gets (rootRange), as nothing
// turns before it; and the vector instructions of package convex, whose twin is the
// plain scan.

const (
	sweepGo   = "internal/engine/spacetime/sweep.go"
	againstGo = "internal/engine/spacetime/against.go"
	levelsGo  = "internal/engine/spacetime/levels.go"
	frontsGo  = "internal/engine/spacetime/fronts.go"
	crewGo    = "internal/engine/spacetime/crew.go"
	rootGo    = "internal/engine/kin/course_root.go"
	proveGo   = "internal/engine/spacetime/prove.go"
	worldGo   = "internal/engine/model/world.go"
	aroundGo  = "internal/engine/model/around.go"
	wideGo    = "internal/geometry/bvh/wide.go"
	tallyGo   = "internal/geometry/mesh/tally.go"
	geometry  = "internal/engine/spacetime" // where the tests of model's world are
	checker   = "ccd"

	boxTwin       = "TestSweptBoxAgainstItsTwin"
	sweepsHold    = "TestSweepsAreAttained"
	halfSpaceTwin = "TestHalfSpacesAgainstTheirTwin"
	tubesOff      = "TestTubesAreTakenOff"
	oneQuestion   = "TestSweepsAreOfOneQuestion"
	outward       = "TestOutwardBoxesHold"
	wideHolds     = "TestWideTreesHoldTheirItems"
	aroundPoints  = "TestSolidsAroundAPoint"
	itemsStand    = "TestItemsStandWithinTheirError"
	itemsInBoxes  = "TestItemsAreInTheirBoxes"
	atOnce        = "TestWhatBeganInsideTouchesAtOnce"
	tubeTwin      = "TestTubeAgainstItsTwin"
	farAndSpeed   = "TestFarAndSpeed"
	rootMoves     = "TestRootMovesAboutItsPoint"
)

var sweptRules = []mutation{
	// The swept box
	{name: "swept box: no speed", file: proofGo, old: "min(h*math.Abs(v)+curve, far)", new: "min(curve, far)", tests: boxTwin + " " + sweepsHold, drops: "h |v'| in the swept box"},
	{name: "swept box: speed less 1 %", file: proofGo, old: "min(h*math.Abs(v)+curve, far)", new: "min(0.99*h*math.Abs(v)+curve, far)", tests: boxTwin + " " + sweepsHold, drops: "h |v'| in the swept box, by 1 %"},
	{name: "swept box: speed with its sign", file: proofGo, old: "min(h*math.Abs(v)+curve, far)", new: "min(h*v+curve, far)", tests: boxTwin + " " + sweepsHold, drops: "both directions of time"},
	{name: "swept box: no acceleration", file: proofGo, old: "curve := bent(min(accel,", new: "curve := 0 * bent(min(accel,", tests: boxTwin + " " + sweepsHold, drops: "A h^2 / 2 in the swept box"},
	{name: "swept box: acceleration less 1 %", file: proofGo, old: "curve := bent(min(accel,", new: "curve := 0.99 * bent(min(accel,", tests: boxTwin + " " + sweepsHold, drops: "A h^2 / 2 in the swept box, by 1 %"},
	{name: "swept box: displacement less 1 %", file: proofGo, old: "math.Abs(v)+curve, far)", new: "math.Abs(v)+curve, 0.99*far)", tests: boxTwin, drops: "M in the swept box, by 1 %"},
	{name: "swept box: displacement unused", file: proofGo, old: "min(h*math.Abs(v)+curve, far)", new: "max(h*math.Abs(v)+curve, 0*far)", tests: boxTwin, drops: "the minimum with M", loose: true},
	{name: "swept box: no radius", file: proofGo, old: "+curve, far) + radius)", new: "+curve, far) + 0*radius)", tests: boxTwin + " " + sweepsHold, drops: "the ball's radius in the swept box"},
	{name: "swept box: radius less 1 %", file: proofGo, old: "+curve, far) + radius)", new: "+curve, far) + 0.99*radius)", tests: boxTwin, drops: "the ball's radius in the swept box, by 1 %"},
	{name: "swept box: upper side only", file: proofGo, old: "Min: geom.Vec{X: center.X - x,", new: "Min: geom.Vec{X: center.X,", tests: boxTwin, drops: "both sides of the swept box"},
	{name: "swept box: not a number", file: proofGo, old: "math.IsNaN(sum) || math.IsInf(sum, 0)", new: "math.IsNaN(sum) && h < 0", tests: "TestWhatOverflowsIsNotFree TestSweptBoxOfWhatIsNotANumber", drops: "what overflows may be anywhere"},

	// Half-spaces that hold a sweep
	{name: "reach over: at c only", file: proofGo, old: "reach := reachAlong(n, s, h)\n\tif h > 0 {\n\t\treach = max(reach, reachAlong(n, s, -h))", new: "reach := reachAlong(n, s, 0)\n\tif h > 0 {\n\t\t_ = reach", tests: halfSpaceTwin + " " + sweepsHold, drops: "the linear part at the ends"},
	{name: "reach over: one end only", file: proofGo, old: "reach = max(reach, reachAlong(n, s, -h))", new: "_ = reach", tests: halfSpaceTwin + " " + sweepsHold, drops: "both ends of [-h, h]"},
	{name: "reach over: no acceleration", file: sweepGo, old: "p.reach = p.straight + bent(accel, w.h)", new: "p.reach = p.straight + 0*bent(accel, w.h)", tests: sweepsHold, drops: "A h^2 / 2"},
	{name: "reach over: acceleration less 1 %", file: sweepGo, old: "p.reach = p.straight + bent(accel, w.h)", new: "p.reach = p.straight + 0.99*bent(accel, w.h)", tests: sweepsHold, drops: "A h^2 / 2, by 1 %"},
	{name: "reach over: no radius", file: proofGo, old: "return reach + s.core.Radius", new: "return reach", tests: halfSpaceTwin + " " + sweepsHold, drops: "the radius"},
	{name: "reach over: radius less 1 %", file: proofGo, old: "return reach + s.core.Radius", new: "return reach + 0.99*s.core.Radius", tests: halfSpaceTwin + " " + sweepsHold, drops: "the radius, by 1 %"},
	{name: "beyond: no clearance", file: proofGo, old: "return finite(least-reach) > clearance*(1+8*u)+slack", new: "return finite(least-reach) > slack+0*clearance", tests: halfSpaceTwin + " " + sweepsHold, drops: "the clearance"},
	{name: "beyond: clearance less 1 %", file: proofGo, old: "return finite(least-reach) > clearance*(1+8*u)+slack", new: "return finite(least-reach) > clearance*0.99+slack", tests: halfSpaceTwin + " " + sweepsHold, drops: "the clearance, by 1 %"},
	{name: "beyond: no slack", file: proofGo, old: "return finite(least-reach) > clearance*(1+8*u)+slack", new: "return finite(least-reach) > clearance*(1+8*u)+0*slack", tests: halfSpaceTwin, drops: "rounding"},
	{name: "slack: of the element's own pose", file: proofGo, old: " + e.ErrP + e.ErrR*rho\n", new: "\n", tests: slackTerms, drops: "rounding of an element's pose behind fixed joints"},

	// What a sweep is made of
	{name: "sweep: no slack of the element", file: sweepGo, old: "sw.slack = at.slack + w.m", new: "sw.slack = w.m", tests: "TestSweepsKeepAllSlack", drops: "rounding of the element"},
	{name: "sweep: no error of the world", file: sweepGo, old: "at.slack + w.m.World.Err +", new: "at.slack +", tests: "TestFacesOfHugeObstaclesAreRounded", drops: "rounding of the world's items"},
	{name: "sweep: no tube", file: sweepGo, old: " + at.tube*(1+8*u)\n", new: "\n", tests: tubesOff, drops: "the tube against the world"},
	{name: "sweep: box without clearance", file: sweepGo, old: "sw.radius+w.clearance+sw.slack", new: "sw.radius+sw.slack", tests: sweepsHold, drops: "the clearance in the swept box"},
	{name: "sweep: box without slack", file: sweepGo, old: "sw.radius+w.clearance+sw.slack", new: "sw.radius+w.clearance", tests: tubesOff, drops: "tube and rounding in the swept box"},
	{name: "sweep: half-spaces of the interval before", file: sweepGo, old: "sw.at, sw.count, sw.hints, sw.tried = at, 0, at.hints, 0", new: "sw.at, sw.hints, sw.tried = at, at.hints, 0", tests: oneQuestion, drops: "half-spaces hold one part on one interval"},
	{name: "sweep: of the interval before", file: sweepGo, old: "if sw.stamp == w.stamp && sw.element", new: "if sw.element", tests: oneQuestion, drops: "a sweep is of one interval"},
	{name: "sweep: of another element", file: sweepGo, old: "sw.element == element && ", new: "", tests: oneQuestion, drops: "a sweep is of one element"},
	{name: "sweep: of another part", file: sweepGo, old: " && sw.node == node &&", new: " &&", tests: oneQuestion, drops: "a sweep is of one part"},
	{name: "sweep: of another clearance", file: sweepGo, old: "sw.clearance == w.clearance && sw.rise", new: "sw.rise", tests: oneQuestion, drops: "the swept box includes the clearance"},
	{name: "sweep: of another line of clearance", file: sweepGo, old: " && sw.rise == w.rise {", new: " {", tests: "TestSweepIsOfOneLine", drops: "half-spaces are for one line of clearance"},
	{name: "sweep: part with the element's velocity", file: sweepGo, old: "vel = twist.At(sw.center)", new: "_ = twist", tests: "TestBoxesOfPartsHoldThem", drops: "each part's centre has its own velocity"},
	{name: "sweep: half-space without acceleration", file: sweepGo, old: "\tif w.h > 0 {\n\t\taccel = ", new: "\tif w.h > 0 {\n\t\taccel = 0 * ", tests: sweepsHold, drops: "A of the element"},
	{name: "least: no radius of a shape", file: sweepGo, old: "r3.Dot(back, e.PoseFE.P)) - e.Core.Radius", new: "r3.Dot(back, e.PoseFE.P))", tests: halfSpaceTwin, drops: "an object's radius"},
	{name: "least: no radius of a triangle", file: sweepGo, old: "r3.Dot(v[2], n))) - it.Radius", new: "r3.Dot(v[2], n)))", tests: halfSpaceTwin, drops: "a triangle's padding"},
	{name: "least: no radius of a cell", file: sweepGo, old: "half.Z*math.Abs(local.Z) - it.Radius", new: "half.Z*math.Abs(local.Z)", tests: halfSpaceTwin, drops: "a cell's padding"},
	{name: "least: no radius of a point", file: sweepGo, old: "return r3.Dot(v[0], n) - it.Radius", new: "return r3.Dot(v[0], n)", tests: halfSpaceTwin, drops: "a point's radius"},
	{name: "least: two corners of a triangle", file: sweepGo, old: "min(r3.Dot(v[0], n), min(r3.Dot(v[1], n), r3.Dot(v[2], n)))", new: "min(r3.Dot(v[0], n), r3.Dot(v[1], n))", tests: halfSpaceTwin, drops: "all corners of a triangle"},
	{name: "least: middle of a cell", file: sweepGo, old: " - half.Y*math.Abs(local.Y)", new: " - 0*half.Y", tests: halfSpaceTwin, drops: "the sides of a cell"},

	// Into the tree
	{name: "half-spaces: middle of a node's box", file: againstGo, old: "-half.Y*abs(p.n.Y)", new: "-0*half.Y", tests: halfSpaceTwin, drops: "the sides of a node's box"},
	{name: "half-spaces: side of a node's box less 1 %", file: againstGo, old: "-half.X*abs(p.n.X)", new: "-0.99*half.X*abs(p.n.X)", tests: halfSpaceTwin, drops: "the sides of a node's box, by 1 %"},
	{name: "world: the first child only", file: againstGo, old: "for ; meets != 0; meets &= meets - 1 {", new: "for ; meets != 0; meets = 0 {", tests: "TestEveryTriangleCounts", drops: "every item of the world is looked at"},
	{name: "world: the whole part opened to half", file: againstGo, old: "return left, left + 1\n", new: "return left, left\n", tests: "TestEveryTriangleCounts", drops: "every part of the body is looked at"},
	{name: "root balls: A's displacement", file: proveGo, old: "a.far+b.far,", new: "b.far,", tests: sweepsHold, drops: "M of A"},
	{name: "root balls: B's displacement", file: proveGo, old: "a.far+b.far,", new: "a.far,", tests: sweepsHold, drops: "M of B"},
	{name: "root balls: A's velocity", file: proveGo, old: "r3.Sub(a.vel, b.vel)", new: "r3.Scale(-1, b.vel)", tests: sweepsHold, drops: "v' of A"},
	{name: "root balls: B's velocity", file: proveGo, old: "r3.Sub(a.vel, b.vel)", new: "a.vel", tests: sweepsHold, drops: "v' of B"},
	{name: "root balls: A's acceleration", file: proveGo, old: "a.accel+b.accel", new: "b.accel", tests: sweepsHold, drops: "A of A's centre"},
	{name: "root balls: B's acceleration", file: proveGo, old: "a.accel+b.accel", new: "a.accel", tests: sweepsHold, drops: "A of B's centre"},
	{name: "root balls: one radius", file: proveGo, old: "radii := w.m.Elements[q.A].Radius + w.m.Elements[q.B].Radius", new: "radii := w.m.Elements[q.A].Radius", tests: sweepsHold, drops: "both radii"},
	{name: "root balls: no clearance", file: proveGo, old: "a.accel+b.accel, far, radii, w.clearance, slack", new: "a.accel+b.accel, far, radii, 0, slack", tests: sweepsHold, drops: "the clearance"},
	{name: "root balls: tube of one side", file: proveGo, old: "b.slack+a.tube+b.tube", new: "b.slack+a.tube", tests: tubesOff, drops: "the tube of both sides"},
	{name: "pair: no tube", file: workerGo, old: "\tp.slack += p.tube * (1 + 8*u)\n", new: "", tests: tubesOff, drops: "the tube of a pair"},
	{name: "pair: tube of one side", file: workerGo, old: "p.tube += at.tube", new: "p.tube = at.tube", tests: tubesOff, drops: "the tube of both sides"},
	{name: "pair: acceleration of one side", file: workerGo, old: "p.accel += at.accel", new: "p.accel = at.accel", tests: rulesAttained, drops: "A of both sides"},
	{name: "pair: displacement of one side beyond the root", file: workerGo, old: "p.far += w.state.Displacement(", new: "p.far = w.state.Displacement(", tests: rulesAttained, drops: "M of both sides, where chains part later"},
	{name: "pair: tube of one side beyond the root", file: workerGo, old: "p.tube += w.state.Tube(", new: "p.tube = w.state.Tube(", tests: "TestPairsKeepAllSlack", drops: "the tube of both sides, where chains part later"},
	{name: "pair: displacement of one side", file: workerGo, old: "p.far += at.far", new: "p.far = at.far", tests: rulesAttained, drops: "M of both sides"},
}

var containment = []mutation{
	{name: "containment: not asked of the world", file: againstGo, old: "if w.m.World.Encloses && !sw.at.outside {", new: "if w.m.World.Encloses && sw.at == nil {", tests: "TestInsideFromTheStart", drops: "a body inside the world's surfaces"},
	{name: "containment: not of each part", file: againstGo, old: "case s.outsideItem(pair, sw.element, &w.m.World.Items[^e.b]):", new: "case true:", tests: "TestInsideFromTheStart", drops: "each part of a body that is opened"},
	{name: "containment: of the world at c", file: containGo, old: "el, pose := &w.m.Elements[element], w.atStart(element)", new: "el, pose := &w.m.Elements[element], w.now(element)", tests: atOnce, drops: "containment is of the motion's start"},
	{name: "containment: of parts at c", file: containGo, old: "return s.checkSurfaces(pair, w.atStart)", new: "return s.checkSurfaces(pair, w.now)", tests: atOnce, drops: "containment of parts is of the motion's start"},
	{name: "containment: of links at c", file: traverseGo, old: "if !s.checkOutside(e, openA, w.atStart) {", new: "if !s.checkOutside(e, openA, w.now) {", tests: atOnce, drops: "containment of links is of the motion's start"},
	{name: "containment: kept by elements", file: workerGo, old: "p.asked, p.hints, p.outside = w.asked, [hintsKept]geom.Vec{}, false", new: "p.asked, p.hints = w.asked, [hintsKept]geom.Vec{}", tests: "TestOutsideIsForgotten", drops: "containment in the world is of one motion"},
	{name: "containment: named in another piece", file: levelsGo, old: "if s.res.touch.atStart {", new: "if false {", tests: "TestInsideIsReportedAtTheStart", drops: "what starts inside is reported at the start"},
	{name: "levels: the first half only", file: levelsGo, old: "stretch{t.piece, t.lo, c, first, last}, stretch{t.piece, c, t.hi, first, last})", new: "stretch{t.piece, t.lo, c, first, last})", tests: "TestVerdictsOnRandomRobots", drops: "every interval is looked at"},
	{name: "levels: the first piece only", file: levelsGo, old: "for i := range pieces {", new: "for i := range pieces[:1] {", tests: "TestYesOrNoOfManyPieces", drops: "every piece is looked at"},
	{name: "around: no sides", file: aroundGo, old: "c.tally.Cross(it.Element, solid, it.Leaf, int32(side))", new: "c.tally.Cross(it.Element, solid, it.Leaf, int32(side*side))", tests: aroundPoints, in: geometry, drops: "what the segment leaves again"},
	{name: "around: surface not inside", file: aroundGo, old: "return it.Element, true", new: "_ = it", tests: aroundPoints, in: geometry, drops: "on the surface counts as inside"},
	{name: "around: mask unused", file: aroundGo, old: "if solid == nil || c.row[it.Element-c.w.First] < 0 {", new: "if solid == nil {", tests: aroundPoints, in: geometry, drops: "pairs left out make no contact", loose: true},
	{name: "around: few cycles only", file: tallyGo, old: "t.more = append(t.more, x)", new: "_ = x", tests: "TestTallyOfManyCycles", drops: "more cycles than a tally has in place"},
	{name: "around: crossings left behind", file: tallyGo, old: "t.n, t.more = 0, t.more[:0]", new: "t.more = t.more[:0]", tests: "TestTallyForgets", drops: "each segment starts at zero"},
	{name: "around: every edge is met", file: aroundGo, old: "ok = false // a later", new: "_ = it // a later", tests: "TestSegmentsThroughEdgesOfTheWorld", in: "internal/engine/model", drops: "segments through edges tell nothing"},
}

var worldTree = []mutation{
	{name: "items: no error", file: worldGo, old: "w.Err = max(w.Err, e.standing())", new: "w.Err = 0 * max(w.Err, e.standing())", tests: itemsStand + " TestFacesOfHugeObstaclesAreRounded", in: geometry, drops: "rounding of items"},
	{name: "items: error of the last object", file: worldGo, old: "w.Err = max(w.Err, e.standing())", new: "w.Err = e.standing()", tests: itemsStand, in: geometry, drops: "the largest error of all objects"},
	{name: "items: no padding of leaves", file: worldGo, old: "radius := l.Radius + e.Padding", new: "radius := l.Radius", tests: "TestPadding", in: geometry, drops: "padding of an object's leaves"},
	{name: "items: boxes without radius", file: worldGo, old: "add(it, solid, widened(box, radius))", new: "add(it, solid, widened(box, 0*radius))", tests: itemsInBoxes, in: geometry, drops: "padding in the tree's boxes"},
	{name: "items: nothing is enclosed", file: worldGo, old: "if l.Solid.Bounds(it.Leaf) {", new: "if l.Solid.Bounds(it.Leaf) && i > 1<<20 {", tests: aroundPoints + " TestInsideFromTheStart", in: geometry, drops: "what meshes enclose"},
	{name: "items: out of the tree's order", file: worldGo, old: "items[at], solid[at] = w.Items[i], w.Solid[i]", new: "items[i], solid[i] = w.Items[i], w.Solid[i]; _ = at", tests: itemsInBoxes, in: geometry, drops: "items stand in the tree's order"},
	{name: "outward: below rounded to nearest", file: wideGo, old: "float32(x-math.Abs(x)*0x1p-23-0x1p-140)", new: "float32(x)", tests: outward + " " + wideHolds, drops: "boxes are rounded outward"},
	{name: "outward: above rounded to nearest", file: wideGo, old: "float32(x+math.Abs(x)*0x1p-23+0x1p-140)", new: "float32(x)", tests: outward + " " + wideHolds, drops: "boxes are rounded outward"},
	{name: "outward: relative only", file: wideGo, old: "float32(x+math.Abs(x)*0x1p-23+0x1p-140)", new: "float32(x+math.Abs(x)*0x1p-23)", tests: outward, drops: "numbers too small for float32's digits"},
	{name: "wide: box of the first child", file: wideGo, old: "n.Box.Lo[k], n.Box.Hi[k] = min(n.Box.Lo[k], box.Lo[k]), max(n.Box.Hi[k], box.Hi[k])", new: "n.Box.Lo[k] += 0", tests: wideHolds, drops: "a node's box holds all children"},
	{name: "wide: meets in the open", file: wideGo, old: "return b.Lo[0] <= c.Hi[0] &&", new: "return b.Lo[0]+1 <= c.Hi[0] &&", tests: wideHolds, drops: "boxes that meet"},
	{name: "wide: two axes", file: wideGo, old: "n.Lo[2][j] <= b.Hi[2] && n.Hi[2][j] >= b.Lo[2] {", new: "true {", tests: wideHolds, drops: "all three axes", loose: true},
	{name: "wide: half sides of a child less 1 %", file: wideGo, old: "Y: (hi.Y - lo.Y) / 2,", new: "Y: (hi.Y - lo.Y) * 0.495,", tests: "TestChildBoxes", drops: "a child's box, by 1 %"},
}

var tubesAndRoots = []mutation{
	{name: "tube: less 1 %", file: boundsGo, old: "m += radii[i] * s.StrayChord[chain[i]]", new: "m += 0.99 * radii[i] * s.StrayChord[chain[i]]", tests: tubeTwin, drops: "the tube by 1 %"},
	{name: "tube: of the last joint", file: boundsGo, old: "m += radii[i] * s.StrayChord[chain[i]]", new: "m = radii[i] * s.StrayChord[chain[i]]", tests: tubeTwin, drops: "the sum over joints"},
	{name: "tube: one joint too few", file: boundsGo, old: "for i := from; i < len(chain); i++ {\n\t\tm += radii[i] * s.Stray", new: "for i := from + 1; i < len(chain); i++ {\n\t\tm += radii[i] * s.Stray", tests: tubeTwin, drops: "the first joint after the parting body"},
	{name: "tube: joints before the parting body", file: boundsGo, old: "for i := from; i < len(chain); i++ {\n\t\tm += radii[i] * s.Stray", new: "for i := 0 * from; i < len(chain); i++ {\n\t\tm += radii[i] * s.Stray", tests: tubeTwin, drops: "only joints after the parting body enter", loose: true},
	{name: "tube: rounded to nearest", file: boundsGo, old: "s.StrayChord[chain[i]]\n\t}\n\treturn m * inflate", new: "s.StrayChord[chain[i]]\n\t}\n\treturn m", tests: "TestTubesAreRoundedUp", drops: "rounding up of the tube"},
	{name: "tube: none in the radii", file: boundsGo, old: "(s.Chord[k] + s.StrayChord[k])", new: "(s.Chord[k] + 0*s.StrayChord[k])", tests: "TestRadiiHoldWithTheTube", drops: "tol_k in R_k"},
	{name: "tube: in the radii less 1 %", file: boundsGo, old: "(s.Chord[k] + s.StrayChord[k])", new: "(s.Chord[k] + 0.99*s.StrayChord[k])", tests: "TestRadiiHoldWithTheTube", drops: "tol_k in R_k, by 1 %"},
	{name: "tube: chord of a slide", file: stateGo, old: "if !s.Tree.Frames[k].Prismatic {\n\t\ts.StrayChord[k] = chord(by)", new: "if true {\n\t\ts.StrayChord[k] = chord(by)", tests: tubeTwin, drops: "tol_k is a slide's chord"},
	{name: "tube: slides that stray within reach", file: bindGo, old: " + w.state.Stray[k]) * (1 + 8*u)", new: ") * (1 + 8*u)", tests: "TestReachHoldsWithTheTube", drops: "r_k holds with the tube"},
	{name: "tube: mimic joints keep to theirs", file: "ccd/tube.go", old: "math.Abs(j.Mimic.Multiplier) * wide", new: "0 * math.Abs(j.Mimic.Multiplier) * wide", tests: "TestTubeOfMimicJoints", drops: "a mimic joint strays with its parent"},
	{name: "far: length less 1 %", file: stateGo, old: "origin := (s.Far[p] + length) * inflate", new: "origin := (s.Far[p] + 0.99*length) * inflate", tests: farAndSpeed, drops: "link lengths in Far, by 1 %"},
	{name: "far: no slides", file: stateGo, old: "s.Far[k] = (origin + q) * inflate", new: "s.Far[k] = origin", tests: farAndSpeed, drops: "slides in Far"},
	{name: "speed: slides less 1 %", file: stateGo, old: "s.Speed[k].Lin += w * inflate", new: "s.Speed[k].Lin += 0.99 * w", tests: farAndSpeed, drops: "slides in Speed, by 1 %"},
	{name: "speed: levers less 1 %", file: stateGo, old: "s.Speed[k].Lin += w * origin * inflate", new: "s.Speed[k].Lin += 0.99 * w * origin", tests: farAndSpeed, drops: "levers in Speed, by 1 %"},
	{name: "speed: turns less 1 %", file: stateGo, old: "s.Speed[k].Ang += w * inflate", new: "s.Speed[k].Ang += 0.99 * w", tests: farAndSpeed, drops: "turns in Speed, by 1 %"},
	{name: "chord: third term of the sine", file: roundingGo, old: "x*(1./1920-", new: "x*(0./1920-", tests: "TestChord", drops: "delta^5 in the chord"},
	{name: "chord: rounded to nearest", file: roundingGo, old: "(1./92897280)))))*(1+8*u))", new: "(1./92897280))))))", tests: "TestChord", drops: "rounding of the sine's series"},
	{name: "turn: against an axis", file: stateGo, old: "turnY(r, math.Copysign(q, q*axis.Y))", new: "turnY(r, q)", tests: "TestTurnsAboutAxes", drops: "an axis that points backwards"},
	{name: "turn: columns the wrong way", file: stateGo, old: "r.XY, r.XZ = c*r.XY+s*r.XZ, c*r.XZ-s*r.XY", new: "r.XY, r.XZ = c*r.XY-s*r.XZ, c*r.XZ+s*r.XY", tests: "TestTurnsAboutAxes", drops: "the sense of a turn"},
	{name: "root: axis of z", file: stateGo, old: "local = s.Root.Axis", new: "local = f.Axis", tests: rootMoves, drops: "the axis of the root's turn"},
	{name: "root: pose before the turn", file: stateGo, old: "return &s.Root.Pose", new: "return &f.PosePF", tests: rootMoves, drops: "where the root link is from the point"},
	{name: "root: reach from the point", file: stateGo, old: "\t\t\td += limit(int(chain[i])) // how far", new: "\t\t\td += 0 * limit(int(chain[i])) // how far", tests: rootMoves, drops: "the root link's distance from the point in r_k"},
	{name: "root: velocity of another span", file: rootGo, old: "return r.Point.Y, r.Point.Y + span*r.Velocity.Y", new: "return r.Point.Y, r.Point.Y + r.Velocity.Y", tests: "TestRootMovesPerSecond", in: checker, drops: "velocities are per second"},
	{name: "root: standing still", file: rootGo, old: "return 0, span * r3.Norm(r.Turn)", new: "return 0, 0 * span", tests: "TestRootAgainstPlane", in: checker, drops: "the root's turn"},
	{name: "root: reach of one piece", file: rootGo, old: "far = max(far, r3.Norm(", new: "far = min(far, r3.Norm(", tests: "TestRootSweepsFar", in: checker, drops: "the root link's distance from the point in r_k"},
}

// fronts is what a path keeps of its pieces.
var fronts = []mutation{
	{name: "path: start not looked at", file: frontsGo, old: "if slices.Equal(start, f.start) {", new: "if f.start != nil {", tests: "TestPathsAreAskedWhereTheyStart", in: "ccd", drops: "containment is of the path's own start"},
	{name: "path: nothing leans", file: frontsGo, old: "if k.leans {", new: "if k.leans && k.hit {", tests: "TestPathsAreAskedWhereTheyStart", in: "ccd", drops: "what was asked at another start is asked anew"},
	{name: "path: world not asked anew", file: frontsGo, old: "if s.checkOutsideWorld(i) {", new: "if true {", tests: "TestPathsAreAskedWhereTheyStart", in: "ccd", drops: "no element starts inside the world"},
	{name: "path: pieces known by their start", file: "internal/engine/kin/course_key.go", old: "key = b.AppendCtrl(append(key, 0), d, piece)", new: "key = b.AppendCtrl(append(key, 0), d, piece)[:at+2]", tests: "TestPathsAreJudgedAsIfNew TestPathsAreKnownByTheirNumbers", in: "ccd", drops: "a piece is all its numbers"},
	{name: "path: what was looked at is proved", file: frontsGo, old: "for _, t := range w.waiting[at:] {", new: "for _, t := range w.waiting[min(at+1, len(w.waiting)):] {", tests: "TestPathsAreJudgedAsIfNew", in: "ccd", drops: "what ended early is not proved"},
	{name: "path: a front less its last", file: frontsGo, old: "t.piece, t.first, t.last = int32(i), t.first+first, t.last+first", new: "t.piece, t.first, t.last = int32(i), t.first+first, t.last+first-1", tests: "TestPathsAreJudgedAsIfNew", in: "ccd", drops: "all that is left is kept"},
	{name: "path: of any model", file: "ccd/path.go", old: "if p.model != on {", new: "if p.model == nil {", tests: "TestPathsAreAskedOfTheirModel", in: "ccd", drops: "what is kept is of one model"},
	{name: "crew: pieces that are nobody's", file: crewGo, old: "piece%m.crew.hands == m.hand }", new: "piece%(m.crew.hands+1) == m.hand }", tests: "TestSharedMotionsLeaveNoPieceOut", in: "ccd", drops: "every piece is somebody's"},
	{name: "crew: the last contact", file: crewGo, old: "\t\treturn cmp.Compare(x.piece, y.piece)", new: "\t\treturn cmp.Compare(y.piece, x.piece)", tests: "TestSharedMotionsAreJudgedAsByOne", in: "ccd", drops: "of contacts the first"},
	{name: "crew: no tolerance below", file: crewGo, old: "bounds.Hi-engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance)))", new: "bounds.Hi-0*engine.OrDefault(q.ClearanceTolerance, motion.DefaultClearanceTolerance)))", tests: "TestSharedMotionsAreJudgedAsByOne", in: "ccd", drops: "a distance's lower bound is what was proved"},
}

package mutation

// Mutations of ccd/bisect, of the trees of rectangle swept spheres that its distances
// are of, and of the lengths that joints go.
//
// What is not here because no test can notice it: the support gap of two triangles
// replaced by the distance of the closest points that package tri finds, which are right
// to rounding; that closest points are no lower bound is shown with the usual search
// (TestClosestPointsAreNoLowerBound). Constants of rounding made smaller.

const (
	lengthGo   = "internal/engine/kin/length.go"
	rssFitGo   = "internal/geometry/rsstree/fit.go"
	rssPairGo  = "internal/geometry/rsstree/pair.go"
	rssLeafGo  = "internal/geometry/rsstree/leaf.go"
	pathLenGo  = "ccd/bisect/pathlength.go"
	constantGo = "ccd/bisect/motionconstants.go"
	adaptiveGo = "ccd/bisect/adaptive.go"
	segmentGo  = "ccd/bisect/segment.go"
	greedyGo   = "ccd/bisect/greedy.go"
	refinedGo  = "ccd/bisect/refined.go"
	configsGo  = "ccd/bisect/configs.go"
	bisectGo   = "ccd/bisect/worker.go"

	agrees = "TestAgreesWithSpacetime"
)

var bisection = []mutation{
	// Path lengths and their constants
	{name: "length: less 10 %", file: lengthGo, old: "(sum/float64(n) + 64*u*top)", new: "(0.9*sum/float64(n) + 64*u*top)", tests: "TestLengthOfCurves", drops: "the integral of |q'|, by 10 %"},
	{name: "length: with signs", file: lengthGo, old: "		sum += math.Abs(v)\n", new: "		sum += v\n", tests: "TestLengthOfCurves", drops: "there and back"},
	{name: "length: of the whole piece", file: lengthGo, old: "		cutLeft(w[:n], hi)\n", new: "", tests: "TestLengthOfCurves", drops: "control points on the interval"},
	{name: "bisect: one body's length", file: pathLenGo, old: "(w.lambdaOf(p.A, p, joint) + w.lambdaOf(p.B, p, joint))", new: "w.lambdaOf(p.A, p, joint)", tests: agrees, drops: "lambda of both bodies"},
	{name: "bisect: one joint too few", file: pathLenGo, old: "for i := p.Parting; i < len(chain); i++", new: "for i := p.Parting + 1; i < len(chain); i++", tests: agrees + " TestPathLengthsBoundCurves", drops: "the first joint after the parting body"},
	{name: "bisect: mimics go as far as what they follow", file: pathLenGo, old: "l.joint[k] = m * w.dofLength", new: "l.joint[k] = w.dofLength", tests: "TestVolumesPathLengths", drops: "|multiplier| of a mimic joint"},
	{name: "bisect: lengths of another interval", file: pathLenGo, old: "l.of == s && l.lo == lo && l.hi == hi", new: "l.of == s && l.lo == lo", tests: "TestLengthsBelongToAnInterval", drops: "lengths belong to an interval"},
	{name: "constants: no distance from the axis", file: constantGo, old: "s.radius += geom.Norm(r3.Sub(s.center, foot))", new: "s.radius += 0.9 * geom.Norm(r3.Sub(s.center, foot))", tests: "TestPathLengthsBoundCurves", drops: "COMPUTE-SPHERE at a revolute joint, by 10 %"},
	{name: "constants: slides sweep nothing", file: constantGo, old: "s.radius += (hi - lo) / 2", new: "s.radius += 0", tests: agrees, drops: "COMPUTE-SPHERE at a prismatic joint"},
	{name: "constants: last lever less 10 %", file: constantGo, old: "(far + o.grown", new: "(0.9*far + o.grown", tests: "TestPathLengthsBoundCurves", drops: "the vertices' distances from the last axis, by 10 %"},
	{name: "constants: last lever without balls", file: constantGo, old: "(far + o.grown +", new: "(far +", tests: "TestLengthsBelongToAnInterval", drops: "radius of points and cores"},
	{name: "constants: where the root turns", file: constantGo, old: "s.radius += r.course.JointMaxAbs(k)", new: "s.radius += 0", tests: "TestRootTurnsAboutAPoint", drops: "the root link's place about the point it turns about"},
	{name: "constants: error of poses", file: constantGo, old: "radius: (s.radius + e.ErrP +", new: "radius: (s.radius +", tests: "TestConstantsHoldWhatPosesErrBy", drops: "what an element's pose errs by"},
	{name: "bisect: pairs that nearly meet never do", file: "ccd/bisect/never.go", old: "w.never[i] = gap - 64*u", new: "w.never[i] = gap + 0.02 - 64*u", tests: "TestNeverPairs", drops: "swept balls apart"},

	// Distances
	{name: "rss: radius less 5 %", file: rssFitGo, old: "math.Max(r.Radius, q.reach(points[i], extent))", new: "math.Max(r.Radius, 0.95*q.reach(points[i], extent))", tests: "TestVolumesHoldWhatIsBelow TestCoresAreHeld", drops: "all points are in the volume"},
	{name: "rss: one side of a rectangle", file: rssPairGo, old: " - math.Abs(n.X*a.v.X+n.Y*a.v.Y+n.Z*a.v.Z)", new: "", tests: "TestBoundOfTwoVolumes", drops: "the support of a rectangle"},
	{name: "rss: distance of the closest points", file: rssPairGo, old: "g := gapAlong(n, a, b)/d - radii", new: "g := d - radii", tests: "TestBoundOfTwoVolumes", drops: "a bound is a gap"},
	{name: "rss: radii of one side", file: rssPairGo, old: "radii := na.Radius + nb.Radius + p.radii", new: "radii := na.Radius + p.radii", tests: "TestBoundOfTwoVolumes", drops: "both radii"},
	{name: "rss: no rounding", file: rssPairGo, old: "lower = lower*(1-16*u) - p.err", new: "lower = lower*(1-16*u) - 0*p.err", tests: "TestBoundsLessTheirRounding", drops: "rounding of bounds"},
	{name: "rss: triangles without balls", file: rssLeafGo, old: "gapOf(n, s, &placed) - p.radii - p.err", new: "gapOf(n, s, &placed) - p.err", tests: "TestLeaves", drops: "radii around triangles"},
	{name: "rss: no rounding of triangles", file: rssLeafGo, old: "gapOf(n, s, &placed) - p.radii - p.err", new: "gapOf(n, s, &placed) - p.radii", tests: "TestBoundsLessTheirRounding", drops: "rounding of gaps of triangles"},
	{name: "greedy: no clearance", file: greedyGo, old: "(w.clearance+slack)*(1+4*u), w.tolerance", new: "slack, w.tolerance", tests: "TestFirstContactOfTwoBalls", drops: "distances count from the clearance"},
	{name: "greedy: no slack", file: greedyGo, old: "(w.clearance+slack)*(1+4*u), w.tolerance", new: "w.clearance, w.tolerance", tests: "TestDistancesAreLessTheSlack", drops: "error of poses in distances"},
	{name: "greedy: touches within the slack", file: greedyGo, old: "g.within = w.clearance + w.tolerance - slack", new: "g.within = w.clearance + w.tolerance", tests: "TestDistancesAreLessTheSlack", drops: "error of poses in touches"},
	{name: "greedy: the first child", file: greedyGo, old: "			beta = g.dist(nx.Left+1, y)\n", new: "			beta = alpha\n", tests: "TestDistances", drops: "the least over both children"},
	{name: "bisect: slack of one side", file: configsGo, old: "(x.place + y.place +", new: "(x.place +", tests: "TestSlackHasEveryTerm", drops: "error of both poses"},
	{name: "bisect: slack without turns", file: configsGo, old: "(x.turn+y.turn+64*u)*(x.far+y.far)", new: "64*u*(x.far+y.far)", tests: "TestSlackHasEveryTerm", drops: "error of the frame that is seen from"},
	{name: "bisect: old poses", file: configsGo, old: "	clear(c.posed)\n", new: "", tests: agrees, drops: "poses belong to a time"},
	{name: "bisect: old frames", file: configsGo, old: "	clear(c.framed)\n", new: "", tests: agrees, drops: "frames belong to a time"},

	// Bisection
	{name: "inequality: less 40 %", file: "ccd/bisect/queue.go", old: "return e.lambda*(1+4*u) < e.atA+e.atB", new: "return 0.6*e.lambda < e.atA+e.atB", tests: "TestFirstContactOfTwoBalls", drops: "Inequality (1)"},
	{name: "inequality: parts half as long", file: adaptiveGo, old: "return e.lambda * ((part.b", new: "return 0.5 * e.lambda * ((part.b", tests: agrees, drops: "lambda of a part"},
	{name: "bisect: distance of another end", file: adaptiveGo, old: "part.b, part.atB = s.hit.t, 0", new: "part.b = s.hit.t", tests: "TestFirstOfSeveral", drops: "a distance belongs to its time"},
	{name: "bisect: what was cut is proved", file: adaptiveGo, old: "			s.queue.push(*e) // nothing is proved of it\n", new: "", tests: "TestFirstContactOfTwoBalls", drops: "what a contact leaves unproved"},
	{name: "bisect: the first part alone", file: adaptiveGo, old: "		left = right\n	}\n	w.insertPart(s, left, e)\n", new: "		left = right\n	}\n", tests: agrees, drops: "both halves"},
	{name: "bisect: begun is whole", file: bisectGo, old: "	case !s.whole:\n		return 0\n", new: "", tests: "TestUndecided", drops: "all pairs are in the queue"},
	{name: "bisect: nothing is inside", file: segmentGo, old: "if s.inside && !w.startsOutside(s, pair) {", new: "if false {", tests: "TestContainment", drops: "containment at the start"},
	{name: "refined: one end's distance twice", file: refinedGo, old: "e.atB, beyond = b.pair()", new: "e.atB, beyond = a.pair()", tests: agrees, drops: "distances at both ends"},
	{name: "refined: one child", file: refinedGo, old: "		return w.traverse(s, e, a.child(1), b.child(1))\n", new: "		return true\n", tests: agrees, drops: "all volumes"},
	{name: "refined: balls half as large", file: refinedGo, old: "(n.Reach() + o.grown) * inflate", new: "0.5 * n.Reach()", tests: "TestVolumesPathLengths", drops: "path lengths of all points of a volume"},
	{name: "clearance: bound too high", file: "ccd/bisect/clearance.go", old: "(e.atA+e.atB-e.lambda)/2", new: "(e.atA+e.atB-0.5*e.lambda)/2", tests: "TestClosestApproach", drops: "the clearance variant of (1)"},
	{name: "fixed resolution: half as fine", file: "ccd/bisect/fixedres.go", old: "e.level, e.next = e.level+1, 0", new: "e.level, e.next = e.level+2, 0", tests: "TestFixedResolutionStepsOver", drops: "the resolution asked for"},
}

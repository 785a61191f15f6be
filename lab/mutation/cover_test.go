package mutation

// Mutations of the proof that balls cover a link, and of how far they are said to
// stick out.

const (
	coverRules  = "linkspheres/rules.go"
	coverVoid   = "linkspheres/void.go"
	coverPatch  = "linkspheres/patch.go"
	coverSolid  = "linkspheres/solid.go"
	coverProve  = "linkspheres/prove.go"
	coverExcess = "linkspheres/excess.go"
	coverWhere  = "linkspheres/distance.go"

	ballsHold    = "TestBallsHoldWhatTheySay"
	lessPower    = "TestBeatenBallsHaveMorePower"
	lastPoint    = "TestTheLastPointInside"
	hollow       = "TestHollowCoverIsRefused"
	patchHolds   = "TestPatchHoldsItsPoints"
	sharpProof   = "TestProofsAreSharp"
	primitives   = "TestPrimitiveDistancesAreBounds"
	closedExcess = "TestExcessInClosedForm"
	excessHolds  = "TestExcessBoundsHold"
)

var coverProof = []mutation{
	// What a ball holds
	{name: "reach: no error", file: coverRules, old: "p.Z-c.Z) + err) * (1 + 4*u)", new: "p.Z-c.Z) + 0*err) * (1 + 4*u)", tests: ballsHold, drops: "the error of a point"},
	{name: "reach: rounding the wrong way", file: coverRules, old: "return math.Sqrt(x*x+y*y+z*z)*(1+rootRounding) + tiny", new: "return math.Sqrt(x*x+y*y+z*z) * (1 - rootRounding)", tests: ballsHold, drops: "the rounding of a distance from above"},
	{name: "box: nearest corner", file: coverRules, old: "return math.Max(math.Abs(lo-x), math.Abs(hi-x))", new: "return math.Min(math.Abs(lo-x), math.Abs(hi-x))", tests: ballsHold, drops: "the farthest corner of a cell"},
	{name: "triangle: two corners", file: coverPatch, old: "math.Max(reach(o, t.corners[1], t.err), reach(o, t.corners[2], t.err))", new: "reach(o, t.corners[1], t.err)", tests: "TestCoversHoldAndAreTight", drops: "the third corner"},
	{name: "patch: ends only", file: coverPatch, old: "		if whole {\n", new: "		if whole && x < 0 {\n", tests: patchHolds, drops: "the arc's point away from the centre"},
	{name: "patch: chord for arc", file: coverPatch, old: "c.center + t*(c.p[1]+c.q[1])},\n	}, 3", new: "c.center + t*(c.p[1]+c.q[1])},\n	}, 2", tests: patchHolds, drops: "the arc's bulge beyond its chord"},
	{name: "patch: no rounding", file: coverPatch, old: "	return (most + 2*h.err(center) + splitRounding*h.extent) * (1 + 8*u)", new: "	return most * (1 - 64*u)", tests: patchHolds, drops: "the rounding of poses and patches"},
	{name: "patch: whole ball less", file: coverPatch, old: "above(o.X, o.Y, o.Z-c.center)+c.radius)", new: "above(o.X, o.Y, o.Z-c.center)+0.99*c.radius)", tests: patchHolds, drops: "the radius of a sphere held as a whole, by 1 %"},

	// Nothing left out inside
	{name: "void: not looked for", file: coverProve, old: "	return p.proof, p.inside()", new: "	return p.proof, nil", tests: hollow + " " + lastPoint, drops: "the proof of the inside"},
	{name: "void: balls dropped too soon", file: coverRules, old: "return sx+sy+sz+ra-rb > 16*u*(wx+wy+wz+ra+rb)+tiny", new: "return sx+sy+sz+ra-rb+0.1*(wx+wy+wz+ra+rb) > tiny", tests: lessPower, drops: "power less at every point of the cell"},
	{name: "void: power of the wrong ball", file: coverRules, old: "	d := a - b\n	x := lo", new: "	d := b - a\n	x := lo", tests: lessPower, drops: "which of two powers is less"},
	{name: "void: power at the wrong end", file: coverRules, old: "	if d < 0 {\n		x = hi\n	}", new: "	if d > 0 {\n		x = hi\n	}", tests: lessPower, drops: "the end where a difference of powers is least"},
	{name: "void: uphill somewhere", file: coverRules, old: "	if d < 0 {\n		return (hi - p) * d\n	}", new: "	if d > 0 {\n		return (hi - p) * d\n	}", tests: "TestRecedingBoxesRecede", drops: "every point of the cell must recede"},
	{name: "void: uphill from one ball", file: coverVoid, old: "all = all && recedes(c, o, d)", new: "all = all || recedes(c, o, d)", tests: lastPoint + " " + hollow, drops: "every ball's power must grow"},
	{name: "void: outside by its middle", file: coverVoid, old: "if lo, _ := s.signed(m); !(lo > reach) {", new: "if lo, _ := s.signed(m); !(lo > 0*reach) {", tests: "TestSliversInsideAreFound", drops: "a cell must be outside as a whole"},
	{name: "void: half of each cell", file: coverVoid, old: "	return p.cell(&b, least, depth+1)\n}", new: "	return nil\n}", tests: hollow, drops: "both halves of a cell"},
	{name: "surface: half of each piece", file: coverProve, old: "	return held(p, P(&b), depth+1)", new: "	_ = b\n	return nil", tests: "TestRandomBallsAreProvedOnlyIfTheyCover", drops: "both halves of a piece"},

	// How far out
	{name: "solid: no skew", file: coverSolid, old: "	return d - err, d + err\n", new: "	return d + err, d - err\n", tests: primitives, drops: "the rounding of a distance from a primitive"},
	{name: "cylinder: bottom open", file: coverSolid, old: "return outsideBox(rho-s.Radius, math.Abs(q.Z)-h, math.Inf(-1))", new: "return outsideBox(rho-s.Radius, q.Z-h, math.Inf(-1))", tests: primitives, drops: "the cylinder's lower end"},
	{name: "cone: base left out", file: coverSolid, old: "return math.Min(toBase, toSlant)", new: "return toSlant + 0*toBase", tests: "TestDistanceFromACone", drops: "the distance from a cone's base"},
	{name: "distance: surfaces left out", file: coverWhere, old: "	if b.tree == nil || hi <= 0 {", new: "	if b.tree == nil || hi < math.Inf(1) {", tests: excessHolds, drops: "meshes beside primitives"},
	{name: "excess: half the cell", file: coverExcess, old: "most := math.Min(hi+half,", new: "most := math.Min(hi+half/2,", tests: excessHolds, drops: "how far a cell's points are from its middle"},
	{name: "excess: radius less 1 %", file: coverExcess, old: "math.Min(far, b.Radius)+inner)", new: "math.Min(far, 0.99*b.Radius)+inner)", tests: closedExcess, drops: "the radius in the excess, by 1 %"},
}

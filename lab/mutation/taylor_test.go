package mutation

// Mutations of Taylor models and of what is bounded by them: every term of a remainder
// and every rule of the motion bound after ZRLK07.

const (
	taylorModel   = "internal/numeric/taylor/model.go"
	taylorProduct = "internal/numeric/taylor/product.go"
	taylorBound   = "internal/numeric/taylor/bound.go"
	taylorTurn    = "internal/numeric/taylor/turn.go"
	taylorCurve   = "internal/numeric/taylor/curve.go"
	taylorSpace   = "internal/numeric/taylor/space.go"
	motionGo      = "ccd/catch/motionbound.go"
	taylorBVH     = "ccd/catch/taylorbvh.go"

	opsHold   = "TestOperationsHoldWhatTheyShould"
	sinesHold = "TestSinesHoldWhatTheyShould"
	inRange   = "TestBoundIsTheRange"
	curvesOK  = "TestPolynomialsAndTheirRates"
	posesHold = "TestPosesHoldWhatChainsDo"
	boxesHold = "TestTaylorBoxesHoldTheLinks"
	speedsOK  = "TestApproachBoundsEverySpeed"
	twistsOK  = "TestTaylorPosesAndTwistsHold"
)

var taylorModels = []mutation{
	// Products
	{name: "taylor: no fourth order", file: taylorProduct, old: "	d4 := p[1]*q[3] + p[2]*q[2] + p[3]*q[1]", new: "	d4 := 0.0", tests: opsHold, drops: "x^4 of a product"},
	{name: "taylor: no fifth order", file: taylorProduct, old: "	d5 := p[2]*q[3] + p[3]*q[2]", new: "	d5 := 0.0", tests: opsHold, drops: "x^5 of a product"},
	{name: "taylor: no sixth order", file: taylorProduct, old: "	d6 := p[3] * q[3]", new: "	d6 := 0.0", tests: opsHold, drops: "x^6 of a product"},
	{name: "taylor: x^4 at the ends only", file: taylorProduct, old: "	q0, q2 := d4-d5+d6, d4+d5+d6 // with", new: "	q0, q2 := d4-d5+d6, d4+d5+d6\n	r = interval.I{Lo: q0, Hi: q0} // with", tests: opsHold, drops: "x^4 is 0 somewhere"},
	{name: "taylor: cubic times remainder", file: taylorProduct, old: "product(p[0]-na, p[0]+na, b.R.Lo, b.R.Hi)", new: "product(p[0], p[0], b.R.Lo, b.R.Hi)", tests: opsHold, drops: "P S away from the middle"},
	{name: "taylor: remainder times cubic", file: taylorProduct, old: "product(q[0]-nb+b.R.Lo, q[0]+nb+b.R.Hi, a.R.Lo, a.R.Hi)", new: "product(q[0]+b.R.Lo, q[0]+b.R.Hi, a.R.Lo, a.R.Hi)", tests: opsHold, drops: "Q R away from the middle"},
	{name: "taylor: remainder times remainder", file: taylorProduct, old: "product(q[0]-nb+b.R.Lo, q[0]+nb+b.R.Hi, a.R.Lo, a.R.Hi)", new: "product(q[0]-nb, q[0]+nb, a.R.Lo, a.R.Hi)", tests: opsHold, drops: "R S"},
	{name: "taylor: rounding of products", file: taylorProduct, old: "	return 64 * u *", new: "	return 0 * u *", tests: opsHold, drops: "the rounding of a product"},

	// Sums
	{name: "taylor: rounding of sums", file: taylorModel, old: "	m.grow(4 * u * (a.mag() + b.mag()))", new: "", tests: opsHold, drops: "the rounding of a sum"},
	{name: "taylor: remainder the wrong way", file: taylorModel, old: "	if k < 0 {\n		return k * a.R.Hi, k * a.R.Lo\n	}\n", new: "", tests: opsHold, drops: "a negative factor swaps ends"},
	{name: "taylor: entries known", file: taylorSpace, old: "		err := rot*(1+8*u) + 16*u*", new: "		err := 16*u*", tests: "TestFramesMayBeOff", drops: "what a constant matrix may be off"},

	// Range
	{name: "taylor: range of the ends", file: taylorBound, old: "	return rangeCut(c, lo, hi)", new: "	return lo, hi", tests: inRange + " TestBoundOfKnownCubics", drops: "extrema inside"},
	{name: "taylor: one root", file: taylorBound, old: "range [3]float64{x, y, 1}", new: "range [3]float64{x, x + 0*y, 1}", tests: inRange + " TestBoundOfKnownCubics", drops: "the second extremum; the range stays sound", loose: true},
	{name: "taylor: bound without remainder", file: taylorBound, old: "lo, hi = most.Lo+lo-err, most.Hi+hi+err", new: "lo, hi = most.Lo-err, most.Hi+err", tests: opsHold, drops: "the remainder in a bound"},
	{name: "taylor: NaN is a bound", file: taylorBound, old: "if !(lo <= hi) || math.IsInf(size, 0) {", new: "if lo > hi {", tests: "TestNothingIsLostInOverflow", drops: "what is not a number bounds nothing"},

	// Sines
	{name: "taylor: no remainder of the cosine's series", file: taylorTurn, old: "	most := interval.Point(p.Hi).Mul(a).Add(against)", new: "	most := against", tests: sinesHold, drops: "p A(w)"},
	{name: "taylor: no remainder of the sine's series", file: taylorTurn, old: "	against := interval.Point(q.Mag()).Mul(b)", new: "	against := interval.Point(0).Mul(b)", tests: sinesHold, drops: "q B(w)"},
	{name: "taylor: series cut a term too soon", file: taylorTurn, old: "	lo, hi = 0, 1\n", new: "	lo, hi = 0, 0\n", tests: "TestSeriesEnclose", drops: "what follows the last term of a series"},
	{name: "taylor: angle's remainder in the sine", file: taylorTurn, old: "	sin.R = sin.R.Add(slopeC.Mul(x.R))\n", new: "	_ = slopeC\n", tests: sinesHold, drops: "the angle's own remainder"},
	{name: "taylor: angle's remainder in the cosine", file: taylorTurn, old: "	cos.R = cos.R.Sub(slopeS.Mul(x.R))\n", new: "	_ = slopeS\n", tests: sinesHold, drops: "the angle's own remainder"},
	{name: "taylor: slope at the middle alone", file: taylorTurn, old: "interval.SinCos(all.Hull(between))", new: "interval.SinCos(interval.Point(c))", tests: sinesHold, drops: "the mean value is taken in between"},
	{name: "taylor: turn by one end", file: taylorTurn, old: "	return v.Bound().Mag()", new: "	return v.Bound().Hi", tests: sinesHold, drops: "|v| of a bent angle"},

	// Curves
	{name: "taylor: no order above three", file: taylorCurve, old: "R: aboveThird(c[4], c[5], 0)}", new: "R: aboveThird(0*c[4], 0*c[5], 0)}", tests: curvesOK, drops: "fourth and fifth order of a joint's motion"},
	{name: "taylor: rounding of a motion", file: taylorCurve, old: "	m.grow(float64(8*n+16) * u * top * grown)", new: "	_ = grown", tests: curvesOK, drops: "rounding of interpolation"},
	{name: "taylor: rounding of a rate", file: taylorCurve, old: "	m.grow(float64(40*n) * u * top)", new: "	_ = top", tests: curvesOK, drops: "rounding of the control points' differences"},
	{name: "taylor: stretch too short", file: taylorCurve, old: "math.Nextafter(max(s1-middle, middle-s0), math.Inf(1))", new: "(s1 - s0) * 0.5 * (1 - 4*u)", tests: curvesOK, drops: "the ends of a stretch"},

	{name: "taylor: small remainder of an angle", file: taylorTurn, old: "		sin.grow(off)\n", new: "", tests: "TestSinesCountWhatAnAngleIsOff", drops: "the angle's own remainder, where it is small"},
	{name: "taylor: remainders of corners", file: taylorBound, old: "		lo, hi = lo-r, hi+r\n", new: "		_ = r\n", tests: "TestCornersHoldTheirRemainders", drops: "the half axes' remainders"},

	// Chains
	{name: "taylor: entries of no turn known", file: taylorSpace, old: "			q.R[i].grow(rot * (1 + 8*u))\n", new: "", tests: "TestFramesMayBeOff", drops: "what an identity may be off"},
	{name: "taylor: place known", file: taylorSpace, old: "	moved.grow(pos * (1 + 8*u))\n", new: "", tests: "TestFramesMayBeOff", drops: "what a place may be off"},
	{name: "taylor: turn the wrong way", file: taylorSpace, old: "	*a, *b = dot2(a, cos, b, sin), dot2(b, cos, &minus, sin)", new: "	*a, *b = dot2(a, cos, b, sin), dot2(b, cos, a, sin)\n	_ = minus", tests: posesHold, drops: "which way a joint turns"},

	// Links
	{name: "catch: box without radius", file: taylorBVH, old: "	return v.Grow(o.Radius).Box()", new: "	return v.Box()", tests: boxesHold, drops: "the radius of a core"},
	{name: "catch: box of half the corners", file: taylorBound, old: "		n *= 2\n", new: "		n++\n", in: "ccd/catch", tests: boxesHold + " TestTaylorBoxOfABoxIsTight", drops: "all corners of the OBB"},
	{name: "catch: mimic's offset", file: taylorBVH, old: "		q = q.AddConst(f.Offset)", new: "		q = q.AddConst(0)", tests: boxesHold + " " + twistsOK, drops: "the offset of a mimic joint"},
	{name: "catch: mimic's rate", file: motionGo, old: "	return v.Scale(f.Mult)", new: "	return v", tests: twistsOK, drops: "the multiplier in a mimic joint's speed"},
	{name: "catch: sum to i - 1", file: motionGo, old: "	t.Ang, t.Lin = t.Ang.Add(&w), t.Lin.Add(&lever)", new: "	if b.tree.Frames[frame].Parent == base {\n		t.Ang, t.Lin = t.Ang.Add(&w), t.Lin.Add(&lever)\n	}", tests: speedsOK + " TestLiteralRulesTunnel", drops: "the link's own motion (Equation 10)"},
	{name: "catch: lever of the centre", file: motionGo, old: "	top := v.Bound().Hi + radius*spin*(1+8*roundoff)", new: "	top := v.Bound().Hi + 0*radius*spin", tests: speedsOK, drops: "the ball's own turn"},
	{name: "catch: speed at the middle", file: motionGo, old: "	top := v.Bound().Hi +", new: "	top := v.C[0] +", tests: speedsOK + " TestLiteralRulesTunnel", drops: "the speed all along the step (Equation 6)"},
	{name: "catch: step beyond its bound", file: motionGo, old: "		return math.Min(limit, gap/mu*(1-8*roundoff))", new: "		return gap / mu * (1 - 8*roundoff)", tests: "TestStepsEndWhereTheirBoundDoes", drops: "a bound of speed holds on its stretch"},
}

package mutation

// Mutations of the first two stages of the method after RKLM04: line swept spheres, interval
// matrices, boxes around what sweeps, slices and triangles of swept volumes.

const (
	lssGo        = "ccd/articulate/lss.go"
	moverGo      = "ccd/articulate/dynbvh_mover.go"
	curveGoArt   = "ccd/articulate/dynbvh_curve.go"
	dynbvhGo     = "ccd/articulate/dynbvh.go"
	sweptGo      = "ccd/articulate/swept.go"
	sweptCullGo  = "ccd/articulate/swept_cull.go"
	sweptJetGo   = "ccd/articulate/swept_jet.go"
	tessellateGo = "ccd/articulate/swept_tessellate.go"
	shellGo      = "ccd/articulate/swept_shell.go"

	lssHolds     = "TestLSSHoldsPoints TestLSSHoldsElements TestLSSLooksAtAllVertices"
	matricesHold = "TestPosesHoldTheMotion"
	boxesAround  = "TestDynamicBVHHoldsTheMotion TestDynamicBVHCullsOnlyWhatIsApart"
	slicesHold   = "TestSlicesHoldTheMotion TestBulgeIsThatOfACircle"
	jetsAreRight = "TestJets"
)

var sweptVolumes = []mutation{
	// Line swept spheres
	{name: "capsule: radius of the search", file: lssGo, old: "		far = max(far, l.reach(p))\n", new: "		far = max(far, 0.99*l.reach(p))\n", tests: lssHolds, drops: "the last pass over all points, by 1 %"},
	{name: "capsule: no radius of the points", file: lssGo, old: "l.Radius = (far + radius) * (1 + 2*u)", new: "l.Radius = far * (1 + 2*u)", tests: "TestLSSHoldsPoints TestLSSHoldsElements", drops: "what is added around the points"},
	{name: "capsule: polygon in the rim", file: lssGo, old: "r *= (1 + 32*u) / math.Cos(math.Pi/rimCorners)", new: "r *= math.Cos(math.Pi / rimCorners)", tests: "TestLSSHoldsElements", drops: "a polygon around a circle"},
	{name: "capsule: poses without error", file: lssGo, old: "return (errP + errR*size + 16*u*", new: "return (0*errP + 0*errR*size + 16*u*", tests: "TestLSSCountsPoseError", drops: "the error of an element's pose"},

	// Interval matrices
	{name: "interval pose: middle of the joint's range", file: moverGo, old: "	q := m.position(k, 0, lo, hi)\n	p := interval.Pose", new: "	q := interval.Point(m.position(k, 0, lo, hi).Mid())\n	p := interval.Pose", tests: matricesHold, drops: "the range of a joint"},
	{name: "interval pose: no offset", file: moverGo, old: "if order == 0 && j.offset != 0 {", new: "if order == 0 && j.offset > 1e9 {", tests: matricesHold, drops: "the offset of a mimic joint"},
	{name: "interval rate: the joint's own left out", file: moverGo, old: "d.R, d.P = d.R.Add(&turned), d.P.Add(before.R.Apply(own.P))", new: "_ = turned\n		d.P = d.P.Add(before.R.Apply(own.P))", tests: matricesHold, drops: "how a joint turns what it moves"},
	{name: "interval rate: what is before left out", file: moverGo, old: "	if parent != base {\n		d.R, d.P =", new: "	if parent != base && base > 0 {\n		d.R, d.P =", tests: matricesHold, drops: "the motion of the joints before"},
	{name: "control points: the right cut", file: curveGoArt, old: "	for _, x := range w[1:n] {\n		hull = hull.Hull(x)", new: "	for _, x := range w[1 : n-1] {\n		hull = hull.Hull(x)", tests: matricesHold, drops: "the last control point"},

	// Boxes
	{name: "dynamic box: no radius", file: dynbvhGo, old: ".Hull(p.Apply(interval.OfVec(l.B))).Grow(l.Radius)", new: ".Hull(p.Apply(interval.OfVec(l.B)))", tests: boxesAround, drops: "the radius of the capsule"},
	{name: "dynamic box: one end", file: dynbvhGo, old: ".Hull(p.Apply(interval.OfVec(l.B))).Grow(l.Radius)", new: ".Grow(l.Radius)", tests: boxesAround, drops: "the other end of the line"},
	{name: "dynamic box: first part only", file: dynbvhGo, old: "		for k := 1; k < n; k++ {\n", new: "		for k := n; k < n; k++ {\n", tests: "TestDynamicBVHHoldsTheMotion", drops: "the other parts of the interval"},
	{name: "dynamic box: no clearance", file: dynbvhGo, old: "grow := (clearance + m.World.Err)", new: "grow := (0*clearance + m.World.Err)", tests: "TestDynamicBVHCullsOnlyWhatIsApart", drops: "the clearance to the world"},
	{name: "dynamic box: no clearance of links", file: dynbvhGo, old: "a[k].Grow(clearance).Overlaps(b[k])", new: "a[k].Overlaps(b[k])", tests: "TestDynamicBVHCullsOnlyWhatIsApart", drops: "the clearance between links"},
	{name: "dynamic box: one part of two links", file: dynbvhGo, old: "	for k := range a {\n		d.tests++", new: "	for k := range a[:1] {\n		d.tests++", tests: "TestTwoLinksAreComparedAllAlong", drops: "two links all along"},

	// Slices
	{name: "slice: no bulge", file: sweptGo, old: "(l.Radius + bulge + max(err, err2))", new: "(l.Radius + 0*bulge + max(err, err2))", tests: slicesHold, drops: "A h^2 / 8"},
	{name: "slice: bulge less 3 %", file: sweptGo, old: "w.Acceleration(element, base, from, to) * (h * h / 8)", new: "w.Acceleration(element, base, from, to) * (h * h / 8.25)", tests: "TestBulgeIsThatOfACircle", drops: "A h^2 / 8, by 3 %"},
	{name: "slice: joints before the base", file: sweptGo, old: "	a, _ := w.state.Acceleration(f, from, radii)", new: "	a, _ := w.state.Acceleration(f, max(from, len(chain)-1), radii)", tests: "TestSlicesHoldTheMotion", drops: "all joints after the base"},
	{name: "slice: where it starts", file: sweptGo, old: "a, b, err := w.ends(element, base, s0)", new: "a, b, err := w.ends(element, base, s1)", tests: "TestSlicesHoldTheMotion", drops: "where a slice starts"},
	{name: "culling: no margin", file: sweptCullGo, old: "	margin := (clearance + w.Err) * (1 + 2*u)\n", new: "	margin := w.Err + 0*clearance\n", tests: "TestHullCullerLeavesOutOnlyWhatIsApart", drops: "the clearance between a slice and an item"},
	{name: "culling: slices out of step", file: sweptCullGo, old: "		if s.S1 <= end {\n			i++\n		}\n		if t.S1 <= end {\n			j++\n		}", new: "		_ = end\n		i++\n		j++", tests: "TestSweptApartLooksAtEveryTime", drops: "slices that share a time"},

	// Triangles
	{name: "shell: M1 halved thrice", file: tessellateGo, old: "return (p.m1/(n*n) + 2*p.m2/(n*m) + p.m3/(m*m)) / 8 * (1 + 64*u)", new: "return (p.m1/(n*n) + 2*p.m2/(n*m) + p.m3/(m*m)) / 64 * (1 + 64*u)", tests: "TestTessellationHoldsItsEpsilon", drops: "Filip's 1/8, for 1/64"},
	{name: "shell: pipes left out", file: tessellateGo, old: "	for _, end := range [2]geom.Vec{t.lss.A, t.lss.B} {", new: "	for _, end := range [0]geom.Vec{} {", tests: "TestTessellationHoldsItsEpsilon", drops: "the pipes of the ends"},
	{name: "shell: one offset", file: tessellateGo, old: "range [2]float64{d, -d} {", new: "range [1]float64{d} {", tests: "TestTessellationHoldsItsEpsilon", drops: "the offset on the other side"},
	{name: "shell: epsilon not counted", file: shellGo, old: "		c.triangle(&shell.Triangles[i], shell.Epsilon, clearance, wanted, hit)", new: "		c.triangle(&shell.Triangles[i], 0, clearance, wanted, hit)", tests: "TestTessellationWithoutEpsilonMissesContacts", drops: "the error of the triangles"},
	{name: "shell: inside forgotten", file: shellGo, old: "	if !c.Literal {\n		c.inside(", new: "	if c.Literal {\n		c.inside(", tests: "TestWhatIsInsideTheVolumeIsHit", drops: "what is wholly inside"},
	{name: "jet: mixed derivative", file: sweptJetGo, old: "ts: times(a.ts, b.f).Add(times(a.t, b.s)).Add(times(a.s, b.t))", new: "ts: times(a.ts, b.f).Add(times(a.t, b.s))", tests: jetsAreRight, drops: "half of the mixed derivative"},
	{name: "jet: unit vector's second derivative", file: sweptJetGo, old: "return k * (uv + math.Sqrt2*k*a*b)", new: "return k * (uv + 0*k*a*b)", tests: jetsAreRight, drops: "N_u N_v in the second derivative of a unit vector"},
	{name: "jet: series of the sine", file: sweptJetGo, old: "iq := q[i].Scale(float64(i))", new: "iq := q[i]", tests: "TestPathsHoldDerivatives", drops: "the factor i of the series"},
}

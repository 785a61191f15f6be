package mutation

// Mutations of internal/engine/kin: the kinematic quantities that the proof rules rest
// on and the acceleration bound (A).
//
// What is not here because no test of kin can notice it: constants of rounding
// made smaller by 1 %, as their bounds are 7 to 100 times the largest error that
// was ever met; the scaling by inflate in Radii, and the error of the axis alone,
// as the error of positions beside them is always larger.

const (
	boundsGo   = "internal/engine/kin/bounds.go"
	stateGo    = "internal/engine/kin/state.go"
	curveGo    = "internal/engine/kin/bernstein.go"
	roundingGo = "internal/engine/kin/rounding.go"
	treeGo     = "internal/engine/kin/tree.go"

	attained = "TestBoundsAreAttained"
)

var kinBounds = []mutation{
	// R_k = min( r_k , d_k + sum over deeper j of R_j ch_j )
	{name: "radius: no deeper joints", file: boundsGo, old: "deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])", new: "deeper += 0", tests: attained + " TestBoundsOnRandomChains TestBoundsOnShortChains TestBoundsOnTurnedWheels TestBoundsOnPairs TestBoundsUnderSearch", drops: "sum over deeper joints in R_k"},
	{name: "radius: deeper joints less 1 %", file: boundsGo, old: "deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])", new: "deeper += radii[i] * (0.99*s.Chord[k] + s.StrayChord[k])", tests: attained, drops: "sum over deeper joints in R_k, by 1 %"},
	{name: "radius: only the next joint", file: boundsGo, old: "deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])", new: "deeper = radii[i] * (s.Chord[k] + s.StrayChord[k])", tests: attained, drops: "all but one term of the sum over deeper joints"},
	{name: "radius: deeper turns only", file: boundsGo, old: "deeper += radii[i] * (s.Chord[k] + s.StrayChord[k])", new: "if !s.Tree.Frames[k].Prismatic {\n\t\t\tdeeper += radii[i] * (s.Chord[k] + s.StrayChord[k])\n\t\t}", tests: attained, drops: "prismatic joints in the sum over deeper joints"},
	{name: "radius: of the ball's centre", file: boundsGo, old: "errP + radius\n", new: "errP\n", tests: attained, drops: "d_k is the largest distance of the volume, not of its centre"},
	{name: "radius: ball less 1 %", file: boundsGo, old: "errP + radius\n", new: "errP + 0.99*radius\n", tests: attained, drops: "the ball's radius in d_k, by 1 %"},
	{name: "radius: distance less 1 %", file: boundsGo, old: "d := geom.Norm(r3.Cross(w, s.AxisW[k]))", new: "d := 0.99 * geom.Norm(r3.Cross(w, s.AxisW[k]))", tests: attained, drops: "d_k by 1 %"},
	{name: "radius: reach less 1 %", file: boundsGo, old: "min(reach[i], (d", new: "min(0.99*reach[i], (d", tests: attained, drops: "r_k by 1 %"},
	{name: "radius: reach unused", file: boundsGo, old: "min(reach[i], (d+deeper)*inflate)", new: "(d + deeper) * inflate", tests: attained, drops: "the minimum with r_k", loose: true},
	{name: "radius: prismatic without lever", file: boundsGo, old: "radii[i] = 1\n", new: "radii[i] = 0.99\n", tests: attained, drops: "R_k = 1 of a prismatic joint, by 1 %"},
	{name: "radius: error of positions", file: boundsGo, old: " + s.ErrP[k] + errP + radius", new: " + 0*(s.ErrP[k]+errP) + radius", tests: "TestRadiiCoverPositionsFarOut", drops: "rounding of the centre and of the axis's origin"},
	{name: "radius: all errors", file: boundsGo, old: "reach[i]*(8*u+s.ErrR[k]) + s.ErrP[k] + errP", new: "0*(reach[i]+errP)", tests: "TestRadiiCoverTheRoundingOfPoses", drops: "rounding of positions, axes and the cross product"},

	// M = sum_k R_k ch_k
	{name: "displacement: less 1 %", file: boundsGo, old: "m += radii[i] * s.Chord[chain[i]]", new: "m += 0.99 * radii[i] * s.Chord[chain[i]]", tests: attained, drops: "M by 1 %"},
	{name: "displacement: of the last joint", file: boundsGo, old: "m += radii[i] * s.Chord[chain[i]]", new: "m = radii[i] * s.Chord[chain[i]]", tests: attained, drops: "the sum in M"},
	{name: "displacement: largest instead of sum", file: boundsGo, old: "m += radii[i] * s.Chord[chain[i]]", new: "m = max(m, radii[i]*s.Chord[chain[i]])", tests: attained, drops: "the sum in M"},
	{name: "displacement: rounded to nearest", file: boundsGo, old: "s.Chord[chain[i]]\n\t}\n\treturn m * inflate\n}\n\n// Tube", new: "s.Chord[chain[i]]\n\t}\n\treturn m\n}\n\n// Tube", tests: "TestSumsAreRoundedUp", drops: "rounding up of M"},
	{name: "displacement: joints before the parting body", file: boundsGo, old: "	var m float64\n	for i := from; i < len(chain); i++ {\n		m += radii[i] * s.Chord[", new: "	var m float64\n	for i := 0 * from; i < len(chain); i++ {\n		m += radii[i] * s.Chord[", tests: attained, drops: "only joints after the parting body enter", loose: true},
	{name: "displacement: one joint too few", file: boundsGo, old: "	var m float64\n	for i := from; i < len(chain); i++ {\n		m += radii[i] * s.Chord[", new: "	var m float64\n	for i := from + 1; i < len(chain); i++ {\n		m += radii[i] * s.Chord[", tests: attained, drops: "the first joint after the parting body"},

	// (A) with all s = 1
	{name: "acceleration: no alpha", file: boundsGo, old: "a += r * (alpha + 2*w*turn)", new: "a += r * 2 * w * turn", tests: attained, drops: "sum of R_k alpha_k"},
	{name: "acceleration: alpha less 1 %", file: boundsGo, old: "a += r * (alpha + 2*w*turn)", new: "a += r * (0.99*alpha + 2*w*turn)", tests: attained, drops: "sum of R_k alpha_k, by 1 %"},
	{name: "coupling halved", file: boundsGo, old: "a += r * (alpha + 2*w*turn)", new: "a += r * (alpha + w*turn)", tests: attained, drops: "factor 2 of the mixed terms"},
	{name: "coupling less 1 %", file: boundsGo, old: "a += r * (alpha + 2*w*turn)", new: "a += r * (alpha + 1.98*w*turn)", tests: attained, drops: "the mixed terms by 1 %"},
	{name: "no coupling", file: boundsGo, old: "a += r * (alpha + 2*w*turn)", new: "a += r * (alpha + 0*w*turn)", tests: attained + " TestBoundsOnRandomChains TestBoundsOnPairs", drops: "the mixed terms"},
	{name: "no Coriolis", file: boundsGo, old: "a += r * (alpha + 2*w*turn)\n", new: "a += r * alpha\n		if !s.Tree.Frames[k].Prismatic {\n			a += 2 * r * w * turn\n		}\n", tests: attained, drops: "the mixed terms of a prismatic joint"},
	{name: "coupling with the last turn only", file: boundsGo, old: "			turn += w\n", new: "			turn = w\n", tests: attained, drops: "the sum over revolute m < k"},
	{name: "coupling with slides", file: boundsGo, old: "			turn += w\n			turning += alpha\n		}\n", new: "			turning += alpha\n		}\n		turn += w\n", tests: attained, drops: "only revolute m couple", loose: true},
	{name: "no centripetal term", file: boundsGo, old: "			a += r * w * w\n", new: "", tests: attained + " TestBoundsOnRandomChains", drops: "R_k omega_k^2"},
	{name: "centripetal less 1 %", file: boundsGo, old: "			a += r * w * w\n", new: "			a += 0.99 * r * w * w\n", tests: attained, drops: "R_k omega_k^2, by 1 %"},
	{name: "acceleration: joints before the parting body", file: boundsGo, old: "	var a, j, turn, turning float64\n	for i := from;", new: "	var a, j, turn, turning float64\n	for i := 0 * from;", tests: attained, drops: "only joints after the parting body enter", loose: true},
	{name: "acceleration: one joint too few", file: boundsGo, old: "	var a, j, turn, turning float64\n	for i := from;", new: "	var a, j, turn, turning float64\n	for i := from + 1;", tests: attained, drops: "the first joint after the parting body"},
	{name: "acceleration: rounded to nearest", file: boundsGo, old: "return a * inflate, j * inflate", new: "return a, j * inflate", tests: "TestSumsAreRoundedUp", drops: "rounding up of A"},

	// (A) along n
	{name: "s: no sum of delta", file: boundsGo, old: "s.AxisW[k]))+delta+8*u", new: "s.AxisW[k]))+8*u", tests: attained + " TestBoundsOnTurnedWheels", drops: "sum over revolute j < k of delta_j in s_k"},
	{name: "s: sum of delta less 1 %", file: boundsGo, old: "s.AxisW[k]))+delta+8*u", new: "s.AxisW[k]))+0.99*delta+8*u", tests: attained, drops: "sum of delta in s_k, by 1 %"},
	{name: "s: delta of the last turn only", file: boundsGo, old: "		delta += s.Delta[k]", new: "		delta = s.Delta[k]", tests: attained, drops: "all but one term of the sum of delta in s_k"},
	{name: "s: delta of slides too", file: boundsGo, old: "			a += r * (s.Alpha[k] + 2*w*turn)\n			continue", new: "			a += r * (s.Alpha[k] + 2*w*turn)\n			delta += s.Delta[k]\n			continue", tests: attained, drops: "only revolute j turn axes", loose: true},
	{name: "s: a joint's own delta", file: boundsGo, old: "		w := s.Omega[k]\n		if s.Tree.Frames[k].Prismatic {\n			a += r", new: "		w := s.Omega[k]\n		delta += s.Delta[k]\n		if s.Tree.Frames[k].Prismatic {\n			a += r", tests: attained, drops: "only j < k turn axis k", loose: true},
	{name: "s: angle less 1 %", file: boundsGo, old: "min(1, geom.Norm(r3.Cross(n, s.AxisW[k]))", new: "min(1, 0.99*geom.Norm(r3.Cross(n, s.AxisW[k]))", tests: attained, drops: "|n x u_k| in s_k, by 1 %"},
	{name: "s: cosine for sine", file: boundsGo, old: "min(1, geom.Norm(r3.Cross(n, s.AxisW[k]))", new: "min(1, max(r3.Dot(n, s.AxisW[k]), -r3.Dot(n, s.AxisW[k]))", tests: attained, drops: "|n x u_k| in s_k"},
	{name: "s: capped below 1", file: boundsGo, old: "sk := min(1, ", new: "sk := min(0.99, ", tests: attained, drops: "s_k reaches 1"},
	{name: "s: error of the axis", file: boundsGo, old: "+delta+8*u+s.ErrR[k])", new: "+delta)", tests: "TestDirectionalBoundCoversTheRoundingOfAxes", drops: "rounding of the axis in s_k"},
	{name: "along n: no alpha", file: boundsGo, old: "a += r * (sk*s.Alpha[k] + w*(w*sk+2*turn))", new: "a += r * (w * (w*sk + 2*turn))", tests: attained, drops: "sum of s_k R_k alpha_k"},
	{name: "along n: alpha less 1 %", file: boundsGo, old: "(sk*s.Alpha[k] + w*(w*sk+2*turn))", new: "(0.99*sk*s.Alpha[k] + w*(w*sk+2*turn))", tests: attained, drops: "sum of s_k R_k alpha_k, by 1 %"},
	{name: "along n: no centripetal term", file: boundsGo, old: "w*(w*sk+2*turn)", new: "w*(2*turn)", tests: attained, drops: "R_k omega_k^2 s_k"},
	{name: "along n: centripetal less 1 %", file: boundsGo, old: "w*(w*sk+2*turn)", new: "w*(0.99*w*sk+2*turn)", tests: attained, drops: "R_k omega_k^2 s_k, by 1 %"},
	{name: "along n: coupling halved", file: boundsGo, old: "w*(w*sk+2*turn)", new: "w*(w*sk+turn)", tests: attained, drops: "factor 2 of the mixed terms"},
	{name: "along n: coupling less 1 %", file: boundsGo, old: "w*(w*sk+2*turn)", new: "w*(w*sk+1.98*turn)", tests: attained, drops: "the mixed terms by 1 %"},
	{name: "along n: coupling with own s", file: boundsGo, old: "w*(w*sk+2*turn)", new: "w*(w*sk+2*turn*sk)", tests: attained, drops: "the mixed terms carry s_m, not s_m s_k"},
	{name: "along n: coupling with the last turn only", file: boundsGo, old: "		turn += w * sk\n", new: "		turn = w * sk\n", tests: attained, drops: "the sum over revolute m < k"},
	{name: "along n: coupling without s", file: boundsGo, old: "		turn += w * sk\n", new: "		turn += w\n", tests: attained, drops: "s_m in the mixed terms", loose: true},
	{name: "along n: alpha of a slide times s", file: boundsGo, old: "			a += r * (s.Alpha[k] + 2*w*turn)\n			continue", new: "			a += r * (geom.Norm(r3.Cross(n, s.AxisW[k]))*s.Alpha[k] + 2*w*turn)\n			continue", tests: attained, drops: "a prismatic k has alpha_k itself: s bounds n x u, not n.u"},
	{name: "along n: no alpha of a slide", file: boundsGo, old: "			a += r * (s.Alpha[k] + 2*w*turn)\n			continue", new: "			a += r * 2 * w * turn\n			continue", tests: attained, drops: "alpha_k of a prismatic joint"},
	{name: "along n: no Coriolis", file: boundsGo, old: "			a += r * (s.Alpha[k] + 2*w*turn)\n			continue", new: "			a += r * s.Alpha[k]\n			continue", tests: attained, drops: "the mixed terms of a prismatic joint"},
	{name: "along n: Coriolis less 1 %", file: boundsGo, old: "			a += r * (s.Alpha[k] + 2*w*turn)\n			continue", new: "			a += r * (s.Alpha[k] + 1.98*w*turn)\n			continue", tests: attained, drops: "the mixed terms of a prismatic joint, by 1 %"},
	{name: "along n: joints before the parting body", file: boundsGo, old: "	var a, turn, delta float64\n	for i := from;", new: "	var a, turn, delta float64\n	for i := 0 * from;", tests: attained, drops: "only joints after the parting body enter, the delta_j included", loose: true},
	{name: "along n: one joint too few", file: boundsGo, old: "	var a, turn, delta float64\n	for i := from;", new: "	var a, turn, delta float64\n	for i := from + 1;", tests: attained, drops: "the first joint after the parting body"},
	{name: "along n: rounded to nearest", file: boundsGo, old: "		delta += s.Delta[k]\n	}\n	return a * inflate", new: "		delta += s.Delta[k]\n	}\n	return a", tests: "TestSumsAreRoundedUp", drops: "rounding up of A"},
}

var kinState = []mutation{
	// What a joint makes of its variable.
	{name: "mimic: sign of the multiplier", file: stateGo, old: "m := math.Abs(f.Mult)\n\tq, qd", new: "m := f.Mult\n\tq, qd", tests: "TestMimic " + attained, drops: "|multiplier| in delta, omega and alpha"},
	{name: "mimic: multiplier of the bounds", file: stateGo, old: "m := math.Abs(f.Mult)\n\tq, qd", new: "m := 1.0\n\tq, qd", tests: "TestMimic " + attained, drops: "|multiplier| in delta, omega and alpha"},
	{name: "mimic: delta less 1 %", file: stateGo, old: "= m*d.Delta, m*d.Omega", new: "= 0.99*m*d.Delta, m*d.Omega", tests: attained, drops: "delta by 1 %"},
	{name: "mimic: omega less 1 %", file: stateGo, old: "= m*d.Delta, m*d.Omega", new: "= m*d.Delta, 0.99*m*d.Omega", tests: attained, drops: "omega by 1 %"},
	{name: "mimic: alpha less 1 %", file: stateGo, old: "m*d.Omega, m*d.Alpha", new: "m*d.Omega, 0.99*m*d.Alpha", tests: attained, drops: "alpha by 1 %"},
	{name: "mimic: offset of the position", file: stateGo, old: "f.Mult*d.Q+f.Offset, f.Mult*d.QD", new: "f.Mult*d.Q, f.Mult*d.QD", tests: "TestMimic", drops: "a mimic joint's offset"},
	{name: "mimic: multiplier of the speed", file: stateGo, old: "f.Mult*d.Q+f.Offset, f.Mult*d.QD", new: "f.Mult*d.Q+f.Offset, d.QD", tests: "TestMimic", drops: "a mimic joint's multiplier in its speed"},

	// Chords.
	{name: "chord of a slide", file: stateGo, old: "s.Chord[k] = s.Delta[k]", new: "s.Chord[k] = chord(s.Delta[k])", tests: "TestChord", drops: "delta_k is a prismatic joint's chord"},
	{name: "chord of a slide less 1 %", file: stateGo, old: "s.Chord[k] = s.Delta[k]", new: "s.Chord[k] = 0.99 * s.Delta[k]", tests: attained + " TestChord", drops: "the chord of a prismatic joint, by 1 %"},
	{name: "chord of a turn less 1 %", file: stateGo, old: "s.Chord[k] = chord(s.Delta[k])", new: "s.Chord[k] = 0.99 * chord(s.Delta[k])", tests: attained + " TestChord", drops: "the chord by 1 %"},
	{name: "chord: not saturated", file: roundingGo, old: "if delta >= math.Pi {", new: "if delta >= 7 {", tests: attained + " TestChord", drops: "delta capped at pi in the chord"},
	{name: "chord: saturated too low", file: roundingGo, old: "		return 2\n", new: "		return 1.98\n", tests: attained + " TestChord", drops: "the chord of half a turn, by 1 %"},
	{name: "chord: saturated at a quarter turn", file: roundingGo, old: "if delta >= math.Pi {\n		return 2", new: "if delta >= math.Pi/2 {\n		return math.Sqrt2", tests: attained + " TestChord", drops: "delta capped at pi in the chord"},
	{name: "chord: error of the sine", file: roundingGo, old: "2*(math.Sin(delta/2)+sincosErr)", new: "2*math.Sin(delta/2)", tests: "TestChord", drops: "rounding of the sine"},

	// Poses and twists.
	{name: "twist: not relative", file: stateGo, old: "return Twist{Lin: r3.Sub(t.Lin, base.Lin), Ang: r3.Sub(t.Ang, base.Ang)}", new: "return t", tests: "TestTwoLinkArmVelocity TestTwistsAgainstDifferences TestBoundsOnPairs TestBoundsOnRandomChains", drops: "v' is relative to the parting body"},
	{name: "twist: turning not relative", file: stateGo, old: "Ang: r3.Sub(t.Ang, base.Ang)}", new: "Ang: t.Ang}", tests: "TestTwistsAgainstDifferences TestBoundsOnPairs", drops: "the angular part of v' is relative"},
	{name: "twist: lever the wrong way", file: stateGo, old: "r3.Cross(at.P, w))", new: "r3.Cross(w, at.P))", tests: "TestTwoLinkArmVelocity TestPosesAndTwistsAgainstTheOracle", drops: "velocity of a turn about an axis off the origin"},
	{name: "twist: turning of the parent", file: stateGo, old: "r3.Add(base.Ang, w)", new: "w", tests: "TestTwoLinkArmVelocity TestPosesAndTwistsAgainstTheOracle", drops: "the parent's angular velocity"},
	{name: "pose: slides along its own frame", file: stateGo, old: "at.P = r3.Add(at.P, r3.Scale(q, axis))", new: "at.P = r3.Add(at.P, r3.Scale(q, f.Axis))", tests: "TestPosesAndTwistsAgainstTheOracle", drops: "the slide's axis in W"},

	// Errors of poses and velocities.
	{name: "error: of rotations", file: stateGo, old: "s.ErrR[p] + rotPerJoint + f.fixErr.rot", new: "s.ErrR[p] + f.fixErr.rot", tests: "TestRoundingOfRandomChains TestRoundingOfHardCases", drops: "rounding of rotations"},
	{name: "error: of angles", file: stateGo, old: "		s.ErrR[k] += qErr\n", new: "", tests: "TestRoundingOfHardCases", drops: "rounding of large angles"},
	{name: "error: of positions", file: stateGo, old: " + posPerJoint*(origin+length) + f", new: " + f", tests: "TestRoundingOfHardCases", drops: "rounding of sums of positions"},
	{name: "error: of levers", file: stateGo, old: "s.ErrR[p]*length + pos", new: "pos", tests: "TestRoundingOfHardCases", drops: "rotation errors times the lever"},
	{name: "error: of slides", file: stateGo, old: "s.ErrP[k] += qErr + (s.ErrR[k]+posPerJoint)*(q+s.Stray[k])", new: "s.ErrP[k] += 0", tests: "TestRoundingOfHardCases", drops: "rounding of a slide's position and direction"},
	{name: "error: of fixed joints in front", file: stateGo, old: "s.ErrR[p] + rotPerJoint + f.fixErr.rot", new: "s.ErrR[p] + rotPerJoint", tests: "TestRoundingOfHardCases", drops: "rounding of composed fixed joints, rotation"},
	{name: "error: of fixed levers in front", file: stateGo, old: " + f.fixErr.pos\n", new: "\n", tests: "TestRoundingOfHardCases", drops: "rounding of composed fixed joints, position"},
	{name: "error: of speeds near zero", file: stateGo, old: "own := w*(s.ErrR[k]+64*u) + rateErr", new: "own := w * (s.ErrR[k] + 64*u)", tests: "TestRoundingOfHardCases", drops: "absolute error of a velocity that passes through zero"},
	{name: "error: of turning axes", file: stateGo, old: "own := w*(s.ErrR[k]+64*u) + rateErr", new: "own := rateErr", tests: "TestRoundingOfHardCases", drops: "error of the axis in velocities"},
	{name: "error: of origins in velocities", file: stateGo, old: "own*origin + w*s.ErrP[k]", new: "own*origin", tests: "TestRoundingOfHardCases", drops: "error of the axis's origin in velocities"},

	// Reach.
	{name: "reach: no slides", file: stateGo, old: "if k.Prismatic {\n\t\t\td += limit(int(chain[i]))", new: "if k.Prismatic {\n\t\t\td += 0 * limit(int(chain[i]))", tests: attained, drops: "prismatic joints in r_k"},
	{name: "reach: slides less 1 %", file: stateGo, old: "if k.Prismatic {\n\t\t\td += limit(int(chain[i]))", new: "if k.Prismatic {\n\t\t\td += 0.99 * limit(int(chain[i]))", tests: attained, drops: "prismatic joints in r_k, by 1 %"},
	{name: "reach: no ball", file: stateGo, old: "d := geom.Norm(center) + radius\n", new: "d := geom.Norm(center)\n", tests: attained, drops: "the ball's radius in r_k"},
	{name: "reach: offsets less 1 %", file: stateGo, old: "d += geom.Norm(k.PosePF.P)", new: "d += 0.99 * geom.Norm(k.PosePF.P)", tests: attained, drops: "link lengths in r_k, by 1 %"},
	{name: "reach: centre less 1 %", file: stateGo, old: "d := geom.Norm(center) + radius\n", new: "d := 0.99*geom.Norm(center) + radius\n", tests: attained, drops: "the centre's distance in r_k, by 1 %"},
	{name: "reach: rounded to nearest", file: stateGo, old: "r[i] = d * inflate", new: "r[i] = d", tests: "TestSumsAreRoundedUp", drops: "rounding up of r_k"},

	// Constants.
	{name: "inflate is 1", file: roundingGo, old: "const inflate = 1 + 0x1p-41", new: "const inflate = 1", tests: "TestSumsAreRoundedUp", drops: "rounding up of sums"},
	{name: "anglePerValue is 1u", file: roundingGo, old: "anglePerValue = 24 * u", new: "anglePerValue = u", tests: "TestRoundingOfHardCases", drops: "rounding of interpolation in an angle"},
}

var kinCurve = []mutation{
	{name: "h: only ahead", file: curveGo, old: "max(hi-at, at-lo)", new: "(hi - at)", tests: "TestCurveBoundsAreTrue " + attained, drops: "h is the larger side"},
	{name: "h: only behind", file: curveGo, old: "max(hi-at, at-lo)", new: "(at - lo)", tests: "TestCurveBoundsAreTrue " + attained, drops: "h is the larger side"},
	{name: "h: half the interval", file: curveGo, old: "max(hi-at, at-lo)", new: "((hi - lo) / 2)", tests: "TestCurveBoundsAreTrue " + attained, drops: "h is measured from c"},
	{name: "h: less 1 %", file: curveGo, old: "h := stepUp(max(hi-at, at-lo))", new: "h := 0.99 * max(hi-at, at-lo)", tests: "TestCurveBoundsAreTrue " + attained, drops: "h by 1 %"},
	{name: "h: rounded to nearest", file: curveGo, old: "h := stepUp(max(hi-at, at-lo))", new: "h := max(hi-at, at-lo)", tests: "TestCurveBoundsAreTrue", drops: "h rounded up"},
	{name: "line: speed rounded to nearest", file: curveGo, old: "w := math.Abs(v) * (1 + 2*u)", new: "w := math.Abs(v)", tests: "TestCurveBoundsAreTrue", drops: "rounding of a line's slope"},
	{name: "line: speed less 1 %", file: curveGo, old: "w := math.Abs(v) * (1 + 2*u)", new: "w := math.Abs(v) * 0.99", tests: "TestCurveBoundsAreTrue " + attained, drops: "omega of a line, by 1 %"},
	{name: "line: delta without abs", file: curveGo, old: "w := math.Abs(v) * (1 + 2*u)", new: "w := v * (1 + 2*u)", tests: "TestCurveBoundsAreTrue", drops: "|q'| of a line"},
	{name: "Omega from the ends only", file: curveGo, old: "a.Omega = hull(c.vel, lo, hi)", new: "a.Omega = max(math.Abs(bernsteinAt(c.vel, lo)), math.Abs(bernsteinAt(c.vel, hi)))", tests: "TestCurveBoundsAreTrue", drops: "omega bounds the whole interval"},
	{name: "Omega at c", file: curveGo, old: "a.Omega = hull(c.vel, lo, hi)", new: "a.Omega = math.Abs(a.QD)", tests: "TestCurveBoundsAreTrue " + attained, drops: "omega bounds the whole interval"},
	{name: "Omega of the mean speed", file: curveGo, old: "a.Omega = hull(c.vel, lo, hi)", new: "a.Omega = math.Abs(bernsteinAt(c.pos, hi)-bernsteinAt(c.pos, lo)) / (hi - lo)", tests: "TestCurveBoundsAreTrue", drops: "omega bounds the speed, not its mean"},
	{name: "Alpha is zero", file: curveGo, old: "hull(c.acc, lo, hi) + c.accErr", new: "0 * hull(c.acc, lo, hi)", tests: "TestCurveBoundsAreTrue " + attained, drops: "alpha of splines"},
	{name: "Alpha from the start only", file: curveGo, old: "hull(c.acc, lo, hi) + c.accErr", new: "hull(c.acc, lo, lo) + c.accErr", tests: "TestCurveBoundsAreTrue " + attained, drops: "alpha bounds the whole interval"},
	{name: "Alpha: rounded velocities", file: curveGo, old: "hull(c.acc, lo, hi) + c.accErr", new: "hull(c.acc, lo, hi)", tests: "TestCurveBoundsAreTrue TestCurveBoundsOnHardCases", drops: "rounding of the velocities that accelerations differ"},
	{name: "Delta from the speed at c", file: curveGo, old: "a.Delta = a.Omega * h", new: "a.Delta = math.Abs(a.QD) * h", tests: "TestCurveBoundsAreTrue", drops: "delta follows the fastest of the interval"},
	{name: "Delta from the ends", file: curveGo, old: "a.Delta = a.Omega * h", new: "a.Delta = max(math.Abs(bernsteinAt(c.pos, hi)-a.Q), math.Abs(bernsteinAt(c.pos, lo)-a.Q)) + 0*h", tests: "TestCurveBoundsAreTrue", drops: "delta bounds the way there and back too"},
	{name: "velocity's own error", file: curveGo, old: "16*u*top, 5*u", new: "0*u*top, 5*u", tests: "TestRoundingOfHardCases", drops: "absolute error of an evaluated velocity"},
	{name: "MaxAbs: of the ends", file: curveGo, old: "c.maxAbs = maxAbs(ctrl)", new: "c.maxAbs = max(math.Abs(ctrl[0]), math.Abs(ctrl[n-1]))", tests: "TestCurveBoundsAreTrue", drops: "MaxAbs bounds the whole piece"},
	{name: "derivative: of a lower degree", file: curveGo, old: "d[i] = float64(n) * (b[i+1] - b[i])", new: "d[i] = float64(max(n-1, 1)) * (b[i+1] - b[i])", tests: "TestCurveBoundsAreTrue", drops: "the degree in derivatives"},
	{name: "hull: less 1 %", file: curveGo, old: "return min(maxAbs(w[:n])+64*u*top, top*(1+4*u))", new: "return 0.99 * min(maxAbs(w[:n])+64*u*top, top*(1+4*u))", tests: "TestCurveBoundsAreTrue " + attained, drops: "omega and alpha of splines, by 1 %"},
	{name: "hull: no rounding", file: curveGo, old: "maxAbs(w[:n])+64*u*top", new: "maxAbs(w[:n])", tests: "TestCurveBoundsAreTrue", drops: "rounding of the cuts"},
	{name: "hull: of the ends", file: curveGo, old: "maxAbs(w[:n])+64*u*top", new: "max(math.Abs(w[0]), math.Abs(w[n-1]))+64*u*top", tests: "TestCurveBoundsAreTrue", drops: "inner control points"},
	{name: "hull: cut too short", file: curveGo, old: "cutLeft(w[:n], hi)", new: "cutLeft(w[:n], 0.99*hi)", tests: "TestCurveBoundsAreTrue " + attained, drops: "the hull covers the end of the interval"},
	{name: "hull: cut too late", file: curveGo, old: "cutRight(w[:n], lo/hi)", new: "cutRight(w[:n], (lo+0.01*(hi-lo))/hi)", tests: "TestCurveBoundsAreTrue", drops: "the hull covers the start of the interval"},
	{name: "hull: second cut not rescaled", file: curveGo, old: "cutRight(w[:n], lo/hi)", new: "cutRight(w[:n], lo)", tests: "TestCurveBoundsAreTight", drops: "the second cut is relative to the first", loose: true},
	{name: "hull: whole piece", file: curveGo, old: "return min(maxAbs(w[:n])+64*u*top, top*(1+4*u))", new: "return top * (1 + 4*u)", tests: "TestCurveBoundsAreTight", drops: "the hull is that of the interval", loose: true},
}

var kinTree = []mutation{
	{name: "parting: one joint too deep", file: treeGo, old: "		n++\n	}\n	return n", new: "		n++\n	}\n	return min(n+1, min(len(ca), len(cb)))", tests: "TestParting TestBoundsOnPairs", drops: "the frame is the body where the chains part"},
	{name: "parting: at the root", file: treeGo, old: "		n++\n	}\n	return n", new: "		n++\n	}\n	return 0 * n", tests: "TestParting", drops: "the frame is the body where the chains part", loose: true},
	{name: "fixed joints: pose dropped", file: treeGo, old: "at := b.tree.LinkPose[j.Parent].Mul(j.PosePC)", new: "at := j.PosePC", tests: "TestFixedJointsMerge TestBoundsOnRandomChains", drops: "poses of fixed joints"},
	{name: "fixed joints: error dropped", file: treeGo, old: "	return poseErr{rot: rot, pos: pos + rot*p + posPerJoint*(r3.Norm(at)+p)}", new: "	return poseErr{rot: 0 * (rot + pos + p)}", tests: "TestRoundingOfHardCases", drops: "rounding of composed fixed joints"},
	{name: "fixed joints: own error dropped", file: treeGo, old: "fixErr.rot += rotPerJoint", new: "fixErr.rot += 0", tests: "TestRoundingOfHardCases", drops: "rounding of a fixed joint's rpy"},
	{name: "planar: near -z as at -z", file: treeGo, old: "; ok {", new: "; ok && normal.Z > -0.999999 {", tests: "TestPlanar", drops: "a planar joint's directions lie in its plane"},
	{name: "planar: no turn", file: treeGo, old: "\"/theta\", Dof: dof + 2, Mult: 1", new: "\"/theta\", Dof: dof + 2, Mult: 0", tests: "TestPlanar", drops: "a planar joint is P, P, R"},
	{name: "mimic of a planar joint", file: treeGo, old: "(dof < 0 || leader.Type == urdf.Planar) &&", new: "dof < 0 &&", tests: "TestTreeErrors", drops: "a planar joint has no single position to follow"},
	{name: "chains of any length", file: treeGo, old: "n > maxChain {", new: "n > 100*maxChain {", tests: "TestTreeErrors", drops: "the rounding argument's longest chain"},
}

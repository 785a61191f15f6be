package main

// equivalents are mutants that survive without harm, with the reason: by the name of
// the mutant, or by package and function for all mutants of a function.
var equivalents = map[string]string{
	"internal/engine/bisect opensFirst": "which of two volumes is opened first",

	"internal/engine/spacetime promising":      "whether to open parts or to halve the interval",
	"selfcollision/pairproof limb.cut":         "where a box is cut",
	"internal/geometry/rsstree across":         "which of many directions is taken",
	"linkspheres patch.middle":                 "a point that is only named, or where a proof is given up",
	"internal/engine/spacetime search.failed":  "how near a proof was: what is tried next",
	"certificate/verify moment.betweenCentres": "guesses of directions",
	"internal/engine/spacetime search.predict": "the predicted time of a contact",
	"internal/engine/model World.beyond":       "which points far from the world are taken",

	"internal/engine/spacetime prover.tryAgainst: statement: sw.memory.hint(n) => {}":                                                                        "a direction is not tried again: slower",
	"internal/engine/spacetime prover.apartAlong: constant: 0 => 1 (5)":                                                                                      "a rule is tried where it cannot prove: slower",
	"internal/engine/rules PartedBy: comparison: h > 0 => h >= 0":                                                                                            "at h = 0 both ends are the same",
	"internal/engine/rules ReachOver: comparison: h > 0 => h >= 0":                                                                                           "at h = 0 both ends are the same",
	"internal/engine/rules PartedBy: condition: h > 0 => ((h > 0) || true)":                                                                                  "at h = 0 both ends are the same",
	"internal/engine/rules ReachOver: condition: h > 0 => ((h > 0) || true)":                                                                                 "at h = 0 both ends are the same",
	"internal/engine/spacetime prover.clearances: min and max: max(0, w.rise) => (0)":                                                                        "more clearance is asked for at that end",
	"internal/engine/spacetime prover.clearances: min and max: max(0, -w.rise) => (0)":                                                                       "more clearance is asked for at that end",
	"internal/engine/rules PartedAtEnds: absolute: math.Abs(before) => (before)":                                                                             "it covers one rounding of a sum that slack covers with 64u",
	"internal/engine/rules PartedAtEnds: absolute: math.Abs(after) => (after)":                                                                               "it covers one rounding of a sum that slack covers with 64u",
	"internal/engine/distance pairSearch.bound: rounding: (d-ra-rb)*(1-8*u) => (d-ra-rb)":                                                                    "slack covers the same lengths with 64u",
	"internal/engine/spacetime search.try: statement: s.failed(o.gap) => {} (3)":                                                                             "how near a proof was: what is tried next",
	"internal/engine/kin Curve.Blur: min and max: max(c.maxAbs, maxAbs) => (maxAbs)":                                                                         "Course.CtrlErr counts the control points that c.maxAbs is of",
	"linkspheres recedes: sign: math.Abs(tx)+math.Abs(ty) => (math.Abs(tx) - math.Abs(ty))":                                                                  "a margin of rounding, beside tiny",
	"linkspheres prover.outsideSolids: comparison: box.Max.Y < c.Min.Y => box.Max.Y <= c.Min.Y":                                                              "boxes that share a face have no inner point in common",
	"certificate/verify : constant: 0.2347 => (0.2347*0.5)":                                                                                                  "which of many directions a ray has",
	"certificate/verify : constant: 0.2609 => (0.2609*0.5)":                                                                                                  "which of many directions a ray has",
	"internal/engine/romtree WorldQuery.toItem: condition: !ok => (ok)":                                                                                      "0 in place of a better bound: lower",
	"internal/engine/spacetime nearer: term: r3.Sub(x, r.Center) => r.Center":                                                                                "which of two volumes is opened first",
	"internal/numeric/taylor rangeCut: term: a+third*da => a":                                                                                                "a cubic is monotone between its turns: its ends bound it",
	"certificate/verify side.displacement: condition: i >= from => ((i >= from) || true)":                                                                    "joints before the parting body count too: wider",
	"internal/engine/spacetime search.atItem: comparison: o.gap <= w.tolerance => o.gap < w.tolerance (2)":                                                   "what is looked at at exactly the tolerance",
	"internal/engine/romtree SelfQuery.Distance: constant: 0 => 1":                                                                                           "the closest pair of the question before is not tried first: slower",
	"internal/engine/kin State.boundRate: term: s.ErrR[k] + 64*u => s.ErrR[k]":                                                                               "ErrR of a moving joint is at least 160u, several times the error that can be met",
	"certificate/verify moment.reachOf: rounding: above(out+k.far) => (out+k.far)":                                                                           "above adds 32u; the one on the next sum covers both roundings",
	"internal/geometry/convex Bounded: sign: enough + a.Radius + b.Radius + 4*g.touch => (enough + a.Radius + b.Radius - 4*g.touch)":                         "the search ends earlier; Gap proves what it finds",
	"internal/engine/distance ranking.run: statement: r.open[0], r.open[first] = r.open[first], r.open[0] => _, _ = r.open[first], r.open[0]":                "which pair is looked at first",
	"internal/engine/spacetime Team.heed: term: least-b.tol => least":                                                                                        "workers look for what is nearer by less than the tolerance, too: slower",
	"internal/engine/kin Course.AppendCtrl: condition: b.turned => ((b.turned) || true)":                                                                     "where none are taken off there are 0 turns, and x - 0 is x",
	"internal/geometry/convex support.through":                                                                                                               "where the middle of a ball may be: MinBall measures its radius",
	"selfcollision/pairproof scratch.along: condition: s.byChords(n) || s.byArcs(n) => (((s.byChords(n)) && false) || s.byArcs(n))":                          "one of two rules is not tried: less is proved",
	"selfcollision/pairproof scratch.along: condition: s.byChords(n) || s.byArcs(n) => (s.byChords(n) || ((s.byArcs(n)) && false))":                          "one of two rules is not tried: less is proved",
	"internal/engine/distance worldSearch.outsideOf: condition: !engine.Encloses(s.e) => ((!engine.Encloses(s.e)) && false)":                                 "of a mesh that encloses nothing InsideSolids says outside: slower",
	"linkspheres meshSolid.signed: factor: 2*s.err => (2 / s.err) (3)":                                                                                       "-near is at most 2 err, as beyond is at least 0",
	"linkspheres meshSolid.signed: min and max: math.Min(-near, 2*s.err) => (-near)":                                                                         "-near is at most 2 err, as beyond is at least 0",
	"linkspheres meshSolid.signed: constant: 0 => 1":                                                                                                         "far is at least 0",
	"linkspheres meshSolid.signed: min and max: math.Min(-far, 0) => (-far)":                                                                                 "far is at least 0",
	"internal/engine/rules DistanceToSegment: comparison: v2 <= math.MaxFloat64 => v2 < math.MaxFloat64":                                                     "0 in place of a better bound: lower",
	"internal/engine/rules DistanceToSegment: constant: 0.0 => 1.0":                                                                                          "s is not set where x1 is 0 or its square is lost: slack covers it",
	"internal/engine/rules BallsApart: comparison: d <= math.MaxFloat64 => d < math.MaxFloat64":                                                              "less is proved",
	"internal/engine/rules BallsApart: comparison: d*(1-8*u) > (need+b.Far)*(1+8*u) => d*(1-8*u) >= (need+b.Far)*(1+8*u)":                                    "the margins of both sides are larger than the rounding of either",
	"internal/engine/rules BallsApart: rounding: (need+b.Far)*(1+8*u) => (need+b.Far)":                                                                       "slack covers 64u of lengths that are no smaller",
	"internal/engine/rules BallsApart: rounding: d*(1-8*u) => d":                                                                                             "slack covers 64u of lengths that are no smaller",
	"internal/engine/rules ApartStill: rounding: far*(1+8*u) => far":                                                                                         "bounds of displacement are larger by 2^-41 than what they bound; their sum rounds once",
	"internal/engine/rules PartedBy: rounding: -m.Clearance*(1+8*u) => -m.Clearance":                                                                         "slack covers 64u of lengths that are no smaller",
	"internal/engine/rules PartedAtEnds: term: gapAt(n, a, b, -h)+before+8*u*math.Abs(before) => gapAt(n, a, b, -h)+before":                                  "slack covers 64u of lengths that are no smaller",
	"internal/engine/rules ReachBelow: rounding: (clearance-line)*(1-8*u) => (clearance-line)":                                                               "slack covers 64u of lengths that are no smaller",
	"internal/engine/rules Bounds.along: rounding: (min(b.H*math.Abs(v)+curve, b.Far) + radius) * (1 + 8*u) => (min(b.H*math.Abs(v)+curve, b.Far) + radius)": "slack covers 64u of lengths that are no smaller",
	"internal/engine/rules SweptBox: sign: center.X + center.Y + center.Z + x => (center.X + center.Y + center.Z - x)":                                       "what is infinite or no number shows in the sum with either sign",
	"internal/engine/rules SweptBox: sign: center.X + center.Y + center.Z + x + y + z => (center.X + center.Y + center.Z + x + y - z)":                       "what is infinite or no number shows in the sum with either sign",
	"internal/engine/rules SafeStep: comparison: accel > 0 => accel >= 0":                                                                                    "a quotient by 0 is +Inf, as what is returned else",
	"internal/engine/rules SafeStep: comparison: closing < 0 => closing <= 0":                                                                                "where closing is 0 and the root is lost: a step of 0",
	"internal/engine/rules SafeStep: condition: closing >= 0 && closing+root > 0 => (closing >= 0 && ((closing+root > 0) || true))":                          "a quotient by 0 is +Inf, as what is returned else",
}

// harmless returns why it does not matter that a mutant survives, or "".
func (m *mutant) harmless() string {
	if why := equivalents[m.name()]; why != "" {
		return why
	}
	return equivalents[m.pkg.dir+" "+m.fn]
}

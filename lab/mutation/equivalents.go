package main

// equivalents are mutants that survive without harm, with the reason: by the name of
// the mutant, or by package and function for all mutants of a function.
var equivalents = map[string]string{
	"internal/engine/spacetime Worker.within": "it saves trying, no proof rests on it",
	"ccd/bisect opensFirst":                   "which of two volumes is opened first",

	"internal/engine/spacetime Worker.tryAgainst: statement: sw.at.hint(n) => {}":                                                    "a direction is not tried again: slower",
	"internal/engine/spacetime Worker.apartAlong: constant: 0 => 1 (5)":                                                              "a rule is tried where it cannot prove: slower",
	"internal/engine/spacetime partedBy: comparison: h > 0 => h >= 0":                                                                "at h = 0 both ends are the same",
	"internal/engine/spacetime reachOver: comparison: h > 0 => h >= 0":                                                               "at h = 0 both ends are the same",
	"internal/engine/romtree SelfQuery.Distance: constant: 0 => 1":                                                                   "the closest pair of the question before is not tried first: slower",
	"internal/engine/kin State.boundRate: term: s.ErrR[k] + 64*u => s.ErrR[k]":                                                       "ErrR of a moving joint is at least 160u, several times the error that can be met",
	"certificate/verify moment.reachOf: rounding: above(out+k.far) => (out+k.far)":                                                   "above adds 32u; the one on the next sum covers both roundings",
	"internal/geometry/convex Bounded: sign: enough + a.Radius + b.Radius + 4*g.touch => (enough + a.Radius + b.Radius - 4*g.touch)": "the search ends earlier; Gap proves what it finds",
}

// harmless returns why it does not matter that a mutant survives, or "".
func (m *mutant) harmless() string {
	if why := equivalents[m.name()]; why != "" {
		return why
	}
	return equivalents[m.pkg.dir+" "+m.fn]
}

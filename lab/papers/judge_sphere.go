package papers

import "fmt"

func judgeTwoBalls(r *Result, _ *Table) []Claim {
	return []Claim{effect{"a ball around two children's balls is larger than one around what is in them (mean ratio of radii)", notInText, r.number("radii"), "", 1}.moreThan(1.05)}
}

func judgeCube(r *Result, _ *Table) []Claim {
	return []Claim{
		effect{"the best centre is the cube's: how far ours is from it", "0, said of the picture", r.number("off"), "m", 0.01}.atMost(1e-12),
		effect{"radius of our ball, by that of the smallest, √3/2", notInText, r.number("radius"), "", 1.05}.atMost(1 + 1e-12),
	}
}

func judgeLevels(r *Result, _ *Table) []Claim {
	return []Claim{
		effect{"greedy trees' balls are larger: all their volumes by the compact tree's", notInText, r.number("volumes"), "", 1}.moreThan(1.5),
		effect{"and at the sixth level, mean radius", notInText, r.number("sixth"), "", 1}.moreThan(1.1),
	}
}

func judgeSteps(r *Result, _ *Table) []Claim {
	return []Claim{effect{"the steps spare pairs of shapes: those left unopened", notInText, 100 * (1 - r.number("opened with lookup tables")/r.number("pairs")), "% of all", 0}.moreThan(50)}
}

// across compares one method's times for the same pieces of work under two questions:
// those of b by those of a.
func across(a, b *Sample, method string) comparison {
	i, k := a.method(method), b.method(method)
	if i < 0 || k < 0 || len(a.Kinds) != len(b.Kinds) {
		return (&Sample{}).compare("", "", "")
	}
	x, y := a.Series[i], b.Series[k]
	x.Method, y.Method = "a", "b"
	both := Sample{Kinds: a.Kinds, Series: []Times{x, y}}
	return both.compare("a", "b", "")
}

func judgeCubesAndLimits(r *Result, _ *Table) []Claim {
	zero, some, close := r.number("more at 0"), r.number("more at 0.3"), r.number("more at 0.3, 1 cm")
	row := func(limit float64) *Sample { return r.row(fmt.Sprintf("distance alone, maximum %s m", digits(limit))) }
	return []Claim{
		effect{"greedy trees take longer between two cubes (mean of 0.1 to 1 m, α = 0)", notInText, zero, "% more", 0}.moreThan(5),
		effect{"with a tolerance much longer (the same at α = 0.3, less that at α = 0)", notInText, some - zero, "% points", 0}.moreThan(25),
		effect{"the gain gets small at small distances (at 0.1 to 1 m, less that at 1 cm, α = 0.3)", notInText, some - close, "% points", 0}.moreThan(25),
		longer("a maximum below the distances helps: time at 3 m by that at 3 mm, alone", notInText, across(row(0.003), row(3), compactTree), noise),
	}
}

func judgeTolerances(r *Result, _ *Table) []Claim {
	gain := func(place string) comparison {
		row := func(alpha float64) *Sample {
			return r.row(fmt.Sprintf("distance %s, α = %g, minimum 0 m", place, alpha))
		}
		return across(row(0.5), row(0), compactTree)
	}
	alone, kitchen := gain("alone"), gain("in the kitchen")
	more := alone
	more.means, more.trimmed, more.medians = more.means/kitchen.means, more.trimmed/kitchen.trimmed, more.medians/kitchen.medians
	return []Claim{
		longer("a tolerance of 0.5 is faster, alone", notInText, alone, noise),
		longer("and in the kitchen", notInText, kitchen, noise),
		longer("it helps more alone than in the kitchen", notInText, more, noise),
		longer("cached centres save time, alone, α = 0: time without them by time with them", "approximately 30%, 1.43 times", r.row("cached centres").compare("with cached centres", "without cached centres", ""), noise),
	}
}

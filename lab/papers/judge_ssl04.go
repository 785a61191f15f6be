package papers

import (
	"fmt"
	"math"
	"slices"
)

// figures are those of most of SSL04's tables.
func figures() []string {
	var out []string
	for _, c := range cells {
		out = append(out, c.figure)
	}
	return out
}

// meanOf is the mean over figures of a value.
func (r *Result) meanOf(format string, figures []string) float64 {
	var x []float64
	for _, f := range figures {
		x = append(x, r.number(fmt.Sprintf(format, f)))
	}
	return mean(x)
}

// rowsOf compares two methods on the rows of all figures; a figure in which one of both
// has nothing is left out.
func (r *Result) rowsOf(format, a, b string) comparison {
	var rows []comparison
	for _, f := range figures() {
		if c := r.row(fmt.Sprintf(format, f)).compare(a, b, ""); c.n > 0 {
			rows = append(rows, c)
		}
	}
	return overRows(rows)
}

// meanRatio is the mean over the rows of a printed table of one column by another.
func (t *Table) meanRatio(column, by int) float64 {
	var x []float64
	for _, row := range t.Rows {
		a, _ := number(row[column])
		b, _ := number(row[by])
		x = append(x, a/b)
	}
	return mean(x)
}

func judgeCoverings(r *Result, _ *Table) []Claim {
	sum := func(what string, i int) (x float64) {
		for _, f := range figures() {
			x += r.number(fmt.Sprintf("%s %s %d", f, what, i))
		}
		return x
	}
	return []Claim{
		effect{"the potential gains of another strategy are small: volumes that the middle of what is not covered saves", "small", 100 * (1 - sum("volumes", 2)/sum("volumes", 0)), "%", 100}.atMost(10),
		effect{"it takes forward kinematics at many more configurations: by those of bisection", "many more", sum("configurations", 2) / sum("configurations", 0), "times", 1}.moreThan(2),
	}
}

func judgeBounds(r *Result, _ *Table) []Claim {
	return []Claim{
		effect{"most bounds of the IRB 2400 are within 5 times a length", "more than 80%", r.number("IRB 2400 within 5"), "%", 0}.moreThan(80),
		effect{"and of the F 200", "more than 80%", r.number("F 200 within 5"), "%", 0}.moreThan(80),
		effect{"of the arm of 20 joints most are within 15 times", "most of the time", r.number("arm of 20 joints within 15"), "%", 0}.moreThan(50),
	}
}

func judgeTip(r *Result, _ *Table) []Claim {
	return []Claim{effect{"the tip's steps are longer than the resolution: the longest of a segment, in the mean", "longer, it says", r.number("step"), "times the resolution", 1}.moreThan(1)}
}

func judgeWays(r *Result, theirs *Table) []Claim {
	all := append([]string{"1a"}, figures()...)
	of := func(row int, head string) float64 { return firstNumber(theirs.cell(row, head)) }
	var greedy, exact, said, rho []float64
	for i := range theirs.Rows {
		greedy = append(greedy, of(i, "GREEDY-DIST")/of(i, "COLL-CHECKER"))
		exact = append(exact, of(i, "EXACT-DIST")/of(i, "GREEDY-DIST"))
		said = append(said, theirs.value(i, "ρ of GREEDY-DIST"))
	}
	for _, f := range all {
		rho = append(rho, r.number(f+" rho"))
	}
	return []Claim{
		effect{"GREEDY-DIST tests about as many volumes as a collision test: by those of COLL-CHECKER, mean of the figures", digits(mean(greedy)) + " times", r.meanOf("%s greedy", all), "times", math.Inf(1)}.atMost(1.5),
		effect{"EXACT-DIST tests many more: by those of GREEDY-DIST, mean of the figures", digits(mean(exact)) + " times", r.meanOf("%s exact", all), "times", 1}.moreThan(10),
		effect{"APPROX-DIST takes longer: by the time of GREEDY-DIST, mean of the figures", "longer, it says", r.meanOf("%s approx", all), "times", 1}.moreThan(noise),
		effect{"the bounds are good: smallest mean ratio to the exact distance", digits(slices.Min(said)), slices.Min(rho), "", 0}.moreThan(0.5),
	}
}

// judgeSegments is for Tables III and VI: what adaptive bisection saves, at the tightest δ.
func judgeSegments(set, delta string) func(*Result, *Table) []Claim {
	return func(r *Result, theirs *Table) []Claim {
		return []Claim{
			effect{"on " + set + " segments adaptive bisection tests fewer volumes: by those of the fixed resolution, mean of the figures", digits(theirs.meanRatio(5, 2)) + " of them", r.meanOf("%s volumes", figures()), "of them", 1}.atMost(0.95),
			shorter("and takes less time, mean of the figures", digits(theirs.meanRatio(4, 1))+" of it", r.rowsOf("figure %s, "+set+" segments", "FIXED-RES-BISECTION", adaptiveForm+", δ = "+delta), 0.95),
		}
	}
}

func judgePlanners(r *Result, _ *Table) []Claim {
	of := func(what string) string { return fmt.Sprintf("of %s runs", digits(r.number(what+" runs"))) }
	return []Claim{
		effect{"a planner with a fixed resolution returns paths that collide: such paths, at resolutions that gave one", "all ε larger than those of the table", r.number("SBL colliding"), of("SBL"), 0}.moreThan(0),
		effect{"one that proves never does: colliding paths of A-SBL", "never, by proof", r.number("A-SBL colliding"), of("A-SBL"), 1}.atMost(0),
		effect{"nor with the default engine", "never, by proof", r.number("default colliding"), of("default"), 1}.atMost(0),
	}
}

func judgeDeltas(r *Result, theirs *Table) []Claim {
	return []Claim{
		longer("time grows as δ shrinks: at the smallest by that at 0.01, mean of the figures", digits(theirs.meanRatio(8, 1))+" times", r.rowsOf("planning, figure %s, by δ", "A-SBL, δ = 0.01", "A-SBL, δ = 1e-06"), noise),
		effect{"no path collides, at any δ", "never, by proof", r.number("colliding"), fmt.Sprintf("of %s runs", digits(r.number("runs"))), 1}.atMost(0),
	}
}

func judgeSmoothing(r *Result, theirs *Table) []Claim {
	worst := 0.0
	for _, f := range []string{"1a", "11c, 1 linkage", "11c, 9 linkages"} {
		worst = max(worst, r.number(f+" left"))
	}
	return []Claim{effect{"smoothing shortens paths among very thin things: the largest part of the length that is left", digits(theirs.value(2, "length by that before")), worst, "of the length", 1}.
		atMost(0.5).unlike("60 rounds on walks of 200 segments, in the paper 500 to 6,000 on 4,208 to 47,744")}
}

func judgeBadCase(r *Result, theirs *Table) []Claim {
	of := func(row int, column string) float64 { return theirs.value(row, column) }
	full := func(clearance, delta string) float64 {
		return r.number("clearance " + clearance + ", δ " + delta + " volumes")
	}
	return []Claim{
		effect{"tests grow as clearance and δ shrink: volumes at 0.0001 by those at 0.1", digits(of(3, "all links: volumes")/of(0, "all links: volumes")) + " times", full("0.0001", "0.0001") / full("0.1", "0.1"), "times", 1}.moreThan(100),
		effect{"other links barely count: the end-effector's share of the volumes at 0.001", percent(of(2, "end-effector: volumes") / of(2, "all links: volumes")), 100 * r.number("clearance 0.001, δ 0.001 of the end-effector") / full("0.001", "0.001"), "%", 0}.moreThan(90),
		effect{"a threshold below the clearance helps: volumes at clearance and δ 0.1 by those at δ 0.0001", digits(of(0, "all links: volumes")/of(4, "all links: volumes")) + " times", full("0.1", "0.1") / full("0.1", "0.0001"), "times", 1}.moreThan(2),
	}
}

func judgeRefined(r *Result, theirs *Table) []Claim {
	return []Claim{
		shorter("the refined checker takes less time: by the original's, mean of the figures", "between 0.5 and 0.9", r.rowsOf("figure %s, random segments", adaptiveForm, refinedForm), 0.95),
		effect{"and tests fewer volumes, mean of the figures", digits(theirs.meanRatio(5, 2)) + " of them", r.meanOf("%s volumes", figures()), "of them", 1}.atMost(0.5),
	}
}

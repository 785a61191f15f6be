package papers

import "fmt"

func judgeBoxes(r *Result, _ *Table) []Claim {
	first, last := r.number("first"), r.number("last")
	return []Claim{
		effect{"Taylor models' boxes are smaller at the deepest links: those of intervals by them", notInText, last, "times", 1}.moreThan(1.5),
		effect{"the more so the deeper the link: that at the deepest by that at the first", "exponentially, it says", last / first, "times", 1}.moreThan(1.5),
	}
}

// culledRows are the rows of Figures 6 and 7, pairRows those of Table 2, in its order.
// There the trains are taken part by part, as the paper's pairs seem to be.
var (
	culledRows = []string{"Walk", "Exercise", "Four trains", "Falling train"}
	pairRows   = []string{"Walk", "Exercise", "Four trains by part", "Falling train"}
)

func judgeTemporal(r *Result, _ *Table) []Claim {
	few, all, each := 0.0, 0.0, ""
	var saved []comparison
	for _, row := range culledRows {
		few, all = few+r.number(row+" few"), all+r.number(row+" motions")
		each += fmt.Sprintf(", %s %s", row, percent(r.number(row+" few")/r.number(row+" motions")))
		saved = append(saved, r.row(row).compare("CATCH", noTemporal, ""))
	}
	return []Claim{
		effect{"typically 1 or 2 pairs are advanced: share of motions with at most 2", "typically", 100 * few / all, "%", 0}.moreThan(50).basis("%s", each[2:]),
		longer("culling by time is worth its while: time without it by time with it, mean of the rows", notInText, overRows(saved), noise),
	}
}

func judgeHulls(r *Result, _ *Table) []Claim {
	var saved []comparison
	for _, row := range culledRows {
		saved = append(saved, r.row(row).compare("CATCH", noHulls, ""))
	}
	return []Claim{longer("hulls are worth their while: time without them by time with them, mean of the rows", notInText, overRows(saved), noise)}
}

func judgeArticulate(r *Result, theirs *Table) []Claim {
	s := r.row("Walk, without self-collision")
	ratio := func(i int) string {
		return digits(theirs.value(i, "ARTICULATE")/theirs.value(i, "CATCH")) + " times"
	}
	return []Claim{
		longer("CATCH is faster than ARTICULATE: average CCD", ratio(0), s.compare("CATCH", "ARTICULATE", ""), noise),
		longer("by 15 times or more, where ARTICULATE goes through its exact stage in one step, as printed", "15 to 17 times", s.compare("CATCH", oneStep, ""), 15),
		longer("it is faster where there is a contact to find, too", ratio(1), s.compare("CATCH", "ARTICULATE", "c"), noise),
	}
}

// judgeCulling wants at most twice what the paper's culling leaves. Workloads of which
// one has more than twice the pairs of the other cannot be compared.
func judgeCulling(r *Result, theirs *Table) []Claim {
	var out []Claim
	for k, row := range pairRows {
		before := r.number(row + " before")
		unlike, paper := "", theirs.value(k, "before")
		if before > 2*paper || before < paper/2 {
			unlike = fmt.Sprintf("%s pairs, in the paper %s", grouped(before), grouped(paper))
		}
		for i, what := range []struct{ says, key string }{
			{"spatial culling leaves out most pairs", "spatial"},
			{"temporal culling leaves out of the rest", "temporal"},
		} {
			said := theirs.Rows[k][3+2*i]
			rate, _ := number(said)
			c := effect{row + ": " + what.says, said, r.number(row + " " + what.key), "%", 0}.moreThan(max(20, 100-2*(100-rate)))
			out = append(out, c.basis("%s pairs before", digits(before)).unlike(unlike))
		}
	}
	return out
}

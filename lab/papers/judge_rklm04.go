package papers

import (
	"slices"
	"strings"
)

// stageMean is the mean time in µs of a stage for motions of the kinds that were
// decided, and its median.
func (s *Sample) stageMean(name, kinds string) (us, median float64) {
	var all []float64
	if k := s.method(name); k >= 0 {
		for j := range s.Kinds {
			if strings.Contains(kinds, s.Kinds[j:j+1]) && s.Series[k].Said[j] != 'u' {
				all = append(all, s.Series[k].Us[j])
			}
		}
	}
	slices.Sort(all)
	return mean(all), middle(all)
}

func judgePipes(r *Result, theirs *Table) []Claim {
	paper := digits(theirs.value(3, "stage 3 COL")/theirs.value(0, "stage 3 COL")) + " times (COL)"
	var out []Claim
	for _, form := range []struct{ says, suffix string }{
		{"stage 3 grows with the motion: its time at the largest by that at the smallest θmax, motions that touch", ""},
		{"the same in one step", ", one step"},
	} {
		large, largeMedian := r.row("30 deg"+form.suffix).stageMean("stage 3", "c")
		small, smallMedian := r.row("1 deg"+form.suffix).stageMean("stage 3", "c")
		c := effect{form.says, paper, large / small, "times", 1}.moreThan(2).basis("by medians %s", digits(largeMedian/smallMedian))
		c.Holds = c.Holds && largeMedian/smallMedian > 2
		out = append(out, c)
	}
	return append(out, effect{
		"stage 1 takes very little of the time: its part of the stages in one step, as printed, the largest θmax, motions that touch",
		percent(theirs.value(3, "stage 1 COL")/theirs.value(3, "total COL")) + " (COL)", r.row("30 deg, one step").firstStage(), "%", 100,
	}.atMost(1).basis("%s where motions are halved, which saves most of stage 3", percent(r.row("30 deg").firstStage()/100)))
}

// firstStage is what part of all stages the first takes for motions that touch, in percent.
func (s *Sample) firstStage() float64 {
	first, _ := s.stageMean("stage 1", "c")
	second, _ := s.stageMean("stage 2", "c")
	third, _ := s.stageMean("stage 3", "c")
	return 100 * first / (first + second + third)
}

// judgeStages says what each stage saves, as RKLM04's Table 2 shows it: of motions that
// touch, as its totals COL are.
func judgeStages(r *Result, theirs *Table) []Claim {
	const whole, noSwept, noBoxes, none = "ARTICULATE 1+2+3", "ARTICULATE 1+3", "ARTICULATE 2+3", "ARTICULATE 3"
	var out []Claim
	var gains []comparison
	for i, set := range []string{"1 deg", "30 deg", "60 deg"} {
		name := theirs.Rows[4*i][0]
		of := func(stages int) float64 { return theirs.value(4*i+stages, "total COL") }
		some, few := r.row("machine room, "+set), r.row("machine room, "+set+", with stage 3 alone")
		best := few.compare(whole, none, "c")
		if other := few.compare(noSwept, none, "c"); other.means > best.means {
			best = other
		}
		out = append(out,
			longer("stage 1 is worth its while, θmax "+name+", motions that touch: time of 2+3 by that of 1+2+3", digits(of(2)/of(0))+" times (COL)", some.compare(whole, noBoxes, "c"), noise),
			longer("culling is worth its while, θmax "+name+", motions that touch: time of 3 alone by the least of 1+2+3 and 1+3", digits(of(3)/min(of(0), of(1)))+" times (COL)", best, noise))
		gains = append(gains, some.compare(whole, noSwept, "c"))
	}
	small, large := gains[0], gains[2]
	of := func(i int) float64 { return theirs.value(4*i+1, "total COL") / theirs.value(4*i, "total COL") }
	large.means, large.trimmed, large.medians = large.means/small.means, large.trimmed/small.trimmed, large.medians/small.medians
	return append(out, longer("stage 2 gets useful where motions get large, motions that touch: time of 1+3 by that of 1+2+3, at the largest by that at the smallest θmax", digits(of(2)/of(0))+" times (COL)", large, noise))
}

func judgeEnds(r *Result, _ *Table) []Claim {
	share := 100 * r.number("missed") / r.number("touch")
	return []Claim{effect{"a test at discrete times misses contacts that the continuous one finds: motions that touch and are free at both ends", notInText, share, "% of those that touch", 0}.
		moreThan(1).basis("%s of %s", digits(r.number("missed")), digits(r.number("touch")))}
}

func judgeSwept(r *Result, _ *Table) []Claim {
	return []Claim{effect{"swept volumes cull even very large motions (" + roomWorkload + ", the largest θmax): of the pairs that stage 1 leaves", notInText, r.number(roomWorkload + " 60 deg"), "%", 0}.moreThan(10)}
}

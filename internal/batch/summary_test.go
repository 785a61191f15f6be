package batch

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Each line of each row counts, whether rows repeat each other or not.
func TestSummaryCountsLines(t *testing.T) {
	s := NewSummary(0, 0, nil)
	for i, text := range []string{"a\nb", "a\nb", "b", "", "a\nb", "c", "c"} {
		s.add(&Row{Index: int64(i), Motion: fmt.Sprint(i), Status: "free", Episode: -1, Premises: text, Warnings: text, ClearanceLo: math.NaN()})
	}
	s.Finish()
	want := []Remark{{"b", 4, "0"}, {"a", 3, "0"}, {"c", 2, "5"}}
	if !slices.Equal(s.Premises, want) || !slices.Equal(s.Warnings, want) {
		t.Errorf("%v\n%v", s.Premises, s.Warnings)
	}
}

// The worst are listed in one order for the summary and the report, which leaves out what has no verdict.
func TestSummaryOrdersTheWorst(t *testing.T) {
	s := NewSummary(3, 4, nil)
	none := math.NaN()
	for i, r := range []Row{
		{Status: "free", ClearanceLo: 0.2},
		{Status: "undecided", ProvenUntil: 0.1, ClearanceLo: none},
		{Status: "contact", PairA: "a", PairB: "b", TOCHi: 0.7, ClearanceLo: none},
		{Status: Invalid, ClearanceLo: none},
		{Status: "free", ClearanceLo: 0.1},
		{Status: "contact", PairA: "a", PairB: "b", TOCHi: 0.3, ClearanceLo: none},
		{Status: "free", ClearanceLo: none},
	} {
		r.Index, r.Episode = int64(i), -1
		s.add(&r)
	}
	s.Link("page")
	var worst, shown []int64
	var links []string
	for _, w := range s.Worst {
		worst, links = append(worst, w.Index), append(links, w.Report)
	}
	for _, w := range s.Shown {
		shown = append(shown, w.Index)
	}
	if !slices.Equal(worst, []int64{3, 5, 2}) || !slices.Equal(shown, []int64{5, 2, 1, 4}) || !slices.Equal(links, []string{"", "page#motion=1", "page#motion=2"}) {
		t.Errorf("worst %v %q, shown %v", worst, links, shown)
	}
}

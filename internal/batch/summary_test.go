package batch

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// What is printed of a bound is a bound, and a share of all is told only where it is all.
func TestSummaryRoundsToTheSafeSide(t *testing.T) {
	s := NewSummary(2, 0, nil)
	none := math.NaN()
	s.add(&Row{Status: "contact", Motion: "m", PairA: "a", PairB: "b", TOCHi: 0.3000004, ClearanceLo: none, Episode: -1})
	s.add(&Row{Index: 1, Status: "free", Motion: "n", ClosestA: "c", ClosestB: "d", ClearanceLo: 0.019999, Episode: -1})
	s.Motions, s.Count["free"] = 1_000_000, 999_999
	s.Finish()
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	for i := range 101 {
		if x := float64(i) / 100; below(x, 1e4) != x || below(-x, 1e6) != -x {
			t.Errorf("%g is rounded, to %g", x, below(x, 1e4))
		}
	}
	for _, want := range []string{"99.99 % free", "a and b at 0.300001 s", "c and d, no closer than 19.99 mm"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// An episode's bar ends before the time that is not proved any more, and only a free one is whole.
func TestEpisodesAreShown(t *testing.T) {
	s := NewSummary(1, 0, nil)
	none := math.NaN()
	for i, r := range []Row{
		{Status: "free", ProvenUntil: 4},
		{Status: "contact", PairA: "a", PairB: "b", TOCHi: 1, ProvenUntil: 1},
		{Status: "undecided", ProvenUntil: 3.9999},
		{Status: "contact", PairA: "a", PairB: "b"},
		{Status: Invalid},
	} {
		r.Index, r.Episode, r.Duration, r.ClearanceLo, r.Motion = int64(i), int64(i), 4, none, "folder/file.parquet#7"
		s.add(&r)
	}
	s.Finish()
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	all := strings.Repeat("=", 40)
	for _, want := range []string{
		" 0  |" + all + "| free", " 1  |" + all[:10] + "X" + strings.Repeat(".", 29) + "| contact", " 2  |" + all[:39] + "X| undecided",
		" 3  |X" + strings.Repeat(".", 39) + "| contact", " 4  |" + strings.Repeat(" ", 40) + "| invalid", " file.parquet#7\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

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

// What a summary has no room for it does not drop without a word.
func TestSummarySaysThatThereIsMore(t *testing.T) {
	for _, n := range []int{maxRemarks, maxRemarks + 1} {
		s := NewSummary(0, 0, nil)
		for i := range n {
			s.add(&Row{Index: int64(i), Motion: "m", Status: "free", Episode: -1, Premises: fmt.Sprint("a premise of its own, ", i), ClearanceLo: math.NaN()})
		}
		s.Finish()
		var b strings.Builder
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		if more := n > maxRemarks; s.MoreRemarks != more || strings.Contains(b.String(), "more sorts of premises") != more || len(s.Premises) != maxRemarks {
			t.Errorf("%d sorts: more %v, %d listed", n, s.MoreRemarks, len(s.Premises))
		}
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

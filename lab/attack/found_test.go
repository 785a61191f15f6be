package attack

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// found is what a block has found.
type found struct {
	Robot  string
	Seed   uint64
	Number uint64
	Commit string `json:",omitempty"`

	Motions, NearMisses      int
	Questions                int // asked about the motions
	Free, Contact, Undecided int // to the question for the first contact
	AtStart                  int // contacts there already, of which nothing is to be proved
	Poses                    int // judged one by one, without FCL
	Doubted, Shared, Whole   int // of them by FCL too: in doubt, drawn, of motions of which it judged all
	Clearances               int // proved, of motions all of whose poses were held against them
	Proofs, Items            int // verified
	Corrupted                int // proofs that had to be refused
	Batched                  int // configurations and motions that were asked about together
	Enclosed                 int // contacts within a closed mesh whose faces FCL's judge finds turned both ways

	// What is wrong, and what is within the tolerance.
	Ties, Refuted, Disagree   int
	Unconfirmed, ProofsFailed int
	Believed                  int // corrupted proofs
	Needless                  int // of these sealed anew, that prove as much as before
	Misjudged                 int // by the judge of poses, as FCL has it
	Seconds                   float64
}

func (f *found) wrong() int {
	return f.Refuted + f.Disagree + f.Unconfirmed + f.ProofsFailed + f.Believed + f.Misjudged
}

func (f *found) add(g *found) {
	f.Motions += g.Motions
	f.NearMisses += g.NearMisses
	f.Questions += g.Questions
	f.Free += g.Free
	f.Contact += g.Contact
	f.Undecided += g.Undecided
	f.AtStart += g.AtStart
	f.Poses += g.Poses
	f.Doubted += g.Doubted
	f.Shared += g.Shared
	f.Whole += g.Whole
	f.Clearances += g.Clearances
	f.Proofs += g.Proofs
	f.Items += g.Items
	f.Corrupted += g.Corrupted
	f.Batched += g.Batched
	f.Enclosed += g.Enclosed
	f.Ties += g.Ties
	f.Refuted += g.Refuted
	f.Disagree += g.Disagree
	f.Unconfirmed += g.Unconfirmed
	f.ProofsFailed += g.ProofsFailed
	f.Believed += g.Believed
	f.Needless += g.Needless
	f.Misjudged += g.Misjudged
	f.Seconds += g.Seconds
}

func total(list []found) found {
	all := found{Robot: "all"}
	for i := range list {
		all.add(&list[i])
	}
	return all
}

// share of the motions that do not begin in contact and come to one.
func (f *found) share() float64 {
	return float64(f.Contact-f.AtStart) / math.Max(1, float64(f.Motions-f.AtStart))
}

// report sums up, this run and those in the log together. A robot whose motions
// almost all are free, or almost none, was not attacked: that fails.
func (l *ledger) report(t *testing.T) {
	all := total(l.done)
	robots, commits := map[string]*found{}, map[string]int{}
	for i := range l.done {
		f := &l.done[i]
		if robots[f.Robot] == nil {
			robots[f.Robot] = &found{Robot: f.Robot}
		}
		robots[f.Robot].add(f)
		commits[f.Commit] += f.Motions
	}
	rows := []*found{&all}
	for _, f := range robots {
		rows = append(rows, f)
	}
	slices.SortFunc(rows[1:], func(a, b *found) int { return cmp.Compare(a.Robot, b.Robot) })
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "robot\tmotions\tquestions\tnear misses\tfree\tcontact\tat start\tundecided\thit %\tposes\tFCL doubted\tdrawn\twhole\tclearances\tproofs\titems\tcorrupted\tbatched\tenclosed\tties\twrong\tms a motion\t")
	for _, f := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t\n", f.Robot, f.Motions, f.Questions, f.NearMisses, f.Free, f.Contact, f.AtStart, f.Undecided, 100*f.share(),
			f.Poses, f.Doubted, f.Shared, f.Whole, f.Clearances, f.Proofs, f.Items, f.Corrupted, f.Batched, f.Enclosed, f.Ties, f.wrong(), 1e3*f.Seconds/math.Max(1, float64(f.Motions)))
		if f.Motions >= 2*blockMotions && (f.share() < 0.1 || f.share() > 0.85) {
			t.Errorf("%s: %.0f %% of the motions collide: the attack is one-sided", f.Robot, 100*f.share())
		}
	}
	w.Flush()
	t.Logf("seed %d, %d blocks, motions by commit %v\n%s", seed(), len(l.done), commits, &b)
	if all.wrong() > 0 {
		t.Errorf("%d refuted, %d disagree, %d unconfirmed, %d proofs failed, %d corrupted proofs believed, %d poses misjudged", all.Refuted, all.Disagree, all.Unconfirmed, all.ProofsFailed, all.Believed, all.Misjudged)
	}
	if all.Motions == 0 {
		t.Error("nothing was tried")
		return
	}
	if all.Undecided > all.Motions/200 {
		t.Errorf("%d of %d undecided", all.Undecided, all.Motions)
	}
}

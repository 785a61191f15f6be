// Package agreement holds the verdicts of methods against each other.
//
// Two methods disagree where one has a witness, no farther apart than the clearance,
// at a time that the other has proved free. A witness a little farther apart, within
// the tolerance, makes a tie: there either answer is true.
//
// It knows nothing of how a verdict is found. Its tests ask the methods about the
// collections beside the repository; those of package ccd ask about random robots.
package agreement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Answer is what a method said.
type Answer struct {
	Method  motion.Method
	Verdict motion.Verdict
}

// Tally counts what became of questions that were put to several methods. The zero
// value is ready.
type Tally struct {
	Questions     int
	Free, Contact int // as those say that decided
	Ties          int // pairs of answers, of which both are true
	Disagreements int
	Broken        int // verdicts that contradict themselves or the question
	Undecided     map[motion.Method]int
}

// Add counts the answers to a question about one motion and returns, in words, what
// is wrong with them.
func (t *Tally) Add(q *motion.Query, answers []Answer) (wrong []string) {
	t.Questions++
	t.count(answers)
	for i := range answers {
		a := &answers[i]
		if fault := Fault(q, &a.Verdict); fault != "" {
			t.Broken++
			wrong = append(wrong, fmt.Sprintf("%s %s", a.Method, fault))
		}
		for j := range answers {
			wrong = append(wrong, t.compare(q, a, &answers[j])...)
		}
	}
	return wrong
}

// count counts the statuses of the answers to one question.
func (t *Tally) count(answers []Answer) {
	free, contact := false, false
	for i := range answers {
		switch a := &answers[i]; a.Verdict.Status {
		case motion.Free:
			free = true
		case motion.Contact:
			contact = true
		default:
			if t.Undecided == nil {
				t.Undecided = map[motion.Method]int{}
			}
			t.Undecided[a.Method]++
		}
	}
	switch {
	case contact:
		t.Contact++
	case free:
		t.Free++
	}
}

// compare holds what one method proved against the witness of another.
func (t *Tally) compare(q *motion.Query, proof, witness *Answer) []string {
	switch Compare(q, &proof.Verdict, &witness.Verdict) {
	case Tie:
		t.Ties++
	case Disagree:
		t.Disagreements++
		w := &witness.Verdict
		return []string{fmt.Sprintf("%s proved it free until %.12g, %s has %s and %s %g m apart at %.12g",
			proof.Method, provenUntil(&proof.Verdict), witness.Method, w.Contact.Pair.A.Name, w.Contact.Pair.B.Name, w.Contact.Distance, w.Contact.Time)}
	}
	return nil
}

// Outcome is what a comparison of two verdicts tells.
type Outcome uint8

// The outcomes.
const (
	Agree    Outcome = iota
	Tie              // a witness at a time that is proved free, farther apart than the clearance: both are true
	Disagree         // one verdict is wrong
)

// Compare holds the proof of one verdict about a motion against the witness of another.
func Compare(q *motion.Query, proof, witness *motion.Verdict) Outcome {
	switch w := &witness.Contact; {
	case witness.Status != motion.Contact || w.Time >= provenUntil(proof):
		return Agree
	case w.Distance > q.Clearance:
		return Tie
	}
	return Disagree
}

// provenUntil is the time before which a verdict says that nothing touches.
func provenUntil(v *motion.Verdict) float64 {
	switch v.Status {
	case motion.Free:
		return v.ProvenUntil + 1 // its end included
	case motion.Contact:
		return v.TOC.Lo
	}
	return v.ProvenUntil
}

// Fault tells in what a verdict contradicts itself or the question; empty if in nothing.
func Fault(q *motion.Query, v *motion.Verdict) string {
	if v.Status != motion.Contact {
		return ""
	}
	within := func(x, def float64) float64 {
		if x > 0 {
			return x
		}
		return def
	}
	switch far, late := within(q.Tolerance, motion.DefaultTolerance), within(q.TimeTolerance, motion.DefaultTimeTolerance); {
	case !(v.Contact.Distance <= (q.Clearance+far)*(1+1e-12)):
		return fmt.Sprintf("calls %g m a contact", v.Contact.Distance)
	case !(v.TOC.Lo <= v.TOC.Hi):
		return fmt.Sprintf("has contact within %v", v.TOC)
	case q.Question != motion.IsFree && v.TOC.Hi-v.TOC.Lo > late*(1+1e-9):
		return fmt.Sprintf("leaves %g s for the first contact", v.TOC.Hi-v.TOC.Lo)
	case v.Contact.Time != v.TOC.Hi:
		return fmt.Sprintf("has a witness at %g for a contact at %g", v.Contact.Time, v.TOC.Hi)
	}
	return ""
}

// String tells the counts.
func (t *Tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d questions: %d free, %d contact; %d disagreements, %d ties, %d broken", t.Questions, t.Free, t.Contact, t.Disagreements, t.Ties, t.Broken)
	for _, m := range slices.Sorted(maps.Keys(t.Undecided)) {
		fmt.Fprintf(&b, "; undecided by %s: %d", m, t.Undecided[m])
	}
	return b.String()
}

package ccd

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// What a recording leaves open takes back what is said of the time from there on, and
// nothing of the time before.
func TestRecordingGap(t *testing.T) {
	folds := func(to float64, gaps ...premise.Premise) *motion.Motion {
		m, err := motion.Between([]string{"elbow"}, []float64{0}, []float64{to}, 1)
		if err != nil {
			t.Fatal(err)
		}
		m.Gaps = gaps
		return m
	}
	gap := func(at float64) premise.Premise {
		return premise.Premise{Kind: premise.RecordingGap, Names: []string{"elbow"}, Value: at, Detail: "nothing is known", Remedy: "record it"}
	}
	other := premise.Premise{Kind: premise.Start, Names: []string{"elbow"}, Detail: "starts elsewhere", Remedy: "move it there"}
	touches := verdictOn(t, folds(3.1), nil).TOC.Lo // the fore bar meets the base
	for _, c := range []struct {
		name   string
		m      *motion.Motion
		accept premise.Accept
		want   motion.Status
		until  float64 // ProvenUntil, or TOC.Lo of a contact
	}{
		{"free", folds(1, gap(0.25)), nil, motion.Undecided, 0.25},
		{"the first counts", folds(1, gap(0.5), gap(0.25)), nil, motion.Undecided, 0.25},
		{"from the start", folds(1, gap(0)), nil, motion.Undecided, 0},
		{"another gap", folds(1, gap(0.25), other), nil, motion.Undecided, 0},
		{"accepted", folds(1, gap(0.25)), premise.Accept{"recording-gap:elbow"}, motion.Free, 1},
		{"another joint accepted", folds(1, gap(0.25)), premise.Accept{"recording-gap:wrist"}, motion.Undecided, 0.25},
		{"contact after it", folds(3.1, gap(0.25)), nil, motion.Contact, 0.25},
		{"contact before it", folds(3.1, gap(0.999)), nil, motion.Contact, touches},
		{"contact, and another gap", folds(3.1, gap(0.999), other), nil, motion.Contact, 0},
		{"backwards", backwards(t, folds(1, gap(0.25))), nil, motion.Undecided, 0},
	} {
		v := verdictOn(t, c.m, c.accept)
		until := v.ProvenUntil
		if v.Status == motion.Contact {
			until = v.TOC.Lo
		}
		if v.Status != c.want || until != c.until {
			t.Errorf("%s: %v until %g (%s), want %v until %g", c.name, v.Status, until, v.Reason, c.want, c.until)
		}
	}
}

func backwards(t *testing.T, m *motion.Motion) *motion.Motion {
	t.Helper()
	r, err := m.Reverse()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func verdictOn(t *testing.T, m *motion.Motion, accept premise.Accept) motion.Verdict {
	t.Helper()
	c, err := New(folding(1), nil, Options{Accept: accept})
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Check(context.Background(), m, motion.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const (
	shared    = "../../../shared"
	crane     = "../../testdata/corpus/crane.scene"
	craneSegs = "../../testdata/corpus/crane.segs"
)

// effort is how closely the samples lie, in rad (or m) of the joint that moves
// most, and which segments are taken.
type effort struct {
	resolution float64
	stride     int
}

// By default every 13th segment is sampled at 0.005 rad; FIRSTCONTACT_LONG takes
// all, at 0.0005 rad: a hundredth of what planners sample at.
func effortAsked() effort {
	if switches.Long.Set() {
		return effort{0.0005, 1}
	}
	return effort{0.005, 13}
}

// contest counts how verdicts and FCL's samples met.
type contest struct {
	name                               string
	segments, free, contact, undecided int
	missed, late, refuted, ties        int
	samples, foundBetween              int     // contacts that no sample saw
	farthest                           float64 // m between the pair at TOC.Hi, for FCL
}

// TestTruth holds the verdicts of both questions, first contact and yes or no,
// on the comparison's corpus against FCL, at the default tolerance of 1e-6 m.
//
//	missed  Free, but a sample touches, or the start lies inside a solid
//	late    a sample touches before the time until which Contact says nothing does
//	false   Contact, but for FCL the pair is farther apart at that time than the tolerance
//
// Contacts that lie between the samples are counted: FCL confirms them all the
// same at the time that the verdict names.
func TestTruth(t *testing.T) {
	folder, err := corpusIn(shared)
	if err != nil {
		t.Skip(err)
	}
	var all []*contest
	for _, s := range inFolder(folder) {
		t.Run(s.name, func(t *testing.T) {
			if large := s.noEnv || s.scene == filepath.Join(folder, "panda_pipes190k.scene"); large && race.Enabled {
				t.Skip("a large model, and nothing for the race detector to find")
			}
			all = append(all, hold(t, s, effortAsked()))
		})
	}
	t.Log("\n" + tableOf(all))
}

// TestTruthOfTheCrane is the same for a corpus made here.
func TestTruthOfTheCrane(t *testing.T) {
	c := hold(t, set{"crane", crane, craneSegs, false}, effort{0.001, 1})
	if c.free != 3 || c.contact != 4 || c.segments != 7 {
		t.Errorf("%d free and %d contacts of %d, want 3 and 4 of 7", c.free, c.contact, c.segments)
	}
}

// TestTruthNotices gives the judge wrong verdicts about the crane: each must be
// refuted, in its own column.
func TestTruthNotices(t *testing.T) {
	x, motions, checker := stage(t, set{"crane", crane, craneSegs, false})
	for _, c := range []struct {
		name    string
		segment int
		spoil   func(v *motion.Verdict)
		want    contest // the column
		says    string
	}{
		{"nothing is wrong", 2, func(*motion.Verdict) {}, contest{}, ""},
		{"free, though it touches on the way", 2, func(v *motion.Verdict) { v.Status = motion.Free }, contest{missed: 1}, "free, but at"},
		{"free, though it begins in contact", 6, func(v *motion.Verdict) { v.Status = motion.Free }, contest{missed: 1}, "free, but at"},
		{"a contact told a hundredth late", 2, func(v *motion.Verdict) { v.TOC.Lo += 0.01; v.TOC.Hi += 0.01 }, contest{late: 1}, "touch for FCL"},
		{"a contact told 1e-5 late", 2, func(v *motion.Verdict) { v.TOC.Lo += 1e-5; v.TOC.Hi += 1e-5 }, contest{late: 1}, "but for FCL they do"},
		{"a contact told too early", 1, func(v *motion.Verdict) { v.TOC.Lo -= 1e-5; v.TOC.Hi -= 1e-5 }, contest{refuted: 1}, "m apart"},
		{"a contact of another pair", 1, func(v *motion.Verdict) { v.Contact.Pair.A.Name = "arm" }, contest{refuted: 1}, "m apart"},
		{"a contact that is none", 5, func(v *motion.Verdict) {
			*v = motion.Verdict{Status: motion.Contact, TOC: motion.Interval{Lo: 1, Hi: 1}, Contact: motion.Witness{Pair: motion.Pair{A: motion.Body{Name: "tip"}, B: motion.Body{Name: "wall"}}}}
		}, contest{refuted: 1}, "0.0001"},
		{"undecided", 0, func(v *motion.Verdict) { v.Status = motion.Undecided }, contest{}, "undecided"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := checker.Check(context.Background(), motions[c.segment], motion.Query{})
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(&v)
			*x.contest, x.motion = contest{}, motions[c.segment]
			if x.first, err = x.sample(0.001); err != nil {
				t.Fatal(err)
			}
			err = x.meet(v)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("the judge says: %v, want: %s", err, c.says)
			}
			if x.missed != c.want.missed || x.late != c.want.late || x.refuted != c.want.refuted {
				t.Errorf("counted %+v, want %+v", *x.contest, c.want)
			}
		})
	}
}

// TestTruthSeesInside: a part that lies inside a solid touches it, though no
// surfaces do.
func TestTruthSeesInside(t *testing.T) {
	folder := t.TempDir()
	cube, err := filepath.Abs("../../testdata/corpus/cube.obj")
	if err != nil {
		t.Fatal(err)
	}
	scene := "ccdscene 1\nlink base - fixed 0 0 0 0 0 0 0 0 1 0 0\nlink mote base prismatic 0 0 0 0 0 0 1 0 0 -1 1\n" +
		"body mote " + cube + " 0.1 0.1 0.1 0 0 0 0 0 0\nenv block " + cube + " 0 0 0 0 0 0\n"
	s := set{"inside", filepath.Join(folder, "inside.scene"), filepath.Join(folder, "inside.segs"), false}
	for path, text := range map[string]string{s.scene: scene, s.segments: "seg 0 0.2\nseg 0.6 0.7\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c := hold(t, s, effort{0.01, 1}); c.contact != 1 || c.free != 1 || c.foundBetween != 1 {
		t.Errorf("%+v", *c)
	}
	x, motions, _ := stage(t, s)
	x.motion = motions[0]
	if err := x.meet(motion.Verdict{Status: motion.Free}); err == nil || x.missed != 1 {
		t.Errorf("free inside the block: the judge says %v", err)
	}
}

// hold judges every stride-th segment of a set and fails on what FCL refutes.
func hold(t *testing.T, s set, e effort) *contest {
	t.Helper()
	x, motions, checker := stage(t, s)
	for i := 0; i < len(motions); i += e.stride {
		x.motion = motions[i]
		if err := x.try(checker, motion.Query{NoWorld: s.noEnv}, e.resolution); err != nil {
			t.Errorf("segment %d (from 0) of %s: %v\n  from %v\n  to   %v", i, s.segments, err, motions[i].At(0), motions[i].At(1))
		}
	}
	if e.stride == 1 && (x.free == 0 || x.contact == 0) {
		t.Errorf("one-sided: %+v", *x.contest)
	}
	return x.contest
}

// stage loads a set for both sides.
func stage(t *testing.T, s set) (*exhibit, []*motion.Motion, *ccd.Checker) {
	t.Helper()
	scene, err := corpus.Load(s.scene)
	if err != nil {
		t.Fatal(err)
	}
	motions, err := scene.Segments(s.segments)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := ccd.New(scene.Robot, scene.World, ccd.Options{Allowed: scene.Rigid()})
	if err != nil {
		t.Fatal(err)
	}
	x := &exhibit{judge: newJudge(t, s.scene), contest: &contest{name: s.name}, scope: oracle.Both}
	if s.noEnv {
		x.scope = oracle.Self
	}
	return x, motions, checker
}

// exhibit is one segment before the judge.
type exhibit struct {
	*judge
	*contest
	scope  oracle.Scope
	motion *motion.Motion
	first  oracle.SegmentResult // the first sample that touches
}

// try asks both questions and holds the answers against the samples.
func (x *exhibit) try(checker *ccd.Checker, q motion.Query, resolution float64) error {
	x.segments++
	first, err := checker.Check(context.Background(), x.motion, q)
	if err != nil {
		return err
	}
	q.Question = motion.IsFree
	either, err := checker.Check(context.Background(), x.motion, q)
	if err != nil {
		return err
	}
	if x.first, err = x.sample(resolution); err != nil {
		return err
	}
	x.count(first, either)
	if err := x.meet(first); err != nil {
		return fmt.Errorf("first contact: %w", err)
	}
	if err := x.meet(either); err != nil {
		return fmt.Errorf("yes or no: %w", err)
	}
	return nil
}

// count enters the answers into the table. Where one question is answered Free
// and the other Contact, both within their rights, the segment is a tie.
func (x *exhibit) count(first, either motion.Verdict) {
	switch first.Status {
	case motion.Free:
		x.free++
	case motion.Contact:
		x.contact++
		if !x.first.Hit {
			x.foundBetween++
		}
	}
	if first.Status == motion.Undecided || either.Status == motion.Undecided {
		x.undecided++
	} else if first.Status != either.Status {
		x.ties++
	}
}

// sample has FCL look along the segment.
func (x *exhibit) sample(resolution float64) (oracle.SegmentResult, error) {
	from, to := x.motion.At(0), x.motion.At(1)
	longest := 0.0
	for i := range from {
		longest = math.Max(longest, math.Abs(to[i]-from[i]))
	}
	n := max(100, int(math.Ceil(longest/resolution))+1)
	r, err := x.Segment(n, x.scope, from, to)
	if r.Hit {
		n = 1 + int(math.Round(r.Time*float64(n-1)))
	}
	x.samples += n
	return r, err
}

func (x *exhibit) meet(v motion.Verdict) error {
	switch v.Status {
	case motion.Free:
		return x.meetFree()
	case motion.Contact:
		return x.meetContact(v)
	}
	return fmt.Errorf("undecided: %s", v.Reason)
}

func (x *exhibit) meetFree() error {
	if x.first.Hit {
		x.missed++
		return fmt.Errorf("free, but at %.9f %v touch for FCL", x.first.Time, x.first.Pairs)
	}
	// Surfaces apart at all samples, and nothing inside anything at one of them.
	inside, err := x.touchesInside(x.motion.At(0))
	if len(inside) > 0 {
		x.missed++
		return fmt.Errorf("free, but at the start one of %v lies inside the other", inside)
	}
	return err
}

func (x *exhibit) meetContact(v motion.Verdict) error {
	pair := oracle.Pair{A: v.Contact.Pair.A.Name, B: v.Contact.Pair.B.Name}
	if x.first.Hit && x.first.Time < v.TOC.Lo {
		x.late++
		return fmt.Errorf("contact of %v from %.9f on, but already at %.9f %v touch for FCL", pair, v.TOC.Lo, x.first.Time, x.first.Pairs)
	}
	if err := x.meetApproach(v, pair); err != nil {
		return err
	}
	d, err := x.apart(pair, x.motion.At(v.TOC.Hi), within)
	if err != nil {
		return err
	}
	x.farthest = math.Max(x.farthest, d)
	if d > within {
		x.refuted++
		return fmt.Errorf("%v touch at %.9f, but for FCL they are %g m apart there", pair, v.TOC.Hi, d)
	}
	return nil
}

// within is the tolerance of the verdicts and what FCL's model of the meshes may
// differ from ours: assimp holds the coordinates of OBJ files as single floats,
// which below 2 m are off by 6e-8 m each and so by 1.1e-7 m in a point's place.
const within = motion.DefaultTolerance + 1.1e-7

// meetApproach looks closely at the pair just before the contact, where samples
// along the whole segment may have passed it over.
func (x *exhibit) meetApproach(v motion.Verdict, pair oracle.Pair) error {
	const samples, stretch = 50, 0.005
	if v.TOC.Lo <= 0 {
		return nil
	}
	begin := math.Max(0, v.TOC.Lo-stretch)
	d, at, err := x.PairNear(pair, samples, begin, v.TOC.Lo, x.motion.At(0), x.motion.At(1))
	if err != nil {
		return err
	}
	x.samples += samples
	if d <= 0 {
		x.late++
		return fmt.Errorf("%v do not touch before %.9f, but for FCL they do at %.9f", pair, v.TOC.Lo, at)
	}
	return nil
}

func tableOf(all []*contest) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "set\tsegments\tfree\tcontact\tundecided\tmissed\tlate\tfalse\tties\tsamples\tbetween samples\tfarthest at TOC")
	for _, c := range all {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.3g m\n",
			c.name, c.segments, c.free, c.contact, c.undecided, c.missed, c.late, c.refuted, c.ties, c.samples, c.foundBetween, c.farthest)
	}
	w.Flush()
	return b.String()
}

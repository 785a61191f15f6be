package show

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A motion of ordinary length is drawn as it is; one that is too long for a page at some of its
// configurations, and exactly at the moments.
func TestLongMotionsAreSampled(t *testing.T) {
	const joints, rows = 40, 60000
	times, positions := make([]float64, rows), make([][]float64, rows)
	poses := make([]geom.Pose, rows)
	names := make([]string, joints)
	for k := range names {
		names[k] = string(rune('a' + k))
	}
	for i := range times {
		times[i], positions[i] = float64(i)/100, make([]float64, joints)
		for k := range joints {
			positions[i][k] = math.Sin(times[i] + float64(k))
		}
		poses[i] = geom.Pose{R: geom.RPY(0, 0, math.Sin(times[i])), P: geom.Vec{X: times[i]}}
	}
	m, err := motion.Path(names, positions, times)
	if err != nil {
		t.Fatal(err)
	}
	if m.Root, err = motion.RootThrough(times, poses); err != nil {
		t.Fatal(err)
	}
	moments := []Moment{{Kind: AtContact, Time: 123.456789}, {Kind: AtClosest, Time: 400.0001}}
	got, n := drawn(m, moments)
	if n == 0 || n != len(got.Pieces)+1 || (len(got.Pieces)-len(moments))*joints > mostNumbers || n < 20000 {
		t.Fatalf("%d configurations, %d pieces", n, len(got.Pieces))
	}
	if got.Duration() != m.Duration() {
		t.Errorf("it ends at %g s, not at %g s", got.Duration(), m.Duration())
	}
	for _, at := range []float64{0, moments[0].Time, moments[1].Time, m.Duration()} {
		for k, x := range got.At(at) {
			if d := math.Abs(x - m.At(at)[k]); d > 1e-12 {
				t.Errorf("at %g s joint %d is drawn %g off", at, k, d)
			}
		}
		if d := geom.Norm(r3.Sub(got.RootAt(at).P, m.RootAt(at).P)); d > 1e-9 {
			t.Errorf("at %g s the root is drawn %g m off", at, d)
		}
	}
	if d := math.Abs(got.At(321.987)[3] - m.At(321.987)[3]); d > 1e-3 {
		t.Errorf("between, it is drawn %g off", d)
	}
	short := *m
	short.Pieces, short.Root = m.Pieces[:100], m.Root[:100]
	if got, n := drawn(&short, moments); got != &short || n != 0 {
		t.Errorf("a short motion is sampled at %d configurations", n)
	}
}

// The moments of a verdict begin with what matters most.
func TestMomentsOfVerdicts(t *testing.T) {
	pair := motion.Pair{A: motion.Body{Name: "a"}, B: motion.Body{Name: "b"}}
	contact := func(at float64) *motion.Verdict {
		return &motion.Verdict{Status: motion.Contact, TOC: motion.Interval{Lo: at, Hi: at}, Contact: motion.Witness{Pair: pair, Time: at}}
	}
	closest := &motion.Verdict{Status: motion.Free, MinClearance: motion.Clearance{Known: true, At: motion.Witness{Pair: pair, Time: 3}}}
	twice := contact(1)
	twice.Contacts = []motion.Witness{twice.Contact, {Pair: pair}}
	for name, tc := range map[string]struct {
		v, touch *motion.Verdict
		kinds    []MomentKind
		points   int
	}{
		"contact":           {twice, nil, []MomentKind{AtContact}, 2},
		"margin":            {contact(1), closest, []MomentKind{AtClearance}, 1},
		"margin, then more": {contact(1), contact(2), []MomentKind{AtContact, AtClearance}, 1},
		"free":              {&motion.Verdict{Status: motion.Free}, nil, nil, 0},
		"free, closest":     {closest, nil, []MomentKind{AtClosest}, 1},
		"undecided":         {&motion.Verdict{ProvenUntil: 2}, nil, []MomentKind{AtProven}, 0},
	} {
		var kinds []MomentKind
		moments := MomentsOf(tc.v, tc.touch)
		for _, m := range moments {
			kinds = append(kinds, m.Kind)
		}
		if !slices.Equal(kinds, tc.kinds) || len(moments) > 0 && len(moments[0].Witnesses) != tc.points {
			t.Errorf("%s: %+v", name, moments)
		}
	}
}

// A part of a scattered list is spread over all of it.
func TestScattered(t *testing.T) {
	list := make([]float64, 80)
	for i := range list {
		list[i] = float64(i)
	}
	got := scattered(list)
	part := slices.Sorted(slices.Values(got[:12]))
	for i := 1; i < len(part); i++ {
		if part[i]-part[i-1] > 10 {
			t.Errorf("nothing from %g to %g", part[i-1], part[i])
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, list) {
		t.Errorf("%v", got)
	}
}

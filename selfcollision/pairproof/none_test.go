package pairproof

import (
	"fmt"
	"testing"
)

func TestMerge(t *testing.T) {
	before := []Pair{{A: 0, B: 1, Meets: Never}, {A: 0, B: 2, VolumeLeft: 0.5}, {A: 1, B: 2, VolumeLeft: 0.5}, {A: 0, B: 3, VolumeLeft: 0.1}}
	after := []Pair{{A: 0, B: 1}, {A: 0, B: 2, Meets: Sometimes}, {A: 1, B: 2, VolumeLeft: 0.4}, {A: 0, B: 3, VolumeLeft: 0.2}, {A: 1, B: 3}, {A: 1, B: 3, Meets: Always}}
	got := ""
	for _, p := range Merge(before, after) {
		got += fmt.Sprintf("%d%d %v %g; ", p.A, p.B, p.Meets, p.VolumeLeft)
	}
	if want := "01 never 0; 02 sometimes 0; 12 undecided 0.4; 03 undecided 0.1; 13 always 0; "; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if before[1].Meets != Undecided {
		t.Error("what was known is overwritten")
	}
}

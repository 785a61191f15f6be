package everykind

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaults(t *testing.T) {
	inner := Inner{Tag: 7, Short: "none"}
	want := Everything{
		I16: -5, Letter: 'A', U16: 65535, Yes: true, F32: 1.5, F64: -0.0025, Text: "hello, [world]",
		Triple: [3]float64{1, 2, 3}, Pair: [2]bool{true, false}, Words: [2]string{"a,b", "c"},
		Inners: [2]Inner{inner, inner}, Many: []uint16{1, 2}, Inner: inner,
	}
	if diff := cmp.Diff(want, NewEverything()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if NewAskResponse().Inner != inner {
		t.Error("a service's response lacks the defaults of what it contains")
	}
}

func TestConstants(t *testing.T) {
	if EverythingLeastInt64 != math.MinInt64 || EverythingMostUint64 != math.MaxUint64 || EverythingMask != 10 ||
		EverythingThird != float32(1)/3 || EverythingTiny != math.SmallestNonzeroFloat64 || !EverythingYes ||
		EverythingQuoted != `it"s 'here' ` || EverythingPlain != "two words" || AskResponseMaybe != 2 {
		t.Error("a constant differs from its definition")
	}
}

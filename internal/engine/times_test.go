package engine

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// A time in seconds is rounded away from what it claims.
func TestTimesAreRoundedOutward(t *testing.T) {
	for i := range switches.Long.Times(20000, 50) {
		d := chance.New(25, uint64(i))
		start := [...]float64{0, d.Spread(1e-6, 1e9)}[d.IntN(2)]
		end := start + d.Spread(1e-6, 1e6)
		s := [...]float64{0, 1, d.Float64(), d.Spread(1e-12, 1), 1 - d.Spread(1e-16, 1e-3)}[d.IntN(5)]
		if !(end > start) {
			continue
		}
		want := exact.Of(start).Plus(exact.Of(s).Times(exact.Of(end).Minus(exact.Of(start))))
		below, above := TimeBelow(start, end, s), TimeAbove(start, end, s)
		if exact.Of(below).Exceeds(want) {
			t.Fatalf("case %d: %v is after %v + %v (%v - %v)", i, below, start, s, end, start)
		}
		if want.Exceeds(exact.Of(above)) {
			t.Fatalf("case %d: %v is before %v + %v (%v - %v)", i, above, start, s, end, start)
		}
		if below < start || above > end || above-below > 16*u*(end+end-start) {
			t.Fatalf("case %d: [%v, %v] for %v in [%v, %v]", i, below, above, s, start, end)
		}
	}
}

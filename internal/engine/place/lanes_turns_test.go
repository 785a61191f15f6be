package place_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

// twoPi is 2 pi to 60 digits.
const twoPi = "6.28318530717958647692528676655900576839433879875021164194989"

// What is left of an angle differs from it by whole turns but for 4u of the angle, and is such as the kernels take, however large the
// angle is; of what is no number nothing is.
func TestTurnsAreSubtracted(t *testing.T) {
	const precision = 2000
	turn, _, err := big.ParseFloat(twoPi, 10, precision, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	try := func(angle float64) {
		left := place.LessTurns(angle)
		if !(math.Abs(left) <= lanes.MaxAngle) {
			t.Errorf("%g leaves %g", angle, left)
		}
		off := new(big.Float).SetPrec(precision).Sub(big.NewFloat(angle), big.NewFloat(left))
		turns, _ := new(big.Float).SetPrec(precision).Quo(off, turn).Float64()
		if math.Abs(turns) < 1e15 { // else the angle's own error is more than a turn
			off.Sub(off, new(big.Float).SetPrec(precision).Mul(turn, big.NewFloat(math.RoundToEven(turns))))
			x, _ := off.Float64()
			worst = max(worst, math.Abs(x)/(0x1p-53*math.Abs(angle)))
		}
	}
	d := chance.New(70, 0)
	for range 20000 {
		angle := d.Spread(lanes.MaxAngle, 1e18)
		try(angle)
		try(-angle)
		try(d.Spread(lanes.MaxAngle, 100))
	}
	for _, angle := range []float64{1e6, math.Nextafter(1e6, 2e6), math.Pi, 3 * math.Pi, 1e21, 1e100, math.MaxFloat64} {
		try(angle)
	}
	if t.Logf("up to %.2f u of the angle", worst); worst > 4 || worst < 0.5 {
		t.Errorf("an error of %g u of the angle", worst)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := place.LessTurns(x); got == got {
			t.Errorf("%g leaves %g", x, got)
		}
	}
}

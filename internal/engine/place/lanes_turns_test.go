package place_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/urdf"
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

// Joints are at the lanes' times where their motion has them, but for whole turns and for the rounding to float32 of an angle that
// the kernels take, whatever the motion's degree.
func TestAnglesAreThoseOfTheMotion(t *testing.T) {
	const v = 0x1p-24
	hinge := robots.Hinge{Kind: urdf.Revolute, Axis: ez, Parts: robots.Part(robots.At(0.1, 0, 0), robots.Ball(0.1))}
	s := newStage(t, robots.Of(nil, hinge), robots.World(robots.Object("o", robots.Ball(1), robots.At(5, 0, 0))), robots.Move([]float64{0, 1}))
	l := place.NewLanes(s.at)
	for i := range 4000 {
		d := chance.New(71, uint64(i))
		from, size := d.In(-8, 8), d.Spread(1e-3, 8)
		ctrl := []float64{from}
		for range d.IntN(4) {
			ctrl = append(ctrl, from+d.In(-size, size))
		}
		s.bind(t, robots.Move(ctrl))
		s.at.ReachFor(s.course)
		if !s.at.Load(s.course, 0) || !l.Bound() {
			t.Fatal("too large")
		}
		lo := d.In(0, 0.5)
		l.Bend(lo, d.In(lo+0.1, 1))
		l.Move()
		for k, angle := range l.AnglesOf(1) {
			x := float64(angle)
			off := math.Remainder(x-twin.Bernstein(ctrl, l.Times[k]), 2*math.Pi)
			if !(math.Abs(x) <= lanes.MaxAngle && math.Abs(off) <= 2*v+1e-14) {
				t.Errorf("case %d, %v at %g: %g, off by %.2f v", i, ctrl, l.Times[k], x, off/v)
			}
		}
	}
}

// A robot that moves after it was at rest bends as one that moved at once.
func TestLanesForgetRest(t *testing.T) {
	trials(t, 72, 60, func(tr *trial) {
		bends := func(l *place.Lanes) (out []float64) {
			tr.at.ReachFor(tr.course)
			if !tr.at.Load(tr.course, 0) || !l.Bound() {
				t.Fatal("too large")
			}
			out = append(out, l.Bend(tr.lo, tr.hi))
			for i := range tr.model.Real {
				if _, ok := l.Row(i); ok {
					out = append(out, l.BendFrom(i, 0))
				}
			}
			return out
		}
		used, moves := place.NewLanes(tr.at), tr.Motion
		tr.bind(t, resting(t, moves.Joints, make([]float64, len(moves.Joints))))
		for _, bend := range bends(used) {
			if bend != 0 {
				t.Errorf("at rest paths bend by %g", bend)
			}
		}
		tr.bind(t, moves)
		got, want := bends(used), bends(place.NewLanes(tr.at))
		if !slices.Equal(got, want) {
			t.Errorf("after a rest paths bend by %g, else by %g", got, want)
		}
	})
}

package rules_test

import (
	"math"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// pairOfBalls is two balls as BallsApart describes them: by their differences and sums.
type pairOfBalls struct {
	x0, x1                          geom.Vec
	h, accel, far, radii, clearance float64
}

// shared returns both balls, of which each has a half of all sums, exactly.
func (p *pairOfBalls) shared(slack float64) [2]rules.Ball {
	half := rules.Bounds{H: p.h, Accel: p.accel / 2, Far: p.far / 2}
	return [2]rules.Ball{
		rules.BallOf(p.x0, p.x1, p.radii/2+slack/2, half),
		rules.BallOf(geom.Vec{}, geom.Vec{}, p.radii/2+slack/2, half),
	}
}

// apart asks of the pair in both orders, beside others that overlap, and fails where the
// answers differ.
func (p *pairOfBalls) apart(t *testing.T, slack float64) bool {
	t.Helper()
	two := p.shared(slack)
	apart := make([]uint8, 2)
	rules.BallsParted(two[:], [][2]int32{{0, 1}, {0, 0}, {1, 0}, {1, 1}, {1, 0}, {0, 1}, {1, 1}, {0, 0}}, p.clearance, p.h, apart)
	switch {
	case apart[0] == 0b0101 && apart[1] == 0b0011:
		return true
	case apart[0] == 0 && apart[1] == 0:
		return false
	}
	t.Fatalf("%+v: bits %04b, %04b", *p, apart[0], apart[1])
	return false
}

func (p *pairOfBalls) room() exact.Num {
	return ruletest.RoomBalls(p.x0, p.x1, p.h, p.accel, p.far, p.radii, p.clearance)
}

// eachWay runs a test with the kernel and with its twin.
func eachWay(t *testing.T, f func(t *testing.T)) {
	for _, on := range []bool{true, false} {
		name := map[bool]string{true: "kernel", false: "twin"}[on]
		if on && !rules.HasVectors() {
			continue
		}
		rules.WithVectors(on, func() { t.Run(name, f) })
	}
}

func TestBallsPartedAgainstTheirTwin(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		var near ruletest.Verdicts
		for i := range switches.Long.Times(4000, 50) {
			d := ruletest.NewDice(123, uint64(i))
			p := pairOfBalls{
				x0: d.Vec(d.Spread(1e-3, 1e3)), x1: d.Vec(d.Spread(1e-6, 1e3)), h: d.Spread(1e-6, 10),
				accel: [...]float64{0, d.Spread(1e-3, 1e3)}[d.IntN(2)], far: d.Spread(1e-6, 1e3), clearance: [...]float64{0, d.Spread(1e-4, 1)}[d.IntN(2)],
			}
			switch d.IntN(5) {
			case 0: // almost a hit
				p.x1 = r3.Add(r3.Scale(d.Spread(1e-3, 1e3), p.x0), d.Vec(d.Spread(1e-12, 1e-3)))
			case 1:
				p.x1 = geom.Vec{}
			case 2: // speeds whose squares are lost
				p.x1 = r3.Scale(1e-160, p.x1)
			}
			slack := 32 * u * geom.Norm(p.x0)
			if p.radii = p.room().Float() + d.Offset(slack, geom.Norm(p.x0)); p.radii < 0 {
				continue
			}
			room, fast := p.room(), p.apart(t, slack)
			if near.Note(fast, room) {
				t.Fatalf("case %d: proved with %g to spare, |x0| %g", i, room.Float(), geom.Norm(p.x0))
			}
			if size := p.radii + p.clearance + math.Max(p.far, p.accel*p.h*p.h) + geom.Norm(p.x0); !fast && room.Exceeds(exact.Of(3*slack+64*u*size)) {
				t.Errorf("case %d: not proved with %g to spare, slack %g", i, room.Float(), slack)
			}
		}
		near.Want(t)
	})
}

// Where a distance is that of the radii to some last bits, and no slack covers anything, each
// rule alone proves nothing false.
func TestBallsPartedToTheLastBit(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		var proved, left int
		for i := range switches.Long.Times(20000, 50) {
			d := ruletest.NewDice(124, uint64(i))
			p := pairOfBalls{h: d.Float64(), radii: d.Spread(1e-3, 10), clearance: d.Spread(1e-3, 10), far: 1e9, accel: 1e9}
			asked := 0.0
			if d.IntN(2) == 0 {
				p.far = d.Spread(1e-3, 10)
				asked = p.far
			} else {
				p.accel = d.Spread(1e-3, 10)
				asked = p.accel * p.h * p.h / 2
			}
			far := p.radii + p.clearance + asked
			for range d.IntN(40) {
				far = math.Nextafter(far, [...]float64{0, math.Inf(1)}[i%2])
			}
			p.x0 = geom.Vec{X: far}
			if i%3 == 0 {
				p.x0 = geom.Vec{X: far * 3 / 13, Y: -far * 4 / 13, Z: far * 12 / 13}
			}
			if !p.apart(t, 0) {
				left++
				continue
			}
			if proved++; p.room().Sign() <= 0 {
				t.Fatalf("case %d: proved with %g to spare: %+v", i, p.room().Float(), p)
			}
		}
		if proved < 100 || left < 100 {
			t.Errorf("%d proved, %d not: a poor test", proved, left)
		}
	})
}

// Distances whose squares overflow prove nothing, whether or not slack says so too.
func TestBallsPartedOfEndlessDistances(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for _, x := range []float64{1e200, math.MaxFloat64, math.Inf(1), math.NaN()} {
			for _, accel := range []float64{0, 1e9} {
				p := pairOfBalls{x0: geom.Vec{Y: -x}, radii: 1, h: 0.5, accel: accel}
				if p.apart(t, 0) {
					t.Errorf("proved: %+v", p)
				}
			}
		}
	})
}

// Squares that are lost, or rounded up to the smallest number, prove nothing.
func TestBallsPartedOfLostSquares(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for _, accel := range []float64{0, 1e9} {
			p := pairOfBalls{x0: geom.Vec{X: 1.58e-162, Y: 1.58e-162, Z: 1.58e-162}, radii: 2.8e-162, h: 0.5, accel: accel}
			if p.apart(t, 0) {
				t.Errorf("proved: %+v", p)
			}
		}
	})
}

func TestBallsPartedOfExtremeNumbers(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		proved, finite := 0, 0
		for i := range switches.Long.Times(20000, 50) {
			d := ruletest.NewDice(125, uint64(i))
			p := pairOfBalls{
				x0: d.ExtremeVec(), x1: d.ExtremeVec(), h: math.Min(math.Abs(d.Extreme()), 1), accel: math.Abs(d.Extreme()), far: math.Abs(d.Extreme()),
				radii: math.Abs(d.Extreme()), clearance: math.Abs(d.Extreme()) * float64(d.IntN(2)),
			}
			if d.IntN(2) == 0 {
				p.h = d.Float64()
			}
			slack := 64*u*(ruletest.Norm1(p.x0)+p.h*ruletest.Norm1(p.x1)) + 0x1p-500
			fast := p.apart(t, slack)
			if !ruletest.IsNumber(p.x0.X, p.x0.Y, p.x0.Z, p.x1.X, p.x1.Y, p.x1.Z, p.h, p.accel, p.far, p.radii, p.clearance) {
				// An infinite bound on one of both sides leaves the other.
				if fast && !ruletest.IsNumber(p.x0.X, p.x0.Y, p.x0.Z, p.radii, p.clearance) {
					t.Fatalf("case %d: proved of %+v", i, p)
				}
				continue
			}
			finite++
			if fast {
				proved++
				if room := p.room(); room.Sign() <= 0 {
					t.Fatalf("case %d: proved of %+v: %v to spare", i, p, room)
				}
			}
		}
		if t.Logf("%d of %d proved", proved, finite); proved < 100 {
			t.Error("a poor test")
		}
	})
}

// The kernel gives its twin's bits, whatever the numbers.
func TestBallsKernelIsItsTwin(t *testing.T) {
	if !rules.HasVectors() {
		t.Skip("the processor has no such instructions")
	}
	if size := unsafe.Sizeof(rules.Ball{}); size != 64 {
		t.Fatalf("a ball has %d bytes: the kernel takes 64", size)
	}
	seen := [2]int{}
	for i := range switches.Long.Times(3000, 50) {
		d := ruletest.NewDice(126, uint64(i))
		number := func() float64 {
			if d.IntN(4) == 0 {
				return d.Extreme()
			}
			return d.Spread(1e-2, 1e2) * float64(1-2*d.IntN(2))
		}
		if i%2 == 0 {
			number = func() float64 { return d.Spread(1e-2, 1e2) * float64(1-2*d.IntN(2)) }
		}
		balls := make([]rules.Ball, 2+d.IntN(20))
		for k := range balls {
			var x [8]float64
			for j := range x {
				x[j] = number()
			}
			balls[k] = rules.RawBall(x)
		}
		pairs := make([][2]int32, 4*(1+d.IntN(9)))
		for k := range pairs {
			pairs[k] = [2]int32{int32(d.IntN(len(balls))), int32(d.IntN(len(balls)))}
		}
		clearance, h := number(), [...]float64{0, math.Copysign(0, -1), number(), d.Float64(), math.NaN(), math.Inf(1)}[d.IntN(6)]
		// What is behind the last byte stays as it is.
		kernel, twin := make([]uint8, len(pairs)/4+1), make([]uint8, len(pairs)/4+1)
		kernel[len(pairs)/4], twin[len(pairs)/4] = 0xa5, 0xa5
		rules.BallsParted(balls, pairs, clearance, h, kernel[:len(pairs)/4])
		rules.WithVectors(false, func() { rules.BallsParted(balls, pairs, clearance, h, twin[:len(pairs)/4]) })
		for k := range kernel {
			if kernel[k] != twin[k] {
				t.Fatalf("case %d, four %d of %d: kernel %04b, twin %04b, h %g", i, k, len(pairs)/4, kernel[k], twin[k], h)
			}
		}
		for k := range pairs {
			seen[kernel[k/4]>>(k%4)&1]++
		}
	}
	if seen[0] < 1000 || seen[1] < 1000 {
		t.Errorf("%d pairs apart, %d not: a poor test", seen[1], seen[0])
	}
}

package lanes_test

import (
	"bytes"
	"math"
	"testing"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// The kernels count in bytes: lab/kernels/lanes has the same numbers.
func TestSizes(t *testing.T) {
	var (
		pose  lanes.Pose
		joint lanes.Joint
		turn  lanes.Turn
		box   lanes.Box
		sweep lanes.Sweep
		eight lanes.Eight
		half  lanes.HalfSpace
		pair  [2]int32
	)
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"a pose", unsafe.Sizeof(pose), 384},
		{"a pose's position", unsafe.Offsetof(pose.P), 288},
		{"a joint", unsafe.Sizeof(joint), 64},
		{"a joint's parent", unsafe.Offsetof(joint.Parent), 48},
		{"a turn", unsafe.Sizeof(turn), 64},
		{"a turn's slide", unsafe.Offsetof(turn.Slide), 32},
		{"a box", unsafe.Sizeof(box), 32},
		{"a box's half", unsafe.Offsetof(box.Half), 12},
		{"a box's frame", unsafe.Offsetof(box.Frame), 24},
		{"what a box grows", unsafe.Offsetof(box.Grow), 28},
		{"a sweep", unsafe.Sizeof(sweep), 192},
		{"a sweep's upper end", unsafe.Offsetof(sweep.Hi), 96},
		{"a pair", unsafe.Sizeof(pair), 8},
		{"eight boxes' ends", unsafe.Sizeof(eight), 96},
		{"a half-space", unsafe.Sizeof(half), 48},
		{"a half-space's reach", unsafe.Offsetof(half.Reach), 16},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d bytes, the kernels take %d", c.name, c.got, c.want)
		}
	}
}

// floats are the numbers of some structures.
func floats[T any](x []T) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0]))/4)
}

// drawn returns structures of random numbers.
func drawn[T any](n int, number func() float32) []T {
	x := make([]T, n)
	for f := floats(x); len(f) > 0; f = f[1:] {
		f[0] = number()
	}
	return x
}

// numbers returns what draws the numbers of a case: ordinary ones, or also those near and
// beyond the ends of what a float32 can hold.
func numbers(d chance.Dice, wild bool) func() float32 {
	odd := [...]float32{0, 0x1p-149, 0x1p-140, 0x1p-126, 0x1p-75, 1, 0x1p63, 0x1p64, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN())}
	return func() float32 {
		x := float32(d.Spread(1e-2, 1e2))
		if wild && d.IntN(4) == 0 {
			if x = odd[d.IntN(len(odd))]; d.IntN(2) == 0 {
				x *= d.Float32()
			}
		}
		if d.IntN(2) == 0 {
			return -x
		}
		return x
	}
}

// eachCase runs a comparison of kernels with their twins on drawn numbers.
func eachCase(t *testing.T, f func(t *testing.T, i int, d chance.Dice, number func() float32)) {
	if !lanes.HasVectors() {
		t.Skip("the processor has no such instructions")
	}
	for i := range switches.Long.Times(1000, 100) {
		d := chance.New(201, uint64(i))
		if f(t, i, d, numbers(d, i%2 == 1)); t.Failed() {
			t.Fatalf("case %d", i)
		}
	}
}

// sameBits compares a kernel's results with its twin's; one NaN is as good as another.
func sameBits[T any](t *testing.T, kernel, twin []T) {
	t.Helper()
	a, b := floats(kernel), floats(twin)
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			t.Errorf("number %d of %d: kernel %g, twin %g", i, len(a), a[i], b[i])
			return
		}
	}
}

// both calls f with a kernel and with its twin, each with its copy of what is behind the
// results and must stay as it is.
func both[T any](t *testing.T, out []T, f func(out []T)) {
	t.Helper()
	kernel, twin := append([]T(nil), out...), append([]T(nil), out...)
	f(kernel)
	lanes.WithVectors(false, func() { f(twin) })
	sameBits(t, kernel, twin)
}

// drawEnds returns steps that are joined, separate, or end anywhere.
func drawEnds(d chance.Dice) lanes.Ends {
	switch d.IntN(3) {
	case 0:
		return lanes.Joined
	case 1:
		return lanes.Separate
	}
	var any lanes.Ends
	for k := range any {
		any[k] = int32(d.IntN(lanes.Times))
	}
	return any
}

func TestPlaceKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		n := i % 10
		poses, joints, turns := drawn[lanes.Pose](n+2, number), drawn[lanes.Joint](n+1, number)[:n], drawn[lanes.Turn](n+1, number)[:n]
		for j := range joints {
			joints[j].Parent = int32(d.IntN(j + 1))
		}
		both(t, poses, func(poses []lanes.Pose) { lanes.Place(poses, joints, turns) })
	})
}

func TestSweepKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		n := i % 10
		poses, boxes := drawn[lanes.Pose](1+d.IntN(3), number), drawn[lanes.Box](n+1, number)[:n]
		for j := range boxes {
			boxes[j].Frame = int32(d.IntN(len(poses)))
		}
		ends := drawEnds(d)
		both(t, drawn[lanes.Sweep](n+1, number), func(out []lanes.Sweep) { lanes.SweepBoxes(poses, boxes, &ends, out) })
	})
}

// Of zeros, whose signs the sums keep.
func TestSweepKernelOfZeros(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, _ func() float32) {
		zero := func() float32 { return float32(math.Copysign(0, d.Float64()-0.5)) }
		poses, boxes := drawn[lanes.Pose](1, zero), drawn[lanes.Box](1, zero)
		boxes[0].Frame = 0
		both(t, make([]lanes.Sweep, 1), func(out []lanes.Sweep) { lanes.SweepBoxes(poses, boxes, &lanes.Joined, out) })
	})
}

func TestMissedKernelIsItsTwin(t *testing.T) {
	var seen [2]int
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		s, ends := drawn[lanes.Sweep](1, number), drawn[lanes.Eight](2, number)
		for a := range 3 {
			for k := range lanes.Times {
				// Most of them so large that no one axis tells everything; some touch.
				if d.IntN(3) > 0 {
					s[0].Lo[a][k], s[0].Hi[a][k] = min(s[0].Lo[a][k], s[0].Hi[a][k]), max(s[0].Lo[a][k], s[0].Hi[a][k])
					ends[0][a][k], ends[1][a][k] = min(ends[0][a][k], ends[1][a][k]), max(ends[0][a][k], ends[1][a][k])
				}
				switch d.IntN(8) {
				case 0:
					ends[0][a][k] = s[0].Hi[a][d.IntN(lanes.Times)]
				case 1:
					ends[1][a][k] = s[0].Lo[a][d.IntN(lanes.Times)]
				}
			}
		}
		of := d.Uint32()
		if i < 256 {
			of = uint32(i)
		}
		kernel := [2][8]uint8{{165, 165, 165, 165, 165, 165, 165, 165}, {165, 165, 165, 165, 165, 165, 165, 165}}
		twin := kernel
		s[0].Missed(&ends[0], &ends[1], of, &kernel[0])
		lanes.WithVectors(false, func() { s[0].Missed(&ends[0], &ends[1], of, &twin[0]) })
		if kernel != twin {
			t.Errorf("%08b: kernel %08b, twin %08b", of, kernel, twin)
		}
		for j, set := range kernel[0] {
			if of>>j&1 == 1 {
				for k := range lanes.Steps {
					seen[set>>k&1]++
				}
			}
		}
	})
	if seen[0] < 1000 || seen[1] < 1000 {
		t.Errorf("%d missed, %d met: a poor test", seen[1], seen[0])
	}
}

func TestSumsKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		n, count := i%9, d.IntN(4)
		factors, rows := drawn[[1]float32](n+1, number), drawn[lanes.Row](n*count+1, number)
		both(t, drawn[lanes.Row](count+1, number), func(out []lanes.Row) { lanes.Sums(rows, floats(factors)[:n], out[:count]) })
	})
}

func TestApartKernelIsItsTwin(t *testing.T) {
	var seen [2]int
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		swept := drawn[lanes.Sweep](1+d.IntN(5), number)
		for j := range swept {
			s, other := &swept[j], &swept[d.IntN(len(swept))]
			for a := range 3 {
				for k := range lanes.Times {
					// Most of them so large that no one axis tells everything; some touch.
					if d.IntN(10) > 0 {
						s.Lo[a][k], s.Hi[a][k] = min(s.Lo[a][k], s.Hi[a][k]), max(s.Lo[a][k], s.Hi[a][k])
					}
					switch d.IntN(8) {
					case 0:
						s.Lo[a][k] = other.Hi[a][k]
					case 1:
						s.Hi[a][k] = other.Lo[a][k]
					}
				}
			}
		}
		pairs := make([][2]int32, i%20)
		for j := range pairs {
			pairs[j] = [2]int32{int32(d.IntN(len(swept))), int32(d.IntN(len(swept)))}
		}
		kernel := bytes.Repeat([]byte{165}, len(pairs)+1)
		twin := bytes.Clone(kernel)
		lanes.Apart(swept, pairs, kernel)
		lanes.WithVectors(false, func() { lanes.Apart(swept, pairs, twin) })
		if !bytes.Equal(kernel, twin) {
			t.Errorf("kernel %08b, twin %08b", kernel, twin)
		}
		for _, set := range kernel[:len(pairs)] {
			for k := range lanes.Steps {
				seen[set>>k&1]++
			}
		}
	})
	if seen[0] < 1000 || seen[1] < 1000 {
		t.Errorf("%d apart, %d not: a poor test", seen[1], seen[0])
	}
}

func TestDirectKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, _ int, _ chance.Dice, number func() float32) {
		p, n := drawn[lanes.Pose](1, number), drawn[[3]float32](2, number)
		both(t, drawn[lanes.Point](2, number), func(out []lanes.Point) { p[0].Direct(&n[0], &out[0]) })
	})
}

func TestSupportKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		count := 1 + i/2%9
		if d.IntN(4) == 0 {
			count += d.IntN(100)
		}
		p, n := drawn[lanes.Pose](1, number), drawn[lanes.Point](1, number)
		corners := drawn[[3]float32](count+2, number)[:count] // those behind would often be farthest
		both(t, drawn[lanes.Row](2, number), func(out []lanes.Row) { p[0].Support(corners, &n[0], &out[0]) })
	})
}

// Of zeros, among which a maximum chooses.
func TestSupportKernelOfZeros(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, _ func() float32) {
		zero := func() float32 { return float32(math.Copysign(0, d.Float64()-0.5)) }
		p, n, corners := drawn[lanes.Pose](1, zero), drawn[lanes.Point](1, zero), drawn[[3]float32](1+i%9, zero)
		both(t, make([]lanes.Row, 1), func(out []lanes.Row) { p[0].Support(corners, &n[0], &out[0]) })
	})
}

func TestGapKernelIsItsTwin(t *testing.T) {
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		if i%3 == 0 {
			number = few(d, number)
		}
		p, n := drawn[lanes.Pose](2, number), drawn[lanes.Point](1, number)
		a := drawn[[3]float32](3+i/2%9, number) // those behind would often be farthest
		b := drawn[[3]float32](3+d.IntN(20), number)
		both(t, drawn[lanes.Row](2, number), func(out []lanes.Row) {
			lanes.Gap(&p[0], a[:len(a)-2], &p[1], b[:len(b)-2], &n[0], &out[0])
		})
	})
}

// few returns what draws from few numbers, zeros of both signs among them, so that sums are often
// equal and often zero.
func few(d chance.Dice, number func() float32) func() float32 {
	return func() float32 {
		if d.IntN(20) == 0 {
			return number()
		}
		return float32(math.Copysign(float64(d.IntN(3)), d.Float64()-0.5))
	}
}

func TestBeyondKernelIsItsTwin(t *testing.T) {
	var seen [2]int
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		if i%3 == 0 {
			number = few(d, number)
		}
		n := i % 7
		half, ends := drawn[lanes.HalfSpace](n+1, number), drawn[lanes.Eight](2, number)
		for j := range half {
			for k := range half[j].Reach {
				if d.IntN(2) == 0 { // or little would not be beyond one of them
					half[j].Reach[k] = float32(math.Abs(float64(half[j].Reach[k]))) * 100
				}
			}
		}
		var had [8]uint8
		for j := range had {
			had[j] = uint8(d.IntN(256) & d.IntN(256) & d.IntN(256))
		}
		kernel, twin := had, had
		lanes.Beyond(half[:n], &ends[0], &ends[1], &kernel)
		lanes.WithVectors(false, func() { lanes.Beyond(half[:n], &ends[0], &ends[1], &twin) })
		if kernel != twin {
			t.Errorf("%d half-spaces: kernel %08b, twin %08b", n, kernel, twin)
		}
		for j, set := range kernel {
			if set&had[j] != had[j] || n == 0 && set != had[j] {
				t.Errorf("%d half-spaces: %08b became %08b", n, had[j], set)
			}
			for k := range lanes.Steps {
				seen[(set&^had[j])>>k&1]++
			}
		}
	})
	if seen[0] < 1000 || seen[1] < 1000 {
		t.Errorf("%d beyond, %d not: a poor test", seen[1], seen[0])
	}
}

func TestBesideKernelIsItsTwin(t *testing.T) {
	var seen [2]int
	eachCase(t, func(t *testing.T, i int, d chance.Dice, number func() float32) {
		if i%3 == 0 {
			number = few(d, number)
		}
		poses, boxes, grow := drawn[lanes.Pose](2, number), drawn[lanes.Box](2, number), number()
		base, own, p, box := &poses[0], &boxes[0], &poses[1], &boxes[1]
		for j := range base.R {
			if d.IntN(2) == 0 { // like the other's ends, or steps would hardly be apart at both
				for k := range base.R[j] {
					base.R[j][k], p.R[j][k] = base.R[j][0], p.R[j][0]
				}
			}
		}
		var kernel, twin uint8
		ends := drawEnds(d)
		kernel = lanes.Beside(base, own, p, box, &ends, grow)
		lanes.WithVectors(false, func() { twin = lanes.Beside(base, own, p, box, &ends, grow) })
		if kernel != twin {
			t.Errorf("kernel %08b, twin %08b", kernel, twin)
		}
		for k := range lanes.Steps {
			seen[kernel>>k&1]++
		}
	})
	if seen[0] < 1000 || seen[1] < 1000 {
		t.Errorf("%d apart, %d not: a poor test", seen[1], seen[0])
	}
}

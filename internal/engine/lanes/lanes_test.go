package lanes_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// eachWay runs a test with the kernels and with their twins.
func eachWay(t *testing.T, f func(t *testing.T)) {
	for _, on := range []bool{true, false} {
		name := map[bool]string{true: "kernels", false: "twins"}[on]
		if on && !lanes.HasVectors() {
			continue
		}
		lanes.WithVectors(on, func() { t.Run(name, f) })
	}
}

// chain is a tree of frames that move, in float32 and in float64.
type chain struct {
	joints []lanes.Joint
	turns  []lanes.Turn
	poses  []lanes.Pose
	exact  [][lanes.Times]geom.Pose // of each frame at each time
}

// rounding is more than the errors of a chain of some metres.
const rounding = 2e-5

func drawChain(d chance.Dice, n int) *chain {
	c := &chain{
		joints: make([]lanes.Joint, n), turns: make([]lanes.Turn, n),
		poses: make([]lanes.Pose, n+1), exact: make([][lanes.Times]geom.Pose, n+1),
	}
	c.poses[0] = lanes.Still()
	for k := range c.exact[0] {
		c.exact[0][k] = geom.IdentityPose()
	}
	for j := range n {
		parent, fixed := d.IntN(j+1), d.Pose(0.5)
		c.joints[j].Parent = int32(parent)
		for i, x := range append(entries(fixed.R), coordinates(fixed.P)...) {
			c.joints[j].Fixed[i] = float32(x)
		}
		for k := range lanes.Times {
			angle, slide := d.In(-lanes.MaxAngle, lanes.MaxAngle), d.In(-0.3, 0.3)
			c.turns[j].Angle[k], c.turns[j].Slide[k] = float32(angle), float32(slide)
			moved := geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, angle), P: geom.Vec{Z: slide}}
			c.exact[j+1][k] = c.exact[parent][k].Mul(fixed).Mul(moved)
		}
	}
	lanes.Place(c.poses, c.joints, c.turns)
	return c
}

func entries(r geom.Rot) []float64 {
	return []float64{r.XX, r.XY, r.XZ, r.YX, r.YY, r.YZ, r.ZX, r.ZY, r.ZZ}
}

func coordinates(v geom.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

// at is a point at a time.
func at(p *lanes.Point, k int) geom.Vec {
	return geom.Vec{X: float64(p[0][k]), Y: float64(p[1][k]), Z: float64(p[2][k])}
}

func vec(p [3]float32) geom.Vec {
	return geom.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

func drawVec(d chance.Dice, size float64) [3]float32 {
	v := d.Vec(size)
	return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)}
}

func TestPlace(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for i := range 100 {
			c := drawChain(chance.New(211, uint64(i)), i%10)
			for f, p := range c.poses {
				for k, want := range c.exact[f] {
					for j, x := range entries(want.R) {
						if off := float64(p.R[j][k]) - x; math.Abs(off) > rounding {
							t.Fatalf("case %d, frame %d, time %d: entry %d off by %g", i, f, k, j, off)
						}
					}
					if off := geom.Norm(r3.Sub(at(&p.P, k), want.P)); off > rounding {
						t.Fatalf("case %d, frame %d, time %d: off by %g", i, f, k, off)
					}
				}
			}
		}
	})
}

// Cosine and sine of all angles that are allowed err by less than sincos says, and beyond them nothing becomes a number that is
// none. An angle of 0 turns nothing.
func TestAngles(t *testing.T) {
	const v = 0x1p-24
	eachWay(t, func(t *testing.T) {
		joints, turns, poses := make([]lanes.Joint, 1), make([]lanes.Turn, 1), make([]lanes.Pose, 2)
		poses[0] = lanes.Still()
		for _, i := range [...]int{0, 4, 8} {
			joints[0].Fixed[i] = 1
		}
		turn := func(angles lanes.Row) (cos, sin lanes.Row) {
			turns[0].Angle = angles
			lanes.Place(poses, joints, turns)
			return poses[1].R[0], poses[1].R[3]
		}
		const count = 1 << 20
		worst, d := 0.0, chance.New(217, 0)
		for range switches.Long.Times(count, 16) / lanes.Times {
			var angles lanes.Row
			for k := range angles {
				angles[k] = float32(d.In(-lanes.MaxAngle, lanes.MaxAngle))
			}
			cos, sin := turn(angles)
			for k, x := range angles {
				s, c := math.Sincos(float64(x))
				worst = max(worst, math.Abs(float64(cos[k])-c), math.Abs(float64(sin[k])-s))
			}
		}
		if t.Logf("an error of %.2f v", worst/v); worst >= 3*v || worst < v/4 {
			t.Errorf("an error of %g v", worst/v)
		}
		nan, endless := float32(math.NaN()), float32(math.Inf(1))
		cos, sin := turn(lanes.Row{nan, endless, -endless, 0, 4, -4})
		for k := range 3 {
			if cos[k] == cos[k] || sin[k] == sin[k] {
				t.Errorf("case %d: %g, %g", k, cos[k], sin[k])
			}
		}
		if cos[3] != 1 || sin[3] != 0 || cos[4] != cos[5] || sin[4] != -sin[5] {
			t.Errorf("%v, %v", cos, sin)
		}
	})
}

// A sweep is the smallest box around the box at both ends of a step, and as much larger as it
// is to be; what is on its way between them is in it.
func TestSweepBoxes(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for i := range 100 {
			d := chance.New(212, uint64(i))
			c, boxes := drawChain(d, i%10), make([]lanes.Box, 1+d.IntN(9))
			for j := range boxes {
				b := &boxes[j]
				*b = lanes.Box{Center: drawVec(d, 1), Half: drawVec(d, 1), Frame: int32(d.IntN(len(c.poses))), Grow: float32(d.Spread(1e-3, 0.1))}
				for a := range b.Half {
					b.Half[a] = max(b.Half[a], -b.Half[a])
				}
			}
			out := make([]lanes.Sweep, len(boxes))
			ends := lanes.Joined
			if i%3 == 0 {
				ends = lanes.Separate
			}
			lanes.SweepBoxes(c.poses, boxes, &ends, out)
			for j := range boxes {
				for k := range lanes.Times {
					exactly := boxAround(&boxes[j], c.exact[boxes[j].Frame][k], c.exact[boxes[j].Frame][ends[k]])
					lo, hi := at(&out[j].Lo, k), at(&out[j].Hi, k)
					if off := math.Max(geom.Norm(r3.Sub(lo, exactly.Min)), geom.Norm(r3.Sub(hi, exactly.Max))); off > 2*rounding {
						t.Fatalf("case %d, box %d, step %d: off by %g", i, j, k, off)
					}
				}
				for k := range lanes.Steps {
					from, to := c.exact[boxes[j].Frame][k], c.exact[boxes[j].Frame][ends[k]]
					p := pointOf(d, &boxes[j])
					p = r3.Add(r3.Scale(0.5, from.Apply(p)), r3.Scale(0.5, to.Apply(p)))
					if lo, hi := at(&out[j].Lo, k), at(&out[j].Hi, k); p.X < lo.X || p.Y < lo.Y || p.Z < lo.Z || p.X > hi.X || p.Y > hi.Y || p.Z > hi.Z {
						t.Fatalf("case %d, box %d, step %d: %v is not between %v and %v", i, j, k, p, lo, hi)
					}
				}
			}
		}
	})
}

// boxAround is what a box sweeps.
func boxAround(b *lanes.Box, poses ...geom.Pose) geom.Box {
	out := geom.EmptyBox()
	for _, p := range poses {
		for i := range 8 {
			c := vec(b.Half)
			for a, x := range []*float64{&c.X, &c.Y, &c.Z} {
				if i>>a&1 == 1 {
					*x = -*x
				}
			}
			out = out.Extend(p.Apply(r3.Add(vec(b.Center), c)))
		}
	}
	grow := geom.Vec{X: float64(b.Grow), Y: float64(b.Grow), Z: float64(b.Grow)}
	return geom.Box{Min: r3.Sub(out.Min, grow), Max: r3.Add(out.Max, grow)}
}

// pointOf draws a point of a box.
func pointOf(d chance.Dice, b *lanes.Box) geom.Vec {
	p, h := d.Vec(1), vec(b.Half)
	return r3.Add(vec(b.Center), geom.Vec{X: p.X * h.X, Y: p.Y * h.Y, Z: p.Z * h.Z})
}

// Boxes that touch meet, and those with a coordinate that is not a number are not missed for it.
func TestMissed(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for i := range 500 {
			d := chance.New(213, uint64(i))
			number := func() float32 {
				if d.IntN(100) == 0 {
					return float32(math.NaN())
				}
				return float32(d.IntN(9))
			}
			s, ends := drawn[lanes.Sweep](1, number)[0], drawn[lanes.Eight](2, number)
			for a := range 3 {
				for k := range lanes.Times {
					s.Hi[a][k] += s.Lo[a][k]
					ends[1][a][k] += ends[0][a][k]
				}
			}
			of := uint32(i)
			got := [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}
			want := got
			for j := range want {
				if of>>j&1 == 0 {
					continue
				}
				want[j] = 0
				for k := range lanes.Steps {
					for a := range 3 {
						if ends[1][a][j] < s.Lo[a][k] || ends[0][a][j] > s.Hi[a][k] {
							want[j] |= 1 << k
						}
					}
				}
			}
			if s.Missed(&ends[0], &ends[1], of, &got); got != want {
				t.Fatalf("case %d: %08b, want %08b", i, got, want)
			}
		}
	})
}

func TestSums(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		rows := make([]lanes.Row, 6)
		for i := range rows {
			for k := range rows[i] {
				rows[i][k] = float32(10*i + k)
			}
		}
		out := []lanes.Row{{9}, {9}, {9}}
		lanes.Sums(rows, []float32{1, 100, 10000}, out[:2])
		for k := range lanes.Times {
			x := float32(k)
			if out[0][k] != x+100*(10+x)+10000*(20+x) || out[1][k] != 30+x+100*(40+x)+10000*(50+x) {
				t.Errorf("lane %d: %g, %g", k, out[0][k], out[1][k])
			}
		}
		if out[2] != (lanes.Row{9}) {
			t.Errorf("a sum that was not asked for: %v", out[2])
		}
		if lanes.Sums(rows, nil, out); out[0] != (lanes.Row{}) || out[2] != (lanes.Row{}) {
			t.Errorf("sums of no rows: %v", out)
		}
	})
}

// Boxes that touch are not apart, nor are those for a coordinate that is not a number.
func TestApart(t *testing.T) {
	nan, endless := float32(math.NaN()), float32(math.Inf(1))
	eachWay(t, func(t *testing.T) {
		for _, c := range []struct {
			a, b  [2]float32 // from, to
			apart bool
		}{
			{[2]float32{0, 2}, [2]float32{1, 3}, false},
			{[2]float32{0, 3}, [2]float32{1, 2}, false},
			{[2]float32{0, 1}, [2]float32{1, 2}, false},
			{[2]float32{0, 1}, [2]float32{math.Nextafter32(1, 2), 2}, true},
			{[2]float32{0, 1}, [2]float32{2, endless}, true},
			{[2]float32{0, endless}, [2]float32{endless, endless}, false},
			{[2]float32{-endless, endless}, [2]float32{1, 2}, false},
			{[2]float32{0, nan}, [2]float32{2, 3}, false},
			{[2]float32{nan, 1}, [2]float32{2, 3}, true},
			{[2]float32{0, 1}, [2]float32{nan, 3}, false},
			{[2]float32{0, 1}, [2]float32{2, nan}, true},
			{[2]float32{nan, nan}, [2]float32{2, 3}, false},
		} {
			for axis := range 3 {
				for k := range lanes.Times {
					swept := make([]lanes.Sweep, 5)
					a, b := &swept[1], &swept[3]
					a.Lo[axis][k], a.Hi[axis][k] = c.a[0], c.a[1]
					b.Lo[axis][k], b.Hi[axis][k] = c.b[0], c.b[1]
					var want uint8
					if c.apart && k < lanes.Steps { // the last time is no step
						want = 1 << k
					}
					steps := []uint8{9, 9, 9, 9, 9}
					lanes.Apart(swept, [][2]int32{{0, 2}, {1, 3}, {3, 1}, {1, 1}}, steps)
					if !bytes.Equal(steps, []uint8{0, want, want, 0, 9}) {
						t.Errorf("%v and %v along axis %d in step %d: %08b, want %08b", c.a, c.b, axis, k, steps, want)
					}
				}
			}
		}
	})
}

// What has no place for all results gets none.
func TestApartWithoutPlace(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		lanes.Apart(nil, nil, nil)
		steps := []uint8{9, 9}
		defer func() {
			if recover() == nil || !bytes.Equal(steps, []uint8{9, 9}) {
				t.Errorf("no panic, or results: %08b", steps)
			}
		}()
		lanes.Apart(make([]lanes.Sweep, 1), make([][2]int32, 3), steps)
	})
}

func TestDirect(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for i := range 200 {
			d := chance.New(214, uint64(i))
			c, n := drawChain(d, 1), drawVec(d, 1)
			var out lanes.Point
			c.poses[1].Direct(&n, &out)
			for k, p := range c.exact[1] {
				if off := geom.Norm(r3.Sub(at(&out, k), p.R.Apply(vec(n)))); off > rounding {
					t.Fatalf("case %d, time %d: off by %g", i, k, off)
				}
			}
		}
	})
}

func TestSupport(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for i := range 300 {
			d := chance.New(215, uint64(i))
			c, corners := drawChain(d, 1), make([][3]float32, 1+i%40)
			for j := range corners {
				corners[j] = drawVec(d, 1)
			}
			n := drawn[lanes.Point](1, func() float32 { return float32(d.In(-1, 1)) })[0]
			var out lanes.Row
			c.poses[1].Support(corners, &n, &out)
			for k, p := range c.exact[1] {
				far := math.Inf(-1)
				for _, x := range corners {
					far = math.Max(far, r3.Dot(at(&n, k), p.Apply(vec(x))))
				}
				if off := float64(out[k]) - far; math.Abs(off) > rounding {
					t.Fatalf("case %d of %d corners, time %d: off by %g", i, len(corners), k, off)
				}
			}
		}
	})
}

// What has its least along the normal where a half-space ends is not beyond it, nor is anything where the
// reach is not a number.
func TestHalfSpaceBeyond(t *testing.T) {
	h := lanes.HalfSpace{Reach: lanes.Row{0, 1, -1, float32(math.NaN()), float32(math.Inf(1)), math.Nextafter32(1, 0), 1, 0}}
	for _, c := range []struct {
		least float64
		want  uint8
	}{{-1, 0}, {0, 1 << 2}, {math.Nextafter(0, 1), 1 | 1<<2}, {1, 1 | 1<<2 | 1<<5}, {math.Nextafter(1, 2), 1 | 1<<1 | 1<<2 | 1<<5 | 1<<6}, {math.NaN(), 0}} {
		if got := h.Beyond(c.least); got != c.want {
			t.Errorf("%g: %08b, want %08b", c.least, got, c.want)
		}
	}
}

// A box is beyond a half-space if the nearest of its corners is. What else is in the results stays.
func TestBeyond(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		for i := range 500 {
			d := chance.New(216, uint64(i))
			half, ends := drawHalfSpaces(d, i%7), drawn[lanes.Eight](2, func() float32 { return float32(d.IntN(17) - 8) })
			for a := range 3 {
				for j := range ends[1][a] {
					ends[1][a][j] = ends[0][a][j] + float32(d.IntN(4))
				}
			}
			got := [8]uint8{0, 1, 0, 2, 128, 4, 8, 0}
			want := got
			for j := range want {
				for h := range half {
					want[j] |= half[h].Beyond(nearestCorner(&half[h], &ends[0], &ends[1], j))
				}
			}
			if lanes.Beyond(half, &ends[0], &ends[1], &got); got != want {
				t.Fatalf("case %d, %d half-spaces: %08b, want %08b", i, len(half), got, want)
			}
		}
	})
}

// drawHalfSpaces draws small whole numbers, of which no sum is rounded, and sometimes what is no number.
func drawHalfSpaces(d chance.Dice, n int) []lanes.HalfSpace {
	half := drawn[lanes.HalfSpace](n+1, func() float32 { return float32(d.IntN(7) - 3) })[:n]
	for j := range half {
		for k := range half[j].Reach {
			if half[j].Reach[k] = float32(d.IntN(40) - 5); d.IntN(20) == 0 {
				half[j].Reach[k] = float32(math.NaN())
			}
		}
		half[j].Reach[lanes.Steps] = float32(math.Inf(-1)) // of no step
	}
	return half
}

// nearestCorner is the smallest n.x of the corners of a box.
func nearestCorner(h *lanes.HalfSpace, lo, hi *lanes.Eight, box int) float64 {
	least := math.Inf(1)
	for corner := range 8 {
		var x [3]float32
		for a := range x {
			if x[a] = lo[a][box]; corner>>a&1 == 1 {
				x[a] = hi[a][box]
			}
		}
		least = math.Min(least, r3.Dot(vec(h.N), vec(x)))
	}
	return least
}

// A step is one of those that Beside returns if the boxes, as the base sees them, are apart along one of its
// axes by more than is asked for, at both ends of the step and on the same side.
func TestBeside(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		var seen [2]int
		for i := range 1000 {
			d := chance.New(217, uint64(i))
			c := drawChain(d, 2+i%8)
			if d.IntN(2) == 0 { // or few steps would be apart at both ends
				c.stop()
			}
			boxes := [2]lanes.Box{drawBox(d), drawBox(d)}
			grow := float32(d.Spread(1e-3, 0.3))
			base, other := d.IntN(len(c.poses)), d.IntN(len(c.poses))
			ends := lanes.Joined
			if i%3 == 0 {
				ends = lanes.Separate
			}
			steps := lanes.Beside(&c.poses[base], &boxes[0], &c.poses[other], &boxes[1], &ends, grow)
			if steps>>lanes.Steps != 0 {
				t.Fatalf("case %d: %08b has more than the steps", i, steps)
			}
			boxes[0].Grow, boxes[1].Grow = 0, 0
			still := boxAround(&boxes[0], geom.IdentityPose())
			for k := range lanes.Steps {
				from := func(k int) geom.Box { return boxAround(&boxes[1], c.exact[base][k].Inv().Mul(c.exact[other][k])) }
				apart := apartAlike(&still, from(k), from(int(ends[k])))
				seen[steps>>k&1]++
				if math.Abs(apart-float64(grow)) < 4*rounding {
					continue
				}
				if want := apart > float64(grow); want != (steps>>k&1 == 1) {
					t.Fatalf("case %d, step %d: %g apart, grown by %g: %v", i, k, apart, grow, !want)
				}
			}
		}
		if seen[0] < 1000 || seen[1] < 1000 {
			t.Errorf("%d apart, %d not: a poor test", seen[1], seen[0])
		}
	})
}

// drawBox draws a box whose frame, and what it grows, mean nothing.
func drawBox(d chance.Dice) lanes.Box {
	b := lanes.Box{Center: drawVec(d, 0.5), Half: drawVec(d, 0.3), Frame: 99, Grow: 9}
	for a := range b.Half {
		b.Half[a] = max(b.Half[a], -b.Half[a])
	}
	return b
}

// stop makes all times of the chain like the first.
func (c *chain) stop() {
	same := func(r *lanes.Row) {
		for k := range r {
			r[k] = r[0]
		}
	}
	for f := range c.poses {
		p := &c.poses[f]
		for j := range p.R {
			same(&p.R[j])
		}
		for j := range p.P {
			same(&p.P[j])
		}
		for k := range c.exact[f] {
			c.exact[f][k] = c.exact[f][0]
		}
	}
}

// apartAlike is by how much two boxes are apart from another one along one axis, on the same side of it.
func apartAlike(from *geom.Box, a, b geom.Box) float64 {
	apart := math.Inf(-1)
	for _, gaps := range [][2]geom.Vec{
		{r3.Sub(a.Min, from.Max), r3.Sub(b.Min, from.Max)},
		{r3.Sub(from.Min, a.Max), r3.Sub(from.Min, b.Max)},
	} {
		apart = max(apart, min(gaps[0].X, gaps[1].X), min(gaps[0].Y, gaps[1].Y), min(gaps[0].Z, gaps[1].Z))
	}
	return apart
}

// eachWayTimed measures kernels and twins.
func eachWayTimed(b *testing.B, name string, f func()) {
	for _, way := range []string{"kernel", "twin"} {
		lanes.WithVectors(way == "kernel", func() {
			b.Run(name+way, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		})
	}
}

// Of 30 joints.
func BenchmarkPlace(b *testing.B) {
	c := drawChain(chance.New(221, 0), 30)
	eachWayTimed(b, "", func() { lanes.Place(c.poses, c.joints, c.turns) })
}

// Of 40 boxes.
func BenchmarkSweepBoxes(b *testing.B) {
	d := chance.New(222, 0)
	c, boxes := drawChain(d, 30), make([]lanes.Box, 40)
	for j := range boxes {
		boxes[j] = lanes.Box{Center: drawVec(d, 1), Half: [3]float32{1, 2, 3}, Frame: int32(d.IntN(len(c.poses)))}
	}
	out := make([]lanes.Sweep, len(boxes))
	eachWayTimed(b, "", func() { lanes.SweepBoxes(c.poses, boxes, &lanes.Joined, out) })
}

func BenchmarkMissed(b *testing.B) {
	d := chance.New(223, 0)
	number := func() float32 { return float32(d.In(-1, 1)) }
	s, ends := drawn[lanes.Sweep](1, number)[0], drawn[lanes.Eight](2, number)
	var out [8]uint8
	for _, of := range []uint32{0x10, 0xff} {
		eachWayTimed(b, fmt.Sprintf("%02x/", of), func() { s.Missed(&ends[0], &ends[1], of, &out) })
	}
}

func BenchmarkDirect(b *testing.B) {
	d := chance.New(224, 0)
	c, n := drawChain(d, 1), drawVec(d, 1)
	var out lanes.Point
	eachWayTimed(b, "", func() { c.poses[1].Direct(&n, &out) })
}

func BenchmarkSupport(b *testing.B) {
	d := chance.New(225, 0)
	c, corners := drawChain(d, 1), make([][3]float32, 128)
	for j := range corners {
		corners[j] = drawVec(d, 1)
	}
	n := drawn[lanes.Point](1, func() float32 { return float32(d.In(-1, 1)) })[0]
	var out lanes.Row
	for _, count := range []int{1, 8, 9, 30, 32, 64, 128} {
		eachWayTimed(b, fmt.Sprintf("%d/", count), func() { c.poses[1].Support(corners[:count], &n, &out) })
	}
}

// Of 330 pairs of 40 boxes.
func BenchmarkApart(b *testing.B) {
	d := chance.New(226, 0)
	swept := drawn[lanes.Sweep](40, func() float32 { return float32(d.In(-1, 1)) })
	pairs := make([][2]int32, 330)
	for i := range pairs {
		pairs[i] = [2]int32{int32(d.IntN(len(swept))), int32(d.IntN(len(swept)))}
	}
	steps := make([]uint8, len(pairs))
	eachWayTimed(b, "", func() { lanes.Apart(swept, pairs, steps) })
}

// Of one, of five.
func BenchmarkBeyond(b *testing.B) {
	d := chance.New(227, 0)
	number := func() float32 { return float32(d.In(-1, 1)) }
	half, ends := drawn[lanes.HalfSpace](5, number), drawn[lanes.Eight](2, number)
	var out [8]uint8
	for _, n := range []int{1, 5} {
		eachWayTimed(b, fmt.Sprintf("%d/", n), func() { lanes.Beyond(half[:n], &ends[0], &ends[1], &out) })
	}
}

func BenchmarkBeside(b *testing.B) {
	d := chance.New(228, 0)
	c, boxes := drawChain(d, 2), drawn[lanes.Box](2, func() float32 { return float32(d.In(0, 1)) })
	eachWayTimed(b, "", func() { lanes.Beside(&c.poses[1], &boxes[0], &c.poses[2], &boxes[1], &lanes.Joined, 0.1) })
}

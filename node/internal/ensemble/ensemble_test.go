package ensemble

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// spline makes a random motion of a controller.
func spline(t *testing.T, d *rand.Rand, joints ...string) *motion.Motion {
	t.Helper()
	row := func(scale float64) []float64 {
		out := make([]float64, len(joints))
		for i := range out {
			out[i] = scale * (2*d.Float64() - 1)
		}
		return out
	}
	points := []motion.Waypoint{{Positions: row(1), Velocities: row(1)}}
	for range 1 + d.IntN(4) {
		last := points[len(points)-1].Time
		points = append(points, motion.Waypoint{Time: last + 0.05 + d.Float64(), Positions: row(1), Velocities: row(1)})
	}
	points[len(points)-1].Velocities = make([]float64, len(joints))
	m, err := motion.Spline(joints, points)
	if err != nil {
		t.Fatal(err)
	}
	m.KeepTurns = true
	return m
}

// Wherever the parts are in time, within their shifts, each joint is within the tube.
func TestJoinCoversEveryShift(t *testing.T) {
	d := chance.New(16, 1)
	for range 300 {
		parts := []Part{
			{Motion: spline(t, d.Rand, "a", "b"), Since: 3*d.Float64() - 1, Shift: 0.2 * d.Float64()},
			{Motion: spline(t, d.Rand, "c"), Since: 3*d.Float64() - 1, Shift: 0.2 * d.Float64(), Tube: map[string]float64{"c": 0.01}},
		}
		if d.IntN(3) == 0 {
			parts[1].Shift = 0
		}
		way, tube, err := Join(parts)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			at := d.In(0, way.Duration()+0.3) // where the late ones end
			joint := 0
			whole := way.At(at)
			for _, p := range parts {
				late := p.Shift * (2*d.Float64() - 1)
				if at > way.Duration() {
					late = -math.Abs(late)
				}
				for row, x := range p.Motion.At(p.Since + at + late) {
					name := p.Motion.Joints[row]
					if way.Joints[joint] != name {
						t.Fatalf("joints %v", way.Joints)
					}
					off := math.Abs(x - whole[joint])
					if slack := 1e-12; off > tube[name]-p.Tube[name]+slack {
						t.Fatalf("joint %s, %g s late, is %g beside the motion with the tube %g", name, late, off, tube[name])
					}
					joint++
				}
			}
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	d := chance.New(16, 2)
	a, b := spline(t, d.Rand, "a", "b"), spline(t, d.Rand, "b")
	if _, _, err := Join([]Part{{Motion: a}, {Motion: b}}); err == nil || !strings.Contains(err.Error(), "two controllers move joint b") {
		t.Errorf("a joint of two controllers: %v", err)
	}
	moving := *b
	moving.Root = make([]motion.RootPiece, len(b.Pieces))
	if _, _, err := Join([]Part{{Motion: &moving}}); err == nil || !strings.Contains(err.Error(), "moves the root link") {
		t.Errorf("a moving root: %v", err)
	}
	turns := *b
	turns.KeepTurns = false
	if _, _, err := Join([]Part{{Motion: &turns}}); err == nil {
		t.Error("a motion with turns that are not known is joined")
	}
}

func TestJoinKeepsGaps(t *testing.T) {
	d := chance.New(16, 3)
	a, b, c := spline(t, d.Rand, "a"), spline(t, d.Rand, "b"), spline(t, d.Rand, "c")
	a.Gaps = []premise.Premise{{Kind: premise.Start, Detail: "one"}}
	b.Gaps = []premise.Premise{{Kind: premise.Start, Detail: "two"}}
	c.Gaps = a.Gaps
	way, _, err := Join([]Part{{Motion: a, Since: 1}, {Motion: b, Since: 100}, {Motion: c}})
	if err != nil || len(way.Gaps) != 2 {
		t.Errorf("gaps %v (%v)", way.Gaps, err)
	}
}

// All have ended: they rest.
func TestJoinOfWhatHasEnded(t *testing.T) {
	d := chance.New(16, 4)
	a := spline(t, d.Rand, "a", "b")
	way, tube, err := Join([]Part{{Motion: a, Since: 100, Shift: 0.1}})
	if err != nil || !slices.Equal(way.At(0), a.At(100)) || !slices.Equal(way.At(1), a.At(100)) || len(tube) > 0 {
		t.Errorf("%+v, tube %v (%v)", way, tube, err)
	}
}

// A joint that follows its part for a while and then brakes, as given or harder, and may go back,
// stays within what Stopped says.
func TestStoppedCoversEveryStop(t *testing.T) {
	d := chance.New(16, 5)
	for range 2000 {
		p := Part{Motion: spline(t, d.Rand, "a"), Since: 3*d.Float64() - 0.5, Shift: 0.05 * d.Float64()}
		rate := d.In(0.2, 5)
		h := Halt{Age: 0.05 * d.Float64(), Reaction: 0.2 * d.Float64(), Deceleration: func(string) float64 { return rate }}
		phase := p.Since + p.Shift*(2*d.Float64()-1)
		off := 0.02 * (2*d.Float64() - 1)
		if d.IntN(2) == 0 {
			off = 0
		}
		x := p.Motion.At(phase - h.Age)[0] + off
		h.Now = jtc.State{Positions: map[string]float64{"a": x}}
		middle, width, err := p.Stopped(h)
		if err != nil {
			t.Fatal(err)
		}
		inside := func(x float64) {
			if math.Abs(x-middle["a"]) > width["a"]+1e-9 {
				t.Fatalf("the joint is at %g, beyond %g around %g", x, width["a"], middle["a"])
			}
		}
		inside(x)
		follows := h.Reaction * d.Float64()
		for s := -h.Age; s < follows; s += 0.001 {
			inside(p.Motion.At(phase + s)[0])
		}
		const dt = 1e-7
		at := p.Motion.At(phase + follows)[0]
		v := (at - p.Motion.At(phase + follows - dt)[0]) / dt
		inside(at + v*math.Abs(v)/(2*rate*(1+1e-6)*d.In(1.001, 4)))
	}
}

func TestStoppedNeedsWhatItNeeds(t *testing.T) {
	m, err := motion.Between([]string{"a"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := Part{Motion: m, Since: 0.5}
	none := func(string) float64 { return 0 }
	if _, _, err := p.Stopped(Halt{Deceleration: none}); err == nil || err.Error() != "joint a is not measured" {
		t.Errorf("a joint that is not measured: %v", err)
	}
	at := func(x, v float64) Halt {
		return Halt{Now: jtc.State{Positions: map[string]float64{"a": x}, Velocities: map[string]float64{"a": v}}, Deceleration: none}
	}
	if _, _, err := p.Stopped(at(0.5, 0)); err == nil || !strings.Contains(err.Error(), "no deceleration is given for joint a") {
		t.Errorf("a joint without deceleration: %v", err)
	}
	p.Since = 2 // it has ended
	middle, width, err := p.Stopped(at(1, 0))
	if err != nil || middle["a"] != 1 || width["a"] > 1e-300 {
		t.Errorf("a joint at rest: %v ± %v (%v)", middle, width, err)
	}
	if _, _, err := p.Stopped(at(1, 0.1)); err == nil {
		t.Error("a joint that still moves is taken to stand")
	}
}

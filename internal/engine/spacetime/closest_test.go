package spacetime

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// ask asks for distances at a configuration of all joints.
func (r *rig) ask(t *testing.T, state []float64, q motion.DistanceQuery) motion.Distances {
	t.Helper()
	d, err := r.w.Distances(context.Background(), state, q)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d dice) state(n int, size float64) []float64 {
	q := make([]float64, n)
	for i := range q {
		q[i] = d.In(-size, size)
	}
	return q
}

// inRoom is a random robot among random objects.
func (d dice) inRoom(t *testing.T) *rig {
	robot, world := d.robot(), robots.World()
	for k := range 2 + d.IntN(5) {
		world.Objects = append(world.Objects, robots.Object(fmt.Sprint("o", k), d.shape(d.Spread(0.05, 0.5)), d.Pose(1.5)))
	}
	still := &motion.Motion{Joints: []string{"none"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0}}}}}
	for i := range robot.Joints {
		if j := &robot.Joints[i]; j.Type.String() != "fixed" && j.Mimic == nil {
			still.Joints[0] = j.Name
		}
	}
	if still.Joints[0] == "none" {
		return nil
	}
	return newRig(t, robot, world, 0, still)
}

// However many pairs are asked for, they are the closest ones.
func TestClosestPairsAreTheClosest(t *testing.T) {
	compared := 0
	for i := range rounds(150) {
		d := newDice(71, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		state := d.state(len(r.model.Tree.Dofs), 1.5)
		for _, q := range []motion.DistanceQuery{{}, {NoSelf: true}, {NoWorld: true}, {DistanceRanges: motion.DistanceRanges{Max: 0.3}}, {Tolerance: 1e-3}} {
			q.K = -1
			all := distances(r.ask(t, state, q))
			for _, k := range []int{1, 2, 5} {
				q.K = k
				some := r.ask(t, state, q)
				got, want := distances(some), all[:min(k, len(all))]
				if len(got) != len(want) {
					t.Fatalf("room %d, %+v: %d pairs, want %d", i, q, len(got), len(want))
				}
				for n := range got {
					compared++
					if math.IsInf(got[n], 0) || math.Abs(got[n]-want[n]) > q.Tolerance+1e-8 {
						t.Errorf("room %d, %+v: distances %v, want %v", i, q, got, want)
						break
					}
				}
				for n := range some.Pairs {
					p := &some.Pairs[n]
					if !(p.Bounds.Lo <= p.Distance && p.Bounds.Hi >= p.Distance && p.Bounds.Hi <= p.Distance+some.Rounding && p.Distance-p.Bounds.Lo <= q.Tolerance+1e-8) {
						t.Errorf("room %d, %+v: %v at %g within %v", i, q, p.Pair, p.Distance, p.Bounds)
					}
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d distances compared", compared)
	}
}

func distances(d motion.Distances) (out []float64) {
	for i := range d.Pairs {
		out = append(out, d.Pairs[i].Distance)
	}
	slices.Sort(out)
	return out
}

// The bounds hold what the twin finds, and so do those of either class.
func TestDistancesAgainstTheTwin(t *testing.T) {
	compared := 0
	for i := range rounds(60) {
		d := newDice(72, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		state := d.state(len(r.model.Tree.Dofs), 1.5)
		r.Motion = &motion.Motion{Pieces: []motion.Piece{{End: 1}}}
		for k := range state {
			r.Motion.Joints = append(r.Motion.Joints, r.model.Tree.Dofs[k].Name)
			r.Motion.Pieces[0].Ctrl = append(r.Motion.Pieces[0].Ctrl, []float64{state[k]})
		}
		got := r.ask(t, state, motion.DistanceQuery{K: -1})
		self, world := math.Inf(1), math.Inf(1)
		least := map[motion.Pair]float64{}
		for k := range r.model.Pairs {
			q := &r.model.Pairs[k]
			x := r.apart(q, 0, 0, math.Inf(1))
			if q.World {
				world = math.Min(world, x)
			} else {
				self = math.Min(self, x)
			}
			name := r.model.Named(q)
			if old, ok := least[name]; !ok || x < old {
				least[name] = x
			}
		}
		for n := range got.Pairs {
			p := &got.Pairs[n]
			compared++
			if x := least[p.Pair]; x < p.Bounds.Lo-1e-9 || p.Distance > x+1e-8 {
				t.Errorf("room %d: %v at %g within %v, the twin finds %g", i, p.Pair, p.Distance, p.Bounds, x)
			}
		}
		if len(got.Pairs) != len(least) {
			t.Errorf("room %d: %d pairs, want %d", i, len(got.Pairs), len(least))
		}
		for _, c := range []struct {
			name string
			got  motion.Interval
			want float64
		}{{"self", got.Self, self}, {"world", got.World, world}} {
			if c.got.Lo > c.want+1e-9 || c.got.Hi < c.want-1e-8 {
				t.Errorf("room %d: %s within %v, the twin finds %g", i, c.name, c.got, c.want)
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d distances compared", compared)
	}
}

func TestDistanceQueriesMustMakeSense(t *testing.T) {
	r := line(t, 0.1, robots.World(robots.Object("wall", robots.Box(1, 1, 1), robots.At(2, 0, 0))), 0, 1)
	nan := math.NaN()
	for _, q := range []motion.DistanceQuery{{DistanceRanges: motion.DistanceRanges{Max: nan}}, {DistanceRanges: motion.DistanceRanges{Max: -1}}, {Tolerance: nan}, {Tolerance: -1}, {Relative: nan}, {Relative: -0.1}, {Relative: 1}} {
		if d, err := r.w.Distances(context.Background(), []float64{0}, q); err == nil {
			t.Errorf("%+v: %+v", q, d)
		}
	}
	for _, x := range []float64{nan, math.Inf(1), math.Inf(-1)} {
		if d, err := r.w.Distances(context.Background(), []float64{x}, motion.DistanceQuery{}); err == nil || !strings.Contains(err.Error(), "not finite") {
			t.Errorf("at %g: %+v, %v", x, d, err)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if d, err := r.w.Distances(gone, []float64{0}, motion.DistanceQuery{}); err == nil {
		t.Errorf("cancelled: %+v", d)
	}
	if d := r.ask(t, []float64{0}, motion.DistanceQuery{}); len(d.Pairs) != 1 || math.Abs(d.Pairs[0].Distance-1.4) > 1e-12 || !math.IsInf(d.Self.Lo, 1) {
		t.Errorf("%+v", d)
	}
	if d := r.ask(t, []float64{0}, motion.DistanceQuery{DistanceRanges: motion.DistanceRanges{Max: 1}}); len(d.Pairs) != 0 || d.World.Lo < 1 {
		t.Errorf("beyond the limit: %+v", d)
	}
}

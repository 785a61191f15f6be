package catch

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// frozen is the robot at one time of a piece, by internal/engine/kin.
type frozen struct {
	curves []kin.Curve
	buf    []float64
	state  *kin.State
}

func (f *frozen) load(tree *kin.Tree, course *kin.Course, piece int) {
	n := len(tree.Dofs)
	f.curves, f.buf = make([]kin.Curve, n), make([]float64, n*kin.CurveSize(kin.MaxDegree+1))
	f.state = kin.NewState(tree)
	f.state.Root = course.Root(piece)
	course.Load(piece, f.curves, f.buf)
}

func (f *frozen) at(s float64) *kin.State {
	around := make([]kin.Around, len(f.curves))
	for i := range f.curves {
		around[i] = f.curves[i].Around(s, s, s)
	}
	f.state.Set(around)
	return f.state
}

// twinError is what poses and velocities of internal/engine/kin may err by here: they are no
// rigorous twin, which the tests of internal/numeric/taylor have, but one of another making.
const twinError = 1e-11

// eachStretch calls try with random robots, motions and parts of a piece.
func eachStretch(t *testing.T, seed uint64, n int, try func(d enginetest.Dice, r *rig, b *TaylorBVH, f *frozen, s0, s1 float64)) {
	for i := range scenes(n) {
		d := newDice(seed, uint64(i))
		rooted := d.IntN(3) == 0
		robot := d.Robot()
		r := newRig(t, robot, d.World(robot), d.In(0, 0.02), rooted)
		m := d.Motion(robot, rooted)
		course := r.bind(t, m)
		b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
		var f frozen
		for piece := range course.Pieces() {
			b.Load(course, piece)
			f.load(r.m.Tree, course, piece)
			s0 := d.Float64() * float64(d.IntN(2))
			s1 := s0 + (1-s0)*[]float64{1, 0.3, 1e-3}[d.IntN(3)]
			try(d, r, b, &f, s0, s1)
		}
	}
}

// Every point of every element is in its box at every time, by models and by intervals,
// in the world and in frames of the chain.
func TestTaylorBoxesHoldTheLinks(t *testing.T) {
	eachStretch(t, 71, 60, func(d enginetest.Dice, r *rig, b *TaylorBVH, f *frozen, s0, s1 float64) {
		for _, s := range []float64{s0, s0 + d.Float64()*(s1-s0), s1} {
			state := f.at(min(s, s1))
			for i := range r.m.Elements {
				e := &r.m.Elements[i]
				chain := r.m.Tree.Chain(e.Frame)
				base := 0
				if len(chain) > 0 && d.IntN(2) == 0 {
					base = int(chain[d.IntN(len(chain))])
				}
				b.Intervals = d.IntN(4) == 0
				in := b.AABBIn(base, i, s0, s1)
				n := d.Unit()
				pose := state.PoseWF[e.Frame].Mul(e.PoseFE)
				x := r3.Add(e.Core.Support(pose.R.ApplyInv(n)), r3.Scale(e.Core.Radius, pose.R.ApplyInv(n)))
				seen := state.PoseWF[base].ApplyInv(pose.Apply(x))
				if !holds(in, seen, twinError) {
					t.Fatalf("element %d at %g of [%g, %g] has %v outside of %v in frame %d", i, s, s0, s1, seen, in, base)
				}
			}
		}
	})
}

func holds(b geom.Box, x geom.Vec, err float64) bool {
	v := interval.OfBox(b)
	v = v.Grow(err)
	return v.Contains(x)
}

// The models of a frame's pose and velocity hold those of internal/engine/kin.
func TestTaylorPosesAndTwistsHold(t *testing.T) {
	eachStretch(t, 72, 60, func(d enginetest.Dice, r *rig, b *TaylorBVH, f *frozen, s0, s1 float64) {
		mid, half := taylor.Stretch(s0, s1)
		for _, x := range []float64{-1, 2*d.Float64() - 1, 1} {
			s := min(max(mid+x*half, s0), s1)
			x = min(max((s-mid)/half, -1), 1)
			state := f.at(s)
			for k := range r.m.Tree.Frames {
				pose, twist := b.PoseWF(k, s0, s1), b.TwistBF(0, k, s0, s1)
				origin, tip := pose.Apply(geom.Vec{}), pose.Apply(geom.Vec{X: 1, Y: 2, Z: -1})
				near(t, "origin", k, x, &origin, state.PoseWF[k].P)
				near(t, "tip", k, x, &tip, state.PoseWF[k].Apply(geom.Vec{X: 1, Y: 2, Z: -1}))
				near(t, "turn", k, x, &twist.Ang, state.Twist[k].Ang)
				near(t, "slide", k, x, &twist.Lin, state.Twist[k].Lin)
			}
		}
	})
}

// near checks that a model allows a vector at x, give or take the twin's error.
func near(t *testing.T, what string, frame int, x float64, v *taylor.Vec, want geom.Vec) {
	t.Helper()
	for i, c := range [3]struct {
		m *taylor.Model
		y float64
	}{{&v.X, want.X}, {&v.Y, want.Y}, {&v.Z, want.Z}} {
		off := c.y - (c.m.C[0] + x*(c.m.C[1]+x*(c.m.C[2]+x*c.m.C[3])))
		if err := twinError * (1 + math.Abs(c.y)); !c.m.R.Grow(err).Contains(off) {
			t.Fatalf("%s of frame %d at %g, coordinate %d: off the cubic by %g, remainder %v", what, frame, x, i, off, c.m.R)
		}
	}
}

// A pose asked for again is the same one, and Load forgets it.
func TestTaylorPosesAreKept(t *testing.T) {
	r := newRig(t, slider(urdf.Revolute, geom.Vec{Z: 1}, at(1, 0, 0), ball(0.1)), &scene.Snapshot{}, 0, false)
	b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
	turn := func(by float64) *kin.Course {
		return r.bind(t, &motion.Motion{Joints: []string{r.m.Tree.Dofs[0].Name}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0, by}}}}})
	}
	b.Load(turn(0.5), 0)
	first := b.PoseWF(1, 0, 0.5)
	was := *first
	for k := range keepIntervals - 1 {
		b.PoseWF(1, 0, 0.1+0.01*float64(k))
	}
	if b.PoseWF(1, 0, 0.5) != first || *first != was {
		t.Error("a pose was not kept as promised")
	}
	b.Load(turn(1), 0)
	if p := b.PoseWF(1, 0, 0.5); *p == was {
		t.Error("a pose of another motion was returned")
	}
}

// The box of a box that stands still is it; so are its corners turned (ZRLK07, section
// 5.2: eight corners).
func TestTaylorBoxOfABoxIsTight(t *testing.T) {
	r := newRig(t, slider(urdf.Revolute, geom.Vec{Z: 1}, at(1, 0, 0), box(0.4, 0.2, 0.6)), &scene.Snapshot{}, 0, false)
	b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
	for _, q := range [][2]float64{{0, 0}, {math.Pi / 2, math.Pi / 2}, {-0.2, 0.2}, {0.3, 1.2}} {
		m := &motion.Motion{Joints: []string{r.m.Tree.Dofs[0].Name}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{q[0], q[1]}}}}}
		b.Load(r.bind(t, m), 0)
		want := geom.EmptyBox()
		for k := range 401 {
			pose := geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, q[0]+float64(k)/400*(q[1]-q[0]))}
			for c := range 8 {
				f := func(bit int) float64 { return float64(c>>bit&1) - 0.5 }
				e := &r.m.Elements[0]
				want = want.Extend(pose.Apply(e.PoseFE.Apply(geom.Vec{X: 0.4 * f(0), Y: 0.2 * f(1), Z: 0.6 * f(2)})))
			}
		}
		got := b.AABB(0, 0, 1)
		grown := r3.Norm(r3.Sub(got.Max, want.Max)) + r3.Norm(r3.Sub(got.Min, want.Min))
		if grown > 1e-12+0.02*math.Pow(q[1]-q[0], 4) {
			t.Errorf("turning from %g to %g: box %v, in truth %v", q[0], q[1], got, want)
		}
	}
}

// Joints that go round and round: the boxes hold the link, and are hardly larger than what
// it can reach.
func TestTaylorBoxesOfManyTurns(t *testing.T) {
	for _, rate := range []float64{2, 4, 6, 7, 40, 3000} {
		for _, depth := range []int{1, 3, 8} {
			c := crank{point: geom.Vec{X: 1}, radius: 0.1}
			for range depth {
				c.offset, c.from, c.rate = append(c.offset, geom.Vec{X: 1}), append(c.from, 0.3), append(c.rate, rate)
			}
			r, course := c.rig(t)
			b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
			b.Load(course, 0)
			for _, part := range [][2]float64{{0, 1}, {0.25, 0.375}} {
				box := b.AABB(0, part[0], part[1])
				for k := range 101 {
					x, _ := c.at(part[0] + float64(k)/100*(part[1]-part[0]))
					if out := r3.Add(x, geom.Vec{X: 0.1}); !holds(box, out, twinError) {
						t.Fatalf("%d joints by %g: %v is outside of %v", depth, rate, out, box)
					}
				}
				if most := 1.25*float64(depth) + 1.1; !(box.Max.X < most && box.Min.X > -most && box.Max.Y < most && box.Max.Z < 0.11) {
					t.Errorf("%d joints by %g on %v: box %v", depth, rate, part, box)
				}
			}
		}
	}
}

package catch

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// No point of the ball is ever faster along n than the bound, nor faster at all than the
// bound of all directions; seen from the world or from a frame of the chain.
func TestApproachBoundsEverySpeed(t *testing.T) {
	eachStretch(t, 73, 60, func(d enginetest.Dice, r *rig, b *TaylorBVH, f *frozen, s0, s1 float64) {
		for k := range r.m.Tree.Frames {
			chain := r.m.Tree.Chain(k)
			base := 0
			if len(chain) > 0 && d.IntN(2) == 0 {
				base = int(chain[d.IntN(len(chain))])
			}
			center, radius, n := d.Vec(0.5), d.In(0, 0.3), d.Unit()
			bound, all := b.Approach(base, k, center, radius, n, s0, s1), b.Length(base, k, center, radius, s0, s1)
			for _, s := range []float64{s0, s0 + d.Float64()*(s1-s0), s1} {
				state := f.at(min(s, s1))
				// Seen from base: a velocity in W, less that of base there, in base's axes.
				x := state.PoseWF[k].Apply(r3.Add(center, r3.Scale(radius, d.Unit())))
				v := state.PoseWF[base].R.ApplyInv(state.Twist[k].Sub(state.Twist[base]).At(x))
				if err := twinError * (1 + r3.Norm(v)); r3.Dot(n, v) > bound+err || r3.Norm(v) > all+err {
					t.Fatalf("frame %d from %d at %g of [%g, %g]: %g along n, %g in all; bounds %g and %g", k, base, s, s0, s1, r3.Dot(n, v), r3.Norm(v), bound, all)
				}
			}
		}
	})
}

// crank is a chain of joints that turn about z at constant rates, link j hanging at reach
// of the one before it, with a small ball on the last.
type crank struct {
	offset []geom.Vec // of frame j in frame j-1
	from   []float64
	rate   []float64 // rad per unit of time
	point  geom.Vec  // in the last frame
	radius float64
}

func (c *crank) rig(t testing.TB) (*rig, *kin.Course) {
	r := &urdf.Robot{Name: "crank", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}}
	for j := range c.offset {
		l := urdf.Link{Name: fmt.Sprint("link", j+1), ParentJoint: j}
		if j == len(c.offset)-1 {
			l.Collisions = []urdf.Collision{{PoseLS: geom.Translation(c.point), Shape: ball(c.radius)}}
		}
		r.Links = append(r.Links, l)
		name := fmt.Sprint("turn", j+1)
		r.Joints = append(r.Joints, urdf.Joint{
			Name: name, Type: urdf.Revolute, Parent: j, Child: j + 1, PosePC: geom.Translation(c.offset[j]), Axis: geom.Vec{Z: 1},
			Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		})
		m.Joints = append(m.Joints, name)
		m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{c.from[j], c.from[j] + c.rate[j]})
	}
	g := newRig(t, r, &scene.Snapshot{}, 0, false)
	return g, g.bind(t, m)
}

// at returns where the ball's centre is at a time, and its velocity.
func (c *crank) at(s float64) (x, v geom.Vec) {
	angle, spin := 0.0, 0.0
	add := func(d geom.Vec) {
		arm := geom.AxisAngle(geom.Vec{Z: 1}, angle).Apply(d)
		x = r3.Add(x, arm)
		v = r3.Add(v, r3.Scale(spin, r3.Cross(geom.Vec{Z: 1}, arm)))
	}
	for j := range c.offset {
		add(c.offset[j])
		angle, spin = angle+c.from[j]+s*c.rate[j], spin+c.rate[j]
	}
	add(c.point)
	return x, v
}

// average is the integral of |v.n| over [0, 1]: Equation 6 for the ball's centre.
func (c *crank) average(n geom.Vec) float64 {
	sum := 0.0
	const steps = 1 << 12
	for k := range steps {
		_, v := c.at((float64(k) + 0.5) / steps)
		sum += math.Abs(r3.Dot(v, n)) / steps
	}
	return sum
}

// literal10 is the right side of Equation 10 for joints that turn and do not slide, about
// axes that are all at right angles to n: its sums end at i - 1.
func (c *crank) literal10() float64 {
	return c.sum10(len(c.offset)-1, func(j int) float64 { return geom.Norm(c.offset[j-1]) })
}

// literal9 is Equation 10 with the sum up to i that Equation 6 and the formula before
// Equation 8 ask for, and the levers of Equations 8 and 9: that of link i is the ball's
// farthest point from the origin of frame i - 1 at time 0.
func (c *crank) literal9() float64 {
	i := len(c.offset)
	return c.sum10(i, func(j int) float64 {
		if j < i {
			return geom.Norm(c.offset[j-1])
		}
		p := r3.Add(c.offset[i-1], geom.AxisAngle(geom.Vec{Z: 1}, c.from[i-1]).Apply(c.point))
		return geom.Norm(p) + c.radius
	})
}

// mended10 is the sum over the whole chain with levers about the axes: joint k moves
// whatever hangs on frame k.
func (c *crank) mended10() float64 {
	mu, lever := 0.0, geom.Norm(c.point)+c.radius
	for k := len(c.offset) - 1; k >= 0; k-- {
		mu += math.Abs(c.rate[k]) * lever
		lever += geom.Norm(c.offset[k])
	}
	return mu
}

// sum10 is the sum over j up to last of the rates of the joints up to j, times lever j.
func (c *crank) sum10(last int, lever func(j int) float64) float64 {
	mu, rates := 0.0, 0.0
	for j := 1; j <= last; j++ {
		rates += math.Abs(c.rate[j-1])
		mu += rates * lever(j)
	}
	return mu
}

// advance moves the ball towards a thin wall at n.x = wall by steps of rule, until it is
// within 1e-6 or time is over. It returns whether the ball got to the other side, and the
// number of steps.
func (c *crank) advance(n geom.Vec, wall float64, rule func(gap, s float64) float64) (through bool, end float64, steps int) {
	s := 0.0
	for s < 1 {
		x, _ := c.at(s)
		gap := wall - r3.Dot(n, x) - c.radius
		if gap < -1e-9 {
			return true, s, steps
		}
		if gap < 1e-6 {
			return false, s, steps
		}
		s, steps = s+rule(gap, s), steps+1
	}
	x, _ := c.at(1)
	return r3.Dot(n, x)+c.radius > wall+1e-9, 1, steps
}

// Each literal rule lets a ball through a wall which the bound on the step, of the whole
// chain and about the right axis, stops it at.
func TestLiteralRulesTunnel(t *testing.T) {
	n := geom.Vec{X: 1}
	over := func(mu float64) func(*crank) func(gap, s float64) float64 {
		return func(*crank) func(gap, s float64) float64 {
			return func(gap, _ float64) float64 { return gap / mu }
		}
	}
	for _, c := range []struct {
		name  string
		crank crank
		wall  float64
		rule  func(c *crank) func(gap, s float64) float64
		touch float64 // when it touches in truth
	}{
		{
			// x = sin(pi s / 2): faster than its average at first, so at the first step.
			"Equations 4 and 6, fast first",
			crank{offset: make([]geom.Vec, 1), from: []float64{-math.Pi / 2}, rate: []float64{math.Pi / 2}, point: geom.Vec{X: 1}, radius: 1e-3},
			0.501, nil, 1. / 3,
		},
		{
			// x = -cos(pi s / 2): slow first, and past the wall at the second step.
			"Equations 4 and 6, slow first",
			crank{offset: make([]geom.Vec, 1), from: []float64{math.Pi}, rate: []float64{-math.Pi / 2}, point: geom.Vec{X: 1}, radius: 1e-3},
			-0.299, nil, math.Acos(0.3) / (math.Pi / 2),
		},
		{
			// The second joint alone turns.
			"Equation 10, the sum",
			crank{offset: []geom.Vec{{}, {X: 1}}, from: []float64{0, -math.Pi / 2}, rate: []float64{0, 1}, point: geom.Vec{X: 1}, radius: 1e-3},
			1.501, func(c *crank) func(gap, s float64) float64 { return over(c.literal10())(c) }, math.Asin(0.5),
		},
		{
			// The ball starts at the origin of frame 1, about which it is no lever at all.
			"Equations 8 and 9, the lever",
			crank{offset: []geom.Vec{{}, {Y: 1}}, from: []float64{0, 0}, rate: []float64{0, 1}, point: geom.Vec{Y: -1}, radius: 1e-3},
			0.5, func(c *crank) func(gap, s float64) float64 { return over(c.literal9())(c) }, math.Asin(0.5 - 1e-3),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.rule == nil {
				c.rule = func(k *crank) func(gap, s float64) float64 { return over(k.average(n))(k) }
			}
			if through, at, _ := c.crank.advance(n, c.wall, c.rule(&c.crank)); !through {
				t.Errorf("the literal rule stops at %g: the example shows nothing", at)
			}
			r, course := c.crank.rig(t)
			b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
			b.Load(course, 0)
			e := &r.m.Elements[0]
			center := e.PoseFE.Apply(e.Core.Vertices[0])
			ours := func(gap, s float64) float64 {
				return Step(gap, b.Approach(0, e.Frame, center, e.Core.Radius, n, s, 1), s, 1)
			}
			through, at, steps := c.crank.advance(n, c.wall, ours)
			if through || math.Abs(at-c.touch) > 1e-5 {
				t.Errorf("ends at %g, through the wall: %v; it touches at %g", at, through, c.touch)
			}
			t.Logf("touches at %.6f, found in %d steps", at, steps)
			if through, at, steps = c.crank.advance(n, c.wall, over(c.crank.mended10())(&c.crank)); through || math.Abs(at-c.touch) > 1e-4 {
				t.Errorf("Equation 10, mended, ends at %g, through the wall: %v", at, through)
			}
			t.Logf("by Equation 10, mended, in %d", steps)
		})
	}
}

// The worker's bound (speed.go) and that of models hold for cranks of any depth; how much
// they overestimate is what the paper's Equation 10 is compared with.
func TestSpeedsByDepth(t *testing.T) {
	for _, depth := range []int{1, 2, 4, 8, 16} {
		var sum, local, models float64
		const cranks = 20
		for i := range cranks {
			d := newDice(74, uint64(i))
			var c crank
			for range depth {
				c.offset = append(c.offset, geom.Vec{X: 1 / float64(depth)})
				c.from, c.rate = append(c.from, d.In(-1, 1)), append(c.rate, d.In(-0.3, 0.3))
			}
			c.point, c.radius = geom.Vec{X: 1 / float64(depth)}, 0.02
			r, course := c.rig(t)
			b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
			b.Load(course, 0)
			e := &r.m.Elements[0]
			n := r3.Unit(geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64()})
			r.w.reachFor(course)
			r.w.load(course, 0)
			r.w.stand(0, 1, 1)
			at := r.w.place(0)
			most := 0.0
			for k := range 201 {
				_, v := c.at(float64(k) / 200)
				most = math.Max(most, r3.Dot(v, n))
				most = math.Max(most, -r3.Dot(v, n))
			}
			center := e.PoseFE.Apply(e.Core.Vertices[0])
			along := r.w.speedAlong(e.Frame, 0, at.radii, n)
			taylor := math.Max(b.Approach(0, e.Frame, center, e.Core.Radius, n, 0, 1), b.Approach(0, e.Frame, center, e.Core.Radius, r3.Scale(-1, n), 0, 1))
			if eq10 := c.mended10(); along < most || taylor < most || eq10 < most {
				t.Fatalf("depth %d: %g in truth, bounds %g, %g and %g", depth, most, eq10, along, taylor)
			}
			sum, local, models = sum+c.mended10()/most/cranks, local+along/most/cranks, models+taylor/most/cranks
		}
		t.Logf("%2d joints: bounds are %.2f (Equation 10, mended), %.2f (local radii), %.2f (Taylor models) times the largest speed along n", depth, sum, local, models)
		if models > local {
			t.Errorf("depth %d: models are %g times the speed, norms %g", depth, models, local)
		}
	}
}

// A link that moves away has a bound below zero, and a step to the end.
func TestMovingAwayIsNoApproach(t *testing.T) {
	c := crank{offset: make([]geom.Vec, 1), from: []float64{0.2}, rate: []float64{1}, point: geom.Vec{X: 1}, radius: 0.05}
	r, course := c.rig(t)
	b := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
	b.Load(course, 0)
	e := &r.m.Elements[0]
	mu := b.Approach(0, e.Frame, e.PoseFE.Apply(e.Core.Vertices[0]), e.Core.Radius, geom.Vec{X: 1}, 0, 1)
	if want := -math.Sin(0.2) + 0.05; math.Abs(mu-want) > 3e-3 || mu < want {
		t.Errorf("the bound is %g, in truth %g", mu, want)
	}
	if s := Step(0.1, mu, 0.25, 1); s != 0.75 {
		t.Errorf("a step of %g, not all there is", s)
	}
	for _, gap := range []float64{0, -1, math.NaN()} {
		if s := Step(gap, 1, 0, 1); s != 0 {
			t.Errorf("a gap of %g allows a step of %g", gap, s)
		}
	}
	if s := Step(1, math.NaN(), 0, 1); s != 0 {
		t.Errorf("an unknown speed allows a step of %g", s)
	}
}

// A bound of speed holds on its interval and no longer, however slow the link is there.
func TestStepsEndWhereTheirBoundDoes(t *testing.T) {
	if s := Step(1, 1e-3, 0.25, 0.5); s != 0.25 {
		t.Errorf("a step of %g on an interval of 0.25", s)
	}
	if s := Step(1, 8, 0.25, 0.5); s > 0.125 || s < 0.1249 {
		t.Errorf("a step of %g where a gap of 1 closes at 8", s)
	}
}

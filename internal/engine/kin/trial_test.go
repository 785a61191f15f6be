package kin_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// trial is one question to the motion bounds: a chain, its motion, an interval,
// a ball on the last link, how many joints are before the parting body, and a
// direction of W.
type trial struct {
	plan      plan
	cs        curves
	c, lo, hi float64
	link      int
	center    geom.Vec // of the ball, in the link's frame
	radius    float64
	from      int
	n         geom.Vec
}

// randomTrial draws a chain of 1 to 12 moving joints. Sizes, speeds and
// intervals span orders of magnitude: what is wrong in a bound often shows only
// where one term rules.
func randomTrial(r *rand.Rand) trial {
	tr := randomChain(r, 1+r.IntN(12))
	tr.randomInterval(r)
	tr.randomBall(r)
	tr.from = 0
	if r.IntN(3) == 0 {
		tr.from = r.IntN(len(tr.moving()))
	}
	tr.n = randomUnit(r)
	switch r.IntN(6) {
	case 0:
		tr.pointAlongAxis(r)
	case 1:
		tr.foldOntoAxis(r)
	}
	return tr
}

// randomChain draws joints in a row and their motion.
func randomChain(r *rand.Rand, moving int) trial {
	var tr trial
	size := math.Pow(10, 2.3*r.Float64()-2)
	speed := math.Pow(10, 3.3*r.Float64()-2)
	linear, parallel := r.IntN(2) == 0, r.IntN(4) == 0
	prismatic := [...]int{0, 20, 20, 50}[r.IntN(4)] // percent
	for len(tr.moving()) < moving {
		i := len(tr.plan)
		h := hinge{parent: i, kind: urdf.Revolute, xyz: randomTriple(r, size), axis: asTriple(randomUnit(r))}
		if parallel {
			h.axis = alongZ
		} else if r.IntN(2) == 0 {
			h.rpy = randomTriple(r, math.Pi)
		}
		if r.IntN(5) == 0 {
			h.xyz = [3]float64{} // axes that meet, as in a wrist
		}
		switch k := r.IntN(100); {
		case k < prismatic:
			h.kind = urdf.Prismatic
		case k > 95:
			h.kind = urdf.Fixed
		}
		if h.kind != urdf.Fixed && len(tr.cs) > 0 && r.IntN(8) == 0 {
			for m, lead := range tr.plan {
				if lead.kind != urdf.Fixed && lead.mimics == 0 {
					h.mimics, h.mult, h.offset = m+1, symmetric(r, 2), symmetric(r, 1)
				}
			}
		}
		if h.kind != urdf.Fixed && h.mimics == 0 {
			tr.cs = append(tr.cs, randomCurve(r, h.kind, size, speed, linear))
		}
		tr.plan = append(tr.plan, h)
		tr.link = len(tr.plan)
	}
	return tr
}

// randomCurve draws control points around a random position: a joint that rests,
// one that is fast, or anything between.
func randomCurve(r *rand.Rand, kind urdf.JointType, size, speed float64, linear bool) []float64 {
	start, v := symmetric(r, math.Pi), speed
	if kind == urdf.Prismatic {
		start, v = symmetric(r, size), speed*size
	}
	v *= math.Pow(10, -2*r.Float64())
	n := 2
	if !linear {
		n = 1 + r.IntN(6)
	}
	ctrl := make([]float64, n)
	for i := range ctrl {
		ctrl[i] = start + symmetric(r, v)
	}
	return ctrl
}

// randomInterval draws an interval in [0, 1] and a c in it that need not be its
// middle.
func (tr *trial) randomInterval(r *rand.Rand) {
	tr.lo, tr.hi = r.Float64(), r.Float64()
	if tr.lo > tr.hi {
		tr.lo, tr.hi = tr.hi, tr.lo
	}
	switch r.IntN(4) {
	case 0:
		tr.hi = tr.lo + (tr.hi-tr.lo)*math.Pow(10, -6*r.Float64())
	case 1:
		tr.lo, tr.hi = 0, 1
	}
	tr.c = [...]float64{tr.lo, tr.hi, (tr.lo + tr.hi) / 2, tr.lo + (tr.hi-tr.lo)*r.Float64()}[r.IntN(4)]
}

func (tr *trial) randomBall(r *rand.Rand) {
	tr.center = asVec(randomTriple(r, math.Pow(10, 2*r.Float64()-2)))
	tr.radius = 0
	if r.IntN(3) > 0 {
		tr.radius = math.Pow(10, 3*r.Float64()-3)
	}
}

// pointAlongAxis lets n point almost along a joint's axis at c, where the
// directional bound is smallest and turns of the axis matter most.
func (tr *trial) pointAlongAxis(r *rand.Rand) {
	s := place(tr.plan.treeOrDie(), tr.cs, tr.c, tr.lo, tr.hi)
	k := 1 + r.IntN(len(s.Tree.Frames)-1)
	off := math.Pow(10, -9*r.Float64())
	tr.n, _ = geom.Unit(r3.Add(s.AxisW[k], r3.Scale(off, randomUnit(r))))
}

// foldOntoAxis puts the ball's centre onto a joint's axis at c, which deeper
// joints then move it away from.
func (tr *trial) foldOntoAxis(r *rand.Rand) {
	s := place(tr.plan.treeOrDie(), tr.cs, tr.c, tr.lo, tr.hi)
	k := 1 + r.IntN(len(s.Tree.Frames)-1)
	on := r3.Add(s.OriginW[k], r3.Scale(symmetric(r, 0.3), s.AxisW[k]))
	tr.center = poseWL(s, tr.link).ApplyInv(on)
}

// moving returns the hinges with a variable from the root to the ball.
func (tr *trial) moving() []int {
	var hs []int
	for _, i := range tr.plan.path(0, tr.link) {
		if tr.plan.moving(i) {
			hs = append(hs, i)
		}
	}
	return hs
}

// ballPoints returns the centre and points of the ball's surface, those farthest
// from some axes at c among them.
func (tr *trial) ballPoints(r *rand.Rand) []geom.Vec {
	points := []geom.Vec{tr.center}
	if tr.radius == 0 {
		return points
	}
	for range 3 {
		points = append(points, r3.Add(tr.center, r3.Scale(tr.radius, randomUnit(r))))
	}
	s := place(tr.plan.treeOrDie(), tr.cs, tr.c, tr.lo, tr.hi)
	pose := poseWL(s, tr.link)
	w := pose.Apply(tr.center)
	for range 2 {
		k := 1 + r.IntN(len(s.Tree.Frames)-1)
		d := r3.Sub(w, s.OriginW[k])
		d = r3.Sub(d, r3.Scale(r3.Dot(d, s.AxisW[k]), s.AxisW[k]))
		if out, ok := geom.Unit(d); ok {
			points = append(points, r3.Add(tr.center, r3.Scale(tr.radius, pose.R.ApplyInv(out))))
		}
	}
	return points
}

// times returns sample times in [lo, hi], both ends and c among them.
func (tr *trial) times(r *rand.Rand, n int) []float64 {
	ts := []float64{tr.lo, tr.hi, tr.c}
	for i := range n {
		t := tr.lo + (tr.hi-tr.lo)*(float64(i)+r.Float64())/float64(n)
		ts = append(ts, math.Min(t, tr.hi))
	}
	return ts
}

// nudged returns the trial with a few of its numbers changed a little.
func (tr trial) nudged(r *rand.Rand) trial {
	tr.plan = slices.Clone(tr.plan)
	tr.cs = slices.Clone(tr.cs)
	size := math.Pow(10, -3*r.Float64())
	nudge := func(x *float64) {
		if r.IntN(3) == 0 {
			*x += symmetric(r, size) * (math.Abs(*x) + 0.01)
		}
	}
	for i := range tr.plan {
		h := &tr.plan[i]
		for j := range 3 {
			nudge(&h.xyz[j])
			nudge(&h.rpy[j])
			nudge(&h.axis[j])
		}
	}
	for i := range tr.cs {
		tr.cs[i] = slices.Clone(tr.cs[i])
		for j := range tr.cs[i] {
			nudge(&tr.cs[i][j])
		}
	}
	nudge(&tr.center.X)
	nudge(&tr.center.Y)
	nudge(&tr.center.Z)
	nudge(&tr.radius)
	tr.radius = math.Abs(tr.radius)
	tr.n, _ = geom.Unit(r3.Add(tr.n, r3.Scale(size, randomUnit(r))))
	nudge(&tr.lo)
	nudge(&tr.hi)
	nudge(&tr.c)
	tr.lo, tr.hi = math.Max(0, math.Min(tr.lo, tr.hi)), math.Min(1, math.Max(tr.lo, tr.hi))
	tr.lo = math.Min(tr.lo, tr.hi)
	tr.c = math.Max(tr.lo, math.Min(tr.hi, tr.c))
	return tr
}

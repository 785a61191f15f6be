package linkspheres

import (
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/heap"
)

// Excess is how far balls protrude from a body: the largest distance of a point of any ball
// from the body lies within Lower and Upper, in metres. Both are proved, Lower by a witness:
// the distance of At, a point of ball Ball. If nothing protrudes there may be no witness, and
// Ball is -1.
type Excess struct {
	Lower, Upper float64
	At           geom.Vec
	Ball         int
}

// ExcessOptions set the precision of the excess. The zero value means two per cent of it or 10
// micrometres, whichever is more, with 200,000 cells at most.
type ExcessOptions struct {
	Relative, Absolute float64
	MaxCells           int
}

func (o ExcessOptions) filled() ExcessOptions {
	if o.Relative == 0 {
		o.Relative = 0.02
	}
	if o.Absolute == 0 {
		o.Absolute = 1e-5
	}
	if o.MaxCells == 0 {
		o.MaxCells = 200_000
	}
	return o
}

// OfBall is an upper bound of the excess of one ball: with a ball of radius s about its centre
// inside the body, no point of it is farther from the body than r - s; with the centre at a
// distance s from the body, than r + s.
func (b *Body) OfBall(ball *Ball) float64 {
	_, hi := b.Distance(ball.Center)
	return math.Max((ball.Radius+hi)*(1+2*u), 0)
}

// Excess bounds how far the balls protrude from the body, by branch and bound: the distance
// from the body is 1-Lipschitz. It stops when both bounds agree to within the options or the
// cells are used up; the bounds hold in either case. The error is the context's. Without balls
// the excess is 0.
func (b *Body) Excess(ctx context.Context, balls []Ball, opts ExcessOptions) (Excess, error) {
	o := opts.filled()
	s := excessSearch{body: b, balls: balls}
	s.found.Ball = -1
	inner := make([]float64, len(balls))
	for i := range balls {
		_, hi := b.Distance(balls[i].Center)
		inner[i] = hi
		limit := math.Max((balls[i].Radius+hi)*(1+2*u), 0)
		s.seed(i, limit)
	}
	s.queue.Build(s.seeds)
	cells := 0
	for s.queue.Len() > 0 {
		top := s.queue.Top().Value
		if top.most <= s.found.Lower+math.Max(o.Absolute, o.Relative*s.found.Lower) || cells >= o.MaxCells {
			s.found.Upper = math.Max(top.most, s.found.Lower)
			return s.found, nil
		}
		if cells&255 == 0 && ctx.Err() != nil {
			return s.found, ctx.Err()
		}
		s.queue.Pop()
		left, right := top, top
		halve(&left.box, &right.box, top.box.Center())
		for _, c := range [...]excessCell{left, right} {
			cells++
			if s.bound(&c, inner[c.ball]) {
				s.queue.Push(-c.most, c)
			}
		}
	}
	s.found.Upper = s.found.Lower
	return s.found, nil
}

// excessSearch is the branch and bound.
type excessSearch struct {
	body  *Body
	balls []Ball
	seeds []heap.Item[excessCell]
	queue heap.Min[excessCell] // by most, the largest first
	found Excess
}

// excessCell is a box and one of the balls; no point of their intersection is farther from the
// body than most.
type excessCell struct {
	box  geom.Box
	ball int
	most float64
}

// seed tries some points of ball i and queues its box.
func (s *excessSearch) seed(i int, limit float64) {
	b := &s.balls[i]
	r := geom.Vec{X: b.Radius, Y: b.Radius, Z: b.Radius}
	s.seeds = append(s.seeds, heap.Item[excessCell]{Key: -limit, Value: excessCell{box: grown(geom.Box{Min: sub(b.Center, r), Max: add(b.Center, r)}, 8*u*(b.Radius+size1(b.Center))), ball: i, most: limit}})
	if limit <= s.found.Lower {
		return
	}
	for _, d := range directions {
		s.try(i, along(b.Center, b.Radius*(1-0x1p-40), d))
	}
}

// try uses p as the witness if it is in ball i and farther than the last one.
func (s *excessSearch) try(i int, p geom.Vec) {
	b := &s.balls[i]
	if !(reach(b.Center, p, 0) <= b.Radius) {
		return
	}
	if lo, _ := s.body.Distance(p); lo > s.found.Lower || s.found.Ball < 0 {
		s.found = Excess{Lower: math.Max(lo, 0), At: p, Ball: i}
	}
}

// bound fills in most and reports whether the cell intersects the ball.
//
// A point of both is within half the cell's diagonal of its middle, and no farther from the
// ball's centre than the cell's farthest corner or the radius; the body is at the distance
// inner from the centre (negative: inside by that much).
func (s *excessSearch) bound(c *excessCell, inner float64) bool {
	b := &s.balls[c.ball]
	if boxDistance(&c.box, b.Center) > b.Radius {
		return false
	}
	m := c.box.Center()
	half := above(farther(c.box.Min.X, c.box.Max.X, m.X), farther(c.box.Min.Y, c.box.Max.Y, m.Y), farther(c.box.Min.Z, c.box.Max.Z, m.Z))
	_, hi := s.body.Distance(m)
	far := above(farther(c.box.Min.X, c.box.Max.X, b.Center.X), farther(c.box.Min.Y, c.box.Max.Y, b.Center.Y), farther(c.box.Min.Z, c.box.Max.Z, b.Center.Z))
	most := math.Min(hi+half, math.Min(far, b.Radius)+inner)
	c.most = math.Min(c.most, math.Max(most*(1+4*u), 0))
	// The middle, moved into the ball, may be a witness.
	if c.most > s.found.Lower {
		d := sub(m, b.Center)
		if l := geom.Norm(d); l > b.Radius*(1-0x1p-40) && l > 0 {
			m = along(b.Center, b.Radius*(1-0x1p-40)/l, d)
		}
		s.try(c.ball, m)
	}
	return c.most > s.found.Lower
}

// directions are distributed evenly over the sphere (a spiral by the golden angle).
var directions = func() (out [48]geom.Vec) {
	for i := range out {
		z := 1 - (2*float64(i)+1)/float64(len(out))
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		out[i] = geom.Vec{X: r * c, Y: r * s, Z: z}
	}
	return out
}()

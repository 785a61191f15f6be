package romtree

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// This file is trusted: balls around subtrees at the current configuration.

const unit = 0x1p-53 // the largest relative error of one operation

// placed returns a ball of frame k in the root link's frame, with the error of its position in
// its radius: a centre c is placed with an error of ErrP + ErrR |c|, and applying the pose
// adds 16u of the lengths.
func placed(st *kin.State, k int, b convex.Ball) convex.Ball {
	if b.Radius < 0 {
		return b
	}
	far := geom.Norm(b.Center)
	err := st.ErrP[k] + st.ErrR[k]*far + 16*unit*(st.Far[k]+far)
	return convex.Ball{Center: st.PoseWF[k].Apply(b.Center), Radius: (b.Radius + err) * (1 + 8*unit)}
}

// around returns the smallest ball around two, an empty one having no part in it.
// Its centre is wherever rounding puts it on the line; the radius reaches from there
// over both, for which 16u of the lengths are added.
func around(a, b convex.Ball) convex.Ball {
	if b.Radius < 0 {
		return a
	}
	if a.Radius < 0 {
		return b
	}
	between := r3.Sub(b.Center, a.Center)
	d := geom.Norm(between)
	slack := 16 * unit * (d + geom.Norm(a.Center) + geom.Norm(b.Center) + a.Radius + b.Radius)
	switch {
	case d+b.Radius+slack <= a.Radius:
		return a
	case d+a.Radius+slack <= b.Radius:
		return b
	}
	r := (d + a.Radius + b.Radius) / 2
	t := min(1, max(0, (r-a.Radius)/max(d, slack)))
	c := r3.Add(a.Center, r3.Scale(t, between))
	r = max(t*d+a.Radius, (1-t)*d+b.Radius)
	return convex.Ball{Center: c, Radius: r + slack}
}

// ballsApart returns a lower bound of the distance of two balls: the error of the difference
// of the centres is 4u of its length, which the addition in placed covers for their size.
func ballsApart(a, b *convex.Ball) float64 {
	d := geom.Norm(r3.Sub(a.Center, b.Center))
	return d*(1-8*unit) - (a.Radius+b.Radius)*(1+8*unit)
}

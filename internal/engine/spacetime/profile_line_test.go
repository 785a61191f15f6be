package spacetime

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Two points keep below their line.
func TestPointsKeepBelowTheirLine(t *testing.T) {
	tight := 0
	for i := range rounds(300) {
		d := newDice(86, uint64(i))
		r := d.inRoom(t)
		if r == nil {
			continue
		}
		r.bind(t, d.pieceMotion(r.Robot))
		h := d.Spread(1e-3, 0.5)
		c := d.In(h, 1-h)
		r.place(0, c, c-h, c+h)
		pair := int32(d.IntN(len(r.model.Pairs)))
		q, p := &r.model.Pairs[pair], r.w.at.Pair(pair)
		onA, onB := r.model.Elements[q.A].Center, r.model.Elements[q.B].Center
		l := r.w.lineOf(&engine.PairTouch{Pair: pair, Touch: engine.Touch{A: p.A.Pose.Apply(onA), B: p.B.Pose.Apply(onB)}})
		for k := range 21 {
			x := float64(k)/10 - 1
			r.place(0, c+x*h, c+x*h, c+x*h)
			p := r.w.at.Pair(pair)
			apart := geom.Norm(r3.Sub(p.B.Pose.Apply(onB), p.A.Pose.Apply(onA)))
			if above := apart - (l.Before*(1-x)+l.After*(1+x))/2; above > 1e-12 {
				t.Errorf("room %d: %g above the line at %g", i, above, x)
			} else if above > -1e-3 {
				tight++
			}
		}
	}
	if tight < 300 {
		t.Errorf("only %d within a millimetre", tight)
	}
}

// What a sweep knows is of one line of clearance: another one of the same height
// but another slope, at the same time, starts anew.
func TestSweepIsOfOneLine(t *testing.T) {
	slide := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))}
	r := newRig(t, robots.Of(nil, slide), robots.World(robots.Object("wall", robots.Box(2, 3, 3), robots.At(2, 0, 0))), 0, robots.Move([]float64{0, 0.5}))
	r.place(0, 0.5, 0, 1)
	element := slices.IndexFunc(r.model.Against, func(row []int32) bool { return row != nil })
	reach := func(rise float64) float64 {
		r.w.clearance, r.w.rise = 0.2, rise
		sw := r.w.sweepOf(element, volume.Whole)
		if sw.count > 0 {
			return sw.planes[0].reach
		}
		return r.w.plane(sw, ex).reach
	}
	steep, level := reach(-0.15), reach(-0.01)
	if !(level > steep+0.1) {
		t.Errorf("reach %g below a line that falls by 1 cm, %g by 15 cm: the half-space is that of the other line", level, steep)
	}
}

// What bends is known of one interval: the next one, of the same pair, starts anew.
func TestRatesBelongToTheirInterval(t *testing.T) {
	bead := func(x float64) robots.Hinge {
		return robots.Hinge{Kind: urdf.Prismatic, Origin: robots.At(x, 0, 0), Axis: ex, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))}
	}
	r := newRig(t, robots.Of(nil, bead(0), bead(1)), nil, 0, robots.Move(cube(1), []float64{0}))
	bends := func(w *Worker) [3]float64 {
		p, q := wholePair(w), w.at.PairOf(0)
		return [3]float64{w.at.PairBendAlong(0, p, ex), w.at.PointsAccel(0, p, geom.Vec{}, ex), w.at.CenterAccel(q.A) + w.at.CenterAccel(q.B)}
	}
	r.place(0, 0.75, 0.7, 0.8)
	first := bends(r.w)
	r.place(0, 0.5, 0.45, 0.55)
	if second := bends(r.w); !(second[0] < first[0]/2 && second[1] < first[1]/2 && second[2] < first[2]/2) {
		t.Errorf("bends %v where the slide is at rest, %v where it is not", second, first)
	}
}

package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
)

// The distance over time on all steps of an interval at once. What is closest at the steps' ends bounds the distance
// from above, in between as well (rules.Slide); all else is to be apart by that less the tolerance, which changes
// linearly in each step. Whatever is not is measured, and may be what is closest.

// overTime is the search for what is closest at each of the times of an interval's steps.
type overTime struct {
	s      search
	tol    float64
	least  float64 // by how much a distance has to be lower to count
	near   [lanes.Times]closeAt
	lower  [lanes.Times]float64 // what all is to be apart by
	fan    place.Fan            // across what is closest of a pair
	items  itemFan
	seen   [2]seen // elements that were asked for last
	looked looked

	touches bool // what is closest is within the tolerance, or one solid is inside another
}

// seen is an element as the lanes place it.
type seen struct {
	element int
	known   uint8 // the times at which it was asked for
	at      [lanes.Times]geom.Pose
}

// looked is what was looked at last.
type looked struct {
	of    distance.Shapes
	known uint8 // the times at which it was looked at
	at    [lanes.Times]closeAt

	both      bool          // they are two triangles
	triangles lanes.Closest // their closest points at all times
}

// closeAt is the closest points of two shapes at one of the times.
type closeAt struct {
	of       distance.Shapes
	distance float64
	slack    float64  // what the distance may err by
	onA, onB geom.Vec // the points, in their elements
	normal   geom.Vec // in W, from a to b; zero for none
}

// take sets the closest points of shapes that are grown by radii, given those of their cores; all in W.
func (c *closeAt) take(a, b geom.Vec, radiusA, radiusB float64) {
	between := r3.Sub(b, a)
	length := geom.Norm(between)
	if c.distance = max(0, length-radiusA-radiusB); c.distance == 0 {
		return
	}
	c.normal = r3.Scale(1/length, between)
	c.onA, c.onB = r3.Add(a, r3.Scale(radiusA, c.normal)), r3.Sub(b, r3.Scale(radiusB, c.normal))
}

// itemFan are planes across what is closest of an element and the world, and where an item begins along them.
type itemFan struct {
	fan     place.Fan
	element int
	item    *model.Item
	least   [lanes.Steps]float64
}

// stepSpan is a step with its bounds, or two parts of it between which what is closest changes.
type stepSpan struct {
	parts [2]stepBounds
	split float64 // when the second part begins; there is none where that is the step's end
}

// stepBounds are lines below and above the distance in a part of a step.
type stepBounds struct {
	lower, upper rules.Line
	of           distance.Shapes // of upper
	at           float64         // when they are closest points
}

// openSpan is a span that the next one may be joined to.
type openSpan struct {
	stepBounds
	lo, hi float64
	is     bool
}

// reserve is the part of the tolerance that is kept for what is closest at one end of a step only.
const reserve = 1. / 4

// weights are where, between the normals at a step's ends, its plane is tried to stand: one may part what another does not.
var weights = [...]float64{1. / 2, 1. / 4, 3. / 4}

// toProve is what all is to be apart by at a time, at which near is closest.
func (o *overTime) toProve(k int) float64 {
	n := &o.near[k]
	return max(0, n.distance+o.more(n.of)+n.slack-o.tol*(1-reserve))
}

// lowerTo takes note of what is closer at a time.
func (o *overTime) lowerTo(k int, c *closeAt) {
	w := o.s.w
	o.near[k] = *c
	o.lower[k] = min(o.lower[k], o.toProve(k))
	w.stepped.lanes.Less[k] = w.clearance - o.lower[k]
	o.touches = o.touches || o.lower[k] == 0
}

// slackOf bounds the error of positions of a part of an element.
func (o *overTime) slackOf(element int, node int32) float64 {
	p := &o.s.w.stepped
	return p.lanes.SlackOfPart(element, p.part(o.s.w, element, node))
}

// slack is what the distance of two shapes errs by in the lanes.
func (o *overTime) slack(of distance.Shapes) float64 {
	if of.Of < 0 {
		return o.slackOf(int(^of.Of), of.A) + o.s.w.m.World.Err
	}
	q := &o.s.w.m.Pairs[of.Of]
	return o.slackOf(q.A, of.A) + o.slackOf(q.B, of.B)
}

// pairOf returns the pair of two shapes.
func (o *overTime) pairOf(of distance.Shapes) int32 {
	if of.Of >= 0 {
		return int32(of.Of)
	}
	m := o.s.w.m
	return m.Against[^of.Of][m.World.Items[of.B].Element-m.First]
}

// more is by how much paths of two shapes may depart from their chords in a step.
func (o *overTime) more(of distance.Shapes) float64 {
	l := o.s.w.stepped.lanes
	if of.Of < 0 {
		return l.BendFrom(int(^of.Of), 0)
	}
	q := &o.s.w.m.Pairs[of.Of]
	return l.BendOfPair(q)
}

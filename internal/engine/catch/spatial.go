package catch

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// ZRLK07, section 5: link-level spatial culling. What is left are the potentially
// colliding links.

// pcl is a pair of links that may collide.
type pcl struct {
	pair  int32
	lower float64 // of the piece: they are apart on [0, lower)

	length  float64  // about how long the next one should be
	parted  bool     // the hulls are more than the clearance apart where the search of the piece begins
	toward  geom.Vec // where the hulls were last found apart, in W
	closest volumes  // the leaves that ended the last step
	known   bool
	shapes  bool // Options.Simultaneous: the hulls are done with
}

// cull finds the potentially colliding links of the piece.
func (w *Worker) cull() {
	w.pcls = w.pcls[:0]
	if w.Options.NoSpatialCulling {
		for _, i := range w.asked {
			w.pcls = append(w.pcls, pcl{pair: i, length: 1})
		}
		return
	}
	w.taylor.Intervals = w.Options.IntervalBoxes
	for i := range w.elements {
		w.elements[i].box = w.taylor.AABB(i, 0, 1)
	}
	if !w.noWorld {
		w.boxes = w.p.links.refit(w.boxes[:0], w.grownBox)
		w.nodes = w.p.links.meet(w.boxes, w.p.tree, w.nodes, w.meetsWorld)
	}
	if !w.noSelf {
		w.cullSelf()
	}
}

// grownBox is the box around an element on the piece, and the clearance on every side.
// The hierarchies round it outward by more than is lost here.
func (w *Worker) grownBox(element int32) geom.Box {
	b, r := &w.elements[element].box, w.clearance*(1+8*u)
	d := geom.Vec{X: r, Y: r, Z: r}
	return geom.Box{Min: r3.Sub(b.Min, d), Max: r3.Add(b.Max, d)}
}

// meetsWorld takes note of a link whose box meets that of something in the world.
func (w *Worker) meetsWorld(element, item int32) {
	if pair := w.m.Against[element][w.p.world[item]-w.m.First]; pair >= 0 {
		w.pcls = append(w.pcls, pcl{pair: pair, length: 1})
	}
}

// cullSelf tries all pairs of the robot's own links, as the paper does: links of one
// model are always close to each other, and a hierarchy would separate few.
func (w *Worker) cullSelf() {
	for _, i := range w.p.self {
		q := &w.m.Pairs[i]
		if !apart(&w.elements[q.A].box, &w.elements[q.B].box, w.clearance) {
			w.pcls = append(w.pcls, pcl{pair: i, length: 1})
		}
	}
}

// apart reports whether two boxes are more than clearance apart along some axis. Each
// difference is off by one rounding, of which the factor takes off four.
func apart(a, b *geom.Box, clearance float64) bool {
	gap := max(
		a.Min.X-b.Max.X, b.Min.X-a.Max.X,
		a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y,
		a.Min.Z-b.Max.Z, b.Min.Z-a.Max.Z,
	)
	return gap*(1-4*u) > clearance
}

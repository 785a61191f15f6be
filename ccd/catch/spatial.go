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

	closest volumes // the leaves that ended the last step
	known   bool
	toward  geom.Vec // where the hulls were last found apart, in W
}

// cull finds the potentially colliding links of the piece.
func (w *Worker) cull() {
	w.pcls = w.pcls[:0]
	if w.Options.NoSpatialCulling {
		for _, i := range w.asked {
			w.pcls = append(w.pcls, pcl{pair: i})
		}
		return
	}
	w.bound()
	if !w.noWorld {
		w.boxes = w.p.links.refit(w.boxes[:0], func(e int32) geom.Box { return w.elements[e].box })
		w.nodes = w.p.links.meet(w.boxes, w.p.tree, w.nodes, w.meetsWorld)
	}
	if !w.noSelf {
		w.cullSelf()
	}
}

// meetsWorld takes note of a link whose box meets that of something in the world.
func (w *Worker) meetsWorld(element, item int32) {
	if pair := w.m.Against[element][w.p.world[item]]; pair >= 0 {
		w.pcls = append(w.pcls, pcl{pair: pair})
	}
}

// cullSelf tries all pairs of the robot's own links, as the paper does: links of one
// model are always close to each other, and a hierarchy would separate few.
func (w *Worker) cullSelf() {
	for _, i := range w.p.self {
		q := &w.m.Pairs[i]
		if meet(&w.elements[q.A].box, &w.elements[q.B].box) {
			w.pcls = append(w.pcls, pcl{pair: i})
		}
	}
}

// meet reports whether two boxes have a point in common; a NaN counts as one.
func meet(a, b *geom.Box) bool {
	apart := a.Min.X > b.Max.X || b.Min.X > a.Max.X ||
		a.Min.Y > b.Max.Y || b.Min.Y > a.Max.Y ||
		a.Min.Z > b.Max.Z || b.Min.Z > a.Max.Z
	return !apart
}

// bound finds a box in W around each link and all its way on the piece, half the
// clearance added on every side: links whose boxes are apart are farther from each
// other than that.
func (w *Worker) bound() {
	w.standAround(0.5, 0, 1)
	for i := range w.elements {
		at := w.place(i)
		e := &w.m.Elements[i]
		r := (e.Radius + w.state.Displacement(e.Frame, 0, at.radii) + at.slack + w.clearance) * (1 + 8*u)
		d := geom.Vec{X: r, Y: r, Z: r}
		at.box = geom.Box{Min: r3.Sub(at.center, d), Max: r3.Add(at.center, d)}
	}
}

package romtree

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Hulls are computed once for a robot with its padding, independent of the world and the
// query: balls around the links, hulls of their ranges of motion, and a table of lower bounds
// of the links' distances. A Plan uses them. Immutable.
type Hulls struct {
	Rom *RangeOfMotion

	links []convex.Ball      // per frame, in it: around its links
	fixed []bool             // per frame: the hull of the subtree is about as small as balls around its links
	apart map[[2]int]float64 // by links (indices), in both orders: base of the paper, if proved

	last atomic.Pointer[Plan] // made last
}

// loose is how much larger than the balls around the links of a configuration the hull of
// their range of motion may be to replace them.
const loose = 1.3

// samplesOfFit is the number of configurations at which both are compared.
const samplesOfFit = 8

// mostInTable bounds the pairs of links in a table, which takes a few seconds at most.
const mostInTable = 2000

// hullOptions make hulls that are a few per cent larger than the smallest, in some tenths of a
// second for a humanoid.
var hullOptions = RomOptions{NoSampled: true, Points: 48, Gap: 0.25}

// NewHulls makes the hulls of m's robot for all configurations within its limits, and the
// table for the given pairs of links (indices), unless they are more than 2000. m has
// no world. It fails once ctx is done.
func NewHulls(ctx context.Context, m *model.Model, pairs [][2]int) (*Hulls, error) {
	box := LimitsBox(m.Tree, nil)
	h := &Hulls{apart: map[[2]int]float64{}}
	for _, step := range []func(){
		func() { h.links = linkBalls(m) },
		func() { h.Rom = NewRangeOfMotion(m, box, hullOptions) },
		h.fit,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step()
	}
	if len(pairs) > mostInTable {
		return h, nil
	}
	body := map[int]int{}
	for i := range m.Bodies {
		body[m.Bodies[i].Link] = i
	}
	of := newPlaces(newSweeper(m, box, exact, hullOptions.gap(), hullOptions.points()), m)
	for _, p := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if x := of.apart(body[p[0]], body[p[1]]); x >= 0 {
			h.apart[p], h.apart[[2]int{p[1], p[0]}] = x, x
		}
	}
	return h, nil
}

// linkBalls returns, per frame, a ball around its links.
func linkBalls(m *model.Model) []convex.Ball {
	all := newSweeper(m, LimitsBox(m.Tree, nil), exact, 1, math.MaxInt)
	out := make([]convex.Ball, len(m.Tree.Frames))
	for k := range out {
		out[k] = all.own[k].ball()
	}
	return out
}

// fit decides for which subtrees the hull of the range of motion replaces balls around their
// links.
func (h *Hulls) fit() {
	m, box := h.Rom.Model, h.Rom.Box
	h.fixed = make([]bool, len(h.links))
	sum := make([]float64, len(h.links))
	p := &Plan{h: h, children: childrenOf(m, h.links)}
	var b distance.Balls
	st := kin.NewState(m.Tree)
	at := make([]kin.Around, len(m.Tree.Dofs))
	q := make([]float64, len(at))
	for i := range samplesOfFit {
		for d := range q {
			q[d] = scattered(box.Vars[d], i, d)
			at[d] = kin.Around{Q: q[d], MaxAbs: math.Abs(q[d])}
		}
		st.Bound(at)
		st.Place(at)
		p.Place(&b, st, q)
		for k := range sum {
			if h.Rom.Subtree[k].Known && h.links[k].Radius >= 0 || len(p.children[k]) > 0 {
				sum[k] += p.tree(&b, int32(k)).Radius
			}
		}
	}
	for k := range sum {
		of := &h.Rom.Subtree[k]
		h.fixed[k] = of.Known && of.Radius >= 0 && of.Radius <= loose*sum[k]/samplesOfFit
	}
}

// scattered returns the i-th of some values that are spread over a range, with a different
// sequence for each variable.
func scattered(r Range, i, variable int) float64 {
	if !r.Finite() {
		r = Range{-math.Pi, math.Pi}
	}
	_, t := math.Modf((float64(i) + 0.5) * (0.6180339887498949 + 0.4142135623730950*float64(variable+1)))
	return r.Lo + t*(r.Hi-r.Lo)
}

// childrenOf returns, per frame, its child joints beyond which something has a shape.
func childrenOf(m *model.Model, links []convex.Ball) [][]int32 {
	children, full := make([][]int32, len(links)), make([]bool, len(links))
	for k := len(links) - 1; k > 0; k-- {
		if full[k] = full[k] || links[k].Radius >= 0; full[k] {
			p := m.Tree.Frames[k].Parent
			full[p] = true
			children[p] = append(children[p], int32(k))
		}
	}
	return children
}

// Apart returns a lower bound of the distance of two links (indices) within the limits, or
// Unproved.
func (h *Hulls) Apart(a, b int) float64 {
	if x, ok := h.apart[[2]int{a, b}]; ok {
		return x
	}
	return Unproved
}

// Hull returns, in frame k, the ball around everything in the subtree of the frame, within the
// limits; whether there is one; and whether it replaces the balls around the links.
func (h *Hulls) Hull(k int) (b convex.Ball, known, tight bool) {
	of := &h.Rom.Subtree[k]
	return of.Ball, of.Known, h.fixed[k]
}

// Count returns how many subtrees have a hull, and how many of these replace the balls around
// their links.
func (h *Hulls) Count() (all, tight int) {
	for k := range h.fixed {
		if b := &h.Rom.Subtree[k]; b.Known && b.Radius >= 0 {
			all++
		}
		if h.fixed[k] {
			tight++
		}
	}
	return all, tight
}

// Bytes returns the approximate memory of the hulls.
func (h *Hulls) Bytes() int {
	const ball, hull, entry = 32, 2 * 56, 48
	return len(h.links)*(ball+hull+1) + len(h.apart)*entry
}

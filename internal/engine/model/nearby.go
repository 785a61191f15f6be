package model

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Distances between links of one rigid body never change. For robots with thousands of them
// only the pairs that are near each other are listed.

// nearPerElement is how many such pairs an element may have on average: the more, the larger
// the distance of the unlisted ones, and the more queries can ignore them.
const nearPerElement = 16

// leastApart (m) is the desired minimum distance of unlisted pairs, if memory allows it:
// larger than usual clearances and margins.
const leastApart = 0.25

// nearby lists the pairs of elements in one frame that are not surely farther apart than the
// returned distance, by their bodies. The distance is as large as nearPerElement allows.
func (m *Model) nearby(off Exempt, c census) (kept map[[2]int32][][2]int32, apart float64, err error) {
	byFrame := make([][]int32, len(m.Tree.Frames))
	n := int64(0)
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Kind != motion.WorldObject {
			for _, e := range b.Elements {
				byFrame[b.Frame] = append(byFrame[b.Frame], int32(e))
				n++
			}
		}
	}
	boxes := make([]geom.Box, len(m.Elements))
	widest := 0.0
	for _, of := range byFrame {
		all := geom.EmptyBox()
		for _, e := range of {
			boxes[e] = m.Elements[e].BoxAt(m.Elements[e].PoseFE, 0)
			all = all.Union(boxes[e])
		}
		if len(of) > 0 {
			widest = max(widest, all.Max.X-all.Min.X, all.Max.Y-all.Min.Y, all.Max.Z-all.Min.Z)
		}
	}
	few, most := c.moving/4+n*nearPerElement, limit.RobotPairs-c.moving
	if !m.within(byFrame, boxes, off, geom.MinLength, most, nil) {
		return nil, 0, fmt.Errorf("%w (%d of them have relative motion, and too many others are close to each other)",
			tooManyPairs(c.moving+c.rigid, "pairs of the robot's collision elements", limit.RobotPairs), c.moving)
	}
	for apart = max(widest, leastApart); apart > geom.MinLength; apart /= 2 {
		room := few
		if apart/2 < leastApart || room > most {
			room = most
		}
		if m.within(byFrame, boxes, off, apart, room, nil) {
			break
		}
	}
	apart = max(apart, geom.MinLength)
	kept = map[[2]int32][][2]int32{}
	m.within(byFrame, boxes, off, apart, most, kept)
	for _, of := range kept { // as if all had been listed
		slices.SortFunc(of, func(p, q [2]int32) int { return slices.Compare(p[:], q[:]) })
	}
	return kept, apart, nil
}

// within adds to kept, if it is not nil, the pairs that are not surely farther apart than
// apart, and reports whether there are at most most.
func (m *Model) within(byFrame [][]int32, boxes []geom.Box, off Exempt, apart float64, most int64, kept map[[2]int32][][2]int32) bool {
	grown := make([]geom.Box, len(boxes))
	n := int64(0)
	for _, of := range byFrame {
		for _, e := range of {
			grown[e] = widened(boxes[e], apart/2) // and roundings more, so that both together are apart at least
		}
		Overlapping(grown, of, func(x, y int32) bool {
			a, b := int32(m.Elements[x].Body), int32(m.Elements[y].Body)
			if a > b {
				a, b, x, y = b, a, y, x
			}
			key := [2]int32{a, b}
			if _, left := off[key]; a == b || left {
				return true
			}
			if n++; kept != nil {
				kept[key] = append(kept[key], [2]int32{x, y})
			}
			return n <= most
		})
		if n > most {
			return false
		}
	}
	return true
}

// BoxAt returns a box around the element, padding included, with its frame E at pose, whose
// error is at most slack (m) in addition to ErrR and ErrP.
//
// The error covers that of the element's pose, and 64u of the lengths for placing and adding
// supports.
func (e *Element) BoxAt(pose geom.Pose, slack float64) geom.Box {
	const u = 0x1p-53
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	return widened(boxOf(&e.Core, pose), slack+e.ErrP+e.ErrR*rho+64*u*(geom.Norm(pose.P)+rho))
}

// Overlapping calls visit for every two of the boxes listed in of that have a common point,
// each pair once, until it returns false.
//
// The boxes are swept along the axis on which the fewest of their projections overlap.
func Overlapping(boxes []geom.Box, of []int32, visit func(x, y int32) bool) {
	axis, least := 0, int64(-1)
	for k := range 3 {
		if n := overlaps(boxes, of, k); least < 0 || n < least {
			axis, least = k, n
		}
	}
	order := slices.Clone(of)
	slices.SortFunc(order, func(x, y int32) int {
		if a, b := low(&boxes[x], axis), low(&boxes[y], axis); a != b {
			if a < b {
				return -1
			}
			return 1
		}
		return int(x) - int(y)
	})
	for i, x := range order {
		end := high(&boxes[x], axis)
		for _, y := range order[i+1:] {
			if low(&boxes[y], axis) > end {
				break
			}
			if meet(&boxes[x], &boxes[y]) && !visit(min(x, y), max(x, y)) {
				return
			}
		}
	}
}

// overlaps counts the pairs of boxes whose projections on an axis overlap.
func overlaps(boxes []geom.Box, of []int32, axis int) int64 {
	begin, end := make([]float64, len(of)), make([]float64, len(of))
	for i, x := range of {
		begin[i], end[i] = low(&boxes[x], axis), high(&boxes[x], axis)
	}
	slices.Sort(begin)
	slices.Sort(end)
	n, open, i := int64(0), int64(0), 0
	for _, b := range begin {
		for ; i < len(end) && end[i] < b; i++ {
			open--
		}
		n += open
		open++
	}
	return n
}

func low(b *geom.Box, axis int) float64 { return [3]float64{b.Min.X, b.Min.Y, b.Min.Z}[axis] }

func high(b *geom.Box, axis int) float64 { return [3]float64{b.Max.X, b.Max.Y, b.Max.Z}[axis] }

func meet(a, b *geom.Box) bool {
	return !(a.Max.X < b.Min.X || b.Max.X < a.Min.X ||
		a.Max.Y < b.Min.Y || b.Max.Y < a.Min.Y ||
		a.Max.Z < b.Min.Z || b.Max.Z < a.Min.Z)
}

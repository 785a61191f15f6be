package convex

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// This file is trusted, as support.go is: it leaves out vertices that cannot be
// the extreme one.

// manyVertices is the number from which groups are faster than the plain scan.
const manyVertices = 48

// group is vertices first..end-1 and a ball around them: for every direction d, the
// computed center·d + radius |d| is no less than the computed v·d of each vertex v.
type group struct {
	center     geom.Vec
	radius     float64
	first, end int32
}

// groupRounding times the extent E of all vertices is in each group's radius, in
// u = 2^-53: v·d and center·d are off by g(3) E |d| each, the center being no
// farther out than E; the length of d by 3u and its product with the radius, at
// most 2E, by 1u: 8 E |d|; the sum by 3 E |d|. Together 17u; the rest is second
// order and lost products.
const groupRounding = 20 * 0x1p-53

// extremeOfGroups returns the index of a vertex with the largest computed dir·v:
// it scans the group with the largest bound, then those whose bound is above what
// it found. A NaN in dir leaves the first.
func extremeOfGroups(gs []group, vs []geom.Vec, dir geom.Vec) int {
	l := norm(dir) + underflow
	likely, top := 0, math.Inf(-1)
	for i := range gs {
		if b := dot(gs[i].center, dir) + gs[i].radius*l; b > top {
			top, likely = b, i
		}
	}
	best, at := math.Inf(-1), 0
	scan := func(g *group) {
		for i := g.first; i < g.end; i++ {
			if d := dot(vs[i], dir); d > best {
				best, at = d, int(i)
			}
		}
	}
	scan(&gs[likely])
	for i := range gs {
		if g := &gs[i]; i != likely && dot(g.center, dir)+g.radius*l > best {
			scan(g)
		}
	}
	return at
}

// arrange puts vs into an order in which neighbours are near each other, so that
// groupsOf finds groups in it: by halving along the longest side.
func arrange(vs []geom.Vec) {
	size := groupSize(len(vs))
	var halve func(part []geom.Vec)
	halve = func(part []geom.Vec) {
		if len(part) <= size {
			return
		}
		box := geom.EmptyBox()
		for _, v := range part {
			box = box.Extend(v)
		}
		axis := largestAxis(box.Half())
		slices.SortFunc(part, func(a, b geom.Vec) int {
			x, y := [3]float64{a.X, a.Y, a.Z}[axis], [3]float64{b.X, b.Y, b.Z}[axis]
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		halve(part[:len(part)/2])
		halve(part[len(part)/2:])
	}
	halve(vs)
}

// groupSize is about the square root of the number of vertices.
func groupSize(n int) int { return int(math.Sqrt(float64(n))) + 1 }

// groupsOf cuts vs, whose extent is given, into groups, by halving.
func groupsOf(vs []geom.Vec, extent float64) (out []group) {
	size := groupSize(len(vs))
	var halve func(first, end int)
	halve = func(first, end int) {
		part := vs[first:end]
		if len(part) > size {
			middle := first + len(part)/2
			halve(first, middle)
			halve(middle, end)
			return
		}
		b := MinBall(part)
		if !(norm(b.Center) <= extent) { // no more than rounding should do this
			b = BallAround(part[0], part)
		}
		out = append(out, group{b.Center, b.Radius + groupRounding*extent, int32(first), int32(end)})
	}
	halve(0, len(vs))
	return out
}

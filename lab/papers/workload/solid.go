package workload

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// solid is a closed body that can be had in any number of triangles: tessellate
// comes as close to the number wanted as its form allows.
type solid struct {
	area       float64 // m², about
	tessellate func(n int) surface
	pose       geom.Pose // in the link or object
}

func newSolid(area float64, tessellate func(n int) surface) solid {
	return solid{area: area, tessellate: tessellate, pose: geom.IdentityPose()}
}

// at shifts the solid, turned turns it about its frame's origin by roll, pitch and
// yaw, posed does both.
func (s solid) at(x, y, z float64) solid {
	return s.posed(geom.Translation(geom.Vec{X: x, Y: y, Z: z}))
}

func (s solid) turned(roll, pitch, yaw float64) solid {
	return s.posed(geom.Pose{R: geom.RPY(roll, pitch, yaw)})
}

func (s solid) posed(p geom.Pose) solid {
	s.pose = p.Mul(s.pose)
	return s
}

// minimum is the fewest triangles that a solid is given.
const minimum = 12

// body tessellates the solids, as one surface, into about n triangles shared by
// area. Small ones come first, so that the largest makes up for what their forms
// do not allow.
func body(n int, solids ...solid) surface {
	solids = slices.Clone(solids)
	slices.SortStableFunc(solids, func(a, b solid) int { return cmp.Compare(a.area, b.area) })
	left := 0.0
	for i := range solids {
		left += solids[i].area
	}
	var out surface
	for i := range solids {
		rest := n - len(out.triangles) - minimum*(len(solids)-1-i)
		want := max(minimum, int(math.Round(float64(n-len(out.triangles))*solids[i].area/left)))
		out.solids = append(out.solids, len(out.triangles))
		out.add(solids[i].tessellate(max(minimum, min(want, rest))), solids[i].pose)
		left -= solids[i].area
	}
	return out
}

// box is a box around the origin with the given full side lengths.
func box(x, y, z float64) solid {
	size := geom.Vec{X: x, Y: y, Z: z}
	return newSolid(2*(x*y+y*z+z*x), func(n int) surface { return boxSurface(size, n) })
}

// boxSurface divides the faces into squares of about the same size.
func boxSurface(size geom.Vec, n int) surface {
	sides := [3]float64{size.X, size.Y, size.Z}
	cells := func(h float64) (c [3]int) {
		for i, x := range sides {
			c[i] = max(1, int(math.Round(x/h)))
		}
		return c
	}
	count := func(c [3]int) int { return 4 * (c[0]*c[1] + c[1]*c[2] + c[2]*c[0]) }
	lo, hi := 0.0, 4*slices.Max(sides[:]) // count(lo) > n >= count(hi)
	for range 50 {
		if h := (lo + hi) / 2; count(cells(h)) > n {
			lo = h
		} else {
			hi = h
		}
	}
	c := cells(hi)
	if lo > 0 {
		if more := cells(lo); count(more)-n < n-count(c) {
			c = more
		}
	}
	return grids(size, c)
}

// grids is the surface of a box of c cells along each axis.
func grids(size geom.Vec, c [3]int) surface {
	var s surface
	index := map[[3]int]int32{}
	at := func(p [3]int) int32 {
		if i, ok := index[p]; ok {
			return i
		}
		place := func(i int, side float64) float64 { return side * (float64(p[i])/float64(c[i]) - 0.5) }
		i := s.vertex(geom.Vec{X: place(0, size.X), Y: place(1, size.Y), Z: place(2, size.Z)})
		index[p] = i
		return i
	}
	for axis := range 3 {
		u, v := (axis+1)%3, (axis+2)%3
		for i := range c[u] {
			for j := range c[v] {
				corner := func(side, di, dj int) int32 {
					var p [3]int
					p[axis], p[u], p[v] = side, i+di, j+dj
					return at(p)
				}
				top, bottom := c[axis], 0
				s.quad(corner(top, 0, 0), corner(top, 1, 0), corner(top, 1, 1), corner(top, 0, 1))
				s.quad(corner(bottom, 0, 0), corner(bottom, 0, 1), corner(bottom, 1, 1), corner(bottom, 1, 0))
			}
		}
	}
	return s
}

// bar is a thin box of square section from a to b.
func bar(a, b geom.Vec, side float64) solid {
	d := r3.Sub(b, a)
	return box(side, side, geom.Norm(d)).posed(geom.Pose{R: towards(d), P: r3.Scale(0.5, r3.Add(a, b))})
}

// towards returns a rotation that takes z to the direction of d.
func towards(d geom.Vec) geom.Rot {
	z, _ := geom.Unit(d)
	side := geom.Vec{X: 1}
	if math.Abs(z.X) > 0.9 {
		side = geom.Vec{Y: 1}
	}
	x, _ := geom.Unit(r3.Sub(side, r3.Scale(r3.Dot(side, z), z)))
	y := r3.Cross(z, x)
	return geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
}

// evenBox is a box whose faces have about as many triangles each.
func evenBox(x, y, z float64) solid {
	return newSolid(2*(x*y+y*z+z*x), func(n int) surface {
		k := max(1, int(math.Round(math.Sqrt(float64(n)/12))))
		return grids(geom.Vec{X: x, Y: y, Z: z}, [3]int{k, k, k})
	})
}

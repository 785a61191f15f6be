package workload

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// sheet is a bent plate of the given thickness: at gives its middle for u and v from
// 0 to 1, which turn counterclockwise seen from outside. It must not fold over.
func sheet(thickness float64, at func(u, v float64) geom.Vec) solid {
	const steps = 8
	across, down := 0.0, 0.0
	for i := range steps {
		a, b, m := float64(i)/steps, float64(i+1)/steps, 0.5
		across += geom.Norm(r3.Sub(at(b, m), at(a, m)))
		down += geom.Norm(r3.Sub(at(m, b), at(m, a)))
	}
	return newSolid(2*across*down, func(n int) surface {
		nu, nv := gridOf(max(n, leastOfSheet), across/down, func(a, b int) int { return 4*a*b + 4*(a+b) })
		var s surface
		for side := range 2 {
			for i := range nu + 1 {
				for j := range nv + 1 {
					u, v := float64(i)/float64(nu), float64(j)/float64(nv)
					s.vertex(r3.Add(at(u, v), r3.Scale(thickness*(0.5-float64(side)), normal(at, u, v))))
				}
			}
		}
		closeGrid(&s, nu, nv)
		return s
	})
}

// leastOfSheet is how many triangles keep a bent sheet from meeting itself.
const leastOfSheet = 60

// normal of a surface, by differences.
func normal(at func(u, v float64) geom.Vec, u, v float64) geom.Vec {
	const d = 1e-4
	u0, u1, v0, v1 := max(u-d, 0), min(u+d, 1), max(v-d, 0), min(v+d, 1)
	n, _ := geom.Unit(r3.Cross(r3.Sub(at(u1, v), at(u0, v)), r3.Sub(at(u, v1), at(u, v0))))
	return n
}

// ground is a landscape on a plate: x and y are centred, height is above z = 0 and
// the underside at -depth.
func ground(x, y, depth float64, height func(x, y float64) float64) solid {
	return newSolid(2*x*y, func(n int) surface {
		nu, nv := gridOf(n, x/y, func(a, b int) int { return 2*a*b + 6*(a+b) })
		var s surface
		for i := range nu + 1 {
			for j := range nv + 1 {
				px, py := x*(float64(i)/float64(nu)-0.5), y*(float64(j)/float64(nv)-0.5)
				s.vertex(geom.Vec{X: px, Y: py, Z: height(px, py)})
			}
		}
		fanBelow(&s, nu, nv, depth)
		return s
	})
}

// gridOf divides a plate of that ratio of sides into squares of about n triangles,
// as count gives them.
func gridOf(n int, ratio float64, count func(a, b int) int) (nu, nv int) {
	ideal := math.Sqrt(float64(n) / 4 * ratio)
	best := math.Inf(1)
	nu, nv = 1, 1
	for a := 1; a <= int(3*ideal)+2; a++ {
		b := 1
		for count(a, b+1) <= n {
			b++
		}
		for _, b := range [2]int{b, b + 1} {
			off := math.Abs(float64(count(a, b)-n))/float64(n) + 0.05*math.Abs(math.Log(float64(a)/float64(b)/ratio))
			if off < best {
				best, nu, nv = off, a, b
			}
		}
	}
	return nu, nv
}

// closeGrid joins two grids of vertices, the outer one first, to a plate.
func closeGrid(s *surface, nu, nv int) {
	at := func(side, i, j int) int32 { return int32((side*(nu+1)+i)*(nv+1) + j) }
	for i := range nu {
		for j := range nv {
			s.quad(at(0, i, j), at(0, i+1, j), at(0, i+1, j+1), at(0, i, j+1))
			s.quad(at(1, i, j), at(1, i, j+1), at(1, i+1, j+1), at(1, i+1, j))
		}
	}
	rim(nu, nv, func(i, j, k, l int) {
		s.quad(at(1, i, j), at(1, k, l), at(0, k, l), at(0, i, j))
	})
}

// fanBelow closes a grid by a rim at -depth and a fan around its middle.
func fanBelow(s *surface, nu, nv int, depth float64) {
	top := func(i, j int) int32 { return int32(i*(nv+1) + j) }
	below := map[[2]int]int32{}
	low := func(i, j int) int32 {
		k, ok := below[[2]int{i, j}]
		if !ok {
			v := s.vertices[top(i, j)]
			v.Z = -depth
			k = s.vertex(v)
			below[[2]int{i, j}] = k
		}
		return k
	}
	middle := s.vertex(geom.Vec{Z: -depth})
	for i := range nu {
		for j := range nv {
			s.quad(top(i, j), top(i+1, j), top(i+1, j+1), top(i, j+1))
		}
	}
	rim(nu, nv, func(i, j, k, l int) {
		s.quad(low(i, j), low(k, l), top(k, l), top(i, j))
		s.triangle(middle, low(k, l), low(i, j))
	})
}

// rim visits the edges of a grid's border, counterclockwise.
func rim(nu, nv int, visit func(i, j, k, l int)) {
	for i := range nu {
		visit(i, 0, i+1, 0)
		visit(i+1, nv, i, nv)
	}
	for j := range nv {
		visit(nu, j, nu, j+1)
		visit(0, j+1, 0, j)
	}
}

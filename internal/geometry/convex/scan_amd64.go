package convex

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has the instructions.
var vectors = cpu.X86.HasAVX

// extreme returns the index of the first vertex with the largest computed dir·v:
// what the plain scan returns.
func (c *columns) extreme(dx, dy, dz float64) int {
	n := len(c.x)
	top := largestAVX(&c.x[0], &c.y[0], &c.z[0], n, dx, dy, dz)
	return indexAVX(&c.x[0], &c.y[0], &c.z[0], n, dx, dy, dz, top)
}

// largest returns the largest computed dir·v; NaN if dir is.
func (c *columns) largest(dx, dy, dz float64) float64 {
	return largestAVX(&c.x[0], &c.y[0], &c.z[0], len(c.x), dx, dy, dz)
}

// largestAVX and indexAVX take n numbers of each coordinate, a positive multiple
// of eight.
//
//go:noescape
func largestAVX(x, y, z *float64, n int, dx, dy, dz float64) float64

//go:noescape
func indexAVX(x, y, z *float64, n int, dx, dy, dz, value float64) int

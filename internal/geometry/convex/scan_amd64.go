package convex

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has the instructions.
var vectors = cpu.X86.HasAVX

// extreme returns the index of the first vertex with the largest computed dir·v:
// what the plain scan returns of a direction that is finite or NaN.
func (c *columns) extreme(dx, dy, dz float64) int {
	return extremeAVX(&c.x[0], &c.y[0], &c.z[0], len(c.x), dx, dy, dz)
}

// largest returns the largest computed dir·v; NaN if dir is.
func (c *columns) largest(dx, dy, dz float64) float64 {
	return largestAVX(&c.x[0], &c.y[0], &c.z[0], len(c.x), dx, dy, dz)
}

// largestAVX and extremeAVX take n numbers of each coordinate, a positive multiple
// of eight.
//
//go:noescape
func largestAVX(x, y, z *float64, n int, dx, dy, dz float64) float64

//go:noescape
func extremeAVX(x, y, z *float64, n int, dx, dy, dz float64) int

//go:build !amd64

package convex

// vectors says that there are no instructions to read columns with: none are made.
const vectors = false

func (c *columns) extreme(dx, dy, dz float64) int { panic("convex: no vector instructions") }

func (c *columns) largest(dx, dy, dz float64) float64 { panic("convex: no vector instructions") }

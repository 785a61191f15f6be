package convex

import "github.com/firstcontact-ros/firstcontact/geom"

// This file is trusted, as support.go is.

// columns is vertices coordinate by coordinate, filled up to a multiple of eight
// with the first one, for vector instructions that take eight at a time: a
// direction against a hundred vertices in a fifth of the time of the plain scan,
// which is their twin.
type columns struct {
	x, y, z []float64
}

// From fewVertices on columns are faster than the plain scan; above mostInColumns
// groups are.
const fewVertices, mostInColumns = 8, 1024

func columnsOf(vs []geom.Vec) (c columns) {
	n := (len(vs) + 7) / 8 * 8
	f := make([]float64, 3*n)
	c.x, c.y, c.z = f[:n], f[n:2*n], f[2*n:]
	for i := range n {
		v := vs[0]
		if i < len(vs) {
			v = vs[i]
		}
		c.x[i], c.y[i], c.z[i] = v.X, v.Y, v.Z
	}
	return c
}

package mesh

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// placesOf returns for each vertex the first vertex at the same position, -0 being 0. Meshes
// that this package reads have no two vertices at one position; others may.
func placesOf(m *Mesh) []int32 {
	size := 16
	for size < 2*len(m.Vertices) {
		size *= 2
	}
	slots := make([]int32, size) // 1 + vertex, 0 where empty
	first := make([]int32, len(m.Vertices))
	for i, v := range m.Vertices {
		first[i] = int32(i)
		for at := hashOf(v) & uint64(size-1); ; at = (at + 1) & uint64(size-1) {
			if slots[at] == 0 {
				slots[at] = int32(i) + 1
				break
			}
			if m.Vertices[slots[at]-1] == v {
				first[i] = slots[at] - 1
				break
			}
		}
	}
	return first
}

// hashOf is equal for equal positions.
func hashOf(v geom.Vec) uint64 {
	h := uint64(0)
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		h = (h ^ math.Float64bits(x+0)) * 0x9e3779b97f4a7c15 // x+0 turns -0 into 0
		h ^= h >> 29
	}
	return h ^ h>>32
}

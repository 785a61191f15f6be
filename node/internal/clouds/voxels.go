package clouds

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// voxel is a box of the grid by its indices: 21 bits each, of z, y and x from above, so that
// the next number is the neighbour in x.
type voxel uint64

// maxIndex bounds an index in size. The highest is never used, so that a row of neighbours
// ends within its bits.
const maxIndex = 1<<20 - 2

// grid divides space into cubes, one of which has a corner at the origin.
type grid struct{ side float64 }

// of returns the voxel that holds p, borders included; false if it is too far out.
func (g grid) of(p geom.Vec) (voxel, bool) {
	x, okX := g.index(p.X)
	y, okY := g.index(p.Y)
	z, okZ := g.index(p.Z)
	return pack(x, y, z), okX && okY && okZ
}

// index returns i with i*side <= v <= (i+1)*side as the products are rounded, since these are
// the box that stands for the point.
func (g grid) index(v float64) (int, bool) {
	f := math.Floor(v / g.side)
	if !(math.Abs(f) < maxIndex) {
		return 0, false
	}
	i := int(f)
	switch {
	case v < float64(i)*g.side:
		i--
	case v > float64(i+1)*g.side:
		i++
	}
	return i, true
}

func pack(x, y, z int) voxel {
	return voxel(z+1<<20)<<42 | voxel(y+1<<20)<<21 | voxel(x+1<<20)
}

func (v voxel) unpack() (x, y, z int) {
	const mask = 1<<21 - 1
	return int(v&mask) - 1<<20, int(v>>21&mask) - 1<<20, int(v>>42) - 1<<20
}

// boxes returns boxes that hold the voxels, which are sorted and differ: those in a row along
// x as one.
func (g grid) boxes(list []voxel) []geom.Box {
	var out []geom.Box
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j] == list[j-1]+1 {
			j++
		}
		x, y, z := list[i].unpack()
		out = append(out, geom.Box{
			Min: geom.Vec{X: float64(x) * g.side, Y: float64(y) * g.side, Z: float64(z) * g.side},
			Max: geom.Vec{X: float64(x+j-i) * g.side, Y: float64(y+1) * g.side, Z: float64(z+1) * g.side},
		})
		i = j
	}
	return out
}

// set is a set of voxels; the zero voxel, which is beyond the grid, is never in it.
type set struct {
	slots []voxel
	n     int
}

func newSet(room int) *set {
	size := 1 << 10
	for size < 2*room {
		size *= 2
	}
	return &set{slots: make([]voxel, size)}
}

// slot returns where v is, or would be.
func (s *set) slot(v voxel) int {
	mask := len(s.slots) - 1
	i := int(uint64(v)*0x9e3779b97f4a7c15>>32) & mask
	for s.slots[i] != 0 && s.slots[i] != v {
		i = (i + 1) & mask
	}
	return i
}

func (s *set) has(v voxel) bool { return s.slots[s.slot(v)] == v }

func (s *set) add(v voxel) {
	i := s.slot(v)
	if s.slots[i] == v {
		return
	}
	s.slots[i] = v
	if s.n++; 2*s.n > len(s.slots) {
		old := s.slots
		s.slots = make([]voxel, 2*len(old))
		for _, v := range old {
			if v != 0 {
				s.slots[s.slot(v)] = v
			}
		}
	}
}

func (s *set) sorted() []voxel {
	out := make([]voxel, 0, s.n)
	for _, v := range s.slots {
		if v != 0 {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

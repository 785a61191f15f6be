package mesh

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// placesOf returns for each vertex the first vertex at the same position, -0 being 0. Meshes
// that this package reads have no two vertices at one position; others may. distinct says that there
// are no two.
func placesOf(m *Mesh) (first []int32, distinct bool) {
	at := placesFor(len(m.Vertices))
	first, distinct = make([]int32, len(m.Vertices)), true
	for i, v := range m.Vertices {
		first[i] = at.add(m.Vertices, int32(i), v)
		distinct = distinct && first[i] == int32(i)
	}
	return first, distinct
}

// places finds vertices by their position.
type places struct {
	slots []int32 // 1 + vertex, 0 where empty; twice as many as vertices, or more
	count int     // of vertices
}

// placesFor returns an empty table with room for n vertices.
func placesFor(n int) places {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return places{slots: make([]int32, size)}
}

// add returns the vertex at v that was added before; if there is none it adds i. The vertices
// added so far have their positions in vs.
func (p *places) add(vs []geom.Vec, i int32, v geom.Vec) int32 {
	if 2*(p.count+1) > len(p.slots) {
		p.grow(vs)
	}
	mask := uint64(len(p.slots) - 1)
	for at := hashOf(v) & mask; ; at = (at + 1) & mask {
		k := p.slots[at] - 1
		if k < 0 {
			p.slots[at] = i + 1
			p.count++
			return i
		}
		if vs[k] == v {
			return k
		}
	}
}

func (p *places) grow(vs []geom.Vec) {
	before := p.slots
	p.slots = make([]int32, 2*len(before))
	mask := uint64(len(p.slots) - 1)
	for _, k := range before {
		if k == 0 {
			continue
		}
		at := hashOf(vs[k-1]) & mask
		for p.slots[at] != 0 {
			at = (at + 1) & mask
		}
		p.slots[at] = k
	}
}

// secrets keep a file from placing its vertices where they collide.
var secrets = [3]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64() | 1}

// hashOf is equal for equal positions.
func hashOf(v geom.Vec) uint64 {
	// x+0 turns -0 into 0
	hi, lo := bits.Mul64(math.Float64bits(v.X+0)^secrets[0], math.Float64bits(v.Y+0)^secrets[1])
	hi, lo = bits.Mul64(hi^lo^math.Float64bits(v.Z+0), secrets[2])
	return hi ^ lo
}

package model

import (
	"encoding/binary"
	"hash"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// planVersion is part of every key: increase it when plans are encoded or made differently. An
// old plan would give a sound form, but a slower one.
const planVersion = 4

// meshKey identifies the plan of a mesh by all that it depends on.
func meshKey(m *mesh.Mesh) cache.Key {
	d := newDigest("mesh")
	d.count(len(m.Vertices))
	for i := range m.Vertices {
		d.vec(&m.Vertices[i])
	}
	d.count(len(m.Triangles))
	for _, t := range m.Triangles {
		for _, k := range t {
			d.buf = binary.LittleEndian.AppendUint32(d.buf, uint32(k))
		}
		d.flush(1 << 15)
	}
	return d.key()
}

// hullKey identifies the plan of the tight hull of the mesh with this key.
func hullKey(mesh cache.Key) cache.Key {
	d := newDigest("tight hull")
	d.buf = append(d.buf, mesh[:]...)
	return d.key()
}

// cellsKey identifies the plan of cells.
func cellsKey(cells []geom.Box) cache.Key {
	d := newDigest("cells")
	d.count(len(cells))
	for i := range cells {
		d.vec(&cells[i].Min)
		d.vec(&cells[i].Max)
	}
	return d.key()
}

// digest hashes in blocks of some kilobytes, because sums are fast only then.
type digest struct {
	h   hash.Hash
	buf []byte
}

func newDigest(kind string) *digest {
	d := &digest{h: cache.NewSum()}
	d.buf = append(d.buf, "firstcontact form "+kind+"\n"...)
	d.count(planVersion)
	d.count(hullVertices)
	d.vec(&geom.Vec{X: hullSlack, Y: convexEnough})
	return d
}

func (d *digest) count(n int) { d.buf = binary.LittleEndian.AppendUint64(d.buf, uint64(n)) }

func (d *digest) vec(v *geom.Vec) {
	d.buf = appendVec(d.buf, v)
	d.flush(1 << 15)
}

func (d *digest) flush(over int) {
	if len(d.buf) > over {
		d.h.Write(d.buf)
		d.buf = d.buf[:0]
	}
}

func (d *digest) key() (k cache.Key) {
	d.flush(0)
	d.h.Sum(k[:0])
	return k
}

func appendVec(b []byte, v *geom.Vec) []byte {
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// A plan is encoded as a head and lists, little-endian. The head is the length of each list,
// whether the mesh may be convex, and the centre; the lists follow in the order of planLists.
const planHead = (len(planLists{})+1)*4 + 24

// planLists are the lists of a plan, by the bytes that each element takes: the vertices of the hull,
// four of them for each point, the rough hull, the order of the items, the splits.
type planLists [5]int

var planSizes = planLists{4, 16, 4, 4, splitBytes}

// splitBytes are those of a bvh.Split: the count and the centre.
const splitBytes = 4 + 24

// planBytes is the maximum size of an encoded plan of a shape with the given numbers of points
// and elements: its hull has some of the points, and its hierarchy has fewer splits than
// elements.
func planBytes(points, elements int) int64 {
	return int64(planHead) + 24*int64(points) + (4+splitBytes)*int64(elements)
}

func (p *plan) lists() planLists {
	return planLists{len(p.hull.Vertices), len(p.hull.Near), len(p.rough), len(p.tree.Order), len(p.tree.Inner)}
}

func (p *plan) encode() []byte {
	n := planHead
	for i, count := range p.lists() {
		n += count * planSizes[i]
	}
	b := make([]byte, 0, n)
	for _, count := range p.lists() {
		b = binary.LittleEndian.AppendUint32(b, uint32(count))
	}
	exact := uint32(0)
	if p.exact {
		exact = 1
	}
	b = appendVec(binary.LittleEndian.AppendUint32(b, exact), &p.center)
	b = appendInts(b, p.hull.Vertices)
	for i := range p.hull.Near {
		b = appendInts(b, p.hull.Near[i][:])
	}
	b = appendInts(appendInts(b, p.rough), p.tree.Order)
	for i := range p.tree.Inner {
		s := &p.tree.Inner[i]
		b = appendVec(binary.LittleEndian.AppendUint32(b, uint32(s.Left)), &s.Center)
	}
	return b
}

func appendInts(b []byte, xs []int32) []byte {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

// decodePlan reads the output of encode. Other data gives no plan, or one that does not fit
// its shape; lists are no longer than the data.
func decodePlan(data []byte) (*plan, bool) {
	if len(data) < planHead {
		return nil, false
	}
	r := planReader{data}
	var counts planLists
	size := int64(planHead)
	for i := range counts {
		counts[i] = int(uint32(r.int()))
		size += int64(counts[i]) * int64(planSizes[i])
	}
	exact := r.int()
	if size != int64(len(data)) || exact&^1 != 0 {
		return nil, false
	}
	p := &plan{exact: exact == 1, center: r.vec()}
	p.hull.Vertices = r.ints(counts[0])
	p.hull.Near = make([][4]int32, counts[1])
	for i := range p.hull.Near {
		b := r.take(16)
		p.hull.Near[i] = [4]int32{intAt(b), intAt(b[4:]), intAt(b[8:]), intAt(b[12:])}
	}
	p.rough, p.tree.Order = r.ints(counts[2]), r.ints(counts[3])
	p.tree.Inner = make([]bvh.Split, counts[4])
	for i := range p.tree.Inner {
		b := r.take(splitBytes)
		p.tree.Inner[i] = bvh.Split{Left: intAt(b), Center: geom.Vec{X: floatAt(b[4:]), Y: floatAt(b[12:]), Z: floatAt(b[20:])}}
	}
	return p, true
}

func intAt(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }

func floatAt(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// planReader reads what is known to follow.
type planReader struct{ rest []byte }

func (r *planReader) take(n int) []byte {
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *planReader) int() int32 { return intAt(r.take(4)) }

func (r *planReader) vec() geom.Vec {
	b := r.take(24)
	return geom.Vec{X: floatAt(b), Y: floatAt(b[8:]), Z: floatAt(b[16:])}
}

func (r *planReader) ints(n int) []int32 {
	xs, b := make([]int32, n), r.take(4*n)
	for i := range xs {
		xs[i] = intAt(b[4*i:])
	}
	return xs
}

package model

import (
	"crypto/sha256"
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
const planVersion = 2

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

// digest hashes in blocks of some kilobytes, because SHA-256 is fast only then.
type digest struct {
	h   hash.Hash
	buf []byte
}

func newDigest(kind string) *digest {
	d := &digest{h: sha256.New()}
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

// planBytes is the maximum size of an encoded plan of a shape with the given numbers of points
// and elements: its hull has some of the points, and its hierarchy has fewer splits than
// elements.
func planBytes(points, elements int) int64 {
	return 1 + 24 + 16 + 20*int64(points) + 32*int64(elements)
}

// encode writes, little-endian: whether exact; the centre; the hull's vertices and,
// for each point, four of them; the tree's order and its splits. Lists begin with
// their length.
func (p *plan) encode() []byte {
	n := 1 + 24 + 16 + 4*len(p.hull.Vertices) + 16*len(p.hull.Near) + 4*len(p.tree.Order) + 28*len(p.tree.Inner)
	b := make([]byte, 1, n)
	if p.exact {
		b[0] = 1
	}
	b = appendVec(b, &p.center)
	b = appendInts(b, p.hull.Vertices)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.hull.Near)))
	for i := range p.hull.Near {
		for _, k := range p.hull.Near[i] {
			b = binary.LittleEndian.AppendUint32(b, uint32(k))
		}
	}
	b = appendInts(b, p.tree.Order)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.tree.Inner)))
	for i := range p.tree.Inner {
		b = binary.LittleEndian.AppendUint32(b, uint32(p.tree.Inner[i].Left))
		b = appendVec(b, &p.tree.Inner[i].Center)
	}
	return b
}

func appendInts(b []byte, xs []int32) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(xs)))
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

// decodePlan reads the output of encode. Other data gives no plan, or one that does not fit
// its shape; lists are no longer than the data.
func decodePlan(data []byte) (*plan, bool) {
	if len(data) < 25 || data[0] > 1 {
		return nil, false
	}
	r := planReader{data[1:]}
	p := &plan{exact: data[0] == 1, center: r.vec()}
	var ok bool
	if p.hull.Vertices, ok = r.ints(); !ok {
		return nil, false
	}
	n, ok := r.count(16)
	if !ok {
		return nil, false
	}
	p.hull.Near = make([][4]int32, n)
	for i := range p.hull.Near {
		for k := range p.hull.Near[i] {
			p.hull.Near[i][k] = r.int()
		}
	}
	if p.tree.Order, ok = r.ints(); !ok {
		return nil, false
	}
	if n, ok = r.count(28); !ok {
		return nil, false
	}
	p.tree.Inner = make([]bvh.Split, n)
	for i := range p.tree.Inner {
		p.tree.Inner[i] = bvh.Split{Left: r.int(), Center: r.vec()}
	}
	return p, len(r.rest) == 0
}

type planReader struct{ rest []byte }

func (r *planReader) int() int32 {
	x := int32(binary.LittleEndian.Uint32(r.rest))
	r.rest = r.rest[4:]
	return x
}

func (r *planReader) vec() (v geom.Vec) {
	for _, x := range [3]*float64{&v.X, &v.Y, &v.Z} {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(r.rest))
		r.rest = r.rest[8:]
	}
	return v
}

// count reads the length of a list of items of size bytes, all of which must follow.
func (r *planReader) count(size int) (int, bool) {
	if len(r.rest) < 4 {
		return 0, false
	}
	n := int64(uint32(r.int()))
	return int(n), n <= int64(len(r.rest)/size)
}

func (r *planReader) ints() ([]int32, bool) {
	n, ok := r.count(4)
	if !ok {
		return nil, false
	}
	xs := make([]int32, n)
	for i := range xs {
		xs[i] = r.int()
	}
	return xs, true
}

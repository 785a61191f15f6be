package spheretree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// cut is a plane between two of n bins along a direction.
type cut struct {
	lo, perBin float64
	at, n      int
}

func (c *cut) bin(key float64) int { return min(max(int((key-c.lo)*c.perBin), 0), c.n-1) }

func (c *cut) left(key float64) bool { return c.bin(key) < c.at }

// maxBins is the number of bins of a large node.
const maxBins = 16

// bin is what is known of the triangles whose middles fall in one.
type bin struct {
	count int
	box   geom.Box
}

func (b *bin) add(o *bin) {
	if o.count == 0 {
		return
	}
	b.count += o.count
	b.box = b.box.Union(o.box)
}

// cost stands for the surface of the ball around the bin, weighed with its triangles.
func (b *bin) cost() float64 {
	if b.count == 0 {
		return 0
	}
	d := sub(b.box.Max, b.box.Min)
	return float64(b.count) * dot(d, d)
}

// cheapest projects the node's triangles on a direction and returns the cheapest cut
// by the boxes of the parts; ok is false where none leaves triangles on both sides.
func (b *builder) cheapest(first, count int, direction geom.Vec) (c cut, ok bool) {
	b.project(first, count, direction)
	lo, hi := b.keys[0], b.keys[0]
	for _, k := range b.keys {
		lo, hi = min(lo, k), max(hi, k)
	}
	c = cut{lo: lo, n: min(count, maxBins)}
	c.perBin = float64(c.n) / (hi - lo)
	if !(c.perBin > 0) || math.IsInf(c.perBin, 0) {
		return c, false
	}
	var bins [maxBins]bin
	for i := range bins {
		bins[i].box = geom.EmptyBox()
	}
	for i, k := range b.keys {
		x := &bins[c.bin(k)]
		x.count++
		for _, v := range b.tree.Triangle(int32(first + i)) {
			x.box = extend(x.box, v)
		}
	}
	return c, c.choose(&bins)
}

// choose sets the cut where the sum of both sides' costs is least.
func (c *cut) choose(bins *[maxBins]bin) (ok bool) {
	var right [maxBins]float64
	all := bin{box: geom.EmptyBox()}
	for i := c.n - 1; i > 0; i-- {
		all.add(&bins[i])
		right[i] = all.cost()
	}
	total := all.count + bins[0].count
	least := math.Inf(1)
	all = bin{box: geom.EmptyBox()}
	for i := 1; i < c.n; i++ {
		all.add(&bins[i-1])
		if all.count == 0 || all.count == total {
			continue
		}
		if k := all.cost() + right[i]; k < least {
			least, c.at, ok = k, i, true
		}
	}
	return ok
}

// extend is geom.Box.Extend by comparisons, which finite numbers allow.
func extend(b geom.Box, p geom.Vec) geom.Box {
	b.Min = geom.Vec{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y), Z: min(b.Min.Z, p.Z)}
	b.Max = geom.Vec{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y), Z: max(b.Max.Z, p.Z)}
	return b
}

// spread returns the unit direction in which the triangles' middles spread most, by a
// few steps of the power method on their covariance; along x where they do not.
func (b *builder) spread(first, count int) geom.Vec {
	middle := func(i int) geom.Vec {
		t := b.tree.Triangle(int32(first + i))
		return scale(1./3, add(add(t[0], t[1]), t[2]))
	}
	var mean geom.Vec
	for i := range count {
		mean = add(mean, scale(1/float64(count), middle(i)))
	}
	var x, y, z geom.Vec // the covariance's rows
	for i := range count {
		d := sub(middle(i), mean)
		x, y, z = along(x, d.X, d), along(y, d.Y, d), along(z, d.Z, d)
	}
	v := x
	for _, r := range [2]geom.Vec{y, z} {
		if dot(r, r) > dot(v, v) {
			v = r
		}
	}
	for range 8 {
		unit, ok := geom.Unit(v)
		if !ok {
			return geom.Vec{X: 1}
		}
		v = geom.Vec{X: dot(x, unit), Y: dot(y, unit), Z: dot(z, unit)}
	}
	unit, ok := geom.Unit(v)
	if !ok {
		return geom.Vec{X: 1}
	}
	return unit
}

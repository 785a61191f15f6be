package linkspheres

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// inside proves, after surface has, that nothing inside the solids is left out: no
// point of them is a local maximum of the least power, where that is positive. See
// the package's documentation for why that is enough.
func (p *prover) inside() error {
	box := geom.EmptyBox()
	for _, s := range p.body.solids {
		box = box.Union(s.box())
	}
	if box.Empty() {
		return nil
	}
	all := make([]int32, len(p.balls))
	for i := range all {
		all[i] = int32(i)
	}
	return p.cell(&box, all, 0)
}

// maxCellDepth bounds how often a cell is halved: forty times in each direction.
const maxCellDepth = 120

// cell proves that no such point is in the box. least names the balls whose power may
// be the least somewhere in it.
func (p *prover) cell(c *geom.Box, least []int32, depth int) error {
	if err := p.count(&p.proof.Cells, c.Center); err != nil {
		return err
	}
	m := c.Center()
	for _, i := range least {
		if p.balls[i].holdsBox(c) {
			return nil
		}
	}
	least = p.contenders(c, least)
	if p.uphill(c, m, least) || p.outsideSolids(c, m) {
		return nil
	}
	if depth == maxCellDepth {
		return p.refuse(m, "a cell smaller than rounding is in no sphere")
	}
	if depth > 24 && p.outsideAll(m) > diagonal(c) {
		return p.refuse(m, "a cell inside is outside all spheres")
	}
	a, b := *c, *c
	halve(&a, &b, m)
	if err := p.cell(&a, least, depth+1); err != nil {
		return err
	}
	return p.cell(&b, least, depth+1)
}

// halve parts two copies of a box at m across its longest side: they share the
// number that is between them, so that nothing is lost.
func halve(a, b *geom.Box, m geom.Vec) {
	d := sub(a.Max, a.Min)
	switch {
	case d.X >= d.Y && d.X >= d.Z:
		a.Max.X, b.Min.X = m.X, m.X
	case d.Y >= d.Z:
		a.Max.Y, b.Min.Y = m.Y, m.Y
	default:
		a.Max.Z, b.Min.Z = m.Z, m.Z
	}
}

// contenders returns those of the balls whose power may be the least somewhere in the
// cell: all but those that the one with the least power in its middle beats in all of
// it.
func (p *prover) contenders(c *geom.Box, least []int32) []int32 {
	m := c.Center()
	best, at := math.Inf(1), int32(-1)
	for _, i := range least {
		b := &p.balls[i]
		if w := square(m, b.Center) - b.Radius*b.Radius; w < best {
			best, at = w, i
		}
	}
	if at < 0 {
		return least
	}
	var out []int32
	for _, i := range least {
		if i == at || !p.balls[i].beatenBy(&p.balls[at], c) {
			out = append(out, i)
		}
	}
	return out
}

// uphill reports that there is a direction in which all the balls' powers grow, from
// every point of the cell: then none of those points is a local maximum of the least.
// The direction is a guess: towards the point of the hull of m - centre, over the
// balls, that is nearest to zero (Gilbert's steps); only recedes decides.
func (p *prover) uphill(c *geom.Box, m geom.Vec, least []int32) bool {
	if len(least) == 0 {
		return false
	}
	d := sub(m, p.balls[least[0]].Center)
	for range 24 {
		worst, at := math.Inf(1), least[0]
		all := true
		for _, i := range least {
			o := p.balls[i].Center
			all = all && recedes(c, o, d)
			if w := dot(sub(m, o), d); w < worst {
				worst, at = w, i
			}
		}
		if all {
			return true
		}
		g := sub(m, p.balls[at].Center)
		e := sub(g, d)
		ee := dot(e, e)
		if !(ee > 0) {
			return false
		}
		t := math.Min(math.Max(-dot(d, e)/ee, 0), 1)
		if t == 0 {
			return false
		}
		d = along(d, t, e)
	}
	return false
}

// outsideSolids reports that no solid has a point in the cell.
func (p *prover) outsideSolids(c *geom.Box, m geom.Vec) bool {
	reach := above(farther(c.Min.X, c.Max.X, m.X), farther(c.Min.Y, c.Max.Y, m.Y), farther(c.Min.Z, c.Max.Z, m.Z))
	for _, s := range p.body.solids {
		box := s.box()
		if box.Min.X > c.Max.X || box.Max.X < c.Min.X || box.Min.Y > c.Max.Y || box.Max.Y < c.Min.Y || box.Min.Z > c.Max.Z || box.Max.Z < c.Min.Z {
			continue
		}
		if lo, _ := s.signed(m); !(lo > reach) {
			return false
		}
	}
	return true
}

func diagonal(c *geom.Box) float64 {
	return above(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y, c.Max.Z-c.Min.Z)
}

package linkspheres

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Piece is a piece of a body's surface, in the link's frame, for a search for balls. It is cut
// in the same way as in [Prove].
type Piece struct {
	flat  triangle
	round *patch // nil: flat
}

// Pieces returns the body's surface in the pieces of the shapes.
func (b *Body) Pieces() []Piece {
	out := make([]Piece, 0, len(b.triangles)+len(b.patches))
	for i := range b.triangles {
		out = append(out, Piece{flat: b.triangles[i].grownErr()})
	}
	for i := range b.patches {
		out = append(out, Piece{round: &b.patches[i]})
	}
	return out
}

// Reach returns the radius that a ball about center needs to contain the piece, as Prove
// requires.
func (p *Piece) Reach(center geom.Vec) float64 {
	if p.round != nil {
		return p.round.reach(center)
	}
	return p.flat.reach(center)
}

// Span bounds the size of the piece.
func (p *Piece) Span() float64 {
	if p.round != nil {
		return p.round.span()
	}
	return p.flat.span()
}

// Halves splits the piece.
func (p *Piece) Halves() (Piece, Piece) {
	if p.round != nil {
		a, b := p.round.halves()
		return Piece{round: &a}, Piece{round: &b}
	}
	a, b := p.flat.halves()
	return Piece{flat: a}, Piece{flat: b}
}

// Middle returns a point of the piece and a direction perpendicular to it, zero if it has no
// area.
func (p *Piece) Middle() (m, normal geom.Vec) {
	c := p.Corners()
	if p.round != nil {
		m = p.round.middle()
	} else {
		m = p.flat.middle()
	}
	n := cross(sub(c[2], c[0]), sub(c[3], c[1]))
	n, _ = geom.Unit(n)
	return m, n
}

// Corners returns four points of the piece around it; two may be the same.
func (p *Piece) Corners() [4]geom.Vec {
	if p.round == nil {
		c := &p.flat.corners
		return [4]geom.Vec{c[0], c[1], c[2], c[2]}
	}
	c := p.round
	list, _ := c.corners()
	at := func(k, d pair) geom.Vec {
		return c.host.pose.Apply(geom.Vec{X: k[0] * d[0], Y: k[0] * d[1], Z: k[1]})
	}
	return [4]geom.Vec{at(list[0], c.a), at(list[1], c.a), at(list[1], c.b), at(list[0], c.b)}
}

// Area returns the piece's area, approximate if it is round.
func (p *Piece) Area() float64 {
	c := p.Corners()
	n := cross(sub(c[2], c[0]), sub(c[3], c[1]))
	return math.Sqrt(dot(n, n)) / 2
}

// Flat reports whether the piece is a triangle.
func (p *Piece) Flat() bool { return p.round == nil }

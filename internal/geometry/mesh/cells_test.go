package mesh

import (
	"slices"

	"pgregory.net/rapid"
)

// cells grows an outline around unit squares of a grid, one square at a time. It
// runs counterclockwise and never crosses itself, but touches itself everywhere:
// along slits between neighbouring squares and in corners where squares meet.
// Its area is the number of squares.
type cells struct {
	outline []point
	filled  map[point]bool // by lower left corner
}

func drawCells(t *rapid.T, most int) cells {
	c := cells{[]point{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, map[point]bool{{0, 0}: true}}
	n := rapid.IntRange(1, most).Draw(t, "squares")
	for tries := 0; len(c.filled) < n && tries < 4*most; tries++ {
		i := rapid.IntRange(0, len(c.outline)-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "corner") {
			c.growAtCorner(i)
		} else {
			c.growAtEdge(i)
		}
	}
	return c
}

// growAtEdge adds the square to the right of the edge that leaves corner i.
func (c *cells) growAtEdge(i int) {
	p, q := c.outline[i], c.outline[(i+1)%len(c.outline)]
	out := point{q.y - p.y, p.x - q.x}
	if c.fill(p, q, out) {
		c.outline = slices.Insert(c.outline, i+1, p.plus(out), q.plus(out))
	}
}

// growAtCorner adds the square opposite to the one inside corner i, if the
// outline turns left there and comes by only once.
func (c *cells) growAtCorner(i int) {
	n := len(c.outline)
	a, p, b := c.outline[(i+n-1)%n], c.outline[i], c.outline[(i+1)%n]
	for j, q := range c.outline {
		if q == p && j != i {
			return
		}
	}
	on, right := point{p.x - a.x, p.y - a.y}, point{p.x - b.x, p.y - b.y}
	if turn(a, p, b) > 0 && c.fill(p, p.plus(on), right) {
		c.outline = slices.Insert(c.outline, i+1, p.plus(right), p.plus(right).plus(on), p.plus(on), p)
	}
}

// dropStraight leaves out some of the corners between which the outline runs
// straight on; it may then touch itself between corners.
func (c *cells) dropStraight(t *rapid.T) {
	for i := len(c.outline) - 1; i >= 0; i-- {
		n := len(c.outline)
		a, p, b := c.outline[(i+n-1)%n], c.outline[i], c.outline[(i+1)%n]
		if turn(a, p, b) == 0 && (between(a.x, p.x, b.x) || between(a.y, p.y, b.y)) && rapid.Bool().Draw(t, "drop") {
			c.outline = slices.Delete(c.outline, i, i+1)
		}
	}
}

// fill takes the square between p, q and those moved by out, unless it is taken.
func (c *cells) fill(p, q, out point) bool {
	r := q.plus(out)
	at := point{min(p.x, r.x), min(p.y, r.y)}
	if c.filled[at] {
		return false
	}
	c.filled[at] = true
	return true
}

func (p point) plus(q point) point { return point{p.x + q.x, p.y + q.y} }

package spheretree

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Pieces. Meshes from CAD are full of triangles as long as the part and as thin as a
// step of its rounding; their balls overlap those of everything around. Quinlan
// blankets every polygon with balls of one size, and so triangles are cut here, halved
// across the longest edge, until the ball of a piece is small enough.

// newTree cuts valid triangles into pieces of at most the given radius; 0 chooses one.
func newTree(triangles []tri.Triangle, radius float64) (*Tree, error) {
	if err := valid(triangles); err != nil {
		return nil, err
	}
	if !(radius >= 0) {
		return nil, fmt.Errorf("leaf radius %g m: give a positive one, or 0 for one that suits the mesh", radius)
	}
	if radius == 0 {
		radius = leafRadius(triangles)
	}
	area := 0.0 // of which no ball covers more than pi radius²
	for i := range triangles {
		x := &triangles[i]
		area += geom.Norm(cross(sub(x[1], x[0]), sub(x[2], x[0]))) / 2
	}
	n := maxPieces + 1
	if !(area > maxPieces*math.Pi*radius*radius) {
		n = countPieces(triangles, radius, maxPieces)
	}
	if n > maxPieces {
		return nil, fmt.Errorf("leaf radius %g m cuts %d triangles into more than %d pieces: give a larger one", radius, len(triangles), maxPieces)
	}
	t := &Tree{Corners: make([]geom.Vec, 0, 3*n), Order: make([]int32, 0, n)}
	var c cutter
	for i := range triangles {
		c.cut(triangles[i], radius, maxHalvings, func(p *tri.Triangle) bool {
			t.Corners = append(t.Corners, p[:]...)
			t.Order = append(t.Order, int32(i))
			return true
		})
	}
	if n > len(triangles) {
		for _, v := range t.Corners {
			t.blur = max(t.blur, geom.Norm(v))
		}
		t.blur *= pieceRounding
	}
	return t, nil
}

// pieceRounding bounds, relative to the corners' size, how far a piece as computed may
// be from the part of the triangle it stands for: the middle of an edge is rounded
// once (the half is exact), and what it is off by is handed on to the pieces' pieces,
// maxHalvings times.
const (
	maxHalvings   = 60
	pieceRounding = (maxHalvings + 4) * u
)

// maxPieces bounds the memory of a tree.
const maxPieces = 1 << 22

// spareFactor is how many times as many pieces as triangles a chosen radius makes, at
// most.
const spareFactor = 2

// leafRadius chooses a radius: halved, from that of the whole, as long as it
// does not make too many pieces.
func leafRadius(triangles []tri.Triangle) float64 {
	most := spareFactor*len(triangles) + 16
	box := geom.EmptyBox()
	for i := range triangles {
		for _, v := range triangles[i] {
			box = extend(box, v)
		}
	}
	radius := geom.Norm(sub(box.Max, box.Min))
	for range 80 {
		if countPieces(triangles, radius*0.75, most) > most {
			break
		}
		radius *= 0.75
	}
	return radius
}

// countPieces counts the pieces that a radius makes, and stops soon after most.
func countPieces(triangles []tri.Triangle, radius float64, most int) int {
	n := 0
	var c cutter
	for i := range triangles {
		if !c.cut(triangles[i], radius, maxHalvings, func(*tri.Triangle) bool { n++; return n <= most }) {
			break
		}
	}
	return n
}

// cutter cuts triangles.
type cutter struct{ encloser }

// cut emits pieces that together are the triangle, with balls of at most the radius
// where depth allows. It ends early, and returns false, when emit does.
func (c *cutter) cut(t tri.Triangle, radius float64, depth int, emit func(*tri.Triangle) bool) bool {
	k := 0
	for i := 1; i < 3; i++ {
		if length(&t, i) > length(&t, k) {
			k = i
		}
	}
	// Half the longest edge is at most the ball's radius, and that at most 1/sqrt(3)
	// of the edge: most triangles need no closer look.
	edge := math.Sqrt(length(&t, k))
	if depth == 0 || edge*0.58 <= radius || edge <= 2*radius && c.near(t[:]).Radius <= radius {
		return emit(&t)
	}
	p, q, r := t[k], t[(k+1)%3], t[(k+2)%3]
	mid := scale(0.5, add(p, q))
	return c.cut(tri.Triangle{p, mid, r}, radius, depth-1, emit) && c.cut(tri.Triangle{mid, q, r}, radius, depth-1, emit)
}

// length returns the square of the length of edge i.
func length(t *tri.Triangle, i int) float64 {
	d := sub(t[(i+1)%3], t[i])
	return dot(d, d)
}

// grown returns a ball around pieces as one around the parts of the triangles that
// they stand for.
func (t *Tree) grown(b convex.Ball) convex.Ball {
	if t.blur > 0 {
		b.Radius = (b.Radius + t.blur) * (1 + 2*u)
	}
	return b
}

package main

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// triMesh is a closed triangle mesh together with convex pieces whose union it
// bounds: the triangles are what the URDF shows, the pieces what the
// generator's own check computes with.
type triMesh struct {
	triangles [][3]vec
	pieces    [][]vec
}

var meshes = map[string]*triMesh{
	"torso": torsoMesh(),
	"hand":  handMesh(),
	"bin":   binMesh(),
}

// torsoMesh stacks rings of one outline at different scales, so that the wall
// between two rings is made of plane trapezoids and each slab is convex; the
// waist, narrower than the hips, makes the whole not convex.
func torsoMesh() *triMesh {
	rings := []struct{ z, scale float64 }{
		{0.02, 0.80}, {0.08, 0.74}, {0.17, 0.90}, {0.25, 1.00}, {0.30, 0.92}, {0.335, 0.55},
	}
	const n = 28
	var outline [n]vec
	for i := range outline {
		a := 2 * math.Pi * float64(i) / n
		outline[i] = vec{X: 0.092 * superCos(math.Cos(a)), Y: 0.142 * superCos(math.Sin(a))}
	}
	at := func(k, i int) vec {
		p := r3.Scale(rings[k].scale, outline[i%n])
		p.Z = rings[k].z
		return p
	}
	m := &triMesh{}
	for k := 0; k+1 < len(rings); k++ {
		var piece []vec
		for i := range n {
			m.quad(at(k, i), at(k, i+1), at(k+1, i+1), at(k+1, i))
			piece = append(piece, at(k, i), at(k+1, i))
		}
		m.pieces = append(m.pieces, piece)
	}
	top := len(rings) - 1
	for i := 1; i+1 < n; i++ {
		m.tri(at(0, 0), at(0, i+1), at(0, i))
		m.tri(at(top, 0), at(top, i), at(top, i+1))
	}
	return m
}

// superCos squares the circle a little: a superellipse of exponent 2.5.
func superCos(c float64) float64 {
	return math.Copysign(math.Pow(math.Abs(c), 2/2.5), c)
}

// The clamp that stands for a hand: a ring about the x axis, open downwards.
const (
	handInner = 0.028
	handOuter = 0.045
	handWidth = 0.040 // along x
	handGap   = 1.8   // opening angle in rad
)

// handMesh is a C of wedges.
func handMesh() *triMesh {
	const n = 20
	corner := func(i int, r, x float64) vec {
		// The angle runs from one lip over the top to the other; 0 is down.
		a := handGap/2 + (2*math.Pi-handGap)*float64(i)/n
		return vec{X: x, Y: r * math.Sin(a), Z: -r * math.Cos(a)}
	}
	const h = handWidth / 2
	m := &triMesh{}
	for i := range n {
		in0, in1 := corner(i, handInner, -h), corner(i+1, handInner, -h)
		out0, out1 := corner(i, handOuter, -h), corner(i+1, handOuter, -h)
		IN0, IN1 := corner(i, handInner, h), corner(i+1, handInner, h)
		OUT0, OUT1 := corner(i, handOuter, h), corner(i+1, handOuter, h)
		m.quad(out0, out1, OUT1, OUT0)
		m.quad(in0, IN0, IN1, in1)
		m.quad(in0, in1, out1, out0)
		m.quad(IN0, OUT0, OUT1, IN1)
		if i == 0 {
			m.quad(in0, out0, OUT0, IN0)
		}
		if i == n-1 {
			m.quad(in1, IN1, OUT1, out1)
		}
		m.pieces = append(m.pieces, []vec{in0, in1, out0, out1, IN0, IN1, OUT0, OUT1})
	}
	return m
}

// binMesh is an open-topped box with walls: a solid that is far from convex.
// Its origin is the middle of its underside.
func binMesh() *triMesh {
	const (
		x, y = 0.12, 0.09 // half sizes outside
		h    = 0.10       // height
		w    = 0.012      // thickness of walls and floor
	)
	ring := func(hx, hy, z float64) [4]vec {
		return [4]vec{{X: hx, Y: hy, Z: z}, {X: -hx, Y: hy, Z: z}, {X: -hx, Y: -hy, Z: z}, {X: hx, Y: -hy, Z: z}}
	}
	foot, rim := ring(x, y, 0), ring(x, y, h)
	lip, floor := ring(x-w, y-w, h), ring(x-w, y-w, w)
	m := &triMesh{}
	m.quad(foot[3], foot[2], foot[1], foot[0])
	m.quad(floor[0], floor[1], floor[2], floor[3])
	for i := range 4 {
		j := (i + 1) % 4
		m.quad(foot[i], foot[j], rim[j], rim[i])
		m.quad(rim[i], rim[j], lip[j], lip[i])
		m.quad(lip[i], lip[j], floor[j], floor[i])
		foot2, floor2 := ring(x-w, y-w, 0), floor
		m.pieces = append(m.pieces, []vec{
			foot[i], foot[j], rim[i], rim[j], foot2[i], foot2[j], lip[i], lip[j],
		})
		if i == 0 {
			m.pieces = append(m.pieces, append(append([]vec{}, foot2[:]...), floor2[:]...))
		}
	}
	return m
}

func (m *triMesh) tri(a, b, c vec) { m.triangles = append(m.triangles, [3]vec{a, b, c}) }

// quad adds the plane quadrilateral a, b, c, d, counterclockwise from outside.
func (m *triMesh) quad(a, b, c, d vec) {
	m.tri(a, b, c)
	m.tri(a, c, d)
}

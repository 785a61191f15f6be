package raster

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// lens is the focal length in the picture's height, or in 3/4 of its width if that is more: long
// enough that parallel lines look parallel.
const lens = 1.9

func focalOf(width, height int) float64 { return lens * max(0.75*float64(width), float64(height)) }

// margin is the part of the picture beside what a camera was fitted to.
const margin = 0.06

// Fit returns the camera closest to bodies that has all of them in the picture. direction leads
// from them to the camera. Near is just before them. Without a vertex it is at the origin.
func Fit(bodies []Body, direction geom.Vec, width, height int) Camera {
	c := Camera{Forward: negative(of(direction).unit()), Width: width, Height: height, Focal: focalOf(width, height)}
	v := c.view(1)
	a := float64(float64(1-2*margin)*float64(width)) / (2 * c.Focal)
	b := float64(float64(1-2*margin)*float64(height)) / (2 * c.Focal)
	none := math.Inf(-1)
	right, left, top, bottom := none, none, none, none
	front, back := math.Inf(1), none
	eachVertex(bodies, func(p vec) {
		l := v.local(p)
		right, left = max(right, l.x-float64(a*l.z)), max(left, -l.x-float64(a*l.z))
		top, bottom = max(top, l.y-float64(b*l.z)), max(bottom, -l.y-float64(b*l.z))
		front, back = min(front, l.z), max(back, l.z)
	})
	if front > back {
		return c
	}
	x, y := (right-left)/2, (top-bottom)/2
	z := min(-(right+left)/(2*a), -(top+bottom)/(2*b), front-1e-3)
	eye := v.right.scale(x).plus(y, v.up).plus(z, v.forward)
	c.Eye = geom.Vec{X: eye.x, Y: eye.y, Z: eye.z}
	c.Near = max(front-z-float64(0.15*(back-front)), float64(0.05*(front-z)))
	return c
}

// Around returns a camera that has a ball in the middle of its picture. Near is before the ball.
func Around(ball Ball, direction geom.Vec, width, height int) Camera {
	d := of(direction).unit()
	c := Camera{Forward: negative(d), Width: width, Height: height, Focal: focalOf(width, height)}
	distance := float64(ball.Radius*c.Focal) * 2 / float64(min(width, height))
	eye := of(ball.Center).plus(distance, d)
	c.Eye = geom.Vec{X: eye.x, Y: eye.y, Z: eye.z}
	c.Near = max(distance-float64(1.5*ball.Radius), distance/8)
	return c
}

func negative(v vec) geom.Vec { return geom.Vec{X: -v.x, Y: -v.y, Z: -v.z} }

// Bounds returns a box around bodies.
func Bounds(bodies []Body) geom.Box {
	box := geom.EmptyBox()
	eachVertex(bodies, func(p vec) { box = box.Extend(geom.Vec{X: p.x, Y: p.y, Z: p.z}) })
	return box
}

func eachVertex(bodies []Body, f func(vec)) {
	for i := range bodies {
		m, at := bodies[i].Mesh, frameOf(bodies[i].Pose)
		for k := range uint32(len(m.Vertices) / 3) {
			f(at.apply(m.vertex(k)))
		}
	}
}

// Seen is which body each pixel of a picture shows, roughly: its index, or -1.
type Seen struct {
	Width, Height int
	Body          []int
}

// Survey finds which bodies of a scene a camera sees.
func Survey(bodies []Body, c *Camera) Seen {
	v := c.view(1)
	g := grid{width: c.Width, height: c.Height, near: make([]float32, c.Width*c.Height), id: make([]uint32, c.Width*c.Height)}
	g.clear(0)
	for i := range bodies {
		p := v.place(&bodies[i])
		for t := range uint32(len(p.triangles) / 3) {
			a, b, c := p.corners3(t)
			g.fill(a, b, c, uint32(i+1), nil)
		}
	}
	out := Seen{c.Width, c.Height, make([]int, len(g.id))}
	for i, id := range g.id {
		out.Body[i] = int(id) - 1
	}
	return out
}

// Spread returns how far bodies move, as a camera from a direction sees it, between pictures of
// the same bodies: the sum over them, each by the middle of its box.
func Spread(moments [][]Body, direction geom.Vec) float64 {
	d := of(direction).unit()
	sum := 0.0
	var before []vec
	for _, bodies := range moments {
		var now []vec
		for i := range bodies {
			box := Bounds(bodies[i : i+1])
			now = append(now, of(box.Center()))
		}
		for i := range before {
			step := now[i].sub(before[i])
			sum += step.plus(-step.dot(d), d).length()
		}
		before = now
	}
	return sum
}

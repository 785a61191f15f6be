package raster

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Camera looks at the scene.
type Camera struct {
	Eye     geom.Vec
	Forward geom.Vec // where it looks, of length 1
	// Width and Height are the picture's, in pixels.
	Width, Height int
	// Focal is the distance of the picture's plane from the eye, in pixels.
	Focal float64
	// Near is how far from the eye scenery begins, along Forward. What is nearer than a
	// thousandth of it, or behind the eye, is never drawn.
	Near float64
}

// Direction returns the direction from the focus of a picture to its camera, from angles in
// degrees: azimuth counterclockwise from x seen from above, elevation upward.
func Direction(azimuth, elevation float64) geom.Vec {
	s, c := sinCos(azimuth)
	up, level := sinCos(elevation)
	return geom.Vec{X: float64(level * c), Y: float64(level * s), Z: up}
}

// sinCos returns sine and cosine of an angle in degrees, rounded: the last bits of math.Sincos
// differ between processors.
func sinCos(degrees float64) (s, c float64) {
	s, c = math.Sincos(degrees * (math.Pi / 180))
	return steady(s), steady(c)
}

// view is a camera's frame.
type view struct {
	eye, right, up, forward vec
	cx, cy, focal           float64 // of samples
	near                    float64
	guard                   float64 // what is beyond, in samples from the middle, is clipped
}

// across is how many samples a pixel has on each side. The picture's edges have across*across+1
// shades.
const across = 4

func (c *Camera) view(across int) view {
	f := of(c.Forward).unit()
	side := f.cross(vec{0, 0, 1})
	if side.length() < 1e-6 { // straight down or up
		side = vec{1, 0, 0}
	}
	side = side.unit()
	n := float64(across)
	w, h := float64(n*float64(c.Width)), float64(n*float64(c.Height))
	return view{
		eye: of(c.Eye), right: side, up: side.cross(f), forward: f,
		cx: w / 2, cy: h / 2, focal: n * c.Focal, near: c.Near,
		guard: 4 * (w + h),
	}
}

// local returns a point in the camera's frame: right, up, forward.
func (v *view) local(p vec) vec {
	d := p.sub(v.eye)
	return vec{d.dot(v.right), d.dot(v.up), d.dot(v.forward)}
}

// project returns where a point of the camera's frame is in the picture, in samples, and the
// inverse of its distance. The point must be before the eye.
func (v *view) project(p vec) (x, y, inverse float64) {
	inverse = 1 / p.z
	return v.cx + float64(float64(v.focal*p.x)*inverse), v.cy - float64(float64(v.focal*p.y)*inverse), inverse
}

// ray returns the direction of a sample, of length 1 along forward.
func (v *view) ray(x, y float64) vec {
	return v.forward.plus((x-v.cx)/v.focal, v.right).plus((v.cy-y)/v.focal, v.up)
}

// Project returns where a point is in the picture, in pixels from its upper left corner, and how
// far it is from the eye along Forward. Without a positive distance it is not in the picture.
func (c *Camera) Project(p geom.Vec) (x, y, distance float64) {
	v := c.view(1)
	l := v.local(of(p))
	if !(l.z > 0) {
		return 0, 0, l.z
	}
	x, y, _ = v.project(l)
	return x, y, l.z
}

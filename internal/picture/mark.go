package picture

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/math/fixed"

	"github.com/firstcontact-ros/firstcontact/internal/picture/raster"
)

var (
	markInk  = color.RGBA{0x10, 0x14, 0x1a, 255}
	markHalo = color.RGBA{255, 255, 255, 255}
)

// pixels turns a position into a point.
func pixels(x, y float64) point {
	return point{fixed.Int26_6(math.RoundToEven(64 * x)), fixed.Int26_6(math.RoundToEven(64 * y))}
}

// disc adds a circle, counterclockwise or, as a hole, clockwise.
func (f *figure) disc(x, y, r float64, hole bool) {
	const sides = 48
	for i := range sides {
		turn := float64(i) * (360.0 / sides)
		if hole {
			turn = -turn
		}
		d := raster.Direction(turn, 0)
		p := pixels(x+float64(r*d.X), y+float64(r*d.Y))
		if i == 0 {
			f.begin(p)
		} else {
			f.line(p)
		}
	}
}

// ring draws a circle's line.
func ring(to *image.RGBA, x, y, r, width float64, c color.RGBA) {
	var f figure
	f.disc(x, y, r+float64(width/2), false)
	f.disc(x, y, r-float64(width/2), true)
	f.fill(to, c)
}

// dot draws a disc.
func dot(to *image.RGBA, x, y, r float64, c color.RGBA) {
	var f figure
	f.disc(x, y, r, false)
	f.fill(to, c)
}

// stroke draws a line with a width, and with an arrow's head at its end if head is more than 0.
func stroke(to *image.RGBA, x0, y0, x1, y1, width, head float64, c color.RGBA) {
	dx, dy := x1-x0, y1-y0
	l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if !(l > 1e-6) {
		return
	}
	dx, dy = dx/l, dy/l
	head = min(head, l)
	bx, by := x1-float64(0.9*head*dx), y1-float64(0.9*head*dy)
	w := float64(width / 2)
	var f figure
	f.begin(pixels(x0-float64(w*dy), y0+float64(w*dx)))
	f.line(pixels(bx-float64(w*dy), by+float64(w*dx)))
	if head > 0 {
		tx, ty := x1-float64(head*dx), y1-float64(head*dy)
		h := 0.4 * head
		f.line(pixels(tx-float64(h*dy), ty+float64(h*dx)))
		f.line(pixels(x1, y1))
		f.line(pixels(tx+float64(h*dy), ty-float64(h*dx)))
	}
	f.line(pixels(bx+float64(w*dy), by-float64(w*dx)))
	f.line(pixels(x0+float64(w*dy), y0-float64(w*dx)))
	f.fill(to, c)
}

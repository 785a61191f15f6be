package workload

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Picture draws robot and world at a configuration (of Joints) in parallel
// projection: the robot in orange, what it carries in blue, obstacles in grey. The
// viewer stands at the azimuth (degrees from x towards y) and looks down. width and
// height are in pixels.
func (w *Workload) Picture(q []float64, azimuth float64, width, height int) image.Image {
	c := newCanvas(azimuth, fine*width, fine*height)
	frames := w.poses(q)
	things := w.things(frames)
	c.frame(things)
	for _, t := range things {
		c.draw(t)
	}
	return c.smooth()
}

// fine is how many times as wide and high pictures are drawn as they come out, so that
// edges are smooth.
const fine = 2

// thing is a surface in its place, and its colour.
type thing struct {
	mesh  *mesh.Mesh
	pose  geom.Pose
	paint geom.Vec // red, green and blue, to 255
}

func (w *Workload) things(frames []geom.Pose) []thing {
	var out []thing
	for i := range w.Robot.Links {
		for _, c := range w.Robot.Links[i].Collisions {
			out = append(out, thing{c.Shape.Mesh, frames[i], geom.Vec{X: 240, Y: 140, Z: 40}})
		}
	}
	if w.World == nil {
		return out
	}
	for i := range w.World.Objects {
		o := &w.World.Objects[i]
		t := thing{o.Shape.Mesh, geom.IdentityPose(), geom.Vec{X: 175, Y: 180, Z: 185}}
		if o.AttachedTo != "" {
			t.pose, t.paint = frames[w.Robot.Link(o.AttachedTo)], geom.Vec{X: 60, Y: 110, Z: 220}
		}
		out = append(out, t)
	}
	return out
}

// canvas is a picture with the depth of each pixel, and the camera's axes in the
// world: to the right, up, and away from the viewer.
type canvas struct {
	img             *image.RGBA
	depth           []float64
	right, up, away geom.Vec
	scale           float64 // pixels per metre
	middle          geom.Vec
}

func newCanvas(azimuth float64, width, height int) *canvas {
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, width, height)), depth: make([]float64, width*height)}
	draw.Draw(c.img, c.img.Bounds(), image.White, image.Point{}, draw.Src)
	for i := range c.depth {
		c.depth[i] = math.Inf(1)
	}
	sin, cos := math.Sincos(degrees(azimuth))
	c.right = geom.Vec{X: -sin, Y: cos}
	c.away, _ = geom.Unit(geom.Vec{X: -cos, Y: -sin, Z: -0.6})
	c.up = r3.Cross(c.right, c.away)
	return c
}

// view returns a point as the camera sees it: to the right, up, and away.
func (c *canvas) view(p geom.Vec) geom.Vec {
	return geom.Vec{X: r3.Dot(p, c.right), Y: r3.Dot(p, c.up), Z: r3.Dot(p, c.away)}
}

// frame points the camera at the things.
func (c *canvas) frame(things []thing) {
	seen := geom.EmptyBox()
	for _, t := range things {
		for _, v := range t.mesh.Vertices {
			seen = seen.Extend(c.view(t.pose.Apply(v)))
		}
	}
	c.middle = seen.Center()
	size := c.img.Bounds().Size()
	c.scale = 0.48 * min(float64(size.X)/seen.Half().X, float64(size.Y)/seen.Half().Y)
}

// light comes from the viewer's left and above.
var light, _ = geom.Unit(geom.Vec{X: -0.5, Y: 0.7, Z: -0.6})

// draw fills the triangles of a thing.
func (c *canvas) draw(t thing) {
	size := c.img.Bounds().Size()
	seen := make([]geom.Vec, len(t.mesh.Vertices))
	for i, v := range t.mesh.Vertices {
		seen[i] = c.view(t.pose.Apply(v))
	}
	for _, corner := range t.mesh.Triangles {
		var p [3]geom.Vec
		for k := range p {
			v := r3.Sub(seen[corner[k]], c.middle)
			p[k] = geom.Vec{X: float64(size.X)/2 + c.scale*v.X, Y: float64(size.Y)/2 - c.scale*v.Y, Z: v.Z}
		}
		a, b, d := seen[corner[0]], seen[corner[1]], seen[corner[2]]
		n, ok := geom.Unit(r3.Cross(r3.Sub(d, a), r3.Sub(b, a))) // the camera's axes are left-handed
		if !ok || n.Z > 0 {                                      // seen from behind
			continue
		}
		bright := 0.35 + 0.65*max(0, r3.Dot(n, light))
		c.fill(p, color.RGBA{R: uint8(t.paint.X * bright), G: uint8(t.paint.Y * bright), B: uint8(t.paint.Z * bright), A: 255})
	}
}

// smooth averages the pixels that make one.
func (c *canvas) smooth() image.Image {
	size := c.img.Bounds().Size().Div(fine)
	out := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			var sum [3]int
			for i := range fine * fine {
				p := c.img.RGBAAt(fine*x+i%fine, fine*y+i/fine)
				sum[0], sum[1], sum[2] = sum[0]+int(p.R), sum[1]+int(p.G), sum[2]+int(p.B)
			}
			out.SetRGBA(x, y, color.RGBA{R: uint8(sum[0] / fine / fine), G: uint8(sum[1] / fine / fine), B: uint8(sum[2] / fine / fine), A: 255})
		}
	}
	return out
}

// fill paints the pixels of a triangle that are nearer than what is there.
func (c *canvas) fill(p [3]geom.Vec, paint color.RGBA) {
	size := c.img.Bounds().Size()
	area := (p[1].X-p[0].X)*(p[2].Y-p[0].Y) - (p[2].X-p[0].X)*(p[1].Y-p[0].Y)
	if area == 0 {
		return
	}
	x0, x1 := min(p[0].X, p[1].X, p[2].X), max(p[0].X, p[1].X, p[2].X)
	y0, y1 := min(p[0].Y, p[1].Y, p[2].Y), max(p[0].Y, p[1].Y, p[2].Y)
	for y := max(0, int(y0)); y <= min(size.Y-1, int(y1)); y++ {
		for x := max(0, int(x0)); x <= min(size.X-1, int(x1)); x++ {
			fx, fy := float64(x)+0.5, float64(y)+0.5
			u := ((p[1].X-fx)*(p[2].Y-fy) - (p[2].X-fx)*(p[1].Y-fy)) / area
			v := ((p[2].X-fx)*(p[0].Y-fy) - (p[0].X-fx)*(p[2].Y-fy)) / area
			if u < 0 || v < 0 || u+v > 1 {
				continue
			}
			z := u*p[0].Z + v*p[1].Z + (1-u-v)*p[2].Z
			if k := y*size.X + x; z < c.depth[k] {
				c.depth[k] = z
				c.img.SetRGBA(x, y, paint)
			}
		}
	}
}

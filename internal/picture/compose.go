package picture

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/picture/raster"
)

// page is the layout of a picture: words above and below, one or two pictures between.
type page struct {
	title, words, legend int // sizes of letters
	top, bottom          int // heights
	main, near           image.Rectangle
	edge                 int
}

func layout(o *Options, inset bool) page {
	unit := float64(min(o.Height, 3*o.Width/4))
	size := func(part float64) int { return max(9, int(math.RoundToEven(part*unit))) }
	p := page{title: size(0.028), words: size(0.020), legend: size(0.018)}
	p.edge = p.words
	p.top, p.bottom = p.edge+p.title+p.words*2, p.legend*2
	if p.top+p.bottom > o.Height/2 { // nobody could read them
		p.top, p.bottom = 0, 0
	}
	split := o.Width
	if inset {
		split = o.Width * 58 / 100
	}
	p.main = image.Rect(0, p.top, split, o.Height-p.bottom)
	p.near = image.Rect(split, p.top, o.Width, o.Height-p.bottom)
	return p
}

// compose draws the picture.
func (v *scenery) compose(ctx context.Context, o *Options) (*image.RGBA, error) {
	t := light
	if o.Dark {
		t = dark
	}
	p := layout(o, v.shot.Witness != nil && !o.NoInset)
	out := image.NewRGBA(image.Rect(0, 0, o.Width, o.Height))
	fill(out, image.Rect(0, 0, o.Width, p.top), rgba(t.Top))
	fill(out, image.Rect(0, o.Height-p.bottom, o.Width, o.Height), rgba(t.Bottom))
	d := v.direction(o.From)
	main := raster.Fit(v.all(), d, p.main.Dx(), p.main.Dy())
	panels := 1
	if !p.near.Empty() {
		panels = 2
	}
	tell := func(panel int) func(n, of int) {
		if o.Done == nil {
			return nil
		}
		return func(n, of int) { o.Done(panel*of+n, panels*of) }
	}
	if err := v.panel(ctx, out, p.main, &main, o, tell(0)); err != nil {
		return nil, err
	}
	marks := &marker{out.SubImage(p.main).(*image.RGBA), p.main.Min, &main, float64(p.legend)}
	if v.shot.Witness != nil {
		marks.where(v.closeUp())
	}
	marks.axes(p.main, &t)
	if panels == 2 {
		near := raster.Around(v.closeUp(), d, p.near.Dx(), p.near.Dy())
		focus, ghosts := v.scene.Focus, v.scene.Layers
		v.scene.Layers = nil // they would hide the contact
		v.scene.Focus = raster.Ball{Center: v.closeUp().Center, Radius: 2 * v.closeUp().Radius}
		if err := v.panel(ctx, out, p.near, &near, o, tell(1)); err != nil {
			return nil, err
		}
		v.scene.Focus, v.scene.Layers = focus, ghosts
		marks = &marker{out.SubImage(p.near).(*image.RGBA), p.near.Min, &near, float64(p.legend)}
		marks.witness(v)
		fill(out, image.Rect(p.near.Min.X, p.near.Min.Y, p.near.Min.X+1, p.near.Max.Y), t.faint)
	}
	return out, v.words(out, &p, &t)
}

func fill(to *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(to, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// panel draws one of the pictures.
func (v *scenery) panel(ctx context.Context, out *image.RGBA, at image.Rectangle, c *raster.Camera, o *Options, done func(n, of int)) error {
	img, err := raster.Render(ctx, &v.scene, c, o.Workers, done)
	if err != nil {
		return err
	}
	draw.Draw(out, at, img, image.Point{}, draw.Src)
	return nil
}

// marker draws on a panel what is no body.
type marker struct {
	to     *image.RGBA
	origin image.Point
	camera *raster.Camera
	unit   float64 // pixels
}

// at returns where a point is on the page.
func (m *marker) at(p geom.Vec) (x, y float64, ok bool) {
	x, y, far := m.camera.Project(p)
	return x + float64(m.origin.X), y + float64(m.origin.Y), far > 0
}

// where encircles what the second picture shows.
func (m *marker) where(b raster.Ball) {
	x, y, ok := m.at(b.Center)
	if !ok {
		return
	}
	_, _, far := m.camera.Project(b.Center)
	r := float64(b.Radius * m.camera.Focal / far)
	ring(m.to, x, y, r, m.unit/5, markHalo)
	ring(m.to, x, y, r, m.unit/9, markInk)
}

// witness marks the points and the normal.
func (m *marker) witness(v *scenery) {
	w := v.shot.Witness
	ax, ay, okA := m.at(w.PointA)
	bx, by, okB := m.at(w.PointB)
	if !okA || !okB {
		return
	}
	n := w.Normal
	if l := 0.45 * v.closeUp().Radius; n != (geom.Vec{}) {
		tip := geom.Vec{X: w.PointB.X + float64(l*n.X), Y: w.PointB.Y + float64(l*n.Y), Z: w.PointB.Z + float64(l*n.Z)}
		if x, y, ok := m.at(tip); ok {
			stroke(m.to, bx, by, x, y, m.unit/3, m.unit*1.05, markHalo)
			stroke(m.to, bx, by, x, y, m.unit/6, m.unit*0.9, markInk)
		}
	}
	stroke(m.to, ax, ay, bx, by, m.unit/6, 0, markInk)
	for _, p := range [...][2]float64{{ax, ay}, {bx, by}} {
		dot(m.to, p[0], p[1], m.unit*0.42, markInk)
		dot(m.to, p[0], p[1], m.unit*0.27, markHalo)
	}
}

// axes draws the directions of the scene's axes in a corner.
func (m *marker) axes(at image.Rectangle, t *theme) {
	l := float64(2.6 * m.unit)
	x, y := float64(at.Min.X)+float64(1.6*l), float64(at.Max.Y)-float64(1.3*l)
	f := m.camera.Forward
	p, err := newPen(m.to)
	if err != nil {
		return
	}
	right := geom.Vec{X: f.Y, Y: -f.X}
	n := math.Sqrt(float64(right.X*right.X) + float64(right.Y*right.Y))
	if n < 1e-6 {
		right, n = geom.Vec{X: 1}, 1
	}
	right = geom.Vec{X: right.X / n, Y: right.Y / n}
	up := geom.Vec{X: float64(right.Y * f.Z), Y: -float64(right.X * f.Z), Z: float64(right.X*f.Y) - float64(right.Y*f.X)}
	for k, name := range [...]string{"x", "y", "z"} {
		r, u := [...]float64{right.X, right.Y, right.Z}[k], [...]float64{up.X, up.Y, up.Z}[k]
		c := [...]color.RGBA{{0xd0, 0x30, 0x30, 255}, {0x2c, 0x9c, 0x3c, 255}, {0x2a, 0x62, 0xd8, 255}}[k]
		stroke(m.to, x, y, x+float64(l*r), y-float64(l*u), m.unit/6, m.unit*0.6, c)
		px, py := x+float64(1.25*l*r)-float64(m.unit/4), y-float64(1.25*l*u)+float64(m.unit/4)
		p.write(int(math.RoundToEven(px)), int(math.RoundToEven(py)), at.Max.X, int(m.unit), t.faint, name)
	}
}

// words writes title, caption and legend.
func (v *scenery) words(out *image.RGBA, p *page, t *theme) error {
	if p.top == 0 {
		return nil
	}
	pen, err := newPen(out)
	if err != nil {
		return err
	}
	right := out.Bounds().Dx() - p.edge
	pen.write(p.edge, p.edge/2+p.title, right, p.title, t.text, v.shot.Title)
	pen.write(p.edge, p.edge/2+p.title+p.words*3/2, right, p.words, t.faint, v.shot.Caption)
	x, y := p.edge, out.Bounds().Dy()-p.bottom/2+p.legend/3
	for _, e := range v.legend(t) {
		wide := pen.width(p.legend, e.text)
		if x+2*p.legend+wide > right {
			break
		}
		dot(out, float64(x+p.legend/2), float64(y)-float64(0.35*float64(p.legend)), 0.45*float64(p.legend), rgba(e.colour))
		x = pen.write(x+p.legend+p.legend/2, y, right, p.legend, t.text, e.text) + p.legend*3/2
	}
	return nil
}

// entry explains a colour.
type entry struct {
	colour raster.Colour
	text   string
}

func (v *scenery) legend(t *theme) (out []entry) {
	if w := v.shot.Witness; w != nil {
		out = append(out, entry{t.pair[0], w.Pair.A.Name}, entry{t.pair[1], w.Pair.B.Name})
	}
	out = append(out, entry{t.link, "robot"})
	if n := len(v.shot.Ghosts); n > 0 {
		out = append(out, entry{t.ghost, fmt.Sprintf("at %d times from %.4g s to %.4g s", n, v.shot.Ghosts[0], v.shot.Ghosts[n-1])})
	}
	obstacles, carried := false, false
	for i := range v.coarse {
		obstacles = obstacles || v.coarse[i].Colour == t.obstacle
		carried = carried || v.coarse[i].Colour == t.carried
	}
	if carried {
		out = append(out, entry{t.carried, "carried"})
	}
	if obstacles {
		out = append(out, entry{t.obstacle, "obstacles"})
	}
	return append(out, entry{t.Line, fmt.Sprintf("ground, a line every %g m", v.scene.Ground.Lines)})
}

package raster

import (
	"context"
	"image"
	"math"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// band is the height of the parts in which a picture is drawn, in rows of pixels: memory grows
// with the width of a picture only.
const band = 16

// renderer draws one picture.
type renderer struct {
	scene   *Scene
	camera  *Camera
	view    view
	lights  []light
	workers int

	ground *Body // nil if it is not drawn
	layers []drawn
}

// drawn is a layer in the picture. The first is solid.
type drawn struct {
	bodies  []projected
	bands   [][]piece
	opacity float64
}

func newRenderer(s *Scene, c *Camera, workers int) *renderer {
	r := &renderer{scene: s, camera: c, view: c.view(across), workers: max(1, workers)}
	if s.Ground.Shown && c.Eye.Z > s.Ground.Height {
		r.ground = groundBody(s)
	}
	r.lights = r.newLights()
	return r
}

// draw draws the picture: first the lights' maps, then the places of all bodies, then band by
// band.
func (r *renderer) draw(ctx context.Context, done func(n, of int)) (*image.RGBA, error) {
	prepare(r.scene)
	bands := (r.camera.Height + band - 1) / band
	of, finished := len(r.lights)+bands, atomic.Int64{}
	tell := func() {
		if done != nil {
			done(int(finished.Add(1)), of)
		}
	}
	if err := r.castShadows(ctx, tell); err != nil {
		return nil, err
	}
	if err := r.placeAll(ctx); err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rect(0, 0, r.camera.Width, r.camera.Height))
	err := each(ctx, r.workers, bands, func() func(int) {
		s := r.newScratch()
		return func(k int) {
			s.draw(k, out)
			tell()
		}
	})
	return out, err
}

// prepare computes the normals of all meshes.
func prepare(s *Scene) {
	for i := range s.Bodies {
		s.Bodies[i].Mesh.Prepare()
	}
	for k := range s.Layers {
		for i := range s.Layers[k].Bodies {
			s.Layers[k].Bodies[i].Mesh.Prepare()
		}
	}
}

// each calls a function for 0 to n-1. Every worker has a function of its own.
func each(ctx context.Context, workers, n int, worker func() func(int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, n) {
		all.Add(1)
		go func() {
			defer all.Done()
			f := worker()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		}()
	}
	all.Wait()
	return ctx.Err()
}

func (r *renderer) castShadows(ctx context.Context, tell func()) error {
	return each(ctx, r.workers, len(r.lights), func() func(int) {
		near := make([]float32, sunMap*sunMap)
		var corners []corner
		return func(i int) {
			corners = r.lights[i].cast(r.scene.Bodies, near, corners)
			tell()
		}
	})
}

// placeAll projects all layers.
func (r *renderer) placeAll(ctx context.Context) error {
	solid := r.scene.Bodies
	if r.ground != nil {
		solid = append(solid[:len(solid):len(solid)], *r.ground)
	}
	layers := append([]Layer{{solid, 1}}, r.scene.Layers...)
	r.layers = make([]drawn, len(layers))
	for k := range layers {
		r.layers[k] = drawn{bodies: make([]projected, len(layers[k].Bodies)), opacity: layers[k].Opacity}
		d := &r.layers[k]
		err := each(ctx, r.workers, len(d.bodies), func() func(int) {
			return func(i int) { d.bodies[i] = r.view.place(&layers[k].Bodies[i]) }
		})
		if err != nil {
			return err
		}
		d.bands = sortPieces(d.bodies, across*r.camera.Width, across*r.camera.Height, across*band)
	}
	return nil
}

// scratch is what a worker needs to draw bands.
type scratch struct {
	r            *renderer
	solid, above grid
	row          []vec // the light of each pixel of the band
	shades       shades
}

func (r *renderer) newScratch() *scratch {
	w, h := across*r.camera.Width, across*band
	g := func() grid {
		return grid{width: w, height: h, near: make([]float32, w*h), id: make([]uint32, w*h)}
	}
	s := &scratch{r: r, solid: g(), row: make([]vec, r.camera.Width*band)}
	s.shades.arriving = make([]float64, len(r.lights))
	if len(r.layers) > 1 {
		s.above = g()
	}
	return s
}

// draw draws a band.
func (s *scratch) draw(k int, out *image.RGBA) {
	s.fill(&s.solid, &s.r.layers[0], k, nil)
	rows := min(band, s.r.camera.Height-k*band)
	for y := range rows {
		for x := range s.r.camera.Width {
			s.row[y*s.r.camera.Width+x] = s.solidPixel(x, y, k)
		}
	}
	for i := 1; i < len(s.r.layers); i++ {
		l := &s.r.layers[i]
		if len(l.bands[k]) == 0 {
			continue
		}
		s.fill(&s.above, l, k, s.solid.near)
		for y := range rows {
			for x := range s.r.camera.Width {
				s.blend(x, y, k, l)
			}
		}
	}
	for y := range rows {
		for x := range s.r.camera.Width {
			store(out, x, k*band+y, s.row[y*s.r.camera.Width+x])
		}
	}
}

// fill finds what is nearest in a band.
func (s *scratch) fill(g *grid, l *drawn, k int, hidden []float32) {
	g.top = k * band * across
	g.clear(0)
	for i, p := range l.bands[k] {
		a, b, c := l.bodies[p.body].corners3(p.triangle)
		g.fill(a, b, c, uint32(i+1), hidden)
	}
}

// store writes a pixel.
func store(out *image.RGBA, x, y int, c vec) {
	i := out.PixOffset(x, y)
	for k, v := range [...]float64{c.x, c.y, c.z} {
		out.Pix[i+k] = uint8(float64(255*math.Sqrt(min(max(v, 0), 1))) + 0.5)
	}
	out.Pix[i+3] = 255
}

// groundBody is the ground as a square.
func groundBody(s *Scene) *Body {
	far := float32(fadeEnd * s.Focus.Radius)
	return &Body{
		Mesh: &Mesh{
			Vertices:  []float32{-far, -far, 0, far, -far, 0, far, far, 0, -far, far, 0},
			Triangles: []uint32{0, 1, 2, 0, 2, 3},
		},
		Pose: geom.Translation(geom.Vec{X: s.Focus.Center.X, Y: s.Focus.Center.Y, Z: s.Ground.Height}),
	}
}
